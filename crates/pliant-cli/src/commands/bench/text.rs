//! The counts as tables, and why they differ from what is printed.

use super::{Findings, name};
use crate::figures::table;
use pliant::reproduce::effort::{CountedQuantity, printed};
use pliant::scalar::Counts;

/// What the steps of Gibbs-Appell do.
const STEPS: [&str; 11] = [
    "terms of each link alone",
    "rotations from link to link",
    "velocities, known accelerations",
    "forces of each link",
    "forces transmitted",
    "modal forces",
    "right-hand side",
    "rotations between all links",
    "positions of all links",
    "sums over outboard links",
    "inertia matrix",
];

/// Why counts differ from the printed ones.
const REASONS: &str = "\
Differences from the published counts:
  step 0   Korayem and Shafei count neither their equations (24) to (33) and (60) to (64) nor K delta.
  step 1   They print 15 products a link, fewer than the 18 that 1 + theta leaves of 27; here it is a
           full product, as exact rotation needs it.
  step 2   Includes the 6 products a link of w x theta', which they forgot, and the 9 of gravity.
  step 6   As printed if the last link is flexible; otherwise their -15 m is for a link that has no
           modes.
  step 9   Fewer by 3 (n - 1) for masses times the unit matrix, by 3 (n - 1) (n - 2) / 2 for masses
           times three numbers instead of six, and by 18 (n - 1) that their own lines do not have
           either, when terms of zero are left out and V counts both its products.
  step 10  As printed if all links are flexible; otherwise their formula has the number of flexible
           links instead of the number of links.
  additions  Table 1 has none; of the total in table 2, steps 1, 2 and 9 differ for the same reasons
           as their multiplications.
  gibbs-appell   Exact rotation instead of small angles costs more in step 0; the rest is the same.
  compiled       The recursion, or for forward dynamics the articulated bodies, without what is
                 zero, one, constant or done twice for this very arm; sines, and the functions of
                 bent sections, are not counted on either side. Published counts are for any arm.
  King           He prints totals only, so the difference cannot be broken down; his rotation of
                 first order needs no Jacobian, and the axes of his links are along the bars.
  King, rigid    He prints no formula: 137 n - 22 for the forces and 12 n^2 + 56 n - 27 for H, as
                 Walker and Orin count, make both of his totals, 3,190 and 11,495.
  Book           He multiplies 4 x 4 matrices, rotation and position in one.
  table 1.1      pliant's acceleration tensor is shared by a link and everything attached to it.
";

pub(super) fn write(findings: &Findings) -> String {
    let Findings { links, flexible, modes, pattern, counted, printed, steps } = findings;
    let cells = |line: &[&str]| line.iter().map(ToString::to_string).collect::<Vec<_>>();
    let mut lines = vec![cells(&["quantity", "method", "multiplications", "additions"])];
    for (k, quantity) in CountedQuantity::ALL.into_iter().enumerate() {
        for (method, counts) in counted {
            let (m, a) = (counts[k].multiplications.to_string(), counts[k].additions.to_string());
            lines.push(cells(&[name(quantity), method, &m, &a]));
        }
    }
    let mut text = format!(
        "serial chain of {links} revolute joints, {flexible} flexible links of {modes} modal coordinates\n\
         from the base outward: {pattern} (f flexible, r rigid)\n\n\
         counted while the method runs\n{}",
        table(&lines, 2)
    );
    if !printed.is_empty() {
        let mut lines = vec![cells(&["quantity", "published by", "multiplications", "additions"])];
        for (quantity, source, printed) in printed {
            let additions = printed.additions.map_or("lost".to_owned(), |a| a.to_string());
            lines.push(cells(&[
                quantity,
                source,
                &printed.multiplications.to_string(),
                &additions,
            ]));
        }
        text.push_str("\npublished\n");
        text.push_str(&table(&lines, 2));
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
    let total = |of: fn(&Counts) -> u64| steps[1..].iter().map(of).sum::<u64>().to_string();
    let printed = printed::korayem(*links, *flexible, *modes).multiplications;
    lines.push(vec![
        "1-10".to_owned(),
        "total".to_owned(),
        total(|counts| counts.multiplications),
        printed.to_string(),
        total(|counts| counts.additions),
    ]);
    text + &format!("\nstep by step\n{}\n{REASONS}", table(&lines, 2))
}
