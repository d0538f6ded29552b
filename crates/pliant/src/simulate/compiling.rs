//! Which recursions of a run are compiled.

use super::clock::Clock;
use super::diagram::Diagram;
use super::method::IntegrationMethod;
use crate::compile::{CompileError, Evaluator, Quantity};
use pliant_jit::Refused;

/// Whether the recursions of a run are compiled to machine code before it begins. The numbers are
/// the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compile {
    /// Where the evaluations that are foreseen are worth it.
    #[default]
    Auto,
    /// Wherever there is machine code.
    Always,
    /// Nowhere.
    Never,
}

/// What a run compiles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Compiling {
    whether: Compile,
    /// Whether the arm has too many coordinates to be looked at.
    is_large: bool,
    /// How often forward dynamics, and what the residuals of generalised-alpha need, are expected to
    /// be evaluated.
    forward: f64,
    implicit: f64,
    /// How many steps are expected.
    steps: f64,
    /// Whether products and sums are rounded together.
    fuse: bool,
}

/// How often it all is expected to be evaluated.
#[derive(Default)]
struct Expected {
    steps: f64,
    /// Forward dynamics, and what the residuals of generalised-alpha need.
    forward: f64,
    implicit: f64,
}

impl Expected {
    const WITHOUT_END: Self =
        Self { steps: f64::INFINITY, forward: f64::INFINITY, implicit: f64::INFINITY };
}

/// Arms with more coordinates have too many operations for machine code to be faster; how often
/// they are evaluated is not worth finding out.
const MOST_COORDINATES: usize = 64;

impl Compiling {
    /// How often a block is expected to be evaluated.
    pub(super) fn ticks(self, duration: f64, clock: Clock) -> f64 {
        match self.whether {
            Compile::Auto if self.is_large => 0.0,
            _ => self.expected(duration / clock.period()),
        }
    }

    /// How often what acts on the arm is expected to be evaluated.
    pub(super) fn acting(self) -> f64 {
        self.expected(self.forward + self.implicit)
    }

    /// Infinitely often if it is compiled in any case.
    fn expected(self, evaluations: f64) -> f64 {
        match self.whether {
            Compile::Never => 0.0,
            Compile::Auto => evaluations,
            Compile::Always => f64::INFINITY,
        }
    }

    /// A quantity, compiled if that is worth it. What residuals need may be too long for machine
    /// code, and what is only told of a motion needs none; the recursion then goes on, in any case.
    pub(super) fn applied(self, mut to: Evaluator) -> Result<Evaluator, CompileError> {
        let (evaluations, is_explicit) = match to.quantity() {
            Quantity::ForwardDynamics => (self.forward, true),
            Quantity::DampingPower => (self.forward + self.implicit, true),
            Quantity::InverseDynamics => (self.implicit, false),
            Quantity::EnergiesAndMomenta => (self.steps, false),
            // slopes serve a step or two
            _ => (0.05 * self.implicit, false),
        };
        // what is only told of a motion stays as it is
        let is_told = to.quantity() == Quantity::EnergiesAndMomenta;
        let fuse = self.fuse && !is_told;
        let done = match self.whether {
            Compile::Always if evaluations > 0.0 => to.compile(fuse),
            Compile::Auto => to.compile_for(evaluations),
            _ => Ok(()),
        };
        match done {
            Err(CompileError::Refused(Refused::TooLong)) if !is_explicit => Ok(to),
            Err(error) if self.whether == Compile::Always && !is_told => Err(error),
            // the numbers are the same without
            _ => Ok(to),
        }
    }
}

impl Diagram {
    /// What a run compiles.
    pub(super) fn compiling(&self) -> Compiling {
        let whether = if self.fuse { Compile::Always } else { self.compile };
        let is_large = self.arm.nv() > MOST_COORDINATES;
        let Expected { steps, forward, implicit } = match whether {
            Compile::Auto if !is_large => self.expected(),
            Compile::Always => Expected::WITHOUT_END,
            _ => Expected::default(),
        };
        // the others take differences of accelerations, and equations of a document have no residual
        let has_residual = matches!(self.method, IntegrationMethod::GeneralisedAlpha { .. });
        let implicit = if has_residual && self.dynamics.is_none() { implicit } else { 0.0 };
        Compiling { whether, is_large, forward, implicit, steps, fuse: self.fuse }
    }

    /// How often what a run asks for is expected to be evaluated.
    fn expected(&self) -> Expected {
        match self.method {
            IntegrationMethod::Rk4 { step } => {
                let steps = self.duration / step;
                Expected { steps, forward: 4.0 * steps, implicit: 0.0 }
            }
            // some three corrections a step
            IntegrationMethod::GeneralisedAlpha { step, .. } => {
                let steps = self.duration / step;
                Expected { steps, forward: 0.0, implicit: 3.0 * steps }
            }
            IntegrationMethod::Auto { tolerance }
            | IntegrationMethod::Dop853 { tolerance }
            | IntegrationMethod::Dopri5 { tolerance }
            | IntegrationMethod::Adams { tolerance }
            | IntegrationMethod::Radau5 { tolerance } => {
                let Ok(demand) = self.demand(tolerance) else { return Expected::default() };
                let (steps, forward) = demand.expected(self.method);
                Expected { steps, forward, implicit: 0.0 }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Compile;
    use crate::arm::{Arm, Builder, Joint, Link};
    use crate::beam::{Basis, Beam, CrossSection, Material, Matter, Ways};
    use crate::compile::COMPILED;
    use crate::simulate::{Diagram, IntegrationMethod, Rows, Status};
    use pliant_jit::Instructions;

    /// Two links, one of which bends.
    fn arm() -> Arm {
        let material = Material::named("aluminium").expect("known");
        let matter = Matter::Made { outline: CrossSection::Round { diameter: 0.02 }, material };
        let beam = Beam::new(1.0, matter, Basis::loaded(Ways::new(2, 0, 0, 0)));
        let joint = Joint::revolute([0.0, 0.0, 1.0]);
        let upper = Link::new("upper").joint(joint).beam(beam).payload(0.2, [1.0, 0.0, 0.0]);
        let fore = Link::new("fore").joint(joint).payload(0.5, [0.5, 0.0, 0.0]);
        Builder::new("two").link(upper).link(fore).build().expect("an arm")
    }

    /// What a run compiles, by name.
    fn compiled(method: IntegrationMethod, compile: Compile) -> Vec<String> {
        let mut diagram = Diagram::new(arm(), 0.2, 0.01);
        (diagram.u[0], diagram.method, diagram.compile) = (1.0, method, compile);
        COMPILED.take();
        let summary = diagram.run(&mut Rows::new(), &mut ()).expect("it runs");
        assert_eq!(summary.ending.status, Status::Completed);
        let mut names: Vec<_> = COMPILED.take().iter().map(|one| format!("{one:?}")).collect();
        names.sort();
        names
    }

    /// Radau5 takes differences of accelerations: forward dynamics are compiled for it, and nothing of
    /// the residuals that only generalised-alpha needs.
    #[test]
    fn each_method_compiles_what_it_evaluates() {
        if !Instructions::ALL.into_iter().any(Instructions::are_there) {
            return;
        }
        let forward = ["DampingPower", "ForwardDynamics"];
        let radau5 = IntegrationMethod::Radau5 { tolerance: 1e-10 };
        let dop853 = IntegrationMethod::Dop853 { tolerance: 1e-10 };
        for method in [radau5, dop853] {
            for compile in [Compile::Auto, Compile::Always] {
                let mut names = compiled(method, compile);
                // once a step, of which there may be few
                let follows = names.iter().position(|name| name == "EnergiesAndMomenta");
                assert!(follows.is_some() || compile == Compile::Auto, "{method:?}: {names:?}");
                follows.map(|at| names.remove(at));
                assert_eq!(names, forward, "{method:?} {compile:?}");
            }
            assert!(compiled(method, Compile::Never).is_empty());
        }
        // what is told once a step, where there are enough of them
        let told = |step| {
            let names = compiled(IntegrationMethod::Rk4 { step }, Compile::Auto);
            names.contains(&"EnergiesAndMomenta".to_owned())
        };
        assert!(told(1e-5) && !told(0.02));
        let implicit = IntegrationMethod::GeneralisedAlpha { step: 1e-3, spectral_radius: 0.8 };
        let names = compiled(implicit, Compile::Auto);
        assert!(names.contains(&"InverseDynamics".to_owned()), "{names:?}");
        assert!(!names.contains(&"ForwardDynamics".to_owned()), "{names:?}");
    }
}
