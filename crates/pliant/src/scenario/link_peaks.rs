//! The largest deflections, internal forces and stresses of links during a run.

use super::Simulation;
use super::row_state::RowState;
use crate::analyse::{CutLinks, Peak, PeakLoads};
use crate::dynamics::loads::Load;
use crate::integrate::{StateVisitor, Stateful};
use crate::simulate::{Channel, ChannelRole, number};
use serde::{Deserialize, Serialize};

/// At most about this many rows are asked for internal forces, evenly spread, and a fiftieth of it where
/// links slide; all of shorter runs.
const LOOKS: f64 = 2000.0;

/// So are rows at which a tip is deflected or turned by so much more than at any that was asked.
const MORE: f64 = 1.02;

/// The largest deflections, internal forces and stresses of a link during a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinkPeaks {
    /// The link.
    pub link: String,
    /// How far its tip is displaced by its own deformation (m), if it has a tip frame.
    pub deflection: Option<RunPeak>,
    /// The slope there (rad), in the plane where it is larger.
    pub slope: Option<RunPeak>,
    /// The resultant bending moment (N m); none for links of rigid pieces, as all that follow.
    pub moment: Option<RunPeak>,
    /// The resultant shear force (N).
    pub shear: Option<RunPeak>,
    /// The torque along the link (N m), without its sign.
    pub torsion: Option<RunPeak>,
    /// The equivalent stress (Pa), for sections that have an outline.
    pub stress: Option<RunPeak>,
    /// The smallest margin, strength over stress, where the strength is known.
    pub margin: Option<RunPeak>,
}

/// A largest or smallest value of a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunPeak {
    /// The value.
    #[serde(with = "number")]
    pub value: f64,
    /// When (s).
    pub time: f64,
    /// Where along the link, from the root of the part that bends (m), if not at its tip.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<f64>,
}

/// Follows the rows of a run.
pub(super) struct LinkWatch<'a> {
    simulation: &'a Simulation,
    links: Vec<WatchedLink>,
    /// The columns of the accelerations, and their numbers.
    columns: Vec<usize>,
    ud: Vec<f64>,
    cuts: CutLinks,
    /// When the next row is asked for internal forces (s).
    next: f64,
}

struct WatchedLink {
    /// It, by index.
    link: usize,
    /// The columns of its tip's deflection, slopes and twist.
    columns: Option<[usize; 6]>,
    /// The largest of these by size, and those at rows that were asked for internal forces.
    most: [f64; 3],
    asked: [f64; 3],
    peaks: LinkPeaks,
}

impl Stateful for LinkWatch<'_> {
    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        state.number(&mut self.next);
        for WatchedLink { most, asked, peaks, .. } in &mut self.links {
            state.numbers(most);
            state.numbers(asked);
            peaks.visit_state(state);
        }
    }
}

impl Stateful for LinkPeaks {
    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        let Self { link: _, deflection, slope, moment, shear, torsion, stress, margin } = self;
        for peak in [deflection, slope, moment, shear, torsion, stress, margin] {
            let fresh = || RunPeak { value: 0.0, time: 0.0, place: None };
            state.option(peak, fresh, |state, RunPeak { value, time, place }| {
                state.number(value);
                state.number(time);
                state.option(place, || 0.0, StateVisitor::number);
            });
        }
    }
}

impl<'a> LinkWatch<'a> {
    /// The groups of channels that it reads.
    pub(super) const NEEDS: [&'static str; 2] = ["accelerations", "deflections"];

    /// Whether there is something to watch.
    pub(super) fn is_wanted(simulation: &Simulation) -> bool {
        !simulation.arm.flexible_links().is_empty()
    }

    /// For the links that bend, and the channels of the rows.
    pub(super) fn new(simulation: &'a Simulation, channels: &[Channel]) -> Option<Self> {
        let arm = &simulation.arm;
        let find = |is: &dyn Fn(&Channel) -> bool| channels.iter().position(is);
        let acceleration =
            |v: usize| find(&|one| one.role == ChannelRole::Acceleration && one.index == v);
        let columns = (0..arm.nv()).map(acceleration).collect::<Option<Vec<_>>>()?;
        let links = arm.flexible_links().into_iter().map(|link| {
            let name = arm.link_names()[link].clone();
            let tip = arm.tip_of(&name).map(|tip| arm.frames()[tip].name());
            let column = |index: usize| {
                let is_own = |one: &Channel| {
                    matches!(one.role, ChannelRole::Deflection | ChannelRole::Slope)
                        && one.index == index
                        && tip.is_some_and(|tip| one.subject == tip)
                };
                find(&is_own)
            };
            let columns = (0..6).map(column).collect::<Option<Vec<_>>>();
            let columns = columns.and_then(|columns| columns.try_into().ok());
            let peaks = LinkPeaks {
                link: name,
                deflection: None,
                slope: None,
                moment: None,
                shear: None,
                torsion: None,
                stress: None,
                margin: None,
            };
            WatchedLink { link, columns, most: [0.0; 3], asked: [0.0; 3], peaks }
        });
        let links: Vec<_> = links.collect();
        let ud = vec![0.0; arm.nv()];
        (!links.is_empty()).then_some(Self {
            simulation,
            links,
            columns,
            ud,
            cuts: CutLinks::default(),
            next: 0.0,
        })
    }

    /// A row of the run.
    pub(super) fn row(&mut self, t: f64, values: &[f64], state: &RowState) {
        let mut is_due = t >= self.next;
        for WatchedLink { columns, most, asked, peaks, .. } in &mut self.links {
            let Some(columns) = columns else { continue };
            let [x, y, z, in_y, in_z, twist] = columns.map(|column| values[column]);
            let deflection = (x * x + y * y + z * z).sqrt();
            let slope = in_y.abs().max(in_z.abs());
            let at = |value: f64| RunPeak { value, time: t, place: None };
            see(&mut peaks.deflection, at(deflection), f64::gt);
            see(&mut peaks.slope, at(slope), f64::gt);
            let now = [deflection, slope, twist.abs()];
            is_due |= now.iter().zip(&*asked).any(|(now, asked)| *now > MORE * asked);
            *most = std::array::from_fn(|k| most[k].max(now[k]));
        }
        if is_due {
            self.ask(t, values, state);
        }
    }

    /// Asks for the internal forces at a row.
    fn ask(&mut self, t: f64, values: &[f64], state: &RowState) {
        self.next = t + self.simulation.time_between(LOOKS) * (1.0 - 1e-9);
        for (ud, &column) in self.ud.iter_mut().zip(&self.columns) {
            *ud = values[column];
        }
        let loads: Vec<Load> =
            self.simulation.diagram.loads.iter().map(|push| push.at(t)).collect();
        let arm = &self.simulation.arm;
        // what cannot be computed is told elsewhere
        let forces = self.cuts.in_motion(arm, [&state.q, &state.u, &self.ud], &loads);
        let found = arm.peak_loads(&forces);
        for WatchedLink { link, most, asked, peaks, .. } in &mut self.links {
            *asked = *most;
            if let Some(now) = found.iter().find(|now| now.link == *link) {
                peaks.see(t, now);
            }
        }
    }

    /// The largest of each link.
    pub(super) fn finish(self) -> Vec<LinkPeaks> {
        self.links.into_iter().map(|own| own.peaks).collect()
    }
}

impl LinkPeaks {
    fn see(&mut self, time: f64, now: &PeakLoads) {
        let at = |Peak { value, place }| RunPeak { value, time, place: Some(place) };
        see(&mut self.moment, at(now.moment), f64::gt);
        see(&mut self.shear, at(now.shear), f64::gt);
        see(&mut self.torsion, at(now.torque), f64::gt);
        if let Some(stress) = now.stress {
            see(&mut self.stress, at(stress), f64::gt);
        }
        if let Some(value) = now.margin {
            see(&mut self.margin, RunPeak { value, time, place: None }, f64::lt);
        }
    }
}

/// Keeps a value that is beyond the one known; what is no number is left out.
fn see(known: &mut Option<RunPeak>, now: RunPeak, beyond: fn(&f64, &f64) -> bool) {
    if !now.value.is_nan() && known.is_none_or(|known| beyond(&now.value, &known.value)) {
        *known = Some(now);
    }
}
