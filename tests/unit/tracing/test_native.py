"""What a kernel's key depends on, and how many lanes it has."""

import numpy as np
import pytest

from samara.tracing import Expr, Graph
from samara.tracing.kernels import native
from samara.tracing.kernels.lanes import Function, Place, Shape


@pytest.fixture
def fresh_machine():
    """Forgets what is remembered about the machine, before and after."""

    def forget() -> None:
        for remembered in (native._maker, native._features, native.native_width):
            remembered.cache_clear()

    forget()
    yield forget
    forget()


def functions(factor: float = 2.0, name: str = "f", place: int = 0, extra: bool = False) -> list[Function]:
    graph = Graph()
    x = Expr(graph, graph.input(Place("lane", 0, 0)))
    if extra:
        np.exp(x) * 17.0
    return [Function(name, graph, [(Place("lane", 0, place), (np.sin(x) * factor).id)])]


def key(*args, width: int = 4, block: int = 1, **kwargs) -> str:
    return native.fingerprint(functions(*args, **kwargs), width, Shape(block=block))


def test_equal_kernels_have_equal_keys():
    assert key() == key()
    assert key() == key(extra=True)  # what is not used does not matter


@pytest.mark.parametrize(
    "other",
    [
        {"factor": 2.0 + 1e-15},
        {"name": "g"},
        {"place": 1},
        {"width": 8},
        {"block": 2},
    ],
    ids=lambda d: next(iter(d)),
)
def test_any_difference_makes_another_key(other):
    assert key(**other) != key()


def test_orders_of_derivatives_make_a_difference():
    keys = set()
    for order in range(4):
        graph = Graph()
        x, table = (graph.input(Place("lane", 0, i)) for i in range(2))
        outputs = [(Place("lane", 0, 2), graph.table1(x, table, order))]
        keys.add(native.fingerprint([Function("f", graph, outputs)], 4, Shape(block=3)))
    assert len(keys) == 4


def test_functions_of_two_graphs_are_told_apart():
    a, b = functions(2.0, "a"), functions(3.0, "b")
    swapped = [Function("a", b[0].graph, b[0].outputs), Function("b", a[0].graph, a[0].outputs)]
    assert native.fingerprint(a + b, 4, Shape(block=1)) != native.fingerprint(swapped, 4, Shape(block=1))


@pytest.mark.parametrize(
    ("what", "value"),
    [
        ("llvm.get_host_cpu_name", lambda: "some-other-cpu"),
        ("llvm.get_process_triple", lambda: "aarch64-unknown-linux-gnu"),
        ("__version__", "99.0"),
        ("llvmlite.__version__", "99.0"),
    ],
)
def test_another_machine_or_version_makes_another_key(what, value, fresh_machine, monkeypatch):
    before = key()
    monkeypatch.setattr(f"samara.tracing.kernels.native.{what}", value)
    fresh_machine()
    assert key() != before


def test_other_features_of_the_cpu_make_another_key(fresh_machine, monkeypatch):
    before = key()
    monkeypatch.setattr(native, "_features", lambda: "+none")
    native._maker.cache_clear()
    changed = key()
    monkeypatch.undo()
    assert changed != before


@pytest.mark.parametrize("lanes", ["1", "2", "4", "8", "16"])
def test_lanes_can_be_chosen(lanes, fresh_machine, monkeypatch):
    monkeypatch.setenv("SAMARA_LANES", lanes)
    assert native.native_width() == int(lanes)


@pytest.mark.parametrize("lanes", ["3", "0", "-4", "four", "4.0", " 4", "32"])
def test_other_lanes_are_refused(lanes, fresh_machine, monkeypatch):
    monkeypatch.setenv("SAMARA_LANES", lanes)
    with pytest.raises(ValueError, match=f"SAMARA_LANES={lanes}: choose 1, 2, 4, 8 or 16"):
        native.native_width()


def test_the_cpu_decides_otherwise(fresh_machine, monkeypatch):
    monkeypatch.delenv("SAMARA_LANES", raising=False)
    for features, width in (({"avx": True, "avx512f": True}, 4), ({"avx": True}, 4), ({}, 2)):
        monkeypatch.setattr(native.llvm, "get_host_cpu_features", lambda found=features: found)
        fresh_machine()
        assert native.native_width() == width
    monkeypatch.undo()


@pytest.mark.parametrize("level", ["0", "1", "2", "3"])
def test_levels_of_optimisation_give_the_same_numbers(level, evaluate, inputs, monkeypatch):
    """Of a sum of many products, sines and a quotient; each level has a key of its own."""
    monkeypatch.delenv("SAMARA_OPTIMISATION", raising=False)
    usual = key()
    monkeypatch.setenv("SAMARA_OPTIMISATION", level)
    assert (key() == usual) == (level == "2")
    graph, x = inputs(3)
    value = sum(np.sin(k * x[0]) * x[1] ** k for k in range(1, 9)) / (2.0 + np.cos(x[2]))
    points = np.random.default_rng(3).uniform(-1.0, 1.0, (9, 3))
    expected = sum(np.sin(k * points[:, 0]) * points[:, 1] ** k for k in range(1, 9)) / (2.0 + np.cos(points[:, 2]))
    found = evaluate(graph, [value.id], points, 4)
    np.testing.assert_allclose(found[:, 0], expected, rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("level", ["-1", "4", "O2", "2.0"])
def test_other_levels_of_optimisation_are_refused(level, monkeypatch):
    monkeypatch.setenv("SAMARA_OPTIMISATION", level)
    with pytest.raises(ValueError, match=f"SAMARA_OPTIMISATION={level}: choose 0, 1, 2 or 3"):
        native.optimisation()


def test_impossible_widths_are_refused():
    with pytest.raises(ValueError, match="cannot have 3 lanes"):
        native.load("test", functions(), 3, Shape(block=1))


def test_sixteen_lanes_work(evaluate, inputs):
    graph, (x,) = inputs(1)
    points = np.linspace(0, 1, 20)[:, None]
    np.testing.assert_allclose(evaluate(graph, [np.cos(x).id], points, 16), np.cos(points), rtol=1e-14)
