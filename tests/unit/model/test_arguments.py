"""Arguments at the door: what passes comes out as a plain float or int, what does not is named."""

from fractions import Fraction

import numpy as np
import pytest

from samara import arguments
from samara.model import ArgumentError


@pytest.mark.parametrize("value", [2, 2.0, np.float32(2), np.int16(2), np.array(2.0), Fraction(2)])
def test_numbers_become_floats(value):
    for function in (arguments.finite, arguments.positive, arguments.not_negative):
        found = function("run: step", value)
        assert type(found) is float and found == 2.0


@pytest.mark.parametrize(
    "value", ["2", None, True, np.True_, 2j, [2.0], np.array([2.0]), np.nan, np.inf, pytest.param(10**400, id="huge")]
)
def test_what_is_no_finite_number_is_named(value):
    for function in (arguments.finite, arguments.positive, arguments.not_negative):
        with pytest.raises(ArgumentError, match=r"^run: step must be a .*number.*, got "):
            function("run: step", value)


def test_signs():
    assert arguments.finite("x", -1) == -1.0
    assert arguments.not_negative("x", 0) == 0.0
    with pytest.raises(ArgumentError, match="x must be a positive number, got 0"):
        arguments.positive("x", 0)
    with pytest.raises(ArgumentError, match=r"x must be a number that is not negative, got -0\.5"):
        arguments.not_negative("x", -0.5)


@pytest.mark.parametrize("value", [3, 3.0, np.int32(3), np.uint8(3), np.float32(3)])
def test_whole_numbers_become_ints(value):
    found = arguments.whole("run: every", value)
    assert type(found) is int and found == 3


@pytest.mark.parametrize("value", [2.5, "3", None, True, np.nan, np.inf, [3]])
def test_what_is_not_whole_is_named(value):
    with pytest.raises(ArgumentError, match="run: every must be a whole number, got "):
        arguments.whole("run: every", value)


def test_least():
    with pytest.raises(ArgumentError, match="n must be at least 1, got 0"):
        arguments.whole("n", 0)
    assert arguments.whole("n", 0, least=0) == 0


def test_words():
    assert arguments.one_of("along", "time", ("loads", "time")) == "time"
    for wrong in ("tine", 1, None, ["time"]):
        with pytest.raises(ArgumentError, match="along must be one of 'loads', 'time', got "):
            arguments.one_of("along", wrong, ("loads", "time"))


def test_outputs():
    assert arguments.outputs("outputs", "a.*") == ("a.*",)
    assert arguments.outputs("outputs", ["a", "b"]) == ("a", "b")
    for empty in ((), [], {}):
        with pytest.raises(ArgumentError, match="outputs is empty: give at least one channel"):
            arguments.outputs("outputs", empty)
    for wrong in (None, 3, ["a", 3]):
        with pytest.raises(ArgumentError, match="outputs must be a name or pattern, or several, got "):
            arguments.outputs("outputs", wrong)
