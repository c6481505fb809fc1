"""Rotors that blow on each other without a vortex wake: momentum theory, order of adding, mirror images."""

from functools import cache

import numpy as np
import pytest

import samara as sm
from samara import AeroBody, Motion, Placement, Ramp, Rotor, RotorWake, Stations, ThinAerofoil
from samara.elements.aero.inflow.wakes import EDGE
from samara.model import Model
from samara.rotations import rotation_z

RADIUS, SPEED, STEP, STEPS = 2.0, 60.0, 2e-3, 300
INFLOWS = {"momentum": sm.Momentum, "pitt-peters": sm.PittPeters, "peters-he": lambda: sm.PetersHe((2, 1))}
#: Name, place, sense, and which others blow on it.
TOP, LOW = ("top", (0.0, 0.0, 0.4), 1, ("low",)), ("low", (0.0, 0.0, 0.0), -1, ("top",))
FRONT, REAR = ("front", (-1.3, 0.0, 0.0), 1, ("rear",)), ("rear", (1.3, 0.0, 0.5), -1, ("front",))
LEFT, RIGHT = ("left", (0.0, 1.4, 0.0), 1, ("right",)), ("right", (0.0, -1.4, 0.0), -1, ("left",))


def add_rotor(model: Model, name: str, place, sense: int, others, inflow: str, pitch: float = 0.12) -> Rotor:
    """Two blades of ideal twist without drag; sense -1: the mirror image in y."""
    hub = model.prescribed(f"{name}_hub", Motion(rotation=(0, 0, Ramp(sense * SPEED))), place)
    names = [f"{name}_{k}" for k in (1, 2)]
    disk = {"radius": RADIUS, "speed": sense * SPEED, "inflow": INFLOWS[inflow](), "blades": names, "start": 5.0}
    wakes = [RotorWake(other) for other in others]
    rotor = model.add(name, Rotor(model.ground, hub, disk=Placement(place), wakes=wakes, **disk))
    ends = (0.1, RADIUS) if sense > 0 else (-RADIUS, -0.1)
    along = Stations.gauss(*ends, 12, 0.1, twist=lambda r: pitch * RADIUS / abs(r))
    for k, blade in enumerate(names):
        turned = Placement((0, 0, 0), rotation_z(sense * np.pi * k + (0.0 if sense > 0 else np.pi)))
        section = ThinAerofoil(slope=5.7, cd_0=0.0)
        model.add(blade, AeroBody(hub, place=turned, stations=along, aerofoil=section, rotor=rotor))
    return rotor


@cache
def run(inflow: str, *rotors) -> sm.Results:
    """Of rotors that are added in this order."""
    model = Model("rotors")
    for rotor in rotors:
        add_rotor(model, *rotor, inflow)
    outputs = ("*.thrust", "*.power", "*.force", "*.moment")
    return sm.transient(model, STEPS * STEP, STEP, progress=False, outputs=outputs)


@pytest.mark.parametrize("inflow", INFLOWS)
@pytest.mark.parametrize("pair", [(TOP, LOW), (FRONT, REAR)])
def test_order_of_adding_does_not_matter(inflow, pair):
    """The equations are the same in another order of unknowns: to Newton's tolerance, in every step."""
    one, two = run(inflow, *pair), run(inflow, *pair[::-1])
    for name, *_ in pair:
        np.testing.assert_allclose(one[f"{name}.thrust"], two[f"{name}.thrust"], rtol=1e-7)
        np.testing.assert_allclose(one[f"{name}.power"], two[f"{name}.power"], rtol=1e-7)


@pytest.mark.parametrize("inflow", INFLOWS)
def test_side_by_side_mirrored(inflow):
    """Rotors that are mirror images of each other have mirrored loads, and feel each other."""
    found, alone = run(inflow, LEFT, RIGHT), run(inflow, (*LEFT[:3], ()))
    flip = np.array([1.0, -1.0, 1.0])
    size = np.abs(found["left.force"]).max()
    np.testing.assert_allclose(found["right.force"], found["left.force"] * flip, rtol=1e-9, atol=1e-9 * size)
    np.testing.assert_allclose(found["right.moment"], -found["left.moment"] * flip, rtol=1e-9, atol=1e-9 * size)
    assert found["left.thrust"][-1] < 0.97 * alone["left.thrust"][-1]


def test_both_feel_the_other():
    """In one way the upper rotor is as it is alone; both ways it lifts less, and the lower one more for it."""
    alone = run("momentum", (*TOP[:3], ()))["top.thrust"][-1]
    one_way = run("momentum", (*TOP[:3], ()), LOW)
    both = run("momentum", TOP, LOW)
    assert one_way["top.thrust"][-1] == pytest.approx(alone, rel=1e-9)
    assert both["top.thrust"][-1] < 0.9 * alone
    assert both["low.thrust"][-1] > 1.02 * one_way["low.thrust"][-1]


def test_power_in_one_plane():
    """Induced power against that of two rotors alone with half of the thrust each, without drag: sqrt(1 + m).

    m is the part of the other's induced velocity that the disk feels, 1 in momentum theory, which has sqrt(2). Some of
    the wake's flux is outside of the disk here, for its edge is smooth: m = 0.825. Blades lift more outboard, where the
    wake fades, than this mean knows: the power is less by 1 %.
    """
    r = (np.arange(4000) + 0.5) / 4000
    m = np.mean(2 * r / (1 + (r / EDGE) ** 8))
    one, gap = run("momentum", (*LOW[:3], ())), 1e-3
    both = run("momentum", ("top", (0.0, 0.0, gap), 1, ("low",)), LOW)
    power, thrust = (sum(both[f"{name}.{what}"][-1] for name in ("top", "low")) for what in ("power", "thrust"))
    alone = 2 * one["low.power"][-1] * (0.5 * thrust / one["low.thrust"][-1]) ** 1.5
    assert 0.98 * np.sqrt(1 + m) < power / alone < np.sqrt(1 + m)


def test_names_are_checked():
    model = Model("refused")
    add_rotor(model, "top", (0, 0, 0), 1, ("bottom",), "momentum")
    with pytest.raises(sm.ModelError, match=r"'top'.*there is no rotor 'bottom'.*top"):
        sm.Simulation(model)
    model = Model("refused")
    add_rotor(model, "top", (0, 0, 0), 1, ("top",), "momentum")
    with pytest.raises(sm.ModelError, match="the inflow of its own rotor is already included"):
        sm.Simulation(model)
