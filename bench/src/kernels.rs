//! Instructions of the kernels: inverse dynamics, mass matrix, forward dynamics.

use crate::chains::Chain;
use crate::engine::Error;
use crate::instructions::{self, InstructionCounter};
use crate::pliant_engine::arm_of;
use crate::report::Format;
use pliant::arm::Arm;
use pliant::dynamics::{aba, crba, rnea};
use serde_json::json;
use std::hint::black_box;
use std::path::Path;
use std::process::ExitCode;

/// Instructions of one call of rnea, crba and aba, on rigid revolute chains and on King's arm of
/// two links that bend
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Aligned text, or one JSON object per row.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Numbers of links of the rigid chains.
    #[arg(long, value_delimiter = ',', default_values_t = [6, 12, 30])]
    links: Vec<usize>,
    /// Only run one kernel on one arm so often, for counting instructions: kernel, links (0 for
    /// King's arm), calls.
    #[arg(long, value_delimiter = ',', hide = true)]
    only: Vec<usize>,
}

const KERNELS: [&str; 3] = ["rnea", "crba", "aba"];

/// How many calls are counted together: loading King's arm takes a number of instructions that
/// varies, by a tenth of one call in this many.
const CALLS: u32 = 2000;

/// Runs the benchmark.
pub(crate) fn run(options: &Options) -> Result<ExitCode, Error> {
    if let [kernel, links, calls] = options.only[..] {
        Subject::new(links)?.call(kernel, calls);
        return Ok(ExitCode::SUCCESS);
    }
    let Some(counter) = InstructionCounter::find() else {
        println!("{}", instructions::NEEDS);
        return Ok(ExitCode::SUCCESS);
    };
    if options.format == Format::Text {
        println!("instructions per call, compiled for x86-64-v2");
        println!();
        println!("arm               {:>8}  {:>8}  {:>8}", KERNELS[0], KERNELS[1], KERNELS[2]);
    }
    for &links in options.links.iter().chain(&[0]) {
        let name =
            if links == 0 { "King, two links".to_owned() } else { format!("{links} rigid links") };
        let counts = [0, 1, 2].map(|kernel| {
            counter.per_call("kernels", CALLS, |calls| format!("{kernel},{links},{calls}"))
        });
        if options.format == Format::Json {
            let [rnea, crba, aba] = counts;
            let row = json!({
                "record": "kernels", "arm": name, "rnea": rnea, "crba": crba, "aba": aba
            });
            println!("{row}");
        } else {
            let [rnea, crba, aba] = counts.map(|n| n.map_or("-".to_owned(), |n| n.to_string()));
            println!("{name:<16}  {rnea:>8}  {crba:>8}  {aba:>8}");
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// An arm in a state, with room for all kernels.
struct Subject {
    arm: Arm,
    q: Vec<f64>,
    u: Vec<f64>,
    ud: Vec<f64>,
    tau: Vec<f64>,
    mass: Vec<f64>,
    rnea: rnea::Workspace,
    crba: crba::Workspace,
    aba: aba::Workspace,
}

impl Subject {
    /// A random rigid chain, or King's arm for no links.
    fn new(links: usize) -> Result<Self, Error> {
        let arm = if links == 0 {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../robots/king-two-link.toml");
            pliant_io::load(Path::new(path)).map_err(Box::new)?.arm
        } else {
            arm_of(&Chain::new(links))?
        };
        let n = arm.nv();
        let wave = |joint: f64, beam: f64| -> Vec<f64> {
            let size = |k: usize| if arm.turns(k) { joint } else { beam };
            (0..n).map(|k| size(k) * (1.0 + k as f64).sin()).collect()
        };
        Ok(Self {
            q: wave(1.0, 1e-3),
            u: wave(1.0, 1e-2),
            ud: wave(1.0, 1e-2),
            tau: wave(1.0, 0.0),
            mass: vec![0.0; n * n],
            rnea: rnea::Workspace::new(&arm),
            crba: crba::Workspace::new(&arm),
            aba: aba::Workspace::new(&arm),
            arm,
        })
    }

    fn call(&mut self, kernel: usize, calls: usize) {
        let Self { arm, q, u, ud, tau, mass, rnea, crba, aba } = self;
        for _ in 0..calls {
            match kernel {
                0 => rnea::rnea_into(arm, rnea, q, u, ud, tau),
                1 => crba::crba_into(arm, crba, q, mass),
                _ => aba::aba_into(arm, aba, q, u, tau, ud),
            }
            black_box((&tau, &mass, &ud));
        }
    }
}
