"""The cache of the compiled driver: whole under two processes, never the reason of a failure."""

import errno
import json
import os
import pickle
import subprocess
import sys
import tempfile
import textwrap
from typing import NamedTuple

import numpy as np
import pytest
from numba import typeof, types
from numba.core.errors import NumbaError

from samara.tracing.driver import driver_cache, stored
from samara.tracing.driver.reference import ReferenceType
from samara.tracing.driver.struct import Struct


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A directory for the driver of one test."""
    monkeypatch.setenv("SAMARA_CACHE", str(tmp_path / "cache"))
    return driver_cache._place().path


def add_twice(a, b):
    for k in range(a.size):
        a[k] += 2.0 * b
    return a.sum()


def works() -> tuple[int, int]:
    """Compiles or loads the function anew, runs it; (hits, misses) of the cache."""
    function = driver_cache.driver(add_twice)
    assert function(np.ones(3), 4.0) == 27.0
    return sum(function.stats.cache_hits.values()), sum(function.stats.cache_misses.values())


def test_a_function_is_compiled_once(place):
    assert works() == (0, 1)
    assert works() == (1, 0)
    assert len(list(place.iterdir())) == 1


def test_each_signature_has_its_own_file(place):
    function = driver_cache.driver(add_twice)
    function(np.ones(3), 4.0)
    function(np.ones(3, np.float32), 4.0)
    assert len(list(place.glob("*.driver"))) == 2


def test_the_gil_is_released(place):
    assert driver_cache.driver(add_twice).targetoptions["nogil"] is True


@pytest.mark.parametrize(
    "damage", [lambda d: d[:100], lambda d: b"", lambda d: d[:-5] + b"12345"], ids=["short", "empty", "bits"]
)
def test_a_damaged_file_is_made_again(damage, place):
    works()
    (file,) = place.glob("*.driver")
    file.write_bytes(damage(file.read_bytes()))
    assert works() == (0, 1)
    assert works() == (1, 0)


def test_a_sound_file_that_cannot_be_used_is_made_again(place):
    works()
    (file,) = place.glob("*.driver")
    function = driver_cache.driver(add_twice)
    (sig,) = _signatures(function)
    key = function._cache._key(sig, function.targetctx.codegen())
    driver_cache.cache.write_file(driver_cache._place(), file.name, key, {}, b"no function")
    assert works() == (0, 1)
    assert works() == (1, 0)


def _signatures(function):
    function(np.ones(1), 1.0)
    return function.signatures


@pytest.mark.parametrize("error", [errno.EROFS, errno.ENOSPC])
def test_a_directory_that_cannot_be_written_costs_a_compilation_only(error, place, monkeypatch):
    def refuse(*args, **kwargs):
        raise OSError(error, os.strerror(error))

    monkeypatch.setattr(os, "replace", refuse)
    assert works() == (0, 1)
    assert works() == (0, 1)
    assert list(place.iterdir()) == []


def test_no_directory_costs_a_compilation_only(monkeypatch):
    monkeypatch.setattr(driver_cache, "_place", lambda: None)
    assert works() == (0, 1)
    assert works() == (0, 1)


def test_a_directory_tidied_away_is_made_again(place):
    works()
    for file in place.iterdir():
        file.unlink()
    place.rmdir()
    assert works() == (0, 1)
    assert works() == (1, 0)


# ---- plain data
class Clock(Struct):
    time: float = 0.0
    event: bool = False


class Pair(NamedTuple):
    first: float
    second: np.ndarray


KINDS = [
    types.int64, types.uint8, types.float32, types.boolean, types.none, types.voidptr,
    types.literal(7),
    types.Array(types.float64, 2, "C", readonly=True),
    types.Array(types.int32, 1, "A", aligned=False),
    types.CPointer(types.float64),
    types.UniTuple(types.int64, 3),
    types.Tuple([types.float64, types.boolean]),
    Clock._numba_type_,
    typeof(Pair(1.0, np.ones(2))),
    ReferenceType("Both", (("clock", Clock._numba_type_), ("rows", types.Array(types.float64, 1, "C")))),
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_types_are_plain_data(kind):
    text = stored.type_text(kind)
    assert isinstance(json.loads(text), str | list)
    stored.type_of.cache_clear()
    assert stored.type_of(text) == kind and str(stored.type_of(text)) == str(kind)


@pytest.mark.parametrize("text", ['"os"', '["call", "os.system"]', '["named", "os", "system", []]', "5"])
def test_what_is_no_type_is_refused(text):
    with pytest.raises((ValueError, KeyError)):
        stored.type_of(text)


def test_what_is_read_back_is_not_unpickled(place, monkeypatch):
    """A pickle runs what it holds by being read."""
    assert works() == (0, 1)

    def never(*args, **kwargs):
        raise AssertionError("something was unpickled")

    for name in ("load", "loads", "Unpickler"):
        monkeypatch.setattr(pickle, name, never)
    assert works() == (1, 0)


# ---- directories
def test_what_was_not_used_for_long_is_tidied_away(fresh_cache, monkeypatch):
    monkeypatch.setattr(driver_cache, "_KEPT", 3)
    mine = driver_cache._place().path
    assert mine == fresh_cache / "driver"
    assert mine.stat().st_mode & 0o777 == 0o700
    for age in range(8):
        old = mine / f"{age}.driver"
        old.write_bytes(b"")
        os.utime(old, (1e9 - age, 1e9 - age))
    (fresh_cache / "some.kernel").write_bytes(b"")
    works()
    left = sorted(p.name for p in mine.glob("?.driver"))
    assert left == ["0.driver", "1.driver"]
    assert (fresh_cache / "some.kernel").exists()


def test_a_function_in_use_stays_young(place):
    works()
    (file,) = place.glob("*.driver")
    os.utime(file, (1e9, 1e9))
    works()
    assert file.stat().st_mtime > 1e9 + 1


def test_no_place_is_no_failure(tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("SAMARA_CACHE", str(blocked))
    monkeypatch.setattr(tempfile, "tempdir", str(blocked))
    assert driver_cache._place() is None


# ---- two processes
MODULE = """
    import numpy as np
    from samara.tracing.driver.driver_cache import driver

    @driver
    def inner(a):
        return a.sum()

    @driver
    def outer(a, k):
        return k * inner(a) + 2.0 * inner(a)
"""
SCRIPT = """
    import sys
    import numpy as np
    from drive import outer
    sys.stdin.read()
    print(outer(np.ones(3), 2.0), outer(np.ones(3), 2), sum(outer.stats.cache_hits.values()))
"""


def test_processes_that_compile_at_once_do_not_disturb_each_other(fresh_cache, tmp_path):
    (tmp_path / "drive.py").write_text(textwrap.dedent(MODULE))

    def start() -> subprocess.Popen:
        path = os.pathsep.join([str(tmp_path), *sys.path])
        return subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(SCRIPT)], env={**os.environ, "PYTHONPATH": path},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    processes = [start() for _ in range(2)]
    results = [p.communicate("go") for p in processes]
    assert [p.returncode for p in processes] == [0, 0], results
    assert all(out.split()[:2] == ["12.0", "12.0"] for out, _ in results)
    last = start()
    assert last.communicate("go")[0].split() == ["12.0", "12.0", "2"]
    assert not list(fresh_cache.rglob(".writing-*"))


def test_a_driver_cannot_allocate(fresh_cache):
    def doubled(a):
        return (2.0 * a).sum()

    with pytest.raises(NumbaError, match="NRT required"):
        driver_cache.driver(doubled)(np.ones(3))


NESTED = """
    import numpy as np
    from samara.tracing.driver.driver_cache import driver, inner, linked, routine

    @inner
    def twice(a):
        return 2.0 * a

    @routine
    def leaf(a):
        return twice(a) + {leaf}

    @linked
    def middle(a):
        return 10.0 * leaf(a)

    @driver
    def root(a):
        return middle(a) + {root}

    print(root(1.0), twice(3.0), leaf(1.0))
"""


def test_what_is_loaded_for_a_function_that_is_compiled_is_whole(fresh_cache):
    """A root that changed takes its leaf from the cache; parts and routines can be called from Python too."""
    for leaf, root, found in ((0.0, 0.0, "20.0 6.0 2.0"), (0.0, 1.0, "21.0 6.0 2.0"), (5.0, 1.0, "71.0 6.0 7.0")):
        script = textwrap.dedent(NESTED).format(leaf=leaf, root=root)
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
        assert done.stdout.strip() == found, done.stderr
