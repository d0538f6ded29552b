//! Armature is inertia of the coordinates alone.

use crate::calls;
use crate::models::{Model, rigid};

#[test]
fn armature_adds_to_the_diagonal_alone() {
    for model in rigid() {
        let Model { arm, q, u, ud, .. } = &model;
        let n = arm.nv();
        let mut bare = model.description.clone();
        for link in &mut bare.links {
            link.armature.clear();
        }
        let bare = bare.arm();
        let (with, without) = (calls::crba(arm, q), calls::crba(&bare, q));
        let still = vec![0.0; n];
        assert_eq!(
            calls::rnea(arm, q, u, &still),
            calls::rnea(&bare, q, u, &still),
            "{model}: armature is in the bias"
        );
        let (force, less) = (calls::rnea(arm, q, u, ud), calls::rnea(&bare, q, u, ud));
        let armature = model.description.links.iter().flat_map(|link| {
            let own = |i| link.armature.get(i).copied().unwrap_or(0.0);
            (0..link.joint.nv()).map(own).collect::<Vec<f64>>()
        });
        for (v, armature) in armature.enumerate() {
            for column in (0..n).filter(|&column| column != v) {
                let at = v * n + column;
                assert_eq!(with[at], without[at], "{model}: armature couples");
            }
            assert_eq!(with[v * n + v], without[v * n + v] + armature, "{model}: diagonal {v}");
            assert_eq!(force[v], less[v] + armature * ud[v], "{model}: force {v}");
        }
    }
}
