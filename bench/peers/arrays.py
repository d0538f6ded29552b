"""Forward dynamics by the Python package, asked over a pipe as `baseline.rs` is.

`arm FILE` chooses an arm, `states FILE` the states that are repeated, rows of q, u and tau as raw
float64; `state SEED` answers accelerations, `rows STATES` the nanoseconds of one call over so many.
"""

import sys
import time

import numpy as np

import pliant

arm, states, arrays = None, None, None


def split(rows: np.ndarray) -> list[np.ndarray]:
    """The states as arrays of q, u and tau."""
    parts = np.split(rows, [arm.nq, arm.nq + arm.nv], axis=-1)
    return [np.ascontiguousarray(part) for part in parts]


for line in sys.stdin:
    word, rest = line.split(maxsplit=1)
    rest = rest.rstrip("\n")
    if word == "arm":
        arm = pliant.Arm.load(rest)
        answer = [arm.nq, arm.nv]
    elif word == "states":
        states, arrays = np.fromfile(rest).reshape(-1, arm.nq + 2 * arm.nv), None
        answer = states.shape
    elif word == "state":
        answer = arm.forward_dynamics(*split(states[int(rest)]))
    else:
        count = int(rest)
        if arrays is None or len(arrays[0]) != count:
            arrays = split(np.resize(states, (count, states.shape[1])))
            out = np.ones((count, arm.nv))
            # compiles
            arm.forward_dynamics(*arrays, out=out)
        start = time.perf_counter_ns()
        arm.forward_dynamics(*arrays, out=out)
        answer = [time.perf_counter_ns() - start]
    print(*(repr(float(number)) for number in answer), flush=True)
