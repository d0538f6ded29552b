//! Changes of files: in the tree of what they say, and in their bytes.

use crate::grammar::{Grammar, short};
use crate::random::Random;
use crate::tree::Tree;

/// A tree with more values does not grow.
const LARGEST: usize = 2000;

/// Numbers at which something may happen.
const NUMBERS: &[&str] = &[
    "0",
    "-0.0",
    "1",
    "-1",
    "2",
    "0.5",
    "1e-3",
    "1e-9",
    "1e-30",
    "5e-324",
    "1e-308",
    "1e9",
    "1e30",
    "1e154",
    "1e267",
    "1e308",
    "1.7976931348623157e308",
    "-1e308",
    "nan",
    "inf",
    "-inf",
    "90",
    "180",
    "360",
    "3.141592653589793",
    "1.5707963267948966",
    "100",
    "1000",
    "65536",
    "4294967295",
    "9007199254740993",
    "9223372036854775807",
    "1e18",
    "0.1",
    "0.999999999999",
    "1.0000001",
    "7",
    "20",
    "21",
    "64",
];

/// Units, right and wrong ones.
const UNITS: &[&str] = &[
    "m",
    "mm",
    "deg",
    "rad",
    "kg",
    "g",
    "s",
    "ms",
    "N",
    "N m",
    "N m/rad",
    "GPa",
    "kg m^2",
    "rad/s",
    "deg/s",
    "Hz",
    "kg/m",
    "%",
    "m/s^2",
    "N m s/rad",
    "cm",
    "min",
    "rpm",
    "",
    "μm",
    "kg/m^3",
];

/// Texts that are something else elsewhere.
const TEXTS: &[&str] = &[
    "",
    " ",
    "a",
    "ground",
    "world",
    "x",
    "-z",
    "t",
    "\u{0}",
    "\u{202e}",
    "é",
    "🤖",
    "../../x",
    "/dev/null",
    "a.b",
    "a/b",
    "=1+1",
    "\"",
    "'",
    "\\",
    "\n",
    "\u{1b}[31m",
    "1,5 m",
    "none",
    "NaN",
    "1 m 2",
    "sin(t)",
    "abs(t-1)",
    "((((((t))))))",
    "t^t^t",
    "1/0",
    "if(t<1,2,3)",
    "sqrt(-1)",
];

/// Changes a tree in one place, by what files may say and by what another tree says.
pub fn change(tree: &mut Tree, other: Option<&Tree>, grammar: &Grammar, random: &mut Random) {
    let size = tree.size();
    let texts = texts(tree);
    let number = random.below(size);
    let Some((name, node)) = tree.nth(number) else { return };
    let name = name.to_owned();
    if random.chance(12)
        && size < LARGEST
        && let Some(new) = splice(&name, other, random)
    {
        *node = new;
        return;
    }
    if random.chance(6)
        && let Some(new) = grammar.value(&name, random)
    {
        *node = new;
        return;
    }
    match node {
        Tree::Literal(literal) => {
            if let Some(new) = other_literal(literal, random) {
                *node = new;
            }
        }
        Tree::Text(text) => {
            let new = other_text(text, &name, &texts, grammar, random);
            *node = new;
        }
        Tree::List(items) => change_list(items, size < LARGEST, random),
        Tree::Table(entries) => change_table(entries, size < LARGEST, grammar, random),
    }
}

/// All texts of a tree: names that others may refer to.
fn texts(tree: &Tree) -> Vec<String> {
    let mut texts = Vec::new();
    tree.each("", &mut |_, value| {
        if let Tree::Text(text) = value
            && texts.len() < 100
        {
            texts.push(text.clone());
        }
    });
    texts
}

/// A value of another tree that has the same name there.
fn splice(name: &str, other: Option<&Tree>, random: &mut Random) -> Option<Tree> {
    let mut named = Vec::new();
    other?.each("", &mut |own, value| {
        if own == name {
            named.push(value);
        }
    });
    random.pick(&named).map(|value| (*value).clone())
}

fn other_literal(literal: &str, random: &mut Random) -> Option<Tree> {
    match literal {
        "true" => return Some(Tree::Literal("false".to_owned())),
        "false" => return Some(Tree::Literal("true".to_owned())),
        _ => {}
    }
    let new = other_number(literal, random);
    if random.chance(6) {
        return Some(Tree::Text(format!("{new} {}", random.pick(UNITS)?)));
    }
    Some(Tree::Literal(new))
}

/// Mostly something near, sometimes something far away.
fn other_number(literal: &str, random: &mut Random) -> String {
    let value: Option<f64> = literal.parse().ok();
    let is_count = literal.parse::<i64>().is_ok();
    match (value, random.below(100)) {
        (Some(_), 0..35) if is_count && literal.len() < 4 => random.below(8).to_string(),
        (Some(value), 0..60) if value != 0.0 => format!("{:?}", value * random.between(0.5, 1.6)),
        (Some(_), 0..60) => short(random.between(-1.0, 1.0)),
        (Some(value), 60..66) => format!("{:?}", -value),
        (Some(value), 66..76) => {
            format!("{:e}", value * 10_f64.powf(random.below(13) as f64 - 6.0))
        }
        _ => (*random.pick(NUMBERS).unwrap_or(&"0")).to_owned(),
    }
}

fn other_text(
    text: &str,
    name: &str,
    texts: &[String],
    grammar: &Grammar,
    random: &mut Random,
) -> Tree {
    // `0 0 1`, `30 deg`
    let tokens: Vec<&str> = text.split_whitespace().collect();
    let numbers: Vec<usize> =
        (0..tokens.len()).filter(|&at| tokens[at].parse::<f64>().is_ok()).collect();
    if let (Some(&at), true) = (random.pick(&numbers), random.chance(80)) {
        let mut tokens: Vec<String> = tokens.iter().map(|&token| token.to_owned()).collect();
        tokens[at] = other_number(&tokens[at], random);
        return Tree::Text(tokens.join(" "));
    }
    let new = match random.below(10) {
        0..4 => match grammar.value(name, random) {
            Some(value @ (Tree::Text(_) | Tree::Literal(_))) => return value,
            _ => random.pick(texts).cloned(),
        },
        4..7 => random.pick(texts).cloned(),
        7 => Some(format!("{text}{}", random.below(10))),
        8 => Some(format!(
            "{} {}",
            random.pick(NUMBERS).unwrap_or(&""),
            random.pick(UNITS).unwrap_or(&"")
        )),
        _ => random.pick(TEXTS).map(|&text| text.to_owned()),
    };
    Tree::Text(new.unwrap_or_default())
}

fn change_list(items: &mut Vec<Tree>, may_grow: bool, random: &mut Random) {
    let (at, to) = (random.below(items.len()), random.below(items.len()));
    match random.below(4) {
        _ if items.is_empty() => items.push(Tree::Literal("1".to_owned())),
        0 => drop(items.remove(at)),
        1 if may_grow => items.insert(to, items[at].clone()),
        2 => items[to] = items[at].clone(),
        _ => items.swap(at, to),
    }
}

fn change_table(
    entries: &mut Vec<(String, Tree)>,
    may_grow: bool,
    grammar: &Grammar,
    random: &mut Random,
) {
    let (at, to) = (random.below(entries.len()), random.below(entries.len()));
    match random.below(10) {
        0..5 if may_grow || entries.is_empty() => {
            let Some(key) = grammar.further_key(entries, random).map(str::to_owned) else { return };
            let Some(value) = grammar.value(&key, random) else { return };
            match entries.iter_mut().find(|(own, _)| *own == key) {
                // elements of XML come more than once
                Some((_, own)) if !matches!(own, Tree::Table(_)) => *own = value,
                _ => entries.push((key, value)),
            }
        }
        _ if entries.is_empty() => {}
        5..7 => drop(entries.remove(at)),
        7 if may_grow => {
            let copy = entries[at].clone();
            entries.insert(to, copy);
        }
        8 => {
            if let Some(key) = grammar.any_key(random) {
                key.clone_into(&mut entries[at].0);
            }
        }
        _ => {
            let (one, other) = (entries[at].1.clone(), entries[to].1.clone());
            (entries[at].1, entries[to].1) = (other, one);
        }
    }
}

/// What is put between bytes.
const PIECES: &[&str] = &[
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    "\"",
    "'",
    "\"\"\"",
    "=",
    ",",
    ".",
    ":",
    "#",
    "<",
    "/>",
    "<!--",
    "]]>",
    "&lt;",
    "&",
    "\n",
    "\r",
    "\t",
    "\\",
    "\\u0000",
    "\u{0}",
    "\u{feff}",
    "é",
    "nan",
    "-inf",
    "1e308",
    "0x10",
    ".6",
    "0.1 0",
    "“60 mm”",
    "\"0,5 m\"",
    "1979-05-27",
    "null",
    "true",
    "[[link]]\n",
    "kind = \"free\"\n",
    "= {",
    "[1, ",
];

/// Changes a text in its bytes, in a few places.
pub fn damage(text: &str, random: &mut Random) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len());
        let end = |random: &mut Random| (at + 1 + random.below(24)).min(bytes.len());
        match random.below(5) {
            _ if bytes.is_empty() => bytes.extend_from_slice(b"a"),
            0 => {
                let end = end(random);
                bytes.drain(at..end);
            }
            1 => {
                let copy = bytes[at..end(random)].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, copy);
            }
            2 => bytes[at] ^= 1 << random.below(8),
            3 => bytes[at] = 32 + random.below(95) as u8,
            _ => {
                let piece = random.pick(PIECES).unwrap_or(&"");
                bytes.splice(at..at, piece.bytes());
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
