"""The page of the package runs."""

import re

from models import ROOT


def test_the_page_runs() -> None:
    text = (ROOT / "crates/pliant-py/README.md").read_text()
    (block,) = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    names: dict[str, object] = {}
    exec(block, names)
    assert getattr(names["ud"], "shape") == (100_000, 3)
