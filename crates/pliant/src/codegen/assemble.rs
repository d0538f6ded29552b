//! From an arm to the functions of its sources.

use super::algorithm::{StepMethod, StepParts, computed_torque};
use super::body::Function;
use super::formula::array;
use super::names::identifier;
use super::program::Program;
use super::routine::{Body, Direction, Parameter, Routine};
use super::{CodeContent, CodeController, CodeError, CodeSettings, CodeSubject, Sources};
use super::{about, checks, composite, estimator, written};
use crate::arm::{Arm, CoordinateRole, Joint};
use crate::compile::{Functions, Parameters, Port, Quantity, Trace, sine_tape, stumpff_tape};
use crate::control::Model;
use pliant_jit::{Op, Tape, Value};
use std::collections::BTreeMap;

/// The functions of an arm, each made once.
#[derive(Clone, Debug)]
struct Assembly<'a> {
    arm: &'a Arm,
    parameters: Option<&'a Parameters>,
    controller: Option<CodeController<'a>>,
    routines: Vec<Routine>,
    /// What the example of an estimator begins with.
    rest: BTreeMap<&'static str, Vec<f64>>,
}

/// Sources that are put together function by function. What several of them need is traced once, and so
/// is what turns out to be impossible.
#[derive(Clone, Debug)]
pub struct SourceDraft<'a> {
    assembly: Assembly<'a>,
    settings: CodeSettings,
    contents: Vec<CodeContent>,
    /// The first function of steps, which come last: they call by name what is there.
    steps: usize,
}

impl<'a> SourceDraft<'a> {
    /// Without a function yet.
    pub fn new(subject: CodeSubject<'a>, settings: &CodeSettings) -> Result<Self, CodeError> {
        let assembly = Assembly::new(subject)?;
        checks::before(assembly.arm, settings)?;
        Ok(Self { assembly, settings: settings.clone(), contents: Vec::new(), steps: 0 })
    }

    /// What it has.
    pub fn contents(&self) -> &[CodeContent] {
        &self.contents
    }

    /// Adds functions, unless they are there; where that fails, the draft stays as it was.
    pub fn add(&mut self, content: &CodeContent) -> Result<(), CodeError> {
        if self.contents.contains(content) {
            return Ok(());
        }
        if self.contents.last() == Some(&CodeContent::Step) {
            let before = self.clone();
            self.contents.pop();
            self.assembly.routines.truncate(self.steps);
            let added = self.add_last(content).and_then(|()| {
                self.steps = self.assembly.routines.len();
                self.add_last(&CodeContent::Step)
            });
            return added.inspect_err(|_| *self = before);
        }
        self.steps = self.assembly.routines.len();
        self.add_last(content)
    }

    /// Behind all others.
    fn add_last(&mut self, content: &CodeContent) -> Result<(), CodeError> {
        let Self { assembly, settings, .. } = self;
        let public: Vec<bool> = assembly.routines.iter().map(|own| own.is_public).collect();
        let first = public.len();
        let added = assembly.add(content).and_then(|()| {
            checks::after(assembly.arm, content, &assembly.routines[first..], settings)
        });
        if added.is_ok() {
            self.contents.push(content.clone());
        } else {
            assembly.routines.truncate(first);
            for (own, is_public) in assembly.routines.iter_mut().zip(public) {
                own.is_public = is_public;
            }
        }
        added
    }

    /// The sources; the hash of the arm's text is for the head.
    pub fn sources(self, hash: Option<&str>) -> Result<Sources, CodeError> {
        if self.contents.is_empty() {
            return Err(CodeError::Nothing);
        }
        Ok(written(&self.program(hash)))
    }

    fn program(self, hash: Option<&str>) -> Program {
        let Self { assembly, settings, contents, .. } = self;
        let Assembly { arm, parameters, controller, mut routines, rest } = assembly;
        // what is called stands before what calls it, and what was asked for is for everybody
        routines.sort_by_key(|routine| matches!(routine.body, Body::Algorithm(_)));
        let list = parameters.map_or(&[][..], Parameters::list);
        let mut program = Program {
            prefix: identifier(settings.name.as_deref().unwrap_or(arm.name())),
            title: arm.name().to_owned(),
            about: about::head(arm, &contents, hash, list, controller.as_ref()),
            routines,
            settings,
            sine: sine_tape(),
            stumpff: BTreeMap::new(),
            neutral: arm.neutral(),
            rest,
            parameters: list.iter().map(|own| own.nominal).collect(),
        };
        for function in program.functions() {
            if let Function::Stumpff(count) = function {
                program.stumpff.insert(count, stumpff_tape(usize::from(count)));
            }
        }
        program
    }
}

impl<'a> Assembly<'a> {
    fn new(subject: CodeSubject<'a>) -> Result<Self, CodeError> {
        let (parameters, controller) = match subject {
            CodeSubject::Arm(_) => (None, None),
            // an array without entries is none
            CodeSubject::Parameters(own) => (Some(own).filter(|own| !own.list().is_empty()), None),
            CodeSubject::Controller(own) => (None, Some(own)),
        };
        let arm = match subject {
            CodeSubject::Arm(arm) => arm,
            CodeSubject::Parameters(own) => own.arm(),
            CodeSubject::Controller(own) => {
                own.controller.parts().1.ok_or(CodeError::NoModel)?.arm()
            }
        };
        Ok(Self { arm, parameters, controller, routines: Vec::new(), rest: BTreeMap::new() })
    }
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
                self.jacobian(frame)?;
            }
            CodeContent::Derivatives => {
                self.quantity("forward_derivatives", Quantity::ForwardDerivatives, true);
                self.quantity("inverse_derivatives", Quantity::InverseDerivatives, true);
            }
            CodeContent::ComputedTorque => self.computed_torque()?,
            CodeContent::Composite => self.composite()?,
            CodeContent::Estimator => self.estimator()?,
            CodeContent::Step => self.steps(),
        }
        Ok(())
    }

    /// The Jacobian of one frame, whose function has no other name.
    fn jacobian(&mut self, frame: usize) -> Result<(), CodeError> {
        let about = format!("The frame is \"{}\".", self.arm.frames()[frame].name());
        match self.named("jacobian") {
            Some(own) if own.about.contains(&about) => Ok(()),
            Some(_) => Err(CodeError::Frames),
            None => {
                self.quantity("jacobian", Quantity::Jacobian { frame }, true);
                if let Some(own) = self.routines.last_mut() {
                    own.about.push(about);
                }
                Ok(())
            }
        }
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
                about: about::block_of(quantity, block.name, direction).to_owned(),
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
                about: about::block(name, direction).to_owned(),
                ..array(name, length, direction)
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
        let n = joints.len();
        let read = [
            ("q", arm.nq()),
            ("u", arm.nv()),
            ("q_reference", n),
            ("u_reference", n),
            ("ud_reference", n),
            ("stiffness", n),
            ("damping", n),
        ]
        .map(|(name, length)| array(name, length, Direction::In));
        let own = read.into_iter().chain(self.parameters());
        let parameters = own.chain([array("tau", n, Direction::Out)]).collect();
        self.routines.push(Routine {
            name: "computed_torque".to_owned(),
            about: about::computed_torque(&model),
            parameters,
            body: Body::Algorithm(algorithm),
            is_public: true,
        });
        Ok(())
    }
}

impl<'a> Assembly<'a> {
    /// The controller of a law or an estimator, with its model.
    fn model(&self, what: &'static str) -> Result<(CodeController<'a>, &'a Model), CodeError> {
        let own = self.controller.ok_or(CodeError::NoController { what })?;
        let (_, model, ..) = own.controller.parts();
        let model = model.ok_or(CodeError::NoModel)?;
        if model.knows_loads() {
            return Err(CodeError::Loads);
        }
        Ok((own, model))
    }

    fn composite(&mut self) -> Result<(), CodeError> {
        let (own, model) = self.model("composite control")?;
        let (law, _, _, trajectory) = own.controller.parts();
        self.quantity("mass_matrix_and_bias", Quantity::MassMatrixAndBias, false);
        let Some(terms) = self.named("mass_matrix_and_bias") else { return Ok(()) };
        let routines = composite::routines((law, trajectory), model, terms)?;
        self.routines.extend(routines);
        Ok(())
    }

    fn estimator(&mut self) -> Result<(), CodeError> {
        let (own, model) = self.model("an estimator")?;
        let (_, _, source, _) = own.controller.parts();
        let filter = estimator::filter(source)?;
        self.rest = estimator::rest(model, &filter);
        self.routines.extend(estimator::routines(model, filter, own.sensors));
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
