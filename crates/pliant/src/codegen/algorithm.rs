//! Loops around straight-line functions: whole steps, and control laws.
//!
//! They are written once, as lines that every language prints in its own words.

use super::routine::{Direction, Routine};

/// A method of a whole step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StepMethod {
    /// The classical method of order 4, in the order of operations of `integrate::Rk4`.
    RungeKutta,
    /// First the velocities, then the coordinates with the new velocities.
    SemiImplicit,
    /// One linear system with the slopes of forward dynamics.
    LinearlyImplicit,
}

impl StepMethod {
    pub(super) const ALL: [Self; 3] =
        [Self::RungeKutta, Self::SemiImplicit, Self::LinearlyImplicit];

    /// The name of its function.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::RungeKutta => "step_runge_kutta",
            Self::SemiImplicit => "step_semi_implicit",
            Self::LinearlyImplicit => "step_linearly_implicit",
        }
    }
}

/// Loops around calls, as lines.
#[derive(Clone, Debug)]
pub(super) struct Algorithm {
    pub(super) lines: Vec<Line>,
    /// The linear systems that are solved.
    pub(super) solves: Vec<System>,
    /// The size of the matrix whose determinant is found by elimination, if there is one.
    pub(super) determinant: Option<usize>,
    /// The least determinant with which the results are right, if it is one of them.
    pub(super) guard: Option<f64>,
}

/// A linear system that is solved in place, right sides beside each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct System {
    pub(super) size: usize,
    pub(super) columns: usize,
    /// Whether its matrix is an upper triangle already.
    pub(super) is_triangular: bool,
}

impl System {
    /// The name of the function that solves it.
    pub(super) fn name(self) -> String {
        let word = if self.is_triangular { "substitute" } else { "solve" };
        format!("{word}_{}_{}", self.size, self.columns)
    }

    /// The call with a matrix and its right sides.
    pub(super) fn call(self, matrix: &str, right: &str) -> Line {
        let way = if self.is_triangular { Direction::In } else { Direction::InOut };
        let arguments = vec![(matrix.to_owned(), way), (right.to_owned(), Direction::InOut)];
        Line::Call { name: self.name(), is_public: false, arguments }
    }
}

/// A line that every language has.
#[derive(Clone, Debug)]
pub(super) enum Line {
    /// A new array: name and length.
    Array(String, usize),
    /// Places, as integers: a table.
    Table(&'static str, Vec<usize>),
    /// A loop over a number, from and to (without it); ended by [`Line::End`].
    For(&'static str, usize, usize),
    End,
    /// A new value that does not change.
    Let(&'static str, String),
    /// A new value that does.
    Var(&'static str, String),
    /// A place gets a value.
    Set(String, String),
    /// A call of another function: which, and what it is given.
    Call {
        name: String,
        is_public: bool,
        arguments: Vec<(String, Direction)>,
    },
}

/// A call of a routine, by what each of its parameters is given.
pub(super) fn call(routine: &Routine, given: impl Fn(&str, Direction) -> String) -> Line {
    let of = |own: &super::routine::Parameter| (given(&own.name, own.direction), own.direction);
    Line::Call {
        name: routine.name.clone(),
        is_public: routine.is_public,
        arguments: routine.parameters.iter().map(of).collect(),
    }
}

/// `out = y + h sum` for all entries.
fn advance(out: &str, y: &str, sum: &str, length: usize, lines: &mut Vec<Line>) {
    lines.push(Line::For("i", 0, length));
    lines.push(Line::Set(format!("{out}[i]"), format!("{y}[i] + h * ({sum})")));
    lines.push(Line::End);
}

pub(super) fn copy(to: &str, from: &str, length: usize, lines: &mut Vec<Line>) {
    lines.push(Line::For("i", 0, length));
    lines.push(Line::Set(format!("{to}[i]"), format!("{from}[i]")));
    lines.push(Line::End);
}

/// The functions that a step calls.
pub(super) struct StepParts<'a> {
    pub(super) forward: &'a Routine,
    pub(super) rate: &'a Routine,
    /// Where there are quaternions.
    pub(super) normalise: Option<&'a Routine>,
    pub(super) derivatives: Option<&'a Routine>,
    pub(super) nq: usize,
    pub(super) nv: usize,
}

impl StepParts<'_> {
    /// The rates at a state, into two arrays.
    fn rates(&self, [q, u]: [&str; 2], [qd, ud]: [&str; 2], lines: &mut Vec<Line>) {
        lines.push(call(self.rate, |name, direction| match (name, direction) {
            ("q", _) => q.to_owned(),
            (_, Direction::In) => u.to_owned(),
            _ => qd.to_owned(),
        }));
        lines.push(self.forward([q, u], ud));
    }

    fn forward(&self, [q, u]: [&str; 2], ud: &str) -> Line {
        call(self.forward, |name, direction| match (name, direction) {
            ("q", _) => q.to_owned(),
            ("u", _) => u.to_owned(),
            (name, Direction::In) => name.to_owned(),
            ("tau_out", _) => "reaction".to_owned(),
            _ => ud.to_owned(),
        })
    }

    fn has_reactions(&self) -> bool {
        self.forward.parameters.iter().any(|own| own.name == "tau_out")
    }

    /// The coordinates of an array into `q`, with quaternions of unit length.
    fn place(&self, from: &str, lines: &mut Vec<Line>) {
        match self.normalise {
            Some(normalise) => lines.push(call(normalise, |_, direction| match direction {
                Direction::In => from.to_owned(),
                _ => "q".to_owned(),
            })),
            None => copy("q", from, self.nq, lines),
        }
    }

    /// The lines of a step from `q`, `u` under `tau` over `h`.
    pub(super) fn step(&self, method: StepMethod) -> Algorithm {
        let (nq, nv) = (self.nq, self.nv);
        let mut lines = Vec::new();
        let mut arrays = |names: &[&str], length: usize| {
            lines.extend(names.iter().map(|name| Line::Array((*name).to_owned(), length)));
        };
        if self.has_reactions() {
            arrays(&["reaction"], nv);
        }
        let mut solves = Vec::new();
        match method {
            StepMethod::RungeKutta => {
                arrays(&["q_at", "qd_0", "qd_1", "qd_2", "qd_3"], nq);
                arrays(&["u_at", "ud_0", "ud_1", "ud_2", "ud_3"], nv);
                self.rates(["q", "u"], ["qd_0", "ud_0"], &mut lines);
                for (stage, weight) in [(1, "0.5 * "), (2, "0.5 * "), (3, "")] {
                    let last = stage - 1;
                    advance("q_at", "q", &format!("{weight}qd_{last}[i]"), nq, &mut lines);
                    advance("u_at", "u", &format!("{weight}ud_{last}[i]"), nv, &mut lines);
                    let to = [format!("qd_{stage}"), format!("ud_{stage}")];
                    self.rates(["q_at", "u_at"], [&to[0], &to[1]], &mut lines);
                }
                for (y, length) in [("q", nq), ("u", nv)] {
                    let term = |k: usize, weight| format!("{weight} * {y}d_{k}[i]");
                    let terms =
                        [term(0, "sixth"), term(1, "third"), term(2, "third"), term(3, "sixth")];
                    let out = if y == "q" { "q_at" } else { "u" };
                    if y == "q" {
                        lines.push(Line::Let("sixth", "1.0 / 6.0".to_owned()));
                        lines.push(Line::Let("third", "1.0 / 3.0".to_owned()));
                    }
                    advance(out, y, &terms.join(" + "), length, &mut lines);
                }
                self.place("q_at", &mut lines);
            }
            StepMethod::SemiImplicit => {
                arrays(&["q_at", "qd"], nq);
                arrays(&["ud_now"], nv);
                lines.push(self.forward(["q", "u"], "ud_now"));
                advance("u", "u", "ud_now[i]", nv, &mut lines);
                self.finish(&mut lines);
            }
            StepMethod::LinearlyImplicit => {
                arrays(&["q_at", "qd"], nq);
                arrays(&["ud_now", "change"], nv);
                arrays(&["by_q", "by_u", "by_tau", "matrix"], nv * nv);
                lines.push(self.forward(["q", "u"], "ud_now"));
                if let Some(derivatives) = self.derivatives {
                    lines.push(call(derivatives, |name, direction| match (name, direction) {
                        (name, Direction::In) => name.to_owned(),
                        (name, _) => name.trim_start_matches("ud_").to_owned(),
                    }));
                }
                let system = System { size: nv, columns: 1, is_triangular: false };
                self.linear_system(system, &mut lines);
                solves.push(system);
                self.finish(&mut lines);
            }
        }
        Algorithm { lines, solves, determinant: None, guard: None }
    }

    /// `(1 − h B − h² A) Δu = h (u̇ + h A u)` with the slopes `A` and `B` of `u̇` by `q` and `u`.
    fn linear_system(&self, system: System, lines: &mut Vec<Line>) {
        let n = self.nv;
        lines.push(Line::For("i", 0, n));
        lines.push(Line::Var("sum", "ud_now[i]".to_owned()));
        lines.push(Line::For("j", 0, n));
        lines.push(Line::Let("slope", format!("h * by_q[i * {n} + j]")));
        lines.push(Line::Set("sum".to_owned(), "sum + slope * u[j]".to_owned()));
        lines.push(Line::Set(
            format!("matrix[i * {n} + j]"),
            format!("-(h * by_u[i * {n} + j] + h * slope)"),
        ));
        lines.push(Line::End);
        let diagonal = format!("matrix[i * {n} + i]");
        lines.push(Line::Set(diagonal.clone(), format!("1.0 + {diagonal}")));
        lines.push(Line::Set("change[i]".to_owned(), "h * sum".to_owned()));
        lines.push(Line::End);
        lines.push(system.call("matrix", "change"));
        lines.push(Line::For("i", 0, n));
        lines.push(Line::Set("u[i]".to_owned(), "u[i] + change[i]".to_owned()));
        lines.push(Line::End);
    }

    /// The coordinates move with the new velocities.
    fn finish(&self, lines: &mut Vec<Line>) {
        lines.push(call(self.rate, |name, direction| match (name, direction) {
            (_, Direction::Out) => "qd".to_owned(),
            (name, _) => name.to_owned(),
        }));
        advance("q_at", "q", "qd[i]", self.nq, lines);
        self.place("q_at", lines);
    }
}

/// Computed torque of joints, with mass matrix and bias of the whole arm: `control::ComputedTorque`.
/// The joints are given as velocity coordinates and as coordinates of the configuration.
pub(super) fn computed_torque(
    terms: &Routine,
    nv: usize,
    joints: &[usize],
    coordinates: &[usize],
) -> Algorithm {
    let n = joints.len();
    let mut lines = vec![
        Line::Array("mass".to_owned(), nv * nv),
        Line::Array("bias".to_owned(), nv),
        Line::Array("wanted".to_owned(), n),
        Line::Table("velocity", joints.to_vec()),
        Line::Table("coordinate", coordinates.to_vec()),
        call(terms, |name, _| name.to_owned()),
        Line::For("k", 0, n),
        Line::Let("q_error", "q_reference[k] - q[coordinate[k]]".to_owned()),
        Line::Let("u_error", "u_reference[k] - u[velocity[k]]".to_owned()),
        Line::Set(
            "wanted[k]".to_owned(),
            "ud_reference[k] + stiffness[k] * q_error + damping[k] * u_error".to_owned(),
        ),
        Line::End,
        Line::For("i", 0, n),
    ];
    let entry = |column: &str| format!("mass[velocity[i] * {nv} + velocity[{column}]]");
    lines.push(Line::Var("sum", format!("{} * wanted[0]", entry("0"))));
    if n > 1 {
        lines.push(Line::For("j", 1, n));
        lines.push(Line::Set("sum".to_owned(), format!("{} * wanted[j] + sum", entry("j"))));
        lines.push(Line::End);
    }
    lines.push(Line::Set("tau[i]".to_owned(), "sum + bias[velocity[i]]".to_owned()));
    lines.push(Line::End);
    Algorithm { lines, solves: Vec::new(), determinant: None, guard: None }
}

/// How a language says a line of an algorithm.
pub(super) trait Lines {
    fn line(&self, line: &Line, arrays: &[String]) -> String;

    /// All lines, with blanks before those inside loops.
    fn print(&self, algorithm: &Algorithm) -> Vec<String> {
        let (mut depth, mut arrays) = (0_usize, Vec::new());
        let mut out = Vec::new();
        for line in &algorithm.lines {
            if let Line::Array(name, _) = line {
                arrays.push(name.clone());
            }
            if matches!(line, Line::End) {
                depth -= 1;
            }
            out.push(format!("{}{}", "    ".repeat(depth), self.line(line, &arrays)));
            if matches!(line, Line::For(..)) {
                depth += 1;
            }
        }
        out
    }
}
