//! The keys of a study file.

use crate::scenario::{
    Called, Channels, Each, Name, NameOrNames, Nameable, Names, ScenarioTable, Whole,
};
use crate::shapes::{AsWritten, Number, One, Plain, Text, Word, later, words};
use crate::spec::Form;
use crate::table::{Table as _, table};

/// How the values of parameters are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    Grid,
    List,
    Random,
    Sobol,
    Sensitivity,
}

words! {
    Scheme:
    "grid" => Scheme::Grid,
    "list" => Scheme::List,
    "random" => Scheme::Random,
    "sobol" => Scheme::Sobol,
    "sensitivity" => Scheme::Sensitivity,
}

/// Which shapes links that bend have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShapesOfRuns {
    Rebuilt,
    Nominal,
}

words! {
    ShapesOfRuns: "rebuilt" => ShapesOfRuns::Rebuilt, "nominal" => ShapesOfRuns::Nominal
}

/// How values lie between two ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scale {
    Linear,
    Logarithmic,
}

words! { Scale: "linear" => Scale::Linear, "logarithmic" => Scale::Logarithmic }

later! {
    /// A scenario, or the path of its file.
    ScenarioOrPath = Form::OrTable(&Form::Text, ScenarioTable::SPEC);
    /// A number in the unit of what the parameter changes.
    OfParameter = Form::Measured;
    /// Values of what the parameter changes.
    ValuesOfParameter = Form::Values;
}

/// Settings, as after the option `--set`.
pub(crate) enum Settings {}
/// Figures of runs.
pub(crate) enum Figures {}
/// Figures or parameters that are optimised.
pub(crate) enum Goals {}
/// Paths of values.
pub(crate) enum Paths {}

impl Nameable for Settings {
    const WHAT: &'static str = "settings";
    const EXAMPLE: &'static str = "duration=2 s";
}

impl Nameable for Figures {
    const WHAT: &'static str = "figures";
    const EXAMPLE: &'static str = "*.settling_time";
}

impl Nameable for Goals {
    const WHAT: &'static str = "figures";
    const EXAMPLE: &'static str = "bar.tip.settling_time";
}

impl Nameable for Paths {
    const WHAT: &'static str = "paths";
    const EXAMPLE: &'static str = "arm.link.fore.payload.mass";
}

/// The name of a parameter.
pub(crate) enum ParameterName {}

impl Called for ParameterName {
    const WORD: &'static str = "parameter";
}

table! {
    /// A study: a scenario that is run many times, each time with other values of some of its numbers.
    pub(crate) struct StudyTable = "a study",
        "write scenario = \"swing.toml\", and parameters below lines [[parameter]]";
    elsewhere {
        "arm" => "a study names a scenario, and that its arm",
        "link" => "a study names a scenario, and that its arm",
        "duration" => "it belongs to the scenario: write set = [\"duration=2 s\"]",
        "uniform" => "it belongs to a parameter of a random design: from = \"1 kg\" and to = \"2 kg\" below a line [[parameter]]",
        "parameters" => "each parameter begins with a line [[parameter]]",
        "count" => "each parameter of a grid has its own; random designs have runs",
        "minimise" => "it belongs to an optimisation: write it below a line [optimise]",
        "maximise" => "it belongs to an optimisation: write it below a line [optimise]",
        "evaluations" => "it belongs to an optimisation: write it below a line [optimise]",
    }
    also {
        "samples" => "runs", "n" => "runs", "draws" => "runs", "channels" => "series",
        "optimize" => "optimise", "optimisation" => "optimise",
    }
    keys {
        /// The scenario: the path of its file, relative to the folder of the study, or the scenario
        /// itself.
        scenario: AsWritten<ScenarioOrPath> [required],
        /// Values of the scenario that all runs have, as after the option --set: "duration=2 s". A
        /// table that the scenario lacks is added so, before parameters change values in it.
        set: Names<Settings> [or "none"],
        /// Which values parameters have together: all combinations of their values (grid), the first
        /// of each, then the second of each (list), random ones, quasi-random ones that fill the space
        /// evenly (sobol), or those from which Sobol indices are computed (sensitivity, after
        /// Saltelli): how much of the variance of each figure each parameter causes, alone and with
        /// others.
        design: Word<Scheme> [= Scheme::Grid],
        /// How many runs random and quasi-random designs have. Sensitivity has so many, a power of two,
        /// for two points of each of its schemes, times the number of parameters and two more.
        runs: Whole<1> [or "required by random, sobol and sensitivity"],
        /// Where random numbers start from: the same seed gives the same draws, or the same search.
        seed: Whole<0> [= 0.0],
        /// The figures that are kept, by name or with a star: "tip.settling_time", "*.peak_stress",
        /// "energy_drift", "frequency.1", "pole.1.damping_ratio", "fore.tip.position.y.max". "*" is all
        /// of them.
        figures: Names<Figures> [or "settling times, errors, efforts, peaks of links, and the drift of energy"],
        /// The channels of each run that are kept over time, as the scenario's record names them:
        /// "fore.tip.position.*", "coordinates". All runs are in one file, series.parquet, with the
        /// index of the run, the time and the channels; rows are as far apart as record.every of the
        /// scenario says.
        series: Names<Channels> [or "none"],
        /// Which shapes links that bend have: those that each run's own arm has, found anew
        /// (rebuilt), or in all runs those of the arm that the scenario has without parameters
        /// (nominal), as compiled arms with parameters have them. A payload that is drawn then bends
        /// a link in the shapes of the payload in the file: figures differ by a little. Lengths and
        /// numbers of shapes cannot change; runs that change them are refused.
        shapes: Word<ShapesOfRuns> [= ShapesOfRuns::Rebuilt],
        /// What changes from run to run.
        parameter: Each<ParameterTable> [required],
        /// What values must obey together; draws that do not are kept with the reason and not run.
        /// In an optimisation also what figures must obey.
        constraint: Each<ConstraintTable> [or "none"],
        /// Instead of a design: which figures are to be small or large. The study is then an
        /// optimisation, and pliant optimise runs it.
        optimise: One<OptimiseTable> [or "the study is a sweep"],
    }
}

table! {
    /// A value of the scenario, or of its arm, that changes from run to run. It is given by values, by
    /// from and to, or by mean and deviation.
    pub(crate) struct ParameterTable = "a parameter",
        "write path = \"arm.link.fore.payload.mass\", from = \"0 kg\", to = \"2 kg\" and count = 11 below a line [[parameter]]";
    elsewhere {
        "min" => "it is called from",
        "max" => "it is called to",
        "distribution" => "from and to are a uniform distribution, with scale = \"logarithmic\" one of the logarithm; mean and deviation are a normal one",
        "unit" => "values carry their units: from = \"0.5 kg\"",
        "uniform" => "from and to of a random design are a uniform distribution: from = \"1 kg\", to = \"2 kg\"",
        "loguniform" => "from, to and scale = \"logarithmic\" of a random design are one",
        "normal" => "mean and deviation are a normal distribution, which from and to may cut",
        "gaussian" => "mean and deviation are a normal distribution, which from and to may cut",
        "range" => "write from and to, and in grids and lists count",
        "linspace" => "write from, to and count",
        "logspace" => "write from, to, count and scale = \"logarithmic\"",
        "step" => "write from, to and count, how many values there are, or list values",
        "bounds" => "write from and to",
    }
    also {
        "sigma" => "deviation",
        "std" => "deviation",
        "stddev" => "deviation",
        "mu" => "mean",
        "n" => "count",
        "num" => "count",
        "samples" => "count",
        "levels" => "values",
        "list" => "values",
        "key" => "path",
    }
    keys {
        /// Its name, in the table of runs and in constraints.
        name: Name<ParameterName> [or "the path"],
        /// The value that it changes, as --set names it: keys and names with points between them. What
        /// belongs to the arm begins with arm.
        path: Text [or "given by paths"],
        /// Several values that it changes together, to the same value.
        paths: Names<Paths> [or "given by path"],
        /// The values: numbers in the unit of what is changed, or with their own; or texts, such as
        /// the kinds of a controller.
        values: AsWritten<ValuesOfParameter> [or "given by from and to"],
        /// The least value.
        from: AsWritten<OfParameter> [or "given by values"],
        /// The largest value.
        to: AsWritten<OfParameter> [or "given by values"],
        /// How many values a grid or a list has from one to the other, both among them.
        count: Whole<1> [or "required by grid and list"],
        /// Whether values between from and to are evenly spread themselves, or their logarithms are.
        scale: Word<Scale> [= Scale::Linear],
        /// The mean of a normal distribution, of random and quasi-random designs.
        mean: AsWritten<OfParameter> [or "given by values"],
        /// Its standard deviation.
        deviation: AsWritten<OfParameter> [or "given by values"],
    }
}

table! {
    /// What the values of parameters must obey together.
    pub(crate) struct ConstraintTable = "a constraint",
        "write expression = \"outer - 2 * wall > 1e-3\" below a line [[constraint]]";
    keys {
        /// Two expressions of the parameters, by name and in SI units, with <, <=, > or >= between
        /// them; in an optimisation also of figures. A name with other characters than a-z 0-9 _ .
        /// stands in braces.
        expression: Text [required],
    }
}

table! {
    /// What an optimisation makes small or large, by choosing parameters between from and to, and for
    /// how long it searches. With two figures it seeks their Pareto front.
    pub(crate) struct OptimiseTable = "an optimisation",
        "write minimise = \"bar.tip.settling_time\" below a line [optimise]";
    elsewhere {
        "seed" => "it belongs to the study: write it above the first line in brackets",
        "figures" => "it belongs to the study: write it above the first line in brackets",
        "parameter" => "each parameter begins with a line [[parameter]]",
        "constraint" => "each constraint begins with a line [[constraint]]",
        "method" => "there is one: a direct search with quadratic models",
    }
    also { "minimize" => "minimise", "maximize" => "maximise", "runs" => "evaluations", "trials" => "evaluations" }
    keys {
        /// The figure that is to be small, or two; a parameter may be one.
        minimise: NameOrNames<Goals> [or "given by maximise"],
        /// The figure that is to be large, or two; with minimise, one of each.
        maximise: NameOrNames<Goals> [or "given by minimise"],
        /// How often a search starts, from points apart: a figure may have several minima.
        starts: Whole<1> [= 3.0],
        /// The most trials. A search that has found its optimum ends before.
        evaluations: Whole<1> [= 2000.0],
        /// A search ends when its steps are smaller than this part of the range of each parameter.
        tolerance: Number<Plain> [= 1e-5],
        /// How many points of the front of two figures are sought, both ends among them.
        points: Whole<2> [= 9.0],
    }
}
