//! The keys of a scenario file.

use super::controller::ControllerTable;
use super::method::MethodKeys;
use super::plan::PlanTable;
use super::sensor::SensorTable;
use super::shapes::{ArmOrPath, Channels, Each, EachOfKinds, Lasting, Names, Whole};
use super::signal::{InputTable, MotionTable};
use crate::shapes::{
    Acceleration, AsWritten, Flag, Flat, JointPosition, JointSpeed, OfCoordinates, One, OneOfKinds,
    PositiveLength, Text, Vector, Word, words,
};
use crate::table::table;
use pliant::scenario::{SETTLING_BAND, Start};
use pliant::simulate::{Direction, EventAction};

words! { Start: "as given" => Start::AsGiven, "static equilibrium" => Start::StaticEquilibrium }

words! {
    Option<EventAction>:
    "stop" => Some(EventAction::Stop),
    "report" => Some(EventAction::Report),
    "ignore" => None,
}

words! {
    Direction:
    "rising" => Direction::Rising,
    "falling" => Direction::Falling,
    "both" => Direction::Either,
}

words! { EventAction: "stop" => EventAction::Stop, "report" => EventAction::Report }

table! {
    /// A scenario: an arm, its initial state, its inputs, the duration, and the recorded channels.
    pub(crate) struct ScenarioTable = "a scenario",
        "write arm = \"two-link.toml\" and duration = \"5 s\"";
    elsewhere {
        "link" => "an arm inside a scenario begins its links with [[arm.link]]",
        "q" => "coordinates at the start stand by name below a line [initial]",
        "u" => "velocities at the start stand by name below a line [rates]",
        "controllers" => "each controller begins with a line [[controller]]",
        "task" => "it is called plan",
    }
    later { "payload" => "payloads that change" }
    keys {
        /// The arm: the path of its file, relative to the folder of the scenario, or the arm
        /// itself.
        arm: AsWritten<ArmOrPath> [required],
        /// The acceleration of gravity in world axes.
        gravity: Vector<Acceleration> [or "that of the arm"],
        /// Duration of the simulation.
        duration: Lasting [required],
        /// "as given" in initial, or "static equilibrium": the joints as given, the links with
        /// their static deflection under gravity and the initial loads.
        start: Word<Start> [= Start::AsGiven],
        /// Initial coordinates by name.
        initial: OfCoordinates<JointPosition> [or "neutral"],
        /// Initial velocities by name.
        rates: OfCoordinates<JointSpeed> [or "zero"],
        /// The frame whose motion is watched: tracking errors are told of it, its position is
        /// recorded, shapers still it, and a plan of a line leads it.
        tip: Text [or "the outermost frame of the arm"],
        /// The band about its final value within which that frame has settled.
        settling_band: PositiveLength [= SETTLING_BAND],
        /// How it is integrated.
        method: Flat<MethodKeys> [flat],
        /// Round products and sums of the equations of motion together, in machine code: faster,
        /// with other numbers in the last digits, and only where there is machine code for the
        /// processor.
        fuse: Flag [= false],
        /// The recorded channels, and how often.
        record: One<Record> [or "the defaults of record"],
        /// At a joint limit: stop the run, report it, or ignore the limits.
        limits: Word<Option<EventAction>> [= Some(EventAction::Report)],
        /// The random seed of the sensor noise.
        seed: Whole<0> [= 0.0],
        /// Motor forces, and loads on frames, as functions of time.
        input: EachOfKinds<InputTable> [or "none"],
        /// Motions of prescribed joints as functions of time.
        prescribed: EachOfKinds<MotionTable> [or "none"],
        /// The sensors.
        sensor: EachOfKinds<SensorTable> [or "none"],
        /// The trajectory that model-based controllers track.
        plan: OneOfKinds<PlanTable> [or "none"],
        /// Controllers, which compute motor forces from measurements.
        controller: EachOfKinds<ControllerTable> [or "none"],
        /// Events to detect.
        event: Each<EventTable> [or "none"],
    }
}

table! {
    /// The recorded channels, and how often.
    pub(crate) struct Record = "record",
        "write record = { every = \"5 ms\", channels = [\"coordinates\", \"energies\"] }";
    keys {
        /// The time between two rows.
        every: Lasting [= 0.01],
        /// Groups (coordinates, velocities, accelerations, forces, frames, frame-velocities,
        /// energies, momenta, sensors, outputs and references of controllers, errors, deflections,
        /// internal-forces, gains, mass-matrix, wave-numbers), names (upper.rate), or names with a
        /// star (*.position.x). A name such as upper@0.6.deflection.z is of the section of a link
        /// that bends at that distance from the root of its beam (m).
        channels: Names<Channels>
            [or "coordinates, velocities, forces, energies, sensors, outputs, references, errors, the positions of tips and the deflections of those that links bend"],
    }
}

table! {
    /// An expression that crosses zero.
    pub(crate) struct EventTable = "an event",
        "write expression = \"upper + 1.57\" below a line [[event]]";
    keys {
        /// Its name.
        name: Text [or "the expression"],
        /// An expression of the time t and of channels in SI units, such as "fore.tip.position.y +
        /// 2".
        expression: Text [required],
        /// The direction of the crossings.
        direction: Word<Direction> [= Direction::Either],
        /// Whether the run stops at the event, or only reports it.
        action: Word<EventAction> [= EventAction::Report],
    }
}
