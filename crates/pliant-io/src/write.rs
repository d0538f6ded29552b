//! Arm files out.

use crate::arm_file::{ArmTable, GROUND, LinkTable};
use crate::table::{Entries, Field, Table as _};
use crate::toml_out;
use pliant::arm::{Builder, LinkParts, Parent};
use pliant::reproduce::Variants;

/// The text of an arm file that describes the same arm, every number to the last digit.
///
/// An arm file calls what the arm stands on `ground`, so a link of that name is called
/// `ground_link`. What is read from it has a further frame `NAME.tip` for each link that bends.
/// Force elements are code: the file names them in a comment and does not have them.
///
/// ```
/// use pliant::arm::{Builder, Joint, Link};
///
/// let bob = Link::new("bob").joint(Joint::revolute([0.0, 1.0, 0.0])).payload(2.0, [0.5, 0.0, 0.0]);
/// let text = pliant_io::write_arm(&Builder::new("pendulum").link(bob));
/// assert!(text.contains("joint = { kind = \"revolute\", axis = \"y\" }"));
/// ```
pub fn write_arm(description: &Builder) -> String {
    write_arm_with(description, &Variants::default())
}

/// [`write_arm`] with the equations of documents that links ask for.
pub fn write_arm_with(description: &Builder, variants: &Variants) -> String {
    let [head, rest] = tables(description, variants);
    let mut text = String::from(
        "# SI units and radians; a number with another unit stands in quotes, such as \"90 deg\".\n",
    );
    text.push_str(&toml_out::document(&head.entries()));
    if description.parts().lenient {
        text.push_str("# accept inertias that no body has, with a warning\n");
    }
    for element in description.parts().elements {
        let name = element.name().escape_debug().to_string();
        text.extend(["# without the force element \"", &name, "\", which is code\n"]);
    }
    text.push_str(&toml_out::document(&rest.entries()));
    text
}

/// What describes an arm inside another file.
pub(crate) fn arm_entries(description: &Builder, variants: &Variants) -> Entries {
    tables(description, variants).iter().flat_map(ArmTable::entries).collect()
}

/// What describes an arm: its name and gravity, and the rest.
fn tables(description: &Builder, variants: &Variants) -> [ArmTable; 2] {
    let arm = description.parts();
    let head = ArmTable {
        name: arm.name.to_owned().into(),
        gravity: arm.gravity.into(),
        total_mass: arm.total_mass.into(),
        ..ArmTable::default()
    };
    let rest = ArmTable {
        lenient: arm.lenient.into(),
        link: links(description, variants).into(),
        ..ArmTable::default()
    };
    [head, rest]
}

/// What describes the links.
fn links(description: &Builder, variants: &Variants) -> Vec<LinkTable> {
    let links = parts(description);
    let renamed = new_name_of_ground(&links);
    let name_of = |name: &str| -> Field<String> {
        renamed.as_deref().filter(|_| name == GROUND).unwrap_or(name).to_owned().into()
    };
    let table = |(index, link): (usize, &LinkParts<'_>)| {
        let before = index.checked_sub(1).map(|i| &links[i]);
        let is_before = |name: &str| before.is_some_and(|before| before.name == name);
        let carrier = match link.parent {
            Parent::Previous => before,
            Parent::Ground => None,
            Parent::Link(parent) => links.iter().find(|link| link.name == parent),
        };
        let mut described = LinkTable::of(link, carrier.and_then(|carrier| carrier.beam));
        described.ask_for(link.name, variants);
        LinkTable {
            name: name_of(link.name),
            parent: match link.parent {
                Parent::Ground if before.is_some() => GROUND.to_owned().into(),
                Parent::Link(parent) if !is_before(parent) => name_of(parent),
                _ => Field::default(),
            },
            ..described
        }
    };
    links.iter().enumerate().map(table).collect()
}

fn parts(description: &Builder) -> Vec<LinkParts<'_>> {
    description.parts().links.iter().map(pliant::arm::Link::parts).collect()
}

/// What [`write_arm`] calls a link of the name `ground`, if there is one.
pub fn name_of_ground_link(description: &Builder) -> Option<String> {
    new_name_of_ground(&parts(description))
}

/// What a link called like the ground is called instead.
fn new_name_of_ground(links: &[LinkParts<'_>]) -> Option<String> {
    links.iter().find(|link| link.name == GROUND)?;
    let mut name = format!("{GROUND}_link");
    let taken = |name: &str| {
        let frames = |link: &LinkParts<'_>| link.frames.iter().any(|(frame, ..)| frame == name);
        links.iter().any(|link| link.name == name || frames(link))
    };
    while taken(&name) {
        name.push('_');
    }
    Some(name)
}
