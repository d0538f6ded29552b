//! Akmehmet's arms and laws: his matrix of velocities, his feedback of least energy with it, and the
//! inverse kinematics of his two arms.

mod coriolis_matrix;
mod energy_feedback;
pub mod inverse_kinematics;

pub use coriolis_matrix::{Workspace, coriolis_matrix, coriolis_matrix_into};
pub use energy_feedback::{Effort, EnergyFeedback, EnergyFeedbackDescription, Form};
