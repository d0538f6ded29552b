"""Arms in several threads and processes."""

import multiprocessing
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from models import Array, puma, states, two_link

import pliant


def test_threads_share_an_arm() -> None:
    arm = two_link()
    q, u, tau = states(arm, (400,))
    expected = arm.forward_dynamics(q, u, tau)

    def work(part: int) -> Array:
        rows = range(part, 400, 8)
        if part % 2:
            return arm.forward_dynamics(q[part::8], u[part::8], tau[part::8])
        return np.array([arm.forward_dynamics(q[k], u[k], tau[k]) for k in rows])

    with ThreadPoolExecutor(8) as pool:
        for _ in range(5):
            for part, found in enumerate(pool.map(work, range(8))):
                np.testing.assert_array_equal(found, expected[part::8])


def thread_times() -> dict[str, int]:
    """The processor time of every thread of this process (ns)."""
    threads = Path("/proc/self/task")
    if not threads.is_dir():
        pytest.skip("the system does not tell what threads do")
    return {one.name: int((one / "schedstat").read_text().split()[0]) for one in threads.iterdir()}


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="there is one processor only")
def test_many_states_use_both_cores() -> None:
    arm = puma()
    q, u, tau = states(arm, (100_000,))
    arm.forward_dynamics(q, u, tau)
    before = thread_times()
    for _ in range(40):
        arm.forward_dynamics(q, u, tau)
    spent = sorted(time - before.get(thread, 0) for thread, time in thread_times().items())
    # as much as on one processor, but by two threads; the calling one waits
    assert spent[-2] > 0.25 * sum(spent)


def in_fork(arm: pliant.Arm) -> Array:
    return arm.gravity(np.ones((1000, arm.nq)))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_computes_too() -> None:
    arm = puma()
    expected = in_fork(arm)  # the threads of this process are not in the other
    with multiprocessing.get_context("fork").Pool(1) as pool:
        found = pool.apply_async(in_fork, (arm,)).get(timeout=60)
    np.testing.assert_array_equal(found, expected)
