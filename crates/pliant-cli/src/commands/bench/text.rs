//! The counts as tables, and why they differ from what is printed.

use super::{Findings, name};
use crate::figures::table;
use pliant::effort::{Quantity, printed};

/// What the steps of Gibbs-Appell do.
const STEPS: [&str; 11] = [
    "each link by itself",
    "rotations from link to link",
    "velocities, known accelerations",
    "forces of each link",
    "forces carried",
    "forces of bending",
    "right-hand side",
    "rotations between all links",
    "positions of all links",
    "sums over links further out",
    "inertia matrix",
];

/// Why counts differ from the printed ones.
const REASONS: &str = "\
Where they differ from what is printed:
  step 0   Korayem and Shafei count neither their equations (24) to (33) and (60) to (64) nor K delta.
  step 1   They count a product with zeros of one convention for frames; here twists are any.
  step 2   Two terms that they forgot are in, w x theta' and the second rate of the tip; 3 additions
           per link are for what hangs off the tip.
  step 9   They count 3 products for each mass times the unit matrix and 6 for a mass times a skew
           matrix, here 0 and 3, and 18 (n - 1) more than their own lines have.
  step 10  With rigid links among flexible ones they put the number of flexible links for that of
           all links.
  gibbs-appell  Exact rotation costs more in step 0 than their small angles; the rest is the same.
  King     He counts neither the integrals of step 0 nor torsion beside bending; his inverse dynamics
           and pliant's both grow with the square of the modes, since every pair has an integral.
  Book     4 x 4 matrices, and no term is shared between the links.
";

pub(super) fn write(findings: &Findings) -> String {
    let Findings { links, flexible, modes, counted, printed, steps } = findings;
    let cells = |line: &[&str]| line.iter().map(ToString::to_string).collect::<Vec<_>>();
    let mut lines = vec![cells(&["quantity", "method", "multiplications", "additions"])];
    for (k, quantity) in Quantity::ALL.into_iter().enumerate() {
        for (road, counts) in counted {
            let (m, a) = (counts[k].multiplications.to_string(), counts[k].additions.to_string());
            lines.push(cells(&[name(quantity), road, &m, &a]));
        }
    }
    let mut text = format!(
        "serial chain of {links} turning joints, {flexible} flexible links of {modes} coordinates\n\n\
         counted by running the method on a number that counts\n{}",
        table(&lines, 2)
    );
    if !printed.is_empty() {
        let mut lines = vec![cells(&["quantity", "printed by", "multiplications", "additions"])];
        for (quantity, source, printed) in printed {
            let additions = printed.additions.map_or("lost".to_owned(), |a| a.to_string());
            lines.push(cells(&[
                quantity,
                source,
                &printed.multiplications.to_string(),
                &additions,
            ]));
        }
        text += &format!("\nprinted\n{}", table(&lines, 2));
    }
    let head = ["step", "of Gibbs-Appell, small angles", "multiplications", "table 1", "additions"];
    let mut lines = vec![cells(&head)];
    for (step, counts) in steps.iter().enumerate() {
        let printed = printed::korayem_step(step, *links, *flexible, *modes);
        lines.push(vec![
            step.to_string(),
            STEPS[step].to_owned(),
            counts.multiplications.to_string(),
            printed.map_or("-".to_owned(), |m| m.to_string()),
            counts.additions.to_string(),
        ]);
    }
    text + &format!("\nstep by step\n{}\n{REASONS}", table(&lines, 2))
}
