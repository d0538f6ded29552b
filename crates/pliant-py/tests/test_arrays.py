"""States as arrays: broadcasting, out=, conversions, dictionaries, parallel computation."""

import numpy as np
import pytest
from numpy.typing import ArrayLike
from models import crane, puma, states, two_link

import pliant


@pytest.mark.parametrize("make", [puma, two_link, crane])
def test_arrays_of_states_are_the_states_one_by_one(make) -> None:  # type: ignore[no-untyped-def]
    arm: pliant.Arm = make()
    q, u, tau = states(arm, (3, 40))
    ud = arm.forward_dynamics(q, u, tau)
    assert ud.shape == (3, 40, arm.nv)
    for index in [(0, 0), (2, 39), (1, 7)]:
        np.testing.assert_array_equal(
            ud[index], arm.forward_dynamics(q[index], u[index], tau[index])
        )
        np.testing.assert_array_equal(arm.mass_matrix(q)[index], arm.mass_matrix(q[index]))
    np.testing.assert_allclose(arm.inverse_dynamics(q, u, ud), tau, atol=1e-9)


def test_leading_axes_broadcast() -> None:
    arm = puma()
    q, _, _ = states(arm, (5, 1))
    _, u, _ = states(arm, (4,), seed=1)
    _, _, tau = states(arm, (3, 1, 1), seed=2)
    together = arm.forward_dynamics(q, u, tau)
    assert together.shape == (3, 5, 4, 6)
    whole = [np.broadcast_to(part, (3, 5, 4, 6)).copy() for part in (q, u, tau)]
    np.testing.assert_array_equal(together, arm.forward_dynamics(*whole))
    assert arm.energy(q, u).kinetic.shape == (5, 4)
    # two axes of its own, and one between them that it does not have
    q, u, _ = states(arm, (2, 1, 3))
    between = np.linspace(0, 1, 4)[:, None, None] * np.ones(6)
    whole = [np.broadcast_to(part, (2, 4, 3, 6)).copy() for part in (q, u, between)]
    np.testing.assert_array_equal(
        arm.inverse_dynamics(q, u, between), arm.inverse_dynamics(*whole)
    )
    assert arm.forward_dynamics(np.zeros((0, 6)), np.zeros(6), np.zeros(6)).shape == (0, 6)


def test_out_is_filled_and_returned() -> None:
    arm = puma()
    q, u, tau = states(arm)
    out = np.full(6, np.nan)
    assert arm.forward_dynamics(q, u, tau, out=out) is out
    np.testing.assert_array_equal(out, arm.forward_dynamics(q, u, tau))
    # the argument itself may take the answer
    own = tau.copy()
    arm.forward_dynamics(q, u, own, out=own)
    np.testing.assert_array_equal(own, out)
    # rows that do not lie together
    wide = np.zeros((50, 12))
    q, u, tau = states(arm, (50,))
    assert arm.forward_dynamics(q, u, tau, out=wide[:, ::2]).base is wide
    np.testing.assert_array_equal(wide[:, ::2], arm.forward_dynamics(q, u, tau))
    assert not wide[:, 1::2].any()


def test_other_numbers_are_converted() -> None:
    arm = puma()
    ones = np.ones(6)
    expected = arm.forward_dynamics(ones, ones, ones)
    others: list[ArrayLike] = [[1] * 6, (1.0,) * 6, np.ones(6, "i4"), np.ones(6, "f4"), np.ones(12)[::2]]
    for same in others:
        np.testing.assert_array_equal(arm.forward_dynamics(same, ones, same), expected)
    columns = np.asfortranarray(states(arm, (40,))[0])
    np.testing.assert_array_equal(arm.gravity(columns), arm.gravity(columns.copy("C")))


def test_states_by_name() -> None:
    arm = puma()
    q = np.array([0, 0.3, 0, 0, -0.2, 0])
    named = {"shoulder": 0.3, "pitch": -0.2}
    np.testing.assert_array_equal(arm.gravity(named), arm.gravity(q))
    many = arm.gravity({"shoulder": np.linspace(0, 1, 5), "pitch": [[0.1], [0.2]]})
    assert many.shape == (2, 5, 6)
    q[[1, 4]] = 0.25, 0.2
    np.testing.assert_array_equal(many[1, 1], arm.gravity(q))
    assert arm.bias({}, {"waist": 1}).shape == (6,)


def test_a_joint_with_several_coordinates_has_one_name() -> None:
    body = (1.0, [0.0, 0.0, 0.1], np.diag([0.1, 0.2, 0.25]))
    link = pliant.Link("body", joint=pliant.Joint.free(), body=body)
    arm = pliant.Builder("floating").link(link).build()
    np.testing.assert_array_equal(arm.neutral(), [0, 0, 0, 1, 0, 0, 0])
    pose = arm.pose({"body": [1, 2, 3, 1, 0, 0, 0]}, "body")
    np.testing.assert_array_equal(pose[:3, 3], [1, 2, 3])
    with pytest.raises(pliant.ShapeError, match=r"q\[\"body\"\] has shape \(2,\), expected \(..., 7\)"):
        arm.pose({"body": [1, 2]}, "body")
    with pytest.raises(pliant.ArgumentError, match="quaternion of \"body\" has length 2"):
        arm.pose([0, 0, 0, 2, 0, 0, 0], "body")


def test_the_motor_of_an_elastic_joint_follows_its_link() -> None:
    motor = pliant.Actuator(rotor_inertia=0.1, stiffness=500.0)
    link = pliant.Link(
        "rod", joint=pliant.Joint.revolute([0, 1, 0]), payload=(2.0, [0, 0, -1]), actuator=motor
    )
    arm = pliant.Builder("elastic").link(link).build()
    assert arm.nv == 2
    assert not arm.elastic({"rod": 0.5}).any()
    assert arm.elastic([0.5, 0.0])[0] == pytest.approx(250)


def test_identities_hold() -> None:
    arm = two_link()
    q, u, ud = states(arm, (20,))
    mass = arm.mass_matrix(q)
    tau = arm.inverse_dynamics(q, u, ud)
    np.testing.assert_allclose(
        tau, np.einsum("...ij,...j", mass, ud) + arm.bias(q, u), rtol=1e-9, atol=1e-9
    )
    parts = arm.coriolis(q, u) + arm.gravity(q) + arm.elastic(q) + arm.damping(q, u)
    np.testing.assert_allclose(parts, arm.bias(q, u), rtol=1e-9, atol=1e-9)
    matrix = arm.coriolis_matrix(q, u)
    np.testing.assert_allclose(
        np.einsum("...ij,...j", matrix, u), arm.coriolis(q, u), rtol=1e-9, atol=1e-9
    )
    energy = arm.energy(q, u)
    np.testing.assert_allclose(energy.kinetic, np.einsum("ai,aij,aj->a", u, mass, u) / 2)
    np.testing.assert_array_equal(energy.total, sum(energy))
    power = arm.power(q, u, tau)
    np.testing.assert_allclose(power.motors, np.einsum("ai,ai->a", tau, u))
    tip = arm.tip
    assert tip is not None
    twist = arm.twist(q, u, tip)
    np.testing.assert_allclose(twist, np.einsum("...ij,...j", arm.jacobian(q, tip), u), atol=1e-12)
    wrench = [1, 2, 3, 4, 5, 6]
    np.testing.assert_allclose(
        arm.load_forces(q, tip, wrench), np.einsum("aij,i", arm.jacobian(q, tip), wrench), atol=1e-12
    )
    own = arm.jacobian(q, tip, axes="own")
    turn = arm.pose(q, tip)[:, :3, :3]
    np.testing.assert_allclose(turn @ own[:, :3], arm.jacobian(q, tip)[:, :3], atol=1e-12)
    poses = arm.frames(q)
    np.testing.assert_array_equal(poses[:, arm.frame_names.index(tip)], arm.pose(q, tip))
    momenta = arm.momentum(q, u)
    assert momenta.linear.shape == momenta.angular.shape == (20, 3)


def test_derivatives_are_slopes() -> None:
    arm = crane()
    q, u, tau = states(arm)
    by = arm.forward_derivatives(q, u, tau)
    step = 1e-6
    for k in range(arm.nv):
        move = np.zeros(arm.nv)
        move[k] = step

        def slope(q_move: float, u_move: float, tau_move: float):  # type: ignore[no-untyped-def]
            def at(sign: float):  # type: ignore[no-untyped-def]
                moved = [x + sign * f * move for x, f in ((q, q_move), (u, u_move), (tau, tau_move))]
                return arm.forward_dynamics(*moved)

            return (at(1) - at(-1)) / (2 * step)

        scale = 1e-6 * np.abs(by.by_q).max()
        np.testing.assert_allclose(by.by_q[:, k], slope(1, 0, 0), atol=scale)
        np.testing.assert_allclose(by.by_u[:, k], slope(0, 1, 0), atol=scale)
        np.testing.assert_allclose(by.by_tau[:, k], slope(0, 0, 1), atol=scale)
    back = arm.inverse_derivatives(q, u, arm.forward_dynamics(q, u, tau))
    np.testing.assert_allclose(back.by_ud, arm.mass_matrix(q))
    np.testing.assert_allclose(-back.by_ud @ by.by_q, back.by_q, atol=1e-6)


def test_prescribed_joints_give_their_force() -> None:
    link = pliant.Link(
        "rod", joint=pliant.Joint.revolute([0, 1, 0]), payload=(2.0, [0, 0, -1]), prescribed=True
    )
    arm = pliant.Builder("driven").link(link).build()
    found = arm.hybrid_dynamics([0.0], [0.0], [7.0], [3.0])
    np.testing.assert_allclose((found.tau[0], found.ud[0]), (6.0, 3.0))


@pytest.mark.parametrize("make", [puma, two_link])
def test_many_states_have_the_numbers_of_few(make) -> None:  # type: ignore[no-untyped-def]
    """Arrays of many states are compiled, those of few are not."""
    arm: pliant.Arm = make()
    q, u, tau = states(arm, (5000,))
    whole = arm.forward_dynamics(q, u, tau)
    parts = [arm.forward_dynamics(q[k : k + 50], u[k : k + 50], tau[k : k + 50]) for k in (0, 2450, 4950)]
    for part, k in zip(parts, (0, 2450, 4950), strict=True):
        np.testing.assert_array_equal(whole[k : k + 50], part)
    np.testing.assert_array_equal(arm.mass_matrix(q)[4321], arm.mass_matrix(q[4321]))
    np.testing.assert_array_equal(
        arm.inverse_dynamics(q, u, 0.5 * tau)[777], arm.inverse_dynamics(q[777], u[777], 0.5 * tau[777])
    )
    # one row for all
    np.testing.assert_array_equal(arm.forward_dynamics(q, u, tau[0])[99], arm.forward_dynamics(q[99], u[99], tau[0]))
    # far beyond the range of compiled sines
    far = q.copy()
    far[3210, 0] = 1e9
    np.testing.assert_array_equal(
        arm.forward_dynamics(far, u, tau)[3210], arm.forward_dynamics(far[3210], u[3210], tau[3210])
    )
    q[1234, 0] = np.nan
    with pytest.raises(pliant.ArgumentError, match=r"state \[1234\]"):
        arm.forward_dynamics(q, u, tau)


def test_many_states_keep_the_length_of_quaternions() -> None:
    body = (1.0, [0.0, 0.0, 0.1], np.diag([0.1, 0.2, 0.25]))
    link = pliant.Link("body", joint=pliant.Joint.free(), body=body)
    arm = pliant.Builder("floating").link(link).build()
    q, rest = np.tile(arm.neutral(), (4000, 1)), np.zeros(6)
    assert arm.forward_dynamics(q, rest, rest).shape == (4000, 6)
    q[1234, 3] = 0.1
    with pytest.raises(pliant.ArgumentError, match=r"state \[1234\].*quaternion of \"body\" has length 0.1"):
        arm.forward_dynamics(q, rest, rest)
