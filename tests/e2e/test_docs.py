"""The documentation is true: its examples run and move, its figures have a maker, its lists are complete.

A block that cannot run is preceded by a line <!-- skip: REASON -->, one that stays at rest by <!-- still: REASON -->.
"""

import doctest
import importlib
import importlib.util
import re
import sys
import tomllib
import traceback
from io import StringIO
from pathlib import Path

import numpy as np
import pytest

from samara.solve.run import Run
from samara.system.memory.blocks import ETA, POSITION

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
PAGES = [page for page in PAGES if not {"_build", "_generated"} & set(page.relative_to(ROOT).parts)]
SOURCES = sorted((ROOT / "src").rglob("*.py"))

NOTE = r"<!--\s*{}:\s*(?P<reason>.*?)\s*-->"
SKIP, STILL = re.compile(NOTE.format("skip")), re.compile(NOTE.format("still"))
#: Displacement [m], turn [rad], speed or change of a state from which on something is said to move.
MOTION = 1e-6


def python_blocks(text: str, note: re.Pattern = SKIP) -> list[tuple[int, list[str], str | None]]:
    """First line (from 0), lines, and what a note before it gives as a reason, of each ```python block."""
    blocks = []
    lines = text.splitlines()
    fence = start = reason = None
    for number, line in enumerate(lines):
        opening = re.match(r"(`{3,})(\{?[\w-]*\}?)", line)
        if fence is None and opening:
            fence, language = opening.groups()
            start = number + 1 if language == "python" else None
            before = note.fullmatch(lines[number - 1].strip()) if number else None
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


@pytest.fixture
def runs(monkeypatch):
    """All runs that are begun: (simulation, its state at the start, the frames of whoever began it)."""
    begun = []
    start = Run.start

    def watched(run: Run, fresh: bool) -> None:
        start(run, fresh)
        if fresh:
            begun.append((run.sim, run.sim.state.copy(), traceback.extract_stack()))

    monkeypatch.setattr(Run, "start", watched)
    return begun


def has_moved(sim, before: np.ndarray) -> bool:
    """Whether a node is elsewhere than it was, or under way, or a scalar state is."""
    s = sim.system
    now, poses = s.arrays.state, np.arange(POSITION + 3) * s.layout.width
    nodes = np.array([s.layout.block(n) for n in s.model.nodes.values()])
    twists = (nodes[:, None] + (ETA + np.arange(6)) * s.layout.width).ravel()
    places = (nodes[:, None] + poses).ravel()
    moved = np.abs(now[places] - before[places]).max(initial=0.0)
    moved = max(moved, np.abs(s.state.difference(before)).max(initial=0.0))
    return max(moved, np.abs(now[twists]).max(initial=0.0), np.abs(s.state.twists).max(initial=0.0)) > MOTION


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
def test_examples_run_and_move(page, tmp_path, monkeypatch, runs):
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
    quiet = [(start, len(lines)) for start, lines, reason in python_blocks(page.read_text("utf-8"), STILL) if reason]
    for sim, before, stack in runs:
        line = next((frame.lineno for frame in reversed(stack) if frame.filename == str(source)), 0)
        if not any(start < line <= start + count for start, count in quiet):
            assert has_moved(sim, before), f"{label(page)}, line {line}: nothing moves in model {sim.model.name!r}"


@pytest.mark.parametrize("path", [p for p in SOURCES if ">>> " in p.read_text("utf-8")], ids=label)
def test_examples_in_docstrings_run(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    parts = path.relative_to(ROOT / "src").with_suffix("").parts
    module = importlib.import_module(".".join(part for part in parts if part != "__init__"))
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize("page", PAGES, ids=label)
def test_skipped_and_still_examples_say_why(page):
    for note, word in ((SKIP, "skip"), (STILL, "still")):
        empty = [start for start, _, reason in python_blocks(page.read_text("utf-8"), note) if reason == ""]
        assert not empty, f"state the reason in <!-- {word}: REASON --> before lines {empty}"


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
    # kept: they need a browser
    taken = {f"docs/figures/panel/{name}.png" for name in sys.modules["panel"].SUBJECTS}
    taken |= {f"docs/figures/animation/{name}.png" for name in sys.modules["animation"].PAGES}
    used = {}
    for page in PAGES:
        text = page.read_text("utf-8")
        for target in re.findall(r"!\[[^\]]*\]\(([^)\s]+)|```\{(?:figure|image)\}\s+(\S+)", text):
            used.setdefault("".join(target), label(page))
    for target, page in used.items():
        if target in taken:
            continue
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
