//! `pliant plot`.

use super::{Run, pliant_in, root, scratch};
use pliant::arm::CoordinateRole;
use pliant::beam::Deformation;
use pliant::simulate::{Channel, ChannelGroup, ChannelRole, Status, Summary};
use pliant_io::files::Existing;
use pliant_io::results::{Metadata, RunFolder, RunOutcome};
use std::path::{Path, PathBuf};

const ARM: &str = r#"
duration = "40 ms"
record = { every = "2 ms" }
initial = { upper = "-30 deg", fore = "20 deg" }

[arm]
gravity = [0, -9.81, 0]

[[arm.link]]
name = "upper"
joint = { kind = "revolute", axis = "z" }
length = "1 m"
section = { kind = "round", radius = "5 mm" }
material = "aluminium"
bends = { y = 1 }

[[arm.link]]
name = "fore"
joint = { kind = "revolute", axis = "z" }
length = "0.8 m"
payload = { mass = 0.2 }
"#;

fn plot(folder: &Path, arguments: &[&str]) -> Run {
    pliant_in(folder, &[&["plot"], arguments].concat(), "")
}

/// The words of a drawing, which must be XML without numbers that are none.
fn words(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("a drawing");
    assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    let document = roxmltree::Document::parse(&text).expect("XML");
    let all = document.descendants().filter(|node| node.has_tag_name("text"));
    let word = |node: roxmltree::Node<'_, '_>| {
        node.descendants().filter(roxmltree::Node::is_text).filter_map(|n| n.text()).collect()
    };
    all.map(word).collect()
}

fn has(words: &[String], word: &str) -> bool {
    words.iter().any(|one| one == word)
}

/// A folder with a run of the arm above.
fn with_run(name: &str) -> PathBuf {
    let folder = scratch(name);
    std::fs::write(folder.join("swing.toml"), ARM).expect("written");
    pliant_in(&folder, &["run", "swing.toml", "-q"], "").done();
    folder
}

/// A folder with a run made of rows.
fn of_rows(name: &str, channels: Vec<Channel>, rows: &[(f64, Vec<f64>)]) -> PathBuf {
    let folder = scratch(name);
    let run = RunFolder::create(folder.join("run"), Existing::Refuse).expect("a folder");
    let mut writer =
        run.start("duration = 1", channels, Metadata::new("", "rk4")).expect("a writer");
    for (t, values) in rows {
        writer.row(*t, values).expect("a row");
    }
    writer.finish(RunOutcome::new(Summary::new(Status::Completed, 1.0))).expect("results");
    folder
}

#[test]
fn a_run_is_drawn() {
    let folder = with_run("plot");
    let run = plot(&folder, &["swing-run"]);
    assert!(run.stderr.contains("wrote swing-run.svg"), "{}", run.stderr);
    run.done();
    let drawn = words(&folder.join("swing-run.svg"));
    for word in ["joint angle (rad)", "upper", "fore", "fore.tip.position.x", "energy (J)", "t (s)"]
    {
        assert!(has(&drawn, word), "{word}: {drawn:?}");
    }
    assert!(!has(&drawn, "upper.rate") && !has(&drawn, "upper.tip.position.x"), "{drawn:?}");
    // nothing is replaced by accident
    let refused = plot(&folder, &["swing-run", "-c", "upper"]).refused();
    assert!(refused.contains("exists already") && refused.contains("--force"), "{refused}");
    plot(&folder, &["swing-run", "-c", "upper", "--force", "-q"]).done();
    assert!(has(&words(&folder.join("swing-run.svg")), "upper (rad)"));
}

#[test]
fn channels_are_chosen() {
    let folder = with_run("plot-channels");
    let drawn = |list: &str, more: &[&str]| {
        let base = ["swing-run", "-o", "x.svg", "--force", "-c", list];
        plot(&folder, &[&base[..], more].concat()).done();
        words(&folder.join("x.svg"))
    };
    let some = drawn("upper,fore.rate,tip.position.y", &["--from", "10 ms", "--to", "0.03"]);
    for word in ["upper (rad)", "fore.rate (rad/s)", "fore.tip.position.y", "position (m)"] {
        assert!(has(&some, word), "{word}: {some:?}");
    }
    assert!(has(&some, "0.010") && has(&some, "0.030") && !has(&some, "0.000"), "{some:?}");
    let rates = drawn("*.rate", &["--each"]);
    assert!(has(&rates, "upper.rate (rad/s)") && has(&rates, "upper.y1.rate (m/s)"), "{rates:?}");
    assert!(has(&drawn("energies", &["--together"]), "energy.drift"));
    let refused = |arguments: &[&str]| {
        plot(&folder, &[&["swing-run", "-o", "no.svg"], arguments].concat()).refused()
    };
    let message = refused(&["-c", "uper"]);
    assert!(message.contains("\"uper\"") && message.contains("did you mean upper"), "{message}");
    let message = refused(&["-c", "zzz"]);
    assert!(message.contains("there are upper, "), "{message}");
    assert!(refused(&["-c", "sensors"]).contains("recorded no sensors"));
    assert!(refused(&["--from", "3"]).contains("recorded from 0 s to 0.04 s"));
    assert!(refused(&["--from", "2", "--to", "1"]).contains("later"));
    assert!(refused(&["--to", "soon"]).contains("\"soon\" is not a time"));
    assert!(refused(&["--size", "16"]).contains("16x9cm"));
    assert!(refused(&["--size", "1x1mm"]).contains("2 cm"));
    assert!(refused(&["--dpi", "0"]).contains("--dpi"));
    assert!(plot(&folder, &["swing-run", "-o", "no.pdf"]).refused().contains("inkscape"));
    assert!(plot(&folder, &["swing-run", "-o", "no"]).refused().contains("says no form"));
    assert!(!folder.join("no.svg").exists());
    let message = plot(&folder, &["nowhere"]).refused();
    assert!(message.contains("nowhere is not the folder of a run"), "{message}");
    assert!(plot(&folder, &["swing.toml"]).refused().contains("not a file in it"));
}

/// Every group that a scenario records is a word of --channels, and each kind has its own axis.
#[test]
fn every_group_is_chosen_and_has_a_title() {
    let roles = [
        ("coordinates", ChannelRole::Position, "rad", "joint angle (rad)"),
        ("velocities", ChannelRole::Velocity, "rad/s", "joint velocity (rad/s)"),
        ("accelerations", ChannelRole::Acceleration, "rad/s^2", "joint acceleration (rad/s2)"),
        ("forces", ChannelRole::Force, "N m", "torque (N m)"),
        ("frames", ChannelRole::FramePosition, "m", "position (m)"),
        ("frame-velocities", ChannelRole::FrameVelocity, "m/s", "velocity (m/s)"),
        ("energies", ChannelRole::TotalEnergy, "J", "energy (J)"),
        ("momenta", ChannelRole::Momentum, "kg m/s", "momentum (kg m/s)"),
        ("sensors", ChannelRole::Sensor, "rad", "measured (rad)"),
        ("outputs", ChannelRole::Command, "N m", "command (N m)"),
        ("outputs", ChannelRole::Estimate, "rad", "estimate (rad)"),
        ("outputs", ChannelRole::Telemetry, "rad", "telemetry (rad)"),
        ("commands", ChannelRole::Command, "N m", "command (N m)"),
        ("estimates", ChannelRole::Estimate, "rad", "estimate (rad)"),
        ("telemetry", ChannelRole::Telemetry, "rad", "telemetry (rad)"),
        ("references", ChannelRole::Reference, "rad", "reference (rad)"),
        ("errors", ChannelRole::Error, "rad", "error (rad)"),
        ("deflections", ChannelRole::Deflection, "m", "deflection (m)"),
        ("deflections", ChannelRole::Slope, "rad", "slope and twist (rad)"),
        ("internal-forces", ChannelRole::BendingMoment, "N m", "bending moment (N m)"),
        ("internal-forces", ChannelRole::ShearForce, "N", "shear force (N)"),
        ("internal-forces", ChannelRole::Torsion, "N m", "torsion (N m)"),
        ("internal-forces", ChannelRole::Stress, "Pa", "stress (Pa)"),
        ("internal-forces", ChannelRole::Margin, "1", "margin"),
        ("gains", ChannelRole::Gain, "1/s^2", "gain (1/s2)"),
        ("mass-matrix", ChannelRole::MassMatrix, "kg m^2", "mass matrix (kg m2)"),
        ("wave-numbers", ChannelRole::WaveNumber, "1", "wave number"),
        ("wave-numbers", ChannelRole::GroupVelocity, "m/s", "group velocity (m/s)"),
    ];
    for group in ChannelGroup::ALL {
        assert!(roles.iter().any(|(word, ..)| *word == group.word()), "{}", group.word());
    }
    let mut channels: Vec<Channel> = Vec::new();
    for (_, role, unit, _) in roles {
        if !channels.iter().any(|channel| channel.role == role) {
            let named = |k: usize| Channel::new(format!("{role:?}{k}"), unit, role);
            channels.extend([1, 2].map(named));
        }
    }
    let row = |t: f64| (t, (0..channels.len()).map(|k| 1.0 + t + 0.1 * k as f64).collect());
    let rows = [row(0.0), row(1.0)];
    let folder = of_rows("plot-groups", channels, &rows);
    for (word, role, _, title) in roles {
        plot(&folder, &["run", "-c", word, "-o", "groups.svg", "--force"]).done();
        let drawn = words(&folder.join("groups.svg"));
        assert!(has(&drawn, title) && has(&drawn, &format!("{role:?}2")), "{word}: {drawn:?}");
        let is_meant = |role| roles.iter().any(|(one, same, ..)| *one == word && *same == role);
        // momenta are drawn with energies
        for (_, role, _, title) in roles.into_iter().filter(|_| word != "energies") {
            assert_eq!(has(&drawn, title), is_meant(role), "{word}: {title}: {drawn:?}");
        }
    }
}

#[test]
fn runs_are_compared() {
    let folder = with_run("plot-runs");
    pliant_in(&folder, &["run", "swing.toml", "-q", "-o", "short", "--duration", "20 ms"], "")
        .done();
    plot(&folder, &["swing-run", "short", "-c", "upper,fore", "-o", "both.svg"]).done();
    let drawn = words(&folder.join("both.svg"));
    for word in ["swing-run", "short", "upper (rad)", "fore (rad)"] {
        assert_eq!(drawn.iter().filter(|one| *one == word).count(), 1, "{word}: {drawn:?}");
    }
    plot(&folder, &["swing-run", "short", "--snapshot", "0.01", "-o", "arms.svg"]).done();
    assert!(has(&words(&folder.join("arms.svg")), "short"));
    let message = plot(&folder, &["swing-run", "short", "--snapshot", "0.03"]).refused();
    assert!(message.contains("short has nothing at t = 0.03 s"), "{message}");
}

#[test]
fn the_arm_is_drawn() {
    let folder = with_run("plot-arm");
    plot(&folder, &["swing-run", "--snapshot", "20 ms", "--exaggerate", "5"]).done();
    let still = words(&folder.join("swing-run-snapshot.svg"));
    assert!(has(&still, "t = 0.02 s"), "{still:?}");
    assert!(still.iter().any(|word| word.ends_with(", bending × 5")), "{still:?}");
    plot(&folder, &["swing-run", "--filmstrip", "3", "--view", "iso"]).done();
    let strip = words(&folder.join("swing-run-filmstrip.svg"));
    for word in ["t = 0 s", "t = 0.02 s", "t = 0.04 s", "x", "y", "z"] {
        assert!(has(&strip, word), "{word}: {strip:?}");
    }
    plot(&folder, &["swing-run", "--filmstrip", "0,0.01,40 ms", "--together", "-o", "one.svg"])
        .done();
    assert!(has(&words(&folder.join("one.svg")), "t = 0 s to 0.04 s"));
    let refused = |arguments: &[&str]| {
        plot(&folder, &[&["swing-run", "-o", "no.svg"], arguments].concat()).refused()
    };
    let message = refused(&["--snapshot", "1"]);
    assert!(message.contains("nothing at t = 1 s") && message.contains("to 0.04 s"), "{message}");
    assert!(refused(&["--filmstrip", "0"]).contains("--filmstrip 0"));
    assert!(refused(&["--snapshot", "0", "--exaggerate", "-1"]).contains("--exaggerate"));
    // without its coordinates nobody knows where the arm was
    let record = "record = { every = \"2 ms\", channels = [\"energies\", \"fore\"] }";
    let text = ARM.replace("record = { every = \"2 ms\" }", record);
    std::fs::write(folder.join("energy.toml"), text).expect("written");
    pliant_in(&folder, &["run", "energy.toml", "-q"], "").done();
    let message = plot(&folder, &["energy-run", "--snapshot", "0"]).refused();
    for part in ["did not record \"upper\" and 1 other", "channels = [\"coordinates\"]"] {
        assert!(message.contains(part), "{part}: {message}");
    }
    plot(&folder, &["energy-run"]).done();
}

#[test]
fn a_png_has_the_size_asked_for() {
    let folder = with_run("plot-png");
    let size = ["--size", "10x5cm", "--dpi", "254", "-q"];
    plot(&folder, &[&["swing-run", "-o", "a.png"], &size[..]].concat()).done();
    plot(&folder, &[&["swing-run", "-o", "b.PNG", "--snapshot", "0"], &size[..]].concat()).done();
    for name in ["a.png", "b.PNG"] {
        let bytes = std::fs::read(folder.join(name)).expect("a picture");
        assert_eq!(bytes[16..24], [0, 0, 0x03, 0xe8, 0, 0, 0x01, 0xf4], "{name}");
    }
}

#[test]
fn a_channel_of_two_arms_is_one_panel() {
    let folder = with_run("plot-two-arms");
    std::fs::write(folder.join("rigid.toml"), ARM.replace("bends = { y = 1 }", ""))
        .expect("written");
    pliant_in(&folder, &["run", "rigid.toml", "-q"], "").done();
    plot(&folder, &["swing-run", "rigid-run", "--channels", "fore", "-o", "two.svg"]).done();
    let drawn = words(&folder.join("two.svg"));
    assert_eq!(drawn.iter().filter(|word| *word == "fore (rad)").count(), 1, "{drawn:?}");
}

#[test]
fn results_alone_give_the_pictures_of_results_with_their_scenario() {
    let folder = with_run("plot-alone");
    let alone = folder.join("elsewhere");
    std::fs::create_dir_all(alone.join("swing-run")).expect("a folder");
    let result = |folder: &Path| folder.join("swing-run/result.parquet");
    std::fs::copy(result(&folder), result(&alone)).expect("copied");
    let draw = |folder: &Path| {
        pliant_in(folder, &["report", "swing-run", "-o", "page.html"], "").done();
        plot(folder, &["swing-run", "--snapshot", "0.02", "-o", "still.svg"]).done();
        plot(folder, &["swing-run", "-o", "curves.svg"]).done();
        ["page.html", "still.svg", "curves.svg"]
            .map(|file| std::fs::read_to_string(folder.join(file)).expect("a file"))
    };
    let with = draw(&folder);
    for (k, (with, without)) in with.iter().zip(&draw(&alone)).enumerate() {
        assert!(with == without, "picture {k} is another one");
    }
    let page = std::fs::read_to_string(folder.join("swing-run/report.html")).expect("a page");
    assert!(page == with[0], "the page of the run is another one");
}

#[test]
fn former_names_of_channels_are_known() {
    let channels = || vec![Channel::new("law.estimate.bar.y1", "m", ChannelRole::Estimate)];
    let rows = [0.0, 1.0].map(|t| (t, vec![t]));
    let folder = of_rows("plot-former", channels(), &rows);
    let drawn = plot(&folder, &["run", "-c", "law.believed.*"]);
    let note = "\"law.believed.*\" is now called \"law.estimate.*\"";
    assert!(drawn.stderr.contains(note), "{}", drawn.stderr);
    drawn.done();
    let message = plot(&folder, &["run", "-c", "law.believed.no", "-o", "no.svg"]).refused();
    assert!(message.contains("law.estimate.no") && message.contains("bar.y1"), "{message}");
    // results of earlier versions have their own names
    let earlier = vec![Channel::new("law.believed.bar.y1", "m", ChannelRole::Estimate)];
    let folder = of_rows("plot-earlier", earlier, &rows);
    let drawn = plot(&folder, &["run", "-c", "law.believed.*"]);
    assert!(!drawn.stderr.contains("now called"), "{}", drawn.stderr);
    drawn.done();
}

#[test]
fn a_run_that_was_killed_is_drawn() {
    let folder = scratch("plot-killed");
    let channels = vec![Channel::new("a", "m", ChannelRole::Other)];
    let run = RunFolder::create(folder.join("run"), Existing::Refuse).expect("a folder");
    let mut writer = run.start("", channels, Metadata::new("", "rk4")).expect("a writer");
    // no rows are safe yet
    let message = plot(&folder, &["run"]).refused();
    assert!(message.contains("has no rows yet"), "{message}");
    writer.row(0.0, &[1.0]).expect("a row");
    writer.row(0.5, &[2.0]).expect("a row");
    writer.close_part().expect("a part");
    drop(writer);
    let drawn = plot(&folder, &["run"]);
    assert!(
        drawn.stderr.contains("is not finished; the plot shows its rows from 0 s to 0.5 s"),
        "{}",
        drawn.stderr
    );
    drawn.done();
    words(&folder.join("run.svg"));
}

#[test]
fn strange_runs_are_drawn() {
    let odd = "a <b> & \"c\"";
    let channels = || {
        vec![
            Channel::new(odd, "m/s^2", ChannelRole::Other),
            Channel::new("constant", "J", ChannelRole::TotalEnergy),
            Channel::new("broken", "J", ChannelRole::TotalEnergy),
        ]
    };
    let one = of_rows("plot-one", channels(), &[(0.0, vec![1.0, 2.0, f64::NAN])]);
    plot(&one, &["run", "-c", "*"]).done();
    assert!(has(&words(&one.join("run.svg")), &format!("{odd} (m/s2)")));
    let rows: Vec<(f64, Vec<f64>)> = (0..5)
        .map(|k| (f64::from(k), vec![f64::from(k), 2.0, if k == 2 { f64::INFINITY } else { 1e-9 }]))
        .collect();
    let some = of_rows("plot-some", channels(), &rows);
    plot(&some, &["run", "-c", "*"]).done();
    let drawn = words(&some.join("run.svg"));
    assert!(has(&drawn, "broken (nJ)") && has(&drawn, "constant (J)"), "{drawn:?}");
    let none = of_rows("plot-none", Vec::new(), &[(0.0, Vec::new())]);
    assert!(plot(&none, &["run"]).refused().contains("nothing but the time"));
    let message = plot(&some, &["run", "--snapshot", "1", "-o", "s.svg"]).refused();
    assert!(message.contains("scenario.toml"), "{message}");
}

#[test]
fn a_small_run_is_drawn_as_before() {
    let channels = vec![
        Channel::new("upper", "rad", ChannelRole::Position),
        Channel::new("fore", "rad", ChannelRole::Position),
        Channel {
            coordinate: Some(CoordinateRole::Deformation(Deformation::BendingY)),
            ..Channel::new("upper.y1", "m", ChannelRole::Position)
        },
    ];
    let rows = [0.0, 0.5, 1.0, 1.5].map(|t: f64| (t, vec![t, 1.0 - t * t, 0.003 * t]));
    let folder = of_rows("plot-golden", channels, &rows);
    plot(&folder, &["run", "--size", "8x6cm"]).done();
    let drawn = std::fs::read_to_string(folder.join("run.svg")).expect("a drawing");
    let kept = root().join("crates/pliant-cli/tests/cli/plot.svg");
    if std::env::var_os("PLIANT_KEEP_DRAWINGS").is_some() {
        std::fs::write(&kept, &drawn).expect("written");
    }
    let before = std::fs::read_to_string(&kept).expect("the drawing that was kept");
    assert!(
        drawn == before.replace("\r\n", "\n"),
        "the drawing has changed; look at {}, and keep it with PLIANT_KEEP_DRAWINGS=1",
        folder.join("run.svg").display()
    );
}

/// Joints over their plan, and what is between them.
#[test]
fn tracking_is_drawn() {
    let reference = Channel::new("plan.hub", "rad", ChannelRole::Reference);
    let joint = Channel::new("hub", "rad", ChannelRole::Position);
    let error = Channel::new("bar.tip.error.distance", "m", ChannelRole::Error);
    let row = |t: f64| (t, vec![t, 0.9 * t, 0.001 * t]);
    let rows: Vec<(f64, Vec<f64>)> = (0..5).map(f64::from).map(row).collect();
    let folder = of_rows("plot-tracking", vec![reference, joint, error], &rows);
    plot(&folder, &["run", "--tracking"]).done();
    let drawn = words(&folder.join("run-tracking.svg"));
    for word in ["plan", "run", "hub (deg)", "error (deg)", "tip error (mm)"] {
        assert!(has(&drawn, word), "{word}: {drawn:?}");
    }
    // 0.4 rad at the end
    assert!(has(&drawn, "20") && !has(&drawn, "30"), "{drawn:?}");
    // two runs have their names, and each joint its errors
    let copy = folder.join("other");
    std::fs::create_dir(&copy).expect("a folder");
    for file in ["result.parquet", "summary.json"] {
        std::fs::copy(folder.join("run").join(file), copy.join(file)).expect("a copy");
    }
    plot(&folder, &["run", "other", "--tracking", "-o", "two.svg"]).done();
    let drawn = words(&folder.join("two.svg"));
    for word in ["plan", "run", "other", "hub error (deg)"] {
        assert!(has(&drawn, word), "{word}: {drawn:?}");
    }
    assert_eq!(drawn.iter().filter(|word| *word == "plan").count(), 1);
    let none =
        of_rows("plot-untracked", vec![Channel::new("a", "m", ChannelRole::Other)], &rows[..0]);
    let refused = plot(&none, &["run", "--tracking"]).refused();
    assert!(refused.contains("rows"), "{refused}");
}
