//! The frequency response, a line per frequency.

use super::Found;
use pliant_io::escape::csv_quoted;
use std::fmt::Write as _;

pub(super) fn write(found: &Found) -> String {
    let system = &found.system;
    let mut text = String::from("frequency_hz");
    let channels: Vec<(usize, usize)> = (0..system.inputs.len())
        .flat_map(|column| (0..system.outputs.len()).map(move |row| (row, column)))
        .collect();
    for &(row, column) in &channels {
        let (from, to) = (&system.inputs[column], &system.outputs[row]);
        let name = format!("{} / {} [({})/({})]", to.name, from.name, to.unit, from.unit);
        let [size, phase] = [format!("|{name}|"), format!("phase of {name} in deg")];
        let _ = write!(text, ",{},{}", csv_quoted(&size), csv_quoted(&phase));
    }
    text.push('\n');
    for (hertz, response) in &found.response {
        let _ = write!(text, "{hertz:?}");
        for &place in &channels {
            let (size, phase) = response[place].to_polar();
            let _ = write!(text, ",{size:?},{:?}", phase.to_degrees());
        }
        text.push('\n');
    }
    text
}
