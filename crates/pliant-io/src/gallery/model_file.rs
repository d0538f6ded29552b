//! The keys of columns that look at linear systems, at shapes of modes and at equations of motion.

use super::file::{JointsThen, Settings, Taking};
use crate::scenario::{FromNow, Nameable, Names};
use crate::shapes::{Count, Number, Plain, Text, Word, words};
use crate::table::table;

/// Numbers at which a linear system does something special.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Roots {
    Poles,
    Zeros,
}

words! { Roots: "poles" => Roots::Poles, "zeros" => Roots::Zeros }

/// What is told of a complex number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Real,
    Imaginary,
}

words! { Part: "real" => Part::Real, "imaginary" => Part::Imaginary }

/// Outputs of a linear system.
pub(crate) enum Outputs {}

impl Nameable for Outputs {
    const WHAT: &'static str = "outputs";
    const EXAMPLE: &'static str = "fore.position.z";
}

table! {
    /// A pole of the loops of the controllers, or a zero of the arm from all its motors to some outputs:
    /// a pole of the arm where these are held by control (1/s).
    pub(crate) struct Root = "root",
        "write kind = \"root\", of = \"zeros\", outputs = [\"fore.position.z\"] and part = \"real\"";
    keys {
        /// Which of them. Poles of loops with a period T are ln(z)/T.
        of: Word<Roots> [required],
        /// Of zeros the outputs, as pliant linearise has them. The arm is at rest where it starts, taken as
        /// it is given.
        outputs: Names<Outputs> [or "not for poles"],
        /// Which one, as an expression of the variables: from the smallest, those of one size by their
        /// real and then by their imaginary parts.
        number: Text [= "1".to_owned()],
        /// What is told of it.
        part: Word<Part> [required],
        /// Of poles the time of the posture of the plan.
        at: FromNow [= 0.0],
    }
}

/// A direction across a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Across {
    Y,
    Z,
}

words! { Across: "y" => Across::Y, "z" => Across::Z }

table! {
    /// What is taken of the shape that a link has in a natural mode, at the start.
    pub(crate) struct ModeShape = "mode-shape",
        "write kind = \"mode-shape\", link = \"upper\" and expression = \"w\"";
    keys {
        /// Which mode, from the lowest.
        number: Count<1, 1000> [= 1],
        /// Whether joints are held, free, or on their springs.
        joints: Word<JointsThen> [= JointsThen::Held],
        /// The link, which has a section.
        link: Text [required],
        /// The direction of its deflection, link frame.
        across: Word<Across> [= Across::Y],
        /// An expression of x, which is 0 at the root of the link and 1 at its tip, of its deflection w
        /// as a part of that of the tip, and of the variables of the row: "w - x^2".
        expression: Text [= "w".to_owned()],
        /// What is taken of it along the link, as of a course over time.
        take: Word<Taking> [= Taking::Largest],
        /// The place x at which it is taken, and from which on.
        at: Number<Plain> [= 0.0],
    }
}

/// A part of equations of motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Mass,
    Velocity,
    Gravity,
}

words! {
    Side:
    "mass matrix" => Side::Mass,
    "velocity forces" => Side::Velocity,
    "gravity forces" => Side::Gravity,
}

/// How equations of motion are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    Exact,
    Exponential,
    FirstOrder,
    SmallAngle,
    Turns,
    LinearInertia,
    NoSectionSpin,
}

words! {
    Written:
    "exact" => Written::Exact,
    "exponential" => Written::Exponential,
    "first-order" => Written::FirstOrder,
    "small-angle" => Written::SmallAngle,
    "turns" => Written::Turns,
    "linear-inertia" => Written::LinearInertia,
    "no-section-spin" => Written::NoSectionSpin,
}

table! {
    /// How far equations of motion are from others, at the start of the scenario: the norm of the
    /// difference as a part of the norm of the others.
    pub(crate) struct Equations = "equations",
        "write kind = \"equations\", of = \"mass matrix\", with = \"first-order\"";
    keys {
        /// Which part: the mass matrix, the forces of the velocities, or those of gravity.
        of: Word<Side> [required],
        /// How they are written: "exact"; "exponential", with the rates of the rotation vector as
        /// angular velocity; "first-order" as in King's thesis; "small-angle" as in Korayem (6);
        /// "turns" about x, y and z one after the other, with their own angular velocity;
        /// "linear-inertia", without terms of second order of each link's own bending; or
        /// "no-section-spin", without what the spin of sections about a link has to do with its twist. A
        /// variable in braces stands for its value.
        with: Text [= "exact".to_owned()],
        /// How the others are written.
        instead_of: Text [= "exact".to_owned()],
        /// Further values of the scenario for the others, as after the option --set.
        beside: Names<Settings> [or "none"],
    }
}
