//! The programs of `examples/` run here, so that none of them is linked for a test of its own.

use std::cell::RefCell;
use std::error::Error;
use std::f64::consts::PI;
use std::path::Path;

/// Keeps what an example prints.
macro_rules! println {
    ($($words:tt)*) => { $crate::examples::keep(&format!($($words)*)) };
}

#[path = "../../examples/composite_control.rs"]
mod composite_control;
#[path = "../../examples/first_arm.rs"]
mod first_arm;
#[path = "../../examples/free_swing.rs"]
mod free_swing;
#[path = "../../examples/inverse_kinematics.rs"]
mod inverse_kinematics;
#[path = "../../examples/linear_model.rs"]
mod linear_model;
#[path = "../../examples/own_control_law.rs"]
mod own_control_law;
#[path = "../../examples/own_force_element.rs"]
mod own_force_element;
#[path = "../../examples/sliding_boom.rs"]
mod sliding_boom;
#[path = "../../examples/tracking_with_encoders.rs"]
mod tracking_with_encoders;

thread_local! {
    static PRINTED: RefCell<String> = const { RefCell::new(String::new()) };
}

fn keep(line: &str) {
    PRINTED.with_borrow_mut(|printed| printed.extend([line, "\n"]));
}

/// What an example prints.
fn printed(main: fn() -> Result<(), Box<dyn Error>>) -> String {
    PRINTED.take();
    main().unwrap_or_else(|error| panic!("{error}"));
    PRINTED.take()
}

/// The number that follows some words.
fn number(printed: &str, words: &str) -> f64 {
    let after = printed.split_once(words).map(|(_, after)| after.trim_start());
    let word = after.and_then(|after| after.split_whitespace().next());
    let number = word.and_then(|word| word.trim_end_matches(',').parse().ok());
    number.unwrap_or_else(|| panic!("no number after \"{words}\" in:\n{printed}"))
}

#[track_caller]
fn assert_near(printed: &str, words: &str, want: f64, tolerance: f64) {
    let found = number(printed, words);
    assert!((found - want).abs() <= tolerance, "\"{words}\" {want}:\n{printed}");
}

#[test]
fn all_of_them_are_short_and_run_here() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let here = include_str!("examples.rs");
    for file in std::fs::read_dir(folder).expect("the examples") {
        let file = file.expect("a file").path();
        let name = file.file_stem().and_then(|stem| stem.to_str()).expect("a name");
        let lines = std::fs::read_to_string(&file).expect("its text").lines().count();
        assert!(lines < 60, "{name} has {lines} lines");
        assert!(here.contains(&format!("printed({name}::main)")), "{name} does not run");
    }
}

/// Two tubes and a payload in a line: `Σ ρA (b³ − a³)/3 + m l²`, and as much of a moment.
#[test]
fn first_arm() {
    let printed = printed(first_arm::main);
    let rho_a = |diameter: f64| 2710.0 * PI * (diameter - 0.002) * 0.002;
    let (upper, fore) = (rho_a(0.05), rho_a(0.04));
    let rotary = upper * 1.5 * (0.05_f64.powi(2) + 0.046_f64.powi(2)) / 16.0
        + fore * (0.04_f64.powi(2) + 0.036_f64.powi(2)) / 16.0;
    let inertia = (upper * 1.5_f64.powi(3) + fore * (2.5_f64.powi(3) - 1.5_f64.powi(3))) / 3.0
        + 2.0 * 2.5_f64.powi(2)
        + rotary;
    assert_near(&printed, "inertia about the first joint:", inertia, 1e-4);
    let moment = 9.81 * (upper * 1.5 * 0.75 + fore * 2.0 + 2.0 * 2.5);
    // the sag brings the weight a little nearer
    assert_near(&printed, "moment of the first brake:", moment, 1e-3 * moment);
    assert!(number(&printed, "sag of the hand:") > 0.0, "{printed}");
}

/// The bob of a bending pendulum comes about as low as it is long.
#[test]
fn free_swing() {
    let printed = printed(free_swing::main);
    assert_near(&printed, "lowest point of the bob:", -1.0, 0.01);
    assert_near(&printed, "energy drift:", 0.0, 1e-6);
}

#[test]
fn tracking_with_encoders() {
    let printed = printed(tracking_with_encoders::main);
    assert_near(&printed, "joints at the end:", 0.6, 0.002);
    assert_near(&printed, "farthest from the goal after the move:", 33.0, 40.0);
    assert_near(&printed, "largest error of upper:", 0.05, 0.05);
}

#[test]
fn composite_control() {
    let printed = printed(composite_control::main);
    assert_near(&printed, "joint at the end:", 0.8, 1e-3);
    assert!(number(&printed, "under a stiff servo:") > 5.0, "{printed}");
    assert_near(&printed, "under composite control:", 0.0, 0.1);
}

/// The whole boom moves, and its payload.
#[test]
fn sliding_boom() {
    let printed = printed(sliding_boom::main);
    let mass = 2710.0 * 0.006 * 0.04 * 1.2 + 0.1;
    assert_near(&printed, "mass that the drive moves:", mass, 1e-3);
    assert_near(&printed, "at the end the hook is", 1.0, 1e-2);
}

/// `m g l cos q`.
#[test]
fn own_control_law() {
    let printed = printed(own_control_law::main);
    assert_near(&printed, "angle at the end:", 0.3, 2e-4);
    assert_near(&printed, "weight that the servo holds:", 3.0 * 9.81 * 0.8 * 0.3_f64.cos(), 0.05);
}

/// `k s s' = m g` with `s' = s/√(x² + s²)`, near one; all the energy of the fall.
#[test]
fn own_force_element() {
    let printed = printed(own_force_element::main);
    let depth = 1e3 * 3.0 * 9.81 / 20e3;
    assert_near(&printed, "at rest the hand is", depth, 0.15 * depth);
    assert_near(&printed, "after 3 s the floor has taken", 3.0 * 9.81 * 0.5, 0.1);
}

/// The torque and the angle of its own joint have no zeros on the right, the torque and the hand do.
#[test]
fn linear_model() {
    let printed = printed(linear_model::main);
    assert_near(&printed, "to the angle:", 0.0, 0.0);
    assert!(number(&printed, "to the hand:") > 0.0, "{printed}");
    assert_near(&printed, "gain on the angle:", 1.0, 1e-3);
}

/// The law of cosines.
#[test]
fn inverse_kinematics() {
    let printed = printed(inverse_kinematics::main);
    let square = 1.1_f64.powi(2) + 0.7_f64.powi(2);
    let elbow = ((square - 1.0 - 0.64) / 1.6).acos();
    let shoulder = 0.7_f64.atan2(1.1) - (0.8 * elbow.sin()).atan2(1.0 + 0.8 * elbow.cos());
    assert_near(&printed, "straight links:", shoulder.to_degrees(), 1e-3);
    assert_near(&printed, "what is left:", 0.0, 1e-6);
}
