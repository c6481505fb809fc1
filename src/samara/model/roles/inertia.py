"""Elements with mass. Asked by `Model.add` (gravity), `Model.check`, the recursive formulation, `modes`, `check`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from samara.model.element import Element
from samara.model.frames.node import Node
from samara.model.roles.external_loads import ExternalLoads
from samara.model.schema.drives import Drive


class Inertial(Element):
    """Gives its nodes mass."""

    def total_mass(self) -> float:
        """What it adds to the mass of the model [kg]."""
        raise NotImplementedError


class FeelsGravity(ExternalLoads):
    """Has a field `gravity = driven(default=None, unit="m/s^2", size=3)`, in world axes: None is that of the model."""

    if TYPE_CHECKING:  # a field of the subclass, behind the fields that must be given

        @property
        def gravity(self) -> Any:
            """Three drives [m/s^2]."""

    def load_drives(self) -> list[Drive]:
        return list(self.gravity)


class Weighted(FeelsGravity, Inertial):
    """Has mass that falls."""


class Slice(NamedTuple):
    """A rigid mass in a node: mass [kg], centre [m] and inertia about it [kg m^2] in axes of the node."""

    node: Node
    mass: Any
    com: Any
    inertia: Any


class Sliced(Weighted):
    """Has mass only as rigid slices in its nodes."""

    def slices(self) -> Iterator[Slice]:
        """All of them."""
        raise NotImplementedError


class RigidMass(Sliced):
    """A rigid body."""

    def rigid_inertia(self) -> tuple[Any, Any, Any]:
        """(mass [kg], centre of mass [m], inertia about it [kg m^2]) in axes of its last node, plain or traced."""
        raise NotImplementedError

    def slices(self) -> Iterator[Slice]:
        yield Slice(self.nodes()[-1], *self.rigid_inertia())


def total_mass(elements: Iterable[Element], of: type[Inertial] = Inertial) -> float:
    """Mass of all elements of a role among them [kg]."""
    return float(sum(element.total_mass() for element in elements if isinstance(element, of)))
