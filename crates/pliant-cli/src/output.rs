//! The only place that writes: data to the standard output, all else to the standard error.

use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme};
use pliant::Help;
use pliant::name::shown_lines;
use pliant_io::{Report, write_help};
use std::cell::Cell;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A file is at fault.
    File(Box<Report>),
    /// What was asked for cannot be given.
    Input { message: String, help: String },
    /// Somebody ended it; nothing is wrong.
    Stopped(String),
    /// Nobody reads what is written; no reason to complain.
    Unread,
    /// pliant itself is at fault.
    Internal(String),
}

impl Failure {
    pub(crate) fn input(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Input { message: message.into(), help: help.into() }
    }

    /// What the library refuses, with its help or else the usual one.
    pub(crate) fn of(error: &dyn Help, usual_help: &str) -> Self {
        Self::input(error.to_string(), error.help().unwrap_or_else(|| usual_help.to_owned()))
    }

    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::Internal(message.into())
    }

    /// The same with the place where it happened, before its message.
    pub(crate) fn at(self, place: &str) -> Self {
        match self {
            Self::Input { message, help } => {
                Self::Input { message: format!("at {place}: {message}"), help }
            }
            other => other,
        }
    }

    /// What is wrong, without the remedy.
    pub(crate) fn message(&self) -> String {
        match self {
            Self::File(report) => report.to_string(),
            Self::Input { message, .. } | Self::Stopped(message) | Self::Internal(message) => {
                message.clone()
            }
            Self::Unread => "nobody reads it".to_owned(),
        }
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::File(_) | Self::Input { .. } | Self::Stopped(_) => 1,
            Self::Unread => 0,
            Self::Internal(_) => 2,
        }
    }
}

impl From<Report> for Failure {
    fn from(report: Report) -> Self {
        Self::File(Box::new(report))
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::Unread
        } else {
            let message = format!("the standard output cannot be written: {error}");
            Self::input(message, write_help(&error, "send the output elsewhere"))
        }
    }
}

/// Where a command writes.
#[derive(Debug)]
pub(crate) struct Output {
    quiet: bool,
    renderer: GraphicalReportHandler,
    /// Whether a line of progress stands on the terminal.
    in_line: Cell<bool>,
}

/// Whether a terminal shows colours, by the variables `NO_COLOR` and `TERM`.
fn has_colours(no_colour: Option<&OsStr>, term: Option<&OsStr>) -> bool {
    no_colour.is_none_or(OsStr::is_empty) && term.is_none_or(|term| term != "dumb")
}

/// The width of messages where the terminal does not tell.
const WIDTH: usize = 100;

impl Output {
    pub(crate) fn new(quiet: bool) -> Self {
        let variable = |name: &str| std::env::var_os(name);
        let has_colours = has_colours(variable("NO_COLOR").as_deref(), variable("TERM").as_deref());
        let theme = if io::stderr().is_terminal() && has_colours {
            GraphicalTheme::unicode()
        } else {
            GraphicalTheme::unicode_nocolor()
        };
        let columns = std::env::var("COLUMNS").ok();
        let width = columns.and_then(|columns| columns.parse().ok());
        let renderer = GraphicalReportHandler::new_themed(theme)
            .with_width(width.unwrap_or(WIDTH).clamp(40, 200))
            .with_context_lines(1);
        Self { quiet, renderer, in_line: Cell::new(false) }
    }

    /// Writes data, with what is not printable as escapes.
    #[expect(clippy::unused_self, reason = "all writing goes through this type")]
    pub(crate) fn data(&self, text: &str) -> Result<(), Failure> {
        let mut stdout = io::stdout().lock();
        stdout.write_all(shown_lines(text).as_bytes())?;
        Ok(stdout.flush()?)
    }

    /// Whether messages beside errors are wanted.
    pub(crate) fn has_notes(&self) -> bool {
        !self.quiet
    }

    /// Writes a message, unless only errors are wanted.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet {
            say(&format!("{}\n", shown_lines(text)));
        }
    }

    /// Says that an answer is not what was asked for, even where only errors are wanted.
    #[expect(clippy::unused_self, reason = "all writing goes through this type")]
    pub(crate) fn caution(&self, text: &str) {
        say(&format!("warning: {}\n", shown_lines(text)));
    }

    /// Whether messages are read on a terminal.
    #[expect(clippy::unused_self, reason = "all writing goes through this type")]
    pub(crate) fn on_terminal(&self) -> bool {
        io::stderr().is_terminal()
    }

    /// Shows how far something is: on a terminal always on the same line.
    pub(crate) fn progress(&self, text: &str) {
        if self.quiet {
            return;
        }
        let text = shown_lines(text);
        if self.on_terminal() {
            say(&format!("\r\x1b[2K{text}"));
            self.in_line.set(true);
        } else {
            say(&format!("{text}\n"));
        }
    }

    /// Takes the line of progress away.
    pub(crate) fn end_progress(&self) {
        if self.in_line.take() {
            say("\r\x1b[2K");
        }
    }

    /// Draws the warnings of a file, if there are any and they are wanted.
    pub(crate) fn warn(&self, report: &Report) {
        if !self.quiet && !report.is_empty() {
            say(&self.draw(report));
        }
    }

    /// Draws the warnings of the file that a command is given, and tells those of files that it names
    /// in a line each: `pliant check` draws them.
    pub(crate) fn warn_of(&self, file: &Path, reports: &[Report]) {
        for report in reports {
            if report.source().name() == file.to_string_lossy() {
                self.warn(report);
            } else if !report.is_empty() {
                self.note(&report.to_string());
            }
        }
    }

    /// Says why a command failed.
    pub(crate) fn fail(&self, failure: &Failure) {
        match failure {
            Failure::File(report) => say(&self.draw(report)),
            Failure::Input { message, help } => {
                say(&shown_lines(&format!("error: {message}\n\nhelp: {help}\n")));
            }
            Failure::Stopped(message) => say(&shown_lines(&format!("{message}\n"))),
            Failure::Unread => {}
            Failure::Internal(message) => say(&shown_lines(&format!(
                "error: {message}\n\nhelp: this is not your fault; please report it with the command and the file\n"
            ))),
        }
    }

    /// All problems of a report, then a line that counts them.
    fn draw(&self, report: &Report) -> String {
        let mut text = String::new();
        for located in report.each() {
            let _ = self.renderer.render_report(&mut text, located as &dyn Diagnostic);
            text.push('\n');
        }
        let _ = writeln!(text, "{}", report.last_line());
        text
    }
}

/// To the standard error, with what a terminal may show; when that is closed there is nobody left to tell.
pub(crate) fn say(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_terminals_get_no_colours() {
        let [dumb, good, one] = ["dumb", "xterm-256color", "1"].map(OsStr::new);
        assert!(has_colours(None, Some(good)) && has_colours(Some(OsStr::new("")), None));
        assert!(!has_colours(None, Some(dumb)) && !has_colours(Some(one), Some(good)));
    }
}
