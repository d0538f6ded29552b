//! The parts of an arm that are drawn, in the frames they go along with.

use super::chain::{Anchor, Chain, axis};
use pliant::arm::{LinkParts, Mass};
use pliant::spatial::{Quaternion, Vec3};
use serde_json::{Value, json};

/// Shorter than this (m) is nothing.
const NOTHING: f64 = 1e-6;

/// All that is drawn, for the page.
pub(super) fn picture(chain: &Chain) -> Value {
    let links: Vec<Value> = (0..chain.segments.len()).map(|k| link(chain, k)).collect();
    json!({
        "name": chain.lines.arm().name(),
        "gravity": chain.lines.arm().gravity().to_array(),
        "links": links,
        "tip": chain.tip.map(anchor),
    })
}

fn anchor(at: Anchor) -> Value {
    json!({ "link": at.segment, "point": at.point, "place": at.place.to_array() })
}

fn link(chain: &Chain, k: usize) -> Value {
    let segment = &chain.segments[k];
    let described = chain.described(k);
    let back = described.outboard.inverse();
    let axes: Vec<[f64; 3]> =
        axis(&described.joint).iter().map(|&axis| (back.rotation * axis).to_array()).collect();
    let points: Vec<Value> = segment
        .points
        .iter()
        .map(|point| {
            let turn = Quaternion::from_matrix(&point.rest.rotation).to_array();
            let place = point.rest.position.to_array();
            let (size, round) =
                point.section.map_or((None, true), |(size, round)| (Some(size), round));
            json!({ "place": place, "turn": turn, "size": size, "round": round })
        })
        .collect();
    let bones = bones(chain, k);
    let is_bare = bones.is_empty() && points.is_empty();
    json!({
        "name": chain.line(k).link,
        "parent": segment.parent,
        "on": segment.on,
        "joint": {
            "kind": described.joint.word(),
            // in the link frame, and the inboard side on what it hangs on
            "origin": back.position.to_array(),
            "axes": axes,
            "inboard": described.placement.position.to_array(),
        },
        "points": points,
        "bones": bones,
        "loads": loads(chain, k),
        "boxes": if is_bare { boxes(&described) } else { Vec::new() },
        "slide": described.beam.and_then(|beam| {
            let [least, _] = beam.slide?.stroke;
            Some(json!({ "length": beam.whole_length(), "least": least }))
        }),
    })
}

/// Straight pieces: from the joint to what hangs on the link, and from the points of a beam to
/// what stands off it.
fn bones(chain: &Chain, k: usize) -> Vec<Value> {
    let described = chain.described(k);
    let back = described.outboard.inverse();
    let bends = !chain.segments[k].points.is_empty();
    let mut ends: Vec<Anchor> = chain.children(k).map(|(at, _)| at).collect();
    ends.extend(chain.tip.filter(|tip| tip.segment == k));
    let here = |place| Anchor { segment: k, point: None, place };
    if let Some(beam) = described.beam {
        ends.push(here(beam.root.position));
    }
    if ends.is_empty() {
        let far = |places: Vec<Vec3<f64>>| {
            let off = |place: &Vec3<f64>| (*place - back.position).norm();
            places.into_iter().max_by(|a, b| off(a).total_cmp(&off(b)))
        };
        let frames = described.frames.iter().map(|(_, _, pose)| pose.position).collect();
        let masses = described.root_masses().map(|mass| mass.centre).collect();
        ends.extend(far(frames).or_else(|| far(masses)).map(here));
    }
    let axis = axis(&described.joint).map(|axis| back.rotation * axis);
    let mut bones = Vec::new();
    for end in ends {
        // what does not hang on a point of a beam reaches from the joint, first along its axis
        let (from, via) = match end.point {
            Some(_) => (Vec3::ZERO, None),
            None => (back.position, axis.and_then(|axis| elbow(back.position, end.place, axis))),
        };
        let on_beam = bends && end.point.is_none() && end.place.norm() < NOTHING;
        if (end.place - from).norm() < NOTHING || on_beam && back.position.norm() < NOTHING {
            continue;
        }
        bones.push(json!({
            "point": end.point,
            "from": from.to_array(),
            "via": via.map(Vec3::to_array),
            "to": end.place.to_array(),
        }));
    }
    bones
}

/// Where a piece that follows the axis of a joint and then stands across it turns.
fn elbow(from: Vec3<f64>, to: Vec3<f64>, axis: Vec3<f64>) -> Option<Vec3<f64>> {
    let whole = to - from;
    let along = axis * axis.dot(whole);
    let least = 0.05 * whole.norm();
    (along.norm() > least && (whole - along).norm() > least).then_some(from + along)
}

/// Masses without extent, and what the tip of a beam carries.
fn loads(chain: &Chain, k: usize) -> Vec<Value> {
    let described = chain.described(k);
    let tip = chain.segments[k].points.len().checked_sub(1);
    let is_point = |mass: &&Mass| mass.tensor.trace() == 0.0;
    let own = described.root_masses().filter(is_point).map(|mass| (None, mass));
    let carried = described.tip_masses().map(|mass| (tip, mass));
    own.chain(carried)
        .filter(|(_, mass)| mass.kilograms > 0.0)
        .map(|(point, mass)| {
            json!({ "point": point, "place": mass.centre.to_array(), "mass": mass.kilograms })
        })
        .collect()
}

/// Full boxes that resist turning as the masses do; tensors are taken along the link's axes.
fn boxes(link: &LinkParts<'_>) -> Vec<Value> {
    let solid = |mass: &Mass| {
        let t = &mass.tensor;
        let square = [t.yy + t.zz - t.xx, t.zz + t.xx - t.yy, t.xx + t.yy - t.zz];
        let size = square.map(|s| (6.0 * s.max(0.0) / mass.kilograms).sqrt());
        let is_box = size.iter().all(|s| s.is_finite()) && size.iter().any(|s| *s > NOTHING);
        is_box.then(|| json!({ "place": mass.centre.to_array(), "size": size }))
    };
    link.root_masses().filter_map(solid).collect()
}
