//! The arm itself, at one or more instants.

use super::recorded::Recorded;
use super::{Plot, Viewpoint, time};
use crate::commands::run::disk;
use crate::figures::figure;
use crate::output::Failure;
use pliant::Help;
use pliant::spatial::Vec3;
use pliant_draw::{Look, Picture, Scene, Shape, Side, Size, Skeleton, Style, View};
use pliant_io::escape::Shown as _;
use pliant_io::scenario;

/// An arm with its recorded coordinates.
struct Moving<'a> {
    run: &'a Recorded,
    skeleton: Skeleton,
    /// Against gravity; nothing where there is none.
    upwards: Vec3<f64>,
    /// The columns of its coordinates, all rows.
    columns: Vec<Vec<f64>>,
}

/// A trace of the tip has at most so many points.
const TRACE: usize = 600;

/// How much the first of several instants in one picture fades.
const PALEST: f64 = 0.75;

impl Plot {
    /// The SVG of the arm.
    pub(super) fn draw_arm(
        &self,
        runs: &[Recorded],
        size: Option<Size>,
    ) -> Result<String, Failure> {
        let exaggeration = self.exaggerate.unwrap_or(1.0);
        if !(exaggeration.is_finite() && exaggeration >= 0.0) {
            let message = format!("--exaggerate is {exaggeration}, expected a number from 0 on");
            return Err(Failure::input(message, "write --exaggerate 10"));
        }
        let arms: Vec<Moving<'_>> = runs.iter().map(Moving::new).collect::<Result<_, _>>()?;
        let times = self.instants(runs)?;
        let mut stills: Vec<(String, Vec<Scene>)> = Vec::new();
        for (k, &t) in times.iter().enumerate() {
            let last = k + 1 == times.len();
            let mut scenes = Vec::new();
            for (number, arm) in arms.iter().enumerate() {
                let fade = if self.together && times.len() > 1 {
                    PALEST * (1.0 - k as f64 / (times.len() - 1) as f64)
                } else {
                    0.0
                };
                let rest = last || !self.together;
                let look = Look { style: Style::number(number), fade, exaggeration, rest };
                scenes.push(arm.scene(t, &look, !self.together || last)?);
            }
            match stills.last_mut().filter(|_| self.together) {
                Some((_, before)) => before.extend(scenes),
                None => stills.push((format!("t = {} s", short(t, &times)), scenes)),
            }
        }
        if let ([(caption, _)], [first, .., last]) = (stills.as_mut_slice(), times.as_slice()) {
            *caption = format!("t = {} s to {} s", figure(*first, 0.0), figure(*last, 0.0));
        }
        let upwards = arms.first().map_or(Vec3::AXES[2], |arm| arm.upwards);
        let view = match self.view {
            Some(Viewpoint::Front) => View::new(Side::Front, upwards),
            Some(Viewpoint::Side) => View::new(Side::Side, upwards),
            Some(Viewpoint::Top) => View::new(Side::Top, upwards),
            Some(Viewpoint::Iso) => View::new(Side::Oblique, upwards),
            None => View::showing(stills.iter().flat_map(|(_, scenes)| scenes), upwards),
        };
        let names = runs.iter().enumerate().filter(|_| runs.len() > 1);
        let legend = names.map(|(k, run)| (run.name.clone(), Style::number(k))).collect();
        let wide = if stills.len() > 1 { 160.0 } else { 120.0 };
        let usual = Size { width: wide, height: wide };
        let note = match exaggeration {
            1.0 => String::new(),
            factor => format!("bending × {}", figure(factor, 0.0)),
        };
        let picture = Picture { size: size.unwrap_or(usual), view, stills, legend, note };
        Ok(if size.is_some() { picture.svg() } else { picture.fitted().svg() })
    }

    /// The times of the pictures (s).
    fn instants(&self, runs: &[Recorded]) -> Result<Vec<f64>, Failure> {
        if let Some(text) = &self.snapshot {
            return Ok(vec![time(text)?]);
        }
        let text = self.filmstrip.as_deref().unwrap_or_default();
        let Ok(count) = text.trim().parse::<usize>() else {
            return text.split(',').map(time).collect();
        };
        if !(1..=100).contains(&count) {
            let message = format!("--filmstrip {count} is not between 1 and 100 pictures");
            return Err(Failure::input(message, "for one instant there is --snapshot"));
        }
        // what all runs have
        let first = runs.iter().map(|run| run.window()[0]).fold(f64::NEG_INFINITY, f64::max);
        let ends = runs.iter().filter_map(|run| run.window().last());
        let last = ends.copied().fold(f64::INFINITY, f64::min);
        let step = (last - first) / (count.max(2) - 1) as f64;
        Ok((0..count).map(|k| first + k as f64 * step).collect())
    }
}

impl<'a> Moving<'a> {
    fn new(run: &'a Recorded) -> Result<Self, Failure> {
        let setup = scenario::of_results(&run.folder, &run.reader)?;
        let tip = setup.simulation.tip.map(|tip| setup.simulation.arm.frames()[tip].name());
        let skeleton = Skeleton::new(&setup.simulation.description, tip).map_err(|error| {
            Failure::internal(format!("the arm cannot be drawn: {}", error.with_help()))
        })?;
        let names = skeleton.arm().configuration_names();
        let has = |name: &&String| run.reader.channels().iter().any(|one| one.name == **name);
        let missing: Vec<&str> =
            names.iter().filter(|name| !has(name)).map(String::as_str).collect();
        if let Some(first) = missing.first() {
            let more = match missing.len() {
                1 => String::new(),
                count => format!(" and {} other coordinates", count - 1),
            };
            return Err(Failure::input(
                format!(
                    "{} did not record \"{first}\"{more}, so where the arm was is not known",
                    run.folder.shown()
                ),
                "write record = { channels = [\"coordinates\"] } into the scenario, perhaps beside other channels, and run it again",
            ));
        }
        let column = |name: &String| run.reader.column(name).map_err(|error| disk(&error));
        let columns = names.iter().map(column).collect::<Result<_, _>>()?;
        let upwards = -setup.simulation.arm.gravity();
        Ok(Self { run, skeleton, upwards, columns })
    }

    fn scene(&self, t: f64, look: &Look, traced: bool) -> Result<Scene, Failure> {
        let q = self.coordinates(t)?;
        let wrong = |error: pliant::dynamics::EvaluationError| {
            let folder = self.run.folder.shown();
            let message = format!("{folder} at t = {} s: {error}", figure(t, 0.0));
            Failure::input(message, "draw an instant before the motion failed")
        };
        let mut scene = self.skeleton.scene(&q, look).map_err(wrong)?;
        if traced {
            let rows = self.run.rows.clone().take_while(|row| self.run.times[*row] <= t);
            let rows: Vec<usize> = rows.collect();
            let every = rows.len().div_ceil(TRACE).max(1);
            let mut way = Vec::new();
            for row in rows.iter().step_by(every) {
                let q: Vec<f64> = self.columns.iter().map(|column| column[*row]).collect();
                way.extend(self.skeleton.tip(&q, look.exaggeration).map_err(wrong)?);
            }
            way.extend(self.skeleton.tip(&q, look.exaggeration).map_err(wrong)?);
            if way.len() > 1 {
                scene.shapes.push(Shape::Trace(way));
            }
        }
        Ok(scene)
    }

    /// The coordinates at a time, between two rows in proportion.
    fn coordinates(&self, t: f64) -> Result<Vec<f64>, Failure> {
        let times = &self.run.times;
        let (first, last) = (times[0], times[times.len() - 1]);
        let some = 1e-9 * last.abs();
        if !(first - some..=last + some).contains(&t) {
            let (folder, t) = (self.run.folder.shown(), figure(t, 0.0));
            let span = self.run.span().unwrap_or_default();
            return Err(Failure::input(
                format!("{folder} has nothing at t = {t} s"),
                format!("it was recorded {span}"),
            ));
        }
        let after = times.partition_point(|time| *time < t).min(times.len() - 1);
        let before = after.saturating_sub(1);
        let step = times[after] - times[before];
        let share = if step > 0.0 { ((t - times[before]) / step).clamp(0.0, 1.0) } else { 1.0 };
        let mix = |column: &Vec<f64>| column[before] + (column[after] - column[before]) * share;
        let mut q: Vec<f64> = self.columns.iter().map(mix).collect();
        self.skeleton.arm().normalise(&mut q);
        Ok(q)
    }
}

/// A time in as many digits as tell it from others: a thousandth of the whole.
fn short(t: f64, times: &[f64]) -> String {
    let ends = times.first().zip(times.last());
    let span = ends.map_or(0.0, |(first, last)| (last - first).abs());
    if span == 0.0 {
        return figure(t, 0.0);
    }
    let digit = 10.0_f64.powf(span.log10().floor() - 2.0);
    figure((t / digit).round() * digit, span)
}
