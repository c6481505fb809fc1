"""Sphinx configuration: Markdown pages, figures made on the spot, an API page for each folder."""

import importlib.metadata
import runpy
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "_ext"))

project = "Samara"
author = "The Samara developers"
copyright = f"2026, {author}"
version = release = importlib.metadata.version("samara")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "mathml",
    "plain_docstrings",
    "one_tree",
]
html_math_renderer = "mathml"
html_search_scorer = str(HERE / "_search" / "order.js")
myst_enable_extensions = ["dollarmath", "deflist"]
myst_heading_anchors = 3
exclude_patterns = ["_build", "_generated/features.md"]  # the latter is part of a page
suppress_warnings = ["config.cache", "ref.python"]  # two modules may each have their own Table

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_mock_imports = ["exudyn", "mujoco", "pinocchio"]  # optional peers: their absence is no error here
# An object is shown once, in the module that defines it.
autodoc_default_options = {"members": True, "show-inheritance": True, "ignore-module-all": True}

# The tree of pages is laid out anew for each page and each source file: it holds pages, not every class and function.
toc_object_entries = False

html_theme = "furo"
html_title = "Samara"
html_show_sourcelink = False


def make_figures(app):
    """Draw every figure into _generated/figures."""
    runpy.run_path(str(HERE / "figures" / "make.py"))["make"]([])


def write_api_pages(app):
    """Write one page for each folder of the package that has content, in the order of the house."""
    import samara

    package = Path(samara.__file__).parent
    folder = HERE / "_generated" / "api"
    folder.mkdir(parents=True, exist_ok=True)
    pages = {"samara": ["samara"]}
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package).with_suffix("").parts
        if path.parent == package and path.stem.startswith("__"):
            continue
        if any(part.startswith("_") and part != "__init__" for part in parts):
            continue
        module = ".".join(["samara", *(part for part in parts if part != "__init__")])
        pages.setdefault(f"samara.{parts[0]}", []).append(module)
    for old in folder.glob("*.md"):
        if old.stem not in pages:
            old.unlink()
    for page, modules in pages.items():
        text = f"# {page}\n"
        for module in sorted(modules):
            heading = f"\n## {module}\n" if module != page else ""
            text += f"{heading}\n```{{eval-rst}}\n.. automodule:: {module}\n```\n"
        target = folder / f"{page}.md"
        if not target.exists() or target.read_text("utf-8") != text:
            target.write_text(text, "utf-8")


def write_feature_matrix(app):
    """Write the tables of validation/features.md, as the tests have them."""
    folder = HERE.parent / "tests" / "invariance"
    sys.path.insert(0, str(folder))
    text = runpy.run_path(str(folder / "matrix.py"))["page"]()
    sys.path.remove(str(folder))
    target = HERE / "_generated" / "features.md"
    if not target.exists() or target.read_text("utf-8") != text:
        target.write_text(text, "utf-8")


def setup(app):
    """Make what the pages include before they are read."""
    app.connect("builder-inited", make_figures)
    app.connect("builder-inited", write_api_pages)
    app.connect("builder-inited", write_feature_matrix)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
