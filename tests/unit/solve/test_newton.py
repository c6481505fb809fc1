"""Newton's method with a kept matrix: what it costs, when it is renewed, and how far it goes."""

import numpy as np
import pytest

import samara as sm
from samara.solve.native.codes import Counter
from samara.system.memory.blocks import Coefficient


def pendulum(links=1, speed=0.0) -> sm.Model:
    model = sm.Model("pendulum", gravity=(0, 0, -9.81))
    before = model.ground
    for k in range(links):
        x = k + 0.5
        node = model.node(f"link{k}", (x, 0, 0), velocity=(0, 0, -speed * x), angular_velocity=(0, speed, 0))
        model.add(f"body{k}", sm.Body(node, mass=1.0, inertia=(0.1, 0.2, 0.3)))
        model.add(f"hinge{k}", sm.Revolute(before, node, at=(k, 0, 0), axis=(0, 1, 0)))
        before = node
    return model


def run(model, end=1.0, step=1e-3, tolerance=1e-8, **options):
    sim = sm.Simulation(model, tolerance=tolerance, **options)
    return sm.transient(sim, end, step, progress=False)


def test_linear_motion_takes_one_correction():
    # free fall: the prediction is exact, and one iteration finds that out; one more confirms the first step's matrix
    model = sm.Model("fall", gravity=(0, 0, -9.81))
    model.add("body", sm.Body(model.node("ball"), mass=1.0, inertia=(1, 1, 1)))
    found = run(model)
    assert found.attrs.counters["jacobians"] <= 2
    assert found.attrs.counters["iterations"] <= found.attrs.counters["steps"] + 2
    assert found["ball.position"][-1, 2] == pytest.approx(-0.5 * 9.81, rel=1e-12)


def test_a_matrix_is_kept_over_many_steps():
    found = run(pendulum(links=3))
    assert found.attrs.counters["jacobians"] < 0.05 * found.attrs.counters["steps"]
    assert found.attrs.counters["iterations"] < 5 * found.attrs.counters["steps"]


def test_another_step_asks_for_another_matrix():
    # the matrix contains 1/h: more than five percent is too much for the old one
    sim = sm.Simulation(pendulum())
    sm.transient(sim, 0.1, 1e-3, progress=False)
    before = sim.counters[Counter.JACOBIANS]
    sm.transient(sim, 0.2, 2e-3, progress=False)
    assert sim.counters[Counter.JACOBIANS] > before


@pytest.mark.parametrize(("formulation", "difference"), [("redundant", 0.05), ("recursive", 1e-9)])
def test_a_matrix_is_kept_for_nearly_the_same_step(formulation, difference):
    # the first step's formula has another c0, some percent off: in trees, whose matrices are cheap, it is made anew
    sim = sm.Simulation(pendulum(links=2), sm.TwoStep(0.6), formulation=formulation)
    sm.transient(sim, 0.02, 1e-3, progress=False)
    assert sim.memory.trust.factored_for == pytest.approx(sim.machine.coef[Coefficient.POSE], rel=difference)


def test_result_does_not_depend_on_when_the_matrix_was_renewed():
    # one run from fresh matrices only, one that keeps its matrix as long as it can: the same equations are solved
    sim = sm.Simulation(pendulum(links=2), tolerance=1e-12)
    sim.settings.contraction = 0.0  # no contraction is good enough: renew in every step
    fresh = sm.transient(sim, 1.0, 1e-3, progress=False)
    kept = run(pendulum(links=2), tolerance=1e-12)
    assert fresh.attrs.counters["jacobians"] > 5 * kept.attrs.counters["jacobians"]
    assert fresh["link1.position"] == pytest.approx(kept["link1.position"], abs=1e-8)


def test_what_is_left_goes_with_the_tolerance():
    exact = run(pendulum(links=2), tolerance=1e-13)
    errors = [
        np.abs(run(pendulum(links=2), tolerance=t)["link1.position"] - exact["link1.position"]).max()
        for t in (1e-6, 1e-8, 1e-10)
    ]
    # speeds are about 5 m/s; errors of speed are integrated over a second
    assert errors[0] < 1e-3
    assert errors[1] < 1e-5
    assert errors[2] < 1e-7


@pytest.mark.parametrize("step", [1e-6, 1e-9])
def test_very_short_steps_end_at_rounding_and_not_in_failure(step):
    # positions are known to 1e-16 m, twists therefore to 1e-16 / h: corrections cannot become smaller than that
    found = run(pendulum(links=3), end=50 * step, step=step, tolerance=1e-12)
    assert found.attrs.status == "completed"
    assert found["model.violation"].max() < 1e-14
    # horizontal at rest, then in free fall at first
    fall = -0.5 * found["link2.acceleration"][0, 2] * found.time[-1] ** 2
    assert found["link2.position"][0, 2] - found["link2.position"][-1, 2] == pytest.approx(fall, rel=1e-3, abs=1e-15)


def test_a_tight_tolerance_is_honoured_where_rounding_allows():
    # a spinning body at rest in space: its positions are not rounded, however short the step. An error of speed of
    # 5 rad/s times the tolerance a step adds up to at most 2000 times that in two thousand steps
    model = sm.Model("wing nut")
    node = model.node("nut", angular_velocity=(0.5, 5.0, 0.5))
    model.add("body", sm.Body(node, mass=1.0, inertia=(1, 2, 3)))
    loose, tight, tightest = (
        sm.transient(sm.Simulation(model, tolerance=t), 2.0, 1e-3, progress=False)["nut.rotation"]
        for t in (1e-8, 1e-12, 1e-14)
    )
    assert np.abs(tight - tightest).max() < 1e-8
    assert np.abs(loose - tightest).max() > 10 * np.abs(tight - tightest).max()
