//! From an arm to the functions of its sources.

use super::algorithm::{StepMethod, StepParts, computed_torque};
use super::body::Function;
use super::names::identifier;
use super::program::Program;
use super::routine::{Body, Direction, Parameter, Routine};
use super::{CodeContent, CodeError, CodeSettings};
use super::{about, checks};
use crate::arm::{Arm, CoordinateRole, Joint};
use crate::compile::{Functions, Parameters, Port, Quantity, Trace, sine_tape, stumpff_tape};
use crate::control::Model;
use pliant_jit::{Op, Tape, Value};
use std::collections::BTreeMap;

/// The functions of an arm, each made once.
struct Assembly<'a> {
    arm: &'a Arm,
    parameters: Option<&'a Parameters>,
    routines: Vec<Routine>,
}

/// The program of an arm: what is asked for, and what that needs. The hash of the arm is for the head.
pub(super) fn program(
    (arm, parameters): (&Arm, Option<&Parameters>),
    contents: &[CodeContent],
    settings: CodeSettings,
    hash: Option<&str>,
) -> Result<Program, CodeError> {
    checks::before(arm, contents, settings)?;
    // steps call what else is asked for
    let mut contents = contents.to_vec();
    contents.sort_by_key(|content| *content == CodeContent::Step);
    let contents = &contents[..];
    let mut assembly = Assembly { arm, parameters, routines: Vec::new() };
    for content in contents {
        assembly.add(content)?;
    }
    // what is called stands before what calls it, and what was asked for is for everybody
    assembly.routines.sort_by_key(|routine| matches!(routine.body, Body::Algorithm(_)));
    let list = parameters.map_or(&[][..], Parameters::list);
    let mut program = Program {
        prefix: identifier(arm.name()),
        title: arm.name().to_owned(),
        about: about::head(arm, contents, hash, list),
        routines: assembly.routines,
        settings,
        sine: sine_tape(),
        stumpff: BTreeMap::new(),
        neutral: arm.neutral(),
        parameters: list.iter().map(|own| own.nominal).collect(),
    };
    for function in program.functions() {
        if let Function::Stumpff(count) = function {
            program.stumpff.insert(count, stumpff_tape(usize::from(count)));
        }
    }
    checks::after(&program)?;
    Ok(program)
}

impl Assembly<'_> {
    fn add(&mut self, content: &CodeContent) -> Result<(), CodeError> {
        match content {
            CodeContent::Forward => self.quantity("forward", Quantity::ForwardDynamics, true),
            CodeContent::Inverse => self.quantity("inverse", Quantity::InverseDynamics, true),
            CodeContent::MassMatrix => self.quantity("mass_matrix", Quantity::MassMatrix, true),
            CodeContent::Terms => self.quantity("terms", Quantity::Terms, true),
            CodeContent::Kinematics => self.quantity("kinematics", Quantity::Kinematics, true),
            CodeContent::Jacobian { frame } => {
                let frame = checks::frame(self.arm, frame.as_deref())?;
                self.quantity("jacobian", Quantity::Jacobian { frame }, true);
                let name = self.arm.frames()[frame].name();
                if let Some(own) = self.routines.iter_mut().find(|own| own.name == "jacobian") {
                    own.about.push(format!("The frame is \"{name}\"."));
                }
            }
            CodeContent::Derivatives => {
                self.quantity("forward_derivatives", Quantity::ForwardDerivatives, true);
                self.quantity("inverse_derivatives", Quantity::InverseDerivatives, true);
            }
            CodeContent::ComputedTorque => self.computed_torque()?,
            CodeContent::Step => self.steps(),
        }
        Ok(())
    }

    /// Adds a traced quantity, unless it is there.
    fn quantity(&mut self, name: &str, quantity: Quantity, is_public: bool) {
        if let Some(own) = self.routines.iter_mut().find(|own| own.name == name) {
            own.is_public |= is_public;
            return;
        }
        let trace = match self.parameters {
            // rates of a configuration know no number of the arm
            Some(own) if quantity != Quantity::ConfigurationRate => {
                Trace::with_parameters(own, quantity, Functions::Called)
            }
            _ => Trace::new(self.arm, quantity, Functions::Called),
        };
        let inputs = trace.inputs();
        let parameter = |block: &Port, direction| {
            let is_input = |own: &Port| own.name == block.name;
            let is_both = direction == Direction::Out && inputs.iter().any(is_input);
            Parameter {
                name: format!("{}{}", block.name, if is_both { "_out" } else { "" }),
                length: Some(block.len),
                direction,
                about: about::block(block.name, direction).to_owned(),
            }
        };
        let own = inputs.iter().map(|block| parameter(block, Direction::In));
        let results = trace.outputs().iter().map(|block| parameter(block, Direction::Out));
        let parameters = own.chain(results).collect();
        let (about, body) = (about::quantity(quantity), Body::Tape(trace.tape().clone()));
        self.routines.push(Routine { name: name.to_owned(), about, parameters, body, is_public });
    }

    /// The array of parameters, if there are any.
    fn parameters(&self) -> Option<Parameter> {
        let length = self.parameters?.list().len();
        let (name, direction) = ("parameters", Direction::In);
        let about = about::block(name, direction).to_owned();
        Some(Parameter { name: name.to_owned(), length: Some(length), direction, about })
    }

    fn named(&self, name: &str) -> Option<&Routine> {
        self.routines.iter().find(|own| own.name == name)
    }

    /// Whole steps by all methods.
    fn steps(&mut self) {
        let (nq, nv) = (self.arm.nq(), self.arm.nv());
        self.quantity("forward", Quantity::ForwardDynamics, false);
        self.quantity("forward_derivatives", Quantity::ForwardDerivatives, false);
        self.quantity("rate", Quantity::ConfigurationRate, false);
        self.routines.extend(normalise(self.arm));
        let mut steps = Vec::new();
        if let (Some(forward), Some(rate)) = (self.named("forward"), self.named("rate")) {
            let parts = StepParts {
                forward,
                rate,
                normalise: self.named("normalise"),
                derivatives: self.named("forward_derivatives"),
                nq,
                nv,
            };
            let array = |name: &str, length, direction| Parameter {
                name: name.to_owned(),
                length: Some(length),
                direction,
                about: about::block(name, direction).to_owned(),
            };
            let mut parameters = vec![
                Parameter { length: None, ..array("h", 1, Direction::In) },
                array("tau", nv, Direction::In),
            ];
            if forward.parameters.iter().any(|own| own.name == "ud_out") {
                parameters.push(array("ud", nv, Direction::In));
            }
            parameters.extend(self.parameters());
            parameters.push(array("q", nq, Direction::InOut));
            parameters.push(array("u", nv, Direction::InOut));
            for method in StepMethod::ALL {
                steps.push(Routine {
                    name: method.name().to_owned(),
                    about: about::step(method),
                    parameters: parameters.clone(),
                    body: Body::Algorithm(parts.step(method)),
                    is_public: true,
                });
            }
        }
        self.routines.extend(steps);
    }

    fn computed_torque(&mut self) -> Result<(), CodeError> {
        let arm = self.arm;
        let free = arm.free_velocities();
        let coordinates = arm.velocity_coordinates();
        let drives = |v: &usize| {
            let role = coordinates[*v].role;
            matches!(role, CoordinateRole::Joint | CoordinateRole::Length)
                && free.contains(v)
                && arm.coordinate_of(*v).is_some()
        };
        let joints: Vec<usize> = (0..arm.nv()).filter(drives).collect();
        // what is no model of a controller is none here
        let model = Model::new(arm.clone(), &joints).map_err(CodeError::Model)?;
        let places: Vec<usize> =
            model.joints().iter().filter_map(|v| arm.coordinate_of(*v)).collect();
        self.quantity("mass_matrix_and_bias", Quantity::MassMatrixAndBias, false);
        let Some(terms) = self.named("mass_matrix_and_bias") else { return Ok(()) };
        let algorithm = computed_torque(terms, arm.nv(), &joints, &places);
        let of = |(name, length): (&str, usize)| Parameter {
            name: name.to_owned(),
            length: Some(length),
            direction: if name == "tau" { Direction::Out } else { Direction::In },
            about: about::law(name).to_owned(),
        };
        let n = joints.len();
        let [read @ .., forces] = [
            ("q", arm.nq()),
            ("u", arm.nv()),
            ("q_reference", n),
            ("u_reference", n),
            ("ud_reference", n),
            ("stiffness", n),
            ("damping", n),
            ("tau", n),
        ]
        .map(of);
        let own = read.into_iter().chain(self.parameters());
        let parameters = own.chain([forces]).collect();
        self.routines.push(Routine {
            name: "computed_torque".to_owned(),
            about: about::computed_torque(arm, &joints),
            parameters,
            body: Body::Algorithm(algorithm),
            is_public: true,
        });
        Ok(())
    }
}

/// Brings quaternions to unit length, in the order of [`Arm::normalise`], where there are any.
fn normalise(arm: &Arm) -> Option<Routine> {
    let nq = arm.nq() as u32;
    let mut ops: Vec<Op> = (0..nq).map(Op::Input).collect();
    let mut outputs: Vec<Value> = (0..nq).map(Value).collect();
    for (link, joint) in arm.joints().iter().enumerate() {
        let first = match joint {
            Joint::Spherical => 0,
            Joint::Free => 3,
            _ => continue,
        };
        let mut add = |op: Op| {
            ops.push(op);
            Value(ops.len() as u32 - 1)
        };
        let start = (arm.configuration_of(link).start + first) as u32;
        let quaternion = [0, 1, 2, 3].map(|k| Value(start + k));
        let squares = quaternion.map(|value| add(Op::Mul(value, value)));
        let sum = squares.into_iter().reduce(|sum, square| add(Op::Add(sum, square)))?;
        let size = add(Op::Sqrt(sum));
        let factor = add(Op::Recip(size));
        for value in quaternion {
            outputs[value.0 as usize] = add(Op::Mul(value, factor));
        }
    }
    if ops.len() == arm.nq() {
        return None;
    }
    let array = |name: &str, direction| Parameter {
        name: name.to_owned(),
        length: Some(arm.nq()),
        direction,
        about: String::new(),
    };
    Some(Routine {
        name: "normalise".to_owned(),
        about: Vec::new(),
        parameters: vec![array("q", Direction::In), array("unit", Direction::Out)],
        body: Body::Tape(Tape::new(nq, ops, outputs, Vec::new()).ok()?),
        is_public: false,
    })
}
