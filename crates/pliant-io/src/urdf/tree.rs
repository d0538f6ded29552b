//! How the links hang together.

use super::codes;
use super::elements::shortened;
use super::findings::Findings;
use super::robot::{Joint, Name, Robot};
use crate::nearest::nearest;
use crate::{Problem, Source};
use std::collections::HashMap;

/// A robot whose links form one tree.
pub(super) struct Tree {
    /// For each link its joint and its parent link; `None` for the root.
    pub(super) hangs: Vec<Option<Hang>>,
    /// The links in the order of the file, except that each one waits for its parent.
    pub(super) order: Vec<usize>,
}

/// What a link hangs on.
#[derive(Clone, Copy)]
pub(super) struct Hang {
    /// Index of the joint.
    pub(super) joint: usize,
    /// Index of the parent link.
    pub(super) parent: usize,
}

/// Finds the tree, or says why there is none.
pub(super) fn find(robot: &Robot, source: &Source, findings: &mut Findings) -> Option<Tree> {
    let links = robot.links.iter().map(|link| &link.name);
    let joints = robot.joints.iter().map(|joint| &joint.name);
    let by_name = unique("link", links.clone(), source, findings);
    let distinct = unique("joint", joints, source, findings).len() == robot.joints.len();
    // links that seem to be roots may only suffer from other faults
    let mut whole = robot.complete && distinct && by_name.len() == robot.links.len();
    let mut hangs: Vec<Option<Hang>> = vec![None; robot.links.len()];
    for (index, joint) in robot.joints.iter().enumerate() {
        let mut end = |which: &str, name: &Name| {
            let found = by_name.get(name.text.as_str()).copied();
            if found.is_none() {
                whole = false;
                findings.push_error(|| unknown(which, &joint.name.text, name, links.clone()));
            }
            found
        };
        let (parent, child) = (end("parent", &joint.parent), end("child", &joint.child));
        let Some((parent, child)) = parent.zip(child) else {
            continue;
        };
        if let Some(first) = hangs[child] {
            whole = false;
            findings.push_error(|| two_parents(&robot.joints[first.joint], joint, source));
        } else {
            hangs[child] = Some(Hang { joint: index, parent });
        }
    }
    if !whole {
        return None;
    }
    let order = order(robot, &hangs, findings)?;
    one_root(robot, &hangs, findings)?;
    (!findings.has_errors()).then_some(Tree { hangs, order })
}

/// The index of each name; names used twice are reported.
fn unique<'n>(
    what: &str,
    names: impl Iterator<Item = &'n Name>,
    source: &Source,
    findings: &mut Findings,
) -> HashMap<&'n str, usize> {
    let mut first: HashMap<&str, (usize, &Name)> = HashMap::new();
    for (index, name) in names.enumerate() {
        let (_, taken) = *first.entry(&name.text).or_insert((index, name));
        if taken.span == name.span {
            continue;
        }
        findings.push_error(|| {
            let line = source.place(taken.span.start).line;
            let message = format!("two {what}s have the name \"{}\"", shortened(&name.text));
            Problem::error(&crate::codes::DUPLICATE_NAME, message)
                .at(name.span.clone())
                .label(format!("the other one is in line {line}"))
                .help(format!("give every {what} a name of its own"))
        });
    }
    let indices = first.into_iter().map(|(name, (index, _))| (name, index));
    indices.collect()
}

fn two_parents(first: &Joint, second: &Joint, source: &Source) -> Problem {
    let line = source.place(first.child.span.start).line;
    Problem::error(
        &codes::TWO_PARENTS,
        format!(
            "link \"{}\" is the child of two joints, \"{}\" and \"{}\"",
            shortened(&second.child.text),
            shortened(&first.name.text),
            shortened(&second.name.text)
        ),
    )
    .at(second.child.span.clone())
    .label(format!("also the child in line {line}"))
    .help("remove one of the joints; closed chains are not part of URDF")
}

fn unknown<'n>(
    which: &str,
    joint: &str,
    name: &Name,
    links: impl Iterator<Item = &'n Name>,
) -> Problem {
    // what is very long was not mistyped
    let known = links.map(|link| link.text.as_str()).filter(|link| link.len() < 100);
    let help = match nearest(&name.text, known) {
        Some(meant) => format!("did you mean \"{meant}\"?"),
        None => format!("add <link name=\"{}\"/>, or mend the name", shortened(&name.text)),
    };
    Problem::error(
        &codes::UNKNOWN_LINK,
        format!(
            "the {which} of joint \"{}\" is \"{}\", which is not a link of this robot",
            shortened(joint),
            shortened(&name.text)
        ),
    )
    .at(name.span.clone())
    .help(help)
}

/// Parents before children, or the circle that makes it impossible.
fn order(robot: &Robot, hangs: &[Option<Hang>], findings: &mut Findings) -> Option<Vec<usize>> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        Unseen,
        OnPath,
        Placed,
    }
    let mut state = vec![State::Unseen; hangs.len()];
    let mut order = Vec::with_capacity(hangs.len());
    for start in 0..hangs.len() {
        // climb to the first placed ancestor, then come back down
        let mut path = Vec::new();
        let mut at = Some(start);
        while let Some(link) = at {
            match state[link] {
                State::Placed => break,
                State::OnPath => {
                    findings.push(circle(robot, hangs, link));
                    return None;
                }
                State::Unseen => {
                    state[link] = State::OnPath;
                    path.push(link);
                    at = hangs[link].map(|hang| hang.parent);
                }
            }
        }
        for &link in path.iter().rev() {
            state[link] = State::Placed;
            order.push(link);
        }
    }
    Some(order)
}

fn circle(robot: &Robot, hangs: &[Option<Hang>], link: usize) -> Problem {
    const SHOWN: usize = 6;
    let climb = std::iter::successors(Some(link), |&at| hangs[at].map(|hang| hang.parent));
    let length = 1 + climb.clone().skip(1).take_while(|&at| at != link).count();
    let name = |at: usize| format!("\"{}\"", shortened(&robot.links[at].name.text));
    let mut names: Vec<String> = climb.take(length.min(SHOWN)).map(name).collect();
    if length > SHOWN {
        names.push("…".to_owned());
    }
    names.push(name(link));
    let span = hangs[link].map(|hang| robot.joints[hang.joint].child.span.clone());
    let problem = Problem::error(
        &crate::codes::CYCLE,
        format!("links hang on one another in a circle: {}", names.join(" on ")),
    )
    .help("remove one joint of the circle, or exchange its parent and child");
    match span {
        Some(span) => problem.at(span),
        None => problem,
    }
}

fn one_root(robot: &Robot, hangs: &[Option<Hang>], findings: &mut Findings) -> Option<()> {
    let mut roots = (0..hangs.len()).filter(|&link| hangs[link].is_none());
    // without a circle there is a first
    let first = roots.next()?;
    let others: Vec<usize> = roots.collect();
    for &other in &others {
        let (first, other) = (&robot.links[first].name, &robot.links[other].name);
        findings.push(
            Problem::error(
                &codes::TWO_ROOTS,
                format!(
                    "link \"{}\" is no joint's child, and \"{}\" is already the root",
                    shortened(&other.text),
                    shortened(&first.text)
                ),
            )
            .at(other.span.clone())
            .help(format!(
                "connect it by a joint with <child link=\"{}\"/>, or remove it",
                shortened(&other.text)
            )),
        );
    }
    others.is_empty().then_some(())
}
