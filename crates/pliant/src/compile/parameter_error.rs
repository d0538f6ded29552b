//! Why a number of an arm cannot stay an input.

use crate::Help;
use crate::arm::BuildError;

/// Why a number of an arm cannot stay an input of what is compiled.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ParameterError {
    /// Two parameters have one name.
    #[error("the parameter {name} is there twice")]
    Twice {
        /// The name.
        name: String,
    },
    /// A nominal value is not finite.
    #[error("the nominal value {value} of {name} is not finite")]
    NotFinite {
        /// The parameter.
        name: String,
        /// Its value.
        value: f64,
    },
    /// The arm cannot be built.
    #[error("{}{error}", with(.values))]
    Build {
        /// The parameters that are not nominal, with their values.
        values: String,
        /// What is wrong.
        error: BuildError,
    },
    /// The arm has more or fewer parts than the nominal one.
    #[error("with {values} the arm has other parts than the nominal one")]
    Parts {
        /// The parameters that are not nominal, with their values.
        values: String,
    },
    /// Another beam cannot have the shapes of the nominal one.
    #[error("with {values} the link \"{link}\" cannot bend in the shapes of the nominal arm")]
    Shapes {
        /// The parameters that are not nominal, with their values.
        values: String,
        /// The link.
        link: String,
    },
    /// A number is no constant plus a multiple of the parameter.
    #[error("{part} does not change in proportion to {name}")]
    NotAffine {
        /// The parameter.
        name: String,
        /// What the number belongs to.
        part: String,
    },
    /// No number changes.
    #[error("{name} changes nothing of the arm")]
    Nothing {
        /// The parameter.
        name: String,
    },
    /// A parameter changes a number by less than what the number is rounded by.
    #[error("what {name} changes of {part} is lost in rounding")]
    Hidden {
        /// The parameter.
        name: String,
        /// What the number belongs to.
        part: String,
    },
    /// A number has products of more than two parameters.
    #[error("{part} depends on these parameters by more than products of two of them")]
    Together {
        /// What the number belongs to.
        part: String,
    },
}

fn with(values: &str) -> String {
    if values.is_empty() { String::new() } else { format!("with {values}: ") }
}

impl Help for ParameterError {
    fn help(&self) -> Option<String> {
        Some(match self {
            Self::Twice { .. } => "give each parameter once".into(),
            Self::NotFinite { .. } => "give a finite nominal value".into(),
            Self::Build { error, .. } => return error.help(),
            Self::Parts { .. } => "give a nominal value other than zero: a spring, a damper, a \
                friction or a drive of zero is none"
                .into(),
            Self::Shapes { .. } => {
                "build an arm for each value: parameters may change what a beam \
                is made of, but not its length or its shapes"
                    .into()
            }
            Self::NotAffine { .. } => {
                "build an arm for each value: parameters are masses, moduli, \
                damping, gravity, friction and springs"
                    .into()
            }
            Self::Nothing { .. } => "leave it out: it would be an input that does nothing".into(),
            Self::Hidden { .. } => "give a larger nominal value, of the size of its values".into(),
            Self::Together { .. } => "leave one of the parameters constant".into(),
        })
    }
}
