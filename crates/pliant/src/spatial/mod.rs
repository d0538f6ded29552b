//! Vectors, rotations, poses, motions, forces and inertias in space.
//!
//! Spatial vectors have the linear part first and refer to the origin of the frame they are
//! expressed in: a twist is `[v; ω]`, a wrench is `[f; n]`. A pose `(R, p)` of a frame B in a frame
//! A has the axes of B, seen in A, as the columns of `R`, and the origin of B in A as `p`.

mod inertia;
mod matrix;
mod motion;
mod pose;
mod rotation;
mod vector;

pub use inertia::{ArticulatedInertia, RigidInertia};
pub use matrix::{Mat3, Sym3};
pub use motion::{Force, Motion};
pub use pose::Pose;
pub use rotation::{
    Quaternion, ROTATION_TOLERANCE, axis_rotation, euler_xyz, nearest_rotation, roll_pitch_yaw,
    rotation_error, rotation_vector, turn_about, turn_taking_z_to,
};
pub use vector::Vec3;
