//! What sources cannot hold, found before and after an arm is traced.

use super::routine::{Body, Routine};
use super::{CodeContent, CodeError, CodeSettings, Language};
use crate::arm::Arm;
use pliant_jit::Op;

/// Arms of more coordinates stay with the recursions.
const MOST_COORDINATES: usize = 128;

/// A function of more operations would take compilers minutes.
const MOST_OPERATIONS: usize = 400_000;

pub(super) fn before(arm: &Arm, settings: &CodeSettings) -> Result<(), CodeError> {
    if arm.nv() == 0 {
        return Err(CodeError::NoCoordinates);
    }
    if let Some(name) = settings.name.as_ref().filter(|own| !own.contains(is_letter)) {
        return Err(CodeError::Name { name: name.clone() });
    }
    if arm.nv() > MOST_COORDINATES {
        let (count, most, bends) = (arm.nv(), MOST_COORDINATES, bends(arm));
        return Err(CodeError::Coordinates { count, most, bends });
    }
    if !matches!(settings.lanes, 1 | 2 | 4 | 8 | 16) {
        return Err(CodeError::Lanes { lanes: settings.lanes });
    }
    if settings.lanes > 1 && settings.language != Language::C {
        return Err(CodeError::LanesOf { language: settings.language });
    }
    Ok(())
}

fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic()
}

/// Whether links bend.
fn bends(arm: &Arm) -> bool {
    arm.velocity_coordinates().iter().any(|own| own.role.deforms())
}

/// The frame that is named, or the tip.
pub(super) fn frame(arm: &Arm, name: Option<&str>) -> Result<usize, CodeError> {
    match name {
        Some(name) => arm.frame(name).map_err(CodeError::Frame),
        None => arm.tip().ok_or(CodeError::NoFrame),
    }
}

/// Whether the functions that a content has added can be written.
pub(super) fn after(
    arm: &Arm,
    content: &CodeContent,
    routines: &[Routine],
    settings: &CodeSettings,
) -> Result<(), CodeError> {
    for routine in routines {
        let Body::Tape(tape) = &routine.body else { continue };
        let function = routine.name.clone();
        let (count, most) = (tape.operations(), MOST_OPERATIONS);
        if count > most {
            let (content, bends) = (content.clone(), bends(arm));
            return Err(CodeError::Operations { function, count, most, content, bends });
        }
        for op in tape.ops() {
            if let Op::Constant(number) = *op {
                let fits = !settings.single || (number as f32).is_finite();
                if !number.is_finite() || !fits {
                    return Err(CodeError::Number { function, number });
                }
            }
        }
    }
    Ok(())
}
