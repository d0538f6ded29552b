//! Places and attitudes in the words of a command line.

use crate::arm_file::placement::Placement;
use crate::codes;
use crate::problem::{Problem, Report};
use crate::reader::Reader;
use crate::source::Source;
use crate::table::Table as _;
use crate::toml_out::quoted;
use crate::toml_text;
use pliant::spatial::{Pose, ROTATION_TOLERANCE, rotation_error};
use std::fmt::Write as _;

/// A place and an attitude in the words of a command line.
///
/// ```
/// let text = pliant_io::PoseText { position: "1, 0.5, 300 mm", attitude: Some("rpy=0,90deg,0") };
/// let pose = text.pose().expect("a pose");
/// assert_eq!(pose.position.to_array(), [1.0, 0.5, 0.3]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoseText<'a> {
    /// The place: three lengths between commas, plain numbers in m.
    pub position: &'a str,
    /// The attitude in one of the ways of arm files: `rpy=0,90deg,0`, `quaternion=1,0,0,0`,
    /// `rotation=…` with nine numbers row by row, or `axis=0,0,1 angle=90deg`.
    pub attitude: Option<&'a str>,
}

impl PoseText<'_> {
    /// The pose, without a turn where no attitude is given.
    pub fn pose(&self) -> Result<Pose<f64>, Report> {
        let mut text = format!("position = {}\n", value("position", self.position));
        for (key, words) in self.attitude.map(entries).unwrap_or_default() {
            let _ = writeln!(text, "{key} = {}", value(key, words));
        }
        let source = Source::new("the goal", text);
        let refuse = |problems| Report::new(source.clone(), problems);
        let root = toml_text::read(&source).map_err(refuse)?;
        let mut reader = Reader::default();
        let placement = Placement::read(&mut reader, "the goal", &root);
        let pose = placement.and_then(|placement| placement.pose(&mut reader));
        let is_no_rotation = |pose: &Pose<f64>| rotation_error(&pose.rotation) > ROTATION_TOLERANCE;
        if let Some(matrix) =
            root.entry("rotation").filter(|_| pose.is_some_and(|pose| is_no_rotation(&pose)))
        {
            let help = "its rows have length 1 and stand at right angles, and x × y = z";
            let problem = Problem::error(&codes::NOT_A_ROTATION, "the attitude is no rotation");
            reader.push(problem.at(matrix.node.span.clone()).help(help));
        }
        match pose {
            Some(pose) if !reader.has_errors() => Ok(pose),
            _ => Err(refuse(reader.problems)),
        }
    }
}

/// The keys of an attitude, each with what stands between its equals sign and the next key.
fn entries(text: &str) -> Vec<(&str, &str)> {
    let mut entries = Vec::new();
    let mut parts = text.split('=');
    let mut key = last_word(parts.next().unwrap_or_default()).1;
    let mut rest = parts.peekable();
    while let Some(part) = rest.next() {
        let (words, next) = if rest.peek().is_some() { last_word(part) } else { (part, "") };
        entries.push((key, words));
        key = next;
    }
    if entries.is_empty() {
        entries.push((key, ""));
    }
    entries
}

/// What stands before the last word, and that.
fn last_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let at = text.rfind(|c: char| c.is_whitespace() || ",;{".contains(c)).map_or(0, |at| at + 1);
    (&text[..at], &text[at..])
}

/// Numbers between commas as a list, a single one or a word as it is.
fn value(key: &str, words: &str) -> String {
    let words = words.trim_matches(|c: char| c.is_whitespace() || ",;}".contains(c));
    if words.starts_with(['[', '"', '\'']) {
        return words.to_owned();
    }
    let parts: Vec<String> = words.split(',').map(|part| number(part.trim())).collect();
    match parts.as_slice() {
        [one] => one.clone(),
        nine if key == "rotation" && nine.len() == 9 => {
            let rows = nine.chunks(3).map(|row| format!("[{}]", row.join(", ")));
            format!("[{}]", rows.collect::<Vec<_>>().join(", "))
        }
        several => format!("[{}]", several.join(", ")),
    }
}

/// A number as TOML has it, all else as text.
fn number(text: &str) -> String {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => format!("{number:?}"),
        _ => quoted(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant::spatial::{euler_xyz, rotation_vector};
    use std::f64::consts::FRAC_PI_2;

    fn pose(position: &str, attitude: Option<&str>) -> Result<Pose<f64>, String> {
        PoseText { position, attitude }.pose().map_err(|report| report.to_string())
    }

    /// The same turn in every way in which it can be said.
    #[test]
    fn attitudes_are_read_in_all_ways() {
        let expected = euler_xyz(0.0, 0.0, FRAC_PI_2);
        for way in [
            "rpy=0,0,90deg",
            "rpy=[0, 0, \"90 deg\"]",
            "rpy = 0, 0, 90 deg",
            "quaternion=0.7071067811865476,0,0,0.7071067811865476",
            "axis=0,0,1 angle=90deg",
            "axis=z, angle=90 deg",
            "angle=90deg axis=0,0,2",
            "rotation=0,-1,0,1,0,0,0,0,1",
            "rotation=[[0, -1, 0], [1, 0, 0], [0, 0, 1]]",
        ] {
            let found = pose("1,2,300mm", Some(way)).unwrap_or_else(|told| panic!("{told}"));
            assert_eq!(found.position.to_array(), [1.0, 2.0, 0.3], "{way}");
            let off = rotation_vector(&expected.transpose_matmul(&found.rotation)).norm();
            assert!(off < 1e-15, "{way}: {off}");
        }
        assert_eq!(
            pose("-1, 0, .5", None).map(|pose| pose.position.to_array()),
            Ok([-1.0, 0.0, 0.5])
        );
    }

    #[test]
    fn what_is_no_pose_is_told() {
        for (position, attitude, told) in [
            ("1,2", None, "position has 2 entries, expected 3"),
            ("1,2,3kg", None, "kg"),
            ("1,2,3", Some("rpz=0,0,1"), "did you mean rpy?"),
            ("1,2,3", Some("90deg"), "90deg"),
            ("1,2,3", Some("rotation=1,0,0,0,1,0,0,0,-1"), "the attitude is no rotation"),
            ("1,2,3", Some("axis=z"), "there is an axis but no angle"),
            ("1,2,3", Some("quaternion=1,1,0,0"), "length 1.4142, expected 1"),
        ] {
            let refused = pose(position, attitude).expect_err(told);
            assert!(refused.contains(told), "{refused}");
        }
    }
}
