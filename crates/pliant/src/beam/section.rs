//! What a cross-section resists and weighs.

/// The properties of a cross-section, per unit of length. Its y and z axes are principal and pass
/// through the centroid; x runs along the beam.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Section {
    /// Axial stiffness `EA` (N).
    pub ea: f64,
    /// Bending stiffness in the x-y plane, deflection along y (N m²).
    pub ei_z: f64,
    /// Bending stiffness in the x-z plane, deflection along z (N m²).
    pub ei_y: f64,
    /// Torsional stiffness `GJ` (N m²).
    pub gj: f64,
    /// Shear stiffness `κGA` along y (N); `None` does not shear (Euler-Bernoulli).
    pub kga_y: Option<f64>,
    /// Shear stiffness `κGA` along z (N); `None` does not shear (Euler-Bernoulli).
    pub kga_z: Option<f64>,
    /// Mass per length `ρA` (kg/m).
    pub rho_a: f64,
    /// `ρ ∫ y² dA` (kg m): inertia of the section against turning about z.
    pub rho_i_z: f64,
    /// `ρ ∫ z² dA` (kg m): inertia of the section against turning about y.
    pub rho_i_y: f64,
}
