"""Agreement with Pinocchio on random rigid chains."""

import numpy as np
import pytest
from models import Array

import pliant

pin = pytest.importorskip("pinocchio")


def chain(seed: int):  # type: ignore[no-untyped-def]
    """The same random chain, described to both."""
    rng = np.random.default_rng(seed)
    model, parent = pin.Model(), 0
    builder = pliant.Builder(f"chain {seed}")
    for k in range(int(rng.integers(2, 15))):
        axis = rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        turn *= np.linalg.det(turn)
        place, mass, centre = rng.uniform(-0.5, 0.5, 3), rng.uniform(0.5, 3), rng.uniform(-0.2, 0.2, 3)
        spread = rng.normal(size=(3, 3))
        second = 0.05 * spread @ spread.T + 0.05 * np.eye(3)
        tensor = np.trace(second) * np.eye(3) - second
        slides = rng.random() < 0.3
        joint = pin.JointModelPrismaticUnaligned if slides else pin.JointModelRevoluteUnaligned
        parent = model.addJoint(parent, joint(axis), pin.SE3(turn, place), f"j{k}")
        model.appendBodyToJoint(parent, pin.Inertia(mass, centre, tensor), pin.SE3.Identity())
        pose = np.eye(4)
        pose[:3, :3], pose[:3, 3] = turn, place
        own = pliant.Joint.prismatic(axis) if slides else pliant.Joint.revolute(axis)
        builder.link(pliant.Link(f"j{k}", joint=own, placement=pose, body=(mass, centre, tensor)))
    return model, builder.build(), rng


def near(ours: Array, theirs: Array) -> None:
    np.testing.assert_allclose(ours, theirs, rtol=1e-10, atol=1e-10 * np.abs(theirs).max())


@pytest.mark.parametrize("seed", range(20))
def test_random_chains_agree(seed: int) -> None:
    model, arm, rng = chain(seed)
    data = model.createData()
    q, u, ud = rng.normal(size=(3, arm.nv))
    theirs = pin.rnea(model, data, q, u, ud)
    near(arm.inverse_dynamics(q, u, ud), theirs)
    near(arm.forward_dynamics(q, u, theirs), pin.aba(model, data, q, u, theirs))
    near(arm.mass_matrix(q), np.array(pin.crba(model, data, q)))
    near(arm.gravity(q), pin.computeGeneralizedGravity(model, data, q))
    near(arm.bias(q, u), pin.nonLinearEffects(model, data, q, u))
    pin.computeJointJacobians(model, data, q)
    last = model.njoints - 1
    near(arm.pose(q, arm.link_names[-1]), data.oMi[last].homogeneous)
    axes = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
    near(arm.jacobian(q, arm.link_names[-1]), pin.getJointJacobian(model, data, last, axes))
    near(arm.energy(q, u).kinetic, pin.computeKineticEnergy(model, data, q, u))
    pin.computeABADerivatives(model, data, q, u, theirs)
    by = arm.forward_derivatives(q, u, theirs)
    near(by.by_q, data.ddq_dq)
    near(by.by_u, data.ddq_dv)
    near(by.by_tau, np.array(pin.computeMinverse(model, data, q)))
