"""The wake of a rotor as it acts on other parts: another rotor, a wing, a fuselage, a tail."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from samara.model import (
    Element,
    Frame,
    Node,
    Placement,
    Record,
    RotorDeclaration,
    Site,
    State,
    Surveying,
    number,
    placement,
    records,
    setting,
)

#: Part of the flow at the disk below which that through it counts as none, by squares: the wake then lies in the disk's
#: plane; and a square that is no more than none [m^2/s^2].
SLOW_FLOW, NOTHING = 0.03, 1e-8
#: Part of the radius at which the edge of the wake is; with it the wake carries what flows through the disk.
EDGE = (2.0 * np.sqrt(2.0) / np.pi) ** 0.5


class RotorWake(Record):
    """The wake of a rotor as a skewed, contracting cylinder of induced velocity.

        v(p) = -z factor u k(s) / (1 + (q / (EDGE R_k))^8),     k = 1 + s / sqrt(s^2 + R^2),     R_k = R / sqrt(k)

    z: the rotor's axis; u: its mean induced velocity; s: distance from the disk along the axis of the wake, which
    leaves the disk's centre with the flow, -(V_x, V_y, V_z + u) in the disk's axes; q: distance from that axis in a
    plane parallel to the disk. k is the velocity on the axis of a vortex cylinder: 1 at the disk, 2 far below, 0 far
    above; R_k follows from continuity. The edge is smoothed such that the flux through any plane below equals that
    through the disk; EDGE = 0.949. The square of the flow through the disk is increased by 0.001 of that of the total
    flow, which keeps a wake in the plane of the disk finite and reduces velocities by at most 0.1 % elsewhere.

    The edge is infinitely smooth: v falls from 0.9 to 0.1 of its inner value between q = 0.72 and 1.25 R_k. A strongly
    skewed wake is thin normal to the disk, by the factor |V_z + u| / V_e, and so is its edge: 0.08 R for the ready
    helicopter at 40 m/s. Blades of a rotor inside the wake cross this edge quickly: use at least 24 steps per
    revolution of that rotor, otherwise analyses along the motion (`floquet`) report forces that change within a step
    (`NotSmooth`).

    In hover and slow flight the wake passes below parts behind the rotor, in fast flight above them. Limits: a mean
    velocity without swirl, gradients and roll-up; no effect outside the wake; immersed parts do not affect the wake.
    Source of k: vortex cylinder, e.g. J. G. Leishman, Principles of Helicopter Aerodynamics, 2nd edition,
    section 2.2 and chapter 10.

    rotor: the `Rotor` returned by model.add(...), or the name of one, which may be added later: so two rotors can act
        on each other, `Rotor(..., wakes=RotorWake("lower.rotor"))` and the reverse. Their interaction is solved within
        the same implicit step, and the order in which they are added does not matter.
    factor: multiplies the induced velocity. radius, disk: taken from the rotor.
    """

    rotor: Any = setting(default=None)
    factor: float = number(default=1.0)
    radius: float = number(default=1.0, unit="m", positive=True)
    disk: Placement | Any = placement(default=None)

    @property
    def named(self) -> bool:
        """Whether its rotor is known by name alone so far."""
        return isinstance(self.rotor, str)

    def of_rotor(self) -> RotorWake:
        """With the numbers of its rotor; ValueError where there is none."""
        rotor: Any = self.rotor
        if self.named:
            return self
        known = isinstance(rotor, Element) and bool(rotor.name) and hasattr(rotor, "inflow")
        if not known:
            raise ValueError("wakes: RotorWake(rotor) needs the Rotor returned by model.add(...), or its name")
        return RotorWake(rotor, self.factor, rotor.radius, rotor.disk)

    def found(self, elements: Iterable[Element]) -> RotorWake:
        """With its rotor in the place of a name; ValueError where there is none."""
        if not self.named:
            return self
        rotors = {element.name: element for element in elements if isinstance(element, RotorDeclaration)}
        if self.rotor not in rotors:
            raise ValueError(f"wakes: there is no rotor {self.rotor!r}; the rotors are {', '.join(sorted(rotors))}")
        return RotorWake(rotors[self.rotor], self.factor).of_rotor()

    def velocity(self, disk: Frame, wind: Any, u: Any, point: Any) -> Any:
        """At a point, from the frame of the disk and the wind at its centre, all in axes of the element [m/s]."""
        V = disk.v - disk.R.T @ wind
        x, y, z = disk.see(point)
        through = V[2] + u
        # time since a particle at that depth has left the disk [s]
        flow_2 = V[0] ** 2 + V[1] ** 2 + through**2 + NOTHING
        since = -z * through / (through**2 + SLOW_FLOW**2 * flow_2)
        s = since * np.sqrt(flow_2)
        k = 1.0 + s / np.sqrt(s**2 + self.radius**2)
        off = (x + since * V[0]) ** 2 + (y + since * V[1]) ** 2
        edge = (off * k / (EDGE * self.radius) ** 2) ** 2
        return -disk.z * (self.factor * u * k / (1.0 + edge * edge))


class Blown(Surveying):
    """An element that may stand in the wakes of rotors.

    wakes: a `RotorWake(rotor)` for each rotor whose wake blows on it: a rotor of the model, or the name of one that is
        added later. Between rotors that both have a `FreeWake` it counts nothing: they feel each other's vortices.
    """

    wakes: Sequence[RotorWake] | Any = records(default=())

    def prepare(self) -> None:
        given = self._given()
        if len(given) != (len(self.wakes) if isinstance(self.wakes, Sequence) else 1):
            raise ValueError(f"wakes must be RotorWake(rotor), one for each rotor, got {self.wakes!r}")
        self._require_others(given)
        object.__setattr__(self, "wakes", tuple(wake.of_rotor() for wake in given))

    def survey(self, elements: Iterable[Element]) -> None:
        """Puts rotors in the place of their names, and drops the wakes that are felt as free vortices already."""
        own: Any = self if isinstance(self, RotorDeclaration) else getattr(self, "rotor", None)
        vortices = own is not None and own.inflow.vortices
        found = tuple(wake.found(elements) for wake in self.wakes)
        self._require_others(found)
        found = tuple(wake for wake in found if not (vortices and wake.rotor.inflow.vortices))
        if found != self.wakes:
            for wake in found:
                wake.validate()
                wake.freeze(f"element {self.name!r}")
            object.__setattr__(self, "wakes", found)
            object.__setattr__(self, "_structure", None)

    def _require_others(self, wakes: Iterable[RotorWake]) -> None:
        own = getattr(self, "rotor", None)
        if any(wake.rotor is self or (own is not None and wake.rotor is own) for wake in wakes):
            raise ValueError("wakes: the inflow of its own rotor is already included: name other rotors only")

    def main_nodes(self) -> list[Node]:
        """The nodes that it has without wakes; the last one's axes are its own."""
        return super().nodes()

    def nodes(self) -> list[Node]:
        main = self.main_nodes()
        crafts = [getattr(wake.rotor, "craft", None) for wake in self._given()]
        return [*dict.fromkeys(node for node in crafts if node is not None and node not in main), *main]

    def _given(self) -> list[RotorWake]:
        """The wakes, also before the checks."""
        given = self.wakes if isinstance(self.wakes, Iterable) else [self.wakes]
        return [wake for wake in given if isinstance(wake, RotorWake)]

    def structure(self) -> tuple:
        nodes = self.nodes()
        return (*super().structure(), len(nodes), *(nodes.index(wake.rotor.craft) for wake in self.wakes))

    def main_frames(self, site: Site) -> list[Frame]:
        """Frames of `main_nodes`."""
        return site.frames[len(site.frames) - len(self.main_nodes()) :]

    def blowing(self) -> list[State]:
        """Mean induced velocities of the rotors whose wakes blow, of those that are not just names yet."""
        return [wake.rotor.mean for wake in self._given() if hasattr(wake.rotor, "mean")]

    def blown_at(self, site: Site, means: Sequence[Any], point: Any, air: Any) -> Any:
        """Velocity of the wakes at a point, in axes of the element [m/s]; means: values of `blowing`."""
        total, nodes = 0.0, self.nodes()
        for wake, u in zip(self.wakes, means, strict=True):
            disk = site.frames[nodes.index(wake.rotor.craft)].at(wake.disk)
            wind = site.world.R @ np.asarray(air.velocity(site.world.see(disk.p), site.time))
            total = total + wake.velocity(disk, wind, u, point)
        return total
