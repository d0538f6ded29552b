//! Motors, gears, friction and elastic joints.

mod forces;
mod frequencies;
mod runs;

use pliant::arm::{Actuator, Arm, Builder, Joint, Link};
use pliant::spatial::Pose;

const Z: [f64; 3] = [0.0, 0.0, 1.0];

/// A link that turns about z under some gravity along -x, `inertia` about its axis in all (kg m²),
/// and hangs at zero.
fn hanging(inertia: f64, gravity: f64, actuator: Actuator) -> Arm {
    let (mass, reach) = (2.0, 0.3);
    let about = inertia - mass * reach * reach;
    let tensor = [[about, 0.0, 0.0], [0.0, about, 0.0], [0.0, 0.0, about]];
    let link = Link::new("link").joint(Joint::revolute(Z)).body(mass, [reach, 0.0, 0.0], tensor);
    Builder::new("hanging")
        .gravity([gravity, 0.0, 0.0])
        .link(link.actuator(actuator))
        .build()
        .expect("a good arm")
}

/// Two links in a vertical plane, the first hanging from zero, both with the same drive.
fn two_links(actuator: Actuator) -> Arm {
    let rod = [[1e-4, 0.0, 0.0], [0.0, 0.02, 0.0], [0.0, 0.0, 0.02]];
    let link = |name: &str| {
        Link::new(name)
            .joint(Joint::revolute(Z))
            .body(1.0, [0.25, 0.0, 0.0], rod)
            .actuator(actuator)
    };
    Builder::new("two")
        .gravity([9.81, 0.0, 0.0])
        .link(link("upper"))
        .link(link("fore").placed(Pose::at(0.5, 0.0, 0.0)))
        .build()
        .expect("a good arm")
}
