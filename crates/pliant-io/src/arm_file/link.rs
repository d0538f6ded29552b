//! A link of an arm file.

use super::joint::{self, JointTable};
use super::length::{self, Along, AlongTable};
use super::matter::{self, Body, Matter, Payload, Weight};
use super::placement::{self, Dh, Placed, Placement};
use super::solid::Solids;
use super::{GROUND, MOST_LINKS};
use crate::codes;
use crate::node::{Node, Value, one_or_many, quoted, unnamed};
use crate::problem::Problem;
use crate::reader::Reader;
use crate::shapes::{
    Either, Flat, Length, ManyOfKinds, Number, One, OneOrMany, Or, Tables, Text, Word, every,
};
use crate::spec::Form;
use crate::table::{Field, Shape, Table, table};
use pliant::arm::{Attachment, Joint, Link, LinkParts, tip_name};
use pliant::beam::Beam;
use pliant::spatial::Pose;

table! {
    /// A link: its joint, its placement on the parent, and its mass. Everything that belongs to the
    /// link is given in the link frame, which moves with it.
    pub(crate) struct LinkTable = "a link", "begin a link with the line [[link]], its keys below";
    elsewhere {
        "diameter" => "it belongs to the section: section = { kind = \"round\", diameter = \"10 mm\" }",
        "modes" => "write how many each way: bends = { y = 2, z = 2 }",
        "flexible" => "write how it bends: bends = { y = 2, z = 2 }",
        "actuator" => "it belongs to the joint: joint = { kind = \"revolute\", actuator = { torque = \"50 N m\" } }",
        "friction" => "it belongs to the joint's actuator: coulomb and coulomb_speed",
        "slides" => "it belongs to how the link bends: bends = { y = 2, slides = { from = \"0.3 m\", to = \"1 m\" } }",
    }
    keys {
        /// The name of the link, and by default of its coordinates.
        name: Text [required],
        /// The parent link, or "ground".
        parent: Text [or "the previous link in the file; the ground for the first"],
        /// Position of the joint along a parent that has a length; at = 0 is the root of the
        /// parent.
        at: Number<Length> [or "the parent's tip"],
        /// The joint between the parent and the link.
        joint: Or<Word<Joint>, JointTable> [or "\"fixed\", and \"revolute\" with dh"],
        /// Pose of the joint in the frame of the parent; on a parent with a length, in the frame of
        /// its tip or of the position given by at.
        placement: Placed [or "at its origin"],
        /// Pose of the link frame in the frame that the joint moves.
        outboard: Placed [or "at its origin"],
        /// A row of Denavit-Hartenberg parameters instead of a placement; the axis of the joint is
        /// z.
        dh: One<Dh> [or "given by placement"],
        /// What it weighs.
        weight: Flat<Weight> [flat],
        /// A body of a given shape and mass or density, instead of mass, com and inertia.
        shape: ManyOfKinds<Solids> [or "given by mass, com and inertia"],
        /// Several bodies, each with mass, com and inertia, or with a shape. On a link with a
        /// section they are added to it, at its root.
        body: Tables<Body> [or "none"],
        /// What makes it long.
        along: Flat<AlongTable> [flat],
        /// A payload, in addition to the link's own mass; at the tip of a link that has a length.
        payload: OneOrMany<Payload> [or "none"],
        /// Additional frames on the link, for tools, sensors and loads.
        frames: Tables<FrameTable> [or "none"],
    }
}

table! {
    /// An additional frame on a link.
    pub(crate) struct FrameTable = "a frame",
        "write { name = \"tip\", position = [0, 0, \"10 mm\"] }";
    keys {
        /// The name of the frame.
        name: Text [required],
        /// Position along a link that has a length; at = 0 is its root.
        at: Number<Length> [or "its tip"],
        /// Where it is.
        placement: Flat<Placement> [flat],
    }
}

/// The links of an arm, each called by its name in messages.
pub(crate) struct Links;

impl Shape for Links {
    type Value = Vec<LinkTable>;
    const FORM: Form = Form::Tables(LinkTable::SPEC);
    fn read(reader: &mut Reader, _: &str, node: &Node) -> Option<Vec<LinkTable>> {
        let nodes = one_or_many(node);
        if nodes.is_empty() || nodes.len() > MOST_LINKS {
            let (code, message, help) = if nodes.is_empty() {
                (&codes::MISSING_KEY, "the arm has no links".to_owned(), LinkTable::SPEC.example)
            } else {
                let message = format!("the arm has {} links, more than {MOST_LINKS}", nodes.len());
                (&codes::TOO_LARGE, message, "describe an arm of fewer links")
            };
            reader.push(Problem::error(code, message).at(node.span.clone()).help(help));
            return None;
        }
        let mut item = 0;
        every(nodes, |node| {
            reader.whose = unnamed("link", node, item, nodes.len()).unwrap_or_default();
            item += 1;
            let fields = reader.fields("the link", node, LinkTable::SPEC)?;
            if let Some(Value::Text(name)) = fields.get("name").map(|node| &node.value)
                && !name.trim().is_empty()
            {
                reader.whose = whose(name);
            }
            let table = LinkTable::from_fields(reader, &fields);
            reader.whose.clear();
            Some(table)
        })
    }
    fn write(value: &Vec<LinkTable>) -> Value {
        Tables::write(value)
    }
}

/// What messages call a link.
fn whose(name: &str) -> String {
    format!("link {}", quoted(name))
}

impl LinkTable {
    /// The link without its place along its parent and its frames, its length, and its matter.
    pub(super) fn link(&self, reader: &mut Reader) -> Option<(Link, Option<Along>, Vec<Matter>)> {
        // without a name the link is read for its faults alone
        let name = self.name.get().map_or("", String::as_str);
        if !name.is_empty() {
            reader.whose = whose(name);
        }
        if name == GROUND {
            reader.push(
                Problem::error(&codes::DUPLICATE_NAME, "a link cannot be called ground")
                    .at(self.name.span_or(&self.span))
                    .help("\"ground\" is what the arm stands on; give the link another name"),
            );
        }
        let mut link = Link::new(name);
        link = match self.parent.get().map(String::as_str) {
            Some(GROUND) => link.on_ground(),
            Some(parent) => link.on(parent),
            None => link,
        };
        link = self.place(reader, link);
        if self.outboard.is_given() {
            let ways = [self.dh.given(), self.outboard.given()];
            reader.exclude(&ways, "a row says where the frame is");
        }
        if let Some(pose) = placement::pose(reader, &self.outboard) {
            link = link.outboard(pose);
        }
        if let Some(joint) = self.joint.get() {
            link = joint::joint(reader, joint, link, self.dh.is_given());
        }
        let mut matter = Vec::new();
        let (mut link, along) = length::of_link(reader, self, link, &mut matter);
        for body in matter::of_link(reader, self) {
            let rows = body.tensor.to_mat3().to_rows();
            link = link.body(body.mass, body.centre.to_array(), rows);
            matter.push(body);
        }
        let payload = self.payload.get().into_iter().flatten();
        for payload in payload.filter_map(Payload::matter) {
            link = carry(link, along.as_ref(), &payload);
            matter.push(payload);
        }
        reader.whose.clear();
        self.name.get()?;
        Some((link, along, matter))
    }

    /// Puts the joint on the parent, by a placement or by a Denavit-Hartenberg row.
    fn place(&self, reader: &mut Reader, link: Link) -> Link {
        let ways = [self.placement.given(), self.dh.given()];
        reader.exclude(&ways, "a joint is placed in one way");
        if self.placement.is_given() {
            return match placement::pose(reader, &self.placement) {
                Some(pose) => link.placed(pose),
                None => link,
            };
        }
        match self.dh.get() {
            Some(dh) => placement::denavit_hartenberg(dh, link),
            None => link,
        }
    }

    /// Its further frames.
    pub(super) fn frames(&self) -> impl Iterator<Item = &FrameTable> {
        self.frames.get().into_iter().flatten()
    }

    /// What describes a link but for its name and its parent, whose beam may carry it.
    pub(crate) fn of(link: &LinkParts<'_>, parent: Option<&Beam>) -> Self {
        let (at, placement) = match parent {
            Some(beam) => place_on(beam, link.attachment, &link.placement),
            None => (None, link.placement),
        };
        let moves = link.joint != Joint::Fixed;
        let (weight, body) = match link.masses {
            [(_, mass)] if link.beam.is_none() => (Weight::of(mass), None),
            _ => {
                let bodies: Vec<Body> = link.root_masses().map(Body::of).collect();
                (Weight::default(), Some(bodies).filter(|bodies| !bodies.is_empty()))
            }
        };
        let payload: Vec<Payload> = link.tip_masses().map(Payload::of).collect();
        let frames = FrameTable::all(link);
        Self {
            at: at.into(),
            joint: moves.then(|| Either::Table(JointTable::of(link))).into(),
            placement: placement::placed(&placement),
            outboard: placement::placed(&link.outboard),
            weight,
            body: body.into(),
            along: link.beam.map(AlongTable::of).unwrap_or_default(),
            payload: Some(payload).filter(|payload| !payload.is_empty()).into(),
            frames: Some(frames).filter(|frames| !frames.is_empty()).into(),
            ..Self::default()
        }
    }
}

impl FrameTable {
    /// What describes the frames of a link: in the link frame, or at places along its beam.
    fn all(link: &LinkParts<'_>) -> Vec<Self> {
        let is_root = |(_, at, _): &&(_, Attachment, _)| at.distance(link.beam).is_none();
        let (root, along): (Vec<_>, Vec<_>) = link.frames.iter().partition(is_root);
        let mut all = Vec::new();
        for (name, at, pose) in root.into_iter().chain(along) {
            let (at, pose) = match link.beam {
                Some(beam) => place_on(beam, *at, pose),
                None => (None, *pose),
            };
            let is_tip = link.tip_frame == Some(name) && *name == tip_name(link.name);
            if link.beam.is_some() && is_tip && at.is_none() && pose == Pose::IDENTITY {
                // the reader makes it
                continue;
            }
            let (name, at) = (Field::from(name.clone()), Field::from(at));
            all.push(Self { name, at, placement: Placement::of(&pose), ..Self::default() });
        }
        all
    }
}

/// A place on a beam: its distance from the root where it is not the tip, and the pose there.
fn place_on(beam: &Beam, at: Attachment, pose: &Pose<f64>) -> (Option<f64>, Pose<f64>) {
    match at.distance(Some(beam)) {
        None => {
            let root = &beam.root;
            let moved = *root != Pose::IDENTITY;
            (Some(0.0), if moved { root.inverse().then(pose) } else { *pose })
        }
        Some(distance) if distance == beam.whole_length() => (None, *pose),
        Some(distance) => (Some(distance), *pose),
    }
}

/// Puts a payload on a link: at its tip where it has a length.
fn carry(link: Link, along: Option<&Along>, payload: &Matter) -> Link {
    let Matter { mass, centre, tensor, .. } = payload;
    let (centre, tensor) = match along {
        Some(along) if !along.bends => {
            let tip = along.pose(along.length);
            (tip.point(*centre), tensor.rotated(&tip.rotation))
        }
        _ => (*centre, *tensor),
    };
    let (centre, rows) = (centre.to_array(), tensor.to_mat3().to_rows());
    if along.is_some_and(|along| along.bends) {
        link.tip_body(*mass, centre, rows)
    } else {
        link.body(*mass, centre, rows)
    }
}
