//! Trees of files, and their changes.

use pliant_fuzz::corpus::Corpus;
use pliant_fuzz::grammar::Grammar;
use pliant_fuzz::mutate::change;
use pliant_fuzz::random::Random;
use pliant_fuzz::target::{Kind, Target, Verdict};
use pliant_fuzz::tree::{Notation, Tree};
use pliant_fuzz::worker::scratch;
use pliant_io::{arm_schema, scenario_schema};
use std::collections::BTreeSet;

/// What is written of a tree says the same.
#[test]
fn trees_are_written_as_they_are_read() {
    let folder = scratch(3);
    for kind in Kind::ALL {
        let target = Target::new(kind, &folder).expect("a reader");
        let (mut trees, mut same) = (0, 0);
        for seed in target.seeds().expect("seeds") {
            let (_, body, notation) = kind.parts(&seed);
            let Some(tree) = notation.read(body) else { continue };
            trees += 1;
            same += usize::from(notation.read(&notation.write(&tree)) == Some(tree));
        }
        assert!(trees >= 9 && same == trees, "{}: {same} of {trees}", kind.name());
    }
    std::fs::remove_dir_all(folder).expect("ours");
}

/// Nearly every key of the schemas comes up.
#[test]
fn keys_come_up() {
    for schema in [arm_schema(), scenario_schema()] {
        let grammar = Grammar::of(&schema);
        let (mut random, mut keys) = (Random::new(1), BTreeSet::new());
        let mut tree = Tree::Table(Vec::new());
        for round in 0..40_000 {
            if round % 40 == 0 {
                tree = Tree::Table(Vec::new());
            }
            change(&mut tree, None, &grammar, &mut random);
            if let Tree::Table(entries) = &tree {
                tree.each("", &mut |name, _| {
                    if !keys.contains(name) {
                        keys.insert(name.to_owned());
                    }
                });
                assert!(entries.len() < 100);
            }
        }
        let missing: Vec<_> = grammar.keys().filter(|key| !keys.contains(*key)).collect();
        assert!(50 * missing.len() < grammar.keys().count(), "{missing:?}");
    }
}

/// The same seed makes the same inputs, another one others.
#[test]
fn inputs_repeat() {
    let folder = scratch(4);
    let target = Target::new(Kind::State, &folder).expect("a reader");
    let inputs = |seed| {
        let mut corpus = Corpus::default();
        for text in target.seeds().expect("seeds") {
            let accepted = target.run(&text) == Verdict::Accepted;
            corpus.add(Kind::State, text, accepted, 1.0);
        }
        let mut random = Random::new(seed);
        (0..50).filter_map(|_| corpus.make(&target, &mut random)).collect::<Vec<_>>()
    };
    assert_eq!(inputs(1), inputs(1));
    assert_ne!(inputs(1), inputs(2));
    std::fs::remove_dir_all(folder).expect("ours");
}

/// A number that JSON has no word for stays a number of the tree.
#[test]
fn literals_are_kept() {
    let tree = Notation::Toml.read("a = nan\nb = 1e308\nc = [true, 1979-05-27]").expect("a tree");
    assert_eq!(tree.get("a"), Some(&Tree::Literal("nan".to_owned())));
    assert_eq!(Notation::Toml.read(&Notation::Toml.write(&tree)), Some(tree));
}
