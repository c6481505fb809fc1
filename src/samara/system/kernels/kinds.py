"""A kind: all elements of one structure, and the native functions they share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from samara.model import Element, Output
from samara.model.equations import governed
from samara.system.kernels.contribution import TOTALS, check
from samara.system.kernels.trace import TIMED, Slots, Trace, trace
from samara.system.memory.blocks import Coefficient
from samara.tracing import Expr
from samara.tracing.kernels.lanes import Function, Place, Shape
from samara.tracing.kernels.native import fingerprint, optimisation

UNITS = {"kinetic": "J", "potential": "J", "dissipated": "W", "supplied": "W"}
Unknown = tuple[str, int, int]  # ("node", which, component), ("state", which, 0) or ("lam", 0, which)


@dataclass
class Kind:
    """Graphs of a kind, and what the layout needs to know about it."""

    name: str
    places: Slots
    multiplier_count: int
    constraint_count: int  # how many of these are at position level
    parameter_leaves: list[int]
    signal_leaves: list[int]
    entries: list[tuple[Unknown, Unknown]]
    outputs: list[Output]  # their structure, without values
    functions: list[Function]
    relatives: list[list[int]] = field(default_factory=list)  # see `TracedSite.relatives`
    passable: bool = False  # whether a step may pass through it unnoticed: for elements with a gap on both sides
    touches: bool = False  # whether its multipliers are forces of a unilateral contact (`model.Touch`)
    _keys: dict[tuple[int, int], str] = field(default_factory=dict, repr=False)

    @property
    def slots(self) -> int:
        """Index rows before the Jacobian entries."""
        return self.places.signal(len(self.signal_leaves))

    @property
    def shape(self) -> Shape:
        """Sizes needed by the emitter."""
        return Shape(self.slots + len(self.entries), len(self.parameter_leaves), 0, self.slots)

    def key(self, width: int) -> str:
        """Key of the native code of its functions for a lane count: see `native.fingerprint`."""
        chosen = width, optimisation()
        if chosen not in self._keys:
            self._keys[chosen] = fingerprint(self.functions, width, self.shape)
        return self._keys[chosen]

    @property
    def output_width(self) -> int:
        """Numbers recorded per element, including those of its contact."""
        if self.touches:
            return self.named_width + self.multiplier_count + 3
        return self.named_width + (2 if self.passable else 0)

    @property
    def named_width(self) -> int:
        """Numbers recorded per element, without those of its contact."""
        return sum(max(1, len(o.components)) for o in self.outputs)


def make_kind(element: Element) -> Kind:
    """Traces an element and differentiates its equations."""
    traced = trace(element)
    site = traced.site
    contribution = check(element, traced.contribution, site.multiplier_count)
    contribution.outputs.extend(_budget(traced))
    forces: list[tuple[Unknown, Any]] = [
        (("node", i, c), w) for i, wrench in enumerate(contribution.wrenches) for c, w in enumerate(wrench)
    ]
    forces += [(("state", k, 0), b) for k, b in zip(governed(element), contribution.balances, strict=True)]
    constraints, rates = site.lift(contribution.constraints), site.lift(contribution.rates)
    outputs, entries_function, entries = _outputs(traced), *_jacobian(traced, forces, constraints, rates)
    functions = [
        Function("residual", site.graph, _residual(traced, forces, constraints, rates)),
        entries_function,
        *_levels(traced, constraints, rates),
        Function("outputs", site.graph, outputs),
        Function("touch", site.graph, _touch(traced)),
    ]
    return Kind(
        name=type(element).__name__,
        places=site.slots,
        multiplier_count=site.multiplier_count,
        constraint_count=len(constraints),
        parameter_leaves=traced.parameters,
        signal_leaves=traced.signals,
        entries=entries,
        outputs=[Output(o.name, o.unit, None, o.components, o.description) for o in contribution.outputs],
        functions=[f for f in functions if f.outputs],
        relatives=site.relatives,
        passable=contribution.clearance is not None or (contribution.touch is not None and contribution.touch.passable),
        touches=contribution.touch is not None,
    )


def _budget(traced: Trace) -> list[Output]:
    """Energies and powers of the element itself, where it has any."""
    named = {o.name for o in traced.contribution.outputs}
    values = traced.site.lift([getattr(traced.contribution, name) for name in TOTALS])
    return [
        Output(
            name, UNITS[name], value, description=f"{name} {'energy' if UNITS[name] == 'J' else 'power'} of the element"
        )
        for name, value in zip(TOTALS, values, strict=True)
        if traced.site.graph.value(value.id) is None and name not in named
    ]


def _row(traced: Trace, unknown: Unknown) -> Place:
    """Where an equation is added: to the node, the state or the multiplier."""
    what, i, c = unknown
    slots = traced.site.slots
    if what == "node":
        return Place("row", slots.row(i), c)
    return Place("flatrow", slots.state_row(i) if what == "state" else slots.multiplier_rows, c)


def _rate_rows(traced: Trace, rates, first: int) -> list[Expr]:
    """f = 0 in motion. At rest twists are not unknowns, so the multiplier is set to zero instead."""
    site = traced.site
    moving = site.coefficient(Coefficient.MOVING)
    lam = [site.input("flat", site.slots.multipliers, first + k) for k in range(len(rates))]
    return [moving * f + (1.0 - moving) * m for f, m in zip(rates, lam, strict=True)]


def _force_rows(traced: Trace) -> list[Expr]:
    """Contact forces: zero unless a complementarity solver determines otherwise."""
    if traced.contribution.touch is None:
        return []
    slot = traced.site.slots.multipliers
    return [traced.site.input("flat", slot, k) for k in range(traced.site.multiplier_count)]


def _residual(traced: Trace, forces, constraints, rates) -> list[tuple[Place, int]]:
    site = traced.site
    scale = site.coefficient(Coefficient.PER_POSE)
    rows = list(forces)
    scaled = [*(g * scale for g in constraints), *_rate_rows(traced, rates, len(constraints)), *_force_rows(traced)]
    rows += [(("lam", 0, k), value) for k, value in enumerate(scaled)]
    lifted = site.lift([value for _, value in rows])
    return [
        (_row(traced, unknown), value.id)
        for (unknown, _), value in zip(rows, lifted, strict=True)
        if site.graph.value(value.id) != 0.0
    ]


def _jacobian(traced: Trace, forces, constraints, rates) -> tuple[Function, list[tuple[Unknown, Unknown]]]:
    """Entries by (equation, unknown). Constraint rows and pose columns both contain c0, which cancels."""
    site = traced.site
    rate_rows = [*_rate_rows(traced, rates, len(constraints)), *_force_rows(traced)]
    rows = [*(unknown for unknown, _ in forces), *(("lam", 0, len(constraints) + k) for k in range(len(rate_rows)))]
    values = site.lift([*(v for _, v in forces), *rate_rows])
    found = list(zip(rows, site.tangents(values, site.unknown_levels(scale_pose=True)), strict=True))
    held = site.tangents(constraints, site.unknown_levels(scale_pose=False))
    found += [(("lam", 0, k), t) for k, t in enumerate(held)]
    entries: list[tuple[Unknown, Unknown]] = []
    outputs: list[tuple[Place, int]] = []
    for row, tangent in found:
        for direction, slope in tangent.items():
            if direction[0] in TIMED:
                continue
            outputs.append((Place("entry", 0, len(entries)), slope))
            entries.append((row, _column(direction)))
    return Function("jacobian", site.graph, outputs), entries


def _column(direction: tuple) -> Unknown:
    """The unknown that a direction belongs to."""
    what = direction[0]
    if what == "lam":
        return ("lam", 0, direction[1])
    return ("state", direction[1], 0) if what == "s" else ("node", direction[1], direction[2])


def _levels(traced: Trace, constraints, rates) -> list[Function]:
    """Constraints at velocity and acceleration level, for consistent initial conditions."""
    site = traced.site
    speed = [*site.rate(constraints), *rates]
    acceleration = site.rate(site.lift(speed))

    def function(name: str, values: Any) -> Function:
        lifted = site.lift(values)
        return Function(name, site.graph, [(_row(traced, ("lam", 0, k)), v.id) for k, v in enumerate(lifted)])

    return [function("velocity", speed), function("acceleration", acceleration)]


def _outputs(traced: Trace) -> list[tuple[Place, int]]:
    site, contribution = traced.site, traced.contribution
    slots = site.slots
    flat = [v for o in contribution.outputs for v in np.ravel(np.asarray(o.value, dtype=object))]
    result = [(Place("output", slots.outputs, k), v.id) for k, v in enumerate(site.lift(flat))]
    totals = site.lift([getattr(contribution, name) for name in TOTALS])
    for k, value in enumerate(totals):
        if site.graph.value(value.id) != 0.0:
            result.append((Place("flatrow", slots.totals, k), value.id))
    return result


def _touch(traced: Trace) -> list[tuple[Place, int]]:
    """Gap, speeds, friction and restitution of a contact, after the recorded numbers; empty for other elements.

    A force law that acts once a gap closes gives the gap and its rate.
    """
    site, touch, clearance = traced.site, traced.contribution.touch, traced.contribution.clearance
    if touch is None and clearance is None:
        return []
    first = sum(max(1, len(o.components)) for o in traced.contribution.outputs)
    values = site.lift(clearance if touch is None else [touch.gap, *touch.speeds, touch.friction, touch.restitution])
    return [(Place("output", site.slots.outputs, first + k), v.id) for k, v in enumerate(values)]
