"""What the Rust crates offer: public types, functions and methods, read from the sources.

The sources are formatted by rustfmt, so that the column says where an item belongs. Rustdoc could
tell it too, but only a nightly compiler writes it as JSON, and these tests run without any.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

_USE = re.compile(r"^pub use ([^;]+);", re.MULTILINE)
_MODULE = re.compile(r"^((?:#\[.+\]\n)*)(pub |pub\(.+\) )?mod (\w+);", re.MULTILINE)
_INLINE = re.compile(r"^(pub )?mod (\w+) \{")
_TYPE = re.compile(r"^pub (?:struct|enum|trait|type) (\w+)")
_FUNCTION = re.compile(r"^pub (?:const |async |unsafe )*fn (\w+)")
_METHOD = re.compile(r"^    pub (?:const |async |unsafe )*fn (\w+)")
_IMPL = re.compile(r"^impl\b(?:<.*?>(?= ))? (?:.* for )?(?:[\w:]+::)?(\w+)")


def items(root: Path, crate: str) -> set[str]:
    """All public items of a crate: ``pliant::arm::Arm``, ``pliant::analyse::Arm::modes``.

    root: its ``lib.rs``. A method is named after the module that has it, which need not be that
    of its type.
    """
    found = set(_public(root, crate))
    types = {item.split("::")[-1] for item in found if item[item.rindex("::") + 2].isupper()}
    return {item for item in found if not _is_method(item) or item.split("::")[-2] in types}


def _is_method(item: str) -> bool:
    return item.split("::")[-2][0].isupper()


def _public(source: Path, module: str) -> Iterator[str]:
    """The items of a public module."""
    text = source.read_text(encoding="utf-8")
    for item in _declared(text):
        yield f"{module}::{item}"
    used = _used(text)
    for inner, is_public, name in _modules(source, text):
        if is_public:
            yield from _public(inner, f"{module}::{name}")
            continue
        for item in _private(inner):
            if "::" in item or item in used:
                yield f"{module}::{item}"


def _private(source: Path) -> Iterator[str]:
    """The items of a private module, those of the modules in it included."""
    text = source.read_text(encoding="utf-8")
    yield from _declared(text)
    for inner, _, _ in _modules(source, text):
        yield from _private(inner)


def _declared(text: str) -> Iterator[str]:
    """What a file declares itself: ``Type``, ``function``, ``Type::method``."""
    within = ""
    for line in text.splitlines():
        if found := _IMPL.match(line):
            within = found[1]
        elif found := _INLINE.match(line):
            within = found[2] if found[1] else ""
        elif found := _TYPE.match(line) or _FUNCTION.match(line):
            yield found[1]
        elif within and (found := _METHOD.match(line)):
            yield f"{within}::{found[1]}"


def _used(text: str) -> set[str]:
    """The names that a file takes from its private modules and makes public."""
    return {name for used in _USE.findall(text) for name in re.findall(r"\w+", used)}


def _modules(source: Path, text: str) -> Iterator[tuple[Path, bool, str]]:
    """The modules of a file: where they are, whether they are public, their names."""
    is_folder = source.name in {"mod.rs", "lib.rs"}
    folder = source.parent if is_folder else source.with_suffix("")
    for attributes, public, name in _MODULE.findall(text):
        if "cfg(test)" in attributes:
            continue
        inner = folder / f"{name}.rs"
        yield (inner if inner.exists() else folder / name / "mod.rs"), public == "pub ", name
