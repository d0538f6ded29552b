//! Pages of runs, read back from the page itself.

use base64::Engine as _;
use pliant::simulate::{Channel, ChannelRole, Status, Summary};
use pliant_io::files::Existing;
use pliant_io::results::{Metadata, Reader, RunFolder, RunOutcome};
use pliant_io::scenario::{self, Overrides};
use pliant_io::{Source, report};
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

const BAR: &str = r#"
duration = "300 ms"
tolerance = 1e-6
record = { every = "2 ms" }
initial = { bar = "-10 deg" }

[arm]
gravity = [0, -9.81, 0]

[[arm.link]]
name = "bar"
joint = { kind = "revolute", axis = "z" }
length = "1 m"
section = { kind = "round", radius = "5 mm" }
material = { young = "69 GPa", shear = "26 GPa", density = "2700 kg/m^3" }
bends = { y = 1, shapes = "clamped-free" }
payload = { mass = 0.1 }
"#;

fn scratch(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("report-{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

fn run(name: &str, text: &str) -> PathBuf {
    let folder = scratch(name);
    let source = Source::new("bar.toml", text);
    let setup = scenario::parse(&source, Path::new(""), &Overrides::default());
    let setup = setup.unwrap_or_else(|report| panic!("{report:?}"));
    let watch = &mut |_: &_| ControlFlow::Continue(());
    drop(scenario::run(&setup, &folder, Existing::Refuse, watch).expect("a run"));
    folder
}

/// What a page was filled with.
pub(crate) fn content(page: &str) -> (Value, Vec<u8>) {
    let inside = |id: &str| {
        let start = page.find(&format!("id=\"{id}\">")).expect("the element") + id.len() + 6;
        let length = page[start..].find("</script>").expect("its end");
        &page[start..start + length]
    };
    let numbers = base64::engine::general_purpose::STANDARD.decode(inside("numbers"));
    (serde_json::from_str(inside("told")).expect("JSON"), numbers.expect("base64"))
}

pub(crate) fn exact(bytes: &[u8], at: usize, count: usize) -> Vec<f64> {
    let number = |k: usize| bytes[at + 8 * k..at + 8 * k + 8].try_into().expect("eight bytes");
    (0..count).map(|k| f64::from_le_bytes(number(k))).collect()
}

pub(crate) fn index(value: &Value) -> usize {
    usize::try_from(value.as_u64().expect("a whole number")).expect("a small one")
}

/// The numbers of a packed row, and half a step of it.
fn rough(bytes: &[u8], packed: &Value, count: usize) -> (Vec<f64>, f64) {
    let (offset, scale) = (packed[0].as_f64().expect("offset"), packed[1].as_f64().expect("scale"));
    if packed[2].is_null() {
        return (vec![offset; count], 1e-12);
    }
    let at = index(&packed[2]);
    let word = |k: usize| u16::from_le_bytes([bytes[at + 2 * k], bytes[at + 2 * k + 1]]);
    ((0..count).map(|k| offset + scale * f64::from(word(k))).collect(), 0.51 * scale)
}

/// The numbers of a channel, in blocks of 128 that each have an offset and a scale, and half the
/// largest step.
fn fine(bytes: &[u8], packed: &Value, count: usize) -> (Vec<f64>, f64) {
    if packed[2].is_null() {
        return rough(bytes, packed, count);
    }
    let at = index(&packed[2]);
    let blocks = count.div_ceil(128);
    let steps = exact(bytes, at, 2 * blocks);
    let number = |k: usize| {
        let word = at + 16 * blocks + 2 * k;
        let word = u16::from_le_bytes([bytes[word], bytes[word + 1]]);
        steps[2 * (k / 128)] + steps[2 * (k / 128) + 1] * f64::from(word)
    };
    ((0..count).map(number).collect(), 0.51 * packed[1].as_f64().expect("scale"))
}

#[test]
fn a_page_holds_every_channel() {
    let folder = run("whole", BAR);
    let (page, bytes) = content(&report::of_runs(&[&folder]).expect("a page"));
    let told = &page["told"]["runs"][0];
    let reader = Reader::open(&folder).expect("results");
    let count = index(&told["times"]["count"]);
    let times = exact(&bytes, index(&told["times"]["at"]), count);
    assert_eq!(times, reader.time().expect("times"));
    let channels = told["channels"].as_array().expect("channels");
    assert_eq!(channels.len() + 1, reader.channels().len());
    for channel in channels {
        let name = channel["name"].as_str().expect("a name");
        let (found, step) = fine(&bytes, &channel["data"], count);
        for (found, value) in found.iter().zip(reader.column(name).expect("a column")) {
            assert!((found - value).abs() <= step, "{name}: {found} for {value}");
        }
    }
    assert_eq!(told["words"]["ending"]["word"], "completed");
    assert_eq!(told["words"]["arm"]["links"][0]["section"], "round 10 mm");
    assert!(told["frequencies"]["locked"][0].as_f64().expect("a frequency") > 1.0);
    assert_eq!(told["arm"]["links"][0]["loads"][0]["mass"], 0.1);
}

#[test]
fn the_packed_motion_ends_where_the_tip_was_recorded() {
    let folder = run("motion", BAR);
    let (page, bytes) = content(&report::of_runs(&[&folder]).expect("a page"));
    let motion = &page["told"]["runs"][0]["motion"];
    let count = index(&motion["count"]);
    let times = exact(&bytes, index(&motion["times"]), count);
    let of = |packed: &Value| rough(&bytes, packed, count).0;
    // the only joint turns about z: cos and sin of half the angle are w and z
    let (w, z) = (of(&motion["joints"][0][0]), of(&motion["joints"][0][3]));
    let last = motion["bends"][0].as_array().expect("points").last().expect("the tip");
    let (along, across) = (of(&last[0]), of(&last[1]));
    let reader = Reader::open(&folder).expect("results");
    let [x, y] =
        ["x", "y"].map(|axis| reader.column(&format!("bar.tip.position.{axis}")).expect("the tip"));
    let rows = reader.time().expect("times");
    assert!(count > 60);
    for (k, t) in times.iter().enumerate() {
        let row = rows.iter().position(|row| row == t).expect("a row of the results");
        let angle = 2.0 * z[k].atan2(w[k]);
        let (out, side) = (1.0 + along[k], across[k]);
        let found =
            [out * angle.cos() - side * angle.sin(), out * angle.sin() + side * angle.cos()];
        let off = (found[0] - x[row]).hypot(found[1] - y[row]);
        // sixteen bits of a quaternion that moves by less than 1, over 1 m
        assert!(off < 1e-4, "off by {off} m at {t} s");
    }
}

#[test]
fn a_page_needs_the_table_alone_and_is_the_same_again() {
    let led = r#"
[[controller]]
name = "hold"
kind = "pd"
period = "1 ms"
full_state = true

[[controller.joint]]
motor = "bar"
stiffness = "20 N m/rad"
damping = 1
target = { kind = "ramp", duration = "200 ms", to = "0 deg" }
"#;
    let text = format!("{BAR}{led}");
    let once = run("alone/once/bar", &text);
    let again = run("alone/again/bar", &text);
    let alone = scratch("alone/table/bar");
    std::fs::create_dir_all(&alone).expect("a folder");
    std::fs::copy(once.join("result.parquet"), alone.join("result.parquet")).expect("copied");
    let [once, again, alone] = [once, again, alone].map(|folder| {
        let page = report::of_runs(&[&folder]).expect("a page");
        // the command that repeats the run names its folder, and the checksum is of that too
        let digits = page.find("pliant-sha256:").expect("a checksum") + "pliant-sha256:".len();
        let page = page.replace(&page[digits..digits + 64], "");
        page.replace(&*folder.to_string_lossy(), "bar")
    });
    let words = content(&once).0["told"]["runs"][0]["words"].clone();
    assert_eq!(words["tracking"]["joints"][0]["name"], "bar");
    let figures = content(&once).0["told"]["runs"][0]["figures"].clone();
    assert_eq!((&figures[0]["subject"], &figures[0]["unit"]), (&json!("bar"), &json!("s")));
    assert_eq!(figures[0]["lowerIsBetter"], true);
    assert_eq!(words["ending"]["word"], "completed");
    assert!(words["extremes"].as_array().expect("extremes").len() > 5);
    assert!(once == alone, "the table alone gives another page");
    assert!(once == again, "the same run gives another page");
}

#[test]
fn what_is_missing_is_said() {
    let blind = BAR.replace("every = \"2 ms\"", "channels = [\"energies\"]");
    let (page, _) = content(&report::of_runs(&[run("blind", &blind)]).expect("a page"));
    let told = &page["told"]["runs"][0];
    assert!(told["arm"].is_null());
    let why = told["noArm"].as_str().expect("a sentence");
    assert!(why.contains("\"bar\" was not recorded"), "{why}");

    let killed = run("killed", BAR);
    std::fs::rename(killed.join("result.parquet"), killed.join("part-00000.parquet"))
        .expect("a part");
    std::fs::remove_file(killed.join("summary.json")).expect("no summary");
    let (page, _) = content(&report::of_runs(&[&killed]).expect("a page"));
    let told = &page["told"]["runs"][0];
    assert_eq!(told["words"]["ending"]["word"], "not finished");
    assert!(told["motion"]["count"].as_u64() > Some(60));

    let error = report::of_runs(&[scratch("nowhere")]).expect_err("nothing is there");
    assert!(error.to_string().contains("nowhere"), "{error}");
}

#[test]
fn rows_may_be_one_or_none_and_scenarios_of_others() {
    for rows in [0, 1] {
        let place = RunFolder::create(scratch(&format!("rows-{rows}")), Existing::Refuse)
            .expect("a folder");
        let folder = place.path().to_owned();
        let channels = vec![Channel::new("a", "m", ChannelRole::Other)];
        let mut writer =
            place.start("not a scenario", channels, Metadata::new("", "rk4")).expect("begun");
        for _ in 0..rows {
            writer.row(0.0, &[f64::NAN]).expect("a row");
        }
        writer.finish(RunOutcome::new(Summary::new(Status::Failed, 0.0))).expect("finished");
        let (page, _) = content(&report::of_runs(&[folder]).expect("a page"));
        let told = &page["told"]["runs"][0];
        assert_eq!(told["rows"], rows);
        let why = told["noArm"].as_str().expect("a sentence");
        assert!(why.contains("cannot be read"), "{why}");
        assert_eq!(told["words"]["ending"]["word"], "failed");
    }
}
