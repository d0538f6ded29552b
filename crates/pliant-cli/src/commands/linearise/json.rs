//! One object.

use super::Found;
use crate::figures::pretty;
use crate::output::Failure;
use pliant::analyse::{Label, continuous_pole};
use pliant::nalgebra::{Complex, DMatrix};
use serde_json::{Value, json};
use std::f64::consts::TAU;

pub(super) fn write(found: &Found) -> Result<String, Failure> {
    let system = &found.system;
    let named = |all: &[Label]| -> Vec<Value> {
        all.iter().map(|one| json!({ "name": one.name, "unit": one.unit })).collect()
    };
    let zeros: Vec<Value> = found
        .zeros
        .iter()
        .enumerate()
        .flat_map(|(row, line)| {
            line.iter().enumerate().map(move |(column, zeros)| (row, column, zeros))
        })
        .map(|(row, column, zeros)| {
            json!({
                "input": system.inputs[column].name,
                "output": system.outputs[row].name,
                "zeros": zeros.as_ref().map(|zeros| zeros.iter().map(number).collect::<Vec<_>>()),
            })
        })
        .collect();
    let parts = |matrix: &DMatrix<Complex<f64>>, part: fn(&Complex<f64>) -> f64| {
        rows(&matrix.map(|z| part(&z)))
    };
    let response: Vec<Value> = found
        .response
        .iter()
        .map(|(hertz, g)| {
            json!({ "frequency_hz": hertz, "real": parts(g, |z| z.re), "imaginary": parts(g, |z| z.im) })
        })
        .collect();
    let point = &found.place.point;
    let value = json!({
        "name": found.name,
        "at": found.place.words,
        "q": point.q,
        "u": point.u,
        "ud": point.ud,
        "states": named(&system.states),
        "inputs": named(&system.inputs),
        "outputs": named(&system.outputs),
        "A": rows(&system.a),
        "B": rows(&system.b),
        "C": rows(&system.c),
        "D": rows(&system.d),
        "dt": found.period,
        "poles": found.poles.iter().map(|own| pole(own, found.period)).collect::<Vec<_>>(),
        "zeros": zeros,
        "zeros_together": found.zeros_together.as_ref().map(|zeros| {
            zeros.iter().map(number).collect::<Vec<_>>()
        }),
        "response": response,
    });
    pretty(&value)
}

fn rows(matrix: &DMatrix<f64>) -> Vec<Vec<f64>> {
    matrix.row_iter().map(|row| row.iter().copied().collect()).collect()
}

fn number(value: &Complex<f64>) -> Value {
    json!({ "real": value.re, "imaginary": value.im })
}

fn pole(value: &Complex<f64>, period: Option<f64>) -> Value {
    let rate = continuous_pole(*value, period);
    let size = rate.norm();
    let mut pole = json!({
        "real": value.re,
        "imaginary": value.im,
        "frequency_hz": if size.is_finite() { json!(size / TAU) } else { Value::Null },
        "damping_ratio": match size {
            size if !size.is_finite() => Value::Null,
            size if size > 0.0 => json!(-rate.re / size),
            _ => json!(0.0),
        },
    });
    if period.is_some() {
        pole["size"] = json!(value.norm());
    }
    pole
}
