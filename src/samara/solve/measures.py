"""The measures of a system as channels that can be recorded by name."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from samara.results import Channel, Channels
from samara.system.kernels.kinds import TOTALS, UNITS
from samara.system.system import System

_TEXT = {
    "kinetic": "kinetic energy of all bodies",
    "potential": "potential energy of gravity and springs",
    "dissipated": "power turned into heat",
    "supplied": "power of loads, actuators and driven joints",
}
#: Of systems that were asked for theirs.
_known: WeakKeyDictionary[System, tuple[Channels, np.ndarray]] = WeakKeyDictionary()


def channels(system: System) -> tuple[Channels, np.ndarray]:
    """All channels of a system, and the first column of each in its output vector."""
    if system not in _known:
        _known[system] = _channels(system)
    return _known[system]


def _channels(system: System) -> tuple[Channels, np.ndarray]:
    found: list[Channel] = []
    first: list[int] = []
    for group in (group for group in system.groups if not group.pooled):
        for element, start in zip(group.elements, group.output, strict=True):
            for output in group.kind.outputs:
                name = f"{element.name}.{output.name}"
                found.append(Channel(name, element.unit_of(output), output.components, output.description))
                first.append(int(start))
                start += max(1, len(output.components))
    for k, total in enumerate(TOTALS):
        found.append(Channel(f"model.{total}", UNITS[total], (), _TEXT[total]))
        first.append(k)
    found.append(Channel("model.violation", "1", (), "largest violation of a constraint, m or rad"))
    first.append(system.arrays.out.size - 1)
    return Channels(found), np.array(first)


def chosen(system: System, patterns: tuple[str, ...]) -> tuple[Channels, np.ndarray]:
    """Channels that match the patterns, and all their columns in the output vector."""
    every, first = channels(system)
    start = dict(zip(every.names, first, strict=True))
    selected = every.select(*patterns)
    columns = [start[c.name] + i for c in selected for i in range(c.width)]
    return selected, np.array(columns, dtype=np.int64)
