//! An explicit and an implicit method by turns, whichever costs less.

use super::control::Control;
use super::dop853::{self, Dop853};
use super::failure::{Failure, SetupError};
use super::method::{Method, Span, Verdict};
use super::radau5::{self, Radau5};
use super::state::StateVisitor;
use super::system::{CountedSystem, System};

/// The trial of a method may cost as much as so many implicit steps with new slopes.
const TRIAL: f64 = 12.0;

/// The first trial waits until the steps have cost so many trials, and one after trials that were
/// lost at most so many.
const WAITS: [f64; 2] = [4.0, 32.0];

/// How many times further a method must get to take over: a trial leaves out what finding the
/// length of steps costs, and explicit steps are often better than the tolerance asks.
const GAIN: f64 = 1.25;

/// [`Dop853`] and [`Radau5`] by turns, for systems of which it is not known whether they are stiff,
/// nor when: the idea of Petzold (1983).
///
/// It starts explicitly. Now and then the other method tries to go on from the state reached, and
/// takes over if it gets clearly further per operation than the steps since the last trial; what a lost
/// trial computed is forgotten. The steps of a method are those that it would make alone. Trials
/// become rarer as they are lost, so that they cost a few parts in a hundred, and an implicit one
/// ends as soon as it cannot make even a step of the explicit one's length.
///
/// Operations are counted, not timed, so that the same run has the same steps on every machine:
/// evaluations, at a number of floating-point operations each, and those of the linear algebra.
#[derive(Clone, Debug, PartialEq)]
pub struct Switching {
    explicit: Dop853,
    implicit: Radau5,
    evaluation: f64,
}

impl Switching {
    /// With a tolerance, or a whole [`Control`], for a system whose rates take so many
    /// floating-point operations.
    pub fn new(control: impl Into<Control>, evaluation: f64) -> Self {
        let control = control.into();
        let explicit = Dop853::new(control.clone());
        Self { explicit, implicit: Radau5::new(control), evaluation }
    }

    /// What a trial may cost for a state of `n` numbers (operations).
    fn budget(&self, n: usize) -> f64 {
        TRIAL * (self.evaluation * (n as f64 + 13.0) + radau5::factor_operations(n))
    }
}

/// The buffers of [`Switching`].
pub struct Work {
    explicit: dop853::Work,
    implicit: radau5::Work,
    is_implicit: bool,
    /// What the steps since the last trial have cost (operations), and how far they led.
    cost: f64,
    way: f64,
    /// The cost at which the next trial is due.
    wait: f64,
    /// The length of the last step, if the last attempt was one.
    step: Option<f64>,
    /// How many steps were implicit.
    implicit_steps: u64,
    /// The states of a trial.
    state: Vec<f64>,
    new: Vec<f64>,
}

/// Where a trial starts, and how far it may go.
struct Trial<'a> {
    from: (f64, &'a [f64]),
    remaining: f64,
    /// What it may cost (operations).
    budget: f64,
    /// It is lost with an attempt of this length or a shorter one.
    least: f64,
    /// The operations of an evaluation.
    evaluation: f64,
}

impl Trial<'_> {
    /// Lets a method go on for as long as the budget lasts; how far it gets per operation. The first
    /// half of the budget is for finding the length of its steps; where the end comes sooner, it goes
    /// there twice.
    fn race<S: System, M: Method<S>>(
        &self,
        (method, work): (&M, &mut M::Work),
        system: &mut CountedSystem<'_, S>,
        (state, new): (&mut Vec<f64>, &mut Vec<f64>),
        operations: impl Fn(&M::Work) -> f64,
    ) -> Option<f64> {
        let (start, y) = self.from;
        state.copy_from_slice(y);
        let (mut way, mut cost, mut counted) = (0.0, 0.0, (0.0, 0.0));
        let mut is_again = false;
        while cost < self.budget {
            let (evaluations, before) = (*system.evaluations, operations(work));
            let (t, left) = (start + way, self.remaining - way);
            let h = method.length(work, system, t, state, left).ok()?;
            if t + h == t {
                return None;
            }
            let verdict = method.attempt(work, system, t, state, h, new).ok()?;
            cost += self.evaluation * (*system.evaluations - evaluations) as f64;
            cost += operations(work) - before;
            if verdict != Verdict::Accepted {
                if h.abs() <= self.least {
                    return None;
                }
                continue;
            }
            way = if h == left { self.remaining } else { way + h };
            std::mem::swap(state, new);
            system.system().project(start + way, state);
            if h == left {
                if is_again || cost > 0.5 * self.budget {
                    return Some((way - counted.0).abs() / (cost - counted.1));
                }
                method.restart(work);
                state.copy_from_slice(y);
                (way, counted, is_again) = (0.0, (0.0, cost), true);
            } else if !is_again && cost <= 0.5 * self.budget {
                counted = (way, cost);
            }
        }
        Some((way - counted.0).abs() / (cost - counted.1))
    }
}

impl Work {
    /// Lets the other method try, if that is due, and take over if it is cheaper.
    fn compare<S: System>(
        &mut self,
        method: &Switching,
        system: &mut CountedSystem<'_, S>,
        (t, y): (f64, &[f64]),
        remaining: f64,
    ) {
        let Some(step) = self.step.filter(|_| self.cost >= self.wait) else { return };
        let budget = method.budget(y.len());
        let (from, evaluation) = ((t, y), method.evaluation);
        let trial = |least| Trial { from, remaining, budget, least, evaluation };
        let states = (&mut self.state, &mut self.new);
        let pace = if self.is_implicit {
            self.explicit.set_out(step);
            let other = (&method.explicit, &mut self.explicit);
            trial(0.0).race(other, system, states, |_| 0.0)
        } else {
            self.implicit.set_out(step);
            let other = (&method.implicit, &mut self.implicit);
            trial(step).race(other, system, states, radau5::Work::operations)
        };
        if pace.is_some_and(|pace| pace > GAIN * self.way / self.cost) {
            self.is_implicit = !self.is_implicit;
            self.restart::<S>(method);
        } else {
            self.wait = (2.0 * self.wait).min(WAITS[1] * budget);
        }
        (self.cost, self.way) = (0.0, 0.0);
    }

    fn restart<S: System>(&mut self, method: &Switching) {
        if self.is_implicit {
            Method::<S>::restart(&method.implicit, &mut self.implicit);
        } else {
            Method::<S>::restart(&method.explicit, &mut self.explicit);
        }
    }

    /// Adds what something costs that the method in use does.
    fn charge<S: System, T>(
        &mut self,
        method: &Switching,
        system: &mut CountedSystem<'_, S>,
        act: impl FnOnce(&mut Self, &mut CountedSystem<'_, S>) -> Result<T, Failure<S::Error>>,
    ) -> Result<T, Failure<S::Error>> {
        let (evaluations, before) = (*system.evaluations, self.implicit.operations());
        let done = act(self, system)?;
        self.cost += method.evaluation * (*system.evaluations - evaluations) as f64;
        self.cost += self.implicit.operations() - before;
        Ok(done)
    }
}

impl<S: System> Method<S> for Switching {
    type Work = Work;

    fn prepare(&self, system: &S, dimension: usize) -> Result<Work, SetupError> {
        SetupError::unless_positive("the cost of an evaluation", self.evaluation)?;
        Ok(Work {
            explicit: self.explicit.prepare(system, dimension)?,
            implicit: self.implicit.prepare(system, dimension)?,
            is_implicit: false,
            cost: 0.0,
            way: 0.0,
            wait: WAITS[0] * self.budget(dimension),
            step: None,
            implicit_steps: 0,
            state: vec![0.0; dimension],
            new: vec![0.0; dimension],
        })
    }

    fn max_steps(&self) -> usize {
        Method::<S>::max_steps(&self.explicit)
    }

    fn implicit_steps(&self, work: &Work) -> u64 {
        work.implicit_steps
    }

    fn length(
        &self,
        work: &mut Work,
        system: &mut CountedSystem<'_, S>,
        t: f64,
        y: &[f64],
        remaining: f64,
    ) -> Result<f64, Failure<S::Error>> {
        work.compare(self, system, (t, y), remaining);
        work.charge(self, system, |work, system| {
            if work.is_implicit {
                self.implicit.length(&mut work.implicit, system, t, y, remaining)
            } else {
                self.explicit.length(&mut work.explicit, system, t, y, remaining)
            }
        })
    }

    fn attempt(
        &self,
        work: &mut Work,
        system: &mut CountedSystem<'_, S>,
        t: f64,
        y: &[f64],
        h: f64,
        new: &mut [f64],
    ) -> Result<Verdict, Failure<S::Error>> {
        let verdict = work.charge(self, system, |work, system| {
            if work.is_implicit {
                self.implicit.attempt(&mut work.implicit, system, t, y, h, new)
            } else {
                self.explicit.attempt(&mut work.explicit, system, t, y, h, new)
            }
        })?;
        work.step = (verdict == Verdict::Accepted).then_some(h.abs());
        if verdict == Verdict::Accepted {
            work.way += h.abs();
            work.implicit_steps += u64::from(work.is_implicit);
        }
        Ok(verdict)
    }

    fn restart(&self, work: &mut Work) {
        work.restart::<S>(self);
    }

    fn visit_state(&self, work: &mut Work, state: &mut StateVisitor<'_>) {
        Method::<S>::visit_state(&self.explicit, &mut work.explicit, state);
        Method::<S>::visit_state(&self.implicit, &mut work.implicit, state);
        state.flag(&mut work.is_implicit);
        for number in [&mut work.cost, &mut work.way, &mut work.wait] {
            state.number(number);
        }
        state.option(&mut work.step, || 0.0, StateVisitor::number);
        state.count(&mut work.implicit_steps);
    }

    fn complete(
        &self,
        work: &mut Work,
        system: &mut CountedSystem<'_, S>,
        span: &Span<'_>,
    ) -> Result<(), Failure<S::Error>> {
        if work.is_implicit {
            self.implicit.complete(&mut work.implicit, system, span)
        } else {
            self.explicit.complete(&mut work.explicit, system, span)
        }
    }

    fn interpolate(&self, work: &Work, span: &Span<'_>, theta: f64, out: &mut [f64]) {
        if work.is_implicit {
            Method::<S>::interpolate(&self.implicit, &work.implicit, span, theta, out);
        } else {
            Method::<S>::interpolate(&self.explicit, &work.explicit, span, theta, out);
        }
    }
}
