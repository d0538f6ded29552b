//! Forward dynamics of chains whose links bend.

use crate::engine::Error;
use crate::instructions::{self, InstructionCounter};
use crate::machine;
use crate::report::Format;
use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::beam::{Basis, Beam, CrossSection, Material, Matter, Ways};
use pliant::dynamics::aba;
use pliant::spatial::{Pose, Vec3, euler_xyz};
use serde_json::json;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

/// The articulated-body recursion on serial chains of bars that bend.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Aligned text, or one JSON object per row.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Numbers of links.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 4, 10, 30, 100])]
    links: Vec<usize>,
    /// Rounds per row, the median of which is printed.
    #[arg(long, default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Only run one chain so often, for counting instructions: links, coordinates, foreshortening
    /// (0 or 1), calls.
    #[arg(long, value_delimiter = ',', hide = true)]
    only: Vec<usize>,
}

/// How many coordinates of bending a link has: of y and z bending, torsion and stretch.
const COORDINATES: [(usize, [usize; 4]); 4] =
    [(0, [0, 0, 0, 0]), (2, [1, 1, 0, 0]), (6, [2, 2, 1, 1]), (12, [4, 4, 2, 2])];

/// A chain and what a call needs.
struct Subject {
    arm: Arm,
    work: aba::Workspace,
    q: Vec<f64>,
    u: Vec<f64>,
    tau: Vec<f64>,
    ud: Vec<f64>,
}

/// Runs the benchmark.
pub(crate) fn run(options: &Options) -> Result<ExitCode, Error> {
    if let [links, coordinates, foreshortening, calls] = options.only[..] {
        Subject::new(links, coordinates, foreshortening == 1)?.batch(calls as u32);
        return Ok(ExitCode::SUCCESS);
    }
    let counter = InstructionCounter::find();
    if options.format == Format::Text {
        println!("processor: {}", machine::processor());
        println!("forward dynamics by the articulated-body recursion, revolute chains of bars");
        if counter.is_none() {
            println!("{}", instructions::NEEDS);
        }
        println!();
        println!("links  coordinates  foreshortening  ns/call  ns/coordinate  instructions/call");
    }
    for &links in &options.links {
        for (coordinates, _) in COORDINATES {
            for foreshortening in [false, true] {
                if coordinates == 0 && foreshortening {
                    continue;
                }
                row(options, counter.as_ref(), links, coordinates, foreshortening)?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn row(
    options: &Options,
    counter: Option<&InstructionCounter>,
    links: usize,
    coordinates: usize,
    foreshortening: bool,
) -> Result<(), Error> {
    let mut subject = Subject::new(links, coordinates, foreshortening)?;
    // about a millisecond a round
    let calls = 1 + 20_000 / (links * (1 + coordinates * coordinates)) as u32;
    let mut samples: Vec<f64> = (0..options.rounds).map(|_| subject.time(calls)).collect();
    samples.sort_by(f64::total_cmp);
    let ns = samples[samples.len() / 2];
    let nv = subject.arm.nv();
    let each = ns / nv as f64;
    let counted = counter.and_then(|counter| {
        let more = (2000 / links).max(20) as u32;
        counter.per_call("flexible", more, |calls| {
            format!("{links},{coordinates},{},{calls}", u8::from(foreshortening))
        })
    });
    if options.format == Format::Json {
        let row = json!({
            "record": "flexible", "processor": machine::processor(), "links": links,
            "coordinates_per_link": coordinates, "foreshortening": foreshortening, "nv": nv,
            "median_ns": ns, "ns_per_coordinate": each, "instructions": counted
        });
        println!("{row}");
    } else {
        let on = if coordinates == 0 {
            "-"
        } else if foreshortening {
            "on"
        } else {
            "off"
        };
        let counted = counted.map_or("-".to_owned(), |n| n.to_string());
        println!("{links:>5}  {coordinates:>11}  {on:>14}  {ns:>7.0}  {each:>13.1}  {counted:>17}");
    }
    Ok(())
}

impl Subject {
    fn new(links: usize, coordinates: usize, foreshortening: bool) -> Result<Self, Error> {
        let arm = chain(links, coordinates, foreshortening)?;
        let wave = |size: f64, k: usize| size * (1.0 + k as f64).sin();
        let bend = |k: usize, joint: f64, beam: f64| {
            if arm.velocity_names()[k].contains('.') { wave(beam, k) } else { wave(joint, k) }
        };
        let n = arm.nv();
        Ok(Self {
            work: aba::Workspace::new(&arm),
            q: (0..n).map(|k| bend(k, 1.0, 1e-3)).collect(),
            u: (0..n).map(|k| bend(k, 1.0, 1e-2)).collect(),
            tau: (0..n).map(|k| bend(k, 1.0, 0.0)).collect(),
            ud: vec![0.0; n],
            arm,
        })
    }

    fn batch(&mut self, calls: u32) {
        for _ in 0..calls {
            aba::aba_into(&self.arm, &mut self.work, &self.q, &self.u, &mut self.tau, &mut self.ud);
            black_box(&self.ud);
        }
    }

    /// Nanoseconds per call.
    fn time(&mut self, calls: u32) -> f64 {
        let start = Instant::now();
        self.batch(calls);
        start.elapsed().as_secs_f64() * 1e9 / f64::from(calls)
    }
}

/// Bars of aluminium, one metre each, their joints turned against one another.
fn chain(links: usize, coordinates: usize, foreshortening: bool) -> Result<Arm, Error> {
    let shapes = COORDINATES.iter().find(|(count, _)| *count == coordinates);
    let [y, z, torsion, axial] = shapes.map_or([0; 4], |(_, shapes)| *shapes);
    let outline = CrossSection::Tube { diameter: 0.03, wall: 0.002 };
    let material = Material::named("aluminium");
    let matter = material.map(|material| Matter::Made { outline, material });
    let mut builder = Builder::new("chain").gravity([0.0, 0.0, -9.81]);
    for i in 0..links {
        let turn = euler_xyz(0.5 + i as f64, 0.1, 0.2);
        let mut link = Link::new(format!("link{i}")).joint(Joint::revolute([0.0, 0.0, 1.0]));
        let at = if i > 0 && coordinates == 0 { 1.0 } else { 0.0 };
        link = link.placed(Pose::new(turn, Vec3::new(at, 0.0, 0.0)));
        if coordinates == 0 {
            let tensor = [[0.01, 0.0, 0.0], [0.0, 0.05, 0.0], [0.0, 0.0, 0.05]];
            link = link.body(0.5, [0.5, 0.0, 0.0], tensor);
        } else if let Some(matter) = &matter {
            if i > 0 {
                link = link.at_section(1.0);
            }
            let basis = Basis::ClampedFree(Ways::new(y, z, torsion, axial));
            link = link.beam(Beam { foreshortening, ..Beam::new(1.0, matter.clone(), basis) });
        }
        builder = builder.link(link);
    }
    Ok(builder.build()?)
}
