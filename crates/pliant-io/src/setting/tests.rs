use super::*;
use crate::toml_out;

const FILE: &str = "duration = \"5 s\"\n\
    [[link]]\nname = \"upper\"\nbends = { y = 2, z = 1 }\nmass = 1\n\
    [[link]]\nname = \"fore.arm\"\nmass = 2\n\
    [[input]]\nmotor = \"upper\"\nkind = \"step\"\n\
    [event]\nname = \"only\"\n";

fn set(settings: &[&str]) -> Result<String, String> {
    let settings: Result<Vec<Setting>, Report> =
        settings.iter().map(|text| Setting::parse(text)).collect();
    let source = Source::new("arm.toml", FILE);
    let mut root = toml_text::read(&source).expect("good TOML");
    settings
        .and_then(|settings| Setting::apply(&settings, &source, &mut root))
        .map(|_| toml_out::tree(&root))
        .map_err(|report| report.to_string())
}

/// The file with another line instead of one of its own, as it is written out.
fn edited(old: &str, new: &str) -> String {
    let text = FILE.replacen(old, new, 1);
    assert_ne!(text, FILE, "{old} is in the file");
    toml_out::tree(&toml_text::read(&Source::new("", text)).expect("good TOML"))
}

#[test]
fn every_path_leads_to_its_key() {
    for (setting, old, new) in [
        ("duration=3", "duration = \"5 s\"", "duration = 3"),
        (" duration = 3 s ", "duration = \"5 s\"", "duration = \"3 s\""),
        ("duration='3 s'", "duration = \"5 s\"", "duration = \"3 s\""),
        ("duration=.5", "duration = \"5 s\"", "duration = 0.5"),
        ("duration=1e-3", "duration = \"5 s\"", "duration = 0.001"),
        ("link.upper.bends.y=3", "y = 2", "y = 3"),
        ("link[0].bends.y=3", "y = 2", "y = 3"),
        ("link.upper.bends={ y = 1 }", "{ y = 2, z = 1 }", "{ y = 1 }"),
        ("link.upper.bends=true", "{ y = 2, z = 1 }", "true"),
        ("link.\"fore.arm\".mass=2.5kg", "mass = 2\n", "mass = \"2.5kg\"\n"),
        ("link[1].length=1.4", "mass = 2\n", "mass = 2\nlength = 1.4\n"),
        ("input.upper.kind=sine", "\"step\"", "\"sine\""),
        ("event.only.action=stop", "name = \"only\"\n", "name = \"only\"\naction = \"stop\"\n"),
        ("event.action=stop", "name = \"only\"\n", "name = \"only\"\naction = \"stop\"\n"),
        ("link.upper.mass=[1, 2]", "mass = 1\n", "mass = [1, 2]\n"),
    ] {
        assert_eq!(set(&[setting]), Ok(edited(old, new)), "{setting}");
    }
    let twice = set(&["duration=3", "duration=4"]);
    assert_eq!(twice, Ok(edited("duration = \"5 s\"", "duration = 4")), "the last one counts");
}

#[test]
fn paths_that_lead_nowhere_say_what_is_there() {
    for (setting, told) in [
        (
            "link.uper.mass=1",
            "--set link.uper.mass: link has no entry \"uper\"; did you mean upper? it has: upper, \
             fore.arm [pliant::file::setting]",
        ),
        (
            "plan.duration=2",
            "--set plan.duration: the file has no plan; there is none; add it first: --set \
             'plan={ … }'; it has: duration, link, input, event [pliant::file::setting]",
        ),
        (
            "link[2].mass=1",
            "--set link[2].mass: link has 2 entries, and none is [2]; write [0] to [1] after its \
             name [pliant::file::setting]",
        ),
        (
            "duration.of.what=1",
            "--set duration.of.what: duration is the text \"5 s\", which has no of; leave the rest of \
             the path out to replace it [pliant::file::setting]",
        ),
        (
            "link.upper.bends=[2, 45deg]",
            "--set link.upper.bends: \"[2, 45deg]\" is not a value of TOML; text inside lists and \
             tables stands in quotes: [\"45 deg\", 1], { y = 3 } [pliant::file::syntax]",
        ),
    ] {
        assert_eq!(set(&[setting]), Err(told.to_owned()), "{setting}");
    }
    for (setting, told) in [
        ("duration", "\"duration\" is not of the form PATH=VALUE"),
        ("duration=", "\"duration=\" has no value"),
        ("=3", "\"=3\" has no path"),
        ("link..mass=3", "\"link..mass\" is not the path of a key"),
        ("link.=3", "\"link.\" is not the path of a key"),
        ("link[one].mass=3", "\"link[one].mass\" is not the path of a key"),
        ("link[0]mass=3", "\"link[0]mass\" is not the path of a key"),
        ("link.\"fore=3", "is not of the form PATH=VALUE"),
    ] {
        let refused = set(&[setting]).expect_err(setting);
        assert!(refused.contains(told), "{setting}: {refused}");
    }
    let twice = FILE.replace("fore.arm", "upper");
    let source = Source::new("arm.toml", twice);
    let mut root = toml_text::read(&source).expect("good TOML");
    let setting = Setting::parse("link.upper.mass=1").expect("a setting");
    let told = Setting::apply(&[setting], &source, &mut root).expect_err("two of that name");
    let help = "link has several entries \"upper\"; choose one by its index: link[0], link[1]";
    assert!(told.to_string().contains(help), "{told}");
    let told = set(&["arm.link.upper.mass=3"]).expect_err("an arm");
    assert!(told.contains("the file is an arm itself: --set 'link.upper.mass=3'"), "{told}");
    let both = set(&["plan.duration=2", "link.uper.mass=1"]).expect_err("two faults");
    assert_eq!(both.lines().count(), 2, "{both}");
}
