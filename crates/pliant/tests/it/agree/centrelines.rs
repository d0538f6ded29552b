//! Centrelines against frames that a user places, closed forms, and the chain put together by hand.

use crate::models::{Model, models};
use pliant::arm::{Builder, Joint, Link};
use pliant::beam::{Basis, Beam, Section, Slide, Ways};
use pliant::dynamics::kinematics::Workspace;
use pliant::dynamics::{Centreline, Centrelines};
use pliant::spatial::{Pose, Quaternion, Vec3};

const PARTS: usize = 5;

/// With stations that divide each beam evenly.
fn evenly(description: &Builder) -> Centrelines {
    let links = description.parts().links;
    let stations = |link: usize| -> Vec<f64> {
        links[link].parts().beam.expect("it has one").divided(PARTS).collect()
    };
    Centrelines::new(description, stations).unwrap_or_else(|faults| panic!("{faults}"))
}

/// How far a pose is from another.
fn off(a: &Pose<f64>, b: &Pose<f64>) -> f64 {
    let turned = (0..3).map(|k| (a.rotation.columns[k] - b.rotation.columns[k]).norm());
    turned.fold((a.position - b.position).norm(), f64::max)
}

/// Beams in segments, in rigid pieces, between rigid parts, sliding, and one with a link on its
/// middle; each turned and set off from its link frame, on joints with both frames set off.
fn beams() -> Vec<Builder> {
    let section = Section {
        ea: 1e6,
        ei_z: 50.0,
        ei_y: 70.0,
        gj: 40.0,
        kga_y: None,
        kga_z: None,
        rho_a: 0.4,
        rho_i_z: 1e-4,
        rho_i_y: 2e-4,
    };
    let root = Pose::new(
        Quaternion::from_rotation_vector(Vec3::new(0.3, -0.2, 0.5)).to_matrix(),
        Vec3::new(0.1, 0.2, -0.3),
    );
    let hermite = |elements| Basis::Hermite { elements, ways: Ways::new(true, true, true, false) };
    let beam = |basis| Beam { root, ..Beam::new(1.2, section, basis) };
    let pieces =
        Basis::Pieces { pieces: 3, ways: Ways::new(true, true, true, false), pinned: false };
    let slides = Basis::ClampedFree(Ways::new(2, 1, 0, 0));
    let all = [
        Beam { rigid_root: 0.15, rigid_tip: 0.25, ..beam(hermite(2)) },
        Beam { segments: 3, rigid_tip: 0.1, ..beam(hermite(1)) },
        beam(pieces),
        Beam { slide: Some(Slide::between(0.3, 1.1)), ..beam(slides) },
    ];
    let set_off = Pose::new(
        Quaternion::from_rotation_vector(Vec3::new(-0.4, 0.1, 0.2)).to_matrix(),
        Vec3::new(0.3, -0.1, 0.2),
    );
    let matter = [[0.02, 0.0, 0.0], [0.0, 0.02, 0.0], [0.0, 0.0, 0.02]];
    let tree = |beam: Beam| {
        // a beam that slides carries things at its tip alone
        let part = if beam.slide.is_some() { 1.0 } else { 0.4 };
        let place = part * beam.whole_length();
        let bar = Link::new("bar").on_ground().joint(Joint::revolute([0.0, 0.6, 0.8]));
        let bar = bar.placed(set_off).outboard(root).body(1.0, [0.0; 3], matter);
        let hand = Link::new("hand").on("bar").at_section(place);
        let hand = hand.joint(Joint::prismatic([0.0, 1.0, 0.0])).placed(set_off);
        // described before what it hangs on
        Builder::new("tree").link(hand.body(1.0, [0.1, 0.0, 0.0], matter)).link(bar.beam(beam))
    };
    all.into_iter().map(tree).collect()
}

/// All descriptions, with a state of each.
fn states() -> Vec<(String, Builder, Vec<f64>)> {
    let mut all: Vec<(String, Builder, Vec<f64>)> = Vec::new();
    for model in models() {
        let Model { description, q, .. } = &model;
        all.push((model.to_string(), description.builder(), q.clone()));
    }
    for (number, description) in beams().into_iter().enumerate() {
        let arm = description.clone().build().unwrap_or_else(|faults| panic!("{faults}"));
        let mut q = arm.neutral();
        let du: Vec<f64> = (0..arm.nv()).map(|k| 0.1 * (1.0 + 2.3 * k as f64).sin()).collect();
        arm.displace(&mut q, &du);
        all.push((format!("beam {number}"), description, q));
    }
    all
}

#[test]
fn stations_are_where_a_user_would_place_frames() {
    let mut compared = 0;
    for (label, description, q) in states() {
        let lines = evenly(&description);
        let own =
            |number: usize, link: Link| match link.parts().beam {
                // told apart by their places, rotated by something
                Some(beam) => (beam.divided(PARTS).collect::<Vec<_>>().into_iter().enumerate())
                    .fold(link, |link, (k, at)| {
                        link.section_frame(format!("{number} at {k}"), at, Pose::at(0.1, 0.2, 0.3))
                    }),
                None => link,
            };
        let arm = description.map_links(own).build().unwrap_or_else(|faults| panic!("{faults}"));
        assert_eq!(arm.configuration_names(), lines.arm().configuration_names(), "{label}");
        let mut work = Workspace::new(lines.arm());
        let placed = work.place(lines.arm(), &q);
        for (number, line) in lines.links().iter().enumerate() {
            let found = line.poses(&placed);
            let link = arm.pose(&q, &line.link).expect("its frame");
            for (k, (pose, in_link)) in found.iter().zip(line.poses_in_link(&placed)).enumerate() {
                let expected = arm.pose(&q, &format!("{number} at {k}")).expect("ours");
                let there = pose.then(&Pose::at(0.1, 0.2, 0.3));
                assert!(off(&there, &expected) < 1e-12, "{label}: {} at {k}", line.link);
                assert!(off(&link.then(&in_link), pose) < 1e-12, "{label}: {} at {k}", line.link);
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn links_that_do_not_deform_are_straight() {
    for (label, description, _) in states() {
        let lines = evenly(&description);
        let q = lines.arm().neutral();
        let mut work = Workspace::new(lines.arm());
        let placed = work.place(lines.arm(), &q);
        for (line, link) in lines.links().iter().zip(description.parts().links) {
            let Some(beam) = link.parts().beam else {
                assert!(line.stations.is_empty() && line.whole_length() == 0.0, "{label}");
                continue;
            };
            let whole = beam.whole_length();
            let outside = beam.slide.map_or(whole, |slide| slide.neutral());
            assert_eq!((line.whole_length(), line.length_outside(&q)), (whole, outside), "{label}");
            for (k, pose) in line.poses_in_link(&placed).iter().enumerate() {
                let along = outside * k as f64 / PARTS as f64;
                let expected = beam.root.then(&Pose::at(along, 0.0, 0.0));
                assert!(off(pose, &expected) < 1e-12, "{label}: {} at {k}", line.link);
            }
        }
    }
}

/// Both sides of a joint, and the chain of links on links.
#[test]
fn the_chain_put_together_is_the_arm() {
    for (label, description, q) in states() {
        let lines = evenly(&description);
        let parts = description.parts();
        let (arm, neutral) = (lines.arm(), lines.arm().neutral());
        let plain = description.clone().build().expect("it was built before");
        let mut work = Workspace::new(arm);
        for q in [&q, &neutral] {
            let placed = work.place(arm, q);
            for (number, line) in lines.links().iter().enumerate() {
                let link = parts.links[number].parts();
                let at = format!("{label}: {}", line.link);
                assert_eq!((line.link.as_str(), line.parent), (link.name, parts.parent_of(number)));
                let own = plain.pose(q, link.name).expect("its frame");
                assert!(off(&placed.pose(line.frame), &own) < 1e-12, "{at}");
                let back = placed.pose(line.outboard).then(&link.outboard);
                assert!(off(&back, &own) < 1e-12, "{at}");
                let parent = line.parent.map(|parent| &lines.links()[parent]);
                let on = |line: &Centreline| placed.pose(line.frame);
                let section = line.section.map(|frame| placed.pose(frame));
                let on = section.or(parent.map(on)).unwrap_or(Pose::IDENTITY);
                let beam = line.parent.and_then(|parent| parts.links[parent].parts().beam);
                let distance = link.attachment.distance(beam);
                assert_eq!(line.section.is_some(), distance.is_some(), "{at}");
                assert!(off(&on.then(&line.pose_on_parent(&placed)), &own) < 1e-12, "{at}");
                let inboard = on.then(&link.placement);
                assert!(off(&line.inboard_pose(&placed), &inboard) < 1e-12, "{at}");
                assert_eq!(line.depth, parent.map_or(0, |parent| parent.depth + 1), "{at}");
                if *q == neutral {
                    // joints at rest keep their sides together
                    assert!(off(&placed.pose(line.outboard), &inboard) < 1e-12, "{at}");
                }
            }
        }
    }
}

/// The cubic of one element: `y = (3 ξ² − 2 ξ³) v + L (ξ³ − ξ²) θ`, turned by its slope.
#[test]
fn one_element_bends_as_its_cubic() {
    let (length, v, theta) = (1.5, 2e-3, -3e-3);
    let section = Section {
        ea: 1e6,
        ei_z: 50.0,
        ei_y: 50.0,
        gj: 40.0,
        kga_y: None,
        kga_z: None,
        rho_a: 0.4,
        rho_i_z: 0.0,
        rho_i_y: 0.0,
    };
    let basis = Basis::Hermite { elements: 1, ways: Ways::new(true, false, false, false) };
    let beam = Beam { foreshortening: false, ..Beam::new(length, section, basis) };
    let lines = evenly(&Builder::new("bar").link(Link::new("bar").beam(beam)));
    let mut work = Workspace::new(lines.arm());
    let placed = work.place(lines.arm(), &[v, theta]);
    for (station, pose) in lines.links()[0].stations.iter().zip(lines.links()[0].poses(&placed)) {
        let x = station.distance / length;
        let y = (3.0 - 2.0 * x) * x * x * v + length * (x - 1.0) * x * x * theta;
        let slope = 6.0 * x * (1.0 - x) * v / length + (3.0 * x - 2.0) * x * theta;
        let position = Vec3::new(station.distance, y, 0.0);
        let turned = Quaternion::from_rotation_vector(Vec3::new(0.0, 0.0, slope)).to_matrix();
        let expected: Pose<f64> = Pose::new(turned, position);
        assert!((pose.position - position).norm() < 1e-15, "{pose:?} {expected:?}");
        assert!(off(&pose, &expected) < 1e-12, "{pose:?} {expected:?}");
    }
}
