//! A sampled block, linear near a posture: what it puts out and what it remembers.

use super::LoopError;
use super::plant::{LinearPlant, STEP};
use crate::integrate::StateVisitor;
use crate::linear::span;
use crate::simulate::{Block, FullState, SampledBlock, Tick};
use nalgebra::{DMatrix, DVector};

/// A block that has not settled after so many ticks is taken as it is.
const SETTLING: u64 = 200;
/// It has settled when its outputs change by less than this part from cycle to cycle.
const SETTLED: f64 = 1e-10;
/// More directions of what is remembered, times the ticks of a cycle, are not looked at.
const MOST: usize = 20_000;
/// Numbers that differ by less than this part of them differ by the rounding of what led to them.
const ROUNDING: f64 = 1e-13;
/// What is left of a direction counts as none below this part of it.
const DEPENDENT: f64 = 1e-6;

/// The slopes of a block, for each tick of its cycle. Columns are its inputs, the state of the arm if
/// it sees that, its references, and what it remembers.
pub(super) struct BlockSlopes {
    pub(super) phases: Vec<Phase>,
    /// How many numbers it remembers, to first order.
    pub(super) memory: usize,
}

/// Those of one tick.
pub(super) struct Phase {
    /// Of the outputs.
    pub(super) outputs: DMatrix<f64>,
    /// Of what is remembered afterwards.
    pub(super) memory: DMatrix<f64>,
}

/// A block at a tick of its cycle.
struct Bench<'a> {
    plant: &'a LinearPlant,
    block: &'a SampledBlock,
    /// What its inputs show.
    inputs: &'a [f64],
    /// It, with its references held.
    inner: Box<dyn Block>,
}

/// Which tick, and what the block remembers before it: its outputs, then its state.
struct Instant {
    count: u64,
    memory: Vec<f64>,
}

/// How a tick differs from that of the posture.
enum Change<'a> {
    Input(usize),
    State(usize),
    Reference(usize),
    Memory(&'a DVector<f64>),
}

impl BlockSlopes {
    /// Of a block whose inputs show some values where the arm is, for a time (s) of its references; of
    /// its outputs those that are used, by index.
    pub(super) fn new(
        plant: &LinearPlant,
        block: &SampledBlock,
        (inputs, used): (&[f64], &[usize]),
        time: f64,
        cycle: u64,
    ) -> Result<Self, LoopError> {
        let mut inner = block.block.clone();
        let mut remembered = Vec::new();
        let mut visitor = StateVisitor::giving(&mut remembered);
        inner.visit_state(&mut visitor);
        if visitor.is_opaque() {
            return Err(LoopError::Opaque { controller: block.name.clone() });
        }
        inner.hold(time);
        inner.start();
        let bench = Bench { plant, block, inputs, inner };
        let instants = bench.settle(cycle)?;
        let states = if block.uses_full_state { 2 * plant.moving.len() } else { 0 };
        let inputs = (0..inputs.len()).map(Change::Input);
        let references = (0..bench.inner.references()).map(Change::Reference);
        let changes: Vec<Change<'_>> =
            inputs.chain((0..states).map(Change::State)).chain(references).collect();
        let mut raw: Vec<Vec<DVector<f64>>> = Vec::new();
        for instant in &instants {
            let of = |change: &Change<'_>| bench.slope(instant, change);
            raw.push(changes.iter().map(of).collect::<Result<_, _>>()?);
        }
        let basis = bench.reachable(&instants, &mut raw)?;
        let width = changes.len();
        let phases = raw.iter().map(|columns| {
            let all = columns.len();
            let outputs =
                DMatrix::from_fn(used.len(), all, |row, column| columns[column][used[row]]);
            let mut memory = DMatrix::zeros(basis.vectors.len(), all);
            for (mut column, slope) in memory.column_iter_mut().zip(columns) {
                column.copy_from(&basis.coordinates(slope));
            }
            Phase { outputs, memory }
        });
        let slopes = Self { phases: phases.collect(), memory: basis.vectors.len() };
        Ok(slopes.observed(width))
    }

    /// Without what is remembered and never seen in the outputs.
    fn observed(self, width: usize) -> Self {
        let n = self.memory;
        let mut seen: Vec<DVector<f64>> = Vec::new();
        // each in parts of what it does at once
        let rows = |phase: &Phase| {
            let size = |row: usize| phase.outputs.row(row).norm().max(f64::MIN_POSITIVE);
            let own = phase.outputs.columns(width, n);
            let rows = own.row_iter().enumerate();
            rows.map(|(k, row)| row.transpose() / size(k)).collect::<Vec<_>>()
        };
        let mut found: Vec<DVector<f64>> = self.phases.iter().flat_map(rows).collect();
        while !found.is_empty() {
            let before = seen.len();
            span(&mut seen, std::mem::take(&mut found), DEPENDENT);
            for vector in &seen[before..] {
                for phase in &self.phases {
                    found.push(phase.memory.columns(width, n).transpose() * vector);
                }
            }
        }
        let kept = DMatrix::from_fn(n, seen.len(), |i, j| seen[j][i]);
        let phases = self.phases.into_iter().map(|Phase { outputs, memory }| {
            let wide = |matrix: DMatrix<f64>| {
                let mut both = DMatrix::zeros(matrix.nrows(), width + kept.ncols());
                both.columns_mut(0, width).copy_from(&matrix.columns(0, width));
                both.columns_mut(width, kept.ncols())
                    .copy_from(&(matrix.columns(width, n) * &kept));
                both
            };
            Phase { outputs: wide(outputs), memory: wide(kept.transpose() * memory) }
        });
        let phases = phases.collect();
        Self { phases, memory: seen.len() }
    }
}

/// Directions of what is remembered, orthonormal once each number is in parts of its scale.
#[derive(Default)]
struct Basis {
    scales: Vec<f64>,
    vectors: Vec<DVector<f64>>,
}

impl Basis {
    fn scaled(&self, slope: &DVector<f64>) -> DVector<f64> {
        let scaled = slope.iter().zip(&self.scales);
        let scaled = scaled.map(|(x, scale)| if *scale > 0.0 { x / scale } else { 0.0 });
        DVector::from_iterator(slope.len(), scaled)
    }

    fn unscaled(&self, vector: &DVector<f64>) -> DVector<f64> {
        DVector::from_iterator(
            vector.len(),
            vector.iter().zip(&self.scales).map(|(x, scale)| x * scale),
        )
    }

    fn coordinates(&self, slope: &DVector<f64>) -> DVector<f64> {
        let scaled = self.scaled(slope);
        DVector::from_iterator(self.vectors.len(), self.vectors.iter().map(|own| own.dot(&scaled)))
    }

    /// Takes directions in; those that are new stand at the end.
    fn take<'a>(&mut self, slopes: impl Iterator<Item = &'a DVector<f64>> + Clone) {
        let is_first = self.vectors.is_empty();
        let known = self.scales.clone();
        for slope in slopes.clone() {
            self.scales.resize(slope.len(), 0.0);
            // what was never met has the size that it has beside what was
            let known = Self { scales: known.clone(), vectors: Vec::new() };
            let size = if is_first { 1.0 } else { known.scaled(slope).norm() };
            for (k, (scale, x)) in self.scales.iter_mut().zip(slope).enumerate() {
                if known.scales.get(k).is_none_or(|known| *known == 0.0) && size > 0.0 {
                    *scale = scale.max(x.abs() / size);
                }
            }
        }
        let scaled: Vec<DVector<f64>> = slopes.map(|slope| self.scaled(slope)).collect();
        let size = scaled.iter().map(DVector::norm).fold(0.0, f64::max);
        if size > 1e-9 {
            span(&mut self.vectors, scaled, DEPENDENT * size);
        }
    }
}

impl Bench<'_> {
    /// Ticks where the arm is until the outputs repeat; the instants of one cycle from there on.
    fn settle(&self, cycle: u64) -> Result<Vec<Instant>, LoopError> {
        let mut inner = self.inner.clone();
        let plant = self.plant;
        let mut outputs = vec![0.0; self.block.outputs.len()];
        let mut before: Option<Vec<f64>> = None;
        let mut count = 0;
        loop {
            let (mut sequence, mut instants) = (Vec::new(), Vec::new());
            for _ in 0..cycle {
                let mut memory = outputs.clone();
                inner.visit_state(&mut StateVisitor::giving(&mut memory));
                instants.push(Instant { count, memory });
                self.update(
                    &mut *inner,
                    count,
                    self.inputs,
                    &plant.point.q,
                    &plant.point.u,
                    &mut outputs,
                )?;
                sequence.extend_from_slice(&outputs);
                count += 1;
            }
            let size = sequence.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
            let repeats = before.as_ref().is_some_and(|before| {
                before.iter().zip(&sequence).all(|(a, b)| (a - b).abs() <= SETTLED * size)
            });
            if (repeats || count >= SETTLING) && count > 2 * cycle {
                return Ok(instants);
            }
            before = Some(sequence);
        }
    }

    fn update(
        &self,
        inner: &mut dyn Block,
        count: u64,
        inputs: &[f64],
        q: &[f64],
        u: &[f64],
        outputs: &mut [f64],
    ) -> Result<(), LoopError> {
        let state = self.block.uses_full_state.then_some(FullState { q, u });
        let tick = Tick { count, t: self.block.clock.tick(count), inputs, state };
        inner.update(&tick, outputs).map_err(|reason| LoopError::GaveUp {
            controller: self.block.name.clone(),
            reason: reason.to_string(),
        })
    }

    /// The slope of what is remembered after a tick, outputs first, by a change.
    fn slope(&self, at: &Instant, change: &Change<'_>) -> Result<DVector<f64>, LoopError> {
        let mut ends = [Vec::new(), Vec::new()];
        for (end, step) in ends.iter_mut().zip([STEP, -STEP]) {
            let (mut inner, mut memory) = (self.inner.clone(), at.memory.clone());
            let mut inputs = self.inputs.to_vec();
            let point = &self.plant.point;
            let (mut q, mut u) = (point.q.clone(), point.u.clone());
            match *change {
                Change::Input(k) => inputs[k] += step,
                Change::State(k) => (q, u) = self.plant.moved(k, step),
                Change::Reference(k) => inner.shift(k, step),
                Change::Memory(way) => {
                    for (number, way) in memory.iter_mut().zip(way) {
                        // times and counts stay what they are to the last bit
                        if *way != 0.0 {
                            *number += step * way;
                        }
                    }
                }
            }
            let (outputs, state) = memory.split_at_mut(self.block.outputs.len());
            let mut visitor = StateVisitor::taking(state);
            inner.visit_state(&mut visitor);
            visitor.finish().map_err(|_| self.unfit())?;
            self.update(&mut *inner, at.count, &inputs, &q, &u, outputs)?;
            end.extend_from_slice(outputs);
            inner.visit_state(&mut StateVisitor::giving(end));
        }
        let [after, before] = ends;
        if after.len() != before.len() {
            return Err(self.unfit());
        }
        // what differs by no more than its rounding does not differ
        let slope = after.iter().zip(&before).map(|(a, b)| match a - b {
            apart if apart.abs() <= ROUNDING * a.abs().max(b.abs()) => 0.0,
            apart => apart / (2.0 * STEP),
        });
        let slope = DVector::from_iterator(after.len(), slope);
        if slope.iter().all(|x| x.is_finite()) { Ok(slope) } else { Err(self.unfit()) }
    }

    fn unfit(&self) -> LoopError {
        LoopError::NotSmooth { controller: self.block.name.clone() }
    }

    /// The directions of what is remembered into which changes of inputs lead, now or later; the slopes
    /// by them are put behind those by the inputs.
    fn reachable(
        &self,
        instants: &[Instant],
        raw: &mut [Vec<DVector<f64>>],
    ) -> Result<Basis, LoopError> {
        let mut basis = Basis::default();
        basis.take(raw.iter().flatten());
        // all directions at once tell whether any of them matters
        let mut all = DVector::zeros(basis.scales.len());
        for (k, vector) in basis.vectors.iter().enumerate() {
            all += vector * (1.0 + 0.5 * (1.0 + k as f64).sin());
        }
        let all = basis.unscaled(&all);
        let mut matters = false;
        for instant in instants {
            let slope = self.slope(instant, &Change::Memory(&all))?;
            matters |= basis.scaled(&slope).norm() > 1e-9 * all.len() as f64;
        }
        if !matters {
            return Ok(Basis { vectors: Vec::new(), ..basis });
        }
        let mut done = 0;
        while done < basis.vectors.len() {
            if basis.vectors.len() * instants.len() > MOST {
                return Err(LoopError::TooLarge { controller: self.block.name.clone() });
            }
            let ways: Vec<DVector<f64>> =
                basis.vectors[done..].iter().map(|vector| basis.unscaled(vector)).collect();
            done = basis.vectors.len();
            let mut found = Vec::new();
            for (instant, columns) in instants.iter().zip(&mut *raw) {
                for way in &ways {
                    let slope = self.slope(instant, &Change::Memory(way))?;
                    found.push(slope.clone());
                    columns.push(slope);
                }
            }
            basis.take(found.iter());
        }
        Ok(basis)
    }
}

/// After how many ticks a block does the same again.
pub(super) fn cycle(block: &SampledBlock) -> u64 {
    block.block.cycle(block.clock.period()).max(1)
}
