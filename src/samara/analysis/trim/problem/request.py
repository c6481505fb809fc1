"""What a trim is asked for, checked at the door: every refusal names the argument and what it may be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from samara.analysis.trim.problem.plan import Period, TrimClock
from samara.analysis.trim.problem.target import Harmonic, Target, label_of
from samara.arguments import finite, positive, whole
from samara.model import ArgumentError

#: Fewest steps of a period, whatever is measured in it.
FEWEST_STEPS = 8

#: How the numbers of an argument are called one by one.
WORDS = {
    "controls": "the first guess of", "targets": "the target", "safe": "the safe value of", "nudges": "the nudge of",
    "sizes": "the size of",
}  # fmt: skip

Limits = Mapping[str, tuple[float, float]]


@dataclass(frozen=True)
class TrimRequest:
    """Controls, targets and what belongs to them, in plain numbers."""

    controls: dict[str, float]
    targets: dict[Target, float]
    limits: dict[str, tuple[float, float]]
    safe: dict[str, float] | None
    nudges: dict[str, float]
    sizes: dict[Target, float]


def requested(
    controls: Any, targets: Any, *, limits: Any = None, safe: Any = None, nudges: Any = None, sizes: Any = None
) -> TrimRequest:
    """The same from what a user gave."""
    found = TrimRequest(
        _numbers("controls", controls, "{name: first guess}", finite),
        _numbers("targets", targets, "{channel, Harmonic or function: value}", finite),
        {name: _pair(name, pair) for name, pair in _mapping("limits", limits, "{control: (lowest, highest)}").items()},
        None if safe is None else _numbers("safe", safe, "{control: value}", finite),
        _numbers("nudges", nudges, "{control: a small change}", positive),
        _numbers("sizes", sizes, "{target: size}", positive),
    )
    if len(found.controls) != len(found.targets) or not found.controls:
        count, others = len(found.targets), len(found.controls)
        raise ArgumentError(f"trim: the number of targets must equal the number of controls, got {count} for {others}")
    for target in found.targets:
        if not isinstance(target, (str, Harmonic)) and not callable(target):
            raise ArgumentError(
                f"trim: a target must be the name of a channel, a Harmonic or a function of Results, got {target!r}"
            )
    for what, given, known, kind in (
        ("limits", found.limits, found.controls, "control"),
        ("safe", found.safe or {}, found.controls, "control"),
        ("nudges", found.nudges, found.controls, "control"),
        ("sizes", found.sizes, found.targets, "target"),
    ):
        _belong(what, given, known, kind)
    for name in found.controls if found.safe is not None else ():
        if name not in (found.safe or {}):
            raise ArgumentError(f"trim: safe has no value for the control {name!r}")
    return found


def clock_of(what: str, period: Any, step: Any, steps: Any, targets: Mapping[Target, float]) -> TrimClock:
    """The clock of a trim; what: the function that was called."""
    if (step is None) == (steps is None):
        raise ArgumentError(f"{what}: give either a step or the number of steps per period")
    checked: Period = period if callable(period) else positive(f"{what}: period", period)
    clock = TrimClock(
        checked,
        None if step is None else positive(f"{what}: step", step),
        None if steps is None else whole(f"{what}: steps", steps, _fewest(targets)),
    )
    if clock.step is not None and not callable(checked) and checked / clock.step < _fewest(targets) - 0.5:
        raise ArgumentError(
            f"{what}: a step of {clock.step:g} s is too long for a period of {checked:g} s: at least "
            f"{_fewest(targets)} steps are needed"
        )
    return clock


def _fewest(targets: Mapping[Target, float]) -> int:
    """Steps of a period that tell the highest harmonic."""
    return max([FEWEST_STEPS, *(2 * t.order + 1 for t in targets if isinstance(t, Harmonic) and t.part != "mean")])


def _mapping(what: str, given: Any, form: str) -> dict[Any, Any]:
    if given is None and what not in ("controls", "targets"):
        return {}
    if not isinstance(given, Mapping):
        raise ArgumentError(f"trim: {what} must be {form}, got {given!r}")
    return dict(given)


def _numbers(what: str, given: Any, form: str, number: Callable[[str, Any], float]) -> dict[Any, float]:
    return {key: number(f"trim: {WORDS[what]} {label_of(key)!r}", x) for key, x in _mapping(what, given, form).items()}


def _pair(name: str, pair: Any) -> tuple[float, float]:
    """Limits of a control; infinite ones, or None, are none."""
    words = f"trim: limits of {name!r} must be (lowest, highest), the first below the second, got {pair!r}"
    if isinstance(pair, str) or not hasattr(pair, "__len__") or len(pair) != 2:
        raise ArgumentError(words)
    ends = [x if x is not None else none for x, none in zip(pair, (-float("inf"), float("inf")), strict=True)]
    try:
        low, high = (x if abs(x) == float("inf") else finite("", x) for x in ends)
    except (ArgumentError, TypeError):
        raise ArgumentError(words) from None
    if not low < high:
        raise ArgumentError(words)
    return float(low), float(high)


def _belong(what: str, given: Mapping[Any, Any], known: Mapping[Any, Any], kind: str) -> None:
    """Whether all keys are controls or targets that there are."""
    for key in given:
        if key not in known:
            there = ", ".join(repr(label_of(k)) for k in known)
            raise ArgumentError(f"trim: {what}: {label_of(key)!r} is not a {kind}; there are {there}")
