//! Units of coordinates, for people and files.

use super::joint::Joint;
use super::tree::Arm;

/// Units of a coordinate, its rate, its acceleration and its force.
const SLIDE: [&str; 4] = ["m", "m/s", "m/s^2", "N"];
const TURN: [&str; 4] = ["rad", "rad/s", "rad/s^2", "N m"];
const NUMBER: [&str; 4] = ["1", "1/s", "1/s^2", "J"];

impl Arm {
    /// The units of each velocity coordinate's place, rate, acceleration and force.
    pub fn velocity_units(&self) -> Vec<[&'static str; 4]> {
        self.units_by_link(turns)
    }

    /// The units of each configuration coordinate, its rate, acceleration and force.
    pub fn configuration_units(&self) -> Vec<[&'static str; 4]> {
        self.units_by_link(|joint| match joint {
            Joint::Spherical => vec![NUMBER; 4],
            Joint::Free => [[SLIDE; 3].as_slice(), &[NUMBER; 4]].concat(),
            joint => turns(joint),
        })
    }

    /// Units of joints, each followed by that of the length of a link that slides and those of
    /// bending.
    fn units_by_link(
        &self,
        joint: impl Fn(&Joint) -> Vec<[&'static str; 4]>,
    ) -> Vec<[&'static str; 4]> {
        let bending = |link: usize| {
            self.configuration_names()[self.bending_of(link).0].iter().map(|name| {
                // the letters of the last part of the name say how it bends
                match name.rsplit('.').next().unwrap_or(name).trim_end_matches(char::is_numeric) {
                    "y" | "z" | "s" | "dy" | "dz" => SLIDE,
                    "x" | "ry" | "rz" => TURN,
                    _ => NUMBER,
                }
            })
        };
        let length = |link: usize| self.length_of(link).map(|_| SLIDE);
        let of_link = |link: usize| {
            joint(&self.joints()[link]).into_iter().chain(length(link)).chain(bending(link))
        };
        (0..self.body_count()).flat_map(of_link).collect()
    }
}

fn turns(joint: &Joint) -> Vec<[&'static str; 4]> {
    joint.turns().iter().map(|turns| if *turns { TURN } else { SLIDE }).collect()
}
