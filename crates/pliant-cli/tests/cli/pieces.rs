//! Arms of rigid pieces, through all commands.

use super::{pliant_in, scratch};
use pliant_io::results::Reader;

const ARM: &str = r#"
name = "chain"
gravity = [0, -9.81, 0]

[[link]]
name = "upper"
joint = { kind = "revolute", axis = "z" }
length = "1 m"
section = { kind = "tube", diameter = "20 mm", wall = "1 mm" }
material = "aluminium"
bends = { y = true, z = true, twist = true, shapes = "rigid-pieces", pieces = 4 }

[[link]]
name = "fore"
joint = { kind = "revolute", axis = "z" }
length = "1 m"
section = { kind = "round", diameter = "12 mm" }
material = "aluminium"
bends = { y = true, shapes = "rigid-pieces", pieces = 3, root = "pinned" }
payload = { mass = 0.2 }
"#;

const SCENARIO: &str = "arm = \"chain.toml\"\nduration = \"50 ms\"\n\
                        record = { every = \"5 ms\" }\ninitial = { fore = \"30 deg\" }\n";

#[test]
fn all_commands_know_them() {
    let folder = scratch("pieces");
    std::fs::write(folder.join("chain.toml"), ARM).expect("an arm");
    std::fs::write(folder.join("swing.toml"), SCENARIO).expect("a scenario");
    let run = |arguments: &[&str]| pliant_in(&folder, arguments, "").done();
    assert!(run(&["check", "chain.toml", "--beam"]).contains("its root is pinned"));
    let info = run(&["info", "chain.toml"]);
    for wanted in ["4 rigid pieces", "upper.h3", "fore.tip", "reach at most 2 m"] {
        assert!(info.contains(wanted), "{wanted}\n{info}");
    }
    // every mode is of hinges, and one piece more changes it little
    let modes = run(&["modes", "chain.toml"]);
    assert!(modes.contains("upper hinges"), "{modes}");
    assert!(!modes.contains("upper.h1 locked"), "{modes}");
    let refused = pliant_in(&folder, &["modes", "chain.toml", "--stress"], "");
    assert!(refused.stderr.contains("rigid pieces"), "{}", refused.stderr);
    run(&["run", "swing.toml"]);
    // hinges are bending, joints are not
    let reader = Reader::open(folder.join("swing-run")).expect("results");
    let deforms = |name: &str| {
        let found = reader.channels().iter().find(|channel| channel.name == name);
        found.unwrap_or_else(|| panic!("no channel {name}")).deforms()
    };
    for hinge in ["upper.h1.turn_z.rate", "upper.h3.turn_x.rate", "fore.h1", "fore.h1.rate"] {
        assert!(deforms(hinge), "{hinge}");
    }
    for joint in ["upper", "upper.rate", "fore", "fore.rate"] {
        assert!(!deforms(joint), "{joint}");
    }
    run(&["plot", "swing-run", "--snapshot", "0.05", "-o", "still.svg"]);
    let page = std::fs::read_to_string(folder.join("swing-run/report.html")).expect("a page");
    assert!(page.contains("fore.tip"));
    run(&["dynamics", "chain.toml"]);
}
