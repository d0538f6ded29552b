//! `pliant new motion`: a controlled motion of an arm of one's own.

use crate::figures::figure;
use crate::output::{Failure, Output};
use pliant::analyse::Conditions;
use pliant::arm::Arm;
use pliant_io::escape::{Shown as _, shell};
use pliant_io::scenario::{Overrides, Setup, is_scenario, parse};
use pliant_io::{Setting, Source, bare_or_quoted, quoted};
use std::f64::consts::TAU;
use std::path::Path;

/// How far a joint that turns is to move (deg), one after the other, and one that slides (m), where
/// its limits allow.
const TURNS: [f64; 3] = [40.0, 30.0, 20.0];
const SLIDE: f64 = 0.2;

/// The frequency of the joints under control (rad/s), unless the arm is softer.
const QUICK: f64 = 10.0;

/// A joint of one coordinate that a motor can drive.
struct Driven {
    coordinate: usize,
    velocity: usize,
    name: String,
    turns: bool,
    /// From where to where it moves (rad, m).
    way: [f64; 2],
}

/// What a scenario says.
#[derive(Clone, Copy)]
struct Motion<'a> {
    name: &'a str,
    arm: &'a str,
    file: &'a str,
    joints: &'a [Driven],
    /// What each motor feels (kg m^2, kg).
    inertias: &'a [f64],
    /// How fast joints are controlled (rad/s).
    quick: f64,
}

/// The controllers that are tried.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Control {
    /// Computed torque with ticks of 1 ms.
    Ticks,
    /// At every instant, for joints without motor inertia.
    Continuous,
    /// Springs and dampers, for elastic joints.
    Servo,
}

/// A scenario that moves an arm, for a file in a folder.
pub(super) fn text(arm: &Path, file: &Path, output: &Output) -> Result<String, Failure> {
    if is_scenario(arm) {
        return Err(Failure::input(
            format!("{} is a scenario already", arm.shown()),
            format!(
                "run it: pliant run {}; or name the file of an arm",
                shell(&arm.to_string_lossy())
            ),
        ));
    }
    let loaded = pliant_io::load(arm)?;
    output.warn(&loaded.warnings);
    let joints = driven(&loaded.arm);
    if joints.is_empty() {
        return Err(Failure::input(
            format!("{} has no joint of one coordinate that a motor could drive", arm.shown()),
            "write a scenario with forces of its own: pliant new swing",
        ));
    }
    let folder = file.parent().unwrap_or(Path::new(""));
    let named = reference(arm, folder);
    let quick = bandwidth(&loaded.arm, &joints);
    let file_name = file.file_name().map(|name| name.to_string_lossy().into_owned());
    let motion = Motion {
        name: &plain(loaded.arm.name()),
        arm: &named,
        file: file_name.as_deref().unwrap_or("FILE"),
        joints: &joints,
        inertias: &inertias(&loaded.arm, &joints),
        quick,
    };
    // the first that is stable; the last where none is, with the warning of `pliant check`
    let mut text = String::new();
    let slower = [1.0, 0.5, 0.25, 0.125].map(|part| (Control::Servo, part * quick));
    for (control, quick) in
        [(Control::Ticks, quick), (Control::Continuous, quick)].into_iter().chain(slower)
    {
        text = written(&Motion { quick, ..motion }, control);
        let source = Source::new(file.shown(), text.as_str());
        let setup = parse(&source, folder, &Overrides::default())?;
        if setup.simulation.loop_warnings().is_empty() {
            // the line that tries another law stays where that law is possible
            let settings = vec![Setting::parse("controller.servo.kind=composite")?];
            let other = parse(&source, folder, &Overrides { settings });
            if other.is_err() || other.is_ok_and(|other| doubts(&other) > doubts(&setup)) {
                text = text
                    .lines()
                    .filter(|line| !line.contains("composite -o"))
                    .fold(String::new(), |kept, line| kept + line + "\n");
            }
            break;
        }
    }
    Ok(text)
}

/// How much is doubtful about a scenario.
fn doubts(setup: &Setup) -> usize {
    setup.warnings.iter().map(|report| report.problems().count()).sum()
}

/// A name inside a comment, which ends with its line.
fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// The inertia that each motor feels at the start (kg m^2, kg).
fn inertias(arm: &Arm, joints: &[Driven]) -> Vec<f64> {
    let mass = arm.mass_matrix(&posture(arm, joints)).ok();
    let own =
        |joint: &Driven| mass.as_ref().map_or(1.0, |mass| mass[(joint.velocity, joint.velocity)]);
    joints.iter().map(own).collect()
}

/// Where the arm starts.
fn posture(arm: &Arm, joints: &[Driven]) -> Vec<f64> {
    let mut q = arm.neutral();
    for joint in joints {
        q[joint.coordinate] = joint.way[0];
    }
    q
}

/// How a scenario in a folder names an arm.
fn reference(arm: &Path, folder: &Path) -> String {
    let same = arm.parent().unwrap_or(Path::new("")) == folder;
    let named = arm.file_name().filter(|_| same).map(Path::new);
    let absolute = || std::path::absolute(arm).unwrap_or_else(|_| arm.to_owned());
    let path = named.map_or_else(absolute, Path::to_owned);
    path.to_string_lossy().into_owned()
}

fn driven(arm: &Arm) -> Vec<Driven> {
    let one = |(k, v): (usize, usize)| {
        let at = arm.coordinate_of(v)?;
        let turns = arm.turns(v);
        let most = if turns { TURNS[k % TURNS.len()].to_radians() } else { SLIDE };
        let unlimited = [f64::NEG_INFINITY, f64::INFINITY];
        let [low, high] =
            arm.limits()[at].as_ref().map_or(unlimited, |limits| [limits.lower, limits.upper]);
        let start = arm.neutral()[at].clamp(low, high);
        // towards the side with more room, and not quite to its end
        let (up, down) = (0.8 * (high - start), 0.8 * (start - low));
        let end = if up >= down { start + most.min(up) } else { start - most.min(down) };
        Some(Driven {
            coordinate: at,
            velocity: v,
            name: arm.velocity_names()[v].clone(),
            turns,
            way: [start, end],
        })
    };
    arm.driven_joints().into_iter().enumerate().filter_map(one).collect()
}

/// How fast joints are controlled (rad/s): half of the slowest vibration with joints locked.
fn bandwidth(arm: &Arm, joints: &[Driven]) -> f64 {
    let modes = arm.modes_under(&posture(arm, joints), &Conditions::default()).ok();
    let slowest = modes.and_then(|modes| modes.modes.first().map(|mode| TAU * mode.hertz()));
    let half = slowest.filter(|omega| *omega > 0.0).map_or(QUICK, |omega| 0.5 * omega);
    // two digits
    format!("{:.1e}", half.min(QUICK)).parse().unwrap_or(QUICK)
}

fn written(motion: &Motion<'_>, control: Control) -> String {
    let Motion { name, arm, file, joints, inertias, quick } = *motion;
    let place = |joint: &Driven, k: usize| {
        let value = joint.way[k];
        let (value, unit) = if joint.turns { (value.to_degrees(), "deg") } else { (value, "m") };
        let value = figure(value, 1e-9);
        if value == "0" { value } else { format!("\"{value} {unit}\"") }
    };
    let point =
        |k: usize| joints.iter().map(|joint| place(joint, k)).collect::<Vec<_>>().join(", ");
    let names: Vec<String> = joints.iter().map(|joint| quoted(&joint.name)).collect();
    let tenths = |x: f64| figure((10.0 * x).ceil() / 10.0, 0.0);
    let lasts = (15.0 / quick).max(1.0);
    let initial =
        |joint: &Driven| format!("{} = {}\n", bare_or_quoted(&joint.name), place(joint, 0));
    let initial: String = joints.iter().map(initial).collect();
    let gains = |of: &dyn Fn(f64) -> f64, units: [&str; 2]| {
        let one = |(joint, inertia): (&Driven, &f64)| {
            let unit = units[usize::from(!joint.turns)];
            let value: f64 = format!("{:.1e}", of(*inertia)).parse().unwrap_or(1.0);
            format!("{} = \"{} {unit}\"", bare_or_quoted(&joint.name), figure(value, 0.0))
        };
        let all: Vec<String> = joints.iter().zip(inertias).map(one).collect();
        format!("{{ {} }}", all.join(", "))
    };
    let law = match control {
        Control::Servo => format!(
            "# A spring and a damper at each joint, and the forces that gravity needs.\n\
             [[controller]]\n\
             kind = \"gravity-pd\"\n\
             name = \"servo\"\n\
             full_state = true                       # or sensors = [...], each with its own [[sensor]]\n\
             period = \"1 ms\"\n\
             stiffness = {}\n\
             damping = {}\n",
            gains(&|inertia| inertia * quick * quick, ["N m/rad", "N/m"]),
            gains(&|inertia| 2.0 * inertia * quick, ["N m s/rad", "N s/m"]),
        ),
        _ => format!(
            "# The controller computes forces from accelerations by its model of the arm. computed-torque\n\
             # leaves the links to themselves; composite also damps their vibrations.\n\
             [[controller]]\n\
             kind = \"computed-torque\"\n\
             name = \"servo\"\n\
             full_state = true                       # or sensors = [...], each with its own [[sensor]]\n\
             {}\
             stiffness = \"{} 1/s^2\"\n\
             damping = \"{} 1/s\"\n",
            if control == Control::Ticks {
                "period = \"1 ms\"\n"
            } else {
                "# Without motor inertia (actuator or armature of its joints) this arm is unstable with\n\
                 # ticks of 1 ms; until it has that, the law acts at every instant.\n\
                 # period = \"1 ms\"\n"
            },
            figure(quick * quick, 0.0),
            figure(2.0 * quick, 0.0),
        ),
    };
    format!(
        "# A controlled motion of {name}: all joints move at once and come to rest.\n\
         #\n\
         #   pliant run {file}                        results are in a folder here\n\
         #   pliant run {file} --set controller.servo.kind=composite -o damped-run\n\
         #   pliant explain keys scenario             the keys of a scenario\n\
         #\n\
         # Numbers without a unit are in SI units and radians; write other units in quotes: \"10 ms\".\n\
         \n\
         arm = {}\n\
         duration = \"{} s\"\n\
         start = \"static equilibrium\"\n\
         record = {{ every = \"5 ms\" }}\n\
         \n\
         # Where the joints are at the start.\n\
         [initial]\n\
         {initial}\
         \n\
         # The trajectory: joint positions, and the duration of each segment between them. With\n\
         # kind = \"line\" the points are positions of the tip, [x, y, z].\n\
         [plan]\n\
         kind = \"joints\"\n\
         joints = [{}]\n\
         points = [[{}], [{}]]\n\
         durations = [\"{} s\"]\n\
         # An input shaper for the lowest modes, with kind = \"gravity-pd\" below, whose servo it knows:\n\
         # shaper = {{ kind = \"zvd\", modes = 2 }}\n\
         \n\
         {law}",
        quoted(arm),
        tenths(lasts + (30.0 / quick).max(2.0)),
        names.join(", "),
        point(0),
        point(1),
        tenths(lasts),
    )
}
