//! Functions of time, events and records.

use super::attributes::{
    class_of, items, number, numbers, optional_names, refuse, text, vector, word,
};
use super::words::{ACTION, AXES, DIRECTION, GIVES, INTERPOLATION};
use crate::callables::{self, Raised};
use crate::error::{Kind, raise, raise_help};
use pliant::scenario::{InputDescription, InputTarget, PrescribedDescription, Record};
use pliant::simulate::{
    Event, EventQuantity, Expression, FunctionSignal, Interpolation, Signal, Table,
};
use pyo3::prelude::*;
use std::sync::Arc;

/// The signal of an attribute; tables without an interpolation have the usual one.
pub(super) fn signal_of(
    object: &Bound<'_, PyAny>,
    name: &str,
    usual: Interpolation,
    raised: &Raised,
) -> PyResult<Signal> {
    let value = object.getattr(name)?;
    signal(&value, usual, raised)?
        .ok_or_else(|| refuse(object, name, &value, "a number, a signal, or a function of time"))
}

/// A signal, if it is one.
pub(super) fn signal(
    value: &Bound<'_, PyAny>,
    usual: Interpolation,
    raised: &Raised,
) -> PyResult<Option<Signal>> {
    let py = value.py();
    let refused = |error: &dyn pliant::Help| raise_help(py, Kind::Argument, error);
    if let Ok(number) = value.extract::<f64>() {
        return Ok(Some(Signal::Constant(number)));
    }
    let expression = |text: &str| Expression::of_time(text).map_err(|error| refused(&error));
    if let Ok(text) = value.extract::<String>() {
        return Ok(Some(Signal::Expression(expression(&text)?)));
    }
    let of = |name: &str| number(value, name);
    Ok(Some(match class_of(value)?.as_str() {
        "Constant" => Signal::Constant(of("value")?),
        "Step" => Signal::Step { at: of("at")?, before: of("before")?, after: of("after")? },
        "Ramp" => Signal::Ramp {
            start: of("start")?,
            duration: of("duration")?,
            from: of("from_")?,
            to: of("to")?,
        },
        "Sine" => Signal::Sine {
            amplitude: of("amplitude")?,
            frequency_hz: of("frequency")?,
            phase: of("phase")?,
            offset: of("offset")?,
            start: of("start")?,
        },
        "Chirp" => Signal::Chirp {
            amplitude: of("amplitude")?,
            from_hz: of("from_")?,
            to_hz: of("to")?,
            duration: of("duration")?,
            phase: of("phase")?,
            offset: of("offset")?,
            start: of("start")?,
        },
        "Table" => {
            let interpolation = if value.getattr("interpolation")?.is_none() {
                usual
            } else {
                word(value, "interpolation", &INTERPOLATION)?
            };
            let table =
                Table::new(numbers(value, "times")?, numbers(value, "values")?, interpolation);
            Signal::Table(table.map_err(|error| refused(&error))?)
        }
        "Expression" => Signal::Expression(expression(&text(value, "expression")?)?),
        "Sum" => {
            let part = |part: &Bound<'_, PyAny>| {
                signal(part, usual, raised)?.ok_or_else(|| {
                    refuse(value, "parts", part, "numbers, signals, or functions of time")
                })
            };
            Signal::Sum(items(value, "parts")?.iter().map(part).collect::<PyResult<_>>()?)
        }
        "Function" => {
            let function = value.getattr("function")?;
            let name: Option<String> = value.getattr("name")?.extract()?;
            let breaks = numbers(value, "breaks")?;
            Signal::Function(FunctionSignal(Arc::new(callables::OwnSignal::new(
                &function, name, &breaks, raised,
            )?)))
        }
        "" if value.is_callable() => Signal::Function(FunctionSignal(Arc::new(
            callables::OwnSignal::new(value, None, &[], raised)?,
        ))),
        _ => return Ok(None),
    }))
}

pub(super) fn input(value: &Bound<'_, PyAny>, raised: &Raised) -> PyResult<InputDescription> {
    let signal = signal_of(value, "signal", Interpolation::Linear, raised)?;
    let motor: Option<String> = value.getattr("motor")?.extract()?;
    let frame: Option<String> = value.getattr("frame")?.extract()?;
    let target = match (motor, frame) {
        (Some(motor), None) => InputTarget::Motor(motor),
        (None, Some(frame)) => InputTarget::Load {
            frame,
            force: vector(value, "force")?,
            moment: vector(value, "moment")?,
            axes: word(value, "axes", &AXES)?,
        },
        (both, _) => {
            let message = match both {
                Some(_) => "an Input has both motor and frame",
                None => "an Input has neither motor nor frame",
            };
            let help = "give motor=\"…\" with the name of a coordinate, or frame=\"…\" with force or moment";
            return Err(raise(value.py(), Kind::Argument, message, Some(help)));
        }
    };
    Ok(InputDescription { target, signal })
}

pub(super) fn prescribed(
    value: &Bound<'_, PyAny>,
    raised: &Raised,
) -> PyResult<PrescribedDescription> {
    Ok(PrescribedDescription {
        coordinate: text(value, "coordinate")?,
        gives: word(value, "gives", &GIVES)?,
        signal: signal_of(value, "signal", Interpolation::Cubic, raised)?,
    })
}

pub(super) fn event(value: &Bound<'_, PyAny>, raised: &Raised) -> PyResult<Event> {
    let given = value.getattr("quantity")?;
    let name: Option<String> = value.getattr("name")?.extract()?;
    let (quantity, own) = if let Ok(expression) = given.extract::<String>() {
        (EventQuantity::Expression(expression.clone()), expression)
    } else if given.is_callable() {
        let function = callables::OwnEvent::new(&given, raised);
        let own = callables::name_of(&given);
        (EventQuantity::Function(Arc::new(function)), own)
    } else {
        return Err(refuse(value, "quantity", &given, "an expression, or a function f(t, q, u)"));
    };
    Ok(Event {
        name: name.unwrap_or(own),
        quantity,
        direction: word(value, "direction", &DIRECTION)?,
        action: word(value, "action", &ACTION)?,
    })
}

pub(super) fn record(value: &Bound<'_, PyAny>) -> PyResult<Record> {
    Ok(Record { every: number(value, "every")?, channels: optional_names(value, "channels")? })
}
