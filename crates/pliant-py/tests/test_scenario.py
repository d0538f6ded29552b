"""Scenarios as data: everything that files say, to and fro, and what is refused."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scenarios import PENDULUM, SCENARIOS, TWO_LINK, pendulum

import pliant


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_every_ready_scenario_is_data_in_python(path: Path) -> None:
    scenario = pliant.Scenario.load(path)
    text = scenario.text()
    # what Python holds says the same as the file: it is described, written and read again
    described = pliant.Scenario(
        **{
            name: getattr(scenario, name)
            for name in scenario.__dataclass_fields__
            if not name.startswith("_")
        }
    )
    assert described.text() == text
    assert f"duration = {scenario.duration:g}".rstrip("0").split(".")[0] in text
    again = pickle.loads(pickle.dumps(scenario))
    assert again.text() == text
    assert again._origin == scenario._origin


def everything() -> pliant.Scenario:
    """A scenario with every class of the package."""
    arm = pliant.Arm.parse(TWO_LINK)
    sensors: list[Any] = [
        pliant.Encoder("a", "upper", 1e-3, delay=1e-3, noise=1e-4, resolution=1e-5),
        pliant.Encoder("b", "fore", 1e-3),
        pliant.Accelerometer("imu", "fore", 1e-2, noise=0.1),
        pliant.PositionSensor("camera", "fore", 2e-2),
    ]
    return pliant.Scenario(
        arm,
        0.2,
        gravity=[0, 0, -1.6],
        initial={"upper": 0.1, "fore": 0.2},
        rates={"upper": 0.0, "fore": 0.3},
        method="rk4",
        step=1e-3,
        record=pliant.Record(0.02, ["coordinates", "sensors", "*.force"]),
        limits="ignore",
        seed=7,
        inputs=[
            pliant.Input(1.5, motor="upper"),
            pliant.Input(pliant.Step(0.1, 2.0, before=1.0), motor="fore"),
            pliant.Input(pliant.Ramp(0.1, 1.0, start=0.02, from_=0.5), motor="fore"),
            pliant.Input(pliant.Sine(1.0, 2.0, phase=0.1, offset=0.2, start=0.01), motor="fore"),
            pliant.Input(pliant.Chirp(1.0, 1.0, 5.0, 0.1), motor="fore"),
            pliant.Input(pliant.Table([0, 0.1], np.array([0.0, 1.0])), motor="upper"),
            pliant.Input("sin(t)", motor="upper"),
            pliant.Input(1.0, frame="fore", force=[0, 0, 2.0], moment=[0, 1, 0], axes="own"),
        ],
        sensors=sensors,
        plan=pliant.JointsPlan(
            [[0.1, 0.2], [0.3, 0.1], [0.2, 0.0]],
            [0.05, 0.05],
            joints=["upper", "fore"],
            start=0.01,
            profile="trapezoid",
            accelerate=0.01,
        ),
        controllers=[
            pliant.Controller(
                "servo",
                pliant.Pid({"upper": 10, "fore": 5}, 2.0, integral=1.0, feedforward=False),
                period=1e-3,
                sensors=["a", "b"],
                limits={"upper": 50.0},
                saturation=0.2,
                knows_loads=True,
                model=arm,
            ),
            pliant.PdController(
                "hold",
                [pliant.PdJoint("upper", 1.0, 0.1, 0.2, sensor="a", limit=3.0)],
                period=2e-3,
                delay=1e-3,
            ),
        ],
        events=[
            pliant.Event("upper - 0.15", name="there", direction="rising"),
            pliant.Event("t - 0.15", name="late", action="stop"),
        ],
    )


def test_every_field_is_written_and_read(tmp_path: Path) -> None:
    scenario: Any = everything()
    text = scenario.text()
    scenario.save(tmp_path / "all.toml")
    again: Any = pliant.Scenario.load(tmp_path / "all.toml")
    assert again.text() == text
    for name in ("seed", "method", "step", "limits", "record", "rates", "events", "sensors"):
        assert getattr(again, name) == getattr(scenario, name), name
    assert again.plan.profile == "trapezoid" and again.plan.accelerate == 0.01
    assert again.controllers[0].law == scenario.controllers[0].law
    result = again.run()
    assert result.status == "stopped"
    assert [event.name for event in result.events][-1] == "late"
    assert again.inputs[5].signal.interpolation == "linear"


LAWS = [
    pliant.Pid(20.0, 4.0),
    pliant.GravityPd(20.0, 4.0),
    pliant.ComputedTorque(100.0, 20.0, update_period=0.01),
    pliant.ComputedTorque(100.0, 20.0, update_change=0.05),
    pliant.ComputedTorque(100.0, 20.0, update_distance=0.05),
    pliant.ComputedTorque(100.0, 20.0, update_along_plan=0.01),
    pliant.ComputedTorque(100.0, 20.0, update_cells=10),
    pliant.Decoupling(100.0, 20.0, update_period=0.01),
    pliant.EnergyTorque(0.04, gains_period=0.01, window="receding", aim="present"),
    pliant.EnergyFeedback(0.04, form="syst3", effort="whole", penalty={"bob": 2.0}),
]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: type(law).__name__)
def test_every_law_is_written_read_and_run(law: Any, tmp_path: Path) -> None:
    scenario = pendulum(
        0.05,
        plan=pliant.JointsPlan([[0.0], [0.1]], [0.05]),
        controllers=[pliant.Controller("servo", law, period=1e-3, full_state=True)],
    )
    scenario.save(tmp_path / "law.toml")
    again: Any = pliant.Scenario.load(tmp_path / "law.toml")
    assert again.controllers[0].law == law
    assert again.run().status == "completed"


@pytest.mark.parametrize(
    "law",
    [
        pliant.Composite(100.0, 20.0, damping_ratio=0.3),
        pliant.Composite(100.0, 20.0, bending_weight=1e3),
        pliant.Pseudolink(100.0, 20.0, rows=["upper"]),
    ],
    ids=["ratio", "weights", "pseudolink"],
)
def test_laws_of_what_bends(law: Any, tmp_path: Path) -> None:
    root = Path(__file__).parents[3]
    arm = pliant.Arm.load(root / "robots" / "king-two-link.toml")
    joints = [name for name in ("upper", "fore", "shoulder", "elbow") if name in arm.velocity_names]
    plan = pliant.JointsPlan([[0.0] * len(joints)] * 2, [0.01], joints=joints)
    if isinstance(law, pliant.Pseudolink):
        law.rows = joints[:1]
    controller = pliant.Controller("king", law, period=1e-3, full_state=True)
    scenario = pliant.Scenario(arm, 0.01, plan=plan, controllers=[controller])
    scenario.save(tmp_path / "law.toml")
    again: Any = pliant.Scenario.load(tmp_path / "law.toml")
    assert type(again.controllers[0].law) is type(law)
    assert again.text() == scenario.text()


def test_set_replaces_values_of_the_file() -> None:
    path = next(path for path in SCENARIOS if path.stem == "king-swing")
    assert pliant.Scenario.load(path, set={"duration": "0.25 s"}).duration == 0.25
    with pytest.raises(pliant.FileError, match="durationn"):
        pliant.Scenario.load(path, set={"durationn": 1})


WRONG: Any = 3
LIST: Any = [3]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"duration": "long"}, ["Scenario.duration", "str 'long'", "a number"]),
        ({"arm": 3}, ["Scenario.arm", "int 3", "pliant.Arm"]),
        ({"start": "standing"}, ["Scenario.start", '"static equilibrium"']),
        ({"inputs": [pliant.Input(1.0)]}, ["neither motor nor frame"]),
        ({"inputs": [3]}, ["Scenario.inputs", "pliant.Input"]),
        ({"inputs": [pliant.Input("2 *", motor="bob")]}, ["2 *"]),
        ({"inputs": [pliant.Input(pliant.Step(LIST, 2), motor="bob")]}, ["Step.at"]),
        ({"inputs": [pliant.Input(pliant.Table([0, 1], [1]), motor="bob")]}, ["2 times", "1 val"]),
        ({"inputs": [pliant.Input(pliant.Table([[0]], [1]), motor="bob")]}, ["Table.times"]),
        ({"method": "euler"}, ["euler", "dop853"]),
        ({"method": "rk4"}, ["needs a step"]),
        ({"method": "rk4", "step": 1e-3, "tolerance": 1e-6}, ["no tolerance"]),
        ({"step": 1e-3}, ["leave step out"]),
        ({"initial": 3}, ["Scenario.initial", "dictionary"]),
        ({"record": pliant.Record(channels="energies")}, ["Record.channels", "list of names"]),
        ({"plan": [[0], [1]]}, ["Scenario.plan", "JointsPlan"]),
        ({"plan": pliant.JointsPlan([[0], [1]], [1], profile="pulses")}, ["accelerate"]),
        ({"gravity": [0, 1]}, ["Scenario.gravity", "three numbers"]),
        ({"events": [pliant.Event(WRONG)]}, ["Event.quantity"]),
        ({"controllers": [pliant.Controller("c", WRONG)]}, ["Controller.law", "int 3"]),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_is_wrong_is_named(change: dict[str, Any], words: list[str]) -> None:
    scenario = pendulum()
    for name, value in change.items():
        setattr(scenario, name, value)
    with pytest.raises(pliant.ArgumentError) as raised:
        scenario.check()
    for word in words:
        assert word in str(raised.value), str(raised.value)


def test_all_faults_of_a_scenario_are_told_at_once() -> None:
    scenario = pendulum(
        inputs=[pliant.Input(1.0, motor="bobb")], events=[pliant.Event("nothing - 1")], tip="hand"
    )
    with pytest.raises(pliant.ScenarioError) as raised:
        scenario.run()
    told = str(raised.value)
    for word in ("input[0].motor", "bobb", "event[0]", "tip", "hand"):
        assert word in told, told


def test_functions_are_refused_in_files_by_name() -> None:
    scenario = pendulum(inputs=[pliant.Input(lambda t: 1.0, motor="bob")])
    with pytest.raises(pliant.ScenarioError, match="the motor of bob is a function"):
        scenario.text()


def test_the_loop_that_controllers_close() -> None:
    # u+ = (1 - d T / J) u, with J = 2 kg (0.5 m)²
    joint = pliant.PdJoint("bob", 0.0, 750.0, 0.0)
    servo = pliant.PdController("servo", [joint], period=1e-3, full_state=True)
    wheel = pliant.Scenario(pliant.Arm.parse(PENDULUM), 1.0, gravity=[0, 0, 0], controllers=[servo])
    loop = wheel.closed_loop(outputs=["bob"])
    assert loop.system.period == 1e-3 and loop.ticks == 1 and loop.motors == ["bob"]
    assert loop.system.poles.real.min() == pytest.approx(-0.5, abs=1e-9)
    assert loop.growing == [] and loop.spectral_radius == pytest.approx(1.0)
    joint.damping = 1500.0
    (growing,) = wheel.closed_loop().growing
    assert growing.motor == "bob" and growing.pole.real == pytest.approx(-2.0, abs=1e-9)
    assert growing.rate == pytest.approx(np.log(2.0) / 1e-3)
    # the response of steps, and python-control's
    at = loop.system.response(np.array([3.0]))
    control = pytest.importorskip("control")
    system = loop.system.to_control()
    assert isinstance(system, control.StateSpace) and system.dt == 1e-3
    np.testing.assert_allclose(at[0], np.atleast_2d(system(np.exp(3e-3j))), rtol=1e-9)
    with pytest.raises(pliant.DynamicsError, match="no controller closes a loop"):
        pliant.Scenario(wheel.arm, 1.0).closed_loop()
    with pytest.raises(pliant.ArgumentError, match="time is 2; give a time from 0 to 1 s"):
        wheel.closed_loop(2.0)
