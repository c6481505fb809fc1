"""The wake of a rotor on a wing, a fuselage and a second rotor, in flight: the same machine moved, turned, mirrored and
boosted gives the same loads in axes of the machine."""

import numpy as np
import pytest

import samara as sm
from samara import (
    AeroBody,
    Air,
    Annular,
    Drag,
    Fuselage,
    Momentum,
    PittPeters,
    QuadraticCoefficients,
    Rotor,
    RotorWake,
    Stations,
    ThinAerofoil,
)
from samara.rotations import rotation_y, rotation_z

RADIUS, SPEED, PERIOD = 2.0, 60.0, 2 * np.pi / 60.0
SMALL, FAST = 0.5, 240.0  # the rotor behind
LEVEL = np.eye(3)
MIRROR = np.diag([1.0, -1.0, 1.0])
THIN = ThinAerofoil(slope=5.7, cd_0=0.01, stall=3.2)
#: Of vectors in axes of the machine: signs in the mirror image of a force and of a moment.
FORCE, MOMENT = np.array([1.0, -1.0, 1.0]), np.array([-1.0, 1.0, -1.0])


class Flight:
    """Where a machine is and how it flies. heading: about the vertical [rad]; drift: of air and machine alike [m/s]."""

    def __init__(self, heading=0.0, place=(0.0, 0.0, 0.0), drift=(0.0, 0.0, 0.0), mirrored=False, still=True):
        self.R, self.p, self.drift, self.mirrored = rotation_z(heading), np.asarray(place), np.asarray(drift), mirrored
        through = np.array([-9.0, 1.5, 0.5])  # velocity through the air, in axes of the machine: slip and climb
        through = MIRROR @ through if mirrored else through
        # still air and a machine that flies, or a machine at rest in a wind; both may drift on top
        self.velocity = self.R @ through * still + self.drift
        self.wind = -self.R @ through * (not still) + self.drift

    def motion(self, spin=None) -> sm.Motion:
        v = self.velocity
        position = [lambda t, x=x: x * t for x in v]
        return sm.Motion(position=position, rotation=(0, 0, spin or 0.0))

    def at(self, p, R=LEVEL) -> sm.Placement:
        """A place in the machine; the mirror image of an axis system has its y axis turned round."""
        p, R = np.asarray(p, float), np.asarray(R)
        if self.mirrored:
            p, R = MIRROR @ p, MIRROR @ R @ MIRROR
        return sm.Placement(self.p + self.R @ p, self.R @ R)


def machine(flight: Flight, inflow, factor=1.0) -> sm.Model:
    """A rotor with a wing aft below it, a body, and a second rotor on its side behind, in a factor times its wake."""
    model, sense = sm.Model("machine"), -1.0 if flight.mirrored else 1.0
    air = Air(wind=flight.wind)
    craft = _prescribed(model, "craft", flight, flight.at((0, 0, 0)))
    shaft = rotation_y(-0.05)  # leans forward
    main = _rotor(model, flight, craft, "main", shaft, (0.0, 0.0, 0.0), (RADIUS, sense * SPEED), air, inflow, ())
    wake = RotorWake(main, factor=factor)
    wing = _prescribed(model, "wing_at", flight, flight.at((1.2, 0.0, -0.9)))
    along = Stations.gauss(-0.8, 0.8, 4, 0.3, 0.05)
    # span along y: x of the stations to the left or to the right, y to the leading edge, forward
    place = sm.Placement((0, 0, 0), np.column_stack([(0.0, 1.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0)]))
    model.add("wing", AeroBody(wing, place=place, stations=along, aerofoil=THIN, air=air, wakes=[wake]))
    form = QuadraticCoefficients.slender((0.3, 0.8, 0.9), 0.4, 1.0, 2.0)
    nose = sm.Placement((1.1, 0.2 * sense, -0.45), np.diag([-1.0, 1.0, -1.0]))
    model.add("body", Fuselage(craft, place=nose, coefficients=form, area=1.0, length=2.0, air=air, wakes=[wake]))
    model.add("plate", Drag(craft, place=(0.9, -0.4 * sense, -0.5), area=(0.1, 0.2, 0.3), air=air, wakes=[wake]))
    sideways = np.column_stack([(1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0)])
    _rotor(model, flight, craft, "tail", sideways, (1.8, 0.3, -0.6), (SMALL, sense * FAST), air, Momentum(), [wake])
    return model


def _prescribed(model, name, flight, place, spin=None):
    return model.prescribed(name, flight.motion(spin), position=place.position, rotation=place.rotation)


def _rotor(model, flight, craft, name, R, p, size, air, inflow, wakes):
    """Two blades fixed to a hub; R: axes of the disk in the machine, not mirrored. In the mirror image of a disk on its
    side thrust points the other way: so does its z axis."""
    radius, speed = size
    sense = np.sign(speed)
    place = flight.at(p, R)
    hub = _prescribed(model, f"{name}.hub", flight, place, lambda t: speed * t)
    disk = craft.place.inverse() @ place
    names = [f"{name}.blade_{k}" for k in range(2)]
    rotor = Rotor(
        craft, hub, disk=disk, radius=radius, speed=speed, air=air, inflow=inflow, blades=names, wakes=wakes, start=3.0
    )
    model.add(name, rotor)
    first, end = sorted((0.2 * sense * radius, sense * radius))
    along = Stations.gauss(first, end, 5, 0.05 * radius, 0.12)
    for k, blade in enumerate(names):
        at = sm.Placement((0, 0, 0), rotation_z(sense * k * np.pi) @ np.diag([sense, sense, 1.0]))
        model.add(blade, AeroBody(hub, place=at, stations=along, aerofoil=THIN, rotor=rotor))
    return rotor


def loads(flight: Flight, inflow, factor=1.0) -> dict[str, np.ndarray]:
    """At the end of some turns, by which the wake has settled to 1e-3; compared at the same instant in any case."""
    run = sm.transient(machine(flight, inflow, factor), end=4 * PERIOD, step=PERIOD / 72, progress=False)
    found = {name: run[f"{name}.force"][-1] for name in ("body", "plate", "main", "tail")}
    moments = {f"{name} moment": run[f"{name}.moment"][-1] for name in ("body", "main", "tail")}
    wing = {f"wing {what}": run[f"wing.{what}"][-1] for what in ("normal", "chordwise", "alpha")}
    return found | moments | wing


def compare(here, there, rel):
    for name, value in here.items():
        assert there[name] == pytest.approx(value, rel=rel, abs=rel * np.abs(value).max()), name


@pytest.mark.parametrize("inflow", [Momentum("drees"), PittPeters(), Annular()], ids=["Drees", "Pitt-Peters", "rings"])
def test_the_same_machine_elsewhere(inflow):
    """Another place, heading and drift of air and machine: Newton's tolerance and rounding are left."""
    here = loads(Flight(), inflow)
    compare(here, loads(Flight(heading=2.1, place=(30.0, -12.0, 5.0)), inflow), 1e-6)
    compare(here, loads(Flight(drift=(13.0, -7.0, 3.0)), inflow), 1e-6)
    compare(here, loads(Flight(heading=-0.7, still=False), inflow), 1e-6)


@pytest.mark.parametrize("inflow", [Momentum("drees"), PittPeters(), Annular()], ids=["Drees", "Pitt-Peters", "rings"])
def test_its_mirror_image(inflow):
    """All on the other side, both rotors turning the other way."""
    here, there = loads(Flight(), inflow), loads(Flight(mirrored=True), inflow)
    for name in ("body", "plate", "main"):
        there[name] = there[name] * FORCE
    for name in ("body moment", "main moment"):
        there[name] = there[name] * MOMENT
    # axes of the disk on its side are mirrored with it: MIRROR R MIRROR has the components of the mirror image
    there["tail"], there["tail moment"] = there["tail"] * FORCE, there["tail moment"] * MOMENT
    for name in ("wing normal", "wing chordwise", "wing alpha"):
        there[name] = there[name][::-1]
    compare(here, there, 1e-6)


def test_the_wake_is_felt_by_all():
    """Without it loads are others by 2 percent at least, ten thousand times what the comparisons above allow."""
    blown, alone = (loads(Flight(), Momentum(), factor) for factor in (1.0, 0.0))
    assert blown["main"] == pytest.approx(alone["main"], rel=1e-9)  # what is blown on does not change the wake
    for name in ("body", "plate", "tail", "wing normal", "wing alpha"):
        assert np.abs(blown[name] - alone[name]).max() > 0.02 * np.abs(blown[name]).max(), name


def test_small_motions_about_a_rotor_whose_blades_pass_the_edge():
    """Floquet's analysis goes through the wake: with 24 steps per turn of the rotor behind, and the same with 48."""
    turns = [
        sm.floquet(machine(Flight(still=False), PittPeters()), PERIOD, PERIOD / steps, exchange=False)
        for steps in (4 * 24, 4 * 48)
    ]
    coarse, fine = (np.sort_complex(found.eigenvalues)[:4] for found in turns)
    assert coarse.real.max() < 0.0
    # an error of second order in the step: (s h)^2 / 12 is 9e-4 for the fastest, 94 rad/s
    assert coarse == pytest.approx(fine, rel=2e-3)
