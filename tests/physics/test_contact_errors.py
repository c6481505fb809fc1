"""Contacts that cannot be: errors name them, and what was found so far is kept, in both formulations."""

import numpy as np
import pytest

import samara as sm
from samara.rotations import rotation_from_axes

G = 9.81
FORMULATIONS = ["redundant", "recursive"]


def press(friction: float, points: int = 1, bodies: int = 1) -> sm.Model:
    """Bodies on a table, the last of which is tall: a die comes down on it at 1 m/s, and is there after 0.3 s."""
    model = sm.Model("press", gravity=(0, 0, -G))
    die = model.prescribed("die", sm.Motion(position=(0, 0, lambda t: -1.0 * t)))
    down = sm.Placement((0, 0, 0.5), rotation_from_axes(z=(0, 0, -1), x=(1, 0, 0)))
    for k in range(bodies):
        node = model.node(f"part{k}", position=(k, 0, 0.1))
        model.add(f"body{k}", sm.Body(node, mass=2.0, inertia=(0.01,) * 3))
        for j in range(points):
            at = {"place_b": (0.01 * j, 0.01 * (j % 3), 0), "shape": sm.BallShape(0.1), "friction": friction}
            model.add(f"table{k}_{j}", sm.Contact(model.ground, node, place_a=(0, 0, 0), **at))
            if k == bodies - 1:
                model.add(f"die_{j}", sm.Contact(die, node, place_a=down, **at))
    return model


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("friction", [0.0, 0.3])
@pytest.mark.parametrize("points", [1, 12])
def test_planes_that_close_in(formulation, friction, points):
    """Only contacts of the body that is pressed are named, not those of its neighbour. With 24 points there is no Lemke
    in the case of friction: sweeps find no impulses."""
    model = press(friction, points, bodies=2)
    with pytest.raises(sm.Diverged, match=r"contacts.*'table1_0'") as caught:
        sm.transient(model, 1.0, 1e-3, formulation=formulation, progress=False)
    assert "'die_0'" in str(caught.value) and "table0" not in str(caught.value)
    assert caught.value.results.time[-1] == pytest.approx(0.3, abs=2e-3)
    assert caught.value.results["part1.position"][-1, 2] == pytest.approx(0.1, abs=1e-6)


@pytest.mark.parametrize("facets", [3, 4, 8])
def test_planes_that_close_in_on_polygons(facets):
    """A linear complementarity problem without a solution: Lemke's method ends in a ray, with and without rounding."""
    with pytest.raises(sm.Diverged, match=r"'table0_0'.*'die_0'|'die_0'.*'table0_0'") as caught:
        sm.transient(
            press(0.3), 1.0, 1e-3, formulation="recursive", integrator=sm.MoreauJean(facets=facets), progress=False
        )
    assert caught.value.results.time[-1] == pytest.approx(0.3, abs=2e-3)


def ball(**law) -> sm.Model:
    model = sm.Model("ball", gravity=(0, 0, -G))
    node = model.node("ball", position=(0, 0, 0.3))
    model.add("body", sm.Body(node, mass=2.0, inertia=(0.008,) * 3))
    model.add("floor", sm.Contact(model.ground, node, place_a=(0, 0, 0), shape=sm.BallShape(0.1), **law))
    return model


BAD = [("restitution", 1.5), ("restitution", -0.1), ("restitution", np.nan), ("friction", -0.1), ("friction", np.nan)]


@pytest.mark.parametrize(("name", "value"), BAD)
def test_numbers_that_mean_nothing_are_refused(name, value):
    with pytest.raises(sm.ModelError, match=rf"'floor'.*{name}"):
        ball(**{name: value})


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize(("name", "value"), BAD)
def test_they_are_refused_during_a_run_which_goes_on(formulation, name, value):
    stepper = sm.Stepper(ball(**{name: sm.Parameter("tuned", 0.4)}), 1e-3, formulation=formulation)
    stepper.advance(100)
    with pytest.raises(sm.ModelError, match=r"'tuned'" if np.isnan(value) else rf"'floor'.*{name}"):
        stepper.sim.system.parameters.set("tuned", value)
    stepper.advance(400)
    results = stepper.results()
    assert len(results.time) == 501 and results["ball.position"][:, 2].min() > 0.1 - 0.01


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_sweeps_that_are_too_few_are_told_of(formulation):
    """A body on twenty points that slides and turns: one sweep is not enough, and its contacts are named."""
    model = sm.Model("sledge", gravity=(0, 0, -G))
    node = model.node("sledge", position=(0, 0, 0.1), velocity=(1.0, 0.3, 0.0), angular_velocity=(0, 0, 2.0))
    model.add("body", sm.Body(node, mass=2.0, inertia=(0.02, 0.02, 0.03)))
    for k in range(20):
        at = (0.2 * np.cos(k), 0.3 * np.sin(2.0 * k), -0.1)
        model.add(f"foot{k}", sm.Contact(model.ground, node, place_a=(0, 0, 0), place_b=at, friction=0.4))
    with pytest.raises(sm.Diverged, match=r"within 1 sweeps .*'foot0'.*more sweeps"):
        sm.transient(sm.Simulation(model, sweeps=1, formulation=formulation), 0.1, 1e-3, progress=False)
    enough = sm.transient(sm.Simulation(model, formulation=formulation), 0.1, 1e-3, progress=False)
    assert enough.attrs.counters["contact_sweeps"] > enough.attrs.counters["contact_problems"]
    assert enough.attrs.counters["contact_residual"] < 1e-5
