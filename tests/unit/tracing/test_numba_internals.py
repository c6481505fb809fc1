"""Private names of Numba are in one file, and its bounds are those of the package."""

import re

import numba

from samara.tracing.driver import numba_internals

PRIVATE = re.compile(r"^\s*(from numba\.(core|np)\b|from numba\.extending import .*\b_)", re.MULTILINE)


def test_private_names_are_imported_in_one_file_alone(root):
    package = root / "src" / "samara"
    found = [path for path in package.rglob("*.py") if PRIVATE.search(path.read_text(encoding="utf-8"))]
    assert [path.name for path in found] == ["numba_internals.py"]


def test_the_bounds_are_the_versions_that_were_tried(root):
    (major, first), (_, last) = numba_internals.TESTED
    text = (root / "pyproject.toml").read_text(encoding="utf-8")
    assert f'"numba>={major}.{first},<{major}.{last + 1}"' in text
    here = tuple(map(int, numba.__version__.split(".")[:2]))
    assert (major, first) <= here <= (major, last)


def test_a_member_that_is_missing_is_named(monkeypatch):
    monkeypatch.delattr(numba_internals.CompileResult, "_reduce")
    assert numba_internals.missing() == ["CompileResult._reduce"]
