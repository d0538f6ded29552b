//! URDF files, and their links that become flexible.

use super::{Verdict, draw, evaluate, refused, texts};
use crate::random::{Random, hash};
use pliant::arm::{BeamAxis, Builder};
use pliant::beam::Beam;
use pliant_io::urdf::{self, Base, FixedJoints, Options};
use pliant_io::{BeamText, Source, parse_arm, write_arm};

/// What `pliant convert --bend` is told.
const BEAMS: [BeamText<'_>; 4] = [
    BeamText {
        section: "tube 60x2 mm",
        material: Some("aluminium"),
        shapes: "y = 2, z = 2, twist = 1, damping = 0.01",
    },
    BeamText { section: "round 5 mm", material: Some("steel"), shapes: "y = 1" },
    BeamText {
        section: "{ kind = 'given', EIy = 900, EIz = 900, GJ = 700, rhoA = 0.02 }",
        material: None,
        shapes: "z = 1",
    },
    BeamText { section: "box 30x20x1 mm", material: Some("cfrp-tube"), shapes: "y = 1, z = 1" },
];

pub(super) fn seeds() -> Result<Vec<String>, String> {
    let mut seeds = Vec::new();
    for folder in ["crates/pliant-io/tests/urdf/good", "crates/pliant-io/tests/urdf/bad"] {
        seeds.extend(texts(folder, "urdf")?.into_iter().map(|(_, text)| text));
    }
    Ok(seeds)
}

pub(super) fn run(input: &str, is_thorough: bool) -> Verdict {
    let number = hash(input.as_bytes());
    let options = Options {
        fixed: if number & 1 == 0 { FixedJoints::Keep } else { FixedJoints::Merge },
        base: if number & 6 == 6 { Base::Floating } else { Base::Fixed },
    };
    let loaded = match urdf::read(&Source::new("robot.urdf", input), &options) {
        Ok(loaded) => loaded,
        Err(report) => return refused(&report),
    };
    draw(&loaded.warnings, input);
    let mut random = Random::new(number);
    evaluate(&loaded.arm, &mut random);
    if random.chance(25) || is_thorough {
        let written = write_arm(&loaded.description);
        if let Err(report) = parse_arm(&Source::new("written.toml", written)) {
            panic!("a robot is written as an arm file that is refused: {report}");
        }
    }
    if let Some(Ok(arm)) = bent(&loaded.description, &mut random).map(Builder::build) {
        evaluate(&arm, &mut random);
    }
    Verdict::Accepted
}

/// The robot with one of its links flexible, where a beam fits.
fn bent(description: &Builder, random: &mut Random) -> Option<Builder> {
    let links = description.parts().links;
    let link = random.pick(links)?.parts().name;
    let (root, length) = description.beam_along(link, &BeamAxis::default()).ok()?;
    let text = random.pick(&BEAMS)?;
    let mut beam = Beam { root, ..text.beam(link, length).ok()? };
    let fits = description.density_that_fits(link, &beam).ok()?;
    if fits > 0.0 && fits < 1.0 {
        beam = beam.with_density_scaled(fits);
    }
    description.clone().bend(link, beam).ok()
}
