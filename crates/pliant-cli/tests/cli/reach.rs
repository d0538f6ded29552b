//! `pliant reach`: forward and inverse kinematics.

use crate::{pliant, pliant_in, scratch};
use serde_json::Value;

fn json(arguments: &[&str]) -> Value {
    let text = pliant(&[&["reach"], arguments, &["--format", "json", "-q"]].concat()).done();
    serde_json::from_str(&text).expect("JSON")
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().filter_map(Value::as_f64).collect()
}

fn listed(numbers: &[f64]) -> String {
    numbers.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join(",")
}

/// A posture, its pose, and back: each solution has that pose, and one is the posture.
#[test]
fn the_inverse_of_the_forward_is_the_posture() {
    for (arm, at, attitude, method) in [
        ("robots/ur5.toml", "shoulder_lift=-60deg,elbow=80deg,wrist_2=40deg", true, "closed form"),
        ("robots/akmehmet-3.toml", "waist=20deg,upper=-30deg,fore=70deg", false, "closed form"),
        ("robots/stanford.toml", "shoulder_2=50deg,boom=0.5 m,wrist_2=30deg", true, "searches"),
    ] {
        let there = json(&[arm, "--at", at]);
        let place = listed(&numbers(&there["position"]));
        let turned = format!("quaternion={}", listed(&numbers(&there["quaternion"])));
        let mut goal = vec![arm, "--to", &place];
        if attitude {
            goal.extend(["--attitude", &turned]);
        }
        let found = json(&goal);
        let solutions = found["solutions"].as_array().expect("solutions");
        assert_eq!(found["method"], method, "{arm}");
        assert_eq!(found["complete"], method == "closed form");
        for solution in solutions {
            let q = solution["q"].as_object().expect("a posture");
            let state: Vec<String> = q.iter().map(|(name, x)| format!("{name}={x}")).collect();
            let again = json(&[arm, "--at", &state.join(",")]);
            let both = numbers(&again["position"]).into_iter().zip(numbers(&there["position"]));
            let off = both.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(off < 1e-9, "{arm}: {off} m");
            if attitude {
                let both =
                    numbers(&again["quaternion"]).into_iter().zip(numbers(&there["quaternion"]));
                let along: f64 = both.map(|(a, b)| a * b).sum();
                assert!(along.abs() > 1.0 - 1e-12, "{arm}: {along}");
            }
        }
        let same = |solution: &Value| {
            let q = solution["q"].as_object().expect("a posture");
            let gap = |(name, x): (&String, &Value)| {
                (x.as_f64().unwrap_or(9.0) - there["q"][name].as_f64().unwrap_or(0.0)).abs()
            };
            q.iter().map(gap).fold(0.0, f64::max) < 1e-7
        };
        assert!(method == "searches" || solutions.iter().any(same), "{arm}: {solutions:?}");
    }
}

/// A frame with its static deflection is below that of the straight arm, and the inverse finds it.
#[test]
fn sagging_arms_reach_where_they_hang() {
    let arm = "robots/carbon-fibre-arm.toml";
    let at = ["--at", "upper=20deg,fore=-50deg"];
    let there = json(&[&[arm][..], &at, &["--sag"]].concat());
    let straight = json(&[&[arm][..], &at].concat());
    let sag = numbers(&there["deflection"])[2];
    let gap = numbers(&there["position"])[2] - numbers(&straight["position"])[2];
    assert!(sag < -1e-3 && (gap - sag).abs() < 1e-9 * sag.abs(), "{sag} {gap}");
    let place = listed(&numbers(&there["position"]));
    let found = json(&[&[arm, "--to", &place, "--sag", "--starts", "6"][..], &at].concat());
    assert_eq!((&found["method"], &found["starts"]), (&"searches".into(), &6.into()));
    let first = &found["solutions"][0];
    for name in ["upper", "fore"] {
        let both = [&first["q"], &there["q"]].map(|q| q[name].as_f64().expect("a joint"));
        assert!((both[0] - both[1]).abs() < 1e-8, "{name}: {both:?}");
    }
}

#[test]
fn answers_say_how_they_were_found() {
    let arm = "robots/akmehmet-3.toml";
    let text = pliant(&["reach", arm, "--to", "0.6,300mm,0.4"]).done();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "4 solutions for fore at (0.6, 0.3, 0.4) m, in any attitude");
    assert_eq!(lines[1], "in closed form: these are all");
    assert_eq!(lines.len(), 2 + 2 + 4, "{text}");
    let csv = pliant(&["reach", arm, "--to", "0.6,0.3,0.4", "--format", "csv"]).done();
    assert!(csv.starts_with("waist [rad],upper [rad],fore [rad],error [m],error [rad]\n"), "{csv}");
    assert_eq!(csv.lines().count(), 5);
    let more = pliant(&["reach", "robots/iiwa-14.toml", "--to", "0.4,0.3,0.6", "--starts", "3"]);
    let more = more.done();
    let why = "from 3 starts, seed 0: some of infinitely many, with 4 joints more than needed";
    assert!(more.contains(why), "{more}");
    let singular = json(&["robots/ur5.toml", "--to", "0,0.1,0.6", "--starts", "2"]);
    assert_eq!(singular["singular"], false);
    let there = json(&["robots/ur5.toml"]);
    let place = listed(&numbers(&there["position"]));
    let turned = format!("quaternion={}", listed(&numbers(&there["quaternion"])));
    let goal = ["robots/ur5.toml", "--to", &place, "--attitude", &turned, "--starts", "3"];
    let text = pliant(&[&["reach"], &goal[..]].concat()).done();
    assert!(text.contains("some of infinitely many, since axes are in line"), "{text}");
    let limited =
        ["--set", "link.fore.joint={kind = \"revolute\", limits = [\"-5 deg\", \"5 deg\"]}"];
    let beyond = pliant(&[&["reach", arm, "--to", "0.6,0.3,0.4"], &limited[..]].concat()).refused();
    assert!(beyond.contains("within the limits of the joints, 4 beyond them do"), "{beyond}");
    let huge = pliant(&["reach", arm, "--to", "1e200,1,0"]).refused();
    assert!(huge.contains("farther away than any arm"), "{huge}");
    let far = pliant(&["reach", arm, "--to", "3,0,0"]).refused();
    assert!(far.contains("no joints put fore at (3, 0, 0) m"), "{far}");
    assert!(far.contains("1.900 m away, with waist"), "{far}");
    let there = pliant(&["reach", arm, "--at", "waist=90deg"]).done();
    for line in ["fore of akmehmet-3, undeformed", "position [m]", "roll, pitch, yaw [deg]", "axis"]
    {
        assert!(there.contains(line), "{line}: {there}");
    }
    let named = pliant(&["reach", arm, "--frame", "uper"]).refused();
    assert!(named.contains("did you mean upper?"), "{named}");
}

/// A rod that hangs down, far beyond what its shapes are right for and its metal bears: each command that
/// bends it says so, and none of them where it is thick.
#[test]
fn links_beyond_their_range_and_strength_are_warned_of() {
    const SLOPE: &str = "its slope reaches";
    const WEAK: &str = "would yield or break";
    let folder = scratch("reach-weak");
    for (radius, is_weak) in [("3 mm", true), ("30 mm", false)] {
        let rod = format!(
            "[[link]]\nname = \"rod\"\njoint = {{ kind = \"revolute\", axis = \"y\" }}\n\
             length = \"1 m\"\nmaterial = \"aluminium\"\n\
             section = {{ kind = \"round\", radius = \"{radius}\" }}\n\
             bends = {{ z = 2 }}\npayload = {{ mass = \"2 kg\" }}\n"
        );
        std::fs::write(folder.join("rod.toml"), rod).expect("written");
        let swing = "arm = \"rod.toml\"\nduration = \"50 ms\"\nstart = \"static equilibrium\"\n";
        std::fs::write(folder.join("swing.toml"), swing).expect("written");
        for (arguments, wanted) in [
            (&["reach", "rod.toml", "--sag"][..], SLOPE),
            (&["modes", "rod.toml", "--stress", "--no-convergence"], WEAK),
            (&["run", "swing.toml", "--force"], WEAK),
        ] {
            let run = pliant_in(&folder, arguments, "");
            let all = format!("{}{}", run.stdout, run.stderr);
            run.done();
            assert_eq!(all.contains(wanted), is_weak, "{arguments:?}: {all}");
        }
    }
    let arguments = ["reach", "rod.toml", "--sag", "--to", "0.99,0,0.1"];
    assert!(!pliant_in(&folder, &arguments, "").stderr.contains(SLOPE));
    pliant_in(&folder, &["reach", "rod.toml"], "").done();
}
