"""What the book says of Python is run: the notebook, the code on its pages, the page of the API."""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import re
from pathlib import Path
from typing import Any

import api_page
import pytest
from models import ROOT

BOOK = ROOT / "book"
BLOCK = re.compile(r"<!-- (python|file)(?: (\S+))? -->\n```\w+\n(.*?)```", re.DOTALL)


@pytest.mark.parametrize("page", ["README.md", "book/python.md", "book/coming-from.md"])
def test_the_code_of_a_page_runs(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blocks below ``<!-- python -->``, all in one namespace, those below ``<!-- python scipy -->``
    if there is SciPy; a block below ``<!-- file x -->`` is the file x."""
    pytest.importorskip("matplotlib").use("Agg")
    for folder in ("robots", "scenarios"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    ran = 0
    for what, which, code in BLOCK.findall((ROOT / page).read_text(encoding="utf-8")):
        if what == "file":
            Path(which).write_text(code, encoding="utf-8")
        elif not which or importlib.util.find_spec(which):
            exec(compile(code, page, "exec"), names)
            ran += 1
    assert ran > 0


def test_the_notebook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its cells run in one namespace, without Jupyter's kernel, which would bring thirty packages
    and a process; what they end with is shown as Jupyter would."""
    plt = pytest.importorskip("matplotlib.pyplot")
    plt.switch_backend("Agg")
    plt.close("all")
    monkeypatch.chdir(tmp_path)
    notebook = json.loads((BOOK / "tutorial.ipynb").read_text(encoding="utf-8"))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    names: dict[str, Any] = {}
    pictures = 0
    for cell in notebook["cells"]:
        code = "".join(cell["source"])
        if cell["cell_type"] != "code":
            continue
        assert cell["outputs"] == [] and cell["execution_count"] is None
        tree = ast.parse(code, cell["id"])
        last = tree.body[-1] if isinstance(tree.body[-1], ast.Expr) else None
        if last is not None and not code.rstrip().endswith(";"):
            tree.body.pop()
            exec(compile(tree, cell["id"], "exec"), names)
            shown = eval(compile(ast.Expression(last.value), cell["id"], "eval"), names)
            if hasattr(shown, "_repr_html_"):
                assert shown._repr_html_().startswith("<")
        else:
            exec(compile(tree, cell["id"], "exec"), names)
        pictures += len(plt.get_fignums())
        plt.close("all")
    assert pictures == 4


def test_the_page_of_the_api_is_kept() -> None:
    """``PLIANT_BLESS=1`` writes the page anew."""
    path = BOOK / "python-api.md"
    page = api_page.page()
    if "PLIANT_BLESS" in os.environ:
        path.write_text(page, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == page, f"{path} is not what the docstrings say"
    assert "| `period` | `float \\| None` | `None` | The sampling period (s); " in page
    assert "- `mass_matrix(q, *, out=None)`: The mass matrix `M(q)` (kg m², kg m, kg), " in page
