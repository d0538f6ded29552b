//! A script that makes a system of python-control.

use super::Found;
use pliant::analyse::Label;
use pliant::nalgebra::DMatrix;
use pliant_io::escape::python;
use std::collections::HashSet;
use std::fmt::Write as _;

pub(super) fn write(found: &Found) -> String {
    let system = &found.system;
    let mut text = format!(
        "\"\"\"An arm, linearised by pliant. SI units and radians.\n\n\
         python -c 'import control, this_file; print(this_file.system.poles())'\n\"\"\"\n\n\
         import control\nimport numpy as np\n\n\
         arm = {}\npoint = {}\n\n",
        python(&found.name),
        python(&found.place.words)
    );
    for (name, matrix) in [("A", &system.a), ("B", &system.b), ("C", &system.c), ("D", &system.d)] {
        text += &array(name, matrix);
    }
    for (word, all) in
        [("states", &system.states), ("inputs", &system.inputs), ("outputs", &system.outputs)]
    {
        let _ = writeln!(text, "{word} = {}", list(all));
    }
    let step = found.period.map_or_else(String::new, |period| format!("{period:?}, "));
    text + &format!(
        "\nsystem = control.ss(A, B, C, D, {step}states=states, inputs=inputs, outputs=outputs)\n"
    )
}

fn array(name: &str, matrix: &DMatrix<f64>) -> String {
    let mut text = format!("{name} = np.array([\n");
    for row in matrix.row_iter() {
        let row: Vec<String> = row.iter().map(|entry| format!("{entry:?}")).collect();
        let _ = writeln!(text, "    [{}],", row.join(", "));
    }
    let _ = writeln!(text, "]).reshape({}, {})", matrix.nrows(), matrix.ncols());
    text
}

/// Names as python-control allows them: no points, and no two the same.
fn list(all: &[Label]) -> String {
    let mut taken = HashSet::new();
    let name = |one: &Label| {
        let name = one.name.replace('.', "_");
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let mut all = std::iter::once(name.clone()).chain(numbered);
        python(&all.find(|name| taken.insert(name.clone())).unwrap_or_default())
    };
    format!("[{}]", all.iter().map(name).collect::<Vec<_>>().join(", "))
}
