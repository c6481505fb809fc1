"""Junctions of networks: where pipes or wires meet, with one pressure or potential, and nothing is lost."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

from samara.arguments import ModelError
from samara.model.quantities.state import Order, State


@dataclass(frozen=True)
class Domain:
    """A kind of network: what its junctions have, the across variable, and what flows between them, the through one.

    across, through: their names; unit, flow_unit: in which they are; scale: a size of the across variable that matters.
    weight: of the balance of a junction, so that it counts like a power [W by the unit of the through variable].
    lowest: value of the across variable below which there is none, zero of what is absolute.
    difference: name of a difference of the across variable; content_unit: of what has flowed.
    For messages, made_by: how a model makes its junctions; resistance, holder, store: elements that part two junctions,
    that hold one, that lead off or keep what flows there.
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
    """A point of a network, and its balance: what flows away through all elements that meet there adds up to zero.

    domain: what it is a junction of. value: of its across variable at the start; where nothing stores what flows, it
    follows from the others, and the value is a first guess. scale: a size of it that matters; that of the domain, if
    it is not given. Variable steps and Newton's method judge errors by it.

    It is of order 1 where an element stores what flows there, as the volume of a pressure does, and of order 0 where
    none does, or where a source holds it.
    """

    def __init__(self, domain: Domain, value: float = 0.0, scale: float | None = None, description: str = "") -> None:
        if not isinstance(domain, Domain):
            raise ModelError(f"a junction's domain must be one of {', '.join(DOMAINS)}, got {domain!r}")
        self._stored, self._held = False, False
        size = domain.scale if scale is None else scale
        super().__init__(0, value=value, unit=domain.unit, scale=size, description=description)
        if self.value < domain.lowest:
            raise ModelError(
                f"a {domain.across} is absolute, and never below {domain.lowest:g} {domain.unit}, got {self.value:g}"
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
            raise ModelError(f"junction {self.name!r} is held by another source already: {name!r} cannot hold it too")
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
