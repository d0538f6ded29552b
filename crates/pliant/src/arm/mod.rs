//! The model of an arm: a tree of bodies and joints, checked when built and immutable afterwards.
//!
//! [`Builder`] collects [`Link`]s as users describe them. [`Builder::build`] checks them, sorts
//! parents before children, and rotates every body frame so that a joint of one degree of freedom
//! moves about or along its own z axis. The recursions exploit that sparsity; the public interface
//! never exposes the rotated frames.

mod actuator;
mod bend;
mod bend_error;
mod builder;
mod assemble;
mod faults;
mod checks;
mod beam_checks;
mod joint;
mod coordinate;
mod link;
mod passive;
mod hinges;
mod pieces;
mod stations;
mod flexible_body;
mod tree;
mod numbers;
mod display;
mod element;
mod frame;
mod denavit_hartenberg;
mod diagnostics;
mod frame_assignment;

pub use actuator::{Actuator, ActuatorFault, Coupling, Friction, NoMotor};
pub use bend::BeamAxis;
pub use bend_error::BendError;
pub use builder::{Builder, BuilderParts};
pub use coordinate::{Coordinate, CoordinateRole};
pub use denavit_hartenberg::{DhConvention, DhError, DhJoint, DhRow, DhTable, DhVariable};
pub use diagnostics::Warning;
pub(crate) use element::BoundElement;
pub use element::{ElementForce, ElementPosition, ElementVelocity, ForceElement, RecordedElement};
pub use faults::{BuildError, Fault, FaultKind};
pub(crate) use flexible_body::{FlexibleBody, Section};
pub use frame::{Frame, FrameRole, tip_name};
pub use joint::{Joint, JointHop, JointKind};
pub use link::{Attachment, Limits, Link, LinkParts, Mass, Parent};
pub use passive::Spring;
pub(crate) use stations::{Edge, Over};
pub(crate) use tree::Run;
pub use tree::{Arm, Body, UnknownName};
