"""Corners rounded off."""

from __future__ import annotations

from typing import Any

from samara.tracing import fmax, fmin, select

#: A limit that is never reached.
NO_LIMIT = 1e12


def beyond(x: Any, half: Any) -> Any:
    """max(x, 0) with its corner rounded by a parabola over -half .. half."""
    near = fmin(fmax(x, -half), half)
    return select(x > half, x, (near + half) ** 2 / (4.0 * half))


def clamped(x: Any, lower: Any, upper: Any, corner: Any) -> Any:
    """x within the limits, with corners rounded over `corner`."""
    half = 0.5 * corner
    return x - beyond(x - upper, half) + beyond(lower - x, half)


def within(x: Any, lower: Any, upper: Any) -> Any:
    """x within sharp limits."""
    return fmin(fmax(x, lower), upper)


def check_order(lower: Any, upper: Any) -> None:
    """Refuses limits in the wrong order."""
    low, high = float(lower), float(upper)
    if not low < high:
        raise ValueError(f"lower ({low:g}) must be less than upper ({high:g})")


def check_limits(lower: Any, upper: Any, corner: Any) -> None:
    """Refuses limits in the wrong order, and corners that overlap."""
    check_order(lower, upper)
    room = float(upper) - float(lower)
    if not float(corner) <= room:
        raise ValueError(f"corner ({float(corner):g}) must not be wider than from lower to upper ({room:g})")


def require_limits(block: Any, corner: Any = None) -> None:
    """The same of those of a block, by its name; corner: what is rounded off, if anything."""
    try:
        if corner is None:
            check_order(block.lower, block.upper)
        else:
            check_limits(block.lower, block.upper, corner)
    except ValueError as error:
        raise block.refuse(str(error)) from None


def check_start(start: float, lower: Any, upper: Any) -> None:
    """Refuses a start beyond the limits."""
    low, high = float(lower), float(upper)
    if not low <= start <= high:
        raise ValueError(f"start ({start:g}) must be from lower ({low:g}) to upper ({high:g})")
