//! Flexible links: sections, shapes, and the integrals over them that the recursions need.
//!
//! A beam is clamped in its body's frame and runs along x. The point `(s, y, z)` of it moves to
//! `(s,0,0) + u(s) + e_x u₂(s) + a + θ(s)×a`, `a = (0, y, z)`, where `u` and `θ` are combinations of
//! shapes and `u₂ = −½ ∫₀ˢ (v'² + w'²)` is the foreshortening. Nothing else is assumed and nothing
//! is dropped afterwards: the equations are those of Lagrange for this field.

mod coordinate;
mod basis;
mod material;
mod section;
mod cross_section;
mod profile;
mod quadrature;
mod clamped_mass;
mod bending_mode;
mod description;
mod element;
mod eigenmodes;
mod shaper;
mod shapes;
mod shape_errors;
mod gauge;
mod runs;
mod extended;
mod products;
mod second_moments;
mod flexible;
mod slide;
mod law;
mod loaded_mode;
mod normalised;
mod moving_shapes;
mod sliding_numbers;
mod sliding;
mod sliding_station;
mod slices;
mod wave_numbers;

pub use basis::{Basis, CarriedLoads, ShapeLoad, TipLoad, Ways};
pub use coordinate::{Deformation, Dimension};
pub use cross_section::{CrossSection, Outline, SectionForce};
pub(crate) use description::SLENDER;
pub use description::{Beam, Damping};
pub use flexible::{Flexible, Station};
pub(crate) use flexible::{Moments, axial, trace};
pub use loaded_mode::LoadedMode;
pub use material::{Material, Ply};
pub(crate) use normalised::Table;
pub(crate) use profile::ProfileFault;
pub use profile::{Matter, Profile};
pub(crate) use quadrature::Gauss;
pub use section::Section;
pub(crate) use shape_errors::ShapeErrors;
pub(crate) use shaper::Shaper;
pub(crate) use shapes::{Piece, Shape, Shapes};
pub(crate) use slices::{Slice, Slices};
pub(crate) use slide::group_velocity;
pub use slide::{Scale, Slide};
pub use sliding::Sliding;
pub use sliding_station::SlidingStation;
pub use wave_numbers::{WaveNumberTable, WaveNumbers};
