//! One algorithm against another.

mod centrelines;
mod coriolis;
mod facade;
mod kinematics;
pub(crate) mod loads;
mod prescribed;
mod rnea_aba;
mod rnea_crba;
