//! The rule for names, and how a text is shown that may break it.
//!
//! Names of links, joints, frames, force elements, sensors, controllers and events become columns,
//! labels and entries of archives. So they are short, without anything invisible, no part of a path,
//! and not `t`, which is the time. The title of an arm may be longer and have the signs of paths.

use crate::Help;
use std::borrow::Cow;
use std::fmt;
use std::ops::RangeInclusive;

/// The most characters of a name.
pub const LONGEST_NAME: usize = 100;

/// The most characters of a title.
pub const LONGEST_TITLE: usize = 200;

/// A name that breaks the rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameError {
    /// The name given.
    pub name: String,
    /// What is wrong with it.
    pub fault: NameFault,
    /// The nearest name that keeps the rule.
    pub nearest: String,
}

/// What can be wrong with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NameFault {
    /// It has no character.
    Empty,
    /// It has too many.
    TooLong {
        /// How many it has.
        characters: usize,
        /// How many it may have.
        most: usize,
    },
    /// A character that is not seen, or that changes how others are seen.
    Invisible(char),
    /// A character that separates the parts of paths.
    Separator(char),
    /// A folder, as paths have it.
    Folder,
    /// A blank at its beginning or its end.
    OuterBlank,
    /// What the time is called in results and expressions.
    Time,
}

impl fmt::Display for NameFault {
    /// As what is said of a name: `is empty`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("is empty"),
            Self::TooLong { characters, most } => {
                write!(f, "has {characters} characters, more than {most}")
            }
            Self::Invisible(hidden) => {
                write!(f, "has the invisible character U+{:04X}", u32::from(*hidden))
            }
            Self::Separator(sign) => {
                write!(f, "has the character {sign}, which separates the parts of paths")
            }
            Self::Folder => f.write_str("means a folder in paths"),
            Self::OuterBlank => f.write_str("begins or ends with a blank"),
            Self::Time => f.write_str("is that of the time in results and expressions"),
        }
    }
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", quoted(&self.name), self.fault)
    }
}

impl std::error::Error for NameError {}

impl Help for NameError {
    fn help(&self) -> Option<String> {
        Some(format!("call it {}", quoted(&self.nearest)))
    }
}

/// What a name may be.
struct Rule {
    most: usize,
    is_title: bool,
}

const NAME: Rule = Rule { most: LONGEST_NAME, is_title: false };
const TITLE: Rule = Rule { most: LONGEST_TITLE, is_title: true };

/// What the time is called.
pub(crate) const TIME: &str = "t";

/// Checks a name: 1 to [`LONGEST_NAME`] characters that are seen, letters of any script, digits,
/// signs and single kinds of blanks (U+0020) within; no `/` and no `\`, and not `.`, `..` or `t`.
///
/// ```
/// use pliant::Help;
/// use pliant::name::check_name;
///
/// assert!(check_name("Schulter (links) 2.1").is_ok());
/// let error = check_name("../upper\u{202e}").unwrap_err();
/// assert_eq!(error.help().as_deref(), Some("call it \".._upper\""));
/// ```
pub fn check_name(name: &str) -> Result<(), NameError> {
    NAME.check(name)
}

/// Checks the title of an arm: like [`check_name`], but of up to [`LONGEST_TITLE`] characters, and
/// the signs of paths and `t` are allowed.
pub fn check_title(title: &str) -> Result<(), NameError> {
    TITLE.check(title)
}

/// The nearest name that keeps the rule; the name itself if it does.
pub fn nearest_name(name: &str) -> String {
    NAME.nearest(name)
}

/// The nearest title that keeps the rule; the title itself if it does.
pub fn nearest_title(title: &str) -> String {
    TITLE.nearest(title)
}

impl Rule {
    fn check(&self, name: &str) -> Result<(), NameError> {
        match self.fault(name) {
            None => Ok(()),
            Some(fault) => {
                Err(NameError { name: name.to_owned(), fault, nearest: self.nearest(name) })
            }
        }
    }

    fn fault(&self, name: &str) -> Option<NameFault> {
        if name.is_empty() {
            return Some(NameFault::Empty);
        }
        if let Some(hidden) = name.chars().find(|c| !is_seen(*c)) {
            return Some(NameFault::Invisible(hidden));
        }
        if !self.is_title {
            if let Some(sign) = name.chars().find(|c| is_separator(*c)) {
                return Some(NameFault::Separator(sign));
            }
            if is_folder(name) {
                return Some(NameFault::Folder);
            }
            if name == TIME {
                return Some(NameFault::Time);
            }
        }
        if name.starts_with(' ') || name.ends_with(' ') {
            return Some(NameFault::OuterBlank);
        }
        let characters = name.chars().count();
        (characters > self.most).then_some(NameFault::TooLong { characters, most: self.most })
    }

    fn nearest(&self, name: &str) -> String {
        let seen = name.chars().filter_map(|c| match c {
            c if is_separator(c) && !self.is_title => Some('_'),
            c if is_seen(c) => Some(c),
            c if c.is_whitespace() => Some(' '),
            _ => None,
        });
        let seen: String = seen.collect();
        let short: String = seen.trim().chars().take(self.most).collect();
        let short = short.trim_end();
        match short {
            "" => "unnamed".to_owned(),
            _ if self.is_title => short.to_owned(),
            TIME => format!("{TIME}_"),
            _ if is_folder(short) => "unnamed".to_owned(),
            _ => short.to_owned(),
        }
    }
}

fn is_separator(c: char) -> bool {
    matches!(c, '/' | '\\')
}

fn is_folder(name: &str) -> bool {
    matches!(name, "." | "..")
}

/// Whether a name may have a character: it is printable, and no blank but the usual one.
fn is_seen(c: char) -> bool {
    let varies = matches!(c, '\u{fe00}'..='\u{fe0f}');
    c == ' ' || is_printable(c) && !c.is_whitespace() && !varies
}

/// Characters beside the control characters that are not seen, or that change the direction of
/// others.
const INVISIBLE: [RangeInclusive<char>; 19] = [
    '\u{ad}'..='\u{ad}',
    '\u{34f}'..='\u{34f}',
    '\u{61c}'..='\u{61c}',
    '\u{115f}'..='\u{1160}',
    '\u{17b4}'..='\u{17b5}',
    '\u{180b}'..='\u{180f}',
    '\u{200b}'..='\u{200f}',
    '\u{2028}'..='\u{202e}',
    '\u{2060}'..='\u{206f}',
    '\u{2800}'..='\u{2800}',
    '\u{3164}'..='\u{3164}',
    '\u{fdd0}'..='\u{fdef}',
    '\u{feff}'..='\u{feff}',
    '\u{ffa0}'..='\u{ffa0}',
    '\u{fff0}'..='\u{fffb}',
    '\u{1bca0}'..='\u{1bca3}',
    '\u{1d173}'..='\u{1d17a}',
    '\u{e0000}'..='\u{e0fff}',
    '\u{10fffe}'..='\u{10ffff}',
];

/// Whether a character can be shown: it is no control character, does not hide and does not change
/// the direction of others.
pub fn is_printable(c: char) -> bool {
    if c.is_ascii() {
        return !c.is_ascii_control();
    }
    let is_no_character = u32::from(c) & 0xfffe == 0xfffe;
    !c.is_control() && !is_no_character && !INVISIBLE.iter().any(|range| range.contains(&c))
}

/// A text as a terminal may show it: characters that are not printable become escapes such as
/// `\u{202e}`.
pub fn shown(text: &str) -> Cow<'_, str> {
    escaped(text, is_printable)
}

/// The same for a text of several lines, whose line feeds and tabs stay.
pub fn shown_lines(text: &str) -> Cow<'_, str> {
    escaped(text, |c| matches!(c, '\n' | '\t') || is_printable(c))
}

fn escaped(text: &str, is_plain: impl Fn(char) -> bool) -> Cow<'_, str> {
    if text.chars().all(&is_plain) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_plain(c) {
            out.push(c);
        } else {
            out.extend(c.escape_default());
        }
    }
    Cow::Owned(out)
}

/// Names are quoted in messages up to this many characters.
const QUOTED: usize = 60;

/// A name in quotes as a message has it, cut where it is long.
fn quoted(name: &str) -> String {
    match name.char_indices().nth(QUOTED) {
        None => format!("\"{}\"", shown(name)),
        Some((end, _)) => format!("\"{}…\"", shown(&name[..end])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(name: &str) -> Option<NameFault> {
        check_name(name).err().map(|error| error.fault)
    }

    #[test]
    fn usual_names_are_good() {
        let names = [
            "upper",
            "fore.tip",
            "shoulder_pan-joint:0",
            "arm & hand",
            "King's",
            "Δ",
            "плечо",
            "肩",
            "कंधा",
            "كتف",
            "=cmd|' C calc'!A0",
            "+1,\"b\"<svg>",
            "@SUM(1+1)]]>",
            "-1",
            "😀",
            "a..b",
            "...",
            "{x}",
            "100 %",
            "#1",
            "l'épaule",
        ];
        for name in names {
            assert_eq!(check_name(name), Ok(()), "{name}");
            assert_eq!(nearest_name(name), name);
        }
        assert_eq!(check_title("iiwa 7/14, C:\\arms"), Ok(()));
    }

    #[test]
    fn each_part_of_the_rule_refuses() {
        assert_eq!(fault(""), Some(NameFault::Empty));
        for hidden in [
            '\0',
            '\n',
            '\t',
            '\r',
            '\u{1b}',
            '\u{7f}',
            '\u{85}',
            '\u{a0}',
            '\u{ad}',
            '\u{61c}',
            '\u{200b}',
            '\u{200d}',
            '\u{200e}',
            '\u{202e}',
            '\u{2028}',
            '\u{2029}',
            '\u{2060}',
            '\u{2066}',
            '\u{2069}',
            '\u{3000}',
            '\u{fe0f}',
            '\u{feff}',
            '\u{ffff}',
            '\u{1fffe}',
            '\u{e0041}',
        ] {
            let name = format!("a{hidden}b");
            assert_eq!(fault(&name), Some(NameFault::Invisible(hidden)), "{name:?}");
            assert!(check_title(&name).is_err(), "{name:?}");
        }
        assert_eq!(fault("a/b"), Some(NameFault::Separator('/')));
        assert_eq!(fault("a\\b"), Some(NameFault::Separator('\\')));
        assert_eq!([fault("."), fault("..")], [Some(NameFault::Folder); 2]);
        assert_eq!([fault("t"), fault("T"), fault("t_")], [Some(NameFault::Time), None, None]);
        assert_eq!(check_title("t"), Ok(()));
        assert_eq!([fault(" a"), fault("a ")], [Some(NameFault::OuterBlank); 2]);
        assert_eq!(fault(&"é".repeat(100)), None);
        let most = LONGEST_NAME;
        assert_eq!(fault(&"é".repeat(101)), Some(NameFault::TooLong { characters: 101, most }));
    }

    #[test]
    fn the_nearest_name_is_good() {
        let near = [
            ("../../x\0y\u{1b}[31mRED\u{202e}", ".._.._xy[31mRED"),
            ("a\nb", "a b"),
            (" a\u{a0}", "a"),
            ("..", "unnamed"),
            (" t\u{200b}", "t_"),
            ("\u{202e}", "unnamed"),
        ];
        for (name, nearest) in near {
            assert_eq!(nearest_name(name), nearest);
            assert_eq!(check_name(nearest), Ok(()));
        }
        let long = format!("{} {}", "a".repeat(99), "b".repeat(99));
        assert_eq!(nearest_name(&long), "a".repeat(99));
    }

    #[test]
    fn messages_show_what_is_hidden() {
        let error = check_name("a\u{202e}\u{1}").expect_err("bad");
        assert_eq!(
            error.with_help(),
            "\"a\\u{202e}\\u{1}\" has the invisible character U+202E; call it \"a\""
        );
        assert_eq!(shown("a\nb\u{1b}"), "a\\nb\\u{1b}");
        assert_eq!(shown_lines("a\nb\u{1b}\t"), "a\nb\\u{1b}\t");
    }
}
