//! Plans: where controllers lead the arm.

use super::Bench;
use crate::analyse::Conditions;
use crate::plan::{IkSolver, Path, PathError, PlanError, follow};
use crate::scenario::fault_kind::ScenarioFaultKind;
use crate::scenario::place::FaultPlace;
use crate::scenario::plan_description::{Passing, PlanDescription, PlanKind};
use crate::scenario::simulation::Plan;
use crate::scenario::tracking::{longest_period, time_to_rest};
use crate::simulate::{Reference, Signal, TrackingTarget, unbend};
use std::sync::Arc;

/// How many instants of a plan are held against the limits of joints.
const LOOKS: u32 = 1000;

/// A start farther from the plan than this is told (rad, m).
const OFF_PLAN: f64 = 0.05;

impl Bench<'_> {
    /// Makes the plan; the arm starts where it begins, unless it was told to start elsewhere.
    pub(super) fn make_plan(&mut self, description: &PlanDescription) -> Option<Plan> {
        let place = &FaultPlace::new("plan");
        let plan = match &description.kind {
            PlanKind::Joints { joints } => {
                self.joints_plan(place, description, joints.as_deref())?
            }
            PlanKind::Line { .. } => self.line_plan(place, description)?,
            PlanKind::Signals { joints, signals, end } => {
                self.signals_plan(place, joints.as_deref(), signals, *end)?
            }
        };
        if self.scenario.initial.is_empty() {
            // the springs of elastic joints are relaxed at the start
            for &v in &plan.velocities {
                let sides = [v, self.arm.motor_of(v)].map(|v| self.arm.coordinate_of(v));
                if let [Some(link), Some(motor)] = sides {
                    self.diagram.q[motor] = self.diagram.q[link];
                }
            }
        } else {
            self.starts_on_plan(&place.key("points"), &plan);
        }
        Some(plan)
    }

    /// Warns of the joint that starts farthest from where the plan begins.
    fn starts_on_plan(&mut self, place: &FaultPlace, plan: &Plan) {
        let arm = &self.arm;
        let off = |(&v, signal): (&usize, &Signal)| {
            Some((v, (self.diagram.q[arm.coordinate_of(v)?] - signal.value(0.0)).abs()))
        };
        let all = plan.velocities.iter().zip(&plan.signals).filter_map(off);
        let farthest = all.max_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((v, off)) = farthest.filter(|(_, off)| *off > OFF_PLAN) {
            let (joint, unit) =
                (arm.velocity_names()[v].clone(), if arm.turns(v) { "rad" } else { "m" });
            self.warn(place, ScenarioFaultKind::StartsOffPlan { joint, off, unit });
        }
    }

    /// The plan as references that can be recorded.
    pub(super) fn refer_to_plan(&mut self) {
        let (Some(plan), arm) = (&self.plan, &self.arm) else { return };
        for (&v, signal) in plan.velocities.iter().zip(&plan.signals) {
            let Some(coordinate) = arm.coordinate_of(v) else { continue };
            let unit = arm.configuration_coordinates()[coordinate].dimension.units()[0].to_owned();
            let name = format!("plan.{}", arm.velocity_names()[v]);
            self.diagram.references.push(Reference { name, unit, signal: signal.clone() });
        }
        if let Some((frame, path)) = &plan.tip {
            for (component, axis) in ["x", "y", "z"].iter().enumerate() {
                let name = format!("plan.{}.position.{axis}", arm.frames()[*frame].name());
                let signal = Signal::Planned { path: Arc::clone(path), component };
                self.diagram.references.push(Reference { name, unit: "m".to_owned(), signal });
            }
        }
    }

    /// Where joints and tip should be: along the plan, or at targets of their own.
    pub(super) fn targets(&mut self) {
        let (arm, mut all) = (&self.arm, Vec::new());
        if let Some(plan) = &self.plan {
            let own = plan.velocities.iter().zip(&plan.signals);
            let joints =
                own.filter_map(|(&v, signal)| Some((arm.coordinate_of(v)?, signal.clone())));
            all.extend(joints);
        }
        let planned = all.clone();
        for target in self.controllers.iter().flat_map(|controller| &controller.targets) {
            if all.iter().all(|(coordinate, _)| *coordinate != target.coordinate) {
                all.push((target.coordinate, target.signal.clone()));
            }
        }
        let joint = |(coordinate, signal)| TrackingTarget::Coordinate { coordinate, signal };
        self.diagram.targets.extend(all.into_iter().map(joint));
        let tip = self.plan.as_ref().and_then(|plan| {
            if let Some((frame, path)) = &plan.tip {
                return Some(TrackingTarget::Path { frame: *frame, path: Arc::clone(path) });
            }
            let mut q = self.diagram.q.clone();
            unbend(arm, &arm.neutral(), &mut q);
            Some(TrackingTarget::Unbent { frame: self.tip?, joints: planned, q })
        });
        self.diagram.targets.extend(tip);
    }

    /// The path through points, each of so many numbers.
    fn path(
        &mut self,
        place: &FaultPlace,
        plan: &PlanDescription,
        needed: usize,
        order: String,
    ) -> Option<Path> {
        let points = &plan.points;
        let odd = points.iter().position(|point| point.len() != needed);
        if let Some(item) = odd {
            let kind = ScenarioFaultKind::Point { found: points[item].len(), needed, order };
            self.refuse(&place.key("points").item(item), kind);
            return None;
        }
        let no_number = |(item, point): (usize, &Vec<f64>)| {
            Some((item, *point.iter().find(|number| !number.is_finite())?))
        };
        if let Some((item, value)) = points.iter().enumerate().find_map(no_number) {
            let kind = ScenarioFaultKind::NotFinite { key: "a point".to_owned(), value };
            self.refuse(&place.key("points").item(item), kind);
            return None;
        }
        let made = match plan.passing {
            Passing::Stop(scaling) => Path::corners(points, &plan.durations, scaling, plan.start),
            Passing::Blend(blend) => Path::blended(points, &plan.durations, blend, plan.start),
            Passing::Through => Path::minimum_jerk(points, &plan.durations, plan.start),
        };
        made.map_err(|error| {
            let key = match error {
                PathError::Ramp { .. } => "accelerate",
                PathError::Blend { .. } => "blend",
                _ => "durations",
            };
            self.refuse(&place.key(key), error);
        })
        .ok()
    }

    /// The joints of a list of names, as velocity coordinates.
    fn named_joints(&mut self, place: &FaultPlace, names: &[String]) -> Option<Vec<usize>> {
        let find = |(item, name): (usize, &String)| self.velocity(&place.item(item), "joint", name);
        // all of them are looked up, so that all faults are found
        let found = names.iter().enumerate().map(find).collect::<Vec<_>>();
        let found = found.into_iter().collect::<Option<Vec<usize>>>()?;
        if let Some(item) = (0..found.len()).find(|&k| found[..k].contains(&found[k])) {
            let name = names[item].clone();
            self.refuse(&place.item(item), ScenarioFaultKind::Twice { name });
            return None;
        }
        Some(found)
    }

    fn joints_plan(
        &mut self,
        place: &FaultPlace,
        description: &PlanDescription,
        joints: Option<&[String]>,
    ) -> Option<Plan> {
        let (velocities, coordinates) = self.planned_joints(place, joints)?;
        let order = self.order_of(&velocities);
        let path = Arc::new(self.path(place, description, velocities.len(), order)?);
        let (signals, end) = (signals(&path), path.end());
        let plan = Plan { signals, velocities, tip: None, end, shaper: None };
        self.begin_joints(place, &coordinates, &plan, path.start());
        Some(plan)
    }

    /// The joints of a plan, as velocity coordinates and as coordinates.
    fn planned_joints(
        &mut self,
        place: &FaultPlace,
        joints: Option<&[String]>,
    ) -> Option<(Vec<usize>, Vec<usize>)> {
        let arm = Arc::clone(&self.arm);
        let velocities = match joints {
            Some(names) => self.named_joints(&place.key("joints"), names)?,
            None => arm.driven_joints(),
        };
        let coordinates = velocities.iter().map(|&v| arm.coordinate_of(v));
        let Some(coordinates) = coordinates.collect::<Option<Vec<usize>>>() else {
            self.refuse(&place.key("joints"), ScenarioFaultKind::PlanTurnsFreely);
            return None;
        };
        Some((velocities, coordinates))
    }

    /// What a point of joints holds.
    fn order_of(&self, velocities: &[usize]) -> String {
        let names: Vec<&str> =
            velocities.iter().map(|&v| self.arm.velocity_names()[v].as_str()).collect();
        format!("one number for each joint, in this order: {}", names.join(", "))
    }

    /// Joints that move along functions of time.
    fn signals_plan(
        &mut self,
        place: &FaultPlace,
        joints: Option<&[String]>,
        signals: &[Signal],
        end: Option<f64>,
    ) -> Option<Plan> {
        let (velocities, coordinates) = self.planned_joints(place, joints)?;
        let place_of_signals = place.key("signals");
        if signals.len() != velocities.len() {
            let (found, needed) = (signals.len(), velocities.len());
            let order = self.order_of(&velocities);
            self.refuse(&place_of_signals, ScenarioFaultKind::Point { found, needed, order });
            return None;
        }
        for (item, signal) in signals.iter().enumerate() {
            self.signal(&place_of_signals.item(item), signal)?;
        }
        if let Some(value) = end.filter(|end| !end.is_finite()) {
            self.finite(place, "end", value)?;
        }
        let end = end.unwrap_or(self.scenario.duration);
        let signals = signals.to_vec();
        let plan = Plan { signals, velocities, tip: None, end, shaper: None };
        self.begin_joints(place, &coordinates, &plan, 0.0);
        Some(plan)
    }

    /// Puts the joints where their plan begins, unless they start elsewhere, and holds it against
    /// their limits.
    fn begin_joints(&mut self, place: &FaultPlace, coordinates: &[usize], plan: &Plan, start: f64) {
        if self.scenario.limits.is_some() {
            self.plan_within_limits(place, coordinates, plan, start);
        }
        if self.scenario.initial.is_empty() {
            for (signal, &coordinate) in plan.signals.iter().zip(coordinates) {
                self.diagram.q[coordinate] = signal.value(0.0);
            }
        }
    }

    /// Warns of the first instant at which a plan leaves the limits of a joint.
    fn plan_within_limits(
        &mut self,
        place: &FaultPlace,
        coordinates: &[usize],
        plan: &Plan,
        start: f64,
    ) {
        let (arm, end) = (Arc::clone(&self.arm), plan.end);
        let time = |k: u32| start + (end - start) * f64::from(k) / f64::from(LOOKS);
        for (signal, &coordinate) in plan.signals.iter().zip(coordinates) {
            let Some(limits) = arm.limits()[coordinate] else { continue };
            let position = |k: u32| signal.value(time(k));
            let slack = 1e-9 * (limits.upper - limits.lower).abs();
            let (lower, upper) = (limits.lower, limits.upper);
            let outside = |&k: &u32| !(lower - slack..=upper + slack).contains(&position(k));
            if let Some(k) = (0..=LOOKS).find(outside) {
                let own = &arm.configuration_coordinates()[coordinate];
                let (joint, unit) = (own.name.clone(), own.dimension.units()[0]);
                let (time, at) = (time(k), position(k));
                let kind =
                    ScenarioFaultKind::PlanBeyondLimits { joint, time, at, lower, upper, unit };
                self.warn(&place.key("points"), kind);
            }
        }
    }

    fn line_plan(&mut self, place: &FaultPlace, description: &PlanDescription) -> Option<Plan> {
        let PlanKind::Line { frame, attitude, hold, near, sag } = &description.kind else {
            return None;
        };
        let arm = Arc::clone(&self.arm);
        let frame = if let Some(name) = frame {
            self.frame(&place.key("frame"), name)?
        } else if let Some(tip) = self.tip {
            tip
        } else {
            // one that is named and not there has been told
            if self.scenario.tip.is_none() {
                self.refuse(place, ScenarioFaultKind::NoTip);
            }
            return None;
        };
        let held = self.named_joints(&place.key("hold"), hold)?;
        let order = "the three coordinates of the tip in the world".to_owned();
        let tip = self.path(place, description, 3, order)?;
        let mut posture = self.diagram.q.clone();
        let count = self.faults.len();
        self.by_name(&place.key("near"), near, arm.configuration_names(), &mut posture);
        if self.faults.len() > count {
            return None;
        }
        let path = self.tip_path(description, (attitude, &tip), (frame, &posture))?;
        let solver = if *sag {
            IkSolver::sagging(&arm, frame, Conditions::default())
        } else {
            IkSolver::new(&arm, frame)
        };
        let followed = solver.map_err(PlanError::Solver).and_then(|solver| {
            let mut solver = solver.hold(&held);
            follow(&mut solver, &path, &posture)
        });
        let followed = match followed {
            Ok(followed) => followed,
            Err(error) => {
                let kind = self.with_kept_attitude(error, description, (frame, &posture));
                self.refuse(&place.key("points"), kind);
                return None;
            }
        };
        let joints = Arc::new(followed.path);
        let mut plan = Plan {
            signals: signals(&joints),
            velocities: followed.velocities,
            end: tip.end(),
            tip: Some((frame, Arc::new(tip))),
            shaper: None,
        };
        for v in arm.driven_joints() {
            if !plan.velocities.contains(&v) {
                let at = arm.coordinate_of(v).map_or(0.0, |coordinate| self.diagram.q[coordinate]);
                plan.velocities.push(v);
                plan.signals.push(Signal::Constant(at));
            }
        }
        if self.scenario.initial.is_empty() {
            self.diagram.q = followed.start;
        }
        Some(plan)
    }

    /// Warns of a plan that nobody follows, of motors that two laws drive along it, and of a run that
    /// is over before it.
    pub(super) fn plan_is_used(&mut self) {
        let Some(plan) = &self.plan else { return };
        let followers = self.controllers.iter().filter(|one| one.follows_plan);
        let names: Vec<String> = followers.map(|one| one.name.clone()).collect();
        let is_short = !names.is_empty() && !self.has_errors();
        let ends = self.ends_before(plan).filter(|_| is_short);
        let kind = match names.as_slice() {
            [] if !self.has_errors() => Some(ScenarioFaultKind::NobodyFollows),
            [] | [_] => None,
            [first, second, ..] => {
                let (first, second) = (first.clone(), second.clone());
                Some(ScenarioFaultKind::TwoFollow { first, second })
            }
        };
        for (place, kind) in [("plan", kind), ("duration", ends)] {
            if let Some(kind) = kind {
                self.warn(&FaultPlace::new(place), kind);
            }
        }
    }

    /// Whether the run is over before its plan, and how long it would have to be for figures of the
    /// rest.
    fn ends_before(&self, plan: &Plan) -> Option<ScenarioFaultKind> {
        let (duration, end) = (self.scenario.duration, plan.end);
        // sums of durations are rounded
        if duration >= end * (1.0 - 1e-12) {
            return None;
        }
        let mut q = self.diagram.q.clone();
        for (&v, signal) in plan.velocities.iter().zip(&plan.signals) {
            if let Some(coordinate) = self.arm.coordinate_of(v) {
                q[coordinate] = signal.value(end);
            }
        }
        let outputs = self.controllers.iter().flat_map(|one| &one.outputs);
        let motors: Vec<usize> = outputs.filter_map(|output| output.motor).collect();
        let period = longest_period(&self.arm, &motors, &q).unwrap_or(0.0);
        let enough = time_to_rest(end, period, self.scenario.record.every);
        let is_shaped = plan.shaper.is_some();
        Some(ScenarioFaultKind::EndsBeforePlan { duration, end, is_shaped, enough })
    }
}

/// The components of a path as functions of time.
pub(super) fn signals(path: &Arc<Path>) -> Vec<Signal> {
    let of = |component| Signal::Planned { path: Arc::clone(path), component };
    (0..path.width()).map(of).collect()
}
