"""What a function is known by: all of the user's own that it uses, and nothing of the process that it lives in."""

import dataclasses
import enum
import functools
import os
import subprocess
import sys
import threading
import types

import numpy as np
import pytest

import samara as sm
from samara.model import ArgumentError
from samara.sweep import MEASURES, ChannelMeasures, CurveMeasure, grid, sweep
from samara.sweep.storage.fingerprint import fingerprint


def digest(function) -> str:
    return fingerprint("make", function)


def closing_over(value):
    return lambda x: (x, value)


class Maker:
    """A callable object that calls its own methods."""

    def __init__(self, value):
        self.value = value

    def helper(self, x):
        return x, self.value

    def __call__(self, x):
        return self.helper(x)


class Slots:
    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value

    def __call__(self, x):
        return x, self.value


@dataclasses.dataclass(frozen=True)
class Settings:
    value: object

    def __call__(self, x):
        return x, self.value


TABLE = np.ones(3)
SCALE = 2.0


class Shared:
    scale = 1.0

    @staticmethod
    def of(x):
        return SCALE * x


def by_table(x):
    return x * TABLE.sum()


def by_class(x):
    return x * Shared.scale


def by_method(x):
    return Shared.of(x)


def by_other(x):
    return by_table(x)


HOLDERS = [
    closing_over,
    Maker,
    Slots,
    Settings,
    lambda value: functools.partial(lambda x, v: (x, v), v=value),
    lambda value: functools.partial(lambda v, x: (x, v), value),
    lambda value: Maker(value).helper,
    lambda value: lambda x, v=value: (x, v),
    lambda value: lambda x, *, v=value: (x, v),
    lambda value: closing_over(closing_over(value)),
    lambda value: closing_over([{"inside": (value,)}]),
    lambda value: closing_over(types.SimpleNamespace(value=value)),
]  # fmt: skip
VALUES = [
    ((1, 1, 2), (1, 2, 1)),
    (1, 1.0),
    (1, True),
    (0.0, -0.0),
    ("1", b"1"),
    ([1, 2], (1, 2)),
    ([[1], 2], [[1, 2]]),
    ({"a": 1, "b": 2}, {"a": 2, "b": 1}),
    ({1, 2}, {1, 3}),
    (np.ones(3), 5 * np.ones(3)),
    (np.ones(3), np.ones((3, 1))),
    (np.ones(3), np.ones(3, np.float32)),
    (np.arange(4000.0), np.where(np.arange(4000) == 2000, 0.5, np.arange(4000.0))),  # which are written alike
    (np.array([1, "a"], object), np.array([1, "b"], object)),
    (np.float64(1.0), np.float64(2.0)),
    (10**5000, 10**5000 + 1),
    (np.random.default_rng(1), np.random.default_rng(2)),
    (enum.Enum("Sort", {"A": 1}).A, enum.Enum("Sort", {"A": 2}).A),
    (lambda x: ["a" + y for y in x], lambda x: ["b" + y for y in x]),
    (lambda x: 1.0 if x else 2.0, lambda x: 2.0 if x else 1.0),
    (sm.TwoStep(0.5), sm.TwoStep(0.6)),
    (sm.LinearLaw(1.0), sm.LinearLaw(2.0)),
]


@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize(("one", "other"), VALUES, ids=range(len(VALUES)))
def test_values_that_differ_are_told_apart(holder, one, other):
    assert digest(holder(one)) != digest(holder(other))
    assert digest(holder(one)) == digest(holder(one))


def test_arrays_that_are_equal_are_the_same():
    """Whatever their order in memory, or whether one is held twice."""
    a = np.arange(6.0).reshape(2, 3)
    assert digest(closing_over(a)) == digest(closing_over(np.asfortranarray(a)))
    assert digest(closing_over((a, a))) == digest(closing_over((a, a.copy())))


@pytest.mark.parametrize(
    ("function", "name", "value"),
    [
        (by_table, "TABLE", 7 * np.ones(3)),
        (by_other, "TABLE", 7 * np.ones(3)),
        (by_other, "by_table", lambda x: x),
        (by_method, "SCALE", 3.0),
        (by_class, "Shared", types.SimpleNamespace(scale=1.0)),
    ],
)
def test_what_a_function_uses_of_its_module(monkeypatch, function, name, value):
    before = digest(function)
    monkeypatch.setitem(globals(), name, value)
    assert digest(function) != before


def test_attributes_and_methods_of_classes(monkeypatch):
    by_attribute, by_object = digest(by_class), digest(Maker(1.0))
    monkeypatch.setattr(Shared, "scale", 9.0)
    assert digest(by_class) != by_attribute
    monkeypatch.setattr(Maker, "helper", lambda self, x: x)
    assert digest(Maker(1.0)) != by_object


def test_names_that_are_not_used_do_not_matter(monkeypatch):
    """An attribute that is called like a global is no use of it; neither is a docstring."""

    def reads(results):
        return results.SCALE

    before = digest(reads)
    monkeypatch.setitem(globals(), "SCALE", 3.0)
    reads.__doc__ = "Another one."
    assert digest(reads) == before


MODULE = """
import numpy as np
FACTOR = {factor}
def scaled(x):
    return FACTOR * x
"""


def test_modules_of_the_users_own_are_looked_into(tmp_path, monkeypatch):
    """Whether a function is taken from it, or the module itself; packages that are installed are not."""

    def both(factor):
        module = types.ModuleType("mine")
        module.__file__ = str(tmp_path / "mine.py")
        exec(MODULE.format(factor=factor), vars(module))
        monkeypatch.setitem(sys.modules, "mine", module)
        return digest(lambda x: module.scaled(x)), digest(closing_over(module.scaled))

    two, three = both(2.0), both(3.0)
    assert both(2.0) == two and two[0] != three[0] and two[1] != three[1]
    before = digest(lambda x: np.linalg.norm(x))
    monkeypatch.setattr(np.linalg, "norm", lambda x: x)
    assert digest(lambda x: np.linalg.norm(x)) == before


def test_things_that_hold_themselves():
    def turning(value):
        ring = [value]
        ring.append(ring)
        return ring

    def factorial(n):
        return 1 if n < 2 else n * factorial(n - 1)

    assert digest(closing_over(turning(1))) == digest(closing_over(turning(1))) != digest(closing_over(turning(2)))
    assert digest(factorial) == digest(factorial)


def test_a_measure_that_the_user_added(monkeypatch):
    found = []
    for power in (2, 3):
        monkeypatch.setitem(MEASURES, "top", CurveMeasure(lambda t, x, p=power: float(x.max() ** p), "top"))
        found.append(digest(ChannelMeasures(("top:bob.position",))))
    assert found[0] != found[1]


def test_what_a_function_notes_for_itself_does_not_matter(study):
    """What is cached, compiled, or took another time."""

    @functools.lru_cache
    def doubled(x):
        return 2 * x

    make, _, options = study
    model = make()
    before = digest(doubled), digest(lambda: model)
    doubled(3)
    runs = [sm.transient(model, options["end"], options["step"], progress=False) for _ in "ab"]
    assert (digest(doubled), digest(lambda: model)) == before
    assert digest(closing_over(runs[0])) == digest(closing_over(runs[1]))


ZOO = """
import collections, dataclasses, enum, functools, pathlib, re
import numpy as np
import samara as sm
from samara.benchmarks.rotorcraft import damping_map
from samara.sweep.storage.fingerprint import fingerprint

class Sort(enum.Enum):
    ONE = 1

@dataclasses.dataclass
class Settings:
    names: set = dataclasses.field(default_factory=lambda: {"a", "b", "c"})
    path: pathlib.Path = pathlib.Path("here")

    @functools.cached_property
    def size(self):
        return len(self.names)

class Maker:
    sorts = frozenset(Sort)
    table = collections.defaultdict(list, a=[np.arange(3)])
    pattern = re.compile("x+")

    def __call__(self, x):
        return (x in {"p", "q", "r"}) * Settings().size, self, object, np.sin, sm.LinearLaw(1.0)

for one in (Maker(), damping_map.make, damping_map.measure):
    print(fingerprint("make", one))
"""


def test_another_process_finds_the_same(tmp_path):
    (tmp_path / "zoo.py").write_text(ZOO)
    found = set()
    for seed in "12":
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        run = subprocess.run([sys.executable, "zoo.py"], cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        found.add(run.stdout)
    assert len(found) == 1


LOCK = threading.Lock()


def locked(x):
    with LOCK:
        return x


def test_what_cannot_be_compared_is_refused_by_name(tmp_path):
    store = tmp_path / "s"
    words = r"measure uses LOCK \(lock\), which cannot be compared with that of a store: let it make one of its own"
    with pytest.raises(ArgumentError, match=words):
        sweep(lambda x: x, locked, grid(x=[1.0]), store=store, progress=False)
    with pytest.raises(ArgumentError, match=r"make uses rows \(generator\)"):
        rows = (k for k in range(3))
        sweep(lambda x: next(rows), lambda x: x, grid(x=[1.0]), store=store, progress=False)
    deep = []
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(ArgumentError, match="nested too deeply"):
        sweep(closing_over(deep), lambda x: 1.0, grid(x=[1.0]), store=store, progress=False)
    assert not store.exists()
    assert not sweep(lambda x: x, locked, grid(x=[1.0]), progress=False).failures  # without a store


def test_a_scheme_of_the_users_own_belongs_to_the_run(tmp_path):
    class Mine(sm.BDF2):
        weight = 1.0

    run = {"end": 1.0, "step": 0.1, "store": tmp_path / "s", "progress": False}
    sweep(lambda x: x, lambda x: 1.0, grid(x=[1.0]), integrator=Mine(), **run)
    sweep(lambda x: x, lambda x: 1.0, grid(x=[1.0]), integrator=Mine(), **run)
    Mine.weight = 2.0
    with pytest.raises(ArgumentError, match=r"run otherwise .integrator .*Mine "):
        sweep(lambda x: x, lambda x: 1.0, grid(x=[1.0]), integrator=Mine(), **run)
