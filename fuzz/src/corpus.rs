//! Inputs that others are made from.

use crate::mutate::{change, damage};
use crate::random::Random;
use crate::target::{Kind, Target};
use crate::tree::Tree;

/// Of a hundred new inputs, how many come from one that was accepted, and how many are changed in
/// their bytes instead of in what they say.
const FROM_ACCEPTED: usize = 92;
const IN_BYTES: usize = 10;

/// A longer input is not made.
const LONGEST: usize = 1 << 16;

/// How often a cheaper input is looked for.
const TRIES: usize = 30;

/// Inputs to make others from.
#[derive(Default)]
pub struct Corpus {
    accepted: Vec<Entry>,
    refused: Vec<Entry>,
}

struct Entry {
    text: String,
    /// What it says, where it says something.
    tree: Option<Tree>,
    /// What it costs, in units of what an input may cost.
    cost: f64,
}

impl Corpus {
    /// Adds an input.
    pub fn add(&mut self, kind: Kind, text: String, is_accepted: bool, cost: f64) {
        let (_, body, notation) = kind.parts(&text);
        let entry = Entry { tree: notation.read(body), text, cost };
        if is_accepted { self.accepted.push(entry) } else { self.refused.push(entry) }
    }

    /// How many inputs there are.
    pub fn len(&self) -> usize {
        self.accepted.len() + self.refused.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn choose(&self, random: &mut Random) -> Option<&Entry> {
        let good = random.chance(FROM_ACCEPTED) && !self.accepted.is_empty();
        let entries = if good || self.refused.is_empty() { &self.accepted } else { &self.refused };
        // dear ones are taken as much less often as they are dearer
        for _ in 0..TRIES {
            let entry = random.pick(entries)?;
            if entry.cost <= 1.0 || random.between(0.0, entry.cost) < 1.0 {
                return Some(entry);
            }
        }
        random.pick(entries)
    }

    /// A new input.
    pub fn make(&self, target: &Target, random: &mut Random) -> Option<String> {
        let entry = self.choose(random)?;
        let (head, body, notation) = target.kind.parts(&entry.text);
        // a recipe that cannot be read makes nothing
        let in_bytes = random.chance(IN_BYTES) && target.kind != Kind::Results;
        let body = match entry.tree.clone() {
            Some(mut tree) if !in_bytes => {
                loop {
                    let other = self.choose(random).and_then(|entry| entry.tree.as_ref());
                    change(&mut tree, other, &target.grammar, random);
                    if random.chance(60) {
                        break;
                    }
                }
                notation.write(&tree)
            }
            _ => damage(body, random),
        };
        Some(format!("{head}{body}")).filter(|text| text.len() < LONGEST)
    }
}
