"""Variants: which values the parameters of a sweep take together."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from samara.arguments import finite, whole
from samara.model import ArgumentError

Value = float | int | bool | str
#: Names that the array of results has for itself.
RESERVED = ("variant", "cause", "seconds")
#: Variants of a sweep at most: a million take days, and their results all of the memory.
MOST = 1_000_000


@dataclass(frozen=True)
class Variants:
    """Rows of values, one for each variant, under the names of the parameters.

    axes: the values of each parameter where the rows are all their combinations, the last one fastest; else None.
    """

    names: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    axes: tuple[tuple[Value, ...], ...] | None = None

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[dict[str, Value]]:
        return (dict(zip(self.names, row, strict=True)) for row in self.rows)

    @property
    def keys(self) -> list[str]:
        """What each variant is known by, whatever the order of names and variants."""
        return [key_of(values) for values in self]


def key_of(values: Mapping[str, Value]) -> str:
    """What a variant is known by: its values by name. 2 and 2.0 are the same."""
    return json.dumps({name: _same(value) for name, value in sorted(values.items())})


def require_few(who: str, count: int) -> None:
    """Refuses more variants than anybody waits for, before they are listed."""
    if count > MOST:
        raise ArgumentError(f"{who}: {count:,} are more variants than a sweep can have, {MOST:,}: take fewer")


def _same(value: Value) -> Value:
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53:
        return float(value)
    return value


def grid(axes: Mapping[str, Iterable[Value]] | None = None, /, **more: Iterable[Value]) -> Variants:
    """All combinations of the values of each parameter: ``grid(damping=[0.1, 0.2], speed=np.linspace(60, 90, 4))``.

    A name that is no Python name goes into a dictionary: ``grid({"spring.stiffness": [1e3, 2e3]})``.
    """
    given = _merged("grid", axes, more)
    lists = {name: _values(f"grid: {name}", values) for name, values in given.items()}
    for name, values in lists.items():
        seen: set[str] = set()
        for value in values:
            if (key := key_of({"": value})) in seen:
                raise ArgumentError(f"grid: {name} has the value {value!r} twice: give each once")
            seen.add(key)
    columns = tuple(lists.values())
    require_few("grid", math.prod(map(len, columns)))
    return Variants(tuple(lists), tuple(itertools.product(*columns)), columns)


def listed(rows: Iterable[Mapping[str, Value]]) -> Variants:
    """Variants one by one: ``listed([{"damping": 0.1, "speed": 60.0}, {"damping": 0.3, "speed": 75.0}])``."""
    if isinstance(rows, str | Mapping) or not isinstance(rows, Iterable):
        raise ArgumentError(f"listed: give a list with a dictionary of values for each variant, got {rows!r}")
    given = list(rows)
    if not given:
        raise ArgumentError("listed: no variant is given: list one dictionary of values for each")
    names: tuple[str, ...] = ()
    found = []
    for k, row in enumerate(given):
        if not isinstance(row, Mapping):
            raise ArgumentError(f"listed: variant {k} must be a dictionary of values by name, got {row!r}")
        if not k:
            names = tuple(row)
            _check_names("listed", names)
        if set(row) != set(names):
            odd = sorted(set(row) ^ set(names), key=str)[0]
            raise ArgumentError(f"listed: variant {k} differs from the first in {odd!r}: all have the same names")
        found.append(tuple(_value(f"listed: {name} of variant {k}", row[name]) for name in names))
    variants = Variants(names, tuple(found))
    first: dict[str, int] = {}
    for k, key in enumerate(variants.keys):
        if first.setdefault(key, k) != k:
            raise ArgumentError(f"listed: variants {first[key]} and {k} are the same: give each once")
    return variants


def latin_hypercube(
    count: int,
    ranges: Mapping[str, tuple[float, float]] | None = None,
    /,
    *,
    seed: int = 0,
    **more: tuple[float, float],
) -> Variants:
    """`count` variants spread evenly over ranges: ``latin_hypercube(50, damping=(0.1, 0.5), speed=(60.0, 90.0))``.

    Each range is cut into `count` equal strata, and each stratum has one variant (McKay, Beckman and Conover,
    Technometrics 21, 1979). The same seed gives the same variants.
    """
    from scipy.stats import qmc

    number, given = whole("latin_hypercube: count", count), _merged("latin_hypercube", ranges, more)
    require_few("latin_hypercube", number)
    low, high = [], []
    for name, ends in given.items():
        if not isinstance(ends, Sequence | np.ndarray) or isinstance(ends, str) or len(ends) != 2:
            raise ArgumentError(f"latin_hypercube: {name} must be a range (lowest, highest), got {ends!r}")
        low.append(finite(f"latin_hypercube: lowest {name}", ends[0]))
        high.append(finite(f"latin_hypercube: highest {name}", ends[1]))
        if not low[-1] < high[-1]:
            raise ArgumentError(f"latin_hypercube: {name} must go upward, got {low[-1]:g} to {high[-1]:g}")
    unit = qmc.LatinHypercube(d=len(given), rng=whole("latin_hypercube: seed", seed, least=0)).random(number)
    return Variants(tuple(given), tuple(map(tuple, qmc.scale(unit, low, high).tolist())))


def _merged(who: str, first: Mapping[str, Any] | None, more: Mapping[str, Any]) -> dict[str, Any]:
    if first is not None and not isinstance(first, Mapping):
        raise ArgumentError(f"{who}: give values by name, such as {who}(speed=...), got {first!r}")
    for name in first or {}:
        if name in more:
            raise ArgumentError(f"{who}: {name} is given twice")
    given = {**(first or {}), **more}
    if not given:
        raise ArgumentError(f"{who}: no parameter is given: name one or more")
    _check_names(who, tuple(given))
    return given


def _check_names(who: str, names: tuple[Any, ...]) -> None:
    if not names:
        raise ArgumentError(f"{who}: no parameter is given: name one or more")
    for name in names:
        if not isinstance(name, str) or not name.strip() or "/" in name:
            raise ArgumentError(f"{who}: {name!r} is no name of a parameter: give a text without '/'")
        if name in RESERVED:
            raise ArgumentError(f"{who}: results have {name!r} for themselves: give the parameter another name")


def _values(what: str, given: Iterable[Value]) -> tuple[Value, ...]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise ArgumentError(f"{what} must be a list of values, got {given!r}")
    values = tuple(_value(what, value) for value in given)
    if not values:
        raise ArgumentError(f"{what} has no values: give one or more")
    kinds = {_kind(value) for value in values}
    if len(kinds) > 1:
        raise ArgumentError(f"{what} mixes {' and '.join(sorted(kinds))}: give values of one kind")
    return values


def _value(what: str, given: Any) -> Value:
    """A plain number, a truth value or a text."""
    value = given.item() if isinstance(given, np.generic | np.ndarray) and np.ndim(given) == 0 else given
    if isinstance(value, bool | str):
        return value
    if isinstance(value, int | float) and math.isfinite(value):
        return value
    raise ArgumentError(f"{what} must be a finite number, True or False, or a text, got {given!r}")


def _kind(value: Value) -> str:
    return "texts" if isinstance(value, str) else "truth values" if isinstance(value, bool) else "numbers"
