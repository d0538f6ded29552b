//! What the documents compute: their algorithms beside the engine's, their counts of operations,
//! their variants of the equations.

mod akmehmet;
pub(crate) mod algorithms;
mod linear_inertia;
mod operations;
mod refused;
mod variants;

use pliant::beam::Section;

/// The section of the beams here: of another stiffness in each direction, without rotary inertia.
fn section() -> Section {
    Section {
        ea: 1e6,
        ei_z: 60.0,
        ei_y: 50.0,
        gj: 40.0,
        kga_y: None,
        kga_z: None,
        rho_a: 0.8,
        rho_i_z: 0.0,
        rho_i_y: 0.0,
    }
}
