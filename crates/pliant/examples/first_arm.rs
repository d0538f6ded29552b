//! A first arm: two links that bend, described in Rust.
//!
//! One learns that a link gets its length and mass from a beam, that what hangs on a bending link
//! hangs on its tip unless told otherwise, and how to ask an arm for its inertia, its sag and its
//! frequencies. Run it with `cargo run --release -p pliant --example first_arm`.

#![allow(clippy::print_stdout, reason = "an example talks to the terminal")]

use pliant::arm::{Builder, Joint, Link};
use pliant::beam::{Basis, Beam, CrossSection, Material, Matter, Ways};
use pliant::spatial::Pose;
use std::error::Error;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let material = Material::named("aluminium").ok_or("no such material")?;
    let boom = |length, diameter| {
        let outline = CrossSection::Tube { diameter, wall: 0.002 };
        let matter = Matter::Made { outline, material: material.clone() };
        // two modes of the loaded link along y and two along z
        Beam::new(length, matter, Basis::loaded(Ways::new(2, 2, 0, 0)))
    };
    // both joints turn about y, so that gravity, along -z, bends the links along z
    let joint = Joint::revolute([0.0, 1.0, 0.0]);
    let arm = Builder::new("first arm")
        .link(Link::new("upper").joint(joint).beam(boom(1.5, 0.05)))
        // on the tip of the upper link
        .link(
            Link::new("fore")
                .joint(joint)
                .beam(boom(1.0, 0.04))
                .payload(2.0, [0.0; 3])
                .frame("hand", Pose::at(0.05, 0.0, 0.0)),
        )
        .build()?;
    print!("{arm}");

    // stretched out along x
    let q = arm.neutral();
    println!("inertia about the first joint: {:.4} kg m²", arm.mass_matrix(&q)?[(0, 0)]);

    // the brakes hold the joints, and the links bend under the weight
    let rest = arm.static_equilibrium(&q)?;
    let sag = arm.pose(&q, "hand")?.position.z - arm.pose(&rest.q, "hand")?.position.z;
    println!("sag of the hand: {:.3} mm", 1e3 * sag);
    println!("moment of the first brake: {:.3} N m", -rest.forces[0]);

    for (number, mode) in arm.modes(&q)?.modes.iter().take(3).enumerate() {
        println!("frequency {}: {:.3} Hz", number + 1, mode.hertz());
    }
    Ok(())
}
