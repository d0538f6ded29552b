"""Writes what Pinocchio computes for URDF files, one JSON object per line.

Usage: python pinocchio_reference.py OUT [FOLDER_OR_FILE ...]

Walks every URDF of the package example-robot-data that declares a joint that moves, and then the
files and folders given. The base is fixed; joints that mimic others are independent.

Everything is written in pliant's conventions, coordinate by coordinate with pliant's names:

- a continuous joint is an angle (Pinocchio: cosine and sine);
- a free joint's quaternion is (w, x, y, z) (Pinocchio: x, y, z, w); the velocities agree;
- a planar joint has the velocities of its x and y in the fixed plane (Pinocchio: in the moving
  frame). With u = T v, T turning by the angle, the mass matrix is T⁻ᵀ M T⁻¹, forces are T⁻ᵀ τ, and
  accelerations are T a + Ṫ v. Pinocchio takes the plane x-y of the joint frame whatever `axis` says;
  a planar joint with another normal is skipped.
"""

import json
import math
import sys
import sysconfig
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pinocchio as pin

STATES = 5


def files(extra):
    share = Path(sysconfig.get_path("purelib")) / "cmeel.prefix" / "share"
    robots = share / "example-robot-data" / "robots"
    found = sorted(robots.rglob("*.urdf"))
    if not found:
        sys.exit(f"no URDF below {robots}: is the package example-robot-data installed?")
    pairs = [(path, str(path.relative_to(robots))) for path in found]
    for entry in map(Path, extra):
        inside = sorted(entry.rglob("*.urdf")) if entry.is_dir() else [entry]
        pairs += [(path, path.name) for path in inside]
    return pairs


def joints_of(path):
    """The joints that the file declares; none where it is not XML."""
    try:
        return ElementTree.parse(path).getroot().findall("joint")
    except ElementTree.ParseError:
        return []


def tilted(joint):
    """Whether it is a planar joint in another plane than Pinocchio's."""
    axis = joint.find("axis")
    normal = "1 0 0" if axis is None else axis.get("xyz", "1 0 0")
    return joint.get("type") == "planar" and [float(x) for x in normal.split()] != [0, 0, 1]


class Joint:
    """A joint of Pinocchio, and how its coordinates are called in pliant."""

    def __init__(self, model, index):
        joint = model.joints[index]
        self.name = model.names[index]
        self.q, self.v = joint.idx_q, joint.idx_v
        kind = joint.shortname()
        if kind.startswith("JointModelRUB") or "Unbounded" in kind:
            self.kind = "continuous"
        elif kind.startswith(("JointModelR", "JointModelP")) and joint.nq == 1:
            self.kind = "prismatic" if kind.startswith("JointModelP") else "revolute"
        elif kind == "JointModelPlanar":
            self.kind = "planar"
        elif kind == "JointModelFreeFlyer":
            self.kind = "free"
        else:
            raise ValueError(f"no rule for {kind}")

    def configuration_names(self):
        suffixes = {
            "planar": [".x", ".y", ".turn"],
            "free": [".x", ".y", ".z", ".quat_w", ".quat_x", ".quat_y", ".quat_z"],
        }
        return [self.name + suffix for suffix in suffixes.get(self.kind, [""])]

    def velocity_names(self):
        suffixes = {
            "planar": [".x", ".y", ".turn"],
            "free": [".move_x", ".move_y", ".move_z", ".turn_x", ".turn_y", ".turn_z"],
        }
        return [self.name + suffix for suffix in suffixes.get(self.kind, [""])]

    def draw(self, random):
        """A random configuration in both conventions."""
        angle = random.uniform(-math.pi, math.pi)
        place = random.uniform(-1.0, 1.0, 3)
        if self.kind == "revolute":
            return [angle], [angle]
        if self.kind == "continuous":
            return [math.cos(angle), math.sin(angle)], [angle]
        if self.kind == "prismatic":
            return [place[0]], [place[0]]
        if self.kind == "planar":
            x, y, _ = place
            return [x, y, math.cos(angle), math.sin(angle)], [x, y, angle]
        w, x, y, z = random.normal(size=4)
        length = math.sqrt(w * w + x * x + y * y + z * z)
        w, x, y, z = (part / length for part in (w, x, y, z))
        return [*place, x, y, z, w], [*place, w, x, y, z]


def state(model, still, joints, random):
    q, ours = np.zeros(model.nq), []
    for joint in joints:
        theirs, here = joint.draw(random)
        q[joint.q : joint.q + len(theirs)] = theirs
        ours += here
    v, a = random.uniform(-1.0, 1.0, model.nv), random.uniform(-1.0, 1.0, model.nv)

    # u = T v
    turn, rate = np.eye(model.nv), np.zeros((model.nv, model.nv))
    for joint in joints:
        if joint.kind == "planar":
            c, s = q[joint.q + 2], q[joint.q + 3]
            block = slice(joint.v, joint.v + 2)
            turn[block, block] = [[c, -s], [s, c]]
            rate[block, block] = v[joint.v + 2] * np.array([[-s, -c], [c, -s]])
    back = np.linalg.inv(turn)

    data, still_data = model.createData(), still.createData()
    mass = pin.crba(model, data, q).copy()
    mass = np.triu(mass) + np.triu(mass, 1).T
    gravity = pin.computeGeneralizedGravity(model, data, q).copy()
    # without gravity, nonlinear effects are those of velocity alone, without a cancellation
    coriolis = pin.nonLinearEffects(still, still_data, q, v).copy()
    tau = pin.rnea(model, data, q, v, a).copy()
    # at rest in u, v still changes by −T⁻¹ Ṫ v
    coriolis -= mass @ (back @ (rate @ v))
    return {
        "q": ours,
        "u": (turn @ v).tolist(),
        "ud": (turn @ a + rate @ v).tolist(),
        "mass": (back.T @ mass @ back).tolist(),
        "gravity": (back.T @ gravity).tolist(),
        "coriolis": (back.T @ coriolis).tolist(),
        "tau": (back.T @ tau).tolist(),
    }


def reference(path, seed):
    model = pin.buildModelFromUrdf(str(path), False)
    still = model.copy()
    still.gravity.setZero()
    joints = [Joint(model, index) for index in range(1, model.njoints)]
    joints.sort(key=lambda joint: joint.v)
    random = np.random.default_rng(seed)
    return {
        "configuration": [name for joint in joints for name in joint.configuration_names()],
        "velocities": [name for joint in joints for name in joint.velocity_names()],
        "states": [state(model, still, joints, random) for _ in range(STATES)],
    }


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    with open(sys.argv[1], "w", encoding="utf-8") as out:
        for seed, (path, name) in enumerate(files(sys.argv[2:])):
            joints = joints_of(path)
            if all(joint.get("type") == "fixed" for joint in joints):
                continue
            line = {"path": str(path), "name": name, "pinocchio": pin.__version__}
            try:
                if any(map(tilted, joints)):
                    line["skipped"] = "Pinocchio ignores the normal of a planar joint"
                else:
                    line |= reference(path, seed)
            except Exception as why:  # a file that Pinocchio cannot read is a line of the table
                line["refused"] = str(why)
            out.write(json.dumps(line) + "\n")


main()
