//! Citations that lead somewhere.
//!
//! A citation in a comment is a key and a place, `King (2-54)` or `Featherstone, table 5.1`, or an
//! author and a year, `Paul (1980)`. Keys are the `shorthand` fields of the references.

use super::{Finding, rust_source::RustSource};

/// Capitalised words that stand before local numbers and are not keys.
const ORDINARY: &str = "\
    After Algorithm And As Because By Case Column Columns Entry Equation Equations Figure For \
    Form From Hence In Inserting Into Item Line Lines Of On Or Pass Relation Row Rows Section \
    See Since Step Steps Table Term Terms The Then Thus To Using When Where With";

/// Parts of a document that are cited by name, `King, appendix B`.
const PARTS: &str = "\
    algorithm appendix chapter equation equations example figure figures page pages section \
    sections table tables";

/// The documents that may be cited.
pub(super) struct References {
    path: String,
    entries: Vec<Entry>,
}

#[derive(Default)]
struct Entry {
    line: usize,
    label: String,
    shorthand: String,
    title: String,
    year: String,
    /// Of authors or editors.
    family_names: Vec<String>,
}

impl References {
    /// Reads a BibTeX file with one field per line.
    pub(super) fn new(path: &str, bibtex: &str) -> Self {
        let mut entries: Vec<Entry> = Vec::new();
        for (index, line) in bibtex.lines().enumerate() {
            if let Some((_, label)) = line.strip_prefix('@').and_then(|l| l.split_once('{')) {
                entries.push(Entry {
                    line: index + 1,
                    label: label.trim_end_matches(',').to_owned(),
                    ..Entry::default()
                });
            }
            let (Some((field, value)), Some(entry)) = (line.split_once('='), entries.last_mut())
            else {
                continue;
            };
            let value = value.trim().trim_end_matches(',');
            let value = value.trim_start_matches('{').trim_end_matches('}').to_owned();
            match field.trim() {
                "shorthand" => entry.shorthand = value,
                "title" => entry.title = value,
                "year" => entry.year = value,
                "author" | "editor" => {
                    let people = value.split(" and ");
                    let family = people.map(|name| name.split(',').next().unwrap_or(name).trim());
                    entry.family_names.extend(family.map(str::to_owned));
                }
                _ => {}
            }
        }
        Self { path: path.to_owned(), entries }
    }

    /// What is wrong with the file itself.
    pub(super) fn faults(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        if self.entries.is_empty() {
            let rule = "the references are a BibTeX file with one field per line";
            findings.push(Finding::error(&self.path, 1, "no entries", rule));
        }
        for (i, entry) in self.entries.iter().enumerate() {
            let fields = [&entry.shorthand, &entry.title, &entry.year];
            if fields.iter().any(|field| field.is_empty()) || entry.family_names.is_empty() {
                findings.push(Finding::error(
                    &self.path,
                    entry.line,
                    format!("entry `{}` is incomplete", entry.label),
                    "an entry has shorthand, title, year, and author or editor",
                ));
            }
            if self.entries[..i].iter().any(|other| other.shorthand == entry.shorthand) {
                findings.push(Finding::error(
                    &self.path,
                    entry.line,
                    format!("shorthand `{}` is taken", entry.shorthand),
                    "a key leads to one document",
                ));
            }
        }
        findings
    }

    /// Citations in the comments of a file that lead nowhere.
    pub(super) fn check(&self, source: &RustSource) -> Vec<Finding> {
        let mut findings = Vec::new();
        for paragraph in paragraphs(source) {
            for citation in citations(&paragraph.text) {
                if self.resolves(&citation) {
                    continue;
                }
                let keys: Vec<&str> = self.entries.iter().map(|e| e.shorthand.as_str()).collect();
                findings.push(Finding::error(
                    &source.path,
                    paragraph.line_of(citation.at),
                    format!("citation `{} {}` leads nowhere", citation.key, citation.place),
                    format!("keys are the shorthands of {}: {}", self.path, keys.join(", ")),
                ));
            }
        }
        findings
    }

    fn resolves(&self, citation: &Citation) -> bool {
        let is_year =
            citation.place.len() == 4 && citation.place.parse().is_ok_and(|n: u32| n > 1800);
        self.entries.iter().any(|entry| {
            if is_year {
                entry.year == citation.place
                    && (entry.shorthand == citation.key
                        || entry.family_names.iter().any(|name| name == citation.key))
            } else {
                entry.shorthand == citation.key
            }
        })
    }
}

/// Neighbouring lines of comment joined, so that a citation may be broken between them.
struct Paragraph {
    text: String,
    /// Offset in the text and number of each line.
    lines: Vec<(usize, usize)>,
}

impl Paragraph {
    fn line_of(&self, at: usize) -> usize {
        let line = self.lines.iter().rev().find(|(offset, _)| *offset <= at);
        line.map_or(1, |(_, line)| *line)
    }
}

/// The comments without examples and without code in backquotes.
fn paragraphs(source: &RustSource) -> Vec<Paragraph> {
    let mut paragraphs: Vec<Paragraph> = Vec::new();
    let mut last_line = usize::MAX;
    let mut in_example = false;
    for comment in &source.comments {
        let is_next = last_line.checked_add(1) == Some(comment.line);
        last_line = comment.line;
        if !is_next {
            in_example = false;
            paragraphs.push(Paragraph { text: String::new(), lines: Vec::new() });
        }
        let fence = comment.text.starts_with("```");
        in_example ^= fence;
        if in_example || fence {
            continue;
        }
        if let Some(paragraph) = paragraphs.last_mut() {
            paragraph.lines.push((paragraph.text.len(), comment.line));
            for (i, piece) in comment.text.split('`').enumerate() {
                paragraph.text.push_str(if i % 2 == 0 { piece } else { "…" });
            }
            paragraph.text.push(' ');
        }
    }
    paragraphs
}

struct Citation<'a> {
    /// Where in the text the key starts.
    at: usize,
    key: &'a str,
    /// `2-54`, `1980`, `table`.
    place: &'a str,
}

/// All that looks like a citation.
fn citations(text: &str) -> Vec<Citation<'_>> {
    let numbered = text.match_indices(" (").filter_map(|(at, _)| {
        let (inside, _) = text[at + 2..].split_once(')')?;
        let end = inside.find([',', ';', ' ', '–', '…']).unwrap_or(inside.len());
        let (place, rest) = inside.split_at(end);
        let goes_on =
            rest.starts_with(' ') && !rest.starts_with(" to ") && !rest.starts_with(" and ");
        (is_number(place) && !goes_on).then_some((at, place))
    });
    let named = text.match_indices(", ").filter_map(|(at, _)| {
        let mut words = text[at + 2..].split_whitespace();
        let part = words.next().filter(|part| PARTS.split(' ').any(|known| known == *part))?;
        let number = words.next()?.trim_end_matches(['.', ',', ';', ':', ')']);
        let is_letter = number.len() == 1 && number.starts_with(|c: char| c.is_ascii_uppercase());
        (is_letter || is_number(number)).then_some((at, part))
    });
    let found = numbered.chain(named).filter_map(|(end, place)| {
        let (at, key) = key_before(&text[..end])?;
        Some(Citation { at, key, place })
    });
    found.collect()
}

/// The capitalised word that ends the text, without a possessive.
fn key_before(text: &str) -> Option<(usize, &str)> {
    let text = text.trim_end();
    let text = text.strip_suffix("'s").or_else(|| text.strip_suffix("’s")).unwrap_or(text);
    let at = text.char_indices().rev().take_while(|(_, c)| c.is_alphabetic()).last()?.0;
    let key = &text[at..];
    let mut letters = key.chars();
    let capitalised = letters.next().is_some_and(char::is_uppercase)
        && letters.next().is_some_and(char::is_lowercase);
    (capitalised && !ORDINARY.split(' ').any(|word| word == key)).then_some((at, key))
}

/// `2-54`, `2.66`, `85`, `A.1`, `II.4.13`, `3.11a`; not `0.5`, which is a quantity, nor `3x`.
fn is_number(text: &str) -> bool {
    let body = text.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let mut pieces = body.split(['.', '-']);
    let Some(first) = pieces.next() else {
        return false;
    };
    let digits = |piece: &str| !piece.is_empty() && piece.bytes().all(|b| b.is_ascii_digit());
    let letter = first.len() == 1 && first.starts_with(|c: char| c.is_ascii_uppercase())
        || !first.is_empty() && first.bytes().all(|b| b"IVX".contains(&b));
    text.len() - body.len() <= 1
        && (letter && body.len() > first.len() || digits(first) && !first.starts_with('0'))
        && pieces.all(digits)
}

#[cfg(test)]
mod tests {
    use super::{References, RustSource, is_number};

    const BIBTEX: &str = "\
@phdthesis{king1988,
  shorthand = {King},
  author = {King, Joel},
  title = {Recursive models},
  year = {1988},
}

@article{luh1980,
  shorthand = {Luh},
  author = {Luh, J. Y. S. and Walker, M. W. and Paul, R. P. C.},
  title = {On-line scheme},
  year = {1980},
}
";

    /// Findings as `line what`.
    fn found(source: &str) -> Vec<String> {
        let references = References::new("r.bib", BIBTEX);
        let findings = references.check(&RustSource::new("a.rs", source));
        findings.iter().map(|f| format!("{} {}", f.line, f.seen)).collect()
    }

    #[test]
    fn known_keys_pass() {
        let text = "//! King (2-54) and King's (2.66), King (85, sign corrected).\n\
            /// King (2-54 to 2-60), (King, appendix B), Luh, table 5.1.\n\
            // Luh, Walker and Paul (1980), Luh (1980)\n";
        assert_eq!(found(text), [""; 0]);
    }

    #[test]
    fn unknown_keys_are_found() {
        assert_eq!(found("\n/// As Kong (2-54) says.\n"), ["2 citation `Kong 2-54` leads nowhere"]);
        assert_eq!(found("// Korayem (85)"), ["1 citation `Korayem 85` leads nowhere"]);
        assert_eq!(found("// Akmehmet's (D.8)"), ["1 citation `Akmehmet D.8` leads nowhere"]);
        assert_eq!(found("// Craig, table 3.1."), ["1 citation `Craig table` leads nowhere"]);
        assert_eq!(found("// Craig, appendix B"), ["1 citation `Craig appendix` leads nowhere"]);
        assert_eq!(found("// Kong (3 to 5)"), ["1 citation `Kong 3` leads nowhere"]);
    }

    #[test]
    fn a_wrong_year_is_found() {
        assert_eq!(found("// Paul (1981)"), ["1 citation `Paul 1981` leads nowhere"]);
    }

    #[test]
    fn a_citation_may_be_broken_between_lines() {
        assert_eq!(found("/// after Kong\n/// (2-54)"), ["1 citation `Kong 2-54` leads nowhere"]);
    }

    #[test]
    fn other_brackets_are_no_citations() {
        let text = "//! Equation (3), Returns (2 numbers), SO (3), Damping (0.5), time (12).\n\
            //! `Kong (2-54)`\n//! ```\n//! // Kong (2-54)\n//! ```\n\
            //! First (see King), Second, a table 3, Frames (world).\n\
            const S: &str = \"Kong (2-54)\";\n";
        assert_eq!(found(text), [""; 0]);
    }

    #[test]
    fn numbers_of_documents() {
        for number in ["2-54", "2.66", "85", "A.1", "B-3", "II.4.13", "3.11a"] {
            assert!(is_number(number), "{number}");
        }
        for other in ["", "0.5", "A", "II", "x", "2.", "-3", "3kg", "2×2"] {
            assert!(!is_number(other), "{other}");
        }
    }

    #[test]
    fn the_references_are_checked_too() {
        let faults = |bibtex: &str| {
            let faults = References::new("r.bib", bibtex).faults();
            faults.iter().map(|f| format!("{} {}", f.line, f.seen)).collect::<Vec<_>>()
        };
        assert_eq!(faults(BIBTEX), [""; 0]);
        assert_eq!(faults(""), ["1 no entries"]);
        assert_eq!(
            faults(&BIBTEX.replace("  year = {1980},\n", "")),
            ["8 entry `luh1980` is incomplete"]
        );
        assert_eq!(faults(&BIBTEX.replace("{Luh}", "{King}")), ["8 shorthand `King` is taken"]);
    }
}
