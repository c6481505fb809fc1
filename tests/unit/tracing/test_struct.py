"""Structs: the same numbers in Python and in native code, in one block."""

import math

import numpy as np
import pytest

from samara.solve.native.records import StepMemory, StepSettings
from samara.tracing.driver.driver_cache import routine
from samara.tracing.driver.struct import Struct


class Inner(Struct):
    size: float = 2.5
    count: int
    on: bool = True


class Outer(Struct):
    before: int = -3
    inner: Inner
    after: float = math.inf


@routine
def turn_over(outer):
    inner = outer.inner
    found = outer.before, inner.size, inner.count, inner.on, outer.after
    outer.before = inner.size * 4.0  # a whole number stays one
    inner.count += 7
    inner.on = not inner.on
    outer.after = inner.count
    return found


def test_native_code_reads_and_writes_what_python_does():
    outer = Outer()
    assert turn_over(outer) == (-3, 2.5, 0, True, math.inf)
    assert (outer.before, outer.inner.count, outer.inner.on, outer.after) == (10, 7, False, 7.0)
    outer.inner.size, outer.inner.on = -0.75, True
    assert turn_over(outer) == (10, -0.75, 7, True, 7.0)
    assert (outer.before, outer.inner.count) == (-3, 14)


def test_types_are_kept():
    outer = Outer()
    turn_over(outer)
    assert [type(x) for x in (outer.before, outer.inner.on, outer.after)] == [int, bool, float]


def test_a_copy_of_the_words_is_a_copy_of_all():
    outer, other = Outer(), Outer()
    turn_over(outer)
    other.words[:] = outer.words
    assert (other.before, other.inner.count, other.inner.on) == (10, 7, False)
    assert other.inner.words.base is other.words or np.shares_memory(other.inner.words, other.words)


def test_paths_name_every_word_once():
    for kind in (Outer, StepMemory, StepSettings):
        assert sorted(kind.paths().values()) == list(range(len(kind().words)))
    assert Outer.paths()["inner.on"] == 3


def test_an_unknown_name_is_refused():
    with pytest.raises(AttributeError, match="Outer has no number 'befor'"):
        Outer().befor = 1
    with pytest.raises(AttributeError, match="Outer has no number 'inner'"):
        Outer().inner = Inner()  # a part of the block cannot be another's
    with pytest.raises(AttributeError, match="Inner has no number 'sise'"):
        Inner(sise=1.0)
