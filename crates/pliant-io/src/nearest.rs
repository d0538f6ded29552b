//! The nearest existing name to one that does not exist.

/// Longer names are not compared.
const LONGEST: usize = 80;

/// The candidate that a person most likely meant, if any is near.
pub fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > LONGEST {
        return None;
    }
    let lower = name.to_lowercase();
    candidates
        .filter_map(|candidate| {
            let likeness = strsim::jaro_winkler(&lower, &candidate.to_lowercase());
            let steps = strsim::osa_distance(&lower, &candidate.to_lowercase());
            (likeness > 0.8 || steps <= 1).then_some((likeness, candidate))
        })
        // the first of equals
        .reduce(|best, next| if next.0 > best.0 { next } else { best })
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn slips_are_recognised() {
        let keys = ["name", "parent", "joint", "placement", "mass", "damping"];
        let of = |name| nearest(name, keys.into_iter());
        assert_eq!(of("damp"), Some("damping"));
        assert_eq!(of("Joint"), Some("joint"));
        assert_eq!(of("mas"), Some("mass"));
        assert_eq!(of("placment"), Some("placement"));
        assert_eq!(of("wheel"), None);
    }
}
