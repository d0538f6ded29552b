"""Results: channels as arrays, tables, plots, pages, pickling; bridges to SciPy and control."""

import pickle
import sys
import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scenarios import ROOT, TWO_LINK, pendulum

import pliant


@pytest.fixture(scope="module")
def result() -> pliant.Result:
    return pendulum(0.5, events=[pliant.Event("bob - 0.3", name="low")]).run()


def test_channels_are_views_by_name(result: pliant.Result) -> None:
    bob = result["bob"]
    assert bob.shape == result.time.shape == (51,)
    assert np.shares_memory(bob, result.values)
    assert result.units["bob"] == "rad" and result.units["bob.rate"] == "rad/s"
    assert "bob" in result and list(result)[0] == result.names[0]
    np.testing.assert_allclose(result.time, np.arange(51) * 0.01, atol=1e-12)
    with pytest.raises(KeyError, match="did you mean bob"):
        result["bobb"]
    with pytest.raises(ValueError, match="read-only"):
        bob[0] = 1.0
    assert result.select("bob*")[:2] == ["bob", "bob.rate"]


def test_what_became_of_it(result: pliant.Result) -> None:
    assert result.status == "completed" and result.end_time == 0.5
    assert [event.name for event in result.events] == ["low"]
    assert result.summary["method"] and result.summary["rows"] == 51
    assert "completed at t = 0.5 s, 51 rows" in repr(result)


def test_pages_are_framed_and_called_after_the_arm(result: pliant.Result) -> None:
    page = result.page()
    assert ">pendulum<" in page or '"pendulum"' in page
    inside = result._repr_html_()
    assert inside.startswith('<iframe srcdoc="&lt;!')
    # the buttons of a page save pictures and tables
    assert 'sandbox="allow-scripts allow-downloads"' in inside
    assert "white-space: pre;" in pendulum().arm._repr_html_()


def test_a_plot_is_shown_once_in_a_notebook(
    result: pliant.Result, monkeypatch: pytest.MonkeyPatch
) -> None:
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("Agg")
    shown: list[Any] = []
    display = SimpleNamespace(display=shown.append, Image=lambda data: data)
    figure: Any = result.plot("bob")
    notebook = SimpleNamespace(display=display, version_info=(9, 0), get_ipython=lambda: None)
    monkeypatch.setitem(sys.modules, "IPython", notebook)
    # as the value of a cell, and as a figure of pyplot when the cell ends
    figure._ipython_display_()
    figure._ipython_display_()
    assert [data[1:4] for data in shown] == [b"PNG"]
    # and again in a later cell
    plt.close(figure)
    figure._ipython_display_()
    assert len(shown) == 2
    assert pickle.loads(pickle.dumps(figure)).axes


def test_the_first_plot_of_a_notebook_leaves_pyplot_interactive(
    result: pliant.Result, monkeypatch: pytest.MonkeyPatch
) -> None:
    plt = pytest.importorskip("matplotlib.pyplot")
    subplots = plt.subplots

    def first(*given: Any, **more: Any) -> Any:
        plt.ion()
        return subplots(*given, **more)

    monkeypatch.setattr(plt, "subplots", first)
    result.plot("bob")
    assert plt.isinteractive()
    plt.ioff()
    plt.close("all")


def test_an_ode_is_pickled() -> None:
    ode = pendulum().arm.ode()
    again = pickle.loads(pickle.dumps(ode))
    np.testing.assert_array_equal(again(0.0, np.array([0.3, 0.1])), ode(0.0, np.array([0.3, 0.1])))


def test_tables(result: pliant.Result, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame = result.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and list(frame.columns) == result.names
    np.testing.assert_array_equal(frame["bob"].to_numpy(), result["bob"])
    np.testing.assert_array_equal(frame.index.to_numpy(), result.time)
    pytest.importorskip("polars")
    np.testing.assert_array_equal(result.to_polars()["bob"].to_numpy(), result["bob"])
    parquet = pytest.importorskip("pyarrow.parquet")
    result.save(tmp_path / "run")
    stored = parquet.read_table(tmp_path / "run" / "result.parquet")
    assert result.to_pyarrow().equals(stored.replace_schema_metadata(None))


def test_it_is_saved_opened_and_pickled(result: pliant.Result, tmp_path: Path) -> None:
    result.save(tmp_path / "run")
    opened = pliant.load_result(tmp_path / "run")
    for again in (opened, pickle.loads(pickle.dumps(result)), pickle.loads(pickle.dumps(opened))):
        assert again.names == result.names
        np.testing.assert_array_equal(again.values, result.values)
        assert again.summary["ended"] == result.summary["ended"]
        assert again.scenario == result.scenario
        assert again._table().keys() == result._table().keys()
    with pytest.raises(pliant.ResultError):
        pliant.load_result(tmp_path / "nothing")


def test_the_page_is_that_of_the_command(tmp_path: Path) -> None:
    scenario = pendulum(0.1)
    scenario.run(tmp_path / "run")
    page = pliant.load_result(tmp_path / "run").page()
    assert page == (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert "<iframe srcdoc=" in scenario.run()._repr_html_()


def test_plots(result: pliant.Result) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    figure = result.plot()
    assert [axis.get_ylabel() for axis in figure.axes] == ["bob [rad]"]
    figure = result.plot("bob", "bob.rate", "energy.*", title="a fall")
    assert len(figure.axes) == 3 and figure.axes[0].get_title(loc="left") == "a fall"
    assert figure.axes[0].lines[0].get_color() == "#0072b2"
    with pytest.raises(KeyError, match="nothing"):
        result.plot("nothing")


@pytest.mark.parametrize("name", ["king-two-link", None])
def test_solve_ivp_reproduces_a_run(name: str | None) -> None:
    integrate = pytest.importorskip("scipy.integrate")
    if name is None:
        arm = pliant.Arm.parse(TWO_LINK)
    else:
        arm = pliant.Arm.load(ROOT / "robots" / f"{name}.toml")
    duration = 0.3 if name is None else 0.05
    scenario = pliant.Scenario(arm, duration, tolerance=1e-12, limits="ignore")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pliant.PliantWarning)
        run = scenario.run()
    y = np.concatenate([arm.neutral(), np.zeros(arm.nv)])
    fun = arm.ode()
    solved = integrate.solve_ivp(
        fun, (0, duration), y, method="DOP853", t_eval=run.time, rtol=1e-11, atol=1e-13
    )
    for k, coordinate in enumerate(arm.coordinate_names):
        np.testing.assert_allclose(solved.y[k], run[coordinate], rtol=0, atol=1e-7)


def test_ode_with_inputs_and_what_is_wrong() -> None:
    integrate = pytest.importorskip("scipy.integrate")
    arm = pendulum().arm
    fun = arm.ode(lambda t, q, u: [3 * np.sin(2 * t)])
    run = pendulum(1.0, inputs=[pliant.Input("3 * sin(2 * t)", motor="bob")]).run()
    solved = integrate.solve_ivp(
        fun, (0, 1), [0.0, 0.0], method="DOP853", t_eval=run.time, rtol=1e-11, atol=1e-12
    )
    np.testing.assert_allclose(solved.y[0], run["bob"], rtol=0, atol=1e-7)
    with pytest.raises(pliant.ShapeError, match=r"\(3,\).*\(2,\)"):
        fun(0.0, np.zeros(3))
    with pytest.raises(pliant.ShapeError, match="for bob"):
        arm.ode(lambda t, q, u: [1.0, 2.0])(0.0, np.zeros(2))


def test_a_linear_system_goes_to_python_control() -> None:
    control = pytest.importorskip("control")
    arm = pliant.Arm.parse(TWO_LINK)
    linear = arm.linearise([np.pi / 2, 0.0])
    system = linear.to_control()
    assert isinstance(system, control.StateSpace) and system.isctime()
    assert system.state_labels == [name.replace(".", "_") for name in linear.states]
    assert len(system.input_labels) == linear.B.shape[1]
    np.testing.assert_allclose(np.sort(system.poles()), np.sort(linear.poles), atol=1e-12)
    with pytest.raises(pliant.ShapeError, match="one system"):
        linear._replace(A=np.zeros((3, 2, 2))).to_control()
