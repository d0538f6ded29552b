//! Files with words of earlier versions mean what those with the words of today do.

use super::files::listed;
use pliant::simulate::Rows;
use pliant_io::scenario::{self, Overrides, Setup, write_scenario};
use pliant_io::{Report, Source, write_arm_with};
use std::path::Path;

const FORMER: &str = "crates/pliant-io/tests/former";

/// Whether the only thing told beside what is told of its twin is that words have other names.
fn notes(former: &Report, today: &Report) -> usize {
    let renamed = |report: &Report| {
        report.problems().filter(|one| one.code.name == "pliant::file::renamed").count()
    };
    assert_eq!(renamed(today), 0, "{today:?}");
    assert_eq!(former.problems().len() - renamed(former), today.problems().len(), "{former:?}");
    renamed(former)
}

fn arm_text(path: &Path) -> (String, Report) {
    let loaded = pliant_io::load(path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    (write_arm_with(&loaded.description, &loaded.variants), loaded.warnings)
}

#[test]
fn arms_are_the_same() {
    let [former, today] = [&format!("{FORMER}/robots"), "robots"]
        .map(|folder| listed(folder, &["toml"]).expect("a folder"));
    let mut renamed = 0;
    for old in former {
        let name = old.file_name();
        let new = today.iter().find(|one| one.file_name() == name).expect("its twin");
        let [(old, told), (new, tells)] = [old.as_path(), new].map(arm_text);
        assert_eq!(old, new, "{name:?}");
        renamed += notes(&told, &tells);
    }
    assert!(renamed > 0, "no file has a word of earlier versions");
}

#[test]
fn channels_have_their_names_of_today() {
    let folder = listed("scenarios", &["toml"]).expect("a folder");
    let path = folder.iter().find(|path| path.ends_with("gauged-bar.toml")).expect("there");
    let text = std::fs::read_to_string(path).expect("readable");
    let with = "record = { every = \"2 ms\", channels = [\"law.believed.bar.y1\"] }";
    let text = text.replace("record = { every = \"2 ms\" }", with);
    let source = Source::new("gauged-bar.toml", text.as_str());
    let setup = scenario::parse(&source, path.parent().expect("its folder"), &Overrides::default());
    let setup = setup.expect("it is read");
    let messages: Vec<&str> =
        setup.warnings.iter().flat_map(Report::problems).map(|one| one.message.as_str()).collect();
    let note = "\"law.believed.bar.y1\" is now called \"law.estimate.bar.y1\"";
    assert_eq!(messages, [note]);
    let catalogue = setup.simulation.diagram.catalogue();
    let chosen = setup.simulation.diagram.selection.resolve(&catalogue).expect("known");
    assert_eq!(catalogue.channels()[chosen[0]].name, "law.estimate.bar.y1");
}

/// What a file says, without the gains of a shaper, which earlier versions wanted twice.
fn text(setup: &Setup) -> String {
    let mut scenario = setup.simulation.scenario.clone();
    if let Some(shaper) = scenario.plan.as_mut().and_then(|plan| plan.shaper.as_mut()) {
        shaper.servos = None;
    }
    write_scenario(&scenario).expect("what files can say")
}

#[test]
fn scenarios_are_the_same() {
    let mut renamed = 0;
    each_pair(|name, old, new| {
        let [old, new] = [old, new].map(|path| load(path, &Overrides::default()));
        let [written, anew] = [&old, &new].map(text);
        assert_eq!(written, anew, "{name}");
        for (told, tells) in old.warnings.iter().zip(&new.warnings) {
            assert_eq!(told.problems().len(), tells.problems().len() + notes(told, tells));
        }
        let all = old.warnings.iter().flat_map(Report::problems);
        renamed += all.filter(|one| one.code.name == "pliant::file::renamed").count();
    });
    assert!(renamed > 0, "no scenario has a word of earlier versions");
}

#[test]
fn runs_are_the_same_to_the_last_bit() {
    let short = Overrides::of([("duration", "20 ms")]);
    // a plan that takes longer is not made shorter
    let load = |path: &Path| {
        scenario::load(path, &short).unwrap_or_else(|_| load(path, &Overrides::default()))
    };
    each_pair(|name, old, new| {
        let [old, new] = [old, new].map(|path| rows(&load(path), 0.05));
        assert!(old == new && old.1.len() > 2, "{name}: another motion");
    });
}

#[test]
#[ignore = "long: every ready scenario to its end, not only its first instants"]
fn whole_runs_are_the_same_to_the_last_bit() {
    each_pair(|name, old, new| {
        let [old, new] =
            [old, new].map(|path| rows(&load(path, &Overrides::default()), f64::INFINITY));
        assert!(old == new && old.1.len() > 2, "{name}: another motion");
    });
}

fn load(path: &Path, overrides: &Overrides) -> Setup {
    scenario::load(path, overrides).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

/// Each scenario of the commit before, and its twin with the words of today.
fn each_pair(mut look: impl FnMut(&str, &Path, &Path)) {
    let [former, today] = [&format!("{FORMER}/scenarios"), "scenarios"]
        .map(|folder| listed(folder, &["toml"]).expect("a folder"));
    for old in former {
        let name = old.file_name();
        let new = today.iter().find(|one| one.file_name() == name).expect("its twin");
        look(&name.expect("a name").to_string_lossy(), &old, new);
    }
}

/// How many channels there are, and the bits of the rows up to a time (s).
fn rows(setup: &Setup, until: f64) -> (usize, Vec<u64>) {
    let mut rows = Rows::new();
    let mut stop = |progress: &pliant::simulate::Progress| {
        if progress.time > until {
            std::ops::ControlFlow::Break(())
        } else {
            std::ops::ControlFlow::Continue(())
        }
    };
    let done = setup.simulation.run(&mut rows, &mut stop);
    let _ = done.unwrap_or_else(|why| panic!("{why}"));
    let bits = rows.times.iter().chain(&rows.values).map(|x| x.to_bits()).collect();
    (rows.channels.len(), bits)
}
