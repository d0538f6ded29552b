//! Integrators for ordinary differential equations `ẏ = f(t, y)`; independent of robots.
//!
//! A problem (a [`System`] and an initial state) and a [`Method`] give a [`Solution`]:
//!
//! ```
//! use pliant::integrate::{Dop853, solve};
//!
//! let spring = |_t: f64, y: &[f64], rate: &mut [f64]| {
//!     rate[0] = y[1];
//!     rate[1] = -y[0];
//! };
//! let solution = solve(spring, Dop853::new(1e-9), &[1.0, 0.0], &[0.0, 1.0, 2.0, 3.0]);
//! solution.outcome?;
//! for (t, y) in solution.times.iter().zip(&solution.states) {
//!     assert!((y[0] - t.cos()).abs() < 1e-8);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | method | order | steps | for |
//! |---|---|---|---|
//! | [`Rk4`] | 4 | fixed | comparisons, fixed sampling periods |
//! | [`Dopri5`] | 5 | adaptive | smooth motions, loose tolerances |
//! | [`Dop853`] | 8 | adaptive | smooth motions, tight tolerances |
//! | [`Adams`] | 1 to 12 | adaptive | long smooth motions, expensive rates |
//! | [`Radau5`] | 5 | adaptive | stiff systems |
//! | [`Switching`] | 8 or 5 | adaptive | systems that may be stiff, or become so |
//! | [`GeneralisedAlpha`] | 2 | fixed | stiff structures, as [`SecondOrder`] |
//!
//! [`Events`] finds where functions of the state cross zero.
//!
//! To write your own loop, use a [`Stepper`]: it takes one accepted step at a time, stops exactly at
//! a given time, evaluates dense output only on request, and continues after a discontinuity of the
//! system or of the state. A controller with zero-order hold:
//!
//! ```
//! use pliant::integrate::{Dop853, Stepper, System};
//! use std::convert::Infallible;
//!
//! struct Cart {
//!     force: f64,
//! }
//!
//! impl System for Cart {
//!     type Error = Infallible;
//!     fn rates(&mut self, _: f64, y: &[f64], rates: &mut [f64]) -> Result<(), Infallible> {
//!         rates[0] = y[1];
//!         rates[1] = self.force;
//!         Ok(())
//!     }
//! }
//!
//! let mut stepper = Stepper::new(Cart { force: 0.0 }, Dop853::new(1e-9), 0.0, &[1.0, 0.0])?;
//! for tick in 1..=500 {
//!     let force = -stepper.state()[0] - 2.0 * stepper.state()[1];
//!     stepper.system_mut().force = force;
//!     let end = f64::from(tick) * 0.02;
//!     while let Some(mut step) = stepper.step(end)? {
//!         let mut middle = [0.0; 2];
//!         let (start, end) = (step.span().start, step.span().end);
//!         step.dense()?.at(0.5 * (start + end), &mut middle);
//!     }
//!     assert_eq!(stepper.time(), end);
//! }
//! assert!(stepper.state()[0].abs() < 1e-3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod failure;
mod state;
mod system;
mod second_order;
mod method;
mod stepper;
mod solution;
mod events;
mod stages;
mod control;

pub mod rk4;
pub mod dopri5;
pub mod dop853;
pub mod adams;
pub mod radau5;
pub mod switching;
pub mod generalised_alpha;

#[cfg(test)]
mod trees;

pub use adams::Adams;
pub use control::Control;
pub use dop853::Dop853;
pub use dopri5::Dopri5;
pub(crate) use events::bracket;
pub use events::{Crossing, Direction, EventFunction, Events};
pub use failure::{Failure, SetupError};
pub use generalised_alpha::GeneralisedAlpha;
pub use method::{Method, Span, Verdict};
pub use radau5::Radau5;
pub use rk4::Rk4;
pub use second_order::{Moment, SecondOrder, Weights};
pub use solution::{Solution, solve};
pub use state::{StateError, StateVisitor, Stateful};
pub use stepper::{Dense, Statistics, Step, Stepper};
pub use switching::Switching;
pub use system::{CountedSystem, RateOutcome, System};
