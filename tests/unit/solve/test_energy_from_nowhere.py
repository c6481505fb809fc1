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
    with pytest.warns(UserWarning, match=r"J more than it had and was supplied with: steps are too long"):
        results = sm.transient(build(), 100.0 * step, step, progress=False)
    assert results["model.kinetic"].max() > 75.0


@pytest.mark.parametrize("pace", [{"step": 1e-5}, {"accuracy": 1e-5}])
def test_a_step_that_is_short_enough_is_not_doubted(pace):
    results = sm.transient(freewheel(), 0.05, **pace, progress=False)
    assert results["n0.angular_velocity"][-1, 2] == pytest.approx(5.0, abs=0.05)
    assert results["model.kinetic"][-1] == pytest.approx(25.0, rel=0.01)


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
