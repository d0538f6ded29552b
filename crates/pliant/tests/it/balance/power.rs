//! Energy comes and goes only with motors, loads and dampers.

use crate::agree::loads::random_loads;
use crate::calls::{self, Rate};
use crate::models::{Model, models, prescribed};
use pliant::arm::{Actuator, Arm};
use pliant::beam::{Damping, Slide};
use pliant::dynamics::energy::{self, Power};
use pliant::dynamics::kinematics::Workspace;
use pliant::dynamics::passive;

/// `d(T + V)/dt = τ·u + Q·u − Σ d u²` along the motion that the forces cause, by dual numbers.
#[test]
fn the_rate_of_energy_is_the_power() {
    for model in models().iter().chain(&prescribed()) {
        let Model { arm, q, u, tau, ud, .. } = model;
        let loads = arm.load_forces(q, &random_loads(arm, 4));
        let loads = loads.unwrap_or_else(|e| panic!("{model}: {e}"));
        let driven: Vec<f64> = tau.iter().zip(&loads).map(|(t, q)| t + q).collect();
        let (forces, ud) = calls::aba(arm, q, u, &driven, ud);
        // what is left for the motors, reactions of prescribed joints included
        let motors: Vec<f64> = forces.iter().zip(&loads).map(|(f, q)| f - q).collect();

        let dual: Arm<Rate> = arm.cast();
        let (q_moving, u_moving) = (calls::moving(arm, q, u), calls::changing(u, &ud));
        let (mut work, mut passive) = (Workspace::new(&dual), passive::Workspace::new(&dual));
        let moving = work.move_with(&dual, &q_moving, &u_moving, &calls::constant(&ud));
        let energies = energy::energies(&dual, &mut passive, &moving, &q_moving, &u_moving);
        let rate = energies.total().du[0];

        let mut passive = passive::Workspace::new(arm);
        let power = Power::new(arm, &mut passive, [q, u], &motors, loads.as_slice());
        let parts = [
            energies.kinetic.du[0],
            energies.potential.du[0],
            energies.elastic.du[0],
            power.motors,
            power.loads,
            power.dampers,
        ];
        assert!(power.dampers <= 0.0, "{model}: dampers give energy");
        assert_close!(
            model,
            [rate],
            [power.total()],
            rel = 1e-11,
            of = crate::close::largest(&parts),
            "the parts cancel; accelerations are known to the condition of M times rounding"
        );
    }
}

/// Without motors, loads and dampers nothing changes.
#[test]
fn energy_is_conserved_without_forces() {
    for model in models() {
        let mut description = model.description.clone();
        for link in &mut description.links {
            link.damping.clear();
            link.actuator = link.actuator.map(|actuator| Actuator {
                damping: 0.0,
                viscous: 0.0,
                coulomb: 0.0,
                ..actuator
            });
            if let Some(beam) = &mut link.beam {
                beam.damping = Damping::default();
                beam.slide = beam.slide.map(|slide| Slide { damping: 0.0, ..slide });
            }
        }
        let arm = description.arm();
        let Model { q, u, .. } = &model;
        let still = vec![0.0; arm.nv()];
        let (_, ud) = calls::aba(&arm, q, u, &still, &still);
        let dual: Arm<Rate> = arm.cast();
        let (q_moving, u_moving) = (calls::moving(&arm, q, u), calls::changing(u, &ud));
        let (mut work, mut passive) = (Workspace::new(&dual), passive::Workspace::new(&dual));
        let moving = work.move_with(&dual, &q_moving, &u_moving, &u_moving);
        let energies = energy::energies(&dual, &mut passive, &moving, &q_moving, &u_moving);
        let (kinetic, potential) = (energies.kinetic.du[0], energies.potential.du[0]);
        assert_close!(
            model,
            [kinetic + potential],
            [-energies.elastic.du[0]],
            rel = 1e-11,
            of = kinetic.abs().max(potential.abs()),
            "energies only change into one another"
        );
    }
}
