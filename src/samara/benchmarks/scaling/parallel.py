"""`samara bench parallel`: stability at scale: many directions, many variants, many cores."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from samara.benchmarks.rotorcraft import damping_map, floquet
from samara.benchmarks.rows import Row
from samara.benchmarks.scaling import substructures

#: Cases by name, in the order in which they are measured; each gives its rows.
CASES: dict[str, Callable[[], Iterator[Row]]] = {
    "wrats-60": substructures.rows,
    "rotor": substructures.rotor_rows,
    "floquet": floquet.rows,
    "damping-map": damping_map.rows,
}


def rows() -> Iterator[Row]:
    """All cases."""
    for case in CASES.values():
        yield from case()
