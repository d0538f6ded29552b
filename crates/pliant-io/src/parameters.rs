//! Numbers of an arm file that stay inputs of compiled code.

use crate::arm_file;
use crate::codes;
use crate::load::{Loaded, arm_tree};
use crate::nearest::nearest;
use crate::node::{Node, Value, quoted};
use crate::problem::{Problem, Report};
use crate::setting::{self, Path, Setting};
use crate::source::Source;
use crate::units::{self, Quantity};
use pliant::Help as _;
use pliant::compile::{Parameter, ParameterError, Parameters};

/// Reads an arm of which some numbers stay inputs, each named by its path in the arm file, as a
/// [`Setting`] names it: `link.upper.payload.mass`. A URDF has the paths of the arm file that it
/// becomes.
pub fn load_with_parameters(
    path: impl AsRef<std::path::Path>,
    settings: &[Setting],
    names: &[&str],
) -> Result<(Loaded, Parameters), Report> {
    let refused = |name: &str, problem: Problem| {
        let problem = problem.at(0..name.len());
        Report::new(Source::new("parameters", name), vec![problem])
    };
    let Some((source, root)) = arm_tree(path.as_ref(), settings)? else {
        let problem = Problem::error(&codes::PARAMETER, "a scenario has no parameters of its arm");
        return Err(refused(&names.join(", "), problem.help("give the file of the arm itself")));
    };
    let loaded = arm_file::read(&source, &root)?;
    let mut list = Vec::with_capacity(names.len());
    let mut places = Vec::with_capacity(names.len());
    for name in names {
        let place = Path::parse(name).map_err(|problem| refused(name, problem))?;
        let (nominal, unit) =
            looked_up(&source, &root, name, &place).map_err(|problem| refused(name, problem))?;
        list.push(Parameter::new(*name, nominal, unit));
        places.push(place);
    }
    let nominal: Vec<f64> = list.iter().map(|parameter| parameter.nominal).collect();
    let describe = |values: &[f64]| {
        let mut root = root.clone();
        for ((place, value), nominal) in places.iter().zip(values).zip(&nominal) {
            // as the file says it, where it is not another one
            if let Some(node) = place.find(&mut root).filter(|_| value != nominal) {
                node.value = Value::Number(*value);
            }
        }
        arm_file::description(&source, &root).map_err(Refusal::File)
    };
    let parameters = Parameters::new(list, describe).map_err(|refusal| match refusal {
        Refusal::File(report) => report,
        Refusal::Parameter(error) => {
            let problem = Problem::error(&codes::PARAMETER, error.to_string());
            refused(&names.join(", "), problem.help(error.help().unwrap_or_default()))
        }
    })?;
    Ok((loaded, parameters))
}

/// Why there are no parameters.
enum Refusal {
    File(Report),
    Parameter(ParameterError),
}

impl From<ParameterError> for Refusal {
    fn from(error: ParameterError) -> Self {
        Self::Parameter(error)
    }
}

/// The number at a path (SI units), and its unit.
fn looked_up(
    source: &Source,
    root: &Node,
    name: &str,
    place: &Path,
) -> Result<(f64, &'static str), Problem> {
    let mut tree = root.clone();
    let node = place.find(&mut tree).ok_or_else(|| unknown(root, name))?.clone();
    let unit_of = |quantity: &Quantity, value: f64| {
        let mut tree = root.clone();
        if let Some(node) = place.find(&mut tree) {
            node.value = Value::Text(format!("{value:?} {}", quantity.si));
        }
        arm_file::description(source, &tree).is_ok()
    };
    match &node.value {
        Value::Number(value) => {
            let unit = Quantity::all().find(|quantity| unit_of(quantity, *value));
            Ok((*value, unit.map_or("", |quantity| quantity.si)))
        }
        Value::Text(text) => {
            let mut kinds = Quantity::all().filter_map(|quantity| {
                let value = units::parse(text, quantity).ok()?;
                unit_of(quantity, value).then_some((value, quantity.si))
            });
            kinds.next().ok_or_else(|| no_number(name, &node))
        }
        _ => Err(no_number(name, &node)),
    }
}

fn unknown(root: &Node, name: &str) -> Problem {
    let all = setting::paths(root);
    let problem = Problem::error(&codes::PARAMETER, format!("the arm has no {}", quoted(name)));
    problem.label("not there").help(match nearest(name, all.iter().map(String::as_str)) {
        Some(near) => format!("did you mean {near}?"),
        None => "name a number that the arm file gives: link.NAME.mass, gravity[2]".to_owned(),
    })
}

fn no_number(name: &str, node: &Node) -> Problem {
    let message = format!("{name} is {node}, not a number");
    let help = "name a number that the file gives; of a material by name, write its numbers out";
    Problem::error(&codes::PARAMETER, message).help(help)
}
