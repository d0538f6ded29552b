"""What does the runs of a study elsewhere: pools of ``concurrent.futures``, Dask, Ray.

Each engine submits a chunk and gives a future: ``add_done_callback``, ``done``, ``result``,
``cancel``. It knows which errors mean that a worker was lost, and how to go on after it.
"""

from __future__ import annotations

import importlib
import os
import sys
import time
import uuid
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError
from dataclasses import dataclass
from typing import Any, Protocol

from pliant.chunks import work
from pliant.errors import ArgumentError, ExecutorError

ASKED = 1.0
"""How often a cluster is asked for its size (s)."""


class Engine(Protocol):
    """What :func:`pliant.executors.drive` needs."""

    generation: int
    """Counts how often it was renewed."""

    def workers(self) -> int:
        """How many chunks are done at once."""

    def submit(self, first: int, end: int, longest: float, has_text: bool) -> Any:
        """Has a chunk done; gives its future."""

    def is_lost(self, error: BaseException) -> bool:
        """Whether an error says that the worker is gone, and not that its work went wrong."""

    def renew(self, generation: int, reason: str) -> None:
        """After a loss: makes sure that work of this generation can be done again, or raises."""

    def forget(self, future: Any) -> None:
        """Lets go of a future that is over."""

    def close(self) -> None:
        """Ends what was begun for the study."""


@dataclass(frozen=True)
class Task:
    """What all chunks of a study have in common."""

    identity: str
    """Of the study."""
    text: str
    """The study, with its scenario and arm inside."""
    name: str
    """What dashboards show."""
    workers: int | None
    """How many chunks are done at once, where the executor does not tell."""


class Pool:
    """Anything with the interface of ``concurrent.futures``.

    There is no way to tell all of its processes something, so that the first chunks bring the
    study with them, and later ones where a process has not met it.
    """

    def __init__(self, task: Task, executor: Any, make: Callable[[], Any] | None) -> None:
        self.task, self.executor, self.make = task, executor, make
        self.generation = self.sent = 0

    def workers(self) -> int:
        for name in ("num_workers", "_max_workers"):
            told = getattr(self.executor, name, None)
            if isinstance(told, int) and told > 0:
                return told
        return self.task.workers or os.cpu_count() or 1

    def submit(self, first: int, end: int, longest: float, has_text: bool) -> Any:
        text = self.task.text if has_text or self.sent < self.workers() else None
        self.sent += 1
        return self.executor.submit(work, self.task.identity, text, first, end, longest)

    def is_lost(self, error: BaseException) -> bool:
        return isinstance(error, BrokenExecutor | CancelledError)

    def renew(self, generation: int, reason: str) -> None:
        if self.make is None:
            raise ExecutorError(
                f"the executor has given up: {reason}",
                help="make a new one and go on with resume=True; give a function that makes one, "
                "executor=lambda: ProcessPoolExecutor(4), and a broken one is replaced",
            )
        if generation == self.generation:
            self.executor.shutdown(wait=False)
            self.executor, self.sent = self.make(), 0
            self.generation += 1

    def forget(self, future: Any) -> None:
        pass

    def close(self) -> None:
        if self.make is not None:
            self.executor.shutdown(wait=False)


class Cluster:
    """What Dask and Ray have in common: machines that come and go."""

    generation = 0

    def __init__(self, task: Task) -> None:
        self.task = task
        self.size, self.asked = 1, -ASKED

    def workers(self) -> int:
        """How many it has now; one where there is none yet, so that one is asked for."""
        now = time.monotonic()
        if now - self.asked > ASKED:
            self.size, self.asked = max(self.ask(), 1), now
        return self.size

    def ask(self) -> int:
        """How many cores it has."""
        raise NotImplementedError

    def forget(self, future: Any) -> None:
        """Lets go of a future that is over; by default it goes by itself."""


class Dask(Cluster):
    """A cluster of Dask. The study is a task of its own, on which all chunks depend: it travels
    once to each worker, and Dask makes it anew where it is lost with one, unlike scattered data."""

    def __init__(self, task: Task, client: Any | None) -> None:
        super().__init__(task)
        self.dask: Any = installed("distributed", "Dask", 'pip install "distributed"')
        self.owned = False
        if client is None:
            try:
                client = self.dask.get_client()
            except ValueError:
                client, self.owned = self.dask.Client(), True
        self.client: Any = client
        if self.client.asynchronous:
            raise ArgumentError(
                "the client of Dask is asynchronous", help="give a Client that is not"
            )
        self.study = self.sent()

    def sent(self) -> Any:
        """The study on the cluster."""
        key = f"{self.task.name} study-{uuid.uuid4().hex}"
        return self.client.submit(str, self.task.text, key=key)

    def ask(self) -> int:
        return sum(self.client.nthreads().values())

    def submit(self, first: int, end: int, longest: float, has_text: bool) -> Any:
        # dashboards put keys together that are alike up to the first number
        key = f"{self.task.name}-{first}-{end - 1}-{uuid.uuid4().hex[:8]}"
        given = (self.task.identity, self.study, first, end, longest)
        return self.client.submit(work, *given, key=key, retries=0)

    def is_lost(self, error: BaseException) -> bool:
        gone = (self.dask.KilledWorker, self.dask.comm.CommClosedError, CancelledError)
        return isinstance(error, gone)

    def renew(self, generation: int, reason: str) -> None:
        if self.client.status != "running":
            raise ExecutorError(
                f"the cluster of Dask is gone, and its client is {self.client.status}: {reason}",
                help="start it again, and go on with resume=True",
            )
        if self.study.status not in ("finished", "pending"):
            self.study = self.sent()

    def forget(self, future: Any) -> None:
        # one that has failed would stay on the cluster as long as its error is remembered
        future.release()

    def close(self) -> None:
        self.study.release()
        if self.owned:
            self.client.shutdown()


class Ray(Cluster):
    """The cluster of Ray that this process belongs to, or one of this machine."""

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        self.ray: Any = installed("ray", "Ray", "pip install ray")
        self.owned = not self.ray.is_initialized()
        if self.owned:
            self.ray.init()
        self.function = self.ray.remote(work)
        self.study = self.ray.put(task.text)

    def ask(self) -> int:
        self.check()
        return int(self.ray.cluster_resources().get("CPU", 1))

    def submit(self, first: int, end: int, longest: float, has_text: bool) -> Any:
        self.check()
        named = self.function.options(name=f"{self.task.name} {first}-{end - 1}", max_retries=0)
        reference = named.remote(self.task.identity, self.study, first, end, longest)
        return RayFuture(self.ray, reference)

    def is_lost(self, error: BaseException) -> bool:
        known = self.ray.exceptions
        own = isinstance(error, known.RayError) and not isinstance(error, known.RayTaskError)
        return own or isinstance(error, CancelledError)

    def renew(self, generation: int, reason: str) -> None:
        self.check(f": {reason}")

    def check(self, reason: str = "") -> None:
        """Raises where there is no connection any more; Ray itself would start another cluster."""
        if not self.ray.is_initialized():
            raise ExecutorError(
                f"this process is not connected to Ray any more{reason}",
                help="connect it with ray.init(), and go on with resume=True",
            )

    def close(self) -> None:
        if self.owned:
            self.ray.shutdown()


class RayFuture:
    """A result of Ray as a future."""

    def __init__(self, ray: Any, reference: Any) -> None:
        self.ray, self.reference = ray, reference
        self.future = reference.future()

    def add_done_callback(self, call: Callable[[Any], Any]) -> None:
        self.future.add_done_callback(call)

    def done(self) -> bool:
        done: bool = self.future.done()
        return done

    def result(self) -> Any:
        return self.future.result()

    def cancel(self) -> None:
        # it would begin anew to cancel something
        if self.ray.is_initialized():
            self.ray.cancel(self.reference, force=False)


def installed(module: str, name: str, command: str) -> Any:
    """A package that not everybody has."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ExecutorError(
            f"{name} is not installed",
            help=f"{command}; without executor the study runs on the cores of this machine",
        ) from error


def engine_of(executor: Any, task: Task) -> Engine:
    """The engine for what was given as executor."""
    if executor == "dask":
        return Dask(task, None)
    if executor == "ray" or executor is sys.modules.get("ray", task):
        return Ray(task)
    dask: Any = sys.modules.get("distributed")
    if dask is not None and isinstance(executor, dask.Client):
        return Dask(task, executor)
    if hasattr(executor, "submit") and not isinstance(executor, type):
        return Pool(task, executor, None)
    if callable(executor):
        made = executor()
        if hasattr(made, "submit"):
            return Pool(task, made, executor)
    raise ArgumentError(
        f"executor is {executor!r}, which does no runs",
        help='give "ray", "dask", a Client of Dask, a pool such as ProcessPoolExecutor(4), a '
        "function that makes one, or nothing for the cores of this machine",
    )
