"""Rotors as parts: blades on a hub that a shaft turns, articulated, hingeless, teetering or stiff."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from samara.elements.aero.inflow.inflow import Inflow, Momentum
from samara.elements.aero.inflow.wakes import RotorWake
from samara.elements.aero.rotors.rotor import Rotor
from samara.elements.aero.wind.air import Air
from samara.elements.joints.revolute import Revolute
from samara.elements.laws.linear import LinearLaw
from samara.elements.springs.torsion import Torsion
from samara.model import Model, ModelError, Node, Placement
from samara.models.parts.blade import AddedBlade, Blade, BladeControl, BladeSite
from samara.models.parts.hinges import Flexure, Hinges
from samara.models.parts.masses import MassProperties
from samara.models.parts.shaft import Shaft

#: Part of the radius where the chord is looked at that stands for all of it in the solidity.
TYPICAL = 0.75


@dataclass(frozen=True)
class AddedRotor:
    """A rotor as it was added: its hub, its blades, and the `Rotor` that collects their air loads, None without air."""

    hub: Node
    blades: Sequence[AddedBlade]
    rotor: Rotor | None


@dataclass(frozen=True)
class RotorPart:
    """Equal blades at equal angles on a shaft; see `ArticulatedRotor` and the others for hubs.

    blade, shaft: of the rotor; count: of blades. precone: of their span, up [rad].
    inflow: model of the wake; induced: velocity at the start [m/s].
    nominal: speed that loads refer to [rad/s]; None: that of the shaft.
    solidity: blade area by disk area; None: by the chord at three quarters of the radius.
    """

    blade: Blade
    shaft: Shaft
    count: int
    precone: float = 0.0
    inflow: Inflow = field(default_factory=Momentum)
    induced: float = 1.0
    nominal: float | None = None
    solidity: float | None = None
    #: Whether blades hang on a head that tilts on the hub.
    tilts: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if self.count < 1:
            raise ModelError(f"{type(self).__name__}: count of blades must be one or more, got {self.count}")

    def hinges_of(self) -> Hinges:
        """The hinges between the hub and a blade."""
        return Hinges()

    def head(self, model: Model, prefix: str, hub: Node) -> Node:
        """What the blades hang on: the hub, or what tilts on it."""
        return hub

    @property
    def blade_names(self) -> list[str]:
        """Without a prefix."""
        return [f"blade_{k + 1}" for k in range(self.count)]

    @property
    def filled(self) -> float:
        """The solidity."""
        surface = self.blade.surface
        if self.solidity is not None or surface is None:
            return self.solidity or 0.0
        chord = float(np.interp(TYPICAL * self.blade.radius, surface.station, surface.chord))
        return self.count * chord / (np.pi * self.blade.radius)

    def add(
        self,
        model: Model,
        prefix: str = "",
        *,
        craft: Node,
        place: Placement,
        air: Air | None = None,
        control: BladeControl | None = None,
        hub: Node | None = None,
        wakes: Sequence[RotorWake] = (),
        start: Mapping[str, Mapping[str, float]] | None = None,
        more: Mapping[str, Any] | None = None,
    ) -> AddedRotor:
        """Adds shaft, hub and blades to what carries them; all names begin with the prefix.

        prefix + hub, shaft, engine: see `Shaft`; rotor: the `Rotor`; blade_1, ...: see `Blade.add`

        craft:   the node that carries the shaft. place: in the world at the start, origin at the hub's centre, z along
                 the thrust, x where the azimuth is zero.
        air:     None: the blades feel none. wakes: of other rotors that blow on it.
        control: of the pitch of its blades. hub: a node that turns already; None: its shaft adds one.
        start:   angles of the hinges at the start, see `Blade.add`. more: arguments of the `Rotor`, such as the ground.
        """
        shaft, hinges = self.shaft, self.hinges_of()
        stiff = not hinges.chain and not self.blade.beams
        if hub is None:
            hub = shaft.add(model, prefix, craft, place, laden=stiff and not self.tilts)
        names = [prefix + name for name in self.blade_names]
        disk: dict[str, Any] = {"disk": craft.local(place), "radius": self.blade.radius}
        rotor = None
        if air is None or self.blade.surface is None:
            if not stiff:  # blades without nodes and loads of their own are no blades to look at
                model.declare_rotor(f"{prefix}rotor", hub=hub, craft=craft, sense=shaft.sense, blades=names, **disk)
        else:
            load = Rotor(
                craft, hub, speed=shaft.sense * (self.nominal or shaft.speed), air=air, inflow=self.inflow,
                solidity=self.filled, start=self.induced,
                wakes=tuple(wakes), blades=names, **disk, **(more or {}),
            )  # fmt: skip
            rotor = model.add(f"{prefix}rotor", load)
        head, added, motion = self.head(model, prefix, hub), [], None
        if hub.motion is not None:  # exactly, not by differences of its drives
            spin = shaft.spin * place.rotation[:, 2]
            motion = (craft.velocity_at(place.position), craft.angular_velocity + spin)
        for k, name in enumerate(names):
            azimuth = 2.0 * np.pi * k / self.count
            site = BladeSite(head, place, shaft.sense, azimuth, self.precone, shaft.speed, rotor, k, motion)
            added.append(self.blade.add(model, name, site, hinges, control, start))
        return AddedRotor(hub, added, rotor)


@dataclass(frozen=True)
class ArticulatedRotor(RotorPart):
    """Blades on hinges: flap, lag and pitch, in any order; see `Hinges`."""

    hinges: Hinges = field(default_factory=Hinges)

    def hinges_of(self) -> Hinges:
        return self.hinges


@dataclass(frozen=True)
class HingelessRotor(RotorPart):
    """Blades on flexures that flap and lag, with a pitch bearing beside them or outboard.

    Without a flexure the blades are one with the hub: a stiff propeller, whose pitch is its twist.
    """

    flexure: Flexure | None = None
    bearing: Any = None

    def hinges_of(self) -> Hinges:
        return Hinges(flexure=self.flexure, pitch=self.bearing)


@dataclass(frozen=True)
class TeeteringRotor(RotorPart):
    """Two blades on a head that teeters on the hub, about the axis across their span; each has its own hinges.

    stiffness, damping: of the teeter hinge [N m/rad, N m s/rad]. body: of the head; None: no mass.
    teeter: prefix + "teeter", on the shaft; positive where the first blade flaps up.
    """

    hinges: Hinges = field(default_factory=Hinges)
    stiffness: float = 0.0
    damping: float = 0.0
    body: MassProperties | None = None
    tilts: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.count != 2:
            raise ModelError(f"TeeteringRotor: count must be 2, got {self.count}: blades face each other on the head")

    def hinges_of(self) -> Hinges:
        return self.hinges

    def head(self, model: Model, prefix: str, hub: Node) -> Node:
        motion: dict[str, Any] = {"velocity": hub.velocity, "angular_velocity": hub.angular_velocity}
        head = model.node(
            f"{prefix}head", hub.position, hub.rotation, static=self.body is None and bool(self.hinges.chain), **motion
        )
        if self.body is not None:
            self.body.add(model, f"{head.name}.body", head)
        across = Placement((0.0, 0.0, 0.0), _ACROSS)
        places: Any = {"place_a": across, "place_b": across}
        model.add(f"{prefix}teeter", Revolute(hub, head, **places))
        if self.stiffness or self.damping:
            law = LinearLaw(self.stiffness, damping=self.damping)
            model.add(f"{prefix}teeter.spring", Torsion(hub, head, law=law, **places))
        return head


#: Axes of a teeter hinge in those of the hub, whose x is the first blade's: z is -y, about which that blade flaps up.
_ACROSS = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
