//! Arm files: a TOML text becomes a checked arm.

mod actuator;
mod beam_faults;
mod beam_parts;
mod beam_text;
mod bend_text;
mod bends;
mod faults;
mod joint;
mod length;
mod link;
mod material;
mod matter;
pub(crate) mod placement;
mod profile;
mod section;
mod solid;
mod variants;

use crate::Loaded;
use crate::node::Node;
use crate::problem::{Report, Severity};
use crate::reader::Reader;
use crate::shapes::{Acceleration, Flag, Mass, Number, Text, Vector};
use crate::source::Source;
use crate::table::{Table as _, table};
pub use beam_text::BeamText;
pub use bend_text::{BendText, BendTextError, BentLink};
use faults::FileLink;
pub(crate) use faults::ill_conditioned;
pub(crate) use link::LinkTable;
use link::Links;
use pliant::arm::{Arm, Builder};
use pliant::name::nearest_title;
use pliant::reproduce::Variants;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

table! {
    /// An arm: a tree of links and joints.
    pub(crate) struct ArmTable = "the arm", "begin a link with the line [[link]], its keys below";
    elsewhere {
        "actuator" => "it belongs to a joint: joint = { kind = \"revolute\", actuator = { torque = \"50 N m\" } }",
        "controller" => "it belongs to a scenario, a file of its own that names this arm; pliant new track writes one",
        "duration" => "it belongs to a scenario, a file of its own that names this arm; pliant new swing writes one",
        "plan" => "it belongs to a scenario, a file of its own that names this arm; pliant new track writes one",
        "sensor" => "it belongs to a scenario, a file of its own that names this arm; pliant new track writes one",
    }
    keys {
        /// The name of the arm.
        name: Text [or "the file's name"],
        /// The acceleration of gravity in world axes.
        gravity: Vector<Acceleration> [or "[0, 0, -9.81]"],
        /// The mass of all links together, as a check: another sum gives a warning. pliant convert
        /// writes it, so that no mass gets lost when links are made flexible.
        total_mass: Number<Mass> [or "not checked"],
        /// True to accept inertias that no body has, with a warning; arms converted from other
        /// formats may need it.
        lenient: Flag [= false],
        /// The links. Each begins with the line [[link]].
        link: Links [required],
    }
}

/// More links than this are refused; the longest arms that anyone simulates have some hundred.
const MOST_LINKS: usize = 2000;

/// What the ground is called.
pub(crate) const GROUND: &str = "ground";

/// Reads an arm from the tree of an arm file.
pub(crate) fn read(source: &Source, root: &Node) -> Result<Loaded, Report> {
    let refuse = |problems| Report::new(source.clone(), problems);
    let mut reader = Reader::default();
    let built = read_node(&mut reader, &file_stem(source.name()), root, None);
    let report = refuse(reader.problems);
    match built {
        Some((arm, description, variants)) if report.count(Severity::Error) == 0 => {
            Ok(Loaded { arm, description, variants, warnings: report })
        }
        _ => Err(report),
    }
}

/// The description of an arm from the tree of an arm file, without building it.
pub(crate) fn description(source: &Source, root: &Node) -> Result<Builder, Report> {
    let mut reader = Reader::default();
    let found = describe(&mut reader, &file_stem(source.name()), root);
    match found {
        Some((builder, ..)) if !reader.has_errors() => Ok(builder),
        _ => Err(Report::new(source.clone(), reader.problems)),
    }
}

/// Reads an arm from a table of a file; it is called `usual` where it has no name. Its beams have the
/// shapes of another arm where one is given.
pub(crate) fn read_node(
    reader: &mut Reader,
    usual: &str,
    node: &Node,
    shaped: Option<&Arc<Arm>>,
) -> Option<(Arm, Builder, Variants)> {
    let (builder, links, places) = describe(reader, usual, node)?;
    let builder = shaped.into_iter().fold(builder, Builder::in_shapes_of);
    let variants = variants::of(&links);
    let mut lacks = variants.lacks(&builder);
    let built = builder.clone().build();
    // what hangs on what is known only now, and only of a file without faults
    if let (Ok(arm), [], false) = (&built, lacks.as_slice(), reader.has_errors()) {
        lacks.extend(variants.of(arm).err());
    }
    let is_sound = !reader.has_errors() && lacks.is_empty();
    let built = match built {
        Ok(arm) if is_sound => {
            reader.problems.extend(variants::warnings(&variants, &links));
            reader.problems.extend(faults::warnings(
                arm.warnings(),
                &links,
                places.total_mass.as_ref(),
            ));
            reader.problems.extend(ill_conditioned(&arm));
            Some(arm)
        }
        Ok(_) => None,
        Err(error) => {
            reader.problems.extend(faults::problems(&error.faults, &links, &places.name));
            None
        }
    };
    let faults = lacks.iter().map(|lack| variants::problem(lack, &variants, &links));
    reader.problems.extend(faults);
    Some((built?, builder, variants))
}

/// Where things stand that belong to no link.
struct Places {
    /// The arm's name.
    name: Range<usize>,
    total_mass: Option<Range<usize>>,
}

/// The description of the arm, and where its parts stand.
fn describe(
    reader: &mut Reader,
    usual: &str,
    root: &Node,
) -> Option<(Builder, Vec<FileLink>, Places)> {
    let arm = ArmTable::read(reader, "the arm", root)?;
    // one that cannot be read is told already
    let name = arm.name.or(nearest_title(usual)).unwrap_or_else(|| "arm".to_owned());
    let places = Places { name: arm.name.span_or(&root.span), total_mass: arm.total_mass.span() };
    let mut builder = Builder::new(name);
    if let Some(gravity) = arm.gravity.value {
        builder = builder.gravity(gravity);
    }
    if let Some(mass) = arm.total_mass.value {
        builder = builder.total_mass(mass);
    }
    if arm.lenient.value == Some(true) {
        builder = builder.lenient();
    }
    let tables = arm.link.value?;
    let read: Vec<_> = tables.iter().map(|table| table.link(reader)).collect();
    let mut links = Vec::with_capacity(tables.len());
    let mut matters = Vec::with_capacity(tables.len());
    for (link, along, matter) in read.into_iter().collect::<Option<Vec<_>>>()? {
        links.push((link, along));
        matters.push(matter);
    }
    let links = length::attach(reader, links, &tables);
    let both = tables.into_iter().zip(matters);
    let links_of_file = both.map(|(table, matter)| FileLink { table, matter }).collect();
    Some((links.into_iter().fold(builder, Builder::link), links_of_file, places))
}

fn file_stem(name: &str) -> String {
    let stem = Path::new(name).file_stem();
    stem.map_or_else(|| "arm".to_owned(), |stem| stem.to_string_lossy().into_owned())
}
