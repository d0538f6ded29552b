//! Names that break the rule, wherever a program gives them.

use super::boom;
use pliant::Help;
use pliant::arm::{Builder, Fault, FaultKind, ForceElement, Link};
use pliant::name::NameFault;
use pliant::scenario::{ControllerDescription, PdJoint, Scenario, SensorDescription};
use pliant::simulate::{Direction, Event, EventAction, Signal};
use pliant::spatial::Pose;

/// The only fault of an arm.
fn refused(arm: Builder) -> Fault {
    let mut faults = arm.build().expect_err("it is refused").faults;
    assert_eq!(faults.len(), 1, "{faults:?}");
    faults.remove(0)
}

struct Nothing;

impl ForceElement for Nothing {}

#[test]
fn arms_links_joints_frames_and_elements() {
    let arm = || Builder::new("crane");
    let link = |link: Link| arm().link(link);
    let hinged = boom().joint_name("hinge\u{202e}");
    for (arm, what, fault, nearest) in [
        (Builder::new("a\u{7}b").link(boom()), "arm", NameFault::Invisible('\u{7}'), "ab"),
        (link(Link::new("../x")), "link", NameFault::Separator('/'), ".._x"),
        (link(Link::new("t")), "link", NameFault::Time, "t_"),
        (link(hinged), "joint", NameFault::Invisible('\u{202e}'), "hinge"),
        (link(boom().frame("..", Pose::IDENTITY)), "frame", NameFault::Folder, "unnamed"),
        (
            link(boom().frame("boom.\n", Pose::IDENTITY)),
            "frame",
            NameFault::Invisible('\n'),
            "boom.unnamed",
        ),
    ] {
        let refused = refused(arm);
        let FaultKind::BadName { what: told, error } = &refused.kind else {
            panic!("{refused}");
        };
        assert_eq!((*told, error.fault, error.nearest.as_str()), (what, fault, nearest));
        assert!(refused.help().is_some_and(|help| help.contains(nearest)), "{refused}");
        assert!(refused.to_string().chars().all(pliant::name::is_printable), "{refused}");
    }
    let elements = arm().link(boom()).element("a\\b", &Nothing);
    let faults = elements.build().expect_err("it is refused").faults;
    assert!(
        matches!(&faults[0].kind, FaultKind::BadName { what: "force element", error }
            if error.nearest == "a_b"),
        "{faults:?}"
    );
}

/// What is named after a link of the longest name is not too long.
#[test]
fn frames_after_long_links() {
    let name = "é".repeat(100);
    let tip = format!("{name}.tip");
    let arm = Builder::new("long").link(Link::new(&*name).frame(&*tip, Pose::IDENTITY));
    assert!(arm.build().is_ok());
    let longer = Builder::new("long").link(Link::new(name + "é"));
    let FaultKind::BadName { error, .. } = refused(longer).kind else { panic!("another fault") };
    assert_eq!(error.fault, NameFault::TooLong { characters: 101, most: 100 });
}

#[test]
fn the_nameless_are_told_by_their_place() {
    let arm = Builder::new("crane").link(boom()).link(Link::new(""));
    let text = arm.build().expect_err("it is refused").with_help();
    assert_eq!(text, "link number 2: the link name is empty; give it one");
}

#[test]
fn sensors_controllers_and_events() {
    let scenario = || Scenario::new(Builder::new("crane").link(boom()), 1.0);
    let joint = PdJoint {
        motor: "boom".to_owned(),
        sensor: None,
        stiffness: 1.0,
        damping: 1.0,
        limit: None,
        target: Signal::Constant(0.0),
    };
    let event = |name: &str| Event {
        name: name.to_owned(),
        quantity: "boom".into(),
        direction: Direction::Either,
        action: EventAction::Report,
    };
    for (scenario, place, near) in [
        (
            scenario().sensor(SensorDescription::encoder("a/b", "boom", 0.1)),
            "sensor[0].name",
            "a_b",
        ),
        (scenario().sensor(SensorDescription::encoder("t", "boom", 0.1)), "sensor[0].name", "t_"),
        (
            scenario().controller(ControllerDescription::pd("servo\u{200b}", 0.1, [joint])),
            "controller[0].name",
            "servo",
        ),
        (scenario().event(event("half\nway")), "event[0].name", "half way"),
    ] {
        let error = scenario.build().err().expect("it is refused");
        let fault = error.faults.iter().find(|fault| fault.place.to_string() == place);
        let told = fault.unwrap_or_else(|| panic!("{error}")).with_help();
        assert!(
            told.contains("its name") && told.ends_with(&format!("call it \"{near}\"")),
            "{told}"
        );
    }
    // without a name of its own an event has its expression
    assert!(scenario().event(event("boom / 2")).build().is_ok());
}
