"""``book/python-api.md``: signatures from the sources and stubs, texts from the docstrings."""

from __future__ import annotations

import ast
import copy
import dataclasses
import inspect
import re
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any, cast

import pliant

PACKAGE = Path(pliant.__file__).parent
START = """# The Python package

Everything in `pliant`, with units and shapes; [python.md](python.md) says how to install it and where to start.
`PLIANT_BLESS=1 python -m pytest tests/test_book.py` in `crates/pliant-py` writes this page from the docstrings.

An argument `q`, `u`, `ud` or `tau` is an array `(..., n)` whose leading axes broadcast, or a dictionary by name; `out` takes the answer in place.
"""
FILES = {
    "Arms": "_pliant.pyi",
    "Answers": "tuples.py",
    "Scenarios": "scenario.py",
    "Signals": "signals.py",
    "Sensors": "sensors.py",
    "Trajectories": "plans.py",
    "Controllers": "controllers.py",
    "Results": "result.py",
    "Studies": "study.py",
    "Tables of studies": "study_result.py",
    "Exceptions": "errors.py",
}


def page() -> str:
    """The whole page."""
    parts = [START]
    told: set[str] = set()
    for title, file in FILES.items():
        module = f"pliant.{Path(file).stem}"
        tree = ast.parse((PACKAGE / file).read_text(encoding="utf-8"))
        parts.append(f"## {title}\n")
        if text := ast.get_docstring(tree):
            parts.append(f"{prose(text)}\n")
        for name, node, below in documented(tree.body):
            if isinstance(node, ast.ClassDef) and name in pliant.__all__:
                if not issubclass(getattr(pliant, name), BaseException):
                    parts.extend(of_class(node))
            elif getattr(getattr(pliant, name, None), "__module__", "") == module:
                call = signature(name, cast(ast.FunctionDef, node))
                parts.append(f"### {name}\n\n{call}\n\n{prose(text_of(getattr(pliant, name)))}\n")
            elif isinstance(node, ast.AnnAssign) and below and not name.startswith("_"):
                parts.append(f"### {name}\n\n{prose(below)}\n")
            told.add(name)
        if title == "Exceptions":
            parts.append("\n".join(exceptions(tree)) + "\n")
    left = set(pliant.__all__) - told
    if left:
        raise ValueError(f"not on the page: {sorted(left)}")
    return "\n".join(parts)


def of_class(node: ast.ClassDef) -> Iterator[str]:
    """A class: what it is, its fields as a table, its methods as a list."""
    kind = getattr(pliant, node.name)
    methods = [one for one in node.body if isinstance(one, ast.FunctionDef)]
    made = next((one for one in methods if one.name in {"__new__", "__init__"}), None)
    given = list(attributes(made))
    yield f"### {node.name}\n"
    # what has attributes of its own comes from a call, not from its constructor
    if made is not None and not given:
        yield f"{signature(node.name, made)}\n"
    yield f"{prose(text_of(kind))}\n"
    if dataclasses.is_dataclass(kind) or issubclass(kind, tuple):
        rows = ["| field | type | default | meaning |", "|---|---|---|---|", *fields(kind)]
        yield "\n".join(rows) + "\n"
    listed = [method(kind, one) for one in methods if not one.name.startswith("_")]
    listed += [f"- `{name}`: {line(below)}" for name, below in given]
    if listed:
        yield "\n".join(listed) + "\n"


def exceptions(tree: ast.Module) -> Iterator[str]:
    """All exceptions and warnings as a table."""
    yield "| exception | is a | what it says |"
    yield "|---|---|---|"
    for node in tree.body:
        kind = getattr(pliant, getattr(node, "name", ""), None)
        if isinstance(kind, type) and issubclass(kind, BaseException):
            bases = ", ".join(f"`{base.__name__}`" for base in kind.__bases__)
            yield f"| `{kind.__name__}` | {bases} | {line(text_of(kind))} |"


def fields(kind: Any) -> Iterator[str]:
    """The fields of a data class or named tuple, those that it inherits included."""
    told: dict[str, tuple[str, str]] = {}
    for base in reversed(kind.__mro__):
        if base.__module__.startswith("pliant."):
            source = cast(ast.ClassDef, ast.parse(inspect.getsource(base)).body[0])
            for name, node, below in documented(source.body):
                if isinstance(node, ast.AnnAssign):
                    told[name] = (ast.unparse(node.annotation), below)
    if dataclasses.is_dataclass(kind):
        order = [(one.name, default(one)) for one in dataclasses.fields(kind) if one.init]
    else:
        order = [(name, "") for name in kind._fields]
    for name, usual in order:
        annotation, below = told[name]
        if not below:
            raise ValueError(f"{kind.__name__}.{name} has no docstring")
        cells = [f"`{name}`", f"`{annotation}`", usual, line(below)]
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def default(one: dataclasses.Field[Any]) -> str:
    if one.default is not dataclasses.MISSING:
        return f"`{one.default!r}`"
    if one.default_factory is not dataclasses.MISSING:
        return "`Record()`" if one.name == "record" else "none"
    return "**required**"


def method(kind: Any, node: ast.FunctionDef) -> str:
    decorators = {ast.unparse(one) for one in node.decorator_list}
    text = line(text_of(getattr(kind, node.name)))
    if "property" in decorators:
        return f"- `{node.name}`: {text}"
    owner = f"{kind.__name__}." if "staticmethod" in decorators else ""
    return f"- {signature(owner + node.name, node)}: {text}"


def attributes(made: ast.FunctionDef | None) -> Iterator[tuple[str, str]]:
    """What a constructor gives its object, with a text below it."""
    for name, _, below in documented([] if made is None else made.body):
        if below and not name.startswith("_"):
            yield name, below


def signature(name: str, node: ast.FunctionDef) -> str:
    """Arguments and defaults; the stubs have the types."""
    given = copy.deepcopy(node.args)
    for one in [*given.args, *given.kwonlyargs, given.vararg, given.kwarg]:
        if one is not None:
            one.annotation = None
    given.args = [one for one in given.args if one.arg not in {"self", "cls"}]
    return f"`{name}({ast.unparse(given)})`"


def documented(body: list[ast.stmt]) -> Iterator[tuple[str, ast.stmt, str]]:
    """Each thing with a name, and the text below it."""
    for node, after in zip_longest(body, body[1:]):
        below = ""
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            below = inspect.cleandoc(str(after.value.value))
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield node.name, node, ""
        elif isinstance(node, ast.AnnAssign):
            yield getattr(node.target, "attr", "") or ast.unparse(node.target), node, below
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
            yield node.targets[0].attr, node, below


def text_of(thing: Any) -> str:
    """The docstring; none of those that Python or a data class make up."""
    text = inspect.getdoc(thing)
    if not text:
        raise ValueError(f"{thing} has no docstring")
    return text


def prose(text: str) -> str:
    """Markdown: each paragraph on one line, code in single quotes, examples as code."""
    text = re.sub(r":\w+:`([^`]+)`", r"`\1`", text).replace("``", "`")
    parts = (part.strip() for part in text.split("\n\n"))
    return "\n\n".join(
        f"```python\n{part}\n```" if part.startswith(">>>") else " ".join(part.split())
        for part in parts
    )


def line(text: str) -> str:
    """The same on one line."""
    return prose(text).replace("\n\n", " ")
