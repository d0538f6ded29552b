"""Arms described by calls."""

import numpy as np
import pytest
from models import ROBOTS, crane

import pliant


def test_the_boom_of_the_first_page() -> None:
    arm = crane()
    assert arm.mass_matrix(arm.neutral())[0, 0] == pytest.approx(13.27, abs=0.01)
    assert arm.modes().hertz[0] == pytest.approx(1.87, abs=0.01)
    assert arm == pliant.Arm.parse(arm.to_toml())


@pytest.mark.parametrize("shapes", ["loaded", "clamped-free", "clamped-mass", "eigenmodes", "elements"])
def test_shapes_of_a_cantilever_have_its_frequency(shapes: str) -> None:
    section = pliant.Section.rectangle(0.01, 0.03, "steel")
    beam = pliant.Beam(1.0, section, y=3, shapes=shapes, elements=12)
    link = pliant.Link("beam", beam=beam)
    arm = pliant.Builder("cantilever", gravity=[0, 0, 0]).link(link).build()
    steel = pliant.Material.named("steel")
    stiff, heavy = steel.young * 0.03 * 0.01**3 / 12, steel.density * 0.03 * 0.01
    exact = 1.875104069**2 * np.sqrt(stiff / heavy) / (2 * np.pi)
    assert arm.modes().hertz[0] == pytest.approx(exact, rel=1e-3)
    assert beam.mass == pytest.approx(heavy)


def test_every_kind_of_joint() -> None:
    kinds = {
        "fixed": (pliant.Joint.fixed(), 0),
        "revolute": (pliant.Joint.revolute([0, 0, 2]), 1),
        "prismatic": (pliant.Joint.prismatic([1, 0, 0]), 1),
        "cylindrical": (pliant.Joint.cylindrical([0, 1, 0]), 2),
        "universal": (pliant.Joint.universal([1, 0, 0], [0, 1, 0]), 2),
        "planar": (pliant.Joint.planar(), 3),
        "spherical": (pliant.Joint.spherical(), 3),
        "free": (pliant.Joint.free(), 6),
    }
    for kind, (joint, freedoms) in kinds.items():
        body = (1.0, [0, 0, 0.1], np.diag([0.1, 0.2, 0.25]))
        arm = pliant.Builder(kind).link(pliant.Link("a", joint=joint, body=body)).build()
        assert (joint.kind, arm.nv) == (kind, freedoms)
        zero = np.zeros(arm.nv)
        back = arm.inverse_dynamics(
            arm.neutral(), zero, arm.forward_dynamics(arm.neutral(), zero, zero)
        )
        np.testing.assert_allclose(back, zero, atol=1e-12)


def test_everything_a_link_has() -> None:
    tube = pliant.Section.tube(0.05, 0.002, pliant.Material(young=7e10, shear=2.6e10, density=2700))
    thin = pliant.Section.tube(0.03, 0.002, pliant.Material(young=7e10, shear=2.6e10, density=2700))
    beam = pliant.Beam(
        0.8,
        [(0.0, tube), (0.8, thin)],
        y=2,
        z=1,
        twist=1,
        root=[0.1, 0, 0],
        rigid_root=0.05,
        rigid_tip=0.02,
        damping=0.01,
        shear=False,
    )
    pose = np.eye(4)
    pose[:3, 3] = [0, 0, 0.1]
    upper = pliant.Link(
        "upper",
        joint=pliant.Joint.revolute([0, 1, 0]),
        joint_name="shoulder",
        placement=pose,
        body=(2.0, [0, 0, 0], np.eye(3) * 0.01),
        tip_body=(0.5, [0, 0, 0], np.eye(3) * 0.001),
        payload=(0.1, [0, 0, 0.1]),
        beam=beam,
        stiffness=30.0,
        rest=0.1,
        damping=[0.2],
        armature=0.05,
        limits=[(-1.0, 1.0)],
        frames={"hand": [0.1, 0, 0]},
        root_frames={"hub": [0, 0, 0]},
        section_frames={"gauge": (0.3, [0, 0, 0])},
    )
    elbow = pliant.Link(
        "elbow",
        joint=pliant.Joint.revolute([0, 1, 0]),
        parent="upper",
        at=0.4,
        payload=(1.0, [0.2, 0, 0]),
        actuator=pliant.Actuator(force=10, rotor_inertia=1e-4, gear=100, stiffness=1e3, viscous=1.0),
    )
    root = pliant.Link("second", parent="upper", at="root", payload=(0.2, [0, 0, 0]))
    base = pliant.Link("aside", parent="ground", placement=[1, 0, 0], payload=(1.0, [0, 0, 0]))
    arm = pliant.Builder("all", total_mass=8.0).link(upper).link(elbow).link(root).link(base).build()
    assert arm.coordinate_names[0] == "shoulder"
    parents = dict(zip(arm.link_names, arm.parents))
    assert parents["elbow"] == parents["second"] == "upper" and parents["aside"] is None
    assert {"hand", "hub", "gauge", "upper.tip"} <= set(arm.frame_names)
    assert any("8 kg" in warning for warning in arm.warnings)
    np.testing.assert_array_equal(arm.limits[0], [-1, 1])
    # the same by way of a file
    assert pliant.Arm.parse(arm.to_toml()) == arm
    assert pliant.Arm.parse(arm.to_toml()).mass_matrix(arm.neutral()).tobytes() == arm.mass_matrix(
        arm.neutral()
    ).tobytes()


def test_sliding_and_pieces() -> None:
    section = pliant.Section.given(rho_a=2, ei_y=900, ei_z=900, gj=700, ea=1e7)
    slide = pliant.Beam(2.0, section, y=2, shapes="clamped-free", slides=(0.5, 1.5), slide_damping=3)
    arm = pliant.Builder("slide").link(pliant.Link("boom", beam=slide)).build()
    assert arm.neutral()[0] == 1.0 and arm.nv == 3
    with pytest.raises(pliant.ArgumentError, match="out of the stroke"):
        arm.mass_matrix([1.6, 0, 0])
    pieces = pliant.Beam(1.0, section, y=1, shapes="rigid-pieces", elements=5)
    arm = pliant.Builder("pieces").link(pliant.Link("boom", beam=pieces)).build()
    assert arm.nv == 4


def test_descriptions_are_shown_as_they_are_written() -> None:
    texts = [
        'pliant.Section.tube(diameter=0.03, wall=0.002, material=pliant.Material.named("aluminium"))',
        "pliant.Section.given(rho_a=2.0, ei_y=900.0, ei_z=900.0, gj=700.0, ea=10000000.0, kga_y=2.0, rho_i_y=0.0, rho_i_z=0.0)",
        'pliant.Material(young=70000000000.0, shear=26000000000.0, density=2700.0, name="own")',
        "pliant.Actuator(force=10.0, gear=100.0, stiffness=1000.0)",
    ]
    for text in texts:
        assert repr(eval(text)) == text.replace("pliant.", "")


def test_a_robot_is_loaded_and_described_alike() -> None:
    text = (ROBOTS / "boom.toml").read_text()
    assert pliant.Arm.parse(text) == pliant.Arm.load(ROBOTS / "boom.toml")
