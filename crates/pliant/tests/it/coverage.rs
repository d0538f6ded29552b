//! The random arms hold what the identities are for.

use crate::description::LinkData;
use crate::models::{KINDS, Model, models};

#[test]
fn the_models_hold_what_the_identities_are_for() {
    let all = models();
    let links = || all.iter().flat_map(|model| &model.description.links);
    for kind in KINDS {
        assert!(links().any(|link| link.joint.word() == kind), "no {kind} joint");
    }
    assert!(links().any(|link| link.masses.is_empty()), "no massless link");
    let roots = |model: &Model| {
        let on_ground = |link: &&LinkData| link.parent.is_none();
        model.description.links.iter().filter(on_ground).count()
    };
    assert!(all.iter().any(|model| roots(model) > 1), "one root each");
    let branches = |model: &Model| {
        (0..model.description.links.len()).any(|i| model.description.children(i).count() > 1)
    };
    assert!(all.iter().any(branches), "no branches");
    for links in [32, 64, 100] {
        assert!(all.iter().any(|model| model.arm.body_count() == links), "none of {links} links");
    }
}
