//! The keys of an entry's file.

use super::GalleryDocument;
use super::comparison::Difference;
use super::integral::Integral;
use super::model_file::{Equations, ModeShape, Root};
use super::solution::Solution;
use crate::scenario::{Called, Each, EachOfKinds, FromNow, KindAt, Name, Nameable, Names};
use crate::shapes::{Count, Flag, Number, Plain, Text, Word, words};
use crate::shared::{Shared, kinds_sharing};
use crate::table::table;
use pliant::reproduce::effort::CountedQuantity;

words! {
    GalleryDocument:
    "King" => GalleryDocument::King,
    "Korayem and Shafei" => GalleryDocument::KorayemShafei,
    "Akmehmet" => GalleryDocument::Akmehmet,
    "003" => GalleryDocument::Manipulators,
    "Theodore and Ghosal" => GalleryDocument::TheodoreGhosal,
    "Beyond" => GalleryDocument::Beyond,
}

words! {
    CountedQuantity:
    "inverse dynamics" => CountedQuantity::InverseDynamics,
    "mass matrix" => CountedQuantity::Mass,
    "mass matrix and bias" => CountedQuantity::MassAndBias,
    "forward dynamics" => CountedQuantity::ForwardDynamics,
}

/// What is taken of a course over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taking {
    First,
    Last,
    At,
    Largest,
    Most,
    Least,
    Mean,
    Rms,
    Integral,
}

words! {
    Taking:
    "first" => Taking::First,
    "last" => Taking::Last,
    "at" => Taking::At,
    "largest" => Taking::Largest,
    "most" => Taking::Most,
    "least" => Taking::Least,
    "mean" => Taking::Mean,
    "rms" => Taking::Rms,
    "integral" => Taking::Integral,
}

/// A measure of how controllers followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Followed {
    Error,
    RateError,
    ErrorIntegral,
    HalfErrorIntegral,
    HalfEffortIntegral,
    HalfIdealEffortIntegral,
}

words! {
    Followed:
    "largest error" => Followed::Error,
    "largest rate error" => Followed::RateError,
    "error integral" => Followed::ErrorIntegral,
    "half error integral" => Followed::HalfErrorIntegral,
    "half effort integral" => Followed::HalfEffortIntegral,
    "half ideal effort integral" => Followed::HalfIdealEffortIntegral,
}

/// Which joints move where frequencies are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JointsThen {
    Held,
    Free,
    OnSprings,
}

words! {
    JointsThen:
    "held" => JointsThen::Held,
    "free" => JointsThen::Free,
    "on springs" => JointsThen::OnSprings,
}

/// The algorithm whose operations are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CountedBy {
    Recursive,
    Composite,
    Articulated,
    GibbsAppell,
    Recurrences,
    Doubling,
}

/// Which operations are counted: all of a kind, or those that must follow one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CountedKind {
    Multiplications,
    Additions,
    Both,
    Chain,
    MultiplicationChain,
    AdditionChain,
}

words! {
    CountedBy:
    "recursive" => CountedBy::Recursive,
    "composite" => CountedBy::Composite,
    "articulated" => CountedBy::Articulated,
    "gibbs-appell" => CountedBy::GibbsAppell,
    "recurrences" => CountedBy::Recurrences,
    "recurrences by doubling" => CountedBy::Doubling,
}

words! {
    CountedKind:
    "multiplications" => CountedKind::Multiplications,
    "additions" => CountedKind::Additions,
    "both" => CountedKind::Both,
    "operations in sequence" => CountedKind::Chain,
    "multiplications in sequence" => CountedKind::MultiplicationChain,
    "additions in sequence" => CountedKind::AdditionChain,
}

/// Settings of a scenario.
pub(crate) enum Settings {}
/// Variables of a table.
pub(crate) enum Variables {}
/// The name of a column.
pub(crate) enum ColumnName {}

impl Nameable for Settings {
    const WHAT: &'static str = "settings";
    const EXAMPLE: &'static str = "duration={T} s";
}

/// Quantities of a table.
pub(crate) enum Quantities {}

impl Nameable for Quantities {
    const WHAT: &'static str = "quantities";
    const EXAMPLE: &'static str = "EI = {arm.link.boom.section.EIz}";
}

impl Nameable for Variables {
    const WHAT: &'static str = "variables";
    const EXAMPLE: &'static str = "T [s]";
}

impl Called for ColumnName {
    const WORD: &'static str = "column";
}

table! {
    /// An entry of the gallery: what a document says, and how it is computed here.
    pub(crate) struct EntryTable = "an entry",
        "write document = \"King\", place = \"Table 3.2\", title and about, then [[table]]";
    keys {
        /// The document; "Beyond" for what none of them has.
        document: Word<GalleryDocument> [required],
        /// Where in the document.
        place: Text [required],
        /// What it is, in one line.
        title: Text [required],
        /// What it shows. An empty line begins a paragraph.
        about: Text [required],
        /// Whether it takes seconds, and stands for its document where time is short.
        quick: Flag [= false],
        /// Its tables: numbers beside those that are printed.
        table: Each<SheetTable> [or "none"],
        /// Claims, of the document or about it, held against the tables.
        check: Each<CheckTable> [or "none"],
        /// Its figures.
        figure: Each<FigureTable> [or "none"],
    }
}

table! {
    /// A table: its rows are runs of a scenario with other values, its columns what is taken of them.
    pub(crate) struct SheetTable = "a table",
        "write scenario = \"line.toml\", columns below lines [[table.column]] and rows below lines [[table.row]]";
    elsewhere {
        "unit" => "it belongs to a column",
        "printed" => "it belongs to a row",
    }
    keys {
        /// Where in the document.
        place: Text [or "that of the entry"],
        /// The scenario, in the folder of the entry.
        scenario: Text [or "none, for columns that need none"],
        /// What changes from row to row, with units: "TTG [s]".
        variables: Names<Variables> [or "none"],
        /// Names for what the expressions of a row use: "L = {arm.link.boom.length}". They are
        /// expressions of the variables, of quantities before them, and of the numbers that stand in the
        /// file of the arm, by their paths and in SI units; these have the values of set that name
        /// neither a quantity nor a column.
        quantities: Names<Quantities> [or "none"],
        /// Values of the scenario, as after the option --set. A variable in braces stands for its
        /// value: "controller.feedback.horizon={TTG} s". So does a quantity, and the id of a column
        /// that needs no scenario.
        set: Names<Settings> [or "none"],
        /// What is taken of each row.
        column: EachOfKinds<ColumnTable> [required],
        /// The rows.
        row: Each<RowTable> [required],
    }
}

table! {
    /// Keys of every column.
    pub(crate) struct ColumnKeys = "a column",
        "write { kind = \"figure\", name = \"largest error\", unit = \"rad\", figure = \"waist.largest_error\" }";
    keys {
        /// How it is computed.
        kind: KindAt [required],
        /// What it is, in words.
        name: Name<ColumnName> [required],
        /// A short name for checks, figures and other columns: of letters a to z, digits and _.
        id: Text [or "none"],
        /// The unit in which it is printed and told.
        unit: Text [required],
        /// By what the number is multiplied to be in that unit, as an expression of the variables and
        /// of quantities: "180 / pi".
        factor: Text [= "1".to_owned()],
        /// By how much of itself a number may differ from the printed one. One unit of the last
        /// printed digit is allowed in any case; formulas have none.
        tolerance: Number<Plain> [= 0.01],
        /// Why its numbers differ from the printed ones, where they do.
        why: Text [or "none"],
        /// The formula that the document prints for it, of the variables, where a row prints no
        /// number. A variable in braces stands for its value: "{formula}".
        printed: Text [or "none"],
    }
}

table! {
    /// What is taken of the course of an expression over a run.
    pub(crate) struct Course = "course",
        "write kind = \"course\", expression = \"abs(waist.error)\" and take = \"most\"";
    keys {
        /// An expression of the time t, the recorded channels in SI units, the variables and the
        /// quantities of the row: "sqrt(fore.position.x^2 + fore.position.y^2)". Where coordinates, velocities and
        /// accelerations are recorded also of the vibrations that pliant eigenvalues follows, each by a
        /// coordinate of which it has most at the start: "vibration.boom.y1.real", .imaginary,
        /// .frequency, .energy and .action.
        expression: Text [required],
        /// What is taken: the first or the last value, that at a time, the largest without regard of
        /// sign, the most or the least, the mean or the root of the mean square over time, or the
        /// integral over time, by trapezia.
        take: Word<Taking> [= Taking::Last],
        /// The time at which it is taken, and from which on.
        at: FromNow [= 0.0],
    }
}

table! {
    /// A figure of a run, as studies know it.
    pub(crate) struct OfRun = "figure",
        "write kind = \"figure\" and figure = \"fore.tip.settling_time\"";
    keys {
        /// Its name: "motors.energy_used", "frequency.1", "fore.position.y.max".
        figure: Text [required],
    }
}

table! {
    /// How well controllers followed their plan.
    pub(crate) struct OfTracking = "tracking",
        "write kind = \"tracking\" and of = \"largest error\"";
    keys {
        /// What: the largest error of the joints or of their rates, the integral of
        /// 100 e^2 + (de/dt)^2 over all joints or its half, half the integral of the squared forces, or
        /// the same without the forces that the arm needs at its places and rates.
        of: Word<Followed> [required],
        /// The joint of a largest error.
        joint: Text [or "the one whose error is largest"],
    }
}

table! {
    /// A natural frequency of the arm as it is at the start, under the loads that act then and while
    /// prescribed joints turn as they do then.
    pub(crate) struct Frequency = "frequency", "write kind = \"frequency\" and number = 1";
    keys {
        /// Which, from the lowest.
        number: Count<1, 1000> [= 1],
        /// Whether joints are held, free, or on their springs.
        joints: Word<JointsThen> [= JointsThen::Held],
    }
}

table! {
    /// The spectral radius of the loops of the controllers: by how much the slowest error to decay
    /// grows with each tick of the fastest clock.
    pub(crate) struct SpectralRadius = "spectral-radius", "write kind = \"spectral-radius\"";
    keys {
        /// The time of the posture of the plan.
        at: FromNow [= 0.0],
    }
}

table! {
    /// How many operations an algorithm takes, counted while it runs.
    pub(crate) struct Operations = "operations",
        "write kind = \"operations\", of = \"inverse dynamics\", by = \"recursive\" and links = \"6x0\"";
    keys {
        /// What is computed: "inverse dynamics", "mass matrix", "mass matrix and bias" or "forward
        /// dynamics".
        of: Word<CountedQuantity> [required],
        /// By which algorithm.
        by: Word<CountedBy> [= CountedBy::Articulated],
        /// The links from the base on, in groups of so many with so many coordinates each that bend
        /// and twist, none for rigid ones: "2x3, 4x0". A variable in braces stands for its value.
        links: Text [required],
        /// What is counted: all of them, or those that must follow one another, each of which needs
        /// the one before; that is the time on as many processors as it takes.
        count: Word<CountedKind> [= CountedKind::Multiplications],
        /// Which steps of Korayem's algorithm alone, the first and the last: "3", "1-10". Step 0 is
        /// what the paper does not count.
        steps: Text [or "all"],
        /// Whether every link that bends has a rigid body at both ends.
        rigid_ends: Flag [= false],
    }
}

table! {
    /// A formula of other columns of the row and of its variables.
    pub(crate) struct Formula = "formula", "write kind = \"formula\" and expression = \"error / length\"";
    keys {
        /// An expression of the ids of columns before it, of quantities and of the variables.
        expression: Text [required],
    }
}

kinds_sharing! {
    /// What can be a column.
    pub(crate) enum Measure = "column" {
        Course(Course),
        Difference(Difference),
        OfRun(OfRun),
        OfTracking(OfTracking),
        Frequency(Frequency),
        SpectralRadius(SpectralRadius),
        Root(Root),
        ModeShape(ModeShape),
        Equations(Equations),
        Operations(Operations),
        Solution(Solution),
        Integral(Integral),
        Formula(Formula),
    }
}

/// The columns.
pub(crate) type ColumnTable = Shared<ColumnKeys, Measure>;

table! {
    /// A row of a table.
    pub(crate) struct RowTable = "a row",
        "write { values = \"0.04 0.01\", printed = \"0.000065 14.59\" }";
    elsewhere { "tolerance" => "it belongs to a column, or to a cell" }
    keys {
        /// Its name.
        name: Text [or "its variables"],
        /// A short name for checks and figures: of letters a to z, digits and _.
        id: Text [or "none"],
        /// The values of the variables, apart by spaces.
        values: Text [or "none"],
        /// What the document prints for the columns, digit by digit and apart by spaces; - where it
        /// prints nothing.
        printed: Text [or "nothing"],
        /// Further values of the scenario, as after the option --set.
        set: Names<Settings> [or "none"],
        /// Why its numbers differ from the printed ones, where they do.
        why: Text [or "that of the column"],
        /// Whether no reading of the document gives those of its numbers that are not met, which why
        /// then explains. A number that is met is reproduced in any case.
        not_reproducible: Flag [= false],
        /// Cells with a tolerance or a reason of their own.
        cell: Each<CellTable> [or "none"],
    }
}

table! {
    /// What is special about one cell of a row.
    pub(crate) struct CellTable = "a cell", "write { column = \"cost\", why = \"…\" }";
    keys {
        /// The id of its column.
        column: Text [required],
        /// By how much of itself the number may differ from the printed one.
        tolerance: Number<Plain> [or "that of the column"],
        /// Why it differs, if it does.
        why: Text [or "that of the row"],
        /// Whether no reading of the document gives it, where it is not met.
        not_reproducible: Flag [= false],
    }
}

table! {
    /// A claim as a bound of a number: what a document concludes, or what pliant says of its own
    /// numbers; the words of the claim or its reason tell which.
    pub(crate) struct CheckTable = "a check",
        "write claim = \"…\", value = \"slow.error / fast.error\" and more_than = 1";
    keys {
        /// What is claimed, in own words.
        claim: Text [required],
        /// Where a document says so, or what it is about.
        place: Text [or "that of the entry"],
        /// The number that decides, as an expression of cells: the id of a row, a point, the id of a
        /// column.
        value: Text [required],
        /// The claim holds where the number is larger.
        more_than: Number<Plain> [or "given by less_than"],
        /// The claim holds where the number is smaller.
        less_than: Number<Plain> [or "given by more_than"],
        /// The unit of the number.
        unit: Text [= "1".to_owned()],
        /// What is to be made of it.
        why: Text [or "none"],
    }
}

table! {
    /// A figure.
    pub(crate) struct FigureTable = "a figure",
        "write place = \"Figure 5.3\", title = \"…\" and panels below lines [[figure.panel]]";
    keys {
        /// Where in the document.
        place: Text [or "that of the entry"],
        /// What it shows.
        title: Text [required],
        /// What stands along the x axis.
        x: Text [= "time".to_owned()],
        /// Its unit.
        x_unit: Text [= "s".to_owned()],
        /// Whether the x axis is logarithmic.
        x_log: Flag [= false],
        /// Plots above one another.
        panel: Each<PanelTable> [required],
    }
}

table! {
    /// One of the plots of a figure.
    pub(crate) struct PanelTable = "a panel",
        "write { y = \"error\", unit = \"rad\", curve = [{ row = \"fast\", y = \"waist.error\" }] }";
    keys {
        /// What stands along the y axis.
        y: Text [required],
        /// Its unit.
        unit: Text [required],
        /// Whether the y axis is logarithmic.
        log: Flag [= false],
        /// The curves.
        curve: Each<CurveTable> [required],
    }
}

table! {
    /// A curve: the course of a run, a column over the rows of its table, or of a row the shape that
    /// its column of kind mode-shape looks at.
    pub(crate) struct CurveTable = "a curve", "write { row = \"fast\", y = \"waist.error\" }";
    keys {
        /// What it is called.
        name: Text [or "nothing"],
        /// The id of the row whose run or whose shape it shows.
        row: Text [or "given by column"],
        /// Along the y axis, an expression as of a course.
        y: Text [or "given by column"],
        /// Along the x axis, an expression as of a course.
        x: Text [= "t".to_owned()],
        /// Whether values are held from one row of the run to the next.
        held: Flag [= false],
        /// Or the id of the column that it shows, row by row, or with a row its shape.
        column: Text [or "given by row"],
        /// The variable that goes along the x axis then.
        over: Text [or "given by row"],
        /// Whether it shows what is printed instead of what is computed.
        printed: Flag [= false],
    }
}
