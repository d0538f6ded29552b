//! What sources cannot hold, found before and after an arm is traced.

use super::program::Program;
use super::routine::Body;
use super::{CodeContent, CodeError, CodeSettings, Language};
use crate::arm::Arm;
use pliant_jit::Op;

/// Arms of more coordinates stay with the recursions.
const MOST_COORDINATES: usize = 128;

/// A function of more operations would take compilers minutes.
const MOST_OPERATIONS: usize = 400_000;

pub(super) fn before(
    arm: &Arm,
    contents: &[CodeContent],
    settings: &CodeSettings,
) -> Result<(), CodeError> {
    if contents.is_empty() {
        return Err(CodeError::Nothing);
    }
    if arm.nv() == 0 {
        return Err(CodeError::NoCoordinates);
    }
    if arm.nv() > MOST_COORDINATES {
        return Err(CodeError::Coordinates { count: arm.nv(), most: MOST_COORDINATES });
    }
    if !matches!(settings.lanes, 1 | 2 | 4 | 8 | 16) {
        return Err(CodeError::Lanes { lanes: settings.lanes });
    }
    if settings.lanes > 1 && settings.language != Language::C {
        return Err(CodeError::LanesOf { language: settings.language });
    }
    Ok(())
}

/// The frame that is named, or the tip.
pub(super) fn frame(arm: &Arm, name: Option<&str>) -> Result<usize, CodeError> {
    match name {
        Some(name) => arm.frame(name).map_err(CodeError::Frame),
        None => arm.tip().ok_or(CodeError::NoFrame),
    }
}

pub(super) fn after(program: &Program) -> Result<(), CodeError> {
    for routine in &program.routines {
        let Body::Tape(tape) = &routine.body else { continue };
        let count = tape.ops().len();
        if count > MOST_OPERATIONS {
            let function = routine.name.clone();
            return Err(CodeError::Operations { function, count, most: MOST_OPERATIONS });
        }
        for op in tape.ops() {
            if let Op::Constant(number) = *op {
                let fits = !program.settings.single || (number as f32).is_finite();
                if !number.is_finite() || !fits {
                    return Err(CodeError::Number { function: routine.name.clone(), number });
                }
            }
        }
    }
    Ok(())
}
