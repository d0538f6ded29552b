//! One algorithm against another.

mod coriolis;
mod facade;
mod kinematics;
mod loads;
mod prescribed;
mod rnea_aba;
mod rnea_crba;
