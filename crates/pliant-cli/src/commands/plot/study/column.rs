//! A column of a study, as it is drawn.

use crate::figures::{figure, readable};
use crate::output::Failure;
use pliant_draw::{Axis, AxisScale};
use pliant_io::study::{Study, StudyLevels, StudyOptimisation, StudySample};
use pliant_io::{nearest, quoted};

/// A column in the unit in which it is drawn; texts are their places in the list of them.
pub(super) struct Column {
    /// What it is, in words.
    pub(super) label: String,
    unit: String,
    pub(super) values: Vec<f64>,
    /// 1 where a lower number is the better one, -1 where a higher one is.
    pub(super) better: Option<f64>,
    words: Vec<String>,
    is_logarithmic: bool,
    /// The values of a parameter that has few.
    levels: Option<StudyLevels>,
}

impl Column {
    /// One that is there, or the number of the run.
    pub(super) fn of(study: &Study, sample: &StudySample, name: &str) -> Self {
        let goals = study.optimisation().map_or(&[][..], StudyOptimisation::goals);
        let goal = goals.iter().find(|goal| goal.name == name);
        let goal = goal.map(|goal| if goal.is_maximised { -1.0 } else { 1.0 });
        let column = |label: &str, unit: &str, values: Vec<f64>| {
            let sizes = values.iter().map(|value| value.abs()).filter(|size| size.is_finite());
            let (unit, factor) = readable(unit, sizes.fold(0.0, f64::max));
            Self {
                label: label.to_owned(),
                unit,
                values: values.into_iter().map(|value| factor * value).collect(),
                better: goal,
                words: Vec::new(),
                is_logarithmic: false,
                levels: None,
            }
        };
        let numbers = || sample.numbers(name).unwrap_or_default().to_vec();
        if let Some(one) = study.figures().iter().find(|one| one.name == name) {
            let better = one.lower_is_better.map(|is_lower| if is_lower { 1.0 } else { -1.0 });
            return Self { better: goal.or(better), ..column(&one.label, &one.unit, numbers()) };
        }
        let Some(one) = study.parameters().iter().find(|one| one.name == name) else {
            return column("run", "1", sample.rows.iter().map(|&row| row as f64).collect());
        };
        let own = match sample.texts(name) {
            None => column(name, &one.unit, numbers()),
            Some(texts) => {
                let place = |text: &String| one.choices.iter().position(|own| own == text);
                let places = texts.iter().map(|text| place(text).map_or(f64::NAN, |k| k as f64));
                Self { words: one.choices.clone(), ..column(name, "", places.collect()) }
            }
        };
        let levels = one.has_levels().then(|| StudyLevels::of(&own.values)).flatten();
        Self { levels, is_logarithmic: one.is_logarithmic(), ..own }
    }

    /// Whether it has few values, as in a grid.
    pub(super) fn has_levels(&self) -> bool {
        self.levels.is_some()
    }

    /// Whether each of its values may be a curve.
    pub(super) fn makes_curves(&self) -> bool {
        !self.words.is_empty() || self.levels.as_ref().is_some_and(StudyLevels::make_curves)
    }

    /// Its values, with what they are called.
    pub(super) fn levels(&self) -> Vec<(f64, String)> {
        let levels = self.levels.as_ref().map_or(&[][..], |levels| &levels.0);
        let called = |&level: &f64| {
            if self.words.is_empty() {
                let text = format!("{} {}", figure(level, 0.0), self.unit_shown());
                (level, text.trim().to_owned())
            } else {
                (level, self.word(level))
            }
        };
        levels.iter().map(called).collect()
    }

    #[expect(clippy::cast_sign_loss, reason = "a place in the list")]
    fn word(&self, level: f64) -> String {
        self.words.get(level as usize).cloned().unwrap_or_default()
    }

    fn unit_shown(&self) -> &str {
        if self.unit == "1" { "" } else { &self.unit }
    }

    /// Which of its values a row has.
    pub(super) fn level(&self, row: usize) -> usize {
        let levels = self.levels.as_ref().map_or(&[][..], |levels| &levels.0);
        levels.partition_point(|level| *level < self.values[row])
    }

    /// Where the cells of its values begin and end: in the middle between them.
    pub(super) fn edges(&self) -> Vec<f64> {
        let levels = self.levels.as_ref().map_or(&[][..], |levels| &levels.0);
        let is_logarithmic = self.is_drawn_by_logarithm();
        let to = |x: f64| if is_logarithmic { x.ln() } else { x };
        let back = |x: f64| if is_logarithmic { x.exp() } else { x };
        let places: Vec<f64> = levels.iter().map(|&level| to(level)).collect();
        let middles = places.windows(2).map(|two| f64::midpoint(two[0], two[1]));
        let middles: Vec<f64> = middles.collect();
        let (Some(first), Some(last)) = (places.first(), places.last()) else { return Vec::new() };
        // a value alone has a cell all the same
        let alone = if *first == 0.0 { 0.5 } else { 0.05 * first.abs() };
        let low = middles.first().map_or(first - alone, |middle| 2.0 * first - middle);
        let high = middles.last().map_or(last + alone, |middle| 2.0 * last - middle);
        [low].into_iter().chain(middles).chain([high]).map(back).collect()
    }

    fn is_drawn_by_logarithm(&self) -> bool {
        self.is_logarithmic && self.values.iter().all(|value| value.is_nan() || *value > 0.0)
    }

    pub(super) fn axis(&self) -> Axis {
        if !self.words.is_empty() {
            return Axis::of_words(&self.label, self.words.clone());
        }
        let axis = Axis::new(&self.label, &self.unit);
        if self.is_drawn_by_logarithm() { axis.scaled(AxisScale::Log) } else { axis }
    }
}

/// Refuses a name that is not there.
pub(super) fn named(what: &str, name: &str, all: &[&str]) -> Result<(), Failure> {
    const SHOWN: usize = 8;
    if all.contains(&name) {
        return Ok(());
    }
    let help = if let Some(near) = nearest(name, all.iter().copied()) {
        format!("did you mean {}?", quoted(near))
    } else {
        let more = if all.len() > SHOWN { ", …" } else { "" };
        let some: Vec<String> = all.iter().take(SHOWN).map(|one| quoted(one)).collect();
        format!("there are {}{more}", some.join(", "))
    };
    Err(Failure::input(format!("the study has no {what} {}", quoted(name)), help))
}
