//! The counts as one object.

use super::{Findings, name};
use crate::figures::pretty;
use crate::output::Failure;
use pliant::reproduce::effort::{CountedQuantity, printed};
use serde_json::{Value, json};

pub(super) fn write(findings: &Findings) -> Result<String, Failure> {
    let Findings { links, flexible, modes, pattern, counted, printed, steps } = findings;
    let counted: Vec<Value> = counted
        .iter()
        .flat_map(|(method, counts)| {
            CountedQuantity::ALL.into_iter().zip(counts).map(move |(quantity, counts)| {
                json!({
                    "method": method, "quantity": name(quantity),
                    "multiplications": counts.multiplications, "additions": counts.additions,
                })
            })
        })
        .collect();
    let printed: Vec<Value> = printed
        .iter()
        .map(|(quantity, source, printed)| {
            json!({
                "source": source, "quantity": quantity,
                "multiplications": printed.multiplications, "additions": printed.additions,
            })
        })
        .collect();
    let steps: Vec<Value> = steps
        .iter()
        .enumerate()
        .map(|(step, counts)| {
            json!({
                "step": step, "multiplications": counts.multiplications,
                "additions": counts.additions,
                "printed_multiplications": printed::korayem_step(step, *links, *flexible, *modes),
            })
        })
        .collect();
    let whole = json!({
        "links": links, "flexible": flexible, "modes": modes, "pattern": pattern,
        "counted": counted, "printed": printed, "gibbs_appell_steps": steps,
    });
    pretty(&whole)
}
