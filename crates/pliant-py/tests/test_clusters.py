"""Studies on clusters of Dask and Ray: two worker processes on this machine, one killed midway."""

from __future__ import annotations

import os
import signal
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from studies import swept, swings

import pliant


@pytest.fixture(scope="module")
def study() -> pliant.Study:
    return swings(60, step=1e-4)


@pytest.fixture(scope="module")
def expected(study: pliant.Study, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return swept(study, tmp_path_factory.mktemp("swept") / "study")


def killer(victim: Callable[[], int | None]) -> tuple[list[int], Callable[[int, int], None]]:
    """Kills a worker once a third of the runs is done; and which one it was."""
    killed: list[int] = []

    def progress(done: int, every: int) -> None:
        if done >= every // 3 and not killed and (process := victim()) is not None:
            os.kill(process, signal.SIGKILL)
            killed.append(process)

    return killed, progress


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    distributed: Any = pytest.importorskip("distributed")
    dask: Any = pytest.importorskip("dask")
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with (
        # that a worker was lost is told at once; by default Dask itself tries three times more
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        distributed.LocalCluster(host="127.0.0.1", **options) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def test_dask_gives_the_table_of_the_command(
    client: Any, study: pliant.Study, expected: bytes, tmp_path: Path
) -> None:
    keys = set[str]()

    def look(dask_scheduler: Any) -> list[str]:
        return [str(key) for key in dask_scheduler.tasks]

    def victim() -> int | None:
        keys.update(client.run_on_scheduler(look))
        busy = [worker for worker, tasks in client.processing().items() if tasks]
        return client.run(os.getpid, workers=busy[:1])[busy[0]] if busy else None

    killed, progress = killer(victim)
    with pytest.warns(pliant.PliantWarning, match="lost with a worker and done again: KilledW"):
        result = study.run(tmp_path / "study", executor=client, progress=progress)
    assert len(killed) == 1 and killed[0] not in client.run(os.getpid).values()
    assert result.parquet == expected
    # what the dashboard shows
    from dask.utils import key_split

    groups = {key_split(key) for key in keys}
    assert {"pliant swings", "pliant swings study"} == groups, keys
    # nothing stays on the cluster
    until = time.monotonic() + 10.0
    while client.futures and time.monotonic() < until:
        time.sleep(0.01)
    assert client.futures == {}
    # the client of this process is found
    assert swings(2).run(executor="dask").statuses == {"completed": 4}


# the last test of the cluster
def test_a_cluster_of_dask_that_is_gone(client: Any, study: pliant.Study, tmp_path: Path) -> None:
    def leave(done: int, every: int) -> None:
        if done >= every // 3:
            client.close()

    with pytest.raises(pliant.ExecutorError, match="resume=True") as raised:
        study.run(tmp_path / "study", executor=client, progress=leave)
    assert raised.value.folder == tmp_path / "study"
    assert len(study.run(tmp_path / "study", resume=True)) == study.count


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        # it says nothing to its makers, and leaves no token in the folder of the user
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("RAY_AUTH_MODE", "disabled")
        ray: Any = pytest.importorskip("ray")
        options = {"include_dashboard": False, "log_to_driver": False}
        ray.init(num_cpus=2, _node_ip_address="127.0.0.1", **options)
        yield ray
        ray.shutdown()


def test_ray_gives_the_table_of_the_command(
    ray: Any, study: pliant.Study, expected: bytes, tmp_path: Path
) -> None:
    psutil: Any = pytest.importorskip("psutil")
    names = set[str]()

    def victim() -> int | None:
        """A worker that does a chunk; it is called after it meanwhile."""
        for process in psutil.Process().children(recursive=True):
            title = " ".join(process.cmdline())
            if "ray::pliant" in title:
                names.add(title.strip())
                number: int = process.pid
                return number
        return None

    killed, progress = killer(victim)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", pliant.PliantWarning)
        result = study.run(tmp_path / "study", executor="ray", progress=progress)
    # none where the chunk was over just before
    own = [str(one.message) for one in told if one.category is pliant.PliantWarning]
    assert all("lost with a worker and done again: WorkerCrashedError" in one for one in own)
    assert len(killed) == 1 and names.pop().startswith("ray::pliant swings ")
    assert result.parquet == expected
    # the module is the same
    assert swings(2).run(executor=ray).statuses == {"completed": 4}


# the last test of the cluster
def test_a_cluster_of_ray_that_is_gone(ray: Any, study: pliant.Study, tmp_path: Path) -> None:
    def leave(done: int, every: int) -> None:
        if done >= every // 3:
            ray.shutdown()

    with pytest.raises(pliant.ExecutorError, match="not connected to Ray.*resume=True"):
        study.run(tmp_path / "study", executor="ray", progress=leave)
    assert not ray.is_initialized(), "Ray begins anew by itself where it is asked for something"
    assert len(study.run(tmp_path / "study", resume=True)) == study.count
