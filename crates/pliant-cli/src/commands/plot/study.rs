//! A study: a figure over a parameter, as points, curves or a map; or what causes its variance.

mod column;

use crate::commands::study::{in_folder, unread};
use crate::output::{Failure, Output};
use column::{Column, named};
use pliant::study::pareto_front;
use pliant_draw::{Axis, Bar, ColourCell, ColourMap, Curve, CurveForm, Figure, Panel, Size, Style};
use pliant_io::escape::Shown as _;
use pliant_io::study::{
    JournalError, ParameterIndices, RowStatus, Study, StudyOptimisation, StudySample, StudySummary,
    StudyTableReader, StudyView, TrialMark,
};
use std::collections::BTreeMap;
use std::path::Path;

/// More runs than this are not drawn; more dots say no more on paper.
const MOST_RUNS: u64 = 5000;

/// The column that counts the runs.
const INDEX: &str = "index";

/// How high a bar is, and how far its middle is from that of its parameter.
const BAR: f64 = 0.28;
const BESIDE: f64 = 0.16;

/// What is asked for.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub(super) figure: Option<&'a str>,
    pub(super) over: Option<&'a str>,
    pub(super) by: Option<&'a str>,
}

/// The figure of the study in a folder.
pub(super) fn figure(
    output: &Output,
    folder: &Path,
    wanted: Wanted<'_>,
    size: Option<Size>,
) -> Result<Figure, Failure> {
    let study = in_folder(folder)?;
    let fault = |error| unread(&study, folder, &error);
    let table = StudyTableReader::of_study(&study, folder).map_err(fault)?;
    let summary = StudySummary::in_folder(&study, folder, &table).map_err(fault)?;
    let sample = table.sample(MOST_RUNS, &summary.telling_runs()).map_err(fault)?;
    let (drawn, rows) = (sample.rows.len(), table.rows());
    let view = view(&study, &sample, wanted, folder)?;
    if wanted.over.is_none() && wanted.by.is_none() {
        let own = |one: &&ParameterIndices| one.figure == view.figure;
        let indices: Vec<_> = summary.sensitivities.iter().filter(own).collect();
        if !indices.is_empty() {
            return Ok(bars(&Column::of(&study, &sample, &view.figure).label, indices, size));
        }
    }
    if (drawn as u64) < rows {
        output.note(&format!("{drawn} of {rows} runs are drawn, evenly chosen"));
    }
    let column = |name: &str| Column::of(&study, &sample, name);
    let (figure, over) = (column(&view.figure), column(&view.over));
    let by = view.by.as_deref().map(column);
    let panel = match &by {
        Some(by) if !by.makes_curves() => map(&figure, &over, by),
        by => {
            let marks = marks(&study, &table, &sample).map_err(fault)?;
            let mut panel = match (by, &marks) {
                (None, Some(marks)) => trials(&figure, &over, marks),
                (by, _) => curves(&figure, &over, by.as_ref()),
            };
            let path = (marks.is_some() && view.over == INDEX).then_some(1.0);
            let good = good(&sample, marks);
            panel.curves.extend(front(&figure, (&over, over.better.or(path)), &good));
            panel
        }
    };
    Ok(Figure::new(size.unwrap_or_else(|| Size::stacked(1)), vec![panel]))
}

/// What is asked for where it is there, and else what says most.
fn view(
    study: &Study,
    sample: &StudySample,
    wanted: Wanted<'_>,
    folder: &Path,
) -> Result<StudyView, Failure> {
    let goals = study.optimisation().map_or(&[][..], StudyOptimisation::goals);
    let goals = || goals.iter().map(|goal| goal.name.as_str());
    let figures = || study.figures().iter().map(|one| one.name.as_str());
    let parameters = || study.parameters().iter().map(|one| one.name.as_str());
    if let Some(name) = wanted.figure {
        named("figure", name, &figures().chain(goals()).collect::<Vec<_>>())?;
    }
    if let Some(name) = wanted.over {
        let all: Vec<&str> = parameters().chain(figures()).chain([INDEX]).collect();
        named("parameter or figure", name, &all)?;
    }
    if let Some(name) = wanted.by {
        named("parameter", name, &parameters().collect::<Vec<_>>())?;
    }
    let Some(usual) = StudyView::usual(study, sample) else {
        return Err(Failure::input(
            format!("no run of {} has a figure", folder.shown()),
            "the columns status and reason of its table say why",
        ));
    };
    let figure = wanted.figure.map_or(usual.figure, str::to_owned);
    let known = sample.numbers(&figure).unwrap_or_default();
    if !known.iter().any(|value| value.is_finite()) {
        return Err(Failure::input(
            format!("no run has a number as its figure {}", pliant_io::quoted(&figure)),
            "choose another figure; the columns status and reason of the table say why",
        ));
    }
    let over = wanted.over.map_or(usual.over, str::to_owned);
    // what is drawn over something else is drawn by nothing unless that is asked for
    let usual_by = usual.by.filter(|_| wanted.over.is_none());
    let by = wanted.by.map(str::to_owned).or(usual_by).filter(|by| *by != over);
    Ok(StudyView { figure, over, by })
}

/// A figure over a column, in a curve for each value of another one.
fn curves(figure: &Column, over: &Column, by: Option<&Column>) -> Panel {
    let mut panel = Panel::new(over.axis(), figure.axis());
    let all: Vec<usize> = (0..figure.values.len()).collect();
    let series = match by {
        None => vec![(String::new(), all)],
        Some(by) => by
            .levels()
            .into_iter()
            .map(|(level, name)| {
                let own = all.iter().copied().filter(|&row| by.values[row] == level);
                (format!("{} {name}", by.label), own.collect())
            })
            .collect(),
    };
    for (number, (name, rows)) in series.into_iter().enumerate() {
        let points = points(&rows, over, figure);
        let style = Style::number(number);
        let curve = |name: &str, points: &[[f64; 2]], form| {
            let (x, y) = points.iter().map(|[x, y]| (*x, *y)).unzip();
            Curve { style, form, ..Curve::new(name, x, y) }
        };
        if !over.has_levels() {
            panel.curves.push(curve(&name, &points, CurveForm::Dots));
            continue;
        }
        let middle = medians(&points);
        if middle.len() < points.len() {
            panel.curves.push(curve("", &points, CurveForm::FaintDots));
        }
        panel.curves.push(curve(&name, &middle, CurveForm::DottedLine));
    }
    panel
}

/// What the trials of an optimisation are; none of a sweep.
fn marks(
    study: &Study,
    table: &StudyTableReader,
    sample: &StudySample,
) -> Result<Option<Vec<TrialMark>>, JournalError> {
    let trials = study.trials(table)?;
    Ok(trials.map(|trials| TrialMark::of_sample(&trials, sample)))
}

/// Which runs count: those that reached an end that was meant, of an optimisation those that keep all
/// constraints.
fn good(sample: &StudySample, marks: Option<Vec<TrialMark>>) -> Vec<bool> {
    if let Some(marks) = marks {
        return marks.into_iter().map(|mark| mark == TrialMark::Keeps).collect();
    }
    let good = [RowStatus::Completed, RowStatus::Stopped].map(RowStatus::word);
    let ended = sample.texts("status").unwrap_or_default();
    ended.iter().map(|word| good.contains(&word.as_str())).collect()
}

/// The trials of an optimisation, those that failed and those that break a constraint apart.
fn trials(figure: &Column, over: &Column, marks: &[TrialMark]) -> Panel {
    let mut panel = Panel::new(over.axis(), figure.axis());
    for (name, own, colour) in [
        ("failed", TrialMark::Failed, 3),
        ("breaks a constraint", TrialMark::Breaks, 5),
        ("keeps all constraints", TrialMark::Keeps, 0),
    ] {
        let rows: Vec<usize> = (0..marks.len()).filter(|&row| marks[row] == own).collect();
        let points = points(&rows, over, figure);
        if !points.is_empty() {
            let (x, y) = points.iter().map(|[x, y]| (*x, *y)).unzip();
            let style = Style { colour, dash: 0 };
            let curve = Curve { style, form: CurveForm::Dots, ..Curve::new(name, x, y) };
            panel.curves.push(curve);
        }
    }
    panel
}

/// Where rows lie that have both numbers.
fn points(rows: &[usize], over: &Column, figure: &Column) -> Vec<[f64; 2]> {
    let points = rows.iter().map(|&row| [over.values[row], figure.values[row]]);
    points.filter(|point| point.iter().all(|x| x.is_finite())).collect()
}

/// The median of the points at each place, in the order of the places.
fn medians(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let places = sorted.chunk_by(|a, b| a[0] == b[0]);
    places.map(|own| own[(own.len() - 1) / 2]).collect()
}

/// The runs that no other one beats in two columns that both have a better end, 1 for less and -1 for
/// more, from the best along the axis on: what one of them gives holds until the next. Over the runs of
/// an optimisation it is the best so far.
fn front(figure: &Column, (over, end): (&Column, Option<f64>), good: &[bool]) -> Option<Curve> {
    let signs = [end?, figure.better?];
    let ranked = |row: usize| {
        let values = [over.values[row], figure.values[row]];
        [0, 1].map(|k| if good[row] { signs[k] * values[k] } else { f64::NAN })
    };
    let ranked: Vec<[f64; 2]> = (0..good.len()).map(ranked).collect();
    let mut best = pareto_front(&ranked).unwrap_or_default();
    best.sort_by(|&a, &b| ranked[a][0].total_cmp(&ranked[b][0]));
    best.dedup_by(|a, b| ranked[*a] == ranked[*b]);
    let [mut x, mut y] = [over, figure]
        .map(|column| best.iter().map(|&row| column.values[row]).collect::<Vec<f64>>());
    let name = if over.better.is_some() {
        "Pareto front"
    } else {
        // the best holds until the last run
        x.extend(over.values.last().filter(|_| !y.is_empty()));
        y.extend(y.last().copied());
        "best so far"
    };
    let style = Style { colour: 1, dash: 0 };
    Some(Curve { style, form: CurveForm::Held, ..Curve::new(name, x, y) })
}

/// A figure over two columns: cells of a grid, each with the median of its runs, or dots.
fn map(figure: &Column, over: &Column, by: &Column) -> Panel {
    let rows = (0..figure.values.len())
        .filter(|&row| [over, by, figure].iter().all(|column| column.values[row].is_finite()));
    let cells = if over.has_levels() && by.has_levels() {
        let mut all: BTreeMap<[usize; 2], Vec<f64>> = BTreeMap::new();
        for row in rows {
            let place = [over, by].map(|column| column.level(row));
            all.entry(place).or_default().push(figure.values[row]);
        }
        let [across, along] = [over, by].map(Column::edges);
        let cell = |([i, j], mut values): ([usize; 2], Vec<f64>)| {
            values.sort_by(f64::total_cmp);
            ColourCell {
                x: [across[i], across[i + 1]],
                y: [along[j], along[j + 1]],
                value: values[(values.len() - 1) / 2],
            }
        };
        all.into_iter().map(cell).collect()
    } else {
        let dot = |row: usize| ColourCell {
            x: [over.values[row]; 2],
            y: [by.values[row]; 2],
            value: figure.values[row],
        };
        rows.map(dot).collect()
    };
    let mut panel = Panel::new(over.axis(), by.axis());
    panel.map = Some(ColourMap { colour: figure.axis(), cells });
    panel
}

/// Which part of the variance of a figure each parameter causes, the largest above.
fn bars(figure: &str, mut indices: Vec<&ParameterIndices>, size: Option<Size>) -> Figure {
    indices.sort_by(|a, b| a.total[0].total_cmp(&b.total[0]));
    let names = indices.iter().map(|one| one.parameter.clone()).collect();
    let label = format!("part of the variance: {figure}");
    let mut panel = Panel::new(Axis::new(label, ""), Axis::of_words("", names));
    for (name, colour) in [("alone (first order)", 0), ("with all others (total)", 4)] {
        let style = Style { colour, dash: 0 };
        panel.curves.push(Curve { style, ..Curve::new(name, Vec::new(), Vec::new()) });
    }
    for (place, one) in indices.iter().enumerate() {
        for (k, [value, low, high]) in [one.first, one.total].into_iter().enumerate() {
            let side = if k == 0 { BESIDE } else { -BESIDE };
            let style = panel.curves[k].style;
            let y = [place as f64 + side, BAR];
            panel.bars.push(Bar { y, value, interval: [low, high], style });
        }
    }
    let own = Size { height: 24.0 + 10.0 * indices.len() as f64, ..Size::stacked(1) };
    Figure::new(size.unwrap_or(own), vec![panel])
}
