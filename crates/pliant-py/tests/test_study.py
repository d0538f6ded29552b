"""Studies: the tables of the command, rows that are single runs, journals, messages."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scenarios import PENDULUM, ROOT, follower, pendulum
from studies import COMMAND, swept, swings

import pliant

FILE = """
scenario = "pendulum.toml"
set = ["tolerance=1e-7"]
figures = ["bob.max", "energy_drift"]

[[parameter]]
name = "mass"
path = "arm.link.bob.body.mass"
from = "1 kg"
to = "3 kg"
count = 4
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    arm = PENDULUM.replace("[[link]]", "[[arm.link]]").replace("name = \"pendulum\"\n", "")
    (tmp_path / "pendulum.toml").write_text(f"duration = 0.5\ninitial = {{ bob = 0.3 }}\n[arm]\n{arm}")
    (tmp_path / "masses.toml").write_text(FILE)
    return tmp_path / "masses.toml"


@pytest.mark.skipif(not COMMAND.is_file(), reason="the command pliant is not built")
def test_a_file_gives_the_bytes_of_the_command(file: Path, tmp_path: Path) -> None:
    study = pliant.Study.load(file, set={"scenario.duration": "0.25 s"})
    result = study.run(tmp_path / "ours")
    assert (study.name, study.count, len(result)) == ("masses", 4, 4)
    assert result.parquet == swept(study, tmp_path / "theirs")
    theirs = tmp_path / "theirs" / "swept"
    assert (tmp_path / "ours" / "study.toml").read_bytes() == (theirs / "study.toml").read_bytes()
    told = json.loads((theirs / "summary.json").read_text())
    assert result.summary | {"run_seconds": 0.0} == told | {"run_seconds": 0.0}
    assert result["bob.max"].shape == (4,)


def test_a_study_is_the_same_everywhere(file: Path) -> None:
    study = pliant.Study.load(file)
    assert pliant.Study.parse(FILE, file.parent) == study
    assert pliant.Study.parse(study.text) == study
    again = pickle.loads(pickle.dumps(study))
    assert (again, again.name, hash(again)) == (study, "masses", hash(study))
    assert study.dry() != study and study.dry().identity == f"dry-{study.identity}"
    assert pickle.loads(pickle.dumps(study.dry())) == study.dry()
    assert repr(study) == "<pliant.Study: masses, 4 runs over mass>"


def test_a_scenario_of_python_becomes_a_study() -> None:
    study = swings(3)
    assert study.parameters == [
        pliant.StudyParameter("mass", "kg", ("arm.link.bob.mass",), ()),
        pliant.StudyParameter("start", "rad", ("initial.bob",), ()),
    ]
    assert [one.name for one in study.figures] == ["energy_drift", "end", "bob.max"]
    assert [study.values(k)["mass"] for k in range(6)] == [1.0, 1.0, 2.0, 2.0, 3.0, 3.0]
    assert study.values(5)["start"] == pytest.approx(np.deg2rad(20.0), rel=1e-15)
    assert study.warnings == []
    drawn = pliant.Study(
        pendulum(),
        [
            pliant.Parameter(["arm.link.bob.mass"], mean=2.0, deviation="100 g", name="x"),
            pliant.Parameter("method", ["dop853", "dopri5"]),
        ],
        design="random",
        runs=50,
        seed=3,
        set={"method": "dop853"},
        constraints=["x > 1.9"],
    )
    assert drawn.count == 50 and drawn.parameters[1].choices == ("dop853", "dopri5")
    values = [drawn.values(k) for k in range(50)]
    assert {one["method"] for one in values} == {"dop853", "dopri5"}
    assert 0.05 < np.std([float(one["x"]) for one in values]) < 0.2
    assert "expression = \"x > 1.9\"" in drawn.text


def test_python_functions_are_refused_by_name() -> None:
    scenario = pendulum(inputs=[pliant.Input(lambda t: 0.0, motor="bob")])
    with pytest.raises(pliant.ScenarioError, match="function|lambda"):
        pliant.Study(scenario, [pliant.Parameter("duration", [1.0])])


def test_a_row_is_a_run_alone() -> None:
    study = swings(3)
    result = study.run()
    for k in (0, 3, 5):
        one = study.run_one(k)
        assert one["bob"][0] == study.values(k)["start"] == result["start"][k]
        assert one["bob"].max() == result["bob.max"][k]
        assert one.summary["energy_drift"]["absolute"] == result["energy_drift"][k]
    assert study.scenario(4).arm.total_mass == result.row(4)["mass"] == 3.0
    assert "<html" in study.run_one(4).page()
    for wrong in (study.values, study.scenario, result.row):
        with pytest.raises(pliant.ArgumentError, match="give a number from 0 to 5"):
            wrong(6)


def test_a_table_is_arrays_and_frames() -> None:
    result = swings(3).run()
    assert result.folder is None and result.study == swings(3)
    assert result.names == ["index", "mass", "start", *result.names[3:6], "status", "reason", "detail"]
    assert [column.role for column in result.columns][:4] == ["index", "parameter", "parameter", "figure"]
    assert result.units["mass"] == "kg" and result.units["status"] == ""
    table = result.table()
    assert list(table) == list(result) == result.names
    np.testing.assert_array_equal(table["index"], np.arange(6))
    np.testing.assert_array_equal(table["end"], 1.0)
    assert table["status"].tolist() == ["completed"] * 6 and result.statuses == {"completed": 6}
    with pytest.raises(ValueError, match="read-only"):
        table["mass"][0] = 0.0
    with pytest.raises(KeyError, match="did you mean mass"):
        result["maas"]
    assert result.row(1) == {name: cells[1] for name, cells in table.items()}
    assert pickle.loads(pickle.dumps(result)).parquet == result.parquet
    assert repr(result) == "<pliant.StudyResult: 6 completed, 9 columns>"


def test_runs_without_a_figure_are_counted() -> None:
    assert swings(3).run().missing == {}
    # its plan takes 0.6 s
    scenario = follower(pliant.GravityPd(60.0, 8.0), 2.0)
    duration = pliant.Parameter("duration", [0.5, 2.0, 3.0])
    result = pliant.Study(scenario, duration, figures=["bob.settling_time", "bob.max"]).run()
    assert np.isnan(result["bob.settling_time"]).tolist() == [True, False, False]
    assert result.missing == {"bob.settling_time": 1}
    shown = "<pliant.StudyResult: 3 completed, 1 without bob.settling_time, "
    assert repr(result).startswith(shown)


def test_frames_of_others_have_the_numbers() -> None:
    for name in ("pandas", "polars", "pyarrow"):
        pytest.importorskip(name)
    result = swings(3).run()
    frame = result.to_pandas()
    assert frame.index.name == "index" and frame.attrs["units"]["mass"] == "kg"
    for one in (frame, result.to_polars(), result.to_pyarrow()):
        np.testing.assert_array_equal(np.asarray(one["bob.max"]), result["bob.max"])
        assert list(np.asarray(one["status"])) == ["completed"] * 6
    metadata = result.to_pyarrow().schema.metadata
    assert metadata[b"pliant.study"].decode() == result.study.identity


def test_sobol_indices_are_by_figure_and_parameter() -> None:
    """A run ends after its duration, whatever its mass is."""
    study = pliant.Study(
        pendulum(1.0, method="rk4", step=1e-2),
        [
            pliant.Parameter("duration", low=0.1, high=0.3),
            pliant.Parameter("arm.link.bob.mass", low=1.0, high=2.0, name="mass"),
        ],
        design="sensitivity",
        runs=64,
        figures=["end"],
    )
    result = study.run()
    assert len(result) == 64 * 4
    sobol = result.sobol["end"]
    # the estimates of 64 draws of a function that is linear in one parameter
    assert sobol["duration"].total == pytest.approx(1.0, abs=0.1)
    assert sobol["duration"].first == pytest.approx(1.0, abs=0.1)
    assert sobol["mass"].total == pytest.approx(0.0, abs=1e-12)
    low, high = sobol["duration"].total_range
    assert low <= sobol["duration"].total <= high
    assert swings(2).run().sobol == {}


def test_series_come_with_the_rows(tmp_path: Path) -> None:
    mass = pliant.Parameter("arm.link.bob.mass", [1.0, -1.0, 2.0], name="mass")
    study = pliant.Study(pendulum(0.5), [mass], figures=["bob.max"], series=["bob", "bob.rate"])
    assert study.series == {"bob": "rad", "bob.rate": "rad/s"}
    result = study.run(tmp_path / "study")
    one, own = study.run_one(2), result.series(2)
    assert list(own) == ["time", "bob", "bob.rate"]
    for name in ("bob", "bob.rate"):
        np.testing.assert_array_equal(own[name], one[name])
    np.testing.assert_array_equal(own["time"], one.time)
    assert own["bob"].max() == result["bob.max"][2]
    assert result.series(1)["time"].size == 0, "there is no such arm"
    with pytest.raises(pliant.ArgumentError, match="name a folder"):
        study.run()
    with pytest.raises(pliant.ResultError, match="keeps no series"):
        swings(2).run(tmp_path / "none").series(0)
    with ThreadPoolExecutor(2) as pool:
        study.run(tmp_path / "pool", executor=pool)
    series = [(tmp_path / name / "series.parquet").read_bytes() for name in ("study", "pool")]
    assert series[0] == series[1]


def test_a_run_in_the_shapes_of_another_arm_cannot_be_alone() -> None:
    scenario = pliant.Scenario.load(ROOT / "scenarios" / "gauged-bar.toml")
    scenario.duration = 0.02
    payload = pliant.Parameter("arm.link.bar.payload.mass", [0.1, 0.2], name="payload")
    figures, shapes = ["bar.peak_deflection"], "arm.link.bar.bends.shapes"
    # modes of a free tip are the same whatever it carries
    free = pliant.Study(scenario, payload, shapes="nominal", figures=figures)
    own = free.run_one(0).summary["figures"]
    told = {f"{one['subject']}.{one['name']}": one["value"] for one in own}
    assert told[figures[0]] == free.run()[figures[0]][0]
    # those of the default are not
    study = pliant.Study(scenario, payload, shapes="nominal", figures=figures, set={shapes: "loaded"})
    with pytest.raises(pliant.ScenarioError, match="run 0 bends in the shapes of the study's arm"):
        study.run_one(0)
    assert study.run_one(1).summary["figures"], "the payload of the file"


def test_a_run_that_is_not_there_is_a_row_with_its_reason() -> None:
    study = pliant.Study(
        pendulum(0.1),
        [pliant.Parameter("arm.link.bob.mass", [1.0, -1.0, 2.0], name="mass")],
        constraints=["mass < 1.5"],
        figures=["end"],
    )
    result = study.run()
    assert result["status"].tolist() == ["completed", "refused", "excluded"]
    assert np.isnan(result["end"][1:]).all() and result["detail"][2] == "mass < 1.5"
    with pytest.raises(pliant.FileError, match="mass"):
        study.run_one(1)


def test_ctrl_c_keeps_what_is_done(tmp_path: Path) -> None:
    study = swings(20, step=2e-5)
    whole = study.run()

    def press(done: int, every: int) -> None:
        assert every == 40
        if done > 0:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(pliant.StudyInterrupted, match="resume=True") as raised:
        study.run(tmp_path / "study", threads=1, progress=press)
    assert raised.value.folder == tmp_path / "study"
    assert list((tmp_path / "study").glob("chunk-*"))
    assert not (tmp_path / "study" / "table.parquet").exists()
    first: list[int] = []
    result = study.run(
        tmp_path / "study", resume=True, progress=lambda done, _: first.append(done)
    )
    assert first[0] > 0, "what was done is not done again"
    assert result.parquet == whole.parquet
    # that of a folder that nobody named is kept too
    with pytest.raises(pliant.StudyInterrupted) as raised:
        study.run(threads=1, progress=press)
    assert study.run(raised.value.folder, resume=True).parquet == whole.parquet
    for one in raised.value.folder.iterdir():
        one.unlink()
    raised.value.folder.rmdir()


def test_a_killed_study_goes_on(tmp_path: Path) -> None:
    study, folder = swings(60, step=2e-4), tmp_path / "study"
    (tmp_path / "swings.toml").write_text(study.text, encoding="utf-8")
    code = "import pliant, sys; pliant.Study.load(sys.argv[1]).run(sys.argv[2], threads=1)"
    with subprocess.Popen([sys.executable, "-c", code, tmp_path / "swings.toml", folder]) as process:
        while not list(folder.glob("chunk-*.parquet")):
            assert process.poll() is None
            time.sleep(0.01)
        process.kill()
    assert not (folder / "table.parquet").exists()
    first: list[int] = []
    result = study.run(folder, resume=True, progress=lambda done, _: first.append(done))
    assert 0 < first[0] < 120 and result.statuses == {"completed": 120}
    # another order, in other chunks, by another process
    with ThreadPoolExecutor(1) as pool:
        assert result.parquet == study.run(executor=pool).parquet


def test_an_exception_of_the_progress_ends_a_study(tmp_path: Path) -> None:
    def fail(done: int, every: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        swings(20, step=1e-4).run(tmp_path / "study", progress=fail)
    # and its folder is free
    swings(10).run(tmp_path / "study", force=True)


def test_folders_are_not_overwritten_unasked(tmp_path: Path) -> None:
    study, folder = swings(2), tmp_path / "study"
    result = study.run(folder)
    assert result.folder == folder
    assert sorted(os.listdir(folder)) == ["study.toml", "summary.json", "table.parquet"]
    with pytest.raises(pliant.ResultError, match=r"not empty.*resume=True.*force=True"):
        study.run(folder)
    assert study.run(folder, force=True).parquet == study.run(folder, resume=True).parquet
    with pytest.raises(pliant.ResultError, match="of another study"):
        swings(3).run(folder, resume=True)
    with pytest.raises(pliant.ResultError, match="holds no study"):
        study.run(tmp_path / "none", resume=True)
    with pytest.raises(pliant.ArgumentError, match="resume=True is of a folder"):
        study.run(resume=True)
    again = pliant.StudyResult.load(folder)
    assert again.parquet == result.parquet and again.study == study
    assert again.summary == json.loads((folder / "summary.json").read_text())
    with pytest.raises(pliant.ResultError, match="no summary of a study"):
        pliant.StudyResult.load(tmp_path)
    table = folder / "table.parquet"
    table.write_bytes(table.read_bytes().replace(b"completed", b"completes", 1))
    with pytest.raises(pliant.ResultError, match="checksum"):
        pliant.StudyResult.load(folder)


@pytest.mark.parametrize(
    ("parameter", "design", "message"),
    [
        (pliant.Parameter("arm.link.bob.mas", [1.0]), {}, "did you mean arm.link.bob.mass"),
        (
            pliant.Parameter("duration", low=2.0, high=2.0),
            {"design": "random", "runs": 3},
            "the range from 2 s to 2 s is empty",
        ),
        (pliant.Parameter("arm.link.bob.joint.kind", low=1, high=2, count=2), {}, "not a number"),
        (pliant.Parameter("duration", [1.0]), {"figures": ["bob.maks"]}, "no run has the figure"),
        (pliant.Parameter("duration", [1.0]), {"design": "sobol"}, "has no number of runs"),
        (pliant.Parameter("duration", [1.0]), {"constraints": ["mass < 1"]}, "mass"),
        (pliant.Parameter("duration", ["1 kg"]), {}, "kg"),
        (pliant.Parameter("duration"), {}, "has not values"),
    ],
)
def test_bad_studies_are_told(
    parameter: pliant.Parameter, design: dict[str, Any], message: str
) -> None:
    with pytest.raises(pliant.FileError, match=message) as raised:
        pliant.Study(pendulum(), [parameter], **design)
    assert raised.value.problems[0].help


def test_what_is_no_study_is_told() -> None:
    one = pliant.Parameter("duration", [0.5, 1.0])
    assert pliant.Study(pendulum(), one) == pliant.Study(pendulum(), [one])
    for scenario, parameters in ((5, one), (pendulum(), ["duration"])):
        with pytest.raises(pliant.ArgumentError, match="pliant"):
            pliant.Study(scenario, parameters)  # type: ignore[arg-type]


def test_bad_files_are_told(tmp_path: Path) -> None:
    with pytest.raises(pliant.FileError, match="none.toml"):
        pliant.Study.load(tmp_path / "none.toml")
    (tmp_path / "study.toml").write_text('scenario = "gone.toml"\n[[parameter]]\npath = "x"\n')
    with pytest.raises(pliant.FileError, match="the scenario cannot be read"):
        pliant.Study.load(tmp_path / "study.toml")
    with pytest.raises(pliant.DtypeError, match="set is 5"):
        pliant.Study.load(tmp_path / "study.toml", set=5)  # type: ignore[arg-type]


OPTIMISATION = """
scenario = "pendulum.toml"
figures = ["bob.max", "energy_drift"]
seed = 2

[optimise]
minimise = "load"
starts = 2
evaluations = 60

[[parameter]]
name = "load"
path = "arm.link.bob.body.mass"
from = "1 kg"
to = "3 kg"

[[parameter]]
name = "start"
path = "initial.bob"
from = 0.1
to = 0.5

[[constraint]]
expression = "bob.max >= 0.35"

[[constraint]]
expression = "load * start >= 0.6"
"""


@pytest.fixture
def search(file: Path) -> Path:
    path = file.parent / "lightest.toml"
    path.write_text(OPTIMISATION, encoding="utf-8")
    return path


@pytest.mark.skipif(not COMMAND.is_file(), reason="the command pliant is not built")
def test_an_optimisation_has_the_bytes_of_the_command(search: Path, tmp_path: Path) -> None:
    study = pliant.Study.load(search)
    result = study.optimise(tmp_path / "ours", threads=2)
    theirs = tmp_path / "theirs"
    command = [str(COMMAND), "optimise", str(search), "-o", str(theirs), "--threads", "1"]
    subprocess.run(command, capture_output=True, check=True)
    for name in ("table.parquet", "study.toml"):
        assert (tmp_path / "ours" / name).read_bytes() == (theirs / name).read_bytes(), name
    told = json.loads((theirs / "summary.json").read_text())
    assert result.summary | {"run_seconds": 0.0} == told | {"run_seconds": 0.0}
    assert pliant.StudyResult.load(theirs).best == result.best


def test_an_optimisation_finds_the_lightest(search: Path) -> None:
    """Released at rest from ``start`` it swings no further: the load is 0.6 over the largest start."""
    study = pliant.Study.load(search)
    assert study.optimises and not swings(2).optimises
    result = study.optimise()
    (best,) = result.best
    assert best.parameters["load"] == pytest.approx(1.2, rel=1e-4)
    assert best.goals == {"load": best.parameters["load"]}
    assert result["load"][best.index] == best.parameters["load"]
    assert list(best.constraints) == ["bob.max >= 0.35", "load * start >= 0.6"]
    assert all(slack >= 0.0 for slack in best.constraints.values())
    again = result.scenario(best.index).run()
    assert again["bob"].max() == result["bob.max"][best.index]
    assert swings(2).run().best == []
    assert swings(2).run().scenario(1) is not None
    assert pickle.loads(pickle.dumps(result)).best == [best]
    for wrong in (study.values, study.scenario):
        with pytest.raises(pliant.ArgumentError, match="known once it has run"):
            wrong(0)


def test_an_optimisation_can_be_of_a_scenario() -> None:
    study = pliant.Study(
        pendulum(0.5),
        pliant.Parameter("arm.link.bob.mass", low=1.0, high=3.0, name="load"),
        optimise={"maximise": "load", "evaluations": 40},
        constraints=["load <= 2.5", "end > 0.1"],
        figures=["end"],
    )
    assert study.optimises and study.count == 40
    (best,) = study.optimise(threads=1).best
    assert best.goals["load"] == pytest.approx(2.5, rel=1e-4)
    assert pickle.loads(pickle.dumps(study)) == study


def test_runs_and_optimisations_are_told_apart(search: Path) -> None:
    with pytest.raises(pliant.ArgumentError, match="the study is an optimisation") as caught:
        pliant.Study.load(search).run()
    assert "call optimise" in str(caught.value)
    with pytest.raises(pliant.ArgumentError, match="the study is a sweep"):
        swings(2).optimise()
    for study, call in ((swings(2), "run"), (pliant.Study.load(search), "optimise")):
        with pytest.raises(pliant.ArgumentError, match="threads is 0"):
            getattr(study, call)(threads=0)
        with pytest.raises(pliant.ArgumentError, match="resume=True is of a folder"):
            getattr(study, call)(resume=True)


def test_an_interrupted_optimisation_goes_on(search: Path, tmp_path: Path) -> None:
    study = pliant.Study.load(search, set={"scenario.method": "rk4", "scenario.step": "20 us"})
    whole = study.optimise()

    def press(done: int, most: int) -> None:
        assert most == 60
        if done > 1:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(pliant.StudyInterrupted, match=r"optimise\(.*resume=True") as raised:
        study.optimise(tmp_path / "search", threads=1, progress=press)
    assert raised.value.folder == tmp_path / "search"
    result = study.optimise(tmp_path / "search", resume=True)
    assert result.parquet == whole.parquet


def test_series_are_opened_once_and_their_loss_is_told(tmp_path: Path) -> None:
    mass = pliant.Parameter("arm.link.bob.mass", [1.0, 2.0], name="mass")
    study = pliant.Study(pendulum(0.5), [mass], figures=["bob.max"], series=["bob"])
    result = study.run(tmp_path / "study")
    first = result.series(0)
    (tmp_path / "study" / "series.parquet").unlink()
    # the file that was opened stays open
    assert result.series(1)["bob"].max() == result["bob.max"][1]
    np.testing.assert_array_equal(result.series(0)["bob"], first["bob"])
    with pytest.warns(pliant.PliantWarning, match=r"series\.parquet is no longer in"):
        again = study.run(tmp_path / "study", resume=True)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(again)).series(0)["bob"], first["bob"])
