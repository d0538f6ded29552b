//! One run, as a page tells it.

use super::chain::Chain;
use super::pack::{Pack, Packed};
use super::{errors, frequencies, motion, picture, words};
use crate::results::{Error, Reader};
use crate::scenario::{self, Setup};
use pliant::Help;
use pliant::dynamics::kinematics::Workspace;
use pliant::scenario::RunFigure;
use pliant::simulate::{Channel, ChannelRole};
use serde::Serialize;
use serde_json::{Value, json};
use std::path::{Component, Path, PathBuf};

/// Numbers of a page, at most: twelve million bytes.
const MOST_NUMBERS: usize = 6_000_000;

/// Rows that are kept whatever else there is.
const FEWEST_ROWS: usize = 2000;

/// A channel with its numbers.
#[derive(Serialize)]
struct Drawn<'a> {
    #[serde(flatten)]
    channel: &'a Channel,
    data: Packed,
}

/// Tells of the run in a folder, which has a name and shares a page with others.
pub(super) fn read(
    folder: &Path,
    reader: &Reader,
    name: &str,
    runs: usize,
    pack: &mut Pack,
) -> Result<Value, Error> {
    let columns = reader.columns()?;
    let setup = scenario::of_results(folder, reader);
    let (times, names) = (&columns[0], reader.channels());
    let (picture, why_none) = match pictured(&setup, names, &columns, runs, pack) {
        Ok(picture) => (Some(picture), None),
        Err(why) => (None, Some(why)),
    };
    let drawable = picture.as_ref().map_or(0, |picture| picture.rows);
    let (arm, motion) = picture.map(|picture| (picture.arm, picture.motion)).unzip();
    let most = MOST_NUMBERS / runs.max(1) / names.len().max(1);
    let bucket = times.len().div_ceil(most.max(FEWEST_ROWS)).max(1);
    // a pair of rows holds the extremes of a bucket
    let bucket = if bucket > 1 { 2 * bucket } else { 1 };
    let shown = thinned_times(times, bucket);
    let errors = errors::errors(names, &columns);
    let recorded = names.iter().zip(&columns);
    let drawn: Vec<Drawn<'_>> = recorded
        .filter(|(channel, _)| channel.role != ChannelRole::Time)
        .chain(errors.iter().map(|(channel, values)| (channel, values)))
        .map(|(channel, values)| Drawn { channel, data: pack.fine(&thinned(values, bucket)) })
        .collect();
    Ok(json!({
        "name": name,
        "rows": times.len(),
        "thinned": bucket > 1,
        "times": { "count": shown.len(), "at": pack.exact(&shown) },
        "channels": drawn,
        "arm": arm,
        "motion": motion,
        "drawable": drawable,
        "noArm": why_none,
        "frequencies": frequencies::tell(setup.as_ref().ok()),
        "figures": figures(reader),
        "words": words::tell(folder, reader, setup.as_ref().ok(), times),
    }))
}

/// The figures by which it is compared with others; none of a run that is not finished.
fn figures(reader: &Reader) -> Vec<Value> {
    let all = reader.summary().map_or_else(Vec::new, |summary| summary.outcome.figures());
    let told = all.into_iter().map(
        |RunFigure { name, label, kind, subject, unit, value, lower_is_better }| {
            json!({
                "name": name,
                "label": label,
            "kind": kind,
                "subject": subject,
                "unit": unit,
                "value": value,
                "lowerIsBetter": lower_is_better,
            })
        },
    );
    told.collect()
}

/// What runs are called: as their folders, with as many folders above as tell them apart. The same
/// folder given again is numbered.
pub(super) fn names_of<P: AsRef<Path>>(folders: &[P]) -> Vec<String> {
    let whole: Vec<PathBuf> = folders
        .iter()
        .map(|folder| folder.as_ref().canonicalize().unwrap_or_else(|_| folder.as_ref().to_owned()))
        .collect();
    let parts = |at: usize| {
        let parts = whole[at].components().filter(|part| matches!(part, Component::Normal(_)));
        parts.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect::<Vec<_>>()
    };
    let name = |at: usize, depth: usize| {
        let parts = parts(at);
        let name = parts[parts.len().saturating_sub(depth)..].join("/");
        if name.is_empty() { "run".to_owned() } else { name }
    };
    let named = |at: usize| {
        let deepest = parts(at).len().max(1);
        let differs = |depth: usize| {
            let own = name(at, depth);
            (0..whole.len()).all(|other| whole[other] == whole[at] || name(other, depth) != own)
        };
        let found = name(at, (1..deepest).find(|&depth| differs(depth)).unwrap_or(deepest));
        match whole[..at].iter().filter(|&other| *other == whole[at]).count() {
            0 => found,
            before => format!("{found} ({})", before + 1),
        }
    };
    (0..whole.len()).map(named).collect()
}

/// The arm with its motion.
struct Picture {
    arm: Value,
    motion: motion::Motion,
    /// Rows from which it could have been drawn.
    rows: usize,
}

/// The arm and its motion, or the sentence that says why there is none.
fn pictured(
    setup: &Result<Setup, crate::Report>,
    channels: &[Channel],
    columns: &[Vec<f64>],
    runs: usize,
    pack: &mut Pack,
) -> Result<Picture, String> {
    let setup = setup.as_ref().map_err(|report| {
        format!("The scenario in the folder cannot be read: {}.", report.summary())
    })?;
    let tip = setup.simulation.tip.map(|tip| setup.simulation.arm.frames()[tip].name());
    let chain = Chain::new(&setup.simulation.description, tip)
        .map_err(|error| format!("The arm cannot be drawn: {}.", error.with_help()))?;
    let find = |name: &String| channels.iter().position(|channel| channel.name == *name);
    let names = chain.lines.arm().configuration_names();
    let found: Vec<Option<usize>> = names.iter().map(find).collect();
    if let Some(missing) =
        names.iter().zip(&found).find_map(|(name, at)| at.is_none().then_some(name))
    {
        return Err(format!(
            "The arm is not shown, since its coordinate \"{missing}\" was not recorded. Record all of them: record = {{ channels = [\"coordinates\"] }}."
        ));
    }
    let places: Vec<usize> = found.into_iter().flatten().collect();
    let row = |at: usize| places.iter().map(|&column| columns[column][at]).collect::<Vec<f64>>();
    let rows = columns[0].len();
    let usable = (0..rows).take_while(|&at| row(at).iter().all(|x| x.is_finite())).count();
    if usable == 0 {
        return Err("The arm is not shown, since no row was recorded.".to_owned());
    }
    let chosen = motion::chosen(&columns[0], usable, motion::most_instants(&chain, runs));
    let mut work = Workspace::new(chain.lines.arm());
    let instants = chosen.iter().map(|&at| motion::instant(&chain, &mut work, &row(at)));
    let instants = instants.collect();
    let times: Vec<f64> = chosen.iter().map(|&at| columns[0][at]).collect();
    let motion = motion::pack(&times, instants, pack);
    Ok(Picture { arm: picture::picture(&chain), motion, rows: usable })
}

/// The times of thinned rows: two for each bucket.
fn thinned_times(times: &[f64], bucket: usize) -> Vec<f64> {
    if bucket == 1 {
        return times.to_vec();
    }
    let pair = |rows: &[f64]| [rows[rows.len() / 4], rows[3 * rows.len() / 4]];
    times.chunks(bucket).flat_map(pair).collect()
}

/// The least and the greatest of each bucket, in the order they came. No peak is lost.
fn thinned(values: &[f64], bucket: usize) -> Vec<f64> {
    if bucket == 1 {
        return values.to_vec();
    }
    let pair = |rows: &[f64]| {
        let by_size = |a: &usize, b: &usize| rows[*a].total_cmp(&rows[*b]);
        let finite = || (0..rows.len()).filter(|&at| rows[at].is_finite());
        match (finite().min_by(by_size), finite().max_by(by_size)) {
            (Some(least), Some(most)) => [rows[least.min(most)], rows[least.max(most)]],
            _ => [f64::NAN; 2],
        }
    };
    values.chunks(bucket).flat_map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::{names_of, thinned, thinned_times};

    #[test]
    fn names_tell_runs_apart() {
        assert_eq!(names_of(&["/none/a/run"]), ["run"]);
        assert_eq!(names_of(&["/none/a/run", "/none/b/run", "/none/c"]), ["a/run", "b/run", "c"]);
        assert_eq!(names_of(&["/none/run", "/none/run"]), ["run", "run (2)"]);
        assert_eq!(names_of(&["/x/run", "/y/x/run"]), ["x/run", "y/x/run"]);
        assert_eq!(names_of(&["/"]), ["run"]);
    }

    #[test]
    fn no_peak_is_lost() {
        let values = [0.0, 5.0, -1.0, 2.0, f64::NAN, 3.0, 1.0, 9.0, 4.0, 4.0];
        assert_eq!(thinned(&values, 4), [5.0, -1.0, 1.0, 9.0, 4.0, 4.0]);
        let times = thinned_times(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0], 4);
        assert_eq!(times, [1.0, 3.0, 5.0, 7.0, 8.0, 9.0]);
        assert!(thinned(&[f64::NAN; 4], 4).iter().all(|x| x.is_nan()));
    }
}
