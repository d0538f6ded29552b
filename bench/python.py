"""Times of the Python package, run as `cargo xtask bench python`.

Everything is measured turn by turn within one run, the least of many rounds counts.
"""

import sys
import time
from collections.abc import Callable

import numpy as np
import pinocchio as pin

import pliant

ROUNDS = 600
JOINTS = (6, 12, 18, 24, 30)


def chain(joints: int) -> tuple["pin.Model", pliant.Arm]:
    """The same random chain of revolute joints, described to both."""
    rng = np.random.default_rng(joints)
    model, parent = pin.Model(), 0
    builder = pliant.Builder(f"chain of {joints}")
    kinds = (pin.JointModelRX, pin.JointModelRY, pin.JointModelRZ)
    for k in range(joints):
        axis = int(rng.integers(3))
        place, mass, centre = rng.uniform(-0.5, 0.5, 3), rng.uniform(0.5, 3), rng.uniform(-0.2, 0.2, 3)
        spread = rng.normal(size=(3, 3))
        second = 0.05 * spread @ spread.T + 0.05 * np.eye(3)
        tensor = np.trace(second) * np.eye(3) - second
        parent = model.addJoint(parent, kinds[axis](), pin.SE3(np.eye(3), place), f"j{k}")
        model.appendBodyToJoint(parent, pin.Inertia(mass, centre, tensor), pin.SE3.Identity())
        joint = pliant.Joint.revolute(np.eye(3)[axis])
        builder.link(pliant.Link(f"j{k}", joint=joint, placement=place, body=(mass, centre, tensor)))
    return model, builder.build()


def least(calls: dict[str, tuple[int, Callable[[], object]]]) -> dict[str, float]:
    """The least time of each call (s), so many of them, turn by turn; each turn is too short for
    other programs to interrupt them all."""
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(ROUNDS):
        for name, (repeats, call) in calls.items():
            start = time.perf_counter()
            for _ in range(repeats):
                call()
            best[name] = min(best[name], (time.perf_counter() - start) / repeats)
    return best


def main() -> int:
    failed = []

    def judge(what: str, value: float, most: float, unit: str = "") -> None:
        good = value <= most
        print(f"  {what}: {value:.2f}{unit}, at most {most}{unit} {'' if good else 'FAILED'}")
        if not good:
            failed.append(what)

    for joints in JOINTS:
        model, arm = chain(joints)
        data, rng = model.createData(), np.random.default_rng(1)
        q, u, tau = rng.normal(size=(3, joints))
        out, forward = np.empty(joints), arm.forward_dynamics
        # so few states are computed by the calling thread, one after the other
        few, more = (np.broadcast_to(np.stack([q, u, tau])[:, None], (3, n, joints)).copy() for n in (11, 31))
        room_few, room_more = np.empty((11, joints)), np.empty((31, joints))
        assert np.allclose(forward(q, u, tau), pin.aba(model, data, q, u, tau), rtol=1e-10)
        times = least(
            {
                "pliant": (100, lambda: forward(q, u, tau, out=out)),
                "pin": (50, lambda: pin.aba(model, data, q, u, tau)),
                "few": (9, lambda: forward(*few, out=room_few)),
                "more": (3, lambda: forward(*more, out=room_more)),
                "nothing": (100, lambda: None),
            }
        )
        ours, theirs = (times[name] - times["nothing"] for name in ("pliant", "pin"))
        rust = (times["more"] - times["few"]) / 20
        print(
            f"{joints} joints: forward_dynamics with out= {1e6 * ours:.2f} us, "
            f"in Rust {1e6 * rust:.2f} us, pin.aba {1e6 * theirs:.2f} us"
        )
        judge("overhead", 1e6 * (ours - rust), 0.5, " us")
        judge("beside pin.aba", ours / theirs, 0.7 if joints < 12 else 0.5)

    _, arm = chain(6)
    q, u, tau = np.random.default_rng(2).normal(size=(3, 100_000, 6))
    out = np.empty_like(q)
    arm.forward_dynamics(q, u, tau, out=out)
    best = (float("inf"), 0.0)
    for _ in range(20):
        wall, spent = time.perf_counter(), time.process_time()
        arm.forward_dynamics(q, u, tau, out=out)
        wall, spent = time.perf_counter() - wall, time.process_time() - spent
        best = min(best, (wall, spent / wall))
    print(f"100,000 states of 6 joints: {1e3 * best[0]:.1f} ms, on {best[1]:.2f} processors")
    print(f"{len(failed)} bounds missed" if failed else "all bounds met")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
