//! The arm at many instants, link by link.

use super::chain::Chain;
use super::pack::{Pack, Packed};
use pliant::dynamics::kinematics::Workspace;
use pliant::spatial::{Mat3, Pose, Quaternion, Vec3};
use serde::Serialize;

/// Instants per second, at most: four for each picture of a screen, since motion may be slowed.
const PER_SECOND: f64 = 240.0;

/// Bytes of all motions of a page, at most: a minute of six bending links at 200 rows a second.
const MOST_BYTES: usize = 12_500_000;

/// An arm at one instant.
#[derive(Clone, Debug)]
pub(super) struct Instant {
    /// The link frame of each link in the frame it hangs on.
    pub(super) joints: Vec<(Quaternion<f64>, Vec3<f64>)>,
    /// For each link and point its displacement (m) and rotation vector (rad) from the straight
    /// link, in the link frame.
    pub(super) bends: Vec<Vec<[Vec3<f64>; 2]>>,
}

/// An arm at many instants, packed.
#[derive(Debug, Serialize)]
pub(super) struct Motion {
    count: usize,
    /// Where the times begin (s).
    times: usize,
    /// For each link a quaternion (w, x, y, z) and a place.
    joints: Vec<[Packed; 7]>,
    /// For each link and point a displacement and a rotation vector.
    bends: Vec<Vec<[Packed; 6]>>,
}

/// The arm at one instant.
pub(super) fn instant(chain: &Chain, work: &mut Workspace<f64>, q: &[f64]) -> Instant {
    let placed = work.place(chain.lines.arm(), q);
    let (mut joints, mut bends) = (Vec::new(), Vec::new());
    for (k, segment) in chain.segments.iter().enumerate() {
        let line = chain.line(k);
        let on_parent = line.pose_on_parent(&placed);
        joints.push((Quaternion::from_matrix(&on_parent.rotation), on_parent.position));
        let poses = line.poses_in_link(&placed);
        let bend = segment.points.iter().zip(&poses).map(|(point, now)| away(&point.rest, now));
        bends.push(bend.collect());
    }
    Instant { joints, bends }
}

/// From one pose to another: displacement and rotation vector, in the axes both are given in.
fn away(rest: &Pose<f64>, now: &Pose<f64>) -> [Vec3<f64>; 2] {
    let turn: Mat3<f64> = now.rotation.matmul(&rest.rotation.transpose());
    let Quaternion { w, v } = Quaternion::from_matrix(&turn);
    let sine = v.norm();
    // the angle is twice that of the quaternion, whose w is not negative
    let factor = if sine > 1e-12 { 2.0 * sine.atan2(w) / sine } else { 2.0 };
    [now.position - rest.position, v * factor]
}

/// How many instants of an arm a page should hold that several runs share.
pub(super) fn most_instants(chain: &Chain, runs: usize) -> usize {
    let numbers = chain.segments.iter().map(|segment| 7 + 6 * segment.points.len());
    let bytes = 8 + 2 * numbers.sum::<usize>();
    (MOST_BYTES / runs.max(1) / bytes).max(2)
}

/// The rows that are shown: no more than a screen shows, and no more than `most`, of which there
/// are at least two.
pub(super) fn chosen(times: &[f64], usable: usize, most: usize) -> Vec<usize> {
    let span = match (times.first(), usable.checked_sub(1).and_then(|last| times.get(last))) {
        (Some(first), Some(last)) => last - first,
        _ => return Vec::new(),
    };
    let apart = (1.0 / PER_SECOND).max(span / (most - 1) as f64);
    let mut rows = vec![0];
    let mut next = times[0] + apart;
    for row in 1..usable {
        // rounding of the times must not drop every other row
        if times[row] >= next - 1e-6 * apart || row + 1 == usable {
            rows.push(row);
            next = (next + apart).max(times[row]);
        }
    }
    rows
}

/// Packs instants.
pub(super) fn pack(times: &[f64], mut instants: Vec<Instant>, pack: &mut Pack) -> Motion {
    straighten(&mut instants);
    let over = |pack: &mut Pack, number: &dyn Fn(&Instant) -> f64| {
        pack.rough(&instants.iter().map(number).collect::<Vec<_>>())
    };
    let first = instants.first();
    let links = first.map_or(0, |instant| instant.joints.len());
    let joints = (0..links).map(|link| {
        std::array::from_fn(|k| {
            over(pack, &|instant: &Instant| {
                let (turn, place) = instant.joints[link];
                if k < 4 { turn.to_array()[k] } else { place.to_array()[k - 4] }
            })
        })
    });
    let joints = joints.collect();
    let mut bends = Vec::new();
    for link in 0..links {
        let points = first.map_or(0, |instant| instant.bends[link].len());
        let of = |point: usize, k: usize| {
            move |instant: &Instant| instant.bends[link][point][k / 3].to_array()[k % 3]
        };
        let packed = (0..points).map(|p| std::array::from_fn(|k| over(pack, &of(p, k))));
        bends.push(packed.collect());
    }
    Motion { count: instants.len(), times: pack.exact(times), joints, bends }
}

/// Of the two quaternions of a turn the one nearer to that of the instant before.
fn straighten(instants: &mut [Instant]) {
    for at in 1..instants.len() {
        let (before, rest) = instants.split_at_mut(at);
        let pairs = before[at - 1].joints.iter().zip(&mut rest[0].joints);
        for (&(before, _), (turn, _)) in pairs {
            if before.w * turn.w + before.v.dot(turn.v) < 0.0 {
                *turn = Quaternion { w: -turn.w, v: -turn.v };
            }
        }
    }
}

#[cfg(test)]
#[path = "../../tests/it/files.rs"]
mod files;

#[cfg(test)]
mod tests {
    use super::*;
    use pliant::arm::Builder;

    /// The chain as the page puts it together, with bending enlarged: the link frames, and the
    /// points of each link.
    fn put_together(
        chain: &Chain,
        now: &Instant,
        enlarged: f64,
    ) -> Vec<(Pose<f64>, Vec<Pose<f64>>)> {
        let mut all: Vec<(Pose<f64>, Vec<Pose<f64>>)> = Vec::new();
        for (k, segment) in chain.segments.iter().enumerate() {
            let on = match segment.parent {
                Some(p) => segment.on.map_or(all[p].0, |point| all[p].1[point]),
                None => Pose::IDENTITY,
            };
            let (turn, place) = now.joints[k];
            let link = on.then(&Pose::new(turn.to_matrix(), place));
            let points = segment.points.iter().zip(&now.bends[k]).map(|(point, &[shift, turn])| {
                let turn = Quaternion::from_rotation_vector(turn * enlarged).to_matrix();
                let position = point.rest.position + shift * enlarged;
                link.then(&Pose::new(turn.matmul(&point.rest.rotation), position))
            });
            let points = points.collect();
            all.push((link, points));
        }
        all
    }

    fn arms() -> Vec<Builder> {
        let files = super::files::listed("robots", &["toml"]).expect("robots");
        let mut arms: Vec<Builder> =
            files.iter().map(|file| crate::load(file).expect("an arm").description).collect();
        let tree = "[[link]]\nname = \"b\"\nparent = \"a\"\nat = 0.4\njoint = { kind = \"prismatic\", axis = \"y\" }\nlength = 0.5\npayload = { mass = 1 }\n\
            [[link]]\nname = \"a\"\nparent = \"ground\"\njoint = { kind = \"revolute\", axis = \"z\" }\nlength = 1\nsection = { kind = \"round\", radius = \"5 mm\" }\n\
            material = { young = \"69 GPa\", shear = \"26 GPa\", density = 2700 }\n\
            bends = { y = true, z = true, twist = true, shapes = \"elements\", elements = 1, segments = 3 }\npayload = { mass = 0.5 }\n";
        let source = crate::Source::new("tree", tree);
        arms.push(
            crate::parse_arm(&source).unwrap_or_else(|report| panic!("{report:?}")).description,
        );
        arms
    }

    /// A configuration away from everything, small in bending.
    fn posture(arm: &pliant::arm::Arm) -> Vec<f64> {
        let mut q = arm.neutral();
        let du: Vec<f64> = (0..arm.nv()).map(|k| 0.9 * (1.0 + 2.3 * k as f64).sin()).collect();
        arm.displace(&mut q, &du);
        for link in 0..arm.body_count() {
            for at in arm.bending_of(link).0 {
                q[at] *= 0.05;
            }
            // lengths stay in their stroke
            if let Some((at, _)) = arm.length_of(link) {
                q[at] = 1.1 * arm.neutral()[at];
            }
        }
        q
    }

    #[test]
    fn the_chain_put_together_is_that_of_the_engine() {
        for description in arms() {
            let chain = Chain::new(&description, None).expect("a chain");
            let plain = description.build().expect("an arm");
            let name = plain.name().to_owned();
            assert_eq!(
                plain.configuration_names(),
                chain.lines.arm().configuration_names(),
                "{name}"
            );
            let q = posture(&plain);
            let now = instant(&chain, &mut Workspace::new(chain.lines.arm()), &q);
            let found = put_together(&chain, &now, 1.0);
            let mut work = Workspace::new(&plain);
            let placed = work.place(&plain, &q);
            for (k, (link, points)) in found.iter().enumerate() {
                let called = &chain.line(k).link;
                let own = placed.pose(plain.frame(called).expect("its frame"));
                let off = (own.position - link.position).norm();
                assert!(off < 1e-12, "{name}: {called} is off by {off:e} m");
                // what the engine itself has at the tip, in another way than our points
                if let (Some(tip), Some(last)) = (plain.tip_of(called), points.last()) {
                    let off = (placed.pose(tip).position - last.position).norm();
                    assert!(off < 1e-12, "{name}: the tip of {called} is off by {off:e}");
                }
            }
        }
    }

    #[test]
    fn nothing_enlarged_is_straight_and_carries_along() {
        let description = arms().pop().expect("the tree");
        let chain = Chain::new(&description, None).expect("a chain");
        let arm = chain.lines.arm();
        let q = posture(arm);
        let mut straight = q.clone();
        for link in 0..arm.body_count() {
            straight[arm.bending_of(link).0].fill(0.0);
        }
        let mut work = Workspace::new(arm);
        let bent = instant(&chain, &mut work, &q);
        let want = put_together(&chain, &instant(&chain, &mut work, &straight), 1.0);
        let found = put_together(&chain, &bent, 0.0);
        let far = put_together(&chain, &bent, 5.0);
        for ((want, found), far) in want.iter().zip(&found).zip(&far) {
            assert!((want.0.position - found.0.position).norm() < 1e-12);
            for (want, found) in want.1.iter().zip(&found.1) {
                assert!((want.position - found.position).norm() < 1e-12);
            }
            // the child, which hangs on the bent link, goes along
            if want.1.is_empty() {
                assert!((want.0.position - far.0.position).norm() > 1e-3);
            }
        }
    }

    #[test]
    fn a_minute_of_six_links_is_whole() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/six-slender.toml");
        let setup = crate::scenario::load(file, &crate::scenario::Overrides::default());
        let setup = setup.unwrap_or_else(|report| panic!("{report:?}"));
        let chain = Chain::new(&setup.simulation.description, None).expect("a chain");
        assert!(most_instants(&chain, 1) >= 12_001, "{}", most_instants(&chain, 1));
        assert!(most_instants(&chain, 3) <= most_instants(&chain, 1) / 3);
    }

    #[test]
    fn rows_are_chosen_for_a_screen() {
        let times = |n: u32, apart: f64| (0..n).map(|k| f64::from(k) * apart).collect::<Vec<_>>();
        assert_eq!(chosen(&[], 0, 9), Vec::<usize>::new());
        assert_eq!(chosen(&[0.5], 1, 9), [0]);
        assert_eq!(chosen(&times(11, 0.1), 11, 11).len(), 11);
        let rows = chosen(&times(1001, 1e-3), 1001, 3600);
        assert!((240..=252).contains(&rows.len()) && rows.last() == Some(&1000), "{}", rows.len());
        let rows = chosen(&times(100_001, 0.01), 100_001, 3600);
        assert!((3590..=3601).contains(&rows.len()), "{}", rows.len());
        // rows at just that pace all stay, whatever their times are rounded to
        assert_eq!(chosen(&times(601, 1.0 / 240.0), 601, 601).len(), 601);
    }
}
