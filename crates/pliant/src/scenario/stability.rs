//! Loops that grow, found before they run, and what would mend them.

use super::closed_loop::{ClosedLoop, GrowingMode, LoopError};
use super::fault::ScenarioFault;
use super::fault_kind::ScenarioFaultKind;
use super::place::FaultPlace;
use super::{ControllerKind, Measurements, Scenario, Simulation};
use crate::Help;
use crate::arm::Arm;
use crate::scalar::short;
use std::cell::Cell;
use std::f64::consts::LN_2;
use std::fmt;
use std::sync::Arc;

/// A loop is unstable when it grows by more than this part in a tick, or doubles within the run.
const GROWTH: f64 = 1e-4;
/// The parts of the plan at which loops are looked at.
const PARTS: [f64; 5] = [0.0, 1.0, 0.5, 0.25, 0.75];
/// With more ticks in a common period only start and end are looked at.
const MANY_TICKS: f64 = 200.0;
/// With more ticks in a common period cures are looked for as if all clocks were one.
const SEARCHED_TICKS: f64 = 20.0;
/// So many loops are looked at for cures; one with more than [`SEARCHED_TICKS`] counts as many times.
const MOST_LOOKS: f64 = 600.0;
/// Postures are alike when no reference and no load differs by more (SI units).
const ALIKE: f64 = 1e-3;
/// The factors by which cures are tried: motor inertia in parts of what the motors move, and by how
/// much clocks are faster.
const FACTORS: [f64; 4] = [0.0, 4.0, 64.0, 4096.0];

/// A sampled or continuous loop that grows near a posture of its plan, and what would mend it.
#[derive(Clone, Debug, PartialEq)]
pub struct UnstableLoop {
    /// The controller of the joint that takes most part.
    pub controller: String,
    /// The joints, that which takes most part first.
    pub joints: Vec<String>,
    /// The time of the plan that has the posture (s).
    pub time: f64,
    /// Whether that is the end of the plan.
    pub at_end: bool,
    /// How fast a small error grows (1/s).
    pub rate: f64,
    /// The sampling period of that controller (s); none where it acts at every instant.
    pub period: Option<f64>,
    /// The motor inertia that each of these joints needs besides what it has, reflected to it, to be
    /// stable (kg m², kg).
    pub armature: Option<f64>,
    /// The unit of that.
    pub armature_unit: &'static str,
    /// The longest tick with which it is stable (s), all clocks being as much faster.
    pub longest_tick: Option<f64>,
    /// The largest delay among controllers and sensors, and the longest with which it is stable, all
    /// being as much shorter (s); none where there is no delay, or that does not mend it.
    pub delay: Option<(f64, f64)>,
    /// Whether it is stable when it acts at every instant, where it may and nothing is delayed.
    pub is_stable_continuously: Option<bool>,
    /// Whether all cures were looked for: not where this or loops before it took the time for that.
    pub is_searched: bool,
}

impl fmt::Display for UnstableLoop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = match (self.time, self.at_end) {
            (_, true) => "at the end of the plan".to_owned(),
            (0.0, _) => "at the start".to_owned(),
            (time, _) => format!("in the posture of t = {} s", short(time)),
        };
        let joint = self.joints.first().map_or("", String::as_str);
        write!(f, "its loop is unstable {place}: a small error of {joint} ")?;
        let doubles = LN_2 / self.rate;
        match self.period {
            Some(period) if doubles < period => {
                let factor = two_digits((self.rate * period).exp(), f64::round);
                write!(f, "grows {}-fold with each tick of {} s", short(factor), short(period))
            }
            Some(period) => {
                let ticks = (doubles / period).round();
                let each = if ticks == 1.0 { "tick".into() } else { format!("{ticks} ticks") };
                write!(f, "doubles every {each} of {} s", short(period))
            }
            None => write!(f, "doubles every {} s", short(two_digits(doubles, f64::round))),
        }
    }
}

impl std::error::Error for UnstableLoop {}

impl UnstableLoop {
    /// As the cause of a motion that diverges, with what would mend it.
    pub fn as_cause(&self) -> String {
        format!("controller {:?}: {}", self.controller, self.with_help())
    }
}

impl Help for UnstableLoop {
    fn help(&self) -> Option<String> {
        let mut cures = Vec::new();
        if let Some(armature) = self.armature {
            let (armature, unit) = (short(armature), self.armature_unit);
            let joints = self.joints.join(", ");
            cures.push(format!(
                "at least {armature} {unit} more motor inertia, behind the gears, at {joints}"
            ));
        }
        if let Some(tick) = self.longest_tick {
            cures.push(format!("ticks of at most {} s", short(tick)));
        }
        if let Some((now, longest)) = self.delay {
            cures.push(format!(
                "a delay of at most {} s instead of {} s",
                short(longest),
                short(now)
            ));
        }
        if self.is_stable_continuously == Some(true) {
            cures.push("a law that acts at every instant".to_owned());
        }
        let left_out = "resolution, limits and dry friction are left out";
        Some(match cures.split_last() {
            None if !self.is_searched => {
                format!("lower the gains, or mend others first; {left_out}")
            }
            None => format!(
                "neither motor inertia nor shorter ticks mend it: give more damping, more stiffness where gravity overturns a joint, or other measurements; {left_out}"
            ),
            Some((last, [])) => format!("stable with {last}, or with lower gains; {left_out}"),
            Some((last, rest)) => format!("stable with {}, or {last}; {left_out}", rest.join(", ")),
        })
    }
}

/// A number with two digits.
fn two_digits(x: f64, round: fn(f64) -> f64) -> f64 {
    let unit = 10_f64.powf(x.log10().floor() - 1.0);
    format!("{:.1e}", round(x / unit) * unit).parse().unwrap_or(x)
}

/// A loop that grows while others may too.
struct Found {
    own: UnstableLoop,
    /// The times whose postures it grows in.
    times: Vec<f64>,
}

/// A search for what would mend one controller.
struct Search<'a> {
    simulation: &'a Simulation,
    controller: &'a str,
    /// The times at which loops were looked at, and how many motions of others grow there.
    looked: &'a [(f64, usize)],
    /// So many looks are left to all searches.
    left: &'a Cell<f64>,
}

impl Search<'_> {
    /// Whether another scenario with another arm is stable at some of the times looked at: nothing of
    /// this controller grows, and not more of others than before.
    fn is_stable(&self, scenario: &Scenario, arm: Arm, times: &[f64]) -> bool {
        let built = scenario.build_planned(Arc::new(arm), self.simulation.plan.clone());
        let Ok(built) = built else { return false };
        let looked = self.looked.iter().filter(|(time, _)| times.contains(time));
        let mut looked = looked.map(|&(time, others)| {
            if self.left.get() <= 0.0 {
                return false;
            }
            let closed = built.closed_loop(time, &[], &[]);
            let looks = closed.as_ref().map_or(1.0, |closed| closed.ticks / SEARCHED_TICKS);
            self.left.set(self.left.get() - looks.max(1.0));
            let Ok(closed) = closed else { return false };
            let allowed = built.fastest_allowed(&closed);
            let is_own = |mode: &GrowingMode| built.driver(mode.motor) == self.controller;
            // cures mend, instead of making it just too slow to be told
            let growing = closed.growing(0.01 * allowed);
            let is_told = |mode: &&GrowingMode| mode.rate > allowed;
            !growing.iter().any(is_own) && growing.iter().filter(is_told).count() <= others
        });
        looked.all(|is_stable| is_stable)
    }

    /// The least factor, as a number that is told, with which some postures are stable and then all
    /// of them: none where there is none.
    fn least(
        &self,
        times: &[f64],
        told: impl Fn(f64) -> f64,
        is_stable: impl Fn(f64, &[f64]) -> bool,
        is_truly_stable: impl Fn(f64, &[f64]) -> bool,
    ) -> Option<f64> {
        let all: Vec<f64> = self.looked.iter().map(|(time, _)| *time).collect();
        let found = |times: &[f64]| {
            let found = least(|factor| is_stable(factor, times)).map(&told)?;
            is_truly_stable(found, &all).then_some(found)
        };
        found(times).or_else(|| (times.len() < all.len()).then(|| found(&all)).flatten())
    }
}

impl Simulation {
    /// The loops of its controllers that grow, with what would mend them, and those that could not be
    /// looked at: as [warnings](Self::warnings). They are linearised with their clocks, holds and
    /// delays at the start, the end and some postures of the plan.
    pub fn loop_warnings(&self) -> Vec<ScenarioFault> {
        let mut found: Vec<Found> = Vec::new();
        let mut looked: Vec<(f64, Vec<GrowingMode>)> = Vec::new();
        let mut ticks = 0.0;
        let mut untold: Option<(f64, LoopError)> = None;
        for time in self.postures() {
            let closed = match self.closed_loop(time, &[], &[]) {
                Ok(closed) => closed,
                // what cannot be looked at by its nature is nothing to warn of
                Err(LoopError::NoLoop | LoopError::Opaque { .. }) => return Vec::new(),
                Err(error) => {
                    // where two postures fail, others are likely to
                    if untold.replace((time, error)).is_some() {
                        break;
                    }
                    continue;
                }
            };
            ticks = closed.ticks;
            let growing = closed.growing(self.fastest_allowed(&closed));
            for mode in &growing {
                self.note(&mut found, time, mode);
            }
            looked.push((time, growing));
            if closed.ticks > MANY_TICKS && time != 0.0 {
                break;
            }
        }
        let left = Cell::new(MOST_LOOKS);
        let mut faults = Vec::new();
        for Found { mut own, times } in found {
            let others = |(time, growing): &(f64, Vec<GrowingMode>)| {
                let is_other = |mode: &&GrowingMode| self.driver(mode.motor) != own.controller;
                (*time, growing.iter().filter(is_other).count())
            };
            let looked: Vec<(f64, usize)> = looked.iter().map(others).collect();
            let controller = own.controller.clone();
            let search =
                Search { simulation: self, controller: &controller, looked: &looked, left: &left };
            self.mend(&mut own, &times, ticks, &search);
            own.is_searched = left.get() > 0.0;
            let place = self.place_of_controller(&own.controller);
            let kind = ScenarioFaultKind::UnstableLoop(Box::new(own));
            faults.push(ScenarioFault { place, related: None, is_warning: true, kind });
        }
        if let (true, Some((time, error))) = (faults.is_empty(), untold) {
            let place = FaultPlace::new("controller").item(0);
            let kind = ScenarioFaultKind::LoopUntold { time, error };
            faults.push(ScenarioFault { place, related: None, is_warning: true, kind });
        }
        faults
    }

    /// How fast errors may grow (1/s).
    fn fastest_allowed(&self, closed: &ClosedLoop) -> f64 {
        let doubles = LN_2 / self.diagram.duration;
        closed.period.map_or(doubles, |period| doubles.min(GROWTH * closed.ticks / period))
    }

    /// The times of different postures, start and end first.
    fn postures(&self) -> Vec<f64> {
        let duration = self.diagram.duration;
        let end = self.plan.as_ref().map_or(duration, |plan| plan.end.min(duration));
        let plan = self.plan.iter().flat_map(|plan| &plan.signals);
        let targets = self.controllers.iter().flat_map(|controller| &controller.targets);
        let loads = self.diagram.loads.iter().map(|load| &load.signal);
        let prescribed = self.diagram.prescribed.iter().map(|motion| &motion.signal);
        let signals: Vec<_> = plan
            .chain(targets.map(|target| &target.signal))
            .chain(loads)
            .chain(prescribed)
            .collect();
        let mut postures: Vec<(f64, Vec<f64>)> = Vec::new();
        for time in PARTS.map(|part| part * end) {
            let here: Vec<f64> = signals.iter().map(|signal| signal.value(time)).collect();
            let is_like =
                |other: &Vec<f64>| here.iter().zip(other).all(|(a, b)| (a - b).abs() < ALIKE);
            if !postures.iter().any(|(_, other)| is_like(other)) {
                postures.push((time, here));
            }
        }
        postures.into_iter().map(|(time, _)| time).collect()
    }

    /// The name of the controller of a motor.
    fn driver(&self, motor: usize) -> &str {
        let drives = |controller: &&super::DrivenMotors| {
            controller.outputs.iter().any(|output| output.motor == Some(motor))
        };
        self.controllers.iter().find(drives).map_or("", |controller| &controller.name)
    }

    /// Adds what grows to what its controller is known for.
    fn note(&self, found: &mut Vec<Found>, time: f64, mode: &GrowingMode) {
        let controller = self.driver(mode.motor);
        let joint = &self.arm.velocity_names()[mode.motor];
        let known = found.iter().position(|one| one.own.controller == controller);
        let known = known.unwrap_or_else(|| {
            let described = self.scenario.controllers.iter().find(|one| one.name == controller);
            let own = UnstableLoop {
                controller: controller.to_owned(),
                joints: Vec::new(),
                time,
                at_end: false,
                rate: f64::NEG_INFINITY,
                period: described.and_then(|one| one.period),
                armature: None,
                armature_unit: if self.arm.turns(mode.motor) { "kg m^2" } else { "kg" },
                longest_tick: None,
                delay: None,
                is_stable_continuously: None,
                is_searched: true,
            };
            found.push(Found { own, times: Vec::new() });
            found.len() - 1
        });
        let Found { own, times } = &mut found[known];
        if !times.contains(&time) {
            times.push(time);
        }
        if own.rate < mode.rate {
            let end = self.plan.as_ref().map(|plan| plan.end.min(self.diagram.duration));
            (own.rate, own.time) = (mode.rate, time);
            own.at_end = time > 0.0 && end == Some(time);
            own.joints.retain(|known| known != joint);
            own.joints.insert(0, joint.clone());
        } else if !own.joints.contains(joint) {
            own.joints.push(joint.clone());
        }
    }

    /// The place of a controller in the scenario.
    fn place_of_controller(&self, name: &str) -> FaultPlace {
        let item = self.scenario.controllers.iter().position(|one| one.name == name);
        let place = FaultPlace::new("controller").item(item.unwrap_or(0)).owned("controller", name);
        place.key("period")
    }

    /// Looks for what would mend a loop that grows in the postures of some times. Where clocks seldom
    /// come together, it is looked for as if they were one, and then tried with the true clocks.
    fn mend(&self, own: &mut UnstableLoop, times: &[f64], ticks: f64, search: &Search<'_>) {
        let arm = || Arm::clone(&self.arm);
        let continuous = own.period.and_then(|_| continuous(&self.scenario, &own.controller));
        if let Some(scenario) = continuous {
            let all: Vec<f64> = search.looked.iter().map(|(time, _)| *time).collect();
            let undelayed = largest_delay(&self.scenario) == 0.0;
            own.is_stable_continuously =
                undelayed.then(|| search.is_stable(&scenario, arm(), &all));
        }
        let at_once = own.period.filter(|_| ticks > SEARCHED_TICKS);
        let simple = at_once.map(|period| with_one_clock(&self.scenario, period));
        let simple = simple.as_ref().unwrap_or(&self.scenario);
        let names = self.arm.velocity_names();
        let place = |joint: &String| names.iter().position(|name| name == joint);
        let motors: Vec<usize> = own.joints.iter().filter_map(place).collect();
        let inertia = motors.iter().map(|&v| self.inertia_at(v)).fold(0.0, f64::max);
        let heavier = |armature: f64| {
            let mut arm = arm();
            for &v in &motors {
                arm.armature[v] += armature;
            }
            arm.has_armature = true;
            arm
        };
        own.armature = search.least(
            times,
            |factor| two_digits(inertia * factor, f64::ceil),
            |factor, times| search.is_stable(simple, heavier(inertia * factor), times),
            |armature, times| search.is_stable(&self.scenario, heavier(armature), times),
        );
        let Some(period) = own.period else { return };
        // clocks of simple ratios keep a common period
        let ratio = |factor: f64| 100.0 / (100.0 * (1.0 + factor)).ceil();
        own.longest_tick = search.least(
            times,
            |factor| two_digits(period * ratio(factor), f64::floor),
            |factor, times| search.is_stable(&faster(simple, ratio(factor)), arm(), times),
            |tick, times| search.is_stable(&faster(&self.scenario, tick / period), arm(), times),
        );
        own.delay = self.shortened(simple, times, search);
    }

    /// The largest delay, and the longest with which it is stable in the postures of some times and
    /// then in all.
    fn shortened(
        &self,
        simple: &Scenario,
        times: &[f64],
        search: &Search<'_>,
    ) -> Option<(f64, f64)> {
        let now = Some(largest_delay(&self.scenario)).filter(|delay| *delay > 0.0)?;
        let part = |sixteenths: u32| f64::from(sixteenths) / 16.0;
        let shorter = |scenario: &Scenario, sixteenths: u32| {
            let mut scenario = scenario.clone();
            for controller in &mut scenario.controllers {
                controller.delay *= part(sixteenths);
            }
            for sensor in &mut scenario.sensors {
                sensor.delay *= part(sixteenths);
            }
            scenario
        };
        let is_stable = |scenario: &Scenario, sixteenths: u32, times: &[f64]| {
            search.is_stable(&shorter(scenario, sixteenths), Arm::clone(&self.arm), times)
        };
        if !is_stable(simple, 0, times) {
            return None;
        }
        let (mut stable, mut unstable) = (0, 16);
        while unstable - stable > 1 {
            let middle = u32::midpoint(stable, unstable);
            if is_stable(simple, middle, times) {
                stable = middle;
            } else {
                unstable = middle;
            }
        }
        let all: Vec<f64> = search.looked.iter().map(|(time, _)| *time).collect();
        is_stable(&self.scenario, stable, &all).then(|| (now, now * part(stable)))
    }

    /// The inertia that a motor feels at the start (kg m², kg).
    fn inertia_at(&self, velocity: usize) -> f64 {
        let inverse =
            self.arm.mass_matrix(&self.diagram.q).ok().and_then(nalgebra::Matrix::try_inverse);
        inverse.map_or(1.0, |inverse| inverse[(velocity, velocity)].recip())
    }
}

/// The least factor with which something is stable, to 5 %; none where a very large one is not enough.
fn least(is_stable: impl Fn(f64) -> bool) -> Option<f64> {
    let mut steps = FACTORS.windows(2).map(|pair| [pair[0], pair[1]]);
    let [mut low, mut high] = steps.find(|[_, high]| is_stable(*high))?;
    while low == 0.0 && high > 1e-3 {
        if is_stable(0.25 * high) {
            high *= 0.25;
        } else {
            low = 0.25 * high;
        }
    }
    while low > 0.0 && high > 1.05 * low {
        let middle = (low * high).sqrt();
        if is_stable(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(high)
}

/// The largest delay of controllers and sensors (s).
fn largest_delay(scenario: &Scenario) -> f64 {
    let controllers = scenario.controllers.iter().map(|controller| controller.delay);
    controllers.chain(scenario.sensors.iter().map(|sensor| sensor.delay)).fold(0.0, f64::max)
}

/// A scenario whose clocks are faster by a factor.
fn faster(scenario: &Scenario, factor: f64) -> Scenario {
    let mut scenario = scenario.clone();
    for controller in &mut scenario.controllers {
        controller.period = controller.period.map(|period| period * factor);
    }
    for sensor in &mut scenario.sensors {
        sensor.period *= factor;
    }
    scenario
}

/// A scenario whose clocks all have one period (s).
fn with_one_clock(scenario: &Scenario, period: f64) -> Scenario {
    let mut scenario = scenario.clone();
    for controller in &mut scenario.controllers {
        controller.period = controller.period.map(|_| period);
    }
    for sensor in &mut scenario.sensors {
        sensor.period = period;
    }
    scenario
}

/// A scenario one of whose controllers acts at every instant on the full state; none where it cannot.
fn continuous(scenario: &Scenario, name: &str) -> Option<Scenario> {
    let mut scenario = scenario.clone();
    let controller = scenario.controllers.iter_mut().find(|one| one.name == name)?;
    (controller.period, controller.delay) = (None, 0.0);
    match &mut controller.kind {
        ControllerKind::Follow(follower) => follower.measures = Measurements::FullState,
        ControllerKind::Pd { .. } | ControllerKind::StrainPd { .. } => return None,
    }
    Some(scenario)
}
