"""Studies on executors: the same table, chunk by chunk; workers that die; what is not there."""

from __future__ import annotations

import contextlib
import hashlib
import multiprocessing
import os
import re
import signal
import sys
from collections.abc import Callable
from concurrent.futures import (
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from pathlib import Path
from typing import Any

import pytest
from studies import swept, swings

import pliant
from pliant import chunks, executors


def processes() -> ProcessPoolExecutor:
    """Two processes that begin anew, as on another machine."""
    return ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn"))


class Here(Executor):
    """Does a chunk when it is submitted; ``judge`` may raise, or change what comes back."""

    def __init__(self, judge: Callable[[Any], Any] = lambda rows: rows, workers: int = 2) -> None:
        self.judge, self._max_workers = judge, workers
        self.runs: list[int] = []

    def submit(self, function: Any, /, *given: Any, **more: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            rows = self.judge(function(*given, **more))
            if isinstance(rows, tuple):
                self.runs.append(rows[1] - rows[0])
            future.set_result(rows)
        except Exception as error:
            future.set_exception(error)
        return future


def test_pools_give_the_table_of_the_command(tmp_path: Path) -> None:
    study = swings(20)
    expected = swept(study, tmp_path / "swept")
    seen: list[tuple[int, int]] = []
    with ThreadPoolExecutor(3) as threads:
        result = study.run(
            tmp_path / "threads", executor=threads, progress=lambda *told: seen.append(told)
        )
    assert result.parquet == expected
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert seen[0] == (0, 40) and seen[-1] == (40, 40)
    with processes() as pool:
        assert study.run(executor=pool).parquet == expected


def test_a_process_learns_a_study_once(monkeypatch: pytest.MonkeyPatch) -> None:
    study = swings(20)
    texts: list[bool] = []
    forgets = False

    def work(identity: str, text: str | None, *rest: Any) -> Any:
        texts.append(text is not None)
        if forgets and len(texts) == 4:
            # a process that is new
            chunks._known.clear()
        return chunks.work(identity, text, *rest)

    monkeypatch.setattr("pliant.engines.work", work)
    assert len(study.run(executor=Here())) == 40
    assert texts[:2] == [True, True] and not any(texts[2:]), "the first of each of two workers"
    texts.clear()
    forgets = True
    assert len(study.run(executor=Here())) == 40
    assert texts[:4] == [True, True, False, False] and any(texts[4:]), "it is asked for"


def test_a_worker_that_dies_is_replaced(tmp_path: Path) -> None:
    study = swings(60, step=1e-4)
    expected = study.run().parquet
    pools: list[ProcessPoolExecutor] = []

    def make() -> ProcessPoolExecutor:
        pools.append(processes())
        return pools[-1]

    def kill(done: int, every: int) -> None:
        if done >= every // 3 and len(pools) == 1:
            with contextlib.suppress(ProcessLookupError):
                os.kill(next(iter(pools[0]._processes)), signal.SIGKILL)

    with pytest.warns(pliant.PliantWarning, match="lost with a worker and done again: BrokenPr"):
        result = study.run(tmp_path / "study", executor=make, progress=kill)
    assert len(pools) == 2 and result.parquet == expected


def test_a_pool_of_the_user_that_breaks_is_told_and_all_is_kept(tmp_path: Path) -> None:
    study = swings(60, step=1e-4)

    def kill(done: int, every: int) -> None:
        if done >= every // 3:
            for number in list(pool._processes or ()):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(number, signal.SIGKILL)

    with processes() as pool, pytest.raises(pliant.ExecutorError, match="given up: BrokenPr") as raised:
        study.run(tmp_path / "study", executor=pool, progress=kill)
    kept = re.search(r"the rows of (\d+) of 120 runs are in", str(raised.value))
    assert kept is not None and int(kept[1]) >= 40
    assert raised.value.folder == tmp_path / "study"
    assert "executor=lambda" in str(raised.value.help)
    first: list[int] = []
    result = study.run(
        tmp_path / "study", resume=True, progress=lambda done, _: first.append(done)
    )
    assert first[0] >= int(kept[1]) and result.parquet == study.run().parquet


def test_a_chunk_is_lost_only_so_often(tmp_path: Path) -> None:
    def lose(rows: Any) -> Any:
        if rows[0] == 0:
            raise CancelledError("the machine burns")
        return rows

    with pytest.raises(pliant.ExecutorError, match="0 to .* lost 4 times.*machine burns") as raised:
        swings(4).run(tmp_path / "study", executor=lambda: Here(lose))
    assert raised.value.folder == tmp_path / "study"
    # what others have done is there
    assert list((tmp_path / "study").glob("chunk-*"))


def test_work_that_goes_wrong_is_told() -> None:
    def fail(rows: Any) -> Any:
        raise ModuleNotFoundError("No module named 'pliant'")

    with pytest.raises(pliant.ExecutorError, match="ModuleNotFoundError.*before any run") as raised:
        swings(4).run(executor=Here(fail))
    assert "is installed where the workers are" in str(raised.value.help)
    assert isinstance(raised.value.__cause__, ModuleNotFoundError)


def test_a_pool_that_is_closed_and_rows_of_another_kind_are_told() -> None:
    pool = ThreadPoolExecutor(1)
    pool.shutdown()
    with pytest.raises(pliant.ExecutorError, match="takes no work: RuntimeError"):
        swings(4).run(executor=pool)
    with pytest.raises(pliant.ExecutorError, match="a worker brought dict instead of rows"):
        swings(4).run(executor=Here(lambda rows: {"rows": rows, 0: rows}))


def with_version(rows: Any) -> Any:
    """Rows as another version would have written them, with the right checksum."""
    first, end, content, seconds = rows
    own = pliant.__version__.encode()
    at = content.index(b"pliant.version") + len(b"pliant.version")
    at = content.index(own, at)
    content = content[:at] + b"9" * len(own) + content[at + len(own) :]
    start = content.rindex(b"pliant-sha256:") + len(b"pliant-sha256:")
    blank = content[:start] + b"0" * 64 + content[start + 64 :]
    digits = hashlib.sha256(blank).hexdigest().encode()
    return first, end, blank[:start] + digits + blank[start + 64 :], seconds


def test_workers_of_another_version_are_refused(tmp_path: Path) -> None:
    with pytest.raises(pliant.ExecutorError, match="a worker has version 9+ of pliant"):
        swings(4).run(tmp_path / "study", executor=Here(with_version))
    assert not list((tmp_path / "study").glob("chunk-*"))


def test_rows_that_were_changed_on_their_way_are_refused() -> None:
    def change(rows: Any) -> Any:
        first, end, content, seconds = rows
        return first, end, content.replace(b"completed", b"completes", 1), seconds

    with pytest.raises(pliant.ExecutorError, match="checksum"):
        swings(4).run(executor=Here(change))


def test_part_of_a_chunk_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """A chunk that takes too long ends early, and the rest is done after it."""
    monkeypatch.setattr(executors, "LONGEST", 0.0)
    study, here = swings(20), Here()
    assert study.run(executor=here).parquet == study.run().parquet
    assert here.runs == [1] * 40


def test_a_large_study_is_no_crowd_of_futures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chunks grow with the measured time, and few are on their way at once."""
    flying, most = 0, 0
    submit = Here.submit

    def counted(self: Any, *given: Any, **more: Any) -> Any:
        nonlocal flying, most
        flying += 1
        most = max(most, flying)
        return submit(self, *given, **more)

    def taken(self: Any, *given: Any) -> None:
        nonlocal flying
        flying -= 1
        take(self, *given)

    take = executors.Drive.take
    monkeypatch.setattr(Here, "submit", counted)
    monkeypatch.setattr(executors.Drive, "take", taken)
    study, here = swings(25_000).dry(), Here(workers=3)
    result = study.run(executor=here)
    assert len(result) == 50_000 and result.statuses == {"empty": 50_000}
    assert most == 6 and max(here.runs) == executors.MOST_RUNS and len(here.runs) < 100
    assert result.study == study


@pytest.mark.parametrize(("word", "name"), [("ray", "Ray"), ("dask", "Dask")])
def test_an_executor_that_is_not_installed(
    word: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed" if word == "dask" else word, None)
    with pytest.raises(pliant.ExecutorError, match=f"{name} is not installed; pip install"):
        swings(4).run(tmp_path / "study", executor=word)
    assert not (tmp_path / "study").exists()


@pytest.mark.parametrize("executor", [5, "slurm", dict, object()])
def test_what_does_no_runs_is_no_executor(executor: Any, tmp_path: Path) -> None:
    with pytest.raises(pliant.ArgumentError, match='give "ray", "dask", a Client'):
        swings(4).run(tmp_path / "study", executor=executor)
    assert not (tmp_path / "study").exists()


def test_ctrl_c_ends_a_study_on_an_executor(tmp_path: Path) -> None:
    study = swings(20, step=1e-4)

    def press(done: int, every: int) -> None:
        if done > 0:
            signal.raise_signal(signal.SIGINT)

    with ThreadPoolExecutor(2) as pool:
        with pytest.raises(pliant.StudyInterrupted, match="resume=True"):
            study.run(tmp_path / "study", executor=pool, progress=press)
        result = study.run(tmp_path / "study", executor=pool, resume=True)
    assert result.parquet == study.run().parquet
