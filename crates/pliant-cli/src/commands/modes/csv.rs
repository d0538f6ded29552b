//! One mode per line.

use super::findings::Findings;
use pliant_io::escape::csv_field;
use std::fmt::Write as _;

pub(super) fn write(found: &Findings<'_>, count: usize) -> String {
    let mut text = String::from(
        "mode,frequency_hz,frequency_rad_s,omega_squared_1_s2,damping_ratio,frequency_error,moves\n",
    );
    for (k, mode) in found.modes.modes.iter().take(count).enumerate() {
        let error = found.errors.as_ref().and_then(|errors| errors.as_ref().ok()?.get(k));
        let error = error.map_or_else(String::new, |error| format!("{error:?}"));
        let parts = found.arm.participation(mode);
        let most = parts.first().map_or_else(String::new, |(part, _)| part.to_string());
        let most = csv_field(&most);
        let (hertz, omega) = (mode.hertz(), mode.frequency());
        let (squared, ratio) = (mode.squared, mode.damping_ratio);
        let _ =
            writeln!(text, "{},{hertz:?},{omega:?},{squared:?},{ratio:?},{error},{most}", k + 1);
    }
    text
}
