"""Every public item of the Rust crates is in the package, or ``coverage.toml`` says why not."""

from __future__ import annotations

import functools
import inspect
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rust_items import items

import pliant
import pliant.controllers
import pliant.plans
import pliant.sensors
import pliant.signals

tomllib = pytest.importorskip("tomllib")  # Python 3.11

HERE = Path(__file__).parent
CRATES = HERE.parents[1]
TABLE: dict[str, Any] = tomllib.loads(HERE.with_name("coverage.toml").read_text("utf-8"))


@functools.cache
def offered() -> set[str]:
    pliant_items = items(CRATES / "pliant/src/lib.rs", "pliant")
    return pliant_items | items(CRATES / "pliant-io/src/lib.rs", "pliant_io")


def exposed() -> dict[str, str]:
    groups: dict[str, dict[str, str]] = TABLE["exposed"]
    return {f"{o}::{item}": name for o, group in groups.items() for item, name in group.items()}


def excused() -> Iterator[str]:
    for group in TABLE["excused"]:
        assert group["reason"], group
        for owner, names in group.items():
            if owner != "reason":
                yield from (f"{owner}::{name}" for name in names.split())


def is_of(item: str, module: str) -> bool:
    return item.startswith(f"{module}::")


def test_nothing_in_rust_is_left_out() -> None:
    told = exposed().keys() | set(excused())
    new = {item for item in offered() - told if not any(is_of(item, m) for m in TABLE["modules"])}
    assert not new, f"expose these in Python, or excuse them in coverage.toml: {sorted(new)}"


def test_the_table_names_only_what_rust_has_each_once() -> None:
    told = Counter([*exposed(), *excused()])
    assert not told.keys() - offered(), sorted(told.keys() - offered())
    assert [item for item, count in told.items() if count > 1] == []
    for module in TABLE["modules"]:
        assert any(is_of(item, module) for item in offered()), module
        assert not any(is_of(item, module) for item in told), module


def test_the_sources_are_read() -> None:
    for item in (
        "pliant::Help",
        "pliant::analyse::Arm::modes",  # a method outside the module of its type
        "pliant::analyse::Arm::static_equilibrium",  # in a module with a visibility
        "pliant::dynamics::aba::aba_into",  # in a public module
        "pliant::simulate::number::optional::serialize",  # in a module inside a file
        "pliant::scenario::Scenario::build",
        "pliant_io::load",
        "pliant_io::results::Reader::open",
    ):
        assert item in offered(), item
    # a method of a private type, and a function that only the crate has
    assert not any(item.endswith(("::Hop::new", "::c_files::files")) for item in offered())
    assert len(offered()) > 1000


def member(owner: Any, name: str) -> Any:
    """An attribute of a class or its objects, a field, or an argument of the constructor."""
    if hasattr(owner, name):
        return getattr(owner, name)
    if isinstance(owner, type):
        fields: dict[str, Any] = getattr(owner, "__dataclass_fields__", {})
        start = getattr(vars(owner).get("__init__"), "__code__", None)
        own = () if start is None else start.co_names
        if name in fields or name in inspect.signature(owner).parameters or name in own:
            return None
    raise AttributeError(f"{owner} has no {name}")


def has(name: str) -> bool:
    """Whether the package has ``Owner.member`` or the argument of ``Owner.method(argument)``."""
    found = re.fullmatch(r"([\w.]+)(?:\((\w+)\))?", name)
    assert found is not None, name
    path, argument = found.groups()
    at: Any = pliant
    try:
        for step in path.split("."):
            at = member(at, step)
    except AttributeError:
        return False
    return argument is None or argument in inspect.signature(at).parameters


def test_python_has_what_the_table_says() -> None:
    missing = {item: name for item, name in exposed().items() if not has(name)}
    assert not missing, missing
    assert not has("Arm.flies") and not has("Arm.reach(wings)") and not has("Link.colour")
