//! Errors and entries of the mass matrix as channels, and that no channel changes a motion.

use super::{column, completed};
use pliant::arm::{Builder, Joint, Link};
use pliant::beam::{Basis, Beam, CrossSection, Material, Matter, Ways};
use pliant::control::{CompositeDescription, GravityPdDescription};
use pliant::scenario::{ControllerDescription, PlanDescription, PlanFollower, RunFigure, Scenario};
use pliant::simulate::{ChannelGroup, Selection};

/// Two bars that bend and twist, led along a plan.
fn moving() -> Scenario {
    moving_in(Ways::new(1, 1, 1, 0))
}

fn moving_in(ways: Ways<usize>) -> Scenario {
    let material = Material::named("aluminium").expect("known");
    let matter = Matter::Made { outline: CrossSection::Round { diameter: 0.02 }, material };
    let beam = Beam::new(0.6, matter, Basis::ClampedFree(ways));
    let link = |name: &str| {
        let link = Link::new(name).joint(Joint::revolute([0.0, 0.0, 1.0])).armature(&[0.1]);
        let tip = format!("{name}.tip");
        let link = link.beam(beam.clone());
        link.section_frame(tip.clone(), 0.6, pliant::spatial::Pose::IDENTITY).tip_frame(tip)
    };
    let arm = Builder::new("two bars").link(link("upper")).link(link("fore").at_section(0.6));
    let servo = PlanFollower::new(GravityPdDescription::new(100.0, 10.0)).full_state();
    Scenario::new(arm, 0.3)
        .plan(PlanDescription::joints([[0.0, 0.0], [0.3, -0.4]], [0.2]))
        .controller(ControllerDescription::follow("servo", servo).every(2e-3))
}

#[test]
fn errors_are_the_plan_less_the_place() {
    let scenario = moving().record_every(0.02);
    let (outcome, rows) = completed(&scenario);
    let simulation = scenario.build().expect("a scenario");
    for joint in ["upper", "fore"] {
        let [error, plan, place] =
            ["{}.error", "plan.{}", "{}"].map(|name| column(&rows, &name.replace("{}", joint)));
        let off: Vec<f64> = plan.iter().zip(&place).map(|(plan, place)| plan - place).collect();
        assert_eq!(error, off);
    }
    // where the planned joints have the tip while nothing bends
    let names = simulation.arm.configuration_names();
    let plan = ["plan.upper", "plan.fore"].map(|name| column(&rows, name));
    let place = ["x", "y", "z"].map(|axis| column(&rows, &format!("fore.tip.position.{axis}")));
    let error = ["x", "y", "z"].map(|axis| column(&rows, &format!("fore.tip.error.{axis}")));
    let distance = column(&rows, "fore.tip.error.distance");
    for row in 0..rows.times.len() {
        let mut q = simulation.arm.neutral();
        for (plan, joint) in plan.iter().zip(["upper", "fore"]) {
            q[names.iter().position(|name| name == joint).expect("a joint")] = plan[row];
        }
        let wanted = simulation.arm.pose(&q, "fore.tip").expect("a pose").position.to_array();
        let off = |k: usize| wanted[k] - place[k][row];
        let size = (0..3).map(|k| off(k).powi(2)).sum::<f64>().sqrt();
        for k in 0..3 {
            assert!((error[k][row] - off(k)).abs() < 1e-15, "{} {}", error[k][row], off(k));
        }
        assert!((distance[row] - size).abs() < 1e-15);
    }
    let tip = outcome.tracking.and_then(|tracking| tracking.tip).expect("a tip");
    assert_eq!(tip.most, distance.into_iter().fold(0.0, f64::max));
}

#[test]
fn entries_of_the_mass_matrix_are_those_of_the_arm() {
    let (_, rows) = completed(&moving().record(0.1, ["coordinates", "mass-matrix"]));
    let arm = moving().build().expect("a scenario").arm;
    let names = arm.velocity_names();
    for row in 0..rows.times.len() {
        let q: Vec<f64> =
            arm.configuration_names().iter().map(|name| column(&rows, name)[row]).collect();
        let mass = arm.mass_matrix(&q).expect("a mass matrix");
        for i in 0..arm.nv() {
            for j in i..arm.nv() {
                let name = format!("mass.{}.{}", names[i], names[j]);
                assert_eq!(column(&rows, &name)[row], mass[(i, j)], "{name}");
            }
        }
    }
}

/// Columns are added, and nothing else: also for sections that have no frame of their own.
#[test]
fn what_is_recorded_changes_no_motion() {
    let (plain, few) = completed(&moving().record(0.02, ["coordinates", "velocities"]));
    let groups = ChannelGroup::ALL.map(ChannelGroup::word);
    let all = groups.into_iter().chain(["upper@0.25.*", "fore@0.6.slope.y"]);
    let (full, many) = completed(&moving().record(0.02, all));
    for channel in &few.channels {
        assert_eq!(few.column(&channel.name), many.column(&channel.name), "{}", channel.name);
    }
    assert_eq!(plain.tracking, full.tracking);
    assert_eq!(many.column("fore@0.6.slope.y"), many.column("fore.tip.slope.y"));
    assert!(many.column("upper@0.25.deflection.y").is_some());
    let everything = completed(&moving().record(0.1, ["*"])).1;
    assert!(!everything.channels.iter().any(|channel| channel.name.starts_with("mass.")));
    // a minus that is no ASCII
    assert!(moving().record(0.02, ["\u{2212}upper@0.3.deflection.y"]).build().is_err());
    let beyond = moving().record(0.02, ["upper@0.7.deflection.y"]).build();
    let told = beyond.err().expect("beyond the bar").to_string();
    assert!(told.contains("upper@0.7.deflection.y"), "{told}");
}

/// Errors, and how far the links bend their tips, are recorded where nothing is said.
#[test]
fn errors_and_deflections_are_recorded_by_default() {
    let simulation = moving().build().expect("a scenario");
    let catalogue = simulation.diagram.catalogue();
    let chosen = simulation.diagram.selection.resolve(&catalogue).expect("known");
    let has = |name: &str| chosen.iter().any(|&i| catalogue.channels()[i].name == name);
    assert!(has("upper.error") && has("fore.tip.error.distance") && has("upper.tip.deflection.y"));
    assert!(has("fore.tip.slope.z") && has("upper.y1"));
    assert!(!has("upper.moment") && !has("mass.upper.fore"));
    let usual = Selection::default().resolve(&catalogue).expect("known");
    assert!(usual.len() < chosen.len());
}

/// The gains of composite control on request: for each joint those on the errors of all joints, on
/// every coordinate that bends, and on the rates of both.
#[test]
fn gains_are_recorded_on_request() {
    let law = PlanFollower::new(CompositeDescription::new(100.0, 20.0)).full_state();
    // nothing takes out of vibrations what motors do not move
    let mut scenario = moving_in(Ways::new(1, 0, 0, 0));
    scenario.controllers = vec![ControllerDescription::follow("servo", law).every(2e-3)];
    let simulation = scenario.build().expect("a scenario");
    let usual = simulation.diagram.selection.resolve(&simulation.diagram.catalogue());
    let (outcome, rows) = completed(&scenario.record(0.02, ["gains"]));
    assert!(outcome.is_complete(), "{:?}", outcome.summary.ending);
    assert_eq!(rows.channels.len(), 2 * 2 * 4);
    for joint in ["upper", "fore"] {
        for name in ["upper", "fore", "upper.y1", "fore.y1"] {
            for suffix in ["", ".rate"] {
                let gain = column(&rows, &format!("servo.{joint}.gain.{name}{suffix}"));
                let is_one = |gain: &f64| gain.is_finite() && *gain != 0.0;
                assert!(gain.iter().all(is_one), "{joint} {name}{suffix}: {gain:?}");
            }
        }
    }
    let all = simulation.diagram.catalogue();
    let is_gain = |&i: &usize| all.channels()[i].name.contains(".gain.");
    assert!(!usual.expect("known").iter().any(is_gain));
}

/// A rigid arm whose tip has the name of its last joint, which is coordinate 3.
#[test]
fn the_tip_is_not_taken_for_the_joint_of_its_name() {
    let link = |name: &str| {
        let link = Link::new(name).joint(Joint::revolute([0.0, 0.0, 1.0])).armature(&[0.1]);
        link.body(1.0, [0.2, 0.0, 0.0], [[0.01, 0.0, 0.0], [0.0, 0.01, 0.0], [0.0, 0.0, 0.01]])
            .placed(pliant::spatial::Pose::at(0.4, 0.0, 0.0))
    };
    let arm = ["one", "two", "three", "four"].map(link);
    let arm = arm.into_iter().fold(Builder::new("four"), Builder::link);
    let servo = PlanFollower::new(GravityPdDescription::new(20.0, 10.0)).full_state();
    let scenario = Scenario::new(arm, 0.4)
        .plan(PlanDescription::joints([[0.0; 4], [0.3, -0.4, 0.5, 0.6]], [0.2]))
        .controller(ControllerDescription::follow("servo", servo).every(2e-3));
    let (outcome, rows) = completed(&scenario);
    let most = |name: &str| column(&rows, name).iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let tip = outcome.tracking.as_ref().and_then(|tracking| tracking.tip.as_ref()).expect("a tip");
    assert_eq!((tip.frame.as_str(), tip.most), ("four", most("four.error.distance")));
    assert!((tip.most - most("four.error")).abs() > 1e-3);
    let figures = outcome.figures();
    for (i, one) in figures.iter().enumerate() {
        let key = |one: &RunFigure| (one.kind, one.subject.clone(), one.name.clone());
        assert!(figures[..i].iter().all(|other| key(other) != key(one)), "{one:?}");
    }
}
