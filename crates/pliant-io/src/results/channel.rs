//! What a column of results is.

use serde::{Deserialize, Serialize};

/// One recorded quantity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Channel {
    /// Its name, such as `upper.y1`.
    pub name: String,
    /// Its unit, such as `m`; empty where there is none.
    pub unit: String,
    /// What kind of quantity it is.
    pub group: Group,
}

/// Kinds of quantities, for those who draw or list them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Group {
    /// The time of the rows.
    Time,
    /// Coordinates and velocities of joints.
    Joint,
    /// Coordinates and velocities of bending links.
    Bending,
    /// Where the tip is and how it moves.
    Tip,
    /// Forces and torques.
    Force,
    /// Energies, powers and momenta.
    Energy,
    /// What sensors show.
    Sensor,
    /// Everything else.
    Other,
}

impl Channel {
    /// A channel of this name, unit and kind.
    pub fn new(name: impl Into<String>, unit: impl Into<String>, group: Group) -> Self {
        Self { name: name.into(), unit: unit.into(), group }
    }

    /// The time in seconds, which every result has as its first column.
    pub fn time() -> Self {
        Self::new("t", "s", Group::Time)
    }

    /// The name of its column, with the unit in brackets.
    pub fn column(&self) -> String {
        if self.unit.is_empty() {
            return self.name.clone();
        }
        format!("{} [{}]", self.name, self.unit)
    }
}
