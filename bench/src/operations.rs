//! How many operations the recursions take, counted while they run.

use crate::chains::{Chain, State};
use crate::engine::Error;
use crate::pliant_engine::arm_of;
use pliant::arm::Arm;
use pliant::dynamics::{aba, crba, rnea};
use pliant::scalar::{Counted, Counts, count};
use std::process::ExitCode;

/// Operation counts of serial chains of revolute joints with general placements and inertias.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Numbers of joints
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 3, 6, 7, 12, 30, 100])]
    joints: Vec<usize>,
}

/// Prints the table.
pub(crate) fn run(options: &Options) -> Result<ExitCode, Error> {
    println!("operations per call, counted by running the recursion on a counting number");
    println!("general revolute chains: any placement, any axis, full inertias\n");
    println!("joints  call  multiplications  additions  negations  sin-cos pairs  reciprocals");
    for &joints in &options.joints {
        let chain = Chain::new(joints);
        let arm: Arm<Counted> = arm_of(&chain)?.cast();
        for (name, counts) in evaluate(&arm, &chain.states[0]) {
            println!(
                "{joints:>6}  {name:<4}  {:>15}  {:>9}  {:>9}  {:>13}  {:>11}",
                counts.multiplications,
                counts.additions,
                counts.negations,
                counts.sin_cos,
                counts.recip
            );
        }
    }
    println!("\nKing quotes 852 multiplications and 738 additions for Newton-Euler at 6 joints");
    Ok(ExitCode::SUCCESS)
}

fn evaluate(arm: &Arm<Counted>, state: &State) -> [(&'static str, Counts); 3] {
    let counted = |values: &[f64]| values.iter().copied().map(Counted).collect::<Vec<_>>();
    let (q, u, mut ud) = (counted(&state.q), counted(&state.u), counted(&state.ud));
    let mut tau = counted(&state.tau);
    let mut matrix = vec![Counted(0.0); arm.nv() * arm.nv()];
    let mut inverse = rnea::Workspace::new(arm);
    let mut mass = crba::Workspace::new(arm);
    let mut forward = aba::Workspace::new(arm);
    [
        ("rnea", count(|| rnea::rnea_into(arm, &mut inverse, &q, &u, &ud, &mut tau)).1),
        ("crba", count(|| crba::crba_into(arm, &mut mass, &q, &mut matrix)).1),
        ("aba", count(|| aba::aba_into(arm, &mut forward, &q, &u, &mut tau, &mut ud)).1),
    ]
}
