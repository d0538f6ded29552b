"""Links: what they feel, and whether they are made for it."""

from typing import Literal

import numpy as np
import pytest
from models import Array, crane, puma, states, two_link

import pliant

STEEL = pliant.Material.named("steel")
AREA, SECOND = np.pi * 0.01**2, np.pi * 0.01**4 / 4


def rod(length: float = 1.0, elements: int = 4, segments: int = 1) -> pliant.Arm:
    """A round steel rod of 20 mm, clamped and horizontal."""
    section = pliant.Section.round(0.02, STEEL)
    beam = pliant.Beam(
        length, section, y=1, z=1, shapes="elements", elements=elements, segments=segments
    )
    link = pliant.Link("rod", beam=beam, frames={"end": [0, 0, 0]})
    return pliant.Builder("rod").link(link).build()


def test_a_rod_sags_as_the_textbook_says() -> None:
    arm = rod()
    rest = arm.static_equilibrium()
    sag = arm.deflection(rest.q, "end")
    textbook = STEEL.density * AREA * 9.81 / (8 * STEEL.young * SECOND)
    assert sag.world[2] == pytest.approx(-textbook, rel=1e-3)
    np.testing.assert_allclose(sag.own, sag.world, atol=1e-12)
    # many at once
    both = arm.deflection(np.stack([arm.neutral(), rest.q]), "end").world
    np.testing.assert_allclose(both, np.stack([np.zeros(3), sag.world]), atol=1e-15)
    # a load at its end adds P L³ / 3 E I
    loaded = arm.static_equilibrium(loads={"end": [0, 0, -5.0, 0, 0, 0]})
    more = arm.deflection(loaded.q, "end").world[2] - sag.world[2]
    assert more == pytest.approx(-5.0 / (3 * STEEL.young * SECOND), rel=1e-3)
    assert arm.deflection(rest.q, "end", undeformed=rest.q).world[2] == sag.world[2]


@pytest.mark.parametrize("segments", [1, 3])
def test_a_section_carries_what_is_beyond_it(segments: int) -> None:
    arm = rod(2.0, elements=1 if segments > 1 else 4, segments=segments)
    rest = arm.static_equilibrium()
    forces = arm.internal_forces(rest.q)["rod"]
    weight = STEEL.density * AREA * 9.81
    beyond = 2.0 - forces.place
    assert forces.place[0] == 0 and forces.place[-1] == pytest.approx(2.0)
    np.testing.assert_allclose(forces.moment, weight * beyond**2 / 2, rtol=1e-2, atol=1e-3)
    np.testing.assert_allclose(forces.shear, weight * beyond, rtol=1e-2, atol=1e-3)
    np.testing.assert_allclose(forces.stress, forces.moment * 0.01 / SECOND, rtol=1e-2, atol=2e4)
    root = STEEL.strength
    assert root is not None and forces.margin[0] == pytest.approx(root / forces.stress[0])


def test_the_root_carries_the_force_of_the_joint() -> None:
    arm = crane()
    q, u, ud = states(arm, (4,))
    forces = arm.internal_forces(q, u, ud)["boom"]
    tau = arm.inverse_dynamics(q, u, ud)
    assert forces.moment_z.shape == (4, len(forces.place[0]))
    # the beam begins at the joint, and its own mass is all there is inside
    np.testing.assert_allclose(np.abs(forces.moment_z[:, 0]), np.abs(tau[:, 0]), rtol=1e-6)
    assert puma().internal_forces(np.zeros(6)) == {}


def test_a_link_is_sized_by_its_frequency() -> None:
    arm = crane()
    slowest = arm.modes().frequency[0]
    size = arm.sizing("boom", bandwidth=slowest / 6)
    assert size.frequency == pytest.approx(slowest, rel=1e-6)
    assert size.margin_of_stiffness == pytest.approx(2.0, rel=1e-6)
    assert size.radius == pytest.approx(0.015)
    assert size.margin_of_strength is not None and size.decides in {"strength", "stiffness"}
    assert size.radius_for_strength == pytest.approx(0.015 / np.cbrt(size.margin_of_strength))
    with pytest.raises(pliant.ArgumentError, match='did you mean "boom"'):
        arm.sizing("bom", bandwidth=1.0)
    with pytest.raises(pliant.DynamicsError, match="bandwidth"):
        arm.sizing("boom", bandwidth=-1.0)


def test_shapes_beside_the_textbook() -> None:
    told = {one.quantity: one for one in rod().check_beam("rod")}
    exact = 1.875104069**2 * np.sqrt(STEEL.young * SECOND / (STEEL.density * AREA))
    first = told["bending frequency 1 along y"]
    assert first.unit == "rad/s" and first.judged
    assert first.textbook == pytest.approx(exact, rel=1e-4)
    assert first.error is not None and abs(first.error) < 1e-3
    with pytest.raises(pliant.ArgumentError, match="no beam"):
        puma().check_beam("waist" if "waist" in puma().link_names else puma().link_names[0])


def test_what_bends_too_far_is_told() -> None:
    arm = rod()
    assert arm.out_of_range(arm.neutral()) == []
    far = arm.static_equilibrium(loads={"end": [0, 0, -1500.0, 0, 0, 0]}).q
    (told,) = arm.out_of_range(far)
    assert 'link "rod": its slope reaches' in told and "divide it into" in told


def test_stiffness_is_the_slope_of_the_forces() -> None:
    arm = two_link()
    q = states(arm)[0]

    def held(q: Array) -> Array:
        return arm.gravity(q) + arm.elastic(q)

    step = 1e-6
    slopes = [(held(q + step * e) - held(q - step * e)) / (2 * step) for e in np.eye(arm.nv)]
    stiffness = arm.tangent_stiffness(q)
    np.testing.assert_allclose(stiffness, np.transpose(slopes), rtol=1e-5, atol=1e-2)


def test_modes_tell_what_moves_and_how_good_they_are() -> None:
    arm = two_link()
    modes = arm.modes(np.stack([arm.neutral()] * 2), joints="free", errors=True)
    assert {"joint upper", "joint fore", "upper y", "fore z"} <= set(modes.parts)
    np.testing.assert_allclose(modes.participation.sum(axis=-1), 1.0, atol=1e-9)
    shares = modes.shares[0, :, arm.velocity_names.index("fore")]
    np.testing.assert_allclose(modes.participation[0, :, modes.parts.index("joint fore")], shares)
    assert modes.error is not None and modes.error.shape == modes.hertz.shape
    few = rod(elements=1).modes(errors=True)
    many = rod(elements=12).modes()
    assert few.error is not None
    assert few.hertz[0] / many.hertz[0] - 1 == pytest.approx(few.error[0], abs=1e-4)
    assert arm.modes().error is None


def test_vibrations_of_an_arm_at_rest_are_its_modes() -> None:
    arm = crane()
    still = arm.vibrations(arm.neutral())
    modes = arm.modes(as_given=True)
    np.testing.assert_allclose(still.eigenvalues[:, 0].imag, modes.frequency, rtol=1e-2)
    assert still.shapes.shape == (2, arm.nv)
    # each mode in its place along a motion
    q = arm.neutral() + np.zeros((5, 1))
    q[:, 0] = np.linspace(0, 1, 5)
    along = arm.vibrations(q, times=np.linspace(0, 1, 5))
    np.testing.assert_allclose(along.frequency, arm.vibrations(q).frequency)
    with pytest.raises(pliant.ShapeError, match=r"times has shape \(3,\), and the states \(5, n\)"):
        arm.vibrations(q, times=[0, 1, 2])


def test_the_page_of_modes() -> None:
    page = crane().modes_page()
    assert page.startswith("<!") and "crane" in page
    with pytest.raises(pliant.ArgumentError, match='give joints="free"'):
        puma().modes_page()


def test_laminates_are_those_of_the_library() -> None:
    angles = np.deg2rad([0, 0, 45, -45])
    known, own = pliant.Material.named("cfrp-tube"), pliant.Material.laminate(angles)
    assert [own.young, own.shear, own.density, own.strength] == pytest.approx(
        [known.young, known.shear, known.density, known.strength]
    )
    with pytest.raises(pliant.ArgumentError, match="the number of angles is 0"):
        pliant.Material.laminate([])


@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_denavit_hartenberg_rows(convention: Literal["standard", "modified"]) -> None:
    rows = np.array([[0.1, 0.4, 0.0, -np.pi / 2], [0.2, 0.0, 0.6, 0.3], [0.0, 0.1, 0.2, 0.0]])
    builder = pliant.Builder("rows")
    for k, row in enumerate(rows):
        moves: Literal["theta", "d"] = "d" if k == 2 else "theta"
        link = pliant.Link(
            f"l{k}", dh=row, dh_moves=moves, dh_convention=convention, payload=(1.0, [0, 0, 0])
        )
        builder.link(link)
    arm = builder.build()

    def about(axis: int, angle: float, way: float) -> Array:
        c, s, pose = np.cos(angle), np.sin(angle), np.eye(4)
        a, b = [(1, 2), (2, 0), (0, 1)][axis]
        pose[a, a], pose[a, b], pose[b, a], pose[b, b] = c, -s, s, c
        pose[axis, 3] = way
        return pose

    q = np.array([0.3, -0.2, 0.05])
    pose = np.eye(4)
    for (theta, d, a, alpha), slides, value in zip(rows, [False, False, True], q):
        z = about(2, theta + value * (not slides), d + value * slides)
        x = about(0, alpha, a)
        pose = pose @ (z @ x if convention == "standard" else x @ z)
    np.testing.assert_allclose(arm.pose(q, "l2"), pose, atol=1e-14)
    table = arm.denavit_hartenberg("l2", convention=convention)
    assert table.coordinates == ["l0", "l1", "l2"] and table.variables == ["theta", "theta", "d"]
    assert table.rows.shape == (3, 4) and table.base.shape == table.tool.shape == (4, 4)
    with pytest.raises(pliant.ArgumentError, match="dh stands beside joint"):
        pliant.Link("a", dh=rows[0], joint=pliant.Joint.planar())
