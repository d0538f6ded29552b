//! What is wrong with a file.

use crate::codes::Code;
use crate::source::Source;
use miette::{Diagnostic, LabeledSpan, SourceCode};
use pliant::name::{shown, shown_lines};
use std::fmt;
use std::ops::Range;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing can be computed.
    Error,
    /// It can be computed, but it is doubtful, or something was left aside.
    Warning,
}

/// One thing that is wrong with a file.
///
/// Texts start in lower case, end without a full stop, and give values with their units.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// How bad.
    pub severity: Severity,
    /// Which kind of fault; its page is what `pliant explain` prints.
    pub code: &'static Code,
    /// What is wrong, with the value seen.
    pub message: String,
    /// Where, in bytes of the text; that of a setting is its own.
    pub span: Option<Range<usize>>,
    /// A few words under the underlined text.
    pub label: Option<String>,
    /// A second place that has to do with it, and a few words under it.
    pub second: Option<Box<(Range<usize>, String)>>,
    /// How to mend it.
    pub help: Option<String>,
}

impl Problem {
    /// Something that must be mended.
    pub fn error(code: &'static Code, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            code,
            message: message.into(),
            span: None,
            label: None,
            second: None,
            help: None,
        }
    }

    /// Something doubtful.
    pub fn warning(code: &'static Code, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, message) }
    }

    /// Where it is, in bytes of the text.
    #[must_use]
    pub fn at(mut self, span: Range<usize>) -> Self {
        self.span = Some(span);
        self
    }

    /// A few words under the underlined text.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// A second place that has to do with it, and a few words under it.
    #[must_use]
    pub fn and_at(mut self, span: Range<usize>, label: impl Into<String>) -> Self {
        self.second = Some(Box::new((span, label.into())));
        self
    }

    /// How to mend it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// All that is wrong with one file, or doubtful about it.
///
/// `Display` gives plain text. It is also a [`miette::Diagnostic`]; the command draws
/// [`Report::each`] of its problems with the underlined line. `Debug` is the plain text too, so
/// that a `main` that returns this error says something useful.
#[derive(Clone, PartialEq)]
pub struct Report {
    source: Source,
    located: Vec<Located>,
    /// Whether there are more problems than are kept.
    more: bool,
}

/// More problems than this are too many to read.
const MOST: usize = 50;

/// Longer texts, which repeat endless names, are cut.
const LONGEST: usize = 500;

fn shorten(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A problem together with the text it is about, ready to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Located {
    problem: Problem,
    source: Source,
}

impl Report {
    /// The problems of a file, put in the order of the text. Without a place, errors come first and
    /// warnings last. No more than fifty are kept.
    #[expect(clippy::needless_pass_by_value, reason = "sources are shared, not copied")]
    pub fn new(source: Source, mut problems: Vec<Problem>) -> Self {
        problems.sort_by_key(|p| match &p.span {
            Some(span) => span.start.saturating_add(1),
            None if p.severity == Severity::Error => 0,
            None => usize::MAX,
        });
        let file = source.file();
        let more = problems.len() > MOST;
        problems.truncate(MOST);
        let located = problems
            .into_iter()
            .map(|mut problem| {
                let Problem { message, label, help, second, .. } = &mut problem;
                let second = second.as_mut().map(|second| &mut second.1);
                for text in [Some(message), label.as_mut(), second].into_iter().flatten() {
                    *text = shorten(&shown(text));
                }
                if let Some(text) = help {
                    *text = shorten(&shown_lines(text));
                }
                Located::new(problem, &source, &file)
            })
            .collect();
        Self { source: file, located, more }
    }

    /// These problems, and those of another file after them.
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.located.extend(other.located);
        self.more |= other.more;
        self
    }

    /// The file.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The problems in the order of the text.
    pub fn problems(&self) -> impl ExactSizeIterator<Item = &Problem> {
        self.located.iter().map(|located| &located.problem)
    }

    /// The problems in the order of the text, each ready to be drawn on its own.
    pub fn each(&self) -> impl ExactSizeIterator<Item = &Located> {
        self.located.iter()
    }

    /// Whether there is nothing to say.
    pub fn is_empty(&self) -> bool {
        self.located.is_empty()
    }

    /// How many problems of a severity there are.
    pub fn count(&self, severity: Severity) -> usize {
        self.problems().filter(|p| p.severity == severity).count()
    }

    /// One line: `2 errors and 1 warning in arm.toml`.
    pub fn summary(&self) -> String {
        let count = |severity, word: &str| match self.count(severity) {
            0 => None,
            1 => Some(format!("1 {word}")),
            n => Some(format!("{n} {word}s")),
        };
        let counts: Vec<String> =
            [count(Severity::Error, "error"), count(Severity::Warning, "warning")]
                .into_iter()
                .flatten()
                .collect();
        let counts =
            if counts.is_empty() { "no problems".to_owned() } else { counts.join(" and ") };
        let more = if self.more { ", and more" } else { "" };
        format!("{counts}{more} in {}", self.source.name())
    }
}

impl Report {
    /// The line below all problems: how bad, how many there are, and where the main one is explained.
    pub fn last_line(&self) -> String {
        let has_errors = self.count(Severity::Error) > 0;
        let word = if has_errors { "error" } else { "warning" };
        let mut problems = self.problems();
        let main = problems.find(|one| !has_errors || one.severity == Severity::Error);
        let code = main.map_or("", |problem| problem.code.name);
        format!("{word}: {}; for details: pliant explain {code}", self.summary())
    }
}

impl Located {
    /// A problem of a setting is shown in the setting's own text.
    fn new(mut problem: Problem, source: &Source, file: &Source) -> Self {
        let setting = problem.span.as_ref().and_then(|span| source.setting_at(span.start));
        let Some((own, within)) = setting else {
            let changing = problem.span.as_ref().map(|span| source.settings_within(span));
            if let Some([_, ..]) = changing.as_deref() {
                let names = changing.unwrap_or_default().join(", ");
                problem.message = format!("{} (with {names})", problem.message);
            }
            problem.second = problem.second.filter(|two| source.setting_at(two.0.start).is_none());
            return Self { problem, source: file.clone() };
        };
        let inside = |span: &Range<usize>| {
            let at = |offset: usize| offset.clamp(within.start, within.end) - within.start;
            at(span.start)..at(span.end)
        };
        problem.span = problem.span.as_ref().map(inside);
        problem.second = problem.second.filter(|two| within.contains(&two.0.start));
        problem.second = problem.second.map(|two| Box::new((inside(&two.0), two.1)));
        Self { problem, source: own }
    }

    /// The problem itself.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }
}

impl fmt::Display for Located {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem.message)
    }
}

impl std::error::Error for Located {}

impl Diagnostic for Located {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.problem.code.name))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.problem.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        let help = self.problem.help.as_ref()?;
        Some(Box::new(help))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.source)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let draw = |span: &Range<usize>, label| {
            LabeledSpan::new_with_span(label, self.source.one_line(span))
        };
        let first = draw(self.problem.span.as_ref()?, self.problem.label.clone());
        let second =
            self.problem.second.as_deref().map(|(span, label)| draw(span, Some(label.clone())));
        Some(Box::new(std::iter::once(first).chain(second)))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, Located { problem, source }) in self.each().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            let name = source.name();
            match &problem.span {
                Some(span) if name == self.source.name() => {
                    let place = source.place(span.start);
                    write!(f, "{name}:{}:{}: ", place.line, place.column)?;
                }
                _ => write!(f, "{name}: ")?,
            }
            if problem.severity == Severity::Warning {
                write!(f, "warning: ")?;
            }
            write!(f, "{}", problem.message)?;
            if let Some(help) = &problem.help {
                write!(f, "; {help}")?;
            }
            write!(f, " [{}]", problem.code.name)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl std::error::Error for Report {}

impl Diagnostic for Report {
    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.source)
    }

    fn severity(&self) -> Option<miette::Severity> {
        let warnings_only = self.count(Severity::Error) == 0;
        Some(if warnings_only { miette::Severity::Warning } else { miette::Severity::Error })
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn Diagnostic> + 'a>> {
        Some(Box::new(self.located.iter().map(|located| located as _)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes;

    #[test]
    fn plain_text_names_place_and_remedy() {
        let source = Source::new("arm.toml", "name = \"a\"\nmass = -1\n");
        let report = Report::new(
            source,
            vec![
                Problem::error(&codes::SYNTAX, "the mass is negative: -1 kg")
                    .at(18..20)
                    .help("give a positive mass"),
                Problem::warning(&codes::SYNTAX, "something is odd"),
            ],
        );
        assert_eq!(
            report.to_string(),
            "arm.toml:2:8: the mass is negative: -1 kg; give a positive mass [pliant::file::syntax]\n\
             arm.toml: warning: something is odd [pliant::file::syntax]"
        );
        assert_eq!(report.summary(), "1 error and 1 warning in arm.toml");
        assert_eq!(format!("{report:?}"), report.to_string());
    }
}
