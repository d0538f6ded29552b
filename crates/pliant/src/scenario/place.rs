//! Places in scenarios.

use std::fmt;

/// A place in a scenario: the names of fields and the numbers of entries on the way to it, as
/// scenario files have them: `controller[0].joint[1].stiffness`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FaultPlace {
    /// What has a name of its own on the way: `controller "follow"`.
    pub owner: Option<String>,
    /// The way.
    pub steps: Vec<PlaceStep>,
}

/// One step to a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlaceStep {
    /// A field, or an entry by its name.
    Key(String),
    /// An entry of a list.
    Item(usize),
}

impl FaultPlace {
    /// A field of the scenario.
    pub fn new(key: &str) -> Self {
        Self::default().key(key)
    }

    /// A field of what is here.
    #[must_use]
    pub fn key(&self, key: &str) -> Self {
        let mut place = self.clone();
        place.steps.push(PlaceStep::Key(key.to_owned()));
        place
    }

    /// An entry of the list that is here.
    #[must_use]
    pub fn item(&self, item: usize) -> Self {
        let mut place = self.clone();
        place.steps.push(PlaceStep::Item(item));
        place
    }

    /// With the word and the name of what is here.
    #[must_use]
    pub fn owned(mut self, word: &str, name: &str) -> Self {
        self.owner = Some(format!("{word} {name:?}"));
        self
    }

    /// The last field on the way.
    pub fn last_key(&self) -> Option<&str> {
        self.steps.iter().rev().find_map(|step| match step {
            PlaceStep::Key(key) => Some(key.as_str()),
            PlaceStep::Item(_) => None,
        })
    }
}

impl fmt::Display for FaultPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, step) in self.steps.iter().enumerate() {
            match step {
                PlaceStep::Key(key) if i == 0 => f.write_str(key)?,
                PlaceStep::Key(key) => write!(f, ".{key}")?,
                PlaceStep::Item(item) => write!(f, "[{item}]")?,
            }
        }
        Ok(())
    }
}
