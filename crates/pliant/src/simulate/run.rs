//! From a scenario to rows and a summary.

use super::balance::Balance;
use super::channel_evaluator::{Around, ChannelEvaluator, Told};
use super::channels::Channel;
use super::clock::Clock;
use super::diagram::Diagram;
use super::diagram_error::DiagramError;
use super::discrete::Discrete;
use super::events::{Crossings, Happened};
use super::function::Noted;
use super::plant::{Inputs, Plant, WORKS};
use super::recorder::{ProgressMonitor, Recorder, WithRecorder};
use super::summary::{Ending, Extremes, Reason, RunError, Status, Summary};
use crate::arm::Arm;
use crate::dynamics::EvaluationError;
use crate::integrate::{Dense, Method, StateVisitor, Stateful, Stepper};

/// After so many rows within a step the monitor is asked again.
const ROWS_UNWATCHED: u64 = 4096;

/// Simulates a scenario, records its rows and returns a summary.
///
/// The run lands exactly on every tick of sensors and parts and on every instant at which a signal
/// is not smooth. Rows stand on the exact grid of the interval and come from within the steps; at
/// a tick they show what is there after it. What has been recorded stays recorded however the
/// run ends. Once started it allocates only for events and for internal forces of links.
///
/// ```
/// use pliant::arm::{Builder, Joint, Link};
/// use pliant::integrate::Dop853;
/// use pliant::simulate::{Clock, BlockOutput, Rows, SampledBlock, Diagram, Sensor, BlockInput, Tick, run};
///
/// let arm = Builder::new("pendulum")
///     .gravity([0.0, -9.81, 0.0])
///     .link(Link::new("bob").joint(Joint::revolute([0.0, 0.0, 1.0])).payload(1.0, [1.0, 0.0, 0.0]))
///     .build()?;
/// let mut scenario = Diagram::new(&arm, 5.0, 0.01);
/// let clock = Clock::hertz(1000.0)?;
/// scenario.sensors.push(Sensor::encoder("encoder", 0, 65_536, clock));
/// let (mut last, wires) = (0.0, vec![BlockOutput::motor("torque", 0)]);
/// let law = move |tick: &Tick<'_>, torque: &mut [f64]| {
///     let rate = (tick.inputs[0] - last) * 1000.0;
///     last = tick.inputs[0];
///     torque[0] = 9.81 * last.cos() - 50.0 * last - 10.0 * rate;
/// };
/// scenario.blocks.push(SampledBlock::new("hold", clock, vec![BlockInput::Sensor(0)], wires, law));
/// let mut rows = Rows::new();
/// let summary = run(&mut scenario, Dop853::new(1e-8), &mut rows, &mut ())?;
/// assert!(summary.q[0].abs() < 0.01);
/// assert_eq!(rows.times.len(), 501);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run<'s, M, R, W>(
    scenario: &'s mut Diagram,
    method: M,
    recorder: &mut R,
    watch: &mut W,
) -> Result<Summary, RunError<R::Error>>
where
    M: Method<Plant<'s>>,
    R: Recorder,
    W: ProgressMonitor,
{
    run_from(scenario, method, None, recorder, watch)
}

/// Goes on from the [state](Summary::state) of a run of the same scenario by the same method: the
/// rows that follow are those that it would have had, and so is the summary, bit for bit. The
/// duration may be another.
///
/// ```
/// use pliant::arm::{Builder, Joint, Link};
/// use pliant::integrate::Dop853;
/// use pliant::simulate::{Rows, Diagram, resume, run};
///
/// let arm = Builder::new("pendulum")
///     .gravity([0.0, -9.81, 0.0])
///     .link(Link::new("bob").joint(Joint::revolute([0.0, 0.0, 1.0])).payload(1.0, [1.0, 0.0, 0.0]))
///     .build()?;
/// let mut scenario = Diagram::new(&arm, 1.0, 0.01);
/// let first = run(&mut scenario, Dop853::new(1e-8), &mut Rows::new(), &mut ())?;
/// scenario.duration = 2.0;
/// let second = resume(&mut scenario, Dop853::new(1e-8), &first.state, &mut Rows::new(), &mut ())?;
/// assert_eq!((second.ending.time, second.rows), (2.0, 201));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn resume<'s, M, R, W>(
    scenario: &'s mut Diagram,
    method: M,
    state: &[f64],
    recorder: &mut R,
    watch: &mut W,
) -> Result<Summary, RunError<R::Error>>
where
    M: Method<Plant<'s>>,
    R: Recorder,
    W: ProgressMonitor,
{
    run_from(scenario, method, Some(state), recorder, watch)
}

/// Runs a scenario from its start, or from a state.
pub(super) fn run_from<'s, M, R, W>(
    scenario: &'s mut Diagram,
    method: M,
    state: Option<&[f64]>,
    recorder: &mut R,
    watch: &mut W,
) -> Result<Summary, RunError<R::Error>>
where
    M: Method<Plant<'s>>,
    R: Recorder,
    W: ProgressMonitor,
{
    let mut course = prepare(scenario, method, recorder)?;
    if let Some(state) = state {
        WithRecorder(&mut course, recorder).set_state(state)?;
        course.discrete.command(&course.plant);
    }
    course.follow(state.is_some(), recorder, watch)
}

/// All that a run needs, at its start.
fn prepare<'s, M, R>(
    scenario: &'s mut Diagram,
    method: M,
    recorder: &mut R,
) -> Result<Course<'s, M>, RunError<R::Error>>
where
    M: Method<Plant<'s>>,
    R: Recorder,
{
    let noted = Noted::new();
    scenario.check()?;
    let catalogue = scenario.catalogue();
    let chosen = scenario.selection.resolve(&catalogue).map_err(DiagramError::from)?;
    let clock = scenario.record_clock()?;
    let ways = scenario.ways().map_err(|error| match Noted::take() {
        Some(source) => {
            DiagramError::Signal { of: "a prescribed motion".into(), source: source.into() }
        }
        None => error,
    })?;
    let compiling = scenario.compiling();
    let is_controlled = scenario.feedback.is_some() || !scenario.blocks.is_empty();
    let (breaks, kept) = (scenario.breaks(&ways), [scenario.has_energies(), scenario.is_adrift()]);
    let Diagram {
        arm,
        q,
        u,
        duration,
        motors,
        loads,
        prescribed,
        feedback,
        dynamics,
        references,
        targets,
        sensors,
        blocks,
        seed,
        events,
        limits,
        ..
    } = scenario;
    let (arm, duration, references) = (&**arm, *duration, references.as_slice());
    let told = Told { references, targets };
    let inputs = Inputs { motors, loads, prescribed };
    for block in &mut *blocks {
        let ticks = compiling.ticks(duration, block.clock);
        block.block.compile(ticks).map_err(DiagramError::from)?;
    }
    if let Some(feedback) = feedback {
        feedback.compile(compiling.acting()).map_err(DiagramError::from)?;
    }
    let feedback = feedback.as_mut().map(|feedback| feedback.as_mut() as _);
    let dynamics = dynamics.as_mut().map(|dynamics| dynamics.as_mut() as _);
    let plant = Plant::new(arm, inputs, ways, feedback, dynamics, compiling);
    let plant = plant.map_err(DiagramError::from)?;
    let balance = Balance::new(arm, kept, compiling).map_err(DiagramError::from)?;
    let mut state = [q.as_slice(), u, &[0.0; WORKS]].concat();
    plant.acting(|acting| acting.project(0.0, &mut state));
    // where prescribed lengths begin
    if let Some(fault) = arm.out_of_stroke(&state) {
        return Err(RunError::Diagram(fault.into()));
    }
    let crossings = Crossings::new((arm, told), &catalogue, events, *limits, state.len());
    let crossings = crossings.map_err(|(i, source)| {
        RunError::Diagram(DiagramError::Event { event: events[i].name.clone(), source })
    })?;
    let discrete = Discrete::new(arm, references, sensors, *seed, blocks)?;
    let evaluator = ChannelEvaluator::new(arm, told, &catalogue, &chosen);
    let channels: Vec<Channel> = chosen.iter().map(|&i| catalogue.channels()[i].clone()).collect();
    recorder.start(&channels).map_err(|source| RunError::Recorder { time: 0.0, source })?;
    let max_attempts = method.max_steps();
    Ok(Course {
        _noted: noted,
        arm,
        is_controlled,
        duration,
        breaks,
        next_break: 0,
        max_attempts,
        landed_after: 0,
        stepper: Stepper::new(plant.clone(), method, 0.0, &state)?,
        plant,
        discrete,
        crossings,
        balance,
        recording: Recording {
            row: vec![0.0; evaluator.width()],
            evaluator,
            clock,
            rows: 0,
            extremes: channels.into_iter().map(Extremes::new).collect(),
        },
        time: 0.0,
        sample: state,
        happened: Vec::new(),
    })
}

/// A run under way.
pub(super) struct Course<'s, M: Method<Plant<'s>>> {
    /// Functions of one's own that give up.
    _noted: Noted,
    pub(super) arm: &'s Arm,
    /// Whether controllers drive it.
    pub(super) is_controlled: bool,
    duration: f64,
    breaks: Vec<f64>,
    /// The first break that is still to come.
    next_break: usize,
    /// How many attempts may be made from one landing to the next.
    max_attempts: usize,
    /// How many had been made at the last landing.
    landed_after: usize,
    pub(super) stepper: Stepper<Plant<'s>, M>,
    pub(super) plant: Plant<'s>,
    discrete: Discrete<'s>,
    pub(super) crossings: Crossings<'s>,
    pub(super) balance: Balance<'s>,
    pub(super) recording: Recording<'s>,
    /// A state within a step; at the end, the time and the state there.
    pub(super) time: f64,
    pub(super) sample: Vec<f64>,
    pub(super) happened: Vec<Happened>,
}

/// What is recorded, and how far that is.
pub(super) struct Recording<'s> {
    evaluator: ChannelEvaluator<'s>,
    clock: Clock,
    pub(super) rows: u64,
    row: Vec<f64>,
    pub(super) extremes: Vec<Extremes>,
}

impl<'s> Recording<'s> {
    /// When the next row is due.
    fn due(&self) -> f64 {
        self.clock.tick(self.rows)
    }

    fn record<R: Recorder>(
        &mut self,
        recorder: &mut R,
        y: &[f64],
        around: Around<'_, 's>,
    ) -> Result<(), RunError<R::Error>> {
        let t = self.due();
        self.evaluator.look(t, y, around, &mut self.row);
        if around.plant.has_failed() {
            return Ok(());
        }
        for (extremes, &value) in self.extremes.iter_mut().zip(&self.row) {
            extremes.include(t, value);
        }
        let done = recorder.row(t, &self.row);
        done.map_err(|source| RunError::Recorder { time: t, source })?;
        self.rows += 1;
        Ok(())
    }
}

impl<'s, M: Method<Plant<'s>>> Stateful for Course<'s, M> {
    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        self.stepper.visit_state(state);
        self.discrete.visit_state(state);
        self.crossings.visit_state(state);
        self.balance.visit_state(state);
        self.crossings.visit_happened(&mut self.happened, state);
        state.count(&mut self.recording.rows);
        for extremes in &mut self.recording.extremes {
            extremes.visit_state(state);
        }
        state.index(&mut self.next_break, self.breaks.len() + 1);
        state.size(&mut self.landed_after);
    }
}

impl<'s, M: Method<Plant<'s>>> Course<'s, M> {
    /// From the start, or on from a state after a step.
    fn follow<R: Recorder, W: ProgressMonitor>(
        mut self,
        mut goes_on: bool,
        recorder: &mut R,
        watch: &mut W,
    ) -> Result<Summary, RunError<R::Error>> {
        self.balance.follow(self.stepper.state());
        let ending = loop {
            if !goes_on {
                if let Some(ending) = self.land(recorder)? {
                    break ending;
                }
                if self.stepper.time() >= self.duration {
                    break self.completed();
                }
            }
            goes_on = false;
            if let Some(ending) = self.advance(recorder, watch)? {
                break ending;
            }
        };
        let is_within_step =
            ending.status == Status::Interrupted && self.time < self.stepper.time();
        let state =
            if is_within_step { Vec::new() } else { WithRecorder(&mut self, recorder).state() };
        Ok(self.sum_up(ending, state))
    }

    /// Does what is due at the time reached, and sets out for the next landing.
    fn land<R: Recorder>(
        &mut self,
        recorder: &mut R,
    ) -> Result<Option<Ending>, RunError<R::Error>> {
        self.stand_at_last_step();
        let t = self.time;
        // signals have their values behind the jump from here on
        self.plant.acting(|acting| acting.forces.boundary = f64::INFINITY);
        let changes = match self.discrete.act(t, &self.sample, &self.plant) {
            Ok(changes) => changes,
            Err(failure) => return Ok(Some(self.given_up(failure))),
        };
        let breaks = &self.breaks[self.next_break..];
        let passed = breaks.iter().take_while(|&&time| time <= t).count();
        self.next_break += passed;
        if changes || passed > 0 {
            self.stepper.system_mut();
        }
        let around = around(&self.plant, &self.discrete, &self.balance);
        if self.crossings.look(t, &self.sample, around, &mut self.happened) {
            return Ok(Some(self.stopped()));
        }
        if self.recording.due() == t {
            self.recording.record(recorder, &self.sample, around)?;
        }
        self.landed_after = self.attempts();
        Ok(self.failure())
    }

    /// Whether something gave up while channels, sensors or events looked at a state.
    fn failure(&self) -> Option<Ending> {
        let failure = self.plant.acting(|acting| acting.failure.take());
        if failure.is_none()
            && let Some(error) = Noted::take()
        {
            return Some(self.function_gave_up(&error));
        }
        failure.map(|failure| self.given_up(failure))
    }

    fn attempts(&self) -> usize {
        let statistics = self.stepper.statistics();
        statistics.steps + statistics.rejected
    }

    /// The next instant to land on.
    fn next_landing(&self) -> f64 {
        let next_break = self.breaks.get(self.next_break).copied().unwrap_or(f64::INFINITY);
        self.discrete.next().min(next_break).min(self.duration)
    }

    /// Steps to the next landing.
    fn advance<R: Recorder, W: ProgressMonitor>(
        &mut self,
        recorder: &mut R,
        watch: &mut W,
    ) -> Result<Option<Ending>, RunError<R::Error>> {
        let landing = self.next_landing();
        self.plant.acting(|acting| acting.forces.boundary = landing);
        loop {
            let steps = self.stepper.statistics().steps;
            let mut step = match self.stepper.step(landing) {
                Ok(Some(step)) => step,
                Ok(None) => return Ok(None),
                Err(failure) => return Ok(Some(self.failed(failure))),
            };
            let (start, end, length) = (step.span().start, step.span().end, step.span().length());
            // where it ends if something gives up before the first row
            self.time = start;
            self.sample.copy_from_slice(step.span().before);
            if Noted::is_any() {
                // what follows from values that are none is no step
                return Ok(self.failure());
            }
            if let Some((name, jump)) = self.plant.acting(|acting| acting.jump_within(start, end)) {
                return Ok(Some(self.jumped(name, length, jump)));
            }
            self.balance.follow(step.span().after);
            let outside = self.arm.out_of_stroke(&step.span().after[..self.arm.nq()]);
            let around = around(&self.plant, &self.discrete, &self.balance);
            let due =
                |recording: &Recording<'_>| recording.due() <= end && recording.due() < landing;
            let (mut stop, mut is_interrupted) = (None, false);
            if self.crossings.is_watching() || due(&self.recording) {
                let dense = match step.dense() {
                    Ok(dense) => dense,
                    Err(failure) => return Ok(Some(self.failed(failure))),
                };
                stop = self.crossings.scan(&dense, around, &mut self.happened);
                let last = stop.unwrap_or(end);
                let ends = |is_interrupted: bool| is_interrupted || self.plant.has_failed();
                while due(&self.recording) && self.recording.due() <= last && !ends(is_interrupted)
                {
                    let t = self.recording.due();
                    go(&dense, &self.plant, t, (&mut self.time, &mut self.sample));
                    if outside.is_some() && self.arm.out_of_stroke(&self.sample).is_some() {
                        break;
                    }
                    self.recording.record(recorder, &self.sample, around)?;
                    if self.recording.rows.is_multiple_of(ROWS_UNWATCHED) {
                        let progress = self.balance.progress(t, self.duration, steps);
                        is_interrupted = watch.progress(&progress).is_break();
                    }
                }
                if let Some(stop) = stop.filter(|_| !ends(is_interrupted)) {
                    go(&dense, &self.plant, stop, (&mut self.time, &mut self.sample));
                }
            }
            let failure = self.failure();
            // an event that stops it here has happened
            if failure.is_some() || (is_interrupted && stop != Some(self.time)) {
                self.forget_later_events();
                return Ok(Some(failure.unwrap_or_else(|| self.interrupted())));
            }
            if stop.is_some() {
                return Ok(Some(self.stopped()));
            }
            if let Some(EvaluationError::OutOfStroke { coordinate, .. }) = outside {
                return Ok(Some(self.broken(Reason::OutOfStroke, length, Some(coordinate))));
            }
            if !self.balance.total.is_finite() {
                return Ok(Some(self.left_numbers(length)));
            }
            if let Some(excess) = self.balance.strayed.excess(self.arm) {
                return Ok(Some(self.diverged(length, excess)));
            }
            let attempts = self.attempts().saturating_sub(self.landed_after);
            if attempts >= self.max_attempts && end < landing {
                return Ok(Some(self.stuck(Reason::TooManySteps, length, None)));
            }
            let steps = self.stepper.statistics().steps;
            let progress = self.balance.progress(end, self.duration, steps);
            let mut state = || WithRecorder(&mut *self, &mut *recorder).state();
            if watch.progress(&progress).is_break() || watch.checkpoint(&mut state).is_break() {
                self.stand_at_last_step();
                return Ok(Some(self.interrupted()));
            }
        }
    }
}

/// Goes to a time within a step: the time and the state there belong together.
fn go<'s, M: Method<Plant<'s>>>(
    dense: &Dense<'_, Plant<'s>, M>,
    plant: &Plant<'s>,
    t: f64,
    (time, state): (&mut f64, &mut [f64]),
) {
    *time = t;
    dense.at(t, state);
    plant.acting(|acting| acting.project(t, state));
}

/// What the state does not say.
fn around<'a, 's>(
    plant: &'a Plant<'s>,
    discrete: &'a Discrete<'s>,
    balance: &Balance<'_>,
) -> Around<'a, 's> {
    Around {
        plant,
        sensors: &discrete.sensors,
        outputs: &discrete.outputs,
        start_energy: balance.start_energy(),
    }
}
