"""Derivatives of runs are those of the numerical solution: of what a step does beside its formula, too.

Steps are long, so that errors of the steps, which follow the carriers, are far above the bound.
"""

import numpy as np
import pytest

import samara as sm

INTEGRATORS = (sm.TwoStep(0.6), sm.BDF2(), sm.CrankNicolson())
#: Differences of fourth order with steps of 1e-3, and of what Newton's method leaves of a run.
AGREED = 1e-6


def fourth_order(value, at, step):
    near = value(at + step) - value(at - step)
    far = value(at + 2 * step) - value(at - 2 * step)
    return (8.0 * near - far) / (12.0 * step)


def worst(build, name, value, channels, step, end, integrator=None, tolerance=1e-13):
    """Largest difference of a channel's derivative from differences of runs, of its largest; the first row is left out,
    and the derivatives themselves."""

    def run(p):
        sim = sm.Simulation(build(**{name: p}), integrator, tolerance=tolerance, stabilise=False)
        found = sm.transient_sensitivity(sim, end, step, name, outputs=channels)
        return found, np.stack([found.results[c][1:] for c in channels])

    found = run(value)[0]
    slopes = np.stack([found[c, name][1:] for c in channels])
    expected = fourth_order(lambda p: run(p)[1], value, 1e-3 * abs(value))
    size = np.abs(expected).reshape(len(channels), -1).max(axis=1)
    assert size.max() > 1e-2
    size = np.maximum(size, 1e-3)  # smaller ones are of rounding
    return np.abs(slopes - expected).reshape(len(channels), -1).max(axis=1) / size


FLIGHT = {"mass": 0.8, "arm": 0.4, "k": 30.0, "push": 3.0, "speed": 20.0}


def flying(base="none", **changed):
    """A hub with two blades on springs, one heavier than the other, that flies and turns 0.2 rad in a step.

    base: what it goes by: its centre of mass, a node that is named, or a prescribed node that it hangs on.
    """
    p = {name: sm.Parameter(name, value) for name, value in {**FLIGHT, **changed}.items()}
    model, spin, v = sm.Model("flying", gravity=(0, 0, -9.81)), np.array([0, 0, 20.0]), np.array([20.0, 5.0, 0])
    hub = model.node("hub", velocity=v, angular_velocity=spin)
    model.add("iron", sm.Body(hub, mass=2.0, inertia=(0.1, 0.1, 0.2)))
    if base == "prescribed":
        place = (sm.Constant(p["speed"]) * sm.Expression(lambda t: t + t * t), sm.Expression(lambda t: 5.0 * t), 0.0)
        ship = model.prescribed("ship", sm.Motion(position=place))
        model.add("bearing", sm.Revolute(ship, hub, axis=(0, 0, 1)))
    if base == "named":
        model.follow(hub)
    model.add("push", sm.Force(hub, force=(0, p["push"], 0.0)))
    for k, mass in enumerate((p["mass"], 1.0)):
        out = np.array([1.0 if k == 0 else -1.0, 0, 0])
        blade = model.node(f"blade{k}", 0.1 * out, velocity=v + np.cross(spin, 0.1 * out), angular_velocity=spin)
        com = (p["arm"], 0.05, 0.03) if k == 0 else (-0.4, 0, 0)
        model.add(f"mass{k}", sm.Body(blade, mass=mass, com=com, inertia=(0.01, 0.05, 0.05)))
        hinge = {"at": 0.1 * out, "axis": (0, 1, 0)}
        model.add(f"hinge{k}", sm.Revolute(hub, blade, **hinge))
        model.add(f"spring{k}", sm.Torsion(hub, blade, law=sm.LinearLaw(p["k"], damping=0.2), **hinge))
    return model


FLOWN = ("hub.position", "hub.velocity", "blade0.velocity", "blade1.angular_velocity", "hinge0.force")


@pytest.mark.parametrize("integrator", INTEGRATORS, ids=lambda x: x.name)
@pytest.mark.parametrize("name", ["mass", "arm", "k", "push"])
def test_a_rotor_in_flight(name, integrator):
    """Its carrier goes with its centre of mass: masses and places of masses move it, as do forces."""
    found = worst(flying, name, FLIGHT[name], FLOWN, 1e-2, 0.2, integrator)
    assert found.max() < AGREED, found


@pytest.mark.parametrize(("base", "name"), [("prescribed", "speed"), ("prescribed", "k"), ("named", "mass")])
def test_carriers_that_go_by_a_node(base, name):
    found = worst(lambda **p: flying(base, **p), name, FLIGHT[name], FLOWN, 1e-2, 0.2)
    assert found.max() < AGREED, found


SLIDER = {"stiffness": 40.0, "weight": 2.0}


def sliding(at, **changed):
    """A slider without mass between springs at an angle, pulled by a pendulum; a knot without mass clamped to that."""
    p = {name: sm.Parameter(name, value) for name, value in {**SLIDER, **changed}.items()}
    model = sm.Model("sliding", gravity=(0, 0, -9.81))
    b = model.node("b", (1, 0, -1), velocity=(-0.7, 0, 0), angular_velocity=(0, 0.7, 0))
    n = model.node("n", (at, 0, 0), static=True)  # near its balance
    tip = model.node("tip", (1, 0, -1.2), static=True, velocity=(-0.84, 0, 0), angular_velocity=(0, 0.7, 0))
    model.add("body", sm.Body(b, mass=p["weight"], inertia=(0.1, 0.1, 0.1)))
    model.add("hinge", sm.Revolute(model.ground, b, at=(1, 0, 0), axis=(0, 1, 0)))
    model.add("clamp", sm.Clamp(b, tip, at=(1, 0, -1.2)))
    model.add("rail", sm.Prismatic(model.ground, n, at=(at, 0, 0), axis=(1, 0, 0)))
    model.add("back", sm.Spring(model.ground, n, place_a=(-1.0, 0, 0.5), stiffness=90.0, length=0.7))
    model.add("pull", sm.Spring(n, b, stiffness=p["stiffness"], length=0.5))
    return model


@pytest.mark.filterwarnings("ignore:model 'sliding'")  # the assembly says that it has moved the slider
@pytest.mark.parametrize("integrator", INTEGRATORS, ids=lambda x: x.name)
@pytest.mark.parametrize("name", SLIDER)
def test_accelerations_of_what_has_no_mass(name, integrator):
    """Steps take them from velocities: after the first, and in every one where nothing is damped.

    The start, good to nine digits, is divided by a step for them.
    """
    channels = ("n.acceleration", "tip.acceleration", "n.velocity", "tip.velocity", "b.position")
    found = worst(lambda **p: sliding(0.0, **p), name, SLIDER[name], channels, 5e-3, 0.1, integrator)
    assert found[:2].max() < 1e-5, found
    assert found[2:].max() < AGREED, found


def test_steps_that_end_on_the_constraints_are_refused():
    """What Crank-Nicolson's steps do at their end, unless told otherwise, is not differentiated."""
    for options in ({"integrator": sm.CrankNicolson()}, {"stabilise": True}):
        with pytest.raises(sm.ArgumentError, match=r"model 'flying' project velocities onto .* stabilise=False"):
            sm.transient_sensitivity(sm.Simulation(flying(), **options), 0.1, 1e-2, "k")
