"""Checks that `formulate` returns the right number of the right things before they enter the equations."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.model import Contribution, Element, ModelError, Output, Touch
from samara.model.equations import governed
from samara.model.quantities.returned_values import is_number, shown

#: Sums over the whole model: kinetic and potential energy [J], dissipated and supplied power [W].
TOTALS = ("kinetic", "potential", "dissipated", "supplied")


def check(element: Element, given: Any, multipliers: int) -> Contribution:
    """Contribution of an element with the given number of multipliers; raises a `ModelError` if it is invalid."""
    who, count, states = type(element).__name__, len(element.nodes()), len(governed(element))
    if not isinstance(given, Contribution):
        raise ModelError(f"{who}: formulate must return a Contribution, got {type(given).__name__}")
    if given.wrenches is None or is_number(given.wrenches):
        raise ModelError(f"{who}: formulate must give wrenches, a list of six numbers for each of its {count} nodes")
    shapes = [np.shape(w) for w in given.wrenches]
    if shapes and shapes != [(6,)] * count:
        raise ModelError(f"{who}: formulate must give six numbers for each of its {count} nodes, got shapes {shapes}")
    balances = len(given.balances) if np.ndim(given.balances) else -1
    if balances != states:
        found = balances if balances >= 0 else "no list"
        raise ModelError(
            f"{who}: formulate must give one balance for each of its {states} states, got {found}; a state that it "
            "only reads is declared by reads() in the place of state(), and has none"
        )
    held, rates = _numbers(who, "constraints", given.constraints), _numbers(who, "rates", given.rates)
    if given.touch is not None:
        _check_touch(who, given, held + rates, multipliers)
    elif held + rates != multipliers:
        raise ModelError(
            f"{who}: as many constraints as multipliers are needed, got {held} constraints and {rates} rates for "
            f"{multipliers} multipliers"
        )
    if given.clearance is not None and _numbers(who, "clearance", given.clearance) != 2:
        raise ModelError(f"{who}: clearance must be a gap and its rate, got {shown(given.clearance)}")
    for name in TOTALS:
        if not is_number(getattr(given, name)):
            raise ModelError(f"{who}: {name} must be one number, got {shown(getattr(given, name))}")
    _check_outputs(who, given.outputs)
    return given


def _check_touch(who: str, given: Contribution, held: int, multipliers: int) -> None:
    touch = given.touch
    if not isinstance(touch, Touch):
        raise ModelError(f"{who}: touch must be a Touch(gap, speeds, friction, restitution), got {shown(touch)}")
    speeds = _numbers(who, "speeds of its touch", touch.speeds)
    if held or speeds not in (1, 3) or multipliers != speeds:
        raise ModelError(
            f"{who}: a contact has one speed or three, a multiplier for each and no constraints: got {speeds} speeds, "
            f"{multipliers} multipliers and {held} constraints"
        )
    for name in ("gap", "friction", "restitution"):
        if not is_number(getattr(touch, name)):
            raise ModelError(f"{who}: {name} of its touch must be one number, got {shown(getattr(touch, name))}")


def _numbers(who: str, what: str, value: Any) -> int:
    """How many numbers a list holds."""
    array = np.asarray(value, dtype=object)
    if not all(map(is_number, array.flat)):
        raise ModelError(f"{who}: {what} must be a list of numbers, got {shown(value)}")
    return array.size


def _check_outputs(who: str, outputs: Any) -> None:
    if not isinstance(outputs, (list, tuple)) or not all(isinstance(output, Output) for output in outputs):
        raise ModelError(f"{who}: outputs must be a list of Output(name, unit, value)")
    for output in outputs:
        size, width = np.size(np.asarray(output.value, dtype=object)), max(1, len(output.components))
        if size != width:
            raise ModelError(f"{who}: output {output.name!r} has {size} numbers for {width} component(s): name them")
