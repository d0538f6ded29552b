//! `pliant bench`: operation counts of the algorithms.

mod json;
mod text;

use super::options::Format;
use crate::output::{Failure, Output};
use clap::Args;
use pliant::Help;
use pliant::compile::{Functions, Quantity, Trace};
use pliant::reproduce::effort::{
    self, CountedQuantity,
    printed::{self, Printed},
};
use pliant::reproduce::recurrence::Evaluation;
use pliant::reproduce::{Algorithm, Rotation, Unsupported};
use pliant::scalar::Counts;

/// Operation counts of the algorithms: multiplications and additions, counted while they run
///
/// The arm is a serial chain of revolute joints with twisted axes. The published counts of King, of
/// Korayem and Shafei, and of Book are shown for comparison.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    pliant bench --operations\n  \
    pliant bench --operations --links 6 --flexible 2 --modes 3\n  \
    pliant bench --operations --links 6 --flexible 0\n  \
    pliant bench --operations --pattern rff\n\n\
    cargo xtask bench measures times and compares them with those of other programs.")]
pub(crate) struct Bench {
    /// Count operations
    #[arg(long, required = true)]
    operations: bool,

    /// Number of links
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u16).range(1..=i64::from(MOST_LINKS)))]
    links: u16,

    /// Number of flexible links, counted from the base; default: all
    #[arg(long)]
    flexible: Option<u16>,

    /// Which links are flexible (f) and which rigid (r), from the base outward, such as rff;
    /// instead of --links and --flexible
    #[arg(long, conflicts_with_all = ["links", "flexible"])]
    pattern: Option<String>,

    /// Modal coordinates of each flexible link
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=12))]
    modes: u16,

    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

const MOST_LINKS: u16 = 200;

/// Everything that is shown.
struct Findings {
    links: usize,
    flexible: usize,
    modes: usize,
    /// Which links bend: `f` and `r`, from the base outward.
    pattern: String,
    /// Algorithm by algorithm, in the order of [`CountedQuantity::ALL`].
    counted: Vec<(&'static str, [Counts; 4])>,
    printed: Vec<(&'static str, &'static str, Printed)>,
    steps: [Counts; 11],
}

const ALGORITHMS: [(&str, Algorithm); 5] = [
    ("recursive", Algorithm::Recursive),
    ("composite", Algorithm::Composite),
    ("articulated", Algorithm::Articulated),
    ("gibbs-appell", Algorithm::GibbsAppell(Rotation::Exact)),
    ("recurrence", Algorithm::Recurrence(Evaluation::InTurn)),
];

impl Bench {
    pub(crate) fn run(&self, output: &Output) -> Result<(), Failure> {
        let findings = Findings::new(&self.bends()?, usize::from(self.modes))?;
        output.data(&match self.format {
            Format::Text => text::write(&findings),
            Format::Json => json::write(&findings)?,
        })
    }
}

impl Bench {
    /// Which links bend, from the base outward.
    fn bends(&self) -> Result<Vec<bool>, Failure> {
        let Some(pattern) = &self.pattern else {
            let links = usize::from(self.links);
            let flexible = self.flexible.map_or(links, usize::from);
            if flexible > links {
                return Err(Failure::input(
                    format!("{flexible} of {links} links cannot bend"),
                    format!("give --flexible 0 to {links}, or more --links"),
                ));
            }
            return Ok((0..links).map(|link| link < flexible).collect());
        };
        let bends = pattern.chars().map(|letter| match letter {
            'f' => Some(true),
            'r' => Some(false),
            _ => None,
        });
        match bends.collect::<Option<Vec<_>>>() {
            Some(bends) if (1..=usize::from(MOST_LINKS)).contains(&bends.len()) => Ok(bends),
            _ => Err(Failure::input(
                format!("the pattern {pattern:?} does not say which links bend"),
                format!("give a letter for each of 1 to {MOST_LINKS} links, f or r, such as rff"),
            )),
        }
    }
}

impl Findings {
    fn new(bends: &[bool], modes: usize) -> Result<Self, Failure> {
        let (links, flexible) = (bends.len(), bends.iter().filter(|&&bends| bends).count());
        let modes = if flexible > 0 { modes } else { 0 };
        let own = |bends: &bool| if *bends { modes } else { 0 };
        let arm = effort::chain(&bends.iter().map(own).collect::<Vec<_>>())
            .map_err(|fault| Failure::internal(fault.with_help()))?;
        let pattern = bends.iter().map(|&bends| if bends { 'f' } else { 'r' }).collect();
        let lacks = |lack: Unsupported| Failure::internal(lack.with_help());
        let mut counted = Vec::new();
        for (name, algorithm) in ALGORITHMS {
            let mut counts = [Counts::default(); 4];
            for (counts, quantity) in counts.iter_mut().zip(CountedQuantity::ALL) {
                *counts = effort::operations(&arm, algorithm, quantity).map_err(lacks)?;
            }
            counted.push((name, counts));
        }
        let compiled = CountedQuantity::ALL.map(|quantity| {
            let quantity = match quantity {
                CountedQuantity::InverseDynamics => Quantity::InverseDynamics,
                CountedQuantity::Mass => Quantity::MassMatrix,
                CountedQuantity::MassAndBias => Quantity::MassMatrixAndBias,
                CountedQuantity::ForwardDynamics => Quantity::ForwardDynamics,
            };
            Trace::new(&arm, quantity, Functions::Called).counts()
        });
        counted.push(("compiled", compiled));
        let steps = effort::gibbs_appell_steps(&arm).map_err(lacks)?;
        let printed = printed(links, flexible, modes);
        Ok(Self { links, flexible, modes, pattern, counted, printed, steps })
    }
}

/// The printed counts that are for such a chain.
fn printed(n: usize, f: usize, m: usize) -> Vec<(&'static str, &'static str, Printed)> {
    let mut all = Vec::new();
    if f == n {
        let (inverse, mass) = (printed::king_inverse(n, m), printed::king_mass(n, m));
        let both = Printed {
            multiplications: inverse.multiplications + mass.multiplications,
            additions: inverse.additions.zip(mass.additions).map(|(a, b)| a + b),
        };
        all.push(("inverse dynamics", "King, section 2.8", inverse));
        all.push(("H", "King, section 2.8", mass));
        all.push(("H and R", "King, section 2.8", both));
    } else if f > 0 {
        let source = "King, section 2.8, bending and rigid links without coupling";
        all.push(("H and R", source, printed::king_mixed(f, n - f, m)));
    } else {
        all.push(("H and R", "King, section 2.8, rigid", printed::king_rigid(n)));
    }
    if f > 0 {
        all.push(("H and R", "Korayem and Shafei, table 2", printed::korayem(n, f, m)));
        all.push(("H and R", "Book, as both quote it", printed::book(n, f, m)));
    }
    if n == 6 {
        for (method, multiplications, additions) in printed::RIGID_SIX {
            let printed = Printed {
                multiplications: f64::from(multiplications),
                additions: Some(f64::from(additions)),
            };
            all.push(("inverse dynamics", method, printed));
        }
    }
    all
}

/// The name of a quantity.
fn name(quantity: CountedQuantity) -> &'static str {
    match quantity {
        CountedQuantity::InverseDynamics => "inverse dynamics",
        CountedQuantity::Mass => "H",
        CountedQuantity::MassAndBias => "H and R",
        CountedQuantity::ForwardDynamics => "forward dynamics",
    }
}
