"""What is in equilibrium already is left as it is: not a bit moves, nothing comes from nowhere; verdicts are right."""

import warnings

import numpy as np
import pytest

import samara as sm
from samara import models
from samara.models.rotors.hinged_rotor import hinged_rotor
from samara.rotations import exp_so3, rotation_z

OIL = sm.LinearFluid(reference_density=870.0, viscosity=1e-5, bulk_modulus=1.4e9)


def cylinder(ways: str, pressure=101325.0, rod=0.0, leakage=0.0, dead=1e-4, R=None) -> sm.Model:
    """A piston without load on a rail; its chambers shut, joined by an orifice, or open to a tank."""
    R, model = np.eye(3) if R is None else R, sm.Model(f"cylinder, {ways}")
    a, b = model.pressure("a", pressure), model.pressure("b", pressure)
    load = model.node("load", R @ (1.0, 0, 0), R)
    model.add("mass", sm.Body(load, mass=10.0, inertia=(1, 1, 1)))
    model.add("guide", sm.Prismatic(model.ground, load, at=load.position, axis=R[:, 0]))
    areas = {"area_1": 1e-3, "area_2": 1e-3 - rod, "volume_1": dead, "volume_2": dead}
    jack = sm.LinearActuator(model.ground, load, a, p2=b, fluid=OIL, leakage=leakage, air=pressure, **areas)
    model.add("jack", jack)
    if ways == "joined":
        model.add("orifice", sm.Orifice(a, b, fluid=OIL, diameter=1e-3))
    elif ways != "shut":
        tank = model.pressure("outside", pressure)
        model.add("tank", sm.Tank(tank, fluid=OIL, pressure=pressure))
        for name, chamber in (("one", a), ("two", b)):
            pipe = sm.Pipe(chamber, tank, fluid=OIL, radius=5e-3, length=1.0)
            model.add(name, pipe if ways == "pipes" else sm.Orifice(chamber, tank, fluid=OIL, diameter=1e-3))
    return model


def charged() -> sm.Model:
    """Two capacitors without a way between them, and one with a resistor across it that is empty."""
    model = sm.Model("charged")
    ground = model.potential("zero")
    model.add("earth", sm.Earth(ground))
    for k, volts in enumerate((5.0, -3.0, 0.0)):
        node = model.potential(f"v{k}")
        model.add(f"c{k}", sm.Capacitor(node, ground, capacitance=1e-3 * (k + 1), start=volts))
    model.add("r", sm.Resistor(model.states["v2"], ground, resistance=3.0))
    return model


def hanging(start=(0.0, -1.0)) -> sm.Model:
    model = sm.Model("hanging", gravity=(0, 0, -9.81))
    bob = model.node("bob", (start[0], 0, start[1]))
    model.add("mass", sm.Body(bob, mass=2.0, inertia=(0.1, 0.1, 0.1)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    return model


def teetering() -> sm.Model:
    """Two blades on one hinge, with inflow that ends where the hub stands: nothing turns the yoke back."""
    model, speed = sm.Model("teeter"), 60.0
    hub = model.prescribed("hub", sm.Motion(rotation=(0, 0, lambda t: speed * t)))
    names = ["blade_1", "blade_2"]
    rotor = sm.Rotor(model.ground, hub, radius=2.0, speed=speed, inflow=sm.Momentum(), blades=names)
    model.add("rotor", rotor)
    yoke = model.node("yoke", angular_velocity=(0, 0, speed))
    model.add("yoke.body", sm.Body(yoke, mass=0.5, inertia=(0.01, 0.01, 0.01)))
    model.add("teeter", sm.Revolute(hub, yoke, at=(0, 0, 0), axis=(0, 1, 0)))
    for k, name in enumerate(names):
        R = rotation_z(np.pi * k)
        p = R @ (1.0, 0, 0)
        blade = model.node(name, p, R, velocity=np.cross((0, 0, speed), p), angular_velocity=(0, 0, speed))
        model.add(f"{name}.body", sm.Body(blade, mass=1.5, inertia=(0.01, 0.5, 0.5)))
        model.add(f"{name}.root", sm.Clamp(yoke, blade, at=p))
        stations = sm.Stations.gauss(-0.7, 1.0, 4, 0.12, 0.1)
        air = sm.AeroBody(blade, stations=stations, aerofoil=sm.ThinAerofoil(stall=1.2), rotor=rotor)
        model.add(f"{name}.air", air)
    return model


def solved(model: sm.Model) -> tuple[np.ndarray, sm.Results]:
    """How far it has gone from its consistent start, and the results; warnings of neutral poses are no news here."""
    start = sm.Simulation(model)
    sm.assemble(start, balance=False)
    sim = sm.Simulation(model)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = sm.static(sim)
    return sim.state.difference(start.state.copy()), results


CYLINDERS = [
    ({"ways": "shut"}, "stable"),
    ({"ways": "shut", "pressure": 2e7}, "stable"),
    ({"ways": "shut", "leakage": 1e-12}, "neutral"),
    ({"ways": "joined"}, "neutral"),
    ({"ways": "joined", "pressure": 2e7, "dead": 1e-6}, "neutral"),
    ({"ways": "joined", "rod": 4e-4}, "stable"),  # the rod presses the liquid
    ({"ways": "orifices"}, "neutral"),
    ({"ways": "orifices", "leakage": 1e-12}, "neutral"),
    ({"ways": "pipes", "rod": 4e-4, "pressure": 2e7}, "neutral"),
]


@pytest.mark.parametrize(("settings", "verdict"), CYLINDERS, ids=str)
def test_a_cylinder_without_load_stays(settings, verdict, rng):
    """With as much oil in each chamber; whether the piston is free to go, with oil that flows along, is the verdict."""
    for turn in (np.zeros(3), rng.normal(size=3)):
        moved, results = solved(cylinder(**settings, R=exp_so3(turn)))
        assert np.array_equal(moved, np.zeros_like(moved))
        assert results.attrs.stability == verdict


@pytest.mark.parametrize("model", [charged(), hanging()], ids=lambda model: model.name)
def test_what_is_in_equilibrium_stays(model):
    moved, results = solved(model)
    assert np.array_equal(moved, np.zeros_like(moved))
    assert results.attrs.stability == "stable"


def test_an_unstable_equilibrium_is_left():
    moved, results = solved(hanging((0.0, 1.0)))
    assert np.abs(moved).max() > 1.0
    assert results.attrs.stability == "stable"


@pytest.mark.parametrize("name", ["double-pendulum", "four-bar", "hammond", "hydraulic-beam", "propeller-pylon"])
def test_ready_models_that_have_come_to_rest_stay(name):
    sim = sm.Simulation(models.find(name).make())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sm.static(sim)
        there = sim.state.copy()
        again = sm.static(sim)
    moved = np.abs(sim.state.difference(there))
    assert moved.max() < 1e-9 * max(1.0, np.abs(sim.state.values).max(initial=0.0))
    assert again.attrs.counters["relaxations"] == 0


def test_two_blades_on_one_hinge_with_inflow():
    """Forces and stiffness of air vanish together with the inflow: rounding is all that is left to divide by."""
    _, results = solved(teetering())
    assert results.attrs.stability == "neutral"


def test_blades_at_rest_in_still_air():
    """Nothing holds them and no inflow is felt: a balance that is neutral, without numbers beyond all bounds."""
    with pytest.warns(UserWarning, match="neutral"):
        results = sm.static(hinged_rotor(blades=2, inflow=sm.NoInflow()))
    assert np.abs(results["rotor.force"]).max() < 1e-12
