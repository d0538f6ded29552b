//! Arms as data, so that tests can change them and the oracle can read them.

use pliant::arm::{Actuator, Arm, Builder, Joint, Link};
use pliant::beam::Beam;
use pliant::spatial::Pose;

/// A whole arm.
#[derive(Clone, Debug)]
pub(crate) struct Description {
    pub(crate) gravity: [f64; 3],
    /// Parents stand before children, so that link `i` becomes body `i`.
    pub(crate) links: Vec<LinkData>,
}

/// One link, as [`Link`] takes it.
#[derive(Clone, Debug)]
pub(crate) struct LinkData {
    pub(crate) name: String,
    pub(crate) parent: Option<usize>,
    pub(crate) joint: Joint,
    pub(crate) placement: Pose<f64>,
    pub(crate) outboard: Pose<f64>,
    pub(crate) masses: Vec<Mass>,
    pub(crate) stiffness: Vec<f64>,
    pub(crate) rest: Vec<f64>,
    pub(crate) damping: Vec<f64>,
    pub(crate) armature: Vec<f64>,
    pub(crate) actuator: Option<Actuator>,
    pub(crate) prescribed: bool,
    /// A further frame, in the link frame.
    pub(crate) tool: Pose<f64>,
    pub(crate) beam: Option<Beam>,
    /// Where on the parent's beam it hangs.
    pub(crate) section: Option<f64>,
}

/// Mass, centre, tensor about the centre; link frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mass {
    pub(crate) kilograms: f64,
    pub(crate) centre: [f64; 3],
    pub(crate) tensor: [[f64; 3]; 3],
}

impl LinkData {
    /// A massless link where its parent is.
    pub(crate) fn new(name: impl Into<String>, parent: Option<usize>, joint: Joint) -> Self {
        Self {
            name: name.into(),
            parent,
            joint,
            placement: Pose::IDENTITY,
            outboard: Pose::IDENTITY,
            masses: Vec::new(),
            stiffness: Vec::new(),
            rest: Vec::new(),
            damping: Vec::new(),
            armature: Vec::new(),
            actuator: None,
            prescribed: false,
            tool: Pose::IDENTITY,
            beam: None,
            section: None,
        }
    }

    /// The smallest and the largest length outside, where its beam slides.
    pub(crate) fn stroke(&self) -> Option<[f64; 2]> {
        Some(self.beam.as_ref()?.slide?.stroke)
    }

    /// Whether a spring is between its motor and it.
    pub(crate) fn is_elastic(&self) -> bool {
        self.actuator.is_some_and(|actuator| actuator.stiffness.is_some())
    }

    /// The name of its further frame.
    pub(crate) fn tool_name(&self) -> String {
        format!("{} tool", self.name)
    }

    fn link(&self, all: &[Self]) -> Link {
        let link = Link::new(&self.name)
            .joint(self.joint)
            .placed(self.placement)
            .outboard(self.outboard)
            .spring(&self.stiffness, &self.rest)
            .damping(&self.damping)
            .armature(&self.armature)
            .root_frame(self.tool_name(), self.tool);
        let link = match self.parent {
            Some(parent) => link.on(&all[parent].name),
            None => link.on_ground(),
        };
        let link = match self.section {
            Some(distance) => link.at_section(distance),
            None => link.at_root(),
        };
        let link = match &self.beam {
            Some(beam) => {
                let tip = format!("{} tip", self.name);
                link.beam(beam.clone()).section_frame(tip, beam.whole_length(), self.tool)
            }
            None => link,
        };
        let link = match self.actuator {
            Some(actuator) => link.actuator(actuator),
            None => link,
        };
        let link = if self.prescribed { link.prescribed() } else { link };
        self.masses.iter().fold(link, |link, m| link.body(m.kilograms, m.centre, m.tensor))
    }
}

impl Description {
    /// As the library takes it.
    pub(crate) fn builder(&self) -> Builder {
        let builder = Builder::new("random").gravity(self.gravity);
        self.links.iter().fold(builder, |b, link| b.link(link.link(&self.links)))
    }

    /// Builds it; a description made by a test has no faults.
    pub(crate) fn arm(&self) -> Arm {
        self.builder().build().unwrap_or_else(|faults| panic!("{faults}"))
    }

    /// The links that hang on a link.
    pub(crate) fn children(&self, parent: usize) -> impl Iterator<Item = usize> {
        (0..self.links.len()).filter(move |&i| self.links[i].parent == Some(parent))
    }
}
