"""Messages on states that must not fall below a value."""

from __future__ import annotations

from samara.model.quantities.units import with_unit
from samara.solve.simulation import Simulation


def below_floor(sim: Simulation, verb: str, when: str, *, remedy: str = "") -> str:
    """Which state is furthest below its floor, and what the element says of it; empty for none."""
    values = zip(sim.system.layout.states, sim.state.values, strict=True)
    below = [(x, x.floor, float(value)) for x, value in values if x.floor is not None and value < x.floor.lower]
    if not below:
        return ""
    state, floor, value = min(below, key=lambda found: found[2] - found[1].lower)
    return (
        f"model {sim.model.name!r}: {state.name!r} {verb} {with_unit(f'{value:.6g}', state.unit)} {when}, below "
        f"{floor.lower:.6g}, where the equations of {floor.element!r} end: {floor.words}{remedy}"
    )
