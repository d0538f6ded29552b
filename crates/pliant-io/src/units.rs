//! Numbers with units: `"10 mm"`, `"90 deg"`, `"3 N m/rad"`.

pub(crate) use pliant::scalar::short;

use std::f64::consts::PI;
use std::fmt;

/// Exponents of kilogram, metre, second and radian.
pub(crate) type Dimension = [i32; 4];

/// A kind of quantity that a key can ask for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Quantity {
    /// With its article: `a mass`.
    pub(crate) name: &'static str,
    /// The unit of plain numbers.
    pub(crate) si: &'static str,
    /// How it could be written.
    pub(crate) example: &'static str,
    dimension: Dimension,
}

macro_rules! quantities {
    ($($constant:ident = $name:literal, $si:literal, $example:literal, $dimension:expr;)*) => {
        $(
            pub(crate) static $constant: Quantity = Quantity {
                name: $name,
                si: $si,
                example: $example,
                dimension: $dimension,
            };
        )*
        static QUANTITIES: &[&Quantity] = &[$(&$constant),*];
    };
}

quantities! {
    LENGTH = "a length", "m", "10 mm", [0, 1, 0, 0];
    ANGLE = "an angle", "rad", "90 deg", [0, 0, 0, 1];
    MASS = "a mass", "kg", "2 kg", [1, 0, 0, 0];
    INERTIA = "a moment of inertia", "kg m^2", "0.02 kg m^2", [1, 2, 0, 0];
    DENSITY = "a density", "kg/m^3", "2.7 g/cm^3", [1, -3, 0, 0];
    FORCE = "a force", "N", "10 N", [1, 1, -2, 0];
    MOMENT = "a moment", "N m", "3 N m", [1, 2, -2, 0];
    SPEED = "a speed", "m/s", "0.5 m/s", [0, 1, -1, 0];
    TURN_SPEED = "an angular speed", "rad/s", "30 deg/s", [0, 0, -1, 1];
    ACCELERATION = "an acceleration", "m/s^2", "9.81 m/s^2", [0, 1, -2, 0];
    TURN_ACCELERATION = "an angular acceleration", "rad/s^2", "90 deg/s^2", [0, 0, -2, 1];
    STIFFNESS = "a stiffness", "N/m", "2 kN/m", [1, 0, -2, 0];
    TURN_STIFFNESS = "a stiffness in torsion", "N m/rad", "50 N m/rad", [1, 2, -2, -1];
    STIFFNESS_RATE = "a stiffness per time", "N/(m s)", "100 N/(m s)", [1, 0, -3, 0];
    TURN_STIFFNESS_RATE = "a stiffness in torsion per time", "N m/(rad s)", "100 N m/(rad s)", [1, 2, -3, -1];
    DAMPING = "a damping", "N s/m", "5 N s/m", [1, 0, -1, 0];
    TURN_DAMPING = "a damping in torsion", "N m s/rad", "0.1 N m s/rad", [1, 2, -1, -1];
    PRESSURE = "a stress or pressure", "Pa", "250 MPa", [1, -1, -2, 0];
    MODULUS = "a modulus of elasticity", "Pa", "70 GPa", [1, -1, -2, 0];
    BENDING_STIFFNESS = "a stiffness against bending or twist", "N m^2", "34 N m^2", [1, 3, -2, 0];
    MASS_PER_LENGTH = "a mass per length", "kg/m", "0.2 kg/m", [1, -1, 0, 0];
    INERTIA_PER_LENGTH = "an inertia per length", "kg m", "2e-6 kg m", [1, 1, 0, 0];
    RATE_SQUARED = "a squared rate", "1/s^2", "100 1/s^2", [0, 0, -2, 0];
    FORCE_TIME = "a force times a time", "N s", "0.1 N s", [1, 1, -1, 0];
    MOMENT_TIME = "a moment times a time", "N m s", "0.1 N m s", [1, 2, -1, 0];
    RATE = "a rate", "1/s", "0.1 1/s", [0, 0, -1, 0];
    FREQUENCY = "a frequency", "Hz", "2 Hz", [0, 0, -1, 0];
    TIME = "a time", "s", "10 ms", [0, 0, 1, 0];
    NUMBER = "a plain number", "1", "0.5", [0, 0, 0, 0];
}

impl Quantity {
    /// Every kind there is.
    pub(crate) fn all() -> impl Iterator<Item = &'static Self> {
        QUANTITIES.iter().copied()
    }
}

/// What can be wrong with a number with a unit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum UnitError {
    /// It does not begin with a number.
    NoNumber,
    /// A number alone: in quotes it must have a unit.
    NoUnit(f64),
    /// A decimal comma.
    Comma,
    /// A unit that does not exist, and the nearest that does.
    UnknownUnit(String, Option<&'static str>),
    /// A unit of another kind.
    WrongKind(Dimension),
}

const RADIAN: Dimension = [0, 0, 0, 1];
const METRE: Dimension = [0, 1, 0, 0];
const KILOGRAM: Dimension = [1, 0, 0, 0];
const NEWTON: Dimension = [1, 1, -2, 0];
const PASCAL: Dimension = [1, -1, -2, 0];

/// Symbol, size in SI units, dimension, and whether prefixes such as `m` and `k` are allowed.
const UNITS: &[(&str, f64, Dimension, bool)] = &[
    ("m", 1.0, METRE, true),
    ("g", 1e-3, KILOGRAM, true),
    ("s", 1.0, [0, 0, 1, 0], true),
    ("Hz", 1.0, [0, 0, -1, 0], true),
    ("N", 1.0, NEWTON, true),
    ("Nm", 1.0, [1, 2, -2, 0], true),
    ("Nms", 1.0, [1, 2, -1, 0], true),
    ("Ns", 1.0, [1, 1, -1, 0], true),
    ("Pa", 1.0, PASCAL, true),
    ("J", 1.0, [1, 2, -2, 0], true),
    ("W", 1.0, [1, 2, -3, 0], true),
    ("rad", 1.0, RADIAN, true),
    ("deg", PI / 180.0, RADIAN, false),
    ("°", PI / 180.0, RADIAN, false),
    ("rev", 2.0 * PI, RADIAN, false),
    ("rpm", PI / 30.0, [0, 0, -1, 1], false),
    ("t", 1e3, KILOGRAM, false),
    ("min", 60.0, [0, 0, 1, 0], false),
    ("in", 0.0254, METRE, false),
    ("ft", 0.3048, METRE, false),
    ("lb", 0.453_592_37, KILOGRAM, false),
    ("oz", 0.028_349_523_125, KILOGRAM, false),
    ("lbf", 4.448_221_615_260_5, NEWTON, false),
    ("psi", 6_894.757_293_168_361, PASCAL, false),
    ("bar", 1e5, PASCAL, false),
];

const PREFIXES: &[(&str, f64)] = &[
    ("n", 1e-9),
    ("u", 1e-6),
    ("µ", 1e-6),
    ("μ", 1e-6),
    ("m", 1e-3),
    ("c", 1e-2),
    ("d", 1e-1),
    ("k", 1e3),
    ("M", 1e6),
    ("G", 1e9),
];

/// Units offered when an unknown one is met, most usual first.
const USUAL: &[&str] = &[
    "m", "mm", "cm", "km", "um", "kg", "g", "rad", "deg", "rev", "rpm", "N", "kN", "Pa", "MPa",
    "GPa", "s", "ms", "min", "Hz", "in", "ft", "lb", "lbf", "psi", "bar", "J", "W",
];

/// The value in SI units of a text such as `"10 mm"`, when it is of the kind asked for.
pub(crate) fn parse(text: &str, wanted: &Quantity) -> Result<f64, UnitError> {
    let text = text.trim();
    let end = number_length(text);
    let number: f64 = text[..end].parse().map_err(|_| UnitError::NoNumber)?;
    let unit = text[end..].trim();
    if unit.strip_prefix(',').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
        return Err(UnitError::Comma);
    }
    if unit.is_empty() {
        return if wanted.dimension == NUMBER.dimension {
            Ok(number)
        } else {
            Err(UnitError::NoUnit(number))
        };
    }
    let (scale, dimension) = parse_unit(unit)?;
    // turns per second are no radians per second
    let cycles_for_radians = unit.contains("Hz") && wanted.dimension[3] != 0;
    if fits(dimension, wanted.dimension) && !cycles_for_radians {
        // degrees as the usual product, so that 180 deg is π to the last bit
        let value = match unit {
            "deg" | "°" => number.to_radians(),
            _ => number * scale,
        };
        Ok(value)
    } else {
        Err(UnitError::WrongKind(dimension))
    }
}

/// The value in SI units of a text such as `"10 mm"`, of whatever kind it is.
pub(crate) fn any(text: &str) -> Option<f64> {
    let text = text.trim();
    let (_, dimension) = parse_unit(text[number_length(text)..].trim()).ok()?;
    parse(text, &Quantity { name: "", si: "", example: "", dimension }).ok()
}

/// A time (s) as somebody types it: `1.2 s`, `800 ms`, or a plain number of seconds.
pub fn seconds(text: &str) -> Option<f64> {
    typed(text, &TIME)
}

/// A length (m) as somebody types it: `16 cm`, or a plain number of metres.
pub fn metres(text: &str) -> Option<f64> {
    typed(text, &LENGTH)
}

fn typed(text: &str, wanted: &Quantity) -> Option<f64> {
    match parse(text, wanted) {
        Ok(value) | Err(UnitError::NoUnit(value)) => Some(value).filter(|value| value.is_finite()),
        Err(_) => None,
    }
}

/// Radians may be left out beside other units: a stiffness of `5 N m` is `5 N m/rad`.
fn fits(given: Dimension, wanted: Dimension) -> bool {
    let rest_agrees = given[..3] == wanted[..3];
    let plain_angle = wanted[..3] == [0, 0, 0];
    rest_agrees && (given[3] == wanted[3] || (given[3] == 0 && !plain_angle))
}

/// How many bytes at the beginning are a number.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    let sign = |at: usize| at + usize::from(matches!(bytes.get(at), Some(b'+' | b'-')));
    let mut end = digits(sign(0));
    if bytes.get(end) == Some(&b'.') {
        end = digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let exponent = digits(sign(end + 1));
        if exponent > sign(end + 1) {
            end = exponent;
        }
    }
    end
}

/// Size and dimension of a product of units such as `N m s/rad`, `g/cm^3`, `kg*m²`. Everything
/// after a stroke, up to the next, divides.
fn parse_unit(text: &str) -> Result<(f64, Dimension), UnitError> {
    let (mut scale, mut dimension) = (1.0, NUMBER.dimension);
    for (i, part) in text.split('/').enumerate() {
        let sign = if i == 0 { 1 } else { -1 };
        let part = part.trim().trim_matches(['(', ')']);
        if part == "1" {
            continue;
        }
        let mut factors = part
            .split(|c: char| c.is_whitespace() || matches!(c, '*' | '·' | '.'))
            .filter(|factor| !factor.is_empty())
            .peekable();
        if factors.peek().is_none() {
            return Err(unknown(text));
        }
        for factor in factors {
            let (symbol, exponent) = split_exponent(factor).ok_or_else(|| unknown(factor))?;
            let (size, base) = find_unit(symbol).ok_or_else(|| unknown(symbol))?;
            let exponent = sign * exponent;
            scale *= size.powi(exponent);
            for (sum, base) in dimension.iter_mut().zip(base) {
                *sum += base * exponent;
            }
        }
    }
    Ok((scale, dimension))
}

/// `cm^3`, `m²`, `s-2` as symbol and exponent.
fn split_exponent(factor: &str) -> Option<(&str, i32)> {
    if let Some((symbol, exponent)) = factor.split_once('^') {
        let exponent: i32 = exponent.parse().ok()?;
        return (exponent.abs() <= 9).then_some((symbol, exponent));
    }
    for (sign, exponent) in [("²", 2), ("³", 3)] {
        if let Some(symbol) = factor.strip_suffix(sign) {
            return Some((symbol, exponent));
        }
    }
    match factor.strip_suffix(['2', '3']) {
        Some(symbol) if factor.ends_with('2') => Some((symbol, 2)),
        Some(symbol) => Some((symbol, 3)),
        None => Some((factor, 1)),
    }
}

fn find_unit(symbol: &str) -> Option<(f64, Dimension)> {
    let exact = UNITS.iter().find(|unit| unit.0 == symbol);
    if let Some(&(_, size, dimension, _)) = exact {
        return Some((size, dimension));
    }
    PREFIXES.iter().find_map(|(prefix, factor)| {
        let base = symbol.strip_prefix(prefix)?;
        let unit = UNITS.iter().find(|unit| unit.3 && unit.0 == base)?;
        Some((factor * unit.1, unit.2))
    })
}

fn unknown(symbol: &str) -> UnitError {
    let nearest = crate::nearest::nearest(symbol, USUAL.iter().copied());
    UnitError::UnknownUnit(symbol.to_owned(), nearest)
}

/// What a unit of some dimension measures, as part of a sentence.
pub(crate) struct Kind(pub(crate) Dimension);

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(quantity) = QUANTITIES.iter().find(|q| q.dimension == self.0) {
            f.write_str(quantity.name)
        } else {
            f.write_str("something in")?;
            for (exponent, symbol) in self.0.iter().zip(["kg", "m", "s", "rad"]) {
                match exponent {
                    0 => {}
                    1 => write!(f, " {symbol}")?,
                    _ => write!(f, " {symbol}^{exponent}")?,
                }
            }
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(text: &str, quantity: &Quantity, wanted: f64) {
        let got = parse(text, quantity);
        assert!(
            got.as_ref().is_ok_and(|got| (got - wanted).abs() <= 1e-15 * wanted.abs()),
            "{text}: {got:?}"
        );
    }

    #[test]
    fn units_of_every_kind() {
        close("10 mm", &LENGTH, 0.01);
        close("10mm", &LENGTH, 0.01);
        close("-2.5e-1 km", &LENGTH, -250.0);
        close("1 in", &LENGTH, 0.0254);
        close("5 µm", &LENGTH, 5e-6);
        close("180 deg", &ANGLE, PI);
        close("-90°", &ANGLE, -PI / 2.0);
        close("250 g", &MASS, 0.25);
        close("2.7 g/cm^3", &DENSITY, 2700.0);
        close("2700 kg/m³", &DENSITY, 2700.0);
        close("3 kg*m^2", &INERTIA, 3.0);
        close("3 kg m2", &INERTIA, 3.0);
        close("3 kg·cm²", &INERTIA, 3e-4);
        close("5 N m/rad", &TURN_STIFFNESS, 5.0);
        close("5 N m", &TURN_STIFFNESS, 5.0);
        close("5 Nm/rad", &TURN_STIFFNESS, 5.0);
        close("2 mNm", &MOMENT, 2e-3);
        close("0.1 Nms/rad", &TURN_DAMPING, 0.1);
        close("1 N m/deg", &TURN_STIFFNESS, 180.0 / PI);
        close("60 rpm", &TURN_SPEED, 2.0 * PI);
        close("9.81 m/s/s", &ACCELERATION, 9.81);
        close("9.81 m s^-2", &ACCELERATION, 9.81);
        close("2 1/s", &TURN_SPEED, 2.0);
        close("0.5", &NUMBER, 0.5);
        close("3 GPa", &PRESSURE, 3e9);
        assert_eq!(parse("180 deg", &ANGLE), Ok(PI));
    }

    #[test]
    fn what_is_typed() {
        assert_eq!(seconds("1.5"), Some(1.5));
        assert_eq!(seconds(" 250ms "), Some(0.25));
        assert_eq!(metres("16 cm"), Some(0.16));
        for bad in ["", "soon", "3 m", "1e999", "0,5 s"] {
            assert_eq!(seconds(bad), None, "{bad}");
        }
    }

    #[test]
    fn faults_of_every_kind() {
        assert_eq!(parse("long", &LENGTH), Err(UnitError::NoNumber));
        assert_eq!(parse("", &LENGTH), Err(UnitError::NoNumber));
        assert_eq!(parse("1.2", &LENGTH), Err(UnitError::NoUnit(1.2)));
        assert_eq!(parse("0,5 m", &LENGTH), Err(UnitError::Comma));
        assert_eq!(parse("3 kg", &LENGTH), Err(UnitError::WrongKind(KILOGRAM)));
        assert_eq!(parse("3 m", &ANGLE), Err(UnitError::WrongKind(METRE)));
        assert_eq!(parse("3 Hz", &FREQUENCY), Ok(3.0));
        assert!(matches!(parse("3 Hz", &TURN_SPEED), Err(UnitError::WrongKind(_))));
        assert_eq!(parse("3 rad", &LENGTH), Err(UnitError::WrongKind(RADIAN)));
        let degrees = UnitError::UnknownUnit("dge".into(), Some("deg"));
        assert_eq!(parse("3 dge", &ANGLE), Err(degrees));
        assert!(matches!(parse("3 /", &LENGTH), Err(UnitError::UnknownUnit(..))));
        assert!(matches!(parse("3 m^99", &LENGTH), Err(UnitError::UnknownUnit(..))));
        assert_eq!(Kind(KILOGRAM).to_string(), "a mass");
        assert_eq!(Kind([1, 0, -9, 0]).to_string(), "something in kg s^-9");
    }
}
