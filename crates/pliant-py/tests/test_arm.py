"""Arms: where they come from and what they know of themselves."""

import importlib.metadata
import pickle
from pathlib import Path

import numpy as np
import pytest
from models import ROBOTS, ROOT, crane, puma, states, two_link

import pliant

URDF = ROOT / "crates/pliant-io/tests/urdf/good"


def test_an_arm_knows_its_coordinates() -> None:
    arm = puma()
    assert (arm.nq, arm.nv) == (6, 6)
    assert arm.coordinate_names == ["waist", "shoulder", "elbow", "roll", "pitch", "flange"]
    assert arm.coordinate_units == ["rad"] * 6
    assert arm.parents[:2] == [None, "waist"]
    assert arm.limits.shape == (6, 2)
    np.testing.assert_allclose(arm.limits[0], np.radians([-160, 160]))
    np.testing.assert_array_equal(arm.gravity_vector, [0, 0, -9.81])
    assert arm.total_mass == pytest.approx(17.4 + 4.8 + 0.82 + 0.34 + 0.09)


def test_its_table_is_that_of_the_library() -> None:
    table = repr(crane())
    assert table.startswith("crane: 3 degrees of freedom, 3.95")
    assert "boom      ground  revolute" in table


def test_a_notebook_shows_drawing_and_table() -> None:
    page = crane()._repr_html_()
    assert page.startswith("<svg") and ">crane: 3 degrees" in page
    bent = crane().drawing({"boom.y1": 0.1})
    assert bent.startswith("<svg") and bent != crane().drawing()


def test_settings_replace_values_of_a_file() -> None:
    path = ROBOTS / "king-two-link.toml"
    lighter = pliant.Arm.load(path, set={"link.upper.length": 0.5})
    same = pliant.Arm.load(path, set=["link.upper.length=500 mm"])
    assert lighter == same != two_link()
    with pytest.raises(pliant.FileError, match="did you mean"):
        pliant.Arm.load(path, set={"link.uper.length": 0.5})


@pytest.mark.parametrize("path", sorted(ROBOTS.glob("*.toml")), ids=lambda path: path.stem)
def test_arms_are_pickled_to_the_last_bit(path: Path) -> None:
    arm = pliant.Arm.load(path)
    same = pickle.loads(pickle.dumps(arm))
    assert same == arm and hash(same) == hash(arm) and same.hash == arm.hash
    q, u = arm.neutral(), states(arm)[1]
    np.testing.assert_array_equal(same.mass_matrix(q), arm.mass_matrix(q))
    np.testing.assert_array_equal(same.bias(q, u), arm.bias(q, u))


def test_links_of_a_urdf_bend() -> None:
    path = URDF / "ur5.urdf"
    rigid = pliant.Arm.from_urdf(path)
    tube = {"section": "tube 90x2 mm", "material": "aluminium"}
    bent = pliant.Arm.from_urdf(path, bend={"forearm_link": tube, "upper_arm_link": tube})
    assert bent.nv == rigid.nv + 10
    assert bent.total_mass == pytest.approx(rigid.total_mass, rel=1e-12)
    q = {"elbow_joint": 0.3}
    np.testing.assert_allclose(bent.pose(q, "tool0"), rigid.pose(q, "tool0"), atol=1e-12)
    same = [bent.velocity_names.index(name) for name in rigid.velocity_names]
    np.testing.assert_allclose(
        bent.mass_matrix(q)[np.ix_(same, same)], rigid.mass_matrix(q), atol=1e-9
    )
    assert pickle.loads(pickle.dumps(bent)) == bent
    with pytest.raises(pliant.BuildError, match="of which material.*known are"):
        pliant.Arm.from_urdf(path, bend={"forearm_link": {"section": "tube 20x1 mm"}})
    with pytest.raises(pliant.ArgumentError, match='did you mean "length"'):
        pliant.Arm.from_urdf(path, bend={"forearm_link": {**tube, "lenght": 1}})
    with pytest.raises(pliant.BuildError, match='did you mean "forearm_link"'):
        pliant.Arm.from_urdf(path, bend={"forearm_lik": tube})
    with pytest.raises(pliant.FileError, match="has no unit"):
        pliant.Arm.from_urdf(path, bend={"forearm_link": {**tube, "section": "tube 90x2"}})


def test_ten_thousand_arms_do_not_grow_memory() -> None:
    def resident() -> int:
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1])
        pytest.skip("the system does not tell how much memory a process has")

    def use() -> None:
        arm = builder.build()
        arm.forward_dynamics(q, u, u)

    link = pliant.Link("rod", joint=pliant.Joint.revolute([0, 1, 0]), payload=(2.0, [0, 0, -1]))
    builder = pliant.Builder("pendulum").link(link)
    q, u = np.zeros(1), np.ones(1)
    for _ in range(1000):
        use()
    before = resident()
    for _ in range(10_000):
        use()
    # an arm with its workspace has several kilobytes: ten thousand would be tens of megabytes
    assert resident() - before < 4_000


def test_the_package_tells_its_version() -> None:
    assert pliant.__version__ == importlib.metadata.version("pliant")
