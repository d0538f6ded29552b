//! Two ways to every number: identities over random arms from fixed seeds.
//!
//! - `oracle`: from the positions of mass points alone
//! - `agree`: one algorithm against another
//! - `balance`: power, momentum, springs
//! - `slope`: derivatives against differences
//! - `laws`: what must not change a result
//! - `effort`: counts of operations
//! - `analysis`: equilibria and frequencies against textbooks
//! - `converge`: how fast integrators approach known motions, and how they end
//! - `motion`: arms that move, against what their motion must keep and what is known of it
//! - `simulation`: scenarios with signals, sensors, controllers and events
//! - `closed_loop`, `stability`: loops as linear systems, and whether they grow, against runs
//! - `figures`: figures of runs and channels of links, against closed forms
//! - `control`: laws with a model, paths, inverse kinematics
//! - `actuators`: motors, gears, friction and elastic joints
//! - `linear`: Riccati equations, linearised arms, shapers and observers
//! - `reproduce`: the documents' algorithms, counts of operations and variants of the equations
//! - `elements`: force elements of a user
//! - `errors`: what is refused, and in which words
//! - `attachment`: where on a link things are
//! - `bent`: rigid links that become flexible
//! - `study`: designs, sensitivities and optima
//! - `examples`: that they run, and what they find

#[macro_use]
mod close;
mod random;
mod description;
mod models;
mod calls;
mod coverage;
mod attachment;
mod bent;
mod examples;

mod oracle;
mod agree;
mod balance;
mod slope;
mod laws;
mod converge;
mod motion;
mod scenario;
mod closed_loop;
mod stability;
mod figures;
mod simulation;
mod switching;
mod effort;
mod control;
mod analysis;
mod actuators;
mod linear;
mod reproduce;
mod elements;
mod study;
mod errors;
