"""Junctions of networks: points where pipes or wires meet, with a common pressure or potential and a flow balance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

from samara.arguments import ModelError
from samara.model.quantities.state import Order, State


@dataclass(frozen=True)
class Domain:
    """A physical domain of networks: an across variable at the junctions and a through variable between them.

    across, through: their names; unit, flow_unit: their units; scale: a typical size of the across variable.
    weight: of the balance of a junction, so that it counts like a power [W by the unit of the through variable].
    lowest: lower limit of the across variable, zero if it is absolute.
    difference: name of a difference of the across variable; content_unit: unit of the time integral of the flow.
    For messages, made_by: how a model creates its junctions; resistance, holder, store: elements that separate two
    junctions, that fix the value of one, that store or discharge the flow.
    """

    name: str
    across: str
    unit: str
    through: str
    flow_unit: str
    scale: float
    weight: float
    lowest: float = -math.inf
    difference: str = "difference"
    content_unit: str = "s"
    made_by: str = "junction(...)"
    resistance: str = "a branch"
    holder: str = "an element of the family Hold"
    store: str = "branch"


#: Pressures are absolute, and what flows is mass: so nothing is lost where the density changes.
HYDRAULIC = Domain(
    "hydraulic", "pressure", "Pa", "mass_flow", "kg/s", 1e5, 1e3, lowest=0.0, difference="drop", content_unit="kg",
    made_by="pressure(...)", resistance="an Orifice or a Pipe", holder="a Tank or a PressureSource",
    store="volume or an orifice",
)  # fmt: skip
ELECTRIC = Domain(
    "electric", "potential", "V", "current", "A", 1.0, 1.0, difference="voltage", content_unit="C",
    made_by="potential(...)", resistance="a Resistor", holder="Earth", store="resistor",
)  # fmt: skip
THERMAL = Domain(
    "thermal", "temperature", "K", "heat", "W", 1.0, 1.0, lowest=0.0, content_unit="J", made_by="temperature(...)",
    resistance="a ThermalResistance", holder="a TemperatureSource", store="heat capacity",
)  # fmt: skip
#: Of what has no name here: units are the user's.
ABSTRACT = Domain("abstract", "value", "1", "flow", "1", 1.0, 1.0)

DOMAINS = {domain.name: domain for domain in (HYDRAULIC, ELECTRIC, THERMAL, ABSTRACT)}


class Junction(State):
    """A junction of a network, with its balance: the flows out through all elements that meet there add up to zero.

    domain: its physical domain. value: initial value of the across variable; only a first guess if no element stores
    the flow, since it then follows from the other junctions. scale: typical size, by default that of the domain;
    variable steps and Newton's method measure errors relative to it.

    The state is of order 1 if an element stores the flow, as a hydraulic volume does, and of order 0 if none does or a
    source fixes the value.
    """

    def __init__(self, domain: Domain, value: float = 0.0, scale: float | None = None, description: str = "") -> None:
        if not isinstance(domain, Domain):
            raise ModelError(f"a junction's domain must be one of {', '.join(DOMAINS)}, got {domain!r}")
        self._stored, self._held = False, False
        size = domain.scale if scale is None else scale
        super().__init__(0, value=value, unit=domain.unit, scale=size, description=description)
        if self.value < domain.lowest:
            raise ModelError(
                f"a {domain.across} is absolute and cannot be below {domain.lowest:g} {domain.unit}, got {self.value:g}"
            )
        self.domain = domain

    @property
    def order(self) -> Order:
        """Of its equation: see above."""
        return 1 if self._stored and not self._held else 0

    @order.setter
    def order(self, value: Order) -> None:
        """It follows from the elements."""

    def note_store(self) -> None:
        """An element stores what flows here."""
        object.__setattr__(self, "_stored", True)

    def note_source(self, name: str) -> None:
        """A source holds its value; there can be no second one."""
        if self._held:
            raise ModelError(f"junction {self.name!r} already has a source: {name!r} cannot fix its value too")
        object.__setattr__(self, "_held", True)

    @property
    def held(self) -> bool:
        """Whether a source holds its value."""
        return self._held

    @property
    def stored(self) -> bool:
        """Whether an element stores what flows here."""
        return self._stored

    def __repr__(self) -> str:
        return f"Junction({self.name!r}, {self.domain.name}, {self.domain.across}={self.value:g} {self.unit})"


def made_junction(name: str, domain: Domain, value: float, scale: float | None) -> Junction:
    """A junction; what it cannot be made of is refused by the name that it was to have."""
    try:
        return Junction(domain, value, scale)
    except ModelError as error:
        raise ModelError(f"junction {name!r}: {error}") from None


class Way(Enum):
    """How an element connects junctions: what may follow from what."""

    CONDUCTS = "conducts"  # its flow follows from their values
    DIFFERS = "differs"  # it gives their difference, and its flow follows from the others
    FLOWS = "flows"  # its flow is a state of its own, or given
    STORES = "stores"  # it keeps what flows into one junction
    HOLDS = "holds"  # it gives the value of one junction


@dataclass(frozen=True)
class Connection:
    """Of an element: between two junctions, or at one."""

    way: Way
    a: Junction
    b: Junction | None = None
