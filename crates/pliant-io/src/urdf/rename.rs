//! Names that break the rule for names get the nearest that keep it.

use super::elements::shortened;
use super::findings::Findings;
use super::robot::{Name, Robot};
use crate::{Problem, codes};
use pliant::name::{LONGEST_NAME, NameError, check_name, check_title};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Renames the robot, its links and its joints where that is needed, and tells each new name.
pub(super) fn rename(robot: &mut Robot, findings: &mut Findings) {
    if let Some(name) = &mut robot.name
        && let Err(error) = check_title(&name.text)
    {
        findings.push(renamed("robot", &error, &error.nearest, &name.span));
        name.text = error.nearest;
    }
    let links = new_names("link", robot.links.iter().map(|link| &link.name), findings);
    let joints = new_names("joint", robot.joints.iter().map(|joint| &joint.name), findings);
    let give = |name: &mut Name, new: &HashMap<String, String>| {
        if let Some(new) = new.get(&name.text) {
            name.text.clone_from(new);
        }
    };
    for link in &mut robot.links {
        give(&mut link.name, &links);
    }
    for joint in &mut robot.joints {
        give(&mut joint.name, &joints);
        give(&mut joint.parent, &links);
        give(&mut joint.child, &links);
    }
}

/// A name of its own for each that breaks the rule.
fn new_names<'n>(
    what: &str,
    names: impl Iterator<Item = &'n Name> + Clone,
    findings: &mut Findings,
) -> HashMap<String, String> {
    let good = names.clone().map(|name| name.text.as_str()).filter(|name| check_name(name).is_ok());
    let mut taken: HashSet<String> = good.map(str::to_owned).collect();
    let mut new = HashMap::new();
    for Name { text, span } in names {
        let Err(error) = check_name(text) else { continue };
        if new.contains_key(text) {
            continue;
        }
        let mut numbered = (2..).map(|number| with_number(&error.nearest, number));
        let mut name = error.nearest.clone();
        while taken.contains(&name) {
            name = numbered.next().unwrap_or_default();
        }
        findings.push(renamed(what, &error, &name, span));
        taken.insert(name.clone());
        new.insert(text.clone(), name);
    }
    new
}

/// `upper_2`, no longer than a name may be.
fn with_number(name: &str, number: usize) -> String {
    let number = format!("_{number}");
    let kept: String = name.chars().take(LONGEST_NAME - number.len()).collect();
    kept + &number
}

fn renamed(what: &str, error: &NameError, new: &str, span: &Range<usize>) -> Problem {
    let old = shortened(&error.name);
    let message = format!("{what} \"{old}\" is called \"{new}\" here: its name {}", error.fault);
    Problem::warning(&codes::BAD_NAME, message)
        .at(span.clone())
        .label("renamed")
        .help("nothing to mend, unless another name is wanted")
}
