"""The documentation is true: its examples run, its figures have a maker, its lists are complete.

A block that cannot run is preceded by a line <!-- skip: REASON -->.
"""

import doctest
import importlib
import importlib.util
import re
import sys
import tomllib
from io import StringIO
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
PAGES = [page for page in PAGES if not {"_build", "_generated"} & set(page.relative_to(ROOT).parts)]
SOURCES = sorted((ROOT / "src").rglob("*.py"))

SKIP = re.compile(r"<!--\s*skip:\s*(?P<reason>.*?)\s*-->")


def python_blocks(text: str) -> list[tuple[int, list[str], str | None]]:
    """First line (from 0), lines, and reason to skip of each ```python block."""
    blocks = []
    lines = text.splitlines()
    fence = start = reason = None
    for number, line in enumerate(lines):
        opening = re.match(r"(`{3,})(\{?[\w-]*\}?)", line)
        if fence is None and opening:
            fence, language = opening.groups()
            start = number + 1 if language == "python" else None
            before = SKIP.fullmatch(lines[number - 1].strip()) if number else None
            reason = before["reason"] if before else None
        elif fence is not None and line.strip() == fence:
            if start is not None:
                blocks.append((start, lines[start:number], reason))
            fence = None
    return blocks


def runnable(text: str) -> str:
    """The blocks as one Python source in which every line keeps its number on the page."""
    source = [""] * len(text.splitlines())
    for start, lines, reason in python_blocks(text):
        if reason is None:
            source[start : start + len(lines)] = lines
    return "\n".join(source) + "\n"


def load(path: Path, name: str):
    """Import a file under a name, as a real module: its classes and sources can be looked up."""
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def label(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", [p for p in PAGES if runnable(p.read_text("utf-8")).strip()], ids=label)
def test_examples_run(page, tmp_path, monkeypatch):
    plt = pytest.importorskip("matplotlib.pyplot")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(plt, "show", lambda *args, **kwargs: None)
    name = "example_" + re.sub(r"\W", "_", label(page))
    source = tmp_path / f"{name}.py"
    source.write_text(runnable(page.read_text("utf-8")), encoding="utf-8")
    try:
        load(source, name)
    finally:
        plt.close("all")
        sys.modules.pop(name, None)


@pytest.mark.parametrize("path", [p for p in SOURCES if ">>> " in p.read_text("utf-8")], ids=label)
def test_examples_in_docstrings_run(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    parts = path.relative_to(ROOT / "src").with_suffix("").parts
    module = importlib.import_module(".".join(part for part in parts if part != "__init__"))
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize("page", PAGES, ids=label)
def test_skipped_examples_say_why(page):
    empty = [start for start, _, reason in python_blocks(page.read_text("utf-8")) if reason == ""]
    assert not empty, f"state the reason in <!-- skip: REASON --> before lines {empty}"


def test_blocks_are_found():
    page = "a\n```python\nx = 1\n```\n<!-- skip: needs a rig -->\n```python\nx = 2\n```\n```text\nno\n```\n"
    assert python_blocks(page) == [(2, ["x = 1"], None), (6, ["x = 2"], "needs a rig")]
    assert runnable(page).splitlines()[2] == "x = 1"
    assert "x = 2" not in runnable(page)


def test_the_readme_model_is_short():
    (_, first, _), *_ = python_blocks((ROOT / "README.md").read_text("utf-8"))
    code = [line for line in first if line.strip()]
    assert len(code) < 20
    assert any("plot" in line for line in code)


def test_every_figure_is_made_by_a_command():
    made = set(load(DOCS / "figures" / "make.py", "docs_figures").FIGURES)
    used = {}
    for page in PAGES:
        text = page.read_text("utf-8")
        for target in re.findall(r"!\[[^\]]*\]\(([^)\s]+)|```\{(?:figure|image)\}\s+(\S+)", text):
            used.setdefault("".join(target), label(page))
    for target, page in used.items():
        path = Path(target)
        assert path.parent.as_posix().endswith("_generated/figures"), f"{page}: {target} has no maker"
        assert path.stem in made, f"{page}: no function in docs/figures/make.py makes {target}"
    unused = made - {Path(target).stem for target in used}
    assert not unused, f"made but on no page: {sorted(unused)}"


def test_every_dependency_is_justified():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    wanted = {re.match(r"[\w-]+", requirement)[0] for group in groups for requirement in group}
    page = (DOCS / "dependencies.md").read_text("utf-8")
    assert set(re.findall(r"^\| `([\w-]+)` \|", page, re.MULTILINE)) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "p_WB and R_ with *one star, |x|, a `code_` and an odd ` backtick.",
        "n_k = a2 n_{k-2}\\n",
        "A heading\n---------\nx : float\n    mass [kg]",
        "Terms:\n    a * b_\n  c\n        d",
        "- one *\n  goes on\n- two_",
        "1. first\n3. third\n\n:kind: not a field\n\n.. not:: a directive",
        "| a | b |\n| --- | --- |",
        "    all indented\n\nthen not",
        ">>> 1 + 1\n2",
        "Ends in colons::\n\n   x_\n\nand on.",
        "",
    ],
)
def test_docstrings_are_plain_text(text):
    docutils_core = pytest.importorskip("docutils.core")
    to_rst = load(DOCS / "_ext" / "plain_docstrings.py", "plain_docstrings").to_rst
    rst = "\n".join(to_rst(text.split("\n")))
    complaints = StringIO()
    settings = {"warning_stream": complaints, "report_level": 1}
    tree = docutils_core.publish_doctree(rst, settings_overrides=settings)
    assert complaints.getvalue() == ""
    assert re.findall(r"\w+", tree.astext()) == re.findall(r"\w+", text)
