//! `pliant plot`: figures of runs and studies for papers.

mod channels;
mod curves;
mod recorded;
mod stills;
mod study;
mod tracking;

use super::options::Force;
use super::study::is_folder;
use crate::output::{Failure, Output};
use clap::{Args, ValueEnum};
use pliant_draw::Size;
use pliant_io::escape::{self, Shown as _};
use recorded::Recorded;
use std::path::{Path, PathBuf};

/// Draw runs as SVG or PNG: channels over time, or the arm itself; or a study
///
/// The default channels are the joints, the deformation of the links, the tip and the energies.
/// Channels of one kind and unit share a plot; much smaller ones get a separate plot.
///
/// Of a study, a figure of its runs is drawn over a parameter: points, a curve for each value of a second
/// parameter that has few, or a map in colours where it has many. Lines join the medians where runs share
/// a place, and so does a cell of a map. A study of sensitivities is drawn as its Sobol indices, unless
/// --over is given. A figure over another figure gets the Pareto front.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    pliant plot king-swing-run                             writes king-swing-run.svg\n  \
    pliant plot king-swing-run -c 'upper,fore,fore.y1,tip.*' --to 2 -o swing.png\n  \
    pliant plot king-swing-run -c energies --size 8x6cm --dpi 600 -o energy.png\n  \
    pliant plot first-run second-run -c tip.position.y     two runs in one plot\n  \
    pliant plot first-run second-run --tracking            joints over their plan, and errors\n  \
    pliant plot king-swing-run --snapshot \"0.8 s\"          the arm at an instant\n  \
    pliant plot king-swing-run --filmstrip 6 --to 2        six instants side by side\n  \
    pliant plot king-swing-run --filmstrip 0,0.4,0.8 --together --exaggerate 3\n  \
    pliant plot payload-study                              a study: its settling time, or the like\n  \
    pliant plot payload-study --figure hub.peak_torque --over payload --by shaper\n  \
    pliant plot payload-study --figure hub.peak_torque --over bar.tip.settling_time\n\n\
    Select channels by name (fore.y1), by pattern (tip.*, *.rate), or by kind:\n\
    joints, bending, tip, forces, energies, sensors, commands, telemetry, estimates, references;\n\
    the groups by which a scenario records (coordinates, frames, outputs, …) are kinds too.\n\
    Times without a unit are in seconds: 0.8, \"800 ms\".")]
pub(crate) struct Plot {
    /// Folders of runs, written by `pliant run`, or the folder of a study, written by `pliant sweep`
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,

    /// Channels to draw: names, patterns with * and kinds, separated by commas
    #[arg(long, short, value_name = "LIST", value_delimiter = ',')]
    channels: Vec<String>,

    /// Draw the joints over their plan, and the errors
    #[arg(long, conflicts_with_all = ["channels", "together", "each", "snapshot", "filmstrip"])]
    tracking: bool,

    /// Start of the time range
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    from: Option<String>,

    /// End of the time range
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    to: Option<String>,

    /// Draw all channels of a unit in one plot, all instants in one picture
    #[arg(long)]
    together: bool,

    /// Draw every channel in a separate plot
    #[arg(long, conflicts_with = "together")]
    each: bool,

    /// Draw the arm at an instant instead of plots
    #[arg(long, value_name = "TIME", conflicts_with_all = ["filmstrip", "channels", "each"])]
    snapshot: Option<String>,

    /// Draw the arm at several instants: their times, separated by commas, or their number
    #[arg(long, value_name = "TIMES|NUMBER", conflicts_with_all = ["channels", "each"])]
    filmstrip: Option<String>,

    /// Of a study: the figure to draw; default: how long the tip takes to settle, or the first
    #[arg(long, value_name = "NAME", allow_hyphen_values = true, conflicts_with_all = OF_RUNS)]
    figure: Option<String>,

    /// Of a study: the parameter, or another figure, or index, to draw it over
    #[arg(long, value_name = "NAME", allow_hyphen_values = true, conflicts_with_all = OF_RUNS)]
    over: Option<String>,

    /// Of a study: the second parameter
    #[arg(long, value_name = "PARAMETER", allow_hyphen_values = true, conflicts_with_all = OF_RUNS)]
    by: Option<String>,

    /// Viewpoint; default: the side that shows the motion best
    #[arg(long, value_enum)]
    view: Option<Viewpoint>,

    /// Magnify deflections by this factor
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    exaggerate: Option<f64>,

    /// Size on paper: 16x9cm
    #[arg(long, value_name = "WIDTHxHEIGHT")]
    size: Option<String>,

    /// Resolution of a PNG, in dots per inch
    #[arg(long, value_name = "NUMBER", default_value_t = 300.0)]
    dpi: f64,

    /// File to write, .svg or .png; default: the run's name with .svg
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    force: Force,
}

/// What studies have not.
const OF_RUNS: [&str; 10] = [
    "channels",
    "tracking",
    "from",
    "to",
    "together",
    "each",
    "snapshot",
    "filmstrip",
    "view",
    "exaggerate",
];

/// From where an arm is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Viewpoint {
    /// The first horizontal axis points right, up is against gravity
    Front,
    /// From the right-hand side of the front view
    Side,
    /// From above
    Top,
    /// From above, between front and side
    Iso,
}

/// The forms of files.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Svg,
    Png,
}

impl Plot {
    pub(crate) fn run(&self, output: &Output) -> Result<(), Failure> {
        let path = self.path();
        let form = form(&path)?;
        self.force.check_drawing(&path)?;
        if !(self.dpi >= 1.0 && self.dpi <= 10_000.0) {
            let message = format!("--dpi is {}, expected a number from 1 to 10000", self.dpi);
            return Err(Failure::input(message, "print needs 300, a screen 100"));
        }
        let size = self.size.as_deref().map(paper).transpose()?;
        if let Some(folder) = self.study()? {
            let svg = study::figure(output, folder, self.wanted(), size)?.svg();
            write_drawing(&path, form, svg, self.dpi, self.force)?;
            output.note(&format!("wrote {}", path.shown()));
            return Ok(());
        }
        let window = self.window()?;
        let mut runs = Vec::new();
        for run in &self.runs {
            let recorded = Recorded::open(run, window)?;
            recorded.warn(output);
            runs.push(recorded);
        }
        recorded::name_apart(&mut runs);
        let svg = if self.shows_arm() {
            self.draw_arm(&runs, size)?
        } else if self.tracking {
            tracking::figure(&runs, size)?.svg()
        } else {
            curves::figure(output, &runs, &self.channels, self.arrangement(), size)?.svg()
        };
        write_drawing(&path, form, svg, self.dpi, self.force)?;
        output.note(&format!("wrote {}", path.shown()));
        Ok(())
    }

    /// The folder of the study that is drawn, unless runs are; refuses options of the other.
    fn study(&self) -> Result<Option<&Path>, Failure> {
        let Self { runs, figure, over, by, .. } = self;
        let Some(folder) = runs.iter().find(|run| is_folder(run)) else {
            let given = [("figure", figure), ("over", over), ("by", by)];
            return match given.into_iter().find(|(_, given)| given.is_some()) {
                None => Ok(None),
                Some((option, _)) => Err(Failure::input(
                    format!("--{option} is of studies, and none is given"),
                    "give the folder that pliant sweep leaves; --channels chooses what is drawn of runs",
                )),
            };
        };
        let shown = folder.shown();
        if runs.len() > 1 {
            let message = format!("{shown} is the folder of a study, which is drawn alone");
            return Err(Failure::input(message, "give one study, or runs alone"));
        }
        let is_of_runs = !self.channels.is_empty()
            || [self.tracking, self.together, self.each, self.shows_arm()].contains(&true)
            || [&self.from, &self.to].into_iter().any(Option::is_some)
            || self.view.is_some()
            || self.exaggerate.is_some();
        if is_of_runs {
            let folder = escape::shell(&folder.to_string_lossy());
            return Err(Failure::input(
                format!("{shown} is the folder of a study, which has no channels over time"),
                format!(
                    "choose what is drawn with --figure, --over and --by; one of its runs has channels: pliant run {folder} --row 0"
                ),
            ));
        }
        Ok(Some(folder))
    }

    fn wanted(&self) -> study::Wanted<'_> {
        study::Wanted {
            figure: self.figure.as_deref(),
            over: self.over.as_deref(),
            by: self.by.as_deref(),
        }
    }

    fn shows_arm(&self) -> bool {
        self.snapshot.is_some() || self.filmstrip.is_some()
    }

    fn arrangement(&self) -> curves::Arrangement {
        match (self.together, self.each) {
            (true, _) => curves::Arrangement::Together,
            (_, true) => curves::Arrangement::Each,
            _ => curves::Arrangement::Grouped,
        }
    }

    /// The file to write.
    fn path(&self) -> PathBuf {
        let named = || {
            let run = self.runs.first().and_then(|run| run.file_name());
            let run = run.map_or("run".into(), |name| name.to_string_lossy());
            let what = match (&self.snapshot, &self.filmstrip) {
                (Some(_), _) => "-snapshot",
                (_, Some(_)) => "-filmstrip",
                _ if self.tracking => "-tracking",
                _ => "",
            };
            PathBuf::from(format!("{run}{what}.svg"))
        };
        self.output.clone().unwrap_or_else(named)
    }

    /// The first and the last time that are drawn (s).
    fn window(&self) -> Result<[f64; 2], Failure> {
        let time = |text: &Option<String>, usual: f64| text.as_deref().map_or(Ok(usual), time);
        let window = [time(&self.from, f64::NEG_INFINITY)?, time(&self.to, f64::INFINITY)?];
        if window[0] > window[1] {
            let message = format!("--from {} is later than --to {}", window[0], window[1]);
            return Err(Failure::input(message, "exchange them"));
        }
        Ok(window)
    }
}

/// A time as somebody typed it (s).
fn time(text: &str) -> Result<f64, Failure> {
    pliant_io::seconds(text).ok_or_else(|| {
        Failure::input(
            format!("\"{text}\" is not a time"),
            "write 0.8 for seconds, or a unit with it: \"800 ms\"",
        )
    })
}

/// Writes a drawing in its form.
pub(super) fn write_drawing(
    path: &Path,
    form: Form,
    svg: String,
    dpi: f64,
    force: Force,
) -> Result<(), Failure> {
    let bytes = match form {
        Form::Svg => svg.into_bytes(),
        Form::Png => pliant_draw::png(&svg, dpi).map_err(|error| {
            Failure::input(error.to_string(), "give a smaller --size or fewer --dpi")
        })?,
    };
    force.write(path, &bytes)
}

/// The form of a file by its ending.
pub(super) fn form(path: &Path) -> Result<Form, Failure> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    match ending.as_deref() {
        Some("svg") => Ok(Form::Svg),
        Some("png") => Ok(Form::Png),
        Some(other) => Err(Failure::input(
            format!("{} would be a .{other} file", path.shown()),
            "end the name with .svg or .png; an SVG can be turned into a PDF by inkscape or rsvg-convert",
        )),
        None => Err(Failure::input(
            format!("{} says no form", path.shown()),
            "end the name with .svg or .png",
        )),
    }
}

/// A size on paper such as `16x9cm`; a unit at the end counts for both.
fn paper(text: &str) -> Result<Size, Failure> {
    let size = text.split_once(['x', '×']).and_then(|(width, height)| {
        let has_unit = |text: &str| text.trim().ends_with(char::is_alphabetic);
        let unit = height.trim().trim_start_matches(|c: char| !c.is_alphabetic());
        let width =
            if has_unit(width) { width.to_owned() } else { format!("{} {unit}", width.trim()) };
        let metres =
            |text: &str| Some(text).filter(|text| has_unit(text)).and_then(pliant_io::metres);
        Some([metres(&width)?, metres(height)?].map(|metres| 1e3 * metres))
    });
    match size {
        Some([width, height]) if [width, height].iter().all(|x| (20.0..=2000.0).contains(x)) => {
            Ok(Size { width, height })
        }
        Some(_) => Err(Failure::input(
            format!("--size {text} is not between 2 cm and 2 m"),
            "the text of a page is about 16 cm wide: --size 16x9cm",
        )),
        None => Err(Failure::input(
            format!("--size {text} is not a size on paper"),
            "write width and height with a unit: --size 16x9cm, 160x90mm, 6x4in",
        )),
    }
}
