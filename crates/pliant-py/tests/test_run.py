"""Runs: the same bytes as the command, progress, Ctrl-C, what becomes of what goes wrong."""

import io
import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scenarios import PENDULUM, ROOT, SCENARIOS, pendulum

import pliant
from pliant.progress import ProgressLine

COMMAND = Path(os.environ.get("PLIANT_COMMAND", ROOT / "target" / "release" / "pliant"))

SHORT = {
    "akmehmet-line": "0.2 s",
    "boom-lift": "0.2 s",
    "elastic-reach": "0.2 s",
    "gauged-bar": "0.1 s",
    "king-decoupling": "0.1 s",
    "king-pseudolink": "0.1 s",
    "king-swing": "0.1 s",
    "shaped-turn": "0.1 s",
    "six-slender": "0.02 s",
    "sliding-beam": "0.02 s",
    "theodore-rrp": "0.02 s",
}


def quietly(scenario: pliant.Scenario, *given: Any, **more: Any) -> pliant.Result:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pliant.PliantWarning)
        return scenario.run(*given, **more)


@pytest.mark.skipif(not COMMAND.is_file(), reason="the command pliant is not built")
@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_a_file_gives_the_bytes_of_the_command(path: Path, tmp_path: Path) -> None:
    duration = SHORT.get(path.stem, "0.05 s")
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    scenario = pliant.Scenario.load(path, set={"duration": duration})
    result = quietly(scenario, ours)
    told = subprocess.run(
        [COMMAND, "run", path, "-o", theirs, "--set", f"duration={duration}"],
        capture_output=True,
        check=False,
    )
    assert told.returncode == 0, told.stderr.decode()
    assert sorted(os.listdir(ours)) == sorted(os.listdir(theirs))
    for name in ("result.parquet", "scenario.toml"):
        assert (ours / name).read_bytes() == (theirs / name).read_bytes(), name
    # in memory it is the same run
    memory = quietly(scenario)
    np.testing.assert_array_equal(memory.values, result.values)
    memory.save(tmp_path / "saved")
    assert (tmp_path / "saved" / "result.parquet").read_bytes() == (
        ours / "result.parquet"
    ).read_bytes()


@pytest.mark.skipif(not COMMAND.is_file(), reason="the command pliant is not built")
def test_a_scenario_made_in_python_gives_the_bytes_of_its_file(tmp_path: Path) -> None:
    scenario = pendulum(
        0.5,
        inputs=[pliant.Input(pliant.Sine(2.0, 1.0), motor="bob")],
        events=[pliant.Event("bob - 0.3")],
    )
    scenario.run(tmp_path / "ours")
    scenario.save(tmp_path / "pendulum.toml")
    subprocess.run(
        [COMMAND, "run", tmp_path / "pendulum.toml", "-o", tmp_path / "theirs"],
        capture_output=True,
        check=True,
    )
    for name in ("result.parquet", "scenario.toml"):
        ours, theirs = ((tmp_path / folder / name).read_bytes() for folder in ("ours", "theirs"))
        assert ours == theirs, name
    # one that was changed after it was read is the changed one
    again = pliant.Scenario.load(tmp_path / "pendulum.toml")
    again.duration = 0.25
    assert again.run().end_time == 0.25


def test_a_folder_is_not_overwritten_unasked(tmp_path: Path) -> None:
    scenario = pendulum(0.02)
    result = scenario.run(tmp_path / "run", report=False)
    assert result.folder == tmp_path / "run"
    assert sorted(os.listdir(tmp_path / "run")) == [
        "result.parquet",
        "scenario.toml",
        "summary.json",
    ]
    with pytest.raises(pliant.ResultError, match="not empty"):
        scenario.run(tmp_path / "run")
    scenario.run(tmp_path / "run", force=True)
    assert (tmp_path / "run" / "report.html").is_file()


def test_warnings_are_python_warnings_and_strict_refuses_them() -> None:
    scenario = pendulum(
        0.1, initial={"bob": 1.0}, plan=pliant.JointsPlan([[0.0], [0.1]], [0.05])
    )
    with pytest.warns(pliant.PliantWarning, match="follow"):
        result = scenario.run()
    assert result.warnings
    with pytest.raises(pliant.RunError, match="strict allows none") as raised:
        scenario.run(strict=True)
    assert len(raised.value.result) == len(result)


def test_warnings_are_of_the_line_that_ran(tmp_path: Path) -> None:
    late = pendulum(
        0.1, initial={"bob": 1.0}, plan=pliant.JointsPlan([[0.0], [0.1]], [0.05])
    )
    late.save(tmp_path / "late.toml")
    with pytest.warns(pliant.PliantWarning) as told:
        late.run()
    with pytest.warns(pliant.PliantWarning) as of_file:
        pliant.run(tmp_path / "late.toml")
    assert {one.filename for one in [*told, *of_file]} == {__file__}


def test_remedies_are_those_of_who_wrote_the_scenario(tmp_path: Path) -> None:
    joint = pliant.PdJoint("bob", 0.0, 1500.0, 0.0)
    servo = pliant.PdController("servo", [joint], period=1e-3, full_state=True)
    wild = pendulum(0.5, controllers=[servo])
    for folder in (None, tmp_path / "run"):
        with pytest.raises(pliant.RunError, match="ticks of at most 0.00066 s") as told:
            wild.run(folder)
        assert "armature =" not in str(told.value)
        # that of files has their keys
        result = told.value.result
        assert 'period = "0.00066 s"' in result.summary["ended"]["why"]
        assert pickle.loads(pickle.dumps(result)).why == result.why == str(told.value)
    wild.save(tmp_path / "wild.toml")
    with pytest.raises(pliant.RunError, match='period = "0.00066 s"'):
        pliant.run(tmp_path / "wild.toml")
    with pytest.raises(pliant.ResultError, match="give force=True"):
        wild.run(tmp_path / "run")


def test_a_run_that_fails_raises_and_keeps_its_rows(tmp_path: Path) -> None:
    scenario = pendulum(5.0, inputs=[pliant.Input("1e6 * exp(20 * t)", motor="bob")])
    with pytest.raises(pliant.RunError) as raised:
        scenario.run(tmp_path / "run")
    result = raised.value.result
    assert result.status == "failed" and 0 < len(result) < 501
    assert (tmp_path / "run" / "result.parquet").is_file()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pliant.PliantWarning)
        assert scenario.run(check=False).status == "failed"


def test_progress_is_told_and_may_stop_a_run() -> None:
    seen: list[tuple[float, float, int]] = []

    def watch(now: float, end: float, steps: int) -> None:
        seen.append((now, end, steps))
        if len(seen) == 3:
            raise RuntimeError("enough")

    scenario = pendulum(1e5, method="rk4", step=1e-3, record=pliant.Record(10.0))
    with pytest.raises(RuntimeError, match="enough"):
        scenario.run(progress=watch)
    times = [now for now, _, _ in seen]
    assert times == sorted(times) and all(end == 1e5 for _, end, _ in seen)


def test_the_progress_line_is_one_line_after_two_seconds() -> None:
    stream = io.StringIO()
    line = ProgressLine(stream)
    line(0.1, 1.0, 10)
    assert stream.getvalue() == ""
    line.start -= 10.0
    line(0.25, 1.0, 20)
    told = stream.getvalue()
    assert told.startswith("\r 25% |") and "20 steps, 00:30 left" in told and "\n" not in told
    line.close()
    assert stream.getvalue().endswith("\r")


def test_ctrl_c_stops_a_run_and_keeps_its_rows(tmp_path: Path) -> None:
    scenario = pendulum(1e6, method="rk4", step=1e-3, record=pliant.Record(1.0))

    def press() -> None:
        time.sleep(0.6)
        signal.raise_signal(signal.SIGINT)

    threading.Thread(target=press).start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt) as raised:
        scenario.run(tmp_path / "run", report=False)
    assert time.monotonic() - begin < 5.0
    assert isinstance(raised.value, pliant.RunInterrupted)
    result = raised.value.result
    assert result.status == "interrupted" and len(result) > 1
    assert "checkpoint.bin" in os.listdir(tmp_path / "run")
    assert pliant.load_result(tmp_path / "run").status == "interrupted"


def test_a_run_is_taken_up_with_the_same_bytes(tmp_path: Path) -> None:
    scenario = pendulum(40.0, method="rk4", step=1e-4, record=pliant.Record(0.5))
    stops = iter([False, False, True])

    def watch(now: float, end: float, steps: int) -> None:
        if next(stops, False):
            raise KeyboardInterrupt

    with pytest.raises(pliant.RunInterrupted):
        scenario.run(tmp_path / "parts", progress=watch, report=False)
    taken_up = scenario.run(tmp_path / "parts", resume=True, report=False)
    whole = scenario.run(tmp_path / "whole", report=False)
    np.testing.assert_array_equal(taken_up.values, whole.values)
    bytes_of = [(tmp_path / f / "result.parquet").read_bytes() for f in ("parts", "whole")]
    assert bytes_of[0] == bytes_of[1]
    with pytest.raises(pliant.ResultError, match="another"):
        pendulum(41.0).run(tmp_path / "whole", resume=True)


def test_threads_run_side_by_side() -> None:
    scenario = pendulum(0.5)
    wanted = scenario.run().values
    found: list[Any] = []
    threads = [
        threading.Thread(target=lambda: found.append(scenario.run().values)) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    for values in found:
        np.testing.assert_array_equal(values, wanted)


def test_a_killed_run_can_be_opened(tmp_path: Path) -> None:
    program = f"""
import pliant
arm = pliant.Arm.parse({PENDULUM!r})
scenario = pliant.Scenario(arm, 1e6, method="rk4", step=1e-3, record=pliant.Record(1.0))
scenario.run({str(tmp_path / "run")!r})
"""
    process = subprocess.Popen([sys.executable, "-c", program])
    deadline = time.monotonic() + 30.0
    while time.monotonic() < deadline:
        if (tmp_path / "run" / "checkpoint.bin").is_file():
            break
        time.sleep(0.05)
    process.kill()
    process.wait()
    result = pliant.load_result(tmp_path / "run")
    assert len(result) > 0 and result.status == "unknown"
    shutil.rmtree(tmp_path / "run")


def test_the_summary_is_that_of_the_folder(tmp_path: Path) -> None:
    result = pendulum(0.1).run(tmp_path / "run")
    told = json.loads((tmp_path / "run" / "summary.json").read_text())
    del told["checksum"]
    assert result.summary == told
