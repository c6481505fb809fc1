"""A run whose steps are too long for something stiff, and that makes energy, is told; one that is driven is not."""

import warnings

import numpy as np
import pytest

import samara as sm

AXIS = {"at": (0, 0, 0), "axis": (0, 0, 1)}


def wheels(*speeds):
    """Wheels of 1 kg m^2 on one axis."""
    model = sm.Model("wheels")
    nodes = []
    for k, speed in enumerate(speeds):
        node = model.node(f"n{k}", angular_velocity=(0, 0, speed))
        model.add(f"wheel{k}", sm.Body(node, mass=1.0, inertia=(1.0, 1.0, 1.0)))
        model.add(f"bearing{k}", sm.Revolute(model.ground, node, **AXIS))
        nodes.append(node)
    return model, *nodes


def freewheel():
    model, a, b = wheels(10.0, 0.0)
    model.add("f", sm.Freewheel(a, b, stiffness=1e6, damping=1e4, **AXIS))
    return model


def clutch():
    model, a, b = wheels(10.0, 0.0)
    model.add("c", sm.Clutch(a, b, engaged=1.0, capacity=50.0, transition=1e-9, **AXIS))
    return model


@pytest.mark.parametrize(("build", "step"), [(freewheel, 1e-3), (clutch, 1e-2)])
def test_energy_from_nowhere_is_told(build, step):
    """Two wheels of 50 J in all that catch each other: what there is can only become less."""
    with pytest.warns(
        UserWarning, match=r"J more energy than was initially present and supplied: the step is too long"
    ):
        results = sm.transient(build(), 100.0 * step, step, progress=False)
    assert results["model.kinetic"].max() > 75.0


@pytest.mark.parametrize("pace", [{"step": 1e-5}, {"accuracy": 1e-5}])
def test_a_step_that_is_short_enough_is_not_doubted(pace):
    results = sm.transient(freewheel(), 0.05, **pace, progress=False)
    assert results["n0.angular_velocity"][-1, 2] == pytest.approx(5.0, abs=0.05)
    assert results["model.kinetic"][-1] == pytest.approx(25.0, rel=0.01)


def sprung(omega, *, out_of, load=0.0):
    """1 kg on a spring of 1 m, let go that much longer."""
    model = sm.Model("sprung")
    node = model.node("n", position=(1.0 + out_of, 0, 0))
    model.add("body", sm.Body(node, mass=1.0, inertia=(0.1, 0.1, 0.1)))
    model.add("rail", sm.Prismatic(model.ground, node, at=(0, 0, 0), axis=(1, 0, 0)))
    model.add("spring", sm.Spring(model.ground, node, stiffness=omega**2, length=1.0))
    model.add("load", sm.Force(node, force=(load, 0, 0)))
    return model


METHODS = [
    {"integrator": sm.TwoStep(0.6)},
    {"integrator": sm.CrankNicolson()},
    {"formulation": "recursive", "integrator": sm.TwoStep(0.6)},
]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("load", [sm.Input("load"), sm.Sine(1.0, 3.0)])
def test_what_steps_do_not_resolve_is_told_of_a_model_that_is_driven(load, method):
    """Its books of energy are not looked at, for a drive may give a blow between two samples: how nodes move tells."""
    step = 1e-2
    model = sprung(3.0 / step, out_of=0.5, load=load)
    with pytest.warns(UserWarning, match=r"'n' moves by .* more than its velocity and acceleration account for"):
        results = sm.transient(model, 100 * step, step, progress=False, **method)
    energy = results["model.kinetic"] + results["model.potential"]
    assert energy.max() > 2.0 * energy[0]


@pytest.mark.parametrize("method", METHODS)
def test_what_steps_resolve_or_what_is_small_is_not_doubted(method):
    """Six steps per period; a mode that is not resolved, and moves by a hundredth; a rotor of eleven steps per turn."""
    step = 1e-2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for omega, out_of in ((1.0, 0.5), (3.0, 0.01)):
            model = sprung(omega / step, out_of=out_of, load=sm.Input("load"))
            sm.transient(model, 20 * step, step, progress=False, **method)
        rotor = sm.Model("rotor")
        node = rotor.node("n", position=(1, 0, 0))
        rotor.add("body", sm.Body(node, mass=1.0, inertia=(1, 1, 1)))
        rotor.add("hinge", sm.Revolute(rotor.ground, node, at=(0, 0, 0), axis=(0, 0, 1), start={"angle_rate": 55.0}))
        sm.transient(rotor, 20 * step, step, progress=False, **method)


@pytest.mark.parametrize("integrator", [None, sm.TwoStep(0.6), sm.MoreauJean()])
def test_a_joint_of_a_tree_that_turns_too_far_in_a_step_is_told(integrator):
    model, _ = wheels(400.0)
    with pytest.warns(UserWarning, match=r"rotates by 4 rad in one step"):
        sm.transient(model, 0.1, 0.01, formulation="recursive", integrator=integrator, progress=False)


def test_what_is_supplied_or_falls_is_not_doubted():
    """A torque that turns a wheel up, and back; a weight that falls; a spring let go."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model, a = wheels(0.0)
        model.add("torque", sm.Couple(a, couple=(0, 0, sm.Sine(5.0, 3.0))))
        sm.transient(model, 2.0, 0.05, progress=False)
        model = sm.Model("falls", gravity=(0, 0, -9.81))
        node = model.node("n")
        model.add("body", sm.Body(node, mass=1.0, inertia=(1, 1, 1)))
        model.add("spring", sm.Spring(model.ground, node, place_a=(0, 0, 1), stiffness=1e3, length=0.9))
        found = sm.transient(model, 2.0, 0.02, progress=False)
        assert np.ptp(found["model.kinetic"]) > 1.0
