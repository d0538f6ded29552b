"""Python functions and objects inside a run: against built-in ones, raising, resumed."""

import math
import signal
import traceback
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scenarios import TWO_LINK, follower, pendulum

import pliant


def close(a: pliant.Result, b: pliant.Result, within: float) -> None:
    np.testing.assert_array_equal(a.time, b.time)
    for name in a.names:
        if name in b:
            np.testing.assert_allclose(a[name], b[name], rtol=0, atol=within, err_msg=name)


def test_a_function_drives_a_motor() -> None:
    own = pendulum(inputs=[pliant.Input(lambda t: 3 * math.sin(2 * t), motor="bob")]).run()
    built_in = pendulum(inputs=[pliant.Input("3 * sin(2 * t)", motor="bob")]).run()
    close(own, built_in, 1e-9)


def test_a_function_with_a_break_is_landed_on() -> None:
    def push(t: float) -> float:
        return 0.0 if t < 0.5 else 5.0

    own = pendulum(inputs=[pliant.Input(pliant.Function(push, breaks=[0.5]), motor="bob")]).run()
    built_in = pendulum(inputs=[pliant.Input(pliant.Step(0.5, 5.0), motor="bob")]).run()
    close(own, built_in, 1e-9)


def test_a_function_moves_a_prescribed_joint() -> None:
    text = """
name = "turntable"
[[link]]
name = "table"
joint = { kind = "revolute", axis = "z", prescribed = true }
body = { mass = "1 kg", com = [0.1, 0, 0] }
[[link]]
name = "bob"
parent = "table"
joint = { kind = "revolute", axis = "y" }
body = { mass = "2 kg", com = ["0.5 m", 0, 0] }
"""
    arm = pliant.Arm.parse(text)

    def moved(signal: Any) -> pliant.Result:
        return pliant.Scenario(arm, 1.0, prescribed=[pliant.Prescribed("table", signal)]).run()

    built_in = moved("0.3 * sin(4 * t)")
    close(moved(lambda t: 0.3 * math.sin(4 * t)), built_in, 1e-6)

    def with_rates(t: float) -> tuple[float, float, float]:
        return (0.3 * math.sin(4 * t), 1.2 * math.cos(4 * t), -4.8 * math.sin(4 * t))

    close(moved(with_rates), built_in, 1e-9)


def test_a_function_is_a_trajectory() -> None:
    law = pliant.ComputedTorque(100.0, 20.0)

    def followed(signals: Any) -> pliant.Result:
        scenario = follower(law)
        scenario.plan = pliant.SignalPlan(signals)
        return scenario.run()

    built_in = followed(["0.4 * (1 - cos(t))"])
    close(followed(lambda t: [0.4 * (1 - math.cos(t))]), built_in, 1e-7)

    def with_rates(t: float) -> tuple[list[float], list[float], list[float]]:
        return ([0.4 * (1 - math.cos(t))], [0.4 * math.sin(t)], [0.4 * math.cos(t)])

    close(followed(with_rates), built_in, 1e-10)
    with pytest.raises(pliant.ScenarioError, match="bob"):
        followed(lambda t: [0.0, 0.0])
    with pytest.raises(pliant.ArgumentError, match="shape"):
        followed(lambda t: np.zeros((2, 2)))


def test_a_function_of_the_state_is_an_event() -> None:
    def there(t: float, q: np.ndarray, u: np.ndarray) -> float:
        assert q.shape == (1,) and u.shape == (1,)
        return float(q[0] - 0.7)

    own = pendulum(2.0, events=[pliant.Event(there, action="stop")]).run()
    built_in = pendulum(2.0, events=[pliant.Event("bob - 0.7", action="stop")]).run()
    assert own.status == "stopped"
    assert own.events[0].name == "there"
    assert own.events[0].time == built_in.events[0].time


class Learning:
    """``τ = k e − d u + w`` with a weight that is learnt."""

    telemetry = {"weight": "N m"}

    def __init__(self) -> None:
        self.weight = 0.0
        self.calls = 0

    def start(self) -> None:
        self.weight = 0.0

    def __call__(self, now: pliant.ControlContext) -> tuple[np.ndarray, dict[str, float]]:
        self.calls += 1
        error = now.reference - now.q
        self.weight += 0.2 * float(error[0])
        return 150 * error - 25 * now.u + self.weight, {"weight": self.weight}


def test_complex_forces_are_refused() -> None:
    with pytest.raises(pliant.RunError, match=r"must be numbers of shape \(1,\), for bob, not ndarray"):
        follower(lambda tick: np.array([1.0 + 2.0j])).run()


def test_a_law_has_its_rate_and_its_telemetry() -> None:
    law = Learning()
    result = follower(law, 0.5, period=2e-3).run()
    assert law.calls == 251
    assert "servo.weight" in result and result.units["servo.weight"] == "N m"
    assert result["servo.weight"][-1] == pytest.approx(law.weight, rel=0.2)


def test_computed_torque_in_python_gives_the_forces_of_ours() -> None:
    arm = pliant.Arm.parse(TWO_LINK)
    stiffness, damping = 100.0, 20.0

    def law(now: pliant.ControlContext) -> np.ndarray:
        error, rate = now.reference - now.q, now.reference_rate - now.u
        wanted = now.reference_acceleration + damping * rate + stiffness * error
        forces: np.ndarray = arm.inverse_dynamics(now.model_q, now.model_u, wanted)
        return forces

    def scenario(law: Any) -> pliant.Scenario:
        return pliant.Scenario(
            arm,
            1.0,
            plan=pliant.JointsPlan([[0.0, 0.3], [0.8, -0.4]], [0.7]),
            controllers=[pliant.Controller("servo", law, period=1e-3, full_state=True)],
            initial={"upper": 0.02, "fore": 0.3},
            record=pliant.Record(0.01, ["coordinates", "outputs"]),
        )

    own = scenario(law).run()
    built_in = scenario(pliant.ComputedTorque(stiffness, damping)).run()
    for joint in ("upper", "fore"):
        forces = built_in[f"servo.{joint}.force"]
        size = np.abs(forces).max()
        np.testing.assert_allclose(own[f"servo.{joint}.force"], forces, rtol=0, atol=1e-12 * size)


class Differences:
    """Takes encoders for what is, and their change for the rate."""

    def __init__(self) -> None:
        self.last: np.ndarray | None = None

    def start(self) -> None:
        self.last = None

    def __call__(self, now: pliant.EstimatorContext) -> tuple[np.ndarray, np.ndarray]:
        rate = now.reference_rate if self.last is None else (now.measured - self.last) / now.since
        self.last = now.measured
        return now.measured, rate


def test_an_estimator_in_python() -> None:
    def estimated(estimator: Any) -> pliant.Result:
        scenario = follower(
            pliant.GravityPd(60.0, 9.0), full_state=False, sensors=["shaft"], estimator=estimator
        )
        scenario.sensors = [pliant.Encoder("shaft", "bob", 1e-3, resolution=1e-4)]
        return scenario.run()

    close(estimated(Differences()), estimated(None), 0.0)
    with pytest.raises(pliant.RunError, match=r"must return \(q, u\), not int 3"):
        estimated(lambda now: 3)
    with pytest.raises(pliant.RunError, match=r"shape \(1,\), for bob, not of shape \(2,\)"):
        estimated(lambda now: (np.zeros(2), np.zeros(1)))


class Broken(Exception):
    """Of a test."""


def broken_law(now: pliant.ControlContext) -> np.ndarray:
    if now.t > 0.3:
        raise Broken("the gripper is stuck")
    return np.zeros(1)


def broken_function(t: float) -> float:
    if t > 0.3:
        raise Broken("the gripper is stuck")
    return 0.0


BREAKING = {
    "law": lambda: follower(broken_law),
    "input": lambda: pendulum(inputs=[pliant.Input(broken_function, motor="bob")]),
    "event": lambda: pendulum(events=[pliant.Event(lambda t, q, u: broken_function(t) + 1)]),
    "estimator": lambda: follower(
        pliant.GravityPd(60.0, 9.0),
        full_state=False,
        estimator=lambda now: (np.full(1, broken_function(now.t)), np.zeros(1)),
        sensors=[],
    ),
}


@pytest.mark.parametrize("what", BREAKING)
def test_an_exception_ends_the_run_with_its_traceback_and_keeps_the_rows(
    what: str, tmp_path: Path
) -> None:
    scenario = BREAKING[what]()
    for folder in (None, tmp_path / "run"):
        with pytest.raises(pliant.RunError, match="the gripper is stuck") as raised:
            scenario.run(folder)
        cause = raised.value.__cause__
        assert isinstance(cause, Broken)
        frames = [frame.name for frame in traceback.extract_tb(cause.__traceback__)]
        assert frames[-1] in ("broken_law", "broken_function")
        result = raised.value.result
        assert result.status == "failed"
        assert 0.2 < result.time[-1] <= 0.31 and np.isfinite(result.values).all()
    assert pliant.load_result(tmp_path / "run").status == "failed"


@pytest.mark.parametrize(
    ("returned", "words"),
    [
        (np.zeros(2), r"shape \(1,\), for bob, not of shape \(2,\)"),
        (np.zeros((1, 1)), r"not of shape \(1, 1\)"),
        (np.array([math.nan]), "finite, and that of bob is NaN"),
        (None, "not NoneType None"),
        ("much", "not str 'much'"),
    ],
    ids=["length", "matrix", "nan", "none", "text"],
)
def test_what_a_law_returns_is_checked(returned: Any, words: str) -> None:
    with pytest.raises(pliant.RunError, match=words):
        follower(lambda now: returned).run()


def test_single_numbers_and_lists_will_do() -> None:
    for returned in (0.0, [0.0], np.zeros(1, dtype=np.float32), (0,)):
        assert follower(lambda now, returned=returned: returned, 0.01).run().status == "completed"


def test_missing_telemetry_is_named() -> None:
    law = follower(lambda now: np.zeros(1), telemetry={"power": "W"})
    with pytest.raises(pliant.RunError, match='telemetry "power"'):
        law.run()


def test_a_function_that_is_wrong_at_the_start_raises_at_once() -> None:
    def wrong(t: float) -> float:
        raise Broken("never")

    with pytest.raises(Broken):
        pendulum(inputs=[pliant.Input(wrong, motor="bob")]).run()
    with pytest.raises(pliant.ArgumentError, match="returns an array of shape"):
        pendulum(inputs=[pliant.Input(lambda t: np.zeros(2), motor="bob")]).run()


def stopping_after(count: int) -> Any:
    """Presses Ctrl-C at the so-manieth look."""
    looks = iter(range(1000))

    def watch(now: float, end: float, steps: int) -> None:
        if next(looks) == count:
            raise KeyboardInterrupt

    return watch


class Slow(Learning):
    """The same, and long enough to be interrupted."""

    def __call__(self, now: pliant.ControlContext) -> tuple[np.ndarray, dict[str, float]]:
        for _ in range(100):
            math.sqrt(now.t)
        return super().__call__(now)


def test_an_object_is_pickled_for_resuming(tmp_path: Path) -> None:
    with pytest.raises(pliant.RunInterrupted) as raised:
        follower(Slow(), 20.0).run(
            tmp_path / "parts", progress=stopping_after(1), report=False
        )
    assert 0 < raised.value.result.end_time < 20.0
    law = Slow()
    taken_up = follower(law, 20.0).run(tmp_path / "parts", resume=True, report=False)
    whole = follower(Slow(), 20.0).run(tmp_path / "whole", report=False)
    np.testing.assert_array_equal(taken_up.values, whole.values)
    files = [(tmp_path / name / "result.parquet").read_bytes() for name in ("parts", "whole")]
    assert files[0] == files[1]
    # the text says what it leaves out, and the command would not go on without it
    text = (tmp_path / "whole" / "scenario.toml").read_text()
    assert text.startswith("# A part of what a program ran") and "servo" in text
    assert "left out" in whole.summary["more"]


def test_what_cannot_be_pickled_cannot_be_continued_and_says_so(tmp_path: Path) -> None:
    gain = [40.0]
    closure = lambda now: gain[0] * (now.reference - now.q) - 6 * now.u  # noqa: E731
    scenario = follower(closure, 1e4)
    with pytest.raises(pliant.RunInterrupted) as raised:
        scenario.run(tmp_path / "run", progress=stopping_after(3), report=False)
    assert "servo" in raised.value.result.summary["more"]["cannot be continued"]
    assert not (tmp_path / "run" / "checkpoint.bin").exists()
    with pytest.raises(pliant.ResultError, match="checkpoint is not there"):
        scenario.run(tmp_path / "run", resume=True)


def test_a_function_may_act_at_every_instant() -> None:
    def law(now: pliant.ControlContext) -> np.ndarray:
        assert now.since is None
        return 60 * (now.reference - now.q) - 9 * now.u

    own = follower(law, period=None).run()
    built_in = follower(pliant.Pid(60.0, 9.0, feedforward=False), period=None)
    assert own.status == "completed"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # the built-in law damps the error of the rate; both end alike
        assert abs(own["bob"][-1] - built_in.run()["bob"][-1]) < 0.05
    with pytest.raises(pliant.ScenarioError, match="clock"):
        follower(Learning(), period=None).run()


class Unready(Learning):
    """Fails before the first tick."""

    def start(self) -> None:
        raise Broken("no power")


def test_what_start_raises_ends_the_run() -> None:
    with pytest.raises(pliant.RunError, match="no power") as raised:
        follower(Unready()).run()
    assert isinstance(raised.value.__cause__, Broken)


class Pressed(Slow):
    """Ctrl-C comes in the middle of a tick."""

    def __call__(self, now: pliant.ControlContext) -> tuple[np.ndarray, dict[str, float]]:
        if 0.5 <= now.t < 0.5005:
            signal.raise_signal(signal.SIGINT)
        return super().__call__(now)


def test_ctrl_c_inside_a_law_ends_the_run_after_the_tick(tmp_path: Path) -> None:
    with pytest.raises(pliant.RunInterrupted) as raised:
        follower(Pressed(), 200.0).run(tmp_path / "run", report=False)
    assert raised.value.result.status == "interrupted"
    assert raised.value.result.end_time >= 0.5
    assert (tmp_path / "run" / "checkpoint.bin").is_file()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
