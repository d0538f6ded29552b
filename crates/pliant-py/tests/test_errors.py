"""What is wrong is told by name, with what was seen and what would be right."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from models import ROBOTS, ROOT, crane, puma, states

import pliant

ARM = puma()
Q, U, TAU = states(ARM)
MANY = states(ARM, (3,))[0]
F = ARM.forward_dynamics
HOLED = np.where(np.arange(600).reshape(50, 2, 6) == 45, np.inf, 0.1)
LOCKED = np.zeros(6)
LOCKED.setflags(write=False)

WRONG: list[tuple[Callable[[], object], type[pliant.PliantError], str]] = [
    (lambda: F(Q, U, TAU[:3]), pliant.ShapeError, "tau has shape (3,), expected (..., 6); the last axis has one number each for waist"),
    (lambda: F(0.5, U, TAU), pliant.ShapeError, "q has shape (), expected (..., 6)"),
    (lambda: F(MANY, np.zeros((4, 6)), TAU), pliant.ShapeError, "the shapes do not broadcast: q (3, nq), u (4, nv), tau (nv,)"),
    (lambda: F([[1], [2, 3]], U, TAU), pliant.ShapeError, "q is no array"),
    (lambda: F(Q * 1j, U, TAU), pliant.DtypeError, "q has dtype complex128, expected real numbers"),
    (lambda: F(Q, ["a"] * 6, TAU), pliant.DtypeError, "u has dtype <U1"),
    (lambda: F(Q, [None] * 6, TAU), pliant.DtypeError, "u has dtype object"),  # type: ignore[arg-type]
    (lambda: F(Q, np.ones(6, bool), TAU), pliant.DtypeError, "u has dtype bool"),
    (lambda: F(Q, U * np.nan, TAU), pliant.ArgumentError, 'u of "waist" is not a finite number: NaN'),
    (lambda: ARM.inverse_dynamics(Q, U, TAU * np.inf), pliant.ArgumentError, 'ud of "waist" is not a finite number'),
    (lambda: ARM.mass_matrix(HOLED[:, :, ::-1]), pliant.ArgumentError, 'state [3, 1]: q of "elbow" is not a finite number'),
    (lambda: F(HOLED, U, TAU), pliant.ArgumentError, 'state [3, 1]: q of "roll" is not a finite number: inf'),
    (lambda: F({"shuolder": 1}, U, TAU), pliant.ArgumentError, 'q names "shuolder", which is no coordinate of the arm; did you mean "shoulder"?'),
    (lambda: F({"elbow": "90 deg"}, U, TAU), pliant.DtypeError, 'q["elbow"] has dtype <U6'),
    (lambda: F({3: 1}, U, TAU), pliant.DtypeError, "q has the key 3, expected a name"),  # type: ignore[dict-item]
    (lambda: F({"elbow": [1, 2], "roll": [1, 2, 3]}, U, TAU), pliant.ShapeError, "the entries of q do not broadcast"),
    (lambda: F(Q, U, TAU, out=np.empty(5)), pliant.ShapeError, "out has shape (5,), expected an array of float64 of shape (6,)"),
    (lambda: F(Q, U, TAU, out=np.empty(6, "f4")), pliant.DtypeError, "out has dtype float32"),
    (lambda: F(Q, U, TAU, out=[0.0] * 6), pliant.DtypeError, "out is of type list"),  # type: ignore[arg-type]
    (lambda: F(Q, U, TAU, out=LOCKED), pliant.ArgumentError, "out cannot be written"),
    (lambda: F(MANY, U, TAU, out=MANY), pliant.ArgumentError, "out shares its memory with an argument"),
    (lambda: ARM.pose(Q, "flagne"), pliant.ArgumentError, 'frame: no frame named "flagne"; did you mean "flange"?'),
    (lambda: ARM.jacobian(Q, "flange", axes="mine"), pliant.ArgumentError, 'axes is "mine", expected "world" or "own"'),  # type: ignore[arg-type]
    (lambda: ARM.load_forces(Q, "flange", [1, 2, 3]), pliant.ShapeError, "wrench has shape (3,), expected (..., 6); the last axis has one number each for force"),
    (lambda: ARM.load_forces(Q, "flange", [np.nan] * 6), pliant.ArgumentError, 'wrench of "force" is not a finite'),
    (lambda: ARM.modes(Q, joints="lose"), pliant.ArgumentError, 'joints says "lose"'),  # type: ignore[arg-type]
    (lambda: ARM.modes(Q, joints={"hip": "free"}), pliant.ArgumentError, 'joints names "hip", which is no link'),
    (lambda: ARM.linearise(inputs=["hip"]), pliant.ArgumentError, 'there is no "hip"'),
    (lambda: ARM.reach([9, 0, 0], frame="flange"), pliant.DynamicsError, "no joints put flange at (9, 0, 0) m; the nearest place found is"),
    (lambda: ARM.reach([np.inf, 0, 0], frame="flange"), pliant.ArgumentError, "not finite"),
    (lambda: ARM.drawing(MANY), pliant.ShapeError, "q has shape (3, 6), expected one state"),
    (lambda: pliant.Material.named("alumnium"), pliant.ArgumentError, 'material is "alumnium", which is not known; did you mean "aluminium"?'),
    (lambda: pliant.Beam(1.0, "tube 30x2 mm"), pliant.ArgumentError, "section is 'tube 30x2 mm', which is no section"),  # type: ignore[arg-type]
    (lambda: pliant.Beam(1.0, pliant.Section.round(0.1, "steel"), shapes="modes"), pliant.ArgumentError, 'shapes is "modes", which is not known'),
    (lambda: pliant.Beam(1.0, pliant.Section.round(0.1, "steel"), shapes="elements"), pliant.ArgumentError, "say how many elements"),
    (lambda: pliant.Section.tube(-1.0, 0.002, "steel"), pliant.ArgumentError, "diameter is -1; it must be positive"),
    (lambda: pliant.Section.tube(0.03, 0.02, "steel"), pliant.ArgumentError, "wall is 0.02; it must be at most half"),
    (lambda: pliant.Section.i(0.1, 0.05, np.nan, 0.005, "steel"), pliant.ArgumentError, "web is NaN; it must be positive"),
    (lambda: pliant.Section.given(rho_a=0, ei_y=9, ei_z=9, gj=9, ea=9), pliant.ArgumentError, "rho_a is 0; it must be positive"),
    (lambda: pliant.Section.given(rho_a=1, ei_y=9, ei_z=-9, gj=9, ea=9), pliant.ArgumentError, "ei_z is -9; it must be zero or more"),
    (lambda: pliant.Material(young=-1, shear=1, density=1), pliant.ArgumentError, "young is -1; it must be positive"),
    (lambda: pliant.Material(young=1, shear=1, density=1, strength=0), pliant.ArgumentError, "strength is 0; it must be"),
    (lambda: pliant.Beam(-2.0, pliant.Section.round(0.1, "steel"), y=1), pliant.ArgumentError, "length is -2; it must be positive"),
    (lambda: pliant.Beam(2.0, pliant.Section.round(0.1, "steel"), y=1, damping=[0.1, 1.0]), pliant.ArgumentError, "damping is 1; it must be from 0 to below 1"),
    (lambda: pliant.Beam(2.0, pliant.Section.round(0.1, "steel"), y=10**6), pliant.ArgumentError, "y is 1000000; at most 20"),
    (lambda: pliant.Beam(2.0, pliant.Section.round(0.1, "steel"), y=1, segments=10**6), pliant.ArgumentError, "segments is 1000000; at most 200"),
    (lambda: pliant.Beam(2.0, pliant.Section.round(0.1, "steel"), y=1, z=1, shapes="elements", elements=20, segments=20), pliant.ArgumentError, "the beam would have 1600 coordinates"),
    (lambda: ARM.reach([0.4, 0.1, 0.4], np.ones((3, 3)), frame="flange"), pliant.ArgumentError, "attitude is no rotation matrix"),
    (lambda: pliant.Scenario(ARM, 900.0, record=pliant.Record(1e-6)).run(), pliant.ResultError, "of memory, and"),
    (lambda: crane().pose(crane().neutral(), "hnad"), pliant.ArgumentError, 'no frame named "hnad"; did you mean "hand"?'),
    (lambda: pliant.Arm.load(ROBOTS / "boom.toml", set=["mass"]), pliant.FileError, 'write "link.upper.length=1.4" or'),
    (lambda: pliant.Arm.load(ROBOTS / "boom.toml", set={"plan.duration": 1}), pliant.FileError, "add it first: set=['plan={ … }']"),
    (lambda: pliant.Link("a", placement=[1, 2]), pliant.ShapeError, "[1, 2] is no pose"),
    (lambda: pliant.Arm.load("nowhere.toml"), pliant.FileError, "there is no such file"),
    (lambda: pliant.Arm.parse("[[link]]\nnam = 1"), pliant.FileError, "did you mean name?"),
]


@pytest.mark.parametrize("wrong, kind, words", WRONG, ids=[words for _, _, words in WRONG])
def test_what_is_wrong_is_told(
    wrong: Callable[[], object], kind: type[pliant.PliantError], words: str
) -> None:
    with pytest.raises(kind) as told:
        wrong()
    assert type(told.value) is kind
    assert words in str(told.value)


def test_kinds_are_those_of_python_too() -> None:
    assert issubclass(pliant.ShapeError, ValueError)
    assert issubclass(pliant.DtypeError, TypeError)
    for kind in [pliant.ArgumentError, pliant.FileError, pliant.BuildError, pliant.DynamicsError]:
        assert issubclass(kind, pliant.PliantError)


def test_files_are_told_as_by_the_command() -> None:
    with pytest.raises(pliant.FileError) as told:
        pliant.Arm.parse('name = "a"\n[[link]]\nname = "b"\nmass = -1\nlenght = 2\n')
    assert [problem.line for problem in told.value.problems] == [4, 5]
    assert told.value.problems[1].severity == "error"
    assert told.value.problems[1].help == "did you mean length?"
    text = str(told.value)
    assert "╭─[text:4:8]" in text and "2 errors in text; for details: pliant explain" in text
    assert "\x1b" not in text


def test_all_faults_of_a_description_are_told() -> None:
    heavy = pliant.Link("a", payload=(-1.0, [0, 0, 0]))
    lost = pliant.Link("b", parent="nobody")
    with pytest.raises(pliant.BuildError) as told:
        pliant.Builder("arm").link(heavy).link(lost).build()
    assert 'link "a"' in str(told.value) and 'link "b"' in str(told.value)
    assert told.value.help is not None


def test_an_arm_without_inertia_does_not_accelerate() -> None:
    massless = pliant.Link("a", joint=pliant.Joint.revolute([0, 0, 1]))
    arm = pliant.Builder("nothing").link(massless).build()
    for _ in range(2):
        with pytest.raises(pliant.DynamicsError, match='"a" can accelerate without force'):
            arm.forward_dynamics([0.0], [0.0], [1.0])


def test_inertia_that_is_only_rounding_is_noticed() -> None:
    # both joints turn about one axis, and only what the second moves has mass
    turn = pliant.Joint.revolute([0.3, 0.4, 0.5])
    inner = pliant.Link("inner", joint=turn)
    outer = pliant.Link("outer", joint=turn, payload=(1.0, [1.7, 0.3, 0.1]))
    arm = pliant.Builder("twice", gravity=[0, 0, 0]).link(inner).link(outer).build()
    with pytest.raises(pliant.DynamicsError, match="can accelerate without force"):
        arm.forward_dynamics(np.zeros(2), np.zeros(2), np.zeros(2))


def test_helps_survive_pickling() -> None:
    import copy
    import pickle

    with pytest.raises(pliant.ArgumentError) as told:
        ARM.pose(Q, "nobody")
    for same in [pickle.loads(pickle.dumps(told.value)), copy.copy(told.value)]:
        assert str(same) == str(told.value) and same.help == told.value.help


def test_every_broken_arm_file_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "crates/pliant-io/tests/bad")
    files = sorted(Path().glob("*.toml"))
    assert len(files) > 200
    for path in files:
        if path.stem.startswith("warning"):
            assert pliant.Arm.load(path).warnings
            continue
        with pytest.raises(pliant.FileError) as told:
            pliant.Arm.load(path)
        assert any(problem.severity == "error" for problem in told.value.problems)
        # drawn by the command, without the line that counts
        assert str(told.value).startswith(path.with_suffix(".txt").read_text().rstrip())
