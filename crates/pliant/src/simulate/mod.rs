//! Arms in motion: an [`Arm`](crate::arm::Arm) with what drives it becomes a system for
//! [`integrate`](crate::integrate).

mod motion;
mod frequencies;
mod choice;
mod second_order;

pub use choice::{Choice, Chosen, Demand};
pub use frequencies::natural_frequencies;
pub use motion::{Coasting, Drive, Motion};
pub use second_order::ImplicitMotion;
