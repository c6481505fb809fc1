"""Rotors that inflow models are tried on: blades fixed to the hub, and disks with given loads instead of blades."""

from typing import Any

import numpy as np

import samara as sm
from samara import AeroBody, Air, Rotor, Stations, ThinAerofoil
from samara.elements.aero.surfaces.surface import Aerodynamic
from samara.model import node, numbers
from samara.rotations import cross, rotation_z

RADIUS, CHORD, SLOPE, SPEED, DENSITY = 2.0, 0.1, 5.7, 60.0, 1.225
TIP, PERIOD, AREA = SPEED * RADIUS, 2 * np.pi / SPEED, np.pi * RADIUS**2
ROOT, COUNT = 0.2 * RADIUS, 10


def gauss_stations(theta=0.1, count=COUNT, root=ROOT, sense=1.0) -> Stations:
    """Along a blade; a rotor that turns the other way has its span along -x."""
    first, end = sorted((sense * root, sense * RADIUS))
    return Stations.gauss(first, end, count, CHORD, theta)


def rings_of(stations: Stations) -> np.ndarray:
    """Radii of a ring for each station [R]."""
    return np.sort(np.abs(np.asarray(stations.x, float))) / RADIUS


def bladed(
    inflow, *, theta=0.1, blades=2, stations=None, cd_0=0.0, wind=(0.0, 0.0, 0.0), sense=1.0, turn=0.0, start=3.0,
    motion=None, model=None, prefix="", named=True, position=(0.0, 0.0, 0.0), **rotor,
) -> sm.Model:  # fmt: skip
    """Blades fixed to the hub, which turns at a constant speed: only the air has equations.

    theta: pitch [rad], a number or a function of x; turn: of disk and blades about z [rad]; motion: of the craft.
    """
    model = model or sm.Model("fixed blades")
    speed, R = sense * SPEED, rotation_z(turn)
    motion = motion or (0.0, 0.0, 0.0)
    craft = model.prescribed(f"{prefix}craft", sm.Motion(position=motion), position=position)
    spin = sm.Motion(position=motion, rotation=(0, 0, lambda t: speed * t))
    hub = model.prescribed(f"{prefix}hub", spin, position=position, rotation=R)
    names = [f"{prefix}blade_{k + 1}" for k in range(blades)]
    support = Rotor(
        craft, hub, disk=sm.Placement((0, 0, 0), R), radius=RADIUS, speed=speed, start=start, inflow=inflow,
        air=Air(density=DENSITY, wind=wind), blades=names if named else (), **rotor,
    )  # fmt: skip
    model.add(f"{prefix}rotor", support)
    section = ThinAerofoil(slope=SLOPE, cd_0=cd_0, stall=3.2)
    along = stations or gauss_stations(theta, sense=sense)
    for k, name in enumerate(names):
        R_k = rotation_z(sense * k * 2 * np.pi / blades) @ np.diag([sense, sense, 1.0])
        place = sm.Placement((0, 0, 0), R_k)
        model.add(name, AeroBody(hub, place=place, stations=along, aerofoil=section, rotor=support))
    return model


def run(model, turns=15, steps=60, outputs=("*",)):
    return sm.transient(model, end=turns * PERIOD, step=PERIOD / steps, progress=False, outputs=outputs)


def settled(model, **how) -> dict[str, np.ndarray]:
    """The end of a run."""
    results = run(model, **how)
    return {name: results[name][-1] for name in results.channels.names}


class Push(Aerodynamic):
    """Given forces along the shaft at given radii ahead of the disk's x axis, standing in for blades."""

    n: sm.Node = node(kw_only=False)
    forces: Any = numbers(unit="N")
    radii: Any = numbers(unit="R")
    widths: Any = numbers(unit="R")

    def rings(self):
        return np.asarray(self.radii, float), np.asarray(self.widths, float)

    def span_ends(self):
        return [np.array([x * RADIUS, 0.0, 0.0]) for x in (0.0, 1.0)]

    def felt_of(self, rotor):
        return rotor.inflow.felt(self.rings()[0])

    def formulate(self, site):
        disk = self._disk(site)
        points = [disk.point(np.array([r * RADIUS, 0.0, 0.0])) for r in self.radii]
        loads = [(p, disk.z * f) for p, f in zip(points, self.forces, strict=True)]
        force, moment = sum(f for _, f in loads), sum(cross(p, f) for p, f in loads)
        return sm.Contribution(
            wrenches=[np.zeros(6), -np.concatenate([force, moment])], balances=self.shares(site, force, moment, loads)
        )


def pushed(inflow, forces, radii, widths, *, start=1.0, wind=(0.0, 0.0, 0.0), position=(0.0, 0.0, 0.0), **rotor):
    """A disk with given loads instead of blades; as if there were a blade, "push", for losses."""
    model = sm.Model("pushed")
    hub = model.prescribed("hub", sm.Motion(rotation=(0, 0, lambda t: SPEED * t)))
    craft = model.prescribed("craft", sm.Motion(), position=position)
    at = model.prescribed("push.at", sm.Motion(), position=(1.0, 0.0, 0.0))
    support = Rotor(
        craft, hub, radius=RADIUS, speed=SPEED, air=Air(density=DENSITY, wind=wind), inflow=inflow, start=start,
        blades=["push"], **rotor,
    )  # fmt: skip
    model.add("rotor", support)
    model.add("push", Push(at, forces=forces, radii=radii, widths=widths, rotor=support))
    return model
