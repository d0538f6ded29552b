"""Equilibria, modes, linear systems, inverse kinematics."""

import numpy as np
import pytest
from models import crane, puma, two_link

import pliant


def test_modes_are_eigenvectors() -> None:
    arm = two_link()
    modes = arm.modes()
    mass = arm.mass_matrix(modes.q)
    np.testing.assert_allclose(
        modes.shapes @ mass @ modes.shapes.T, np.eye(len(modes.squared)), atol=1e-9
    )
    assert np.all(np.diff(modes.hertz) >= 0)
    np.testing.assert_allclose(modes.shares.sum(axis=-1), 1)
    np.testing.assert_allclose(modes.frequency, 2 * np.pi * modes.hertz)


def test_modes_over_a_range_of_postures() -> None:
    arm = two_link()
    name = arm.coordinate_names[arm.nq // 2]
    q = np.zeros((7, arm.nq))
    q[:, 0] = np.linspace(0, 1, 7)
    many = arm.modes(q)
    assert many.shapes.shape == (7, many.hertz.shape[-1], arm.nv)
    np.testing.assert_array_equal(many.hertz[3], arm.modes(q[3]).hertz)
    assert name in arm.velocity_names
    free = arm.modes(joints="free")
    assert free.hertz.shape[-1] == arm.nv
    assert arm.modes(joints={arm.link_names[0]: "free"}).hertz.size == many.hertz.shape[-1] + 1


def test_the_boom_sags_under_its_load() -> None:
    arm = crane()
    rest = arm.static_equilibrium()
    assert bool(rest.stable) and rest.residual < 1e-9
    hand = arm.pose(rest.q, "hand")[:3, 3]
    assert -0.4 < hand[1] < -0.05
    np.testing.assert_allclose(arm.gravity(rest.q) + arm.elastic(rest.q), rest.forces, atol=1e-9)
    assert arm.static_equilibrium(np.zeros((4, arm.nq))).stable.shape == (4,)


def test_linear_systems_are_slopes_of_the_motion() -> None:
    bob = pliant.Link("bob", joint=pliant.Joint.revolute([0, 1, 0]), payload=(1.0, [0, 0, -2]))
    arm = pliant.Builder("pendulum").link(bob).build()
    system = arm.linearise(inputs=["bob"], outputs=["bob", "bob.rate"])
    np.testing.assert_allclose(system.A, [[0.0, 1.0], [-9.81 / 2, 0.0]], atol=1e-14)
    np.testing.assert_allclose(system.B, [[0.0], [0.25]])
    np.testing.assert_allclose(system.C, np.eye(2))
    assert system.inputs == ["bob.force"] and system.outputs == ["bob", "bob.rate"]
    assert system.input_units == ["N m"]
    np.testing.assert_allclose(np.sort(system.poles.imag), [-2.2147234590350, 2.2147234590350])
    response = system.response(np.array([1.0]))
    np.testing.assert_allclose(response[0, 0, 0], 0.25 / (9.81 / 2 - 1))
    many = arm.linearise(np.linspace(0, 1, 5)[:, None])
    assert many.A.shape == (5, 2, 2)
    np.testing.assert_array_equal(many.A[2], arm.linearise([0.5]).A)


def test_a_moving_arm_is_linearised_as_given() -> None:
    arm = crane()
    q, u = arm.neutral(), np.array([1.0, 0, 0])
    tau = arm.inverse_dynamics(q, u, np.zeros(3))
    system = arm.linearise(q, u)
    by = arm.forward_derivatives(q, u, tau)
    np.testing.assert_allclose(system.A[3:, :3], by.by_q, rtol=1e-9, atol=1e-7)
    np.testing.assert_allclose(system.A[3:, 3:], by.by_u, rtol=1e-9, atol=1e-7)


def test_all_postures_of_a_puma() -> None:
    arm = puma()
    q = np.array([0.3, 0.4, -0.5, 0.2, 0.6, 0.1])
    goal = arm.pose(q, "flange")
    found = arm.reach(goal[:3, 3], goal[:3, :3], frame="flange", near=q)
    assert found.closed_form and len(found.q) + found.beyond_limits == 8
    np.testing.assert_allclose(found.q[0], q, atol=1e-9)
    np.testing.assert_allclose(arm.pose(found.q, "flange"), np.broadcast_to(goal, (len(found.q), 4, 4)), atol=1e-9)
    held = arm.reach(goal[:3, 3], frame="flange", near=q, hold=["waist"])
    assert np.all(held.q[:, 0] == q[0])
    with pytest.raises(pliant.ArgumentError, match="hold names"):
        arm.reach(goal[:3, 3], frame="flange", hold=["hip"])


def test_a_sagging_arm_reaches_with_its_deflected_tip() -> None:
    arm = crane()
    far = arm.pose(arm.static_equilibrium({"boom": 0.2}).q, "hand")[:3, 3]
    found = arm.reach(far, frame="hand", sag=True)
    assert found.q[0, 0] == pytest.approx(0.2, abs=1e-6)
