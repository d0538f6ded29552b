//! Control laws as plain data, with the joints by their names.

use super::horizon::HorizonError;
use super::law::ControlLaw;
use super::model::Model;
use crate::Help;
use crate::boxed::cloneable;
use crate::scalar::short;
use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

/// A control law as it is described: its numbers, with the joints by their names, from which a
/// [`Scenario`](crate::scenario::Scenario) makes it. A [`ControlLaw`] that can be cloned is its own
/// description, with numbers in the order of the joints.
pub trait LawDescription: CloneLawDescription + Any + Debug + Send + Sync {
    /// The law, for the joints of a model. What is wrong or doubtful is told to the site; without a
    /// law something must be.
    fn law(&self, site: &mut LawSite<'_>) -> Option<Box<dyn ControlLaw>>;

    /// Stiffness and damping of the joints (N m/rad, N/m; N m s/rad, N s/m), of laws that are a
    /// spring and a damper for each: those of the servos for which a command is shaped.
    fn servo(&self) -> Option<[&PerJoint; 2]> {
        None
    }
}

cloneable! {
    /// Copies descriptions behind a `Box`; every one that is `Clone` has it.
    CloneLawDescription, LawDescription
}

impl<L: ControlLaw + Clone + 'static> LawDescription for L {
    fn law(&self, _: &mut LawSite<'_>) -> Option<Box<dyn ControlLaw>> {
        Some(Box::new(self.clone()))
    }
}

impl<L: LawDescription> From<L> for Box<dyn LawDescription> {
    fn from(law: L) -> Self {
        Box::new(law)
    }
}

/// A number of each joint.
#[derive(Clone, Debug, PartialEq)]
pub enum PerJoint {
    /// The same for all.
    All(f64),
    /// By the name of the joint.
    ByName(Vec<(String, f64)>),
}

impl From<f64> for PerJoint {
    fn from(number: f64) -> Self {
        Self::All(number)
    }
}

impl<const N: usize> From<[(&str, f64); N]> for PerJoint {
    fn from(numbers: [(&str, f64); N]) -> Self {
        Self::ByName(numbers.map(|(name, number)| (name.to_owned(), number)).to_vec())
    }
}

impl PerJoint {
    /// The number of a joint.
    pub fn of(&self, joint: &str) -> Option<f64> {
        match self {
            Self::All(number) => Some(*number),
            Self::ByName(numbers) => {
                numbers.iter().rfind(|(name, _)| name == joint).map(|&(_, number)| number)
            }
        }
    }

    /// Those of some joints, zero or more, in their order; joints that are left out have the usual
    /// one, if there is one. The names that there are, are `known`.
    pub fn numbers(
        &self,
        key: &'static str,
        joints: &[String],
        known: &[String],
        usual: Option<f64>,
    ) -> Result<Vec<f64>, LawError> {
        if let Self::ByName(numbers) = self
            && let Some((name, _)) = numbers.iter().find(|(name, _)| !known.contains(name))
        {
            let (name, known) = (name.clone(), known.to_vec());
            return Err(LawError::UnknownJoint { name, known });
        }
        if let Self::ByName(numbers) = self {
            let twice = |(k, (name, _)): &(usize, &(String, f64))| {
                numbers[..*k].iter().any(|(other, _)| other == name)
            };
            if let Some((_, (joint, _))) = numbers.iter().enumerate().find(twice) {
                return Err(LawError::Twice { key, joint: joint.clone() });
            }
        }
        let of = |joint: &String| {
            let number = self.of(joint).or(usual);
            number.ok_or_else(|| LawError::LeftOut { key, joint: joint.clone() })
        };
        let numbers = joints.iter().map(of).collect::<Result<Vec<f64>, _>>()?;
        if numbers.iter().any(|number| number.is_nan()) {
            return Err(LawError::NotFinite { key });
        }
        if numbers.iter().any(|number| *number < 0.0) {
            return Err(LawError::Negative { key });
        }
        Ok(numbers)
    }
}

/// What a law is made for.
#[derive(Debug)]
pub struct LawSite<'a> {
    /// The model, where the arm starts. Its joints are those of the plan.
    pub model: &'a Model,
    /// The names of these joints.
    pub joints: Vec<String>,
    /// The names of all velocity coordinates of the arm.
    pub known: &'a [String],
    /// The sampling period (s); none where it acts at every instant.
    pub period: Option<f64>,
    /// Whether it sees flexible coordinates, by the full state or by an estimator.
    pub sees_bending: bool,
    /// What is wrong or doubtful.
    pub faults: Vec<LawFault>,
}

/// What is wrong or doubtful about a law, and at which of its numbers.
#[derive(Clone, Debug)]
pub struct LawFault {
    /// The field, as its description calls it; empty for the law as a whole.
    pub key: &'static str,
    /// Which entry of a list.
    pub item: Option<usize>,
    /// What.
    pub error: LawError,
    /// Whether the law can do with it.
    pub is_warning: bool,
}

impl LawSite<'_> {
    /// Says what is wrong with a field, or with the law as a whole (an empty key).
    pub fn refuse(&mut self, key: &'static str, error: LawError) {
        self.faults.push(LawFault { key, item: None, error, is_warning: false });
    }

    /// Says what is doubtful about it.
    pub fn warn(&mut self, key: &'static str, error: LawError) {
        self.faults.push(LawFault { key, item: None, error, is_warning: true });
    }

    /// The numbers of the joints under a key, zero or more.
    pub fn numbers(&mut self, key: &'static str, numbers: &PerJoint) -> Option<Vec<f64>> {
        let found = numbers.numbers(key, &self.joints, self.known, None);
        let finite = |numbers: &Vec<f64>| numbers.iter().all(|number| number.is_finite());
        match found {
            Ok(numbers) if finite(&numbers) => return Some(numbers),
            Ok(_) => self.refuse(key, LawError::NotFinite { key }),
            Err(error) => self.refuse(key, error),
        }
        None
    }

    /// Stiffness and damping of the joints.
    pub fn gains(
        &mut self,
        stiffness: &PerJoint,
        damping: &PerJoint,
    ) -> Option<(Vec<f64>, Vec<f64>)> {
        let stiffness = self.numbers("stiffness", stiffness);
        let damping = self.numbers("damping", damping);
        Some((stiffness?, damping?))
    }

    /// The sampling period (s), for what needs one.
    pub fn needs_period(&mut self, what: &'static str) -> Option<f64> {
        if self.period.is_none() {
            self.refuse("", LawError::NoClock { what });
        }
        self.period
    }
}

/// What can be wrong or doubtful about a law.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LawError {
    /// A joint that the arm has not.
    #[error("the arm has no coordinate \"{name}\"")]
    UnknownJoint {
        /// As given.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// A joint of the plan without a number.
    #[error("{key} leaves out the joint \"{joint}\" of the plan")]
    LeftOut {
        /// Of which numbers.
        key: &'static str,
        /// The joint.
        joint: String,
    },
    /// A joint with two numbers.
    #[error("{key} has two numbers for the joint \"{joint}\"")]
    Twice {
        /// Of which numbers.
        key: &'static str,
        /// The joint.
        joint: String,
    },
    /// A law that cannot be made, and does not say why.
    #[error("its law cannot be made, and does not say why")]
    Untold,
    /// A number below zero.
    #[error("a number of {key} is below zero")]
    Negative {
        /// Of which numbers.
        key: &'static str,
    },
    /// NaN or infinite.
    #[error("a number of {key} is not finite")]
    NotFinite {
        /// Of which numbers.
        key: &'static str,
    },
    /// A number that has no sense.
    #[error("{key} is {}: {why}", short(*value))]
    NoSense {
        /// Which.
        key: &'static str,
        /// As given.
        value: f64,
        /// Why not.
        why: &'static str,
        /// What would be right.
        help: &'static str,
    },
    /// Something that is done at ticks.
    #[error("{what} needs a clock")]
    NoClock {
        /// What.
        what: &'static str,
    },
    /// A driven joint that does not follow the plan.
    #[error(
        "the joint \"{joint}\" is not in the plan, so that it takes it for something that bends"
    )]
    NotPlanned {
        /// The joint.
        joint: String,
    },
    /// No vibrations to take out.
    #[error(
        "nothing of its model bends, so that there are no vibrations to take out: it is computed torque"
    )]
    NothingBends,
    /// Vibrations that it does not see.
    #[error(
        "it does not see what bends, and takes it to be at rest: there is nothing for its regulator to do"
    )]
    BendingUnseen,
    /// A pseudolink of a joint that is none of the plan.
    #[error("the plan has no joint \"{name}\"")]
    UnknownRow {
        /// As given.
        name: String,
        /// The joints of the plan.
        known: Vec<String>,
    },
    /// An empty list of pseudolinks.
    #[error("no pseudolink is led")]
    NoPseudolink,
    /// A horizon that has no sense.
    #[error(transparent)]
    Horizon(#[from] HorizonError),
    /// A horizon that is too short for its ticks.
    #[error(
        "with so few ticks in the horizon errors grow by the factor {} from one window to the next",
        short((100.0 * growth).round() / 100.0)
    )]
    Growth {
        /// By how much.
        growth: f64,
        /// The next horizon with which they do not (s).
        steady: Option<f64>,
    },
    /// Something that a law of one's own has.
    #[error("{0}")]
    Other(Arc<dyn Help + Send + Sync>),
}

impl Help for LawError {
    fn help(&self) -> Option<String> {
        Some(match self {
            Self::UnknownJoint { known, .. } => format!("the arm has: {}", known.join(", ")),
            Self::UnknownRow { known, .. } => format!("it has: {}", known.join(", ")),
            Self::LeftOut { .. } => "give one for each".into(),
            Self::Twice { .. } => "give one".into(),
            Self::Untold => "let its description tell its site what is wrong".into(),
            Self::Negative { .. } => "give zero or more".into(),
            Self::NotFinite { .. } => "give finite numbers".into(),
            Self::NoSense { help, .. } => (*help).into(),
            Self::NoClock { .. } => "give the controller a sampling period".into(),
            Self::NotPlanned { .. } => "plan it too, or let it follow a prescribed motion".into(),
            Self::NothingBends => {
                "take computed torque; elastic joints are rigid to laws with a model".into()
            }
            Self::BendingUnseen => {
                "give it an estimator and strain gauges, or the full state".into()
            }
            Self::NoPseudolink => "name joints, or take composite control without them".into(),
            Self::Horizon(error) => return error.help(),
            Self::Growth { steady: Some(length), .. } => {
                format!("give a horizon of {} s, or a shorter period", short(*length))
            }
            Self::Growth { steady: None, .. } => "give it more ticks within the horizon".into(),
            Self::Other(error) => return error.help(),
        })
    }
}
