"""Which variants there are: all combinations, those listed, or spread evenly over ranges."""

import itertools

import numpy as np
import pytest

from samara.model import ArgumentError
from samara.sweep import grid, latin_hypercube, listed, variants
from samara.sweep.variants import key_of


def test_a_grid_has_every_combination_once():
    variants = grid(damping=[0.1, 0.2], speed=np.linspace(60.0, 90.0, 4), blades=[3])
    wanted = [(d, s, 3) for d, s in itertools.product((0.1, 0.2), (60.0, 70.0, 80.0, 90.0))]
    assert [tuple(v.values()) for v in variants] == wanted
    assert all(type(v["speed"]) is float and type(v["blades"]) is int for v in variants)


def test_names_that_are_no_python_names():
    assert grid({"spring.stiffness": [1.0]}, b=[True]).names == ("spring.stiffness", "b")


def test_a_variant_is_known_by_its_values_in_any_order():
    a, b = grid(x=[1, 2], y=["a"]), listed([{"y": "a", "x": 2.0}, {"y": "a", "x": 1.0}])
    assert a.keys == b.keys[::-1]
    assert grid(x=[True]).keys != grid(x=[1]).keys  # whether, and how many


def test_what_a_grid_costs_goes_with_its_values(monkeypatch):
    """Not with their square, which is minutes for ten thousand."""
    calls = []
    monkeypatch.setattr(variants, "key_of", lambda values: calls.append(1) or key_of(values))
    assert len(grid(x=np.linspace(0.0, 1.0, 1000))) == 1000 and len(calls) == 1000


def test_a_hypercube_has_one_variant_in_each_stratum(rng):
    count, ends = 20, {"damping": (0.1, 0.5), "speed": (-60.0, 90.0)}
    variants = latin_hypercube(count, ends, seed=7)
    for name, (low, high) in ends.items():
        strata = np.floor((np.array([v[name] for v in variants]) - low) / (high - low) * count)
        assert sorted(strata.tolist()) == list(range(count))
    assert variants == latin_hypercube(count, ends, seed=7) != latin_hypercube(count, ends, seed=8)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: grid(), "no parameter is given"),
        (lambda: grid(speed=[]), "grid: speed has no values"),
        (lambda: grid(speed=3.0), "grid: speed must be a list of values"),
        (lambda: grid(speed="fast"), "grid: speed must be a list of values"),
        (lambda: grid(speed=[1.0, np.nan]), "grid: speed must be a finite number"),
        (lambda: grid(speed=[1.0, 1]), "grid: speed has the value 1 twice"),
        (lambda: grid(speed=[1.0, "a"]), "grid: speed mixes numbers and texts"),
        (lambda: grid(cause=[1.0]), "results have 'cause' for themselves"),
        (lambda: grid({"a/b": [1.0]}), "'a/b' is no name of a parameter"),
        (lambda: listed([]), "no variant is given"),
        (lambda: listed(None), "give a list with a dictionary of values for each variant, got None"),
        (lambda: listed({"a": 1.0}), "give a list with a dictionary of values for each variant, got {'a'"),
        (lambda: listed([3.0]), "variant 0 must be a dictionary"),
        (lambda: listed([{"a": 1.0}, {"b": 1.0}]), "variant 1 differs from the first in 'a'"),
        (lambda: listed([{"a": 1.0}, {"a": 1}]), "variants 0 and 1 are the same"),
        (lambda: listed([{"a": [1.0, 2.0]}]), "a of variant 0 must be a finite number"),
        (lambda: grid(a=range(2000), b=range(2000)), "grid: 4,000,000 are more variants"),
        (lambda: latin_hypercube(10**12, a=(0, 1)), "latin_hypercube: 1,000,000,000,000 are more variants"),
        (lambda: latin_hypercube(0, a=(0, 1)), "count must be at least 1"),
        (lambda: latin_hypercube(4, a=(1, 0)), "a must go upward"),
        (lambda: latin_hypercube(4, a=2.0), "a must be a range"),
        (lambda: latin_hypercube(4, a=(0, np.inf)), "highest a must be a finite number"),
    ],
)
def test_what_is_wrong_is_named(make, words):
    with pytest.raises(ArgumentError, match=words):
        make()
