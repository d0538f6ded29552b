//! The natural frequencies that a spectrum is held against.

use crate::scenario::Setup;
use pliant::Help;
use pliant::analyse::{Conditions, JointCondition};
use serde_json::{Value, json};

/// Frequencies at the initial posture (Hz), with joints locked and with joints as they are, on their
/// springs or free; or why there are none.
pub(super) fn tell(setup: Option<&Setup>) -> Value {
    let Some(setup) = setup else {
        return json!({ "why": "the scenario in the folder cannot be read" });
    };
    let arm = &setup.simulation.arm;
    let bodies = 0..arm.body_count();
    if !bodies.clone().any(|link| !arm.deforming_of(link).is_empty() || arm.is_sprung(link)) {
        return json!({ "why": "the arm has no flexible links, and no joint has a spring" });
    }
    let found = |conditions: &Conditions| {
        let modes = arm
            .modes_under(&setup.simulation.diagram.q, conditions)
            .map_err(|error| error.with_help())?;
        let hertz = modes.modes.iter().map(pliant::analyse::Mode::hertz);
        Ok::<Vec<f64>, String>(hertz.filter(|hertz| *hertz > 0.0).collect())
    };
    let own =
        |link| if arm.is_sprung(link) { JointCondition::OnSpring } else { JointCondition::Free };
    let as_they_are = Conditions { joints: bodies.map(own).collect(), ..Conditions::default() };
    match (found(&Conditions::default()), found(&as_they_are)) {
        (Ok(locked), free) => json!({ "locked": locked, "free": free.unwrap_or_default() }),
        (Err(_), Ok(free)) => json!({ "locked": [], "free": free }),
        (Err(why), Err(_)) => json!({ "why": why }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Overrides, parse};
    use crate::source::Source;
    use std::f64::consts::TAU;
    use std::path::Path;

    /// A mass of 2 kg at a metre from its joint.
    fn told(joint: &str) -> Value {
        told_of(&[joint])
    }

    /// Such masses side by side.
    fn told_of(joints: &[&str]) -> Value {
        let link = |(k, joint): (usize, &&str)| {
            format!(
                "[[arm.link]]\nname = \"bob{k}\"\nparent = \"ground\"\n\
                 joint = {{ kind = \"revolute\", axis = \"z\"{joint} }}\n\
                 body = {{ mass = \"2 kg\", com = [1, 0, 0] }}\n"
            )
        };
        let links: Vec<String> = joints.iter().enumerate().map(link).collect();
        let head = "duration = \"1 s\"\n[arm]\nname = \"bobs\"\ngravity = [0, 0, 0]\n";
        let text = head.to_owned() + &links.concat();
        let setup = parse(&Source::new("bob.toml", text), Path::new(""), &Overrides::default());
        tell(Some(&setup.expect("a good scenario")))
    }

    /// `√(50 N m/rad / 2 kg m²)` is 5 rad/s.
    #[test]
    fn a_joint_on_its_spring_has_its_frequency() {
        let told = told(", spring = \"50 N m/rad\"");
        assert_eq!(told["locked"], json!([]));
        let [hertz] = told["free"].as_array().expect("a list").as_slice() else { panic!("{told}") };
        assert!((hertz.as_f64().expect("a number") * TAU - 5.0).abs() < 1e-9, "{told}");
    }

    /// Each spring is a mark, from the slowest on, and a joint without one is none.
    #[test]
    fn springs_are_marked_and_free_joints_are_not() {
        let told = told_of(&["", ", spring = \"200 N m/rad\"", ", spring = \"50 N m/rad\""]);
        let marks = told["free"].as_array().expect("a list").iter();
        let marks: Vec<f64> = marks.map(|hertz| hertz.as_f64().expect("a number")).collect();
        let [slow, fast] = marks.as_slice() else { panic!("{told}") };
        assert!((slow * TAU - 5.0).abs() < 1e-9 && (fast * TAU - 10.0).abs() < 1e-9, "{told}");
        assert_eq!((&told["locked"], &told["why"]), (&json!([]), &Value::Null));
    }

    #[test]
    fn what_has_no_frequencies_says_why() {
        let why = told("")["why"].as_str().expect("a sentence").to_owned();
        assert!(why.contains("no joint has a spring"), "{why}");
        assert!(tell(None)["why"].as_str().is_some_and(|why| why.contains("cannot be read")));
    }
}
