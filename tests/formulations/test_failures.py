"""Runs that fail, in every way to take a step: the error names the culprit, and nothing that was not there.

In each model three bodies stand in a row, and the second one is at fault. So whoever names the first has guessed.
"""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from ways_to_step import ways

import samara as sm
from samara.model import driven
from samara.realtime.loop import RealTime, made_up
from samara.solve.tree.rows import owner_of_row

G, STEP, FALL = 9.81, 1e-3, 0.05
TIME = np.sqrt(2.0 * FALL / G)  # of a fall through it [s]
GUILTY, OTHERS = "beta", ("alpha", "gamma")


class Root(sm.Coupling):
    """A force that depends on the square root of the height: without meaning below the ground."""

    def coordinates(self, a, b):
        return [(b.p - a.p)[2]]

    def effort(self, q, q_rate):
        return [1e-6 * np.sqrt(q[0])]


class Kink(sm.Coupling):
    """A force that jumps by far more than inertia can balance in a step."""

    def coordinates(self, a, b):
        return [(b.p - a.p)[2]]

    def effort(self, q, q_rate):
        return [sm.select(q[0] > 0.0, 0.0, -1e8) + sm.select(q[0] > -1e-4, 0.0, 2e8)]


def row(heights, element) -> sm.Model:
    """Bodies on guides at those heights above the ground, with an element each: element(k, ground, node)."""
    model = sm.Model("row", gravity=(0, 0, -G))
    for k, (name, height) in enumerate(zip(("alpha", "beta", "gamma"), heights, strict=True)):
        node = model.node(name, (k, 0, height))
        model.add(f"{name}_body", sm.Body(node, mass=1.0, inertia=(1, 1, 1)))
        model.add(f"{name}_guide", sm.Prismatic(model.ground, node, at=node.position, axis=(0, 0, 1)))
        model.add(f"{name}_law", element(k, model.ground, node))
    return model


def falling(kind) -> sm.Model:
    """The second reaches the ground, where its element fails; the others are far above."""
    return row((50.0, FALL, 80.0), lambda k, ground, node: kind(ground, node))


def springs() -> sm.Model:
    """The second spring has a frequency of 1e4 rad/s; the others swing slowly."""
    stiffness = (10.0, 1e8, 10.0)
    return row((1.0, 1.0, 1.0), lambda k, a, b: sm.Axial(a, b, place_a=(k, 0, 0), law=sm.LinearLaw(stiffness[k])))


def failure(way, model, **options) -> sm.Diverged:
    """The error of a run that must not come to its end."""
    try:
        run = way.run(model, **{"end": 0.3, "step": STEP, "tolerance": 1e-9, **options})
    except sm.Diverged as error:
        return error
    finite = np.isfinite(run.table).all(axis=1)
    raise AssertionError(f"it ran to its end, with {(~finite).sum()} of {len(finite)} records that are not finite")


def assert_named(words: str) -> None:
    """The culprit alone."""
    assert GUILTY in words, words
    for innocent in OTHERS:
        assert innocent not in words, words


def test_what_is_not_a_number_is_named(way):
    """A root of a negative height: the element, or its joint or node, and the time; all records are numbers."""
    error = failure(way, falling(Root))
    assert "not finite" in str(error)
    assert "Newton" not in str(error)
    assert_named(str(error).partition("; the last states")[0])
    assert error.results.attrs.status == "failed"
    assert np.isfinite(error.results.table).all()
    assert TIME - 2.0 * STEP < error.results.time[-1] < TIME + STEP


@ways("redundant", "implicit", "time stepping")
def test_a_force_that_cannot_be_balanced_is_named(way):
    """It jumps by 1e8 N within a tenth of a millimetre: no step is found, and the node is told where."""
    error = failure(way, falling(Kink))
    assert_named(str(error).partition("; the last states")[0])
    assert "(0 of" not in str(error)  # a correction of nothing is none
    assert error.results.time[-1] == pytest.approx(TIME, abs=2.0 * STEP)
    if not way.iterates:
        assert "Newton" not in str(error)


@ways("explicit")
def test_a_spring_that_is_too_stiff_for_an_explicit_formula_is_named(way):
    """1e4 rad/s at a step of 1e-3 s grows tenfold and more in each: the spring, the formula and a remedy are told."""
    error = failure(way, springs())
    words = str(error).partition("; the last states")[0]
    assert "Newton" not in words
    assert way.integrator.name in words and "TwoStep" in words
    assert_named(words)


@ways(where=lambda way: way.adapts)
def test_with_an_accuracy_the_culprit_is_the_same(way):
    """The step becomes shorter and shorter before the root of nothing."""
    error = failure(way, falling(Root), step=None, accuracy=1e-6)
    words = str(error).partition("; the last states")[0]
    assert_named(words)
    assert way.iterates or "Newton" not in words
    assert error.results.time[-1] == pytest.approx(TIME, abs=STEP)


def test_real_time_names_the_culprit_too(way):
    report = RealTime(falling(Root), 1.0 / STEP, clock=made_up(), **way.method).run(0.3)
    assert report.failed, f"it ended as {report.ended}"
    assert_named(report.message)
    assert "Newton" not in report.message


def wheel() -> sm.Model:
    """With a motor on an input."""
    model = sm.Model("pendulum", gravity=(0, 0, -G))
    bob = model.node("bob", (1, 0, 0))
    model.add("body", sm.Body(bob, mass=1.0, inertia=(0.01, 0.01, 0.01)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    torque = sm.Input("torque", unit="N m")
    model.add("motor", sm.RotaryActuator(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0), torque=torque))
    return model


def fails(stepper) -> bool:
    """Whether the next step does."""
    try:
        stepper.advance()
    except sm.Diverged:
        return True
    return False


def test_a_step_that_failed_leaves_the_motion_where_it_was(way):
    """A torque of 1e308 N m overflows; without it the run goes on from where it was."""
    stepper, other = way.stepper(wheel(), STEP), way.stepper(wheel(), STEP)
    stepper.advance(10)
    stepper.feed("torque", 1e308)
    assert fails(stepper)
    stepper.feed("torque", 0.0)
    stepper.advance(10)
    other.advance(20)
    assert stepper.time == pytest.approx(other.time)
    # the scheme starts anew after what was an event: an error of a start
    assert stepper.measure("hinge.angle") == pytest.approx(other.measure("hinge.angle"), abs=1e-6)
    assert stepper.measure("hinge.angle_rate") == pytest.approx(other.measure("hinge.angle_rate"), abs=1e-4)


class Growth(sm.Element):
    """x' = k x."""

    x: sm.State = sm.state(kw_only=False)
    k: Any = driven(unit="1/s")

    def formulate(self, site):
        x = site.states[0]
        return sm.Contribution(wrenches=[], balances=[x.rate - self.k * x.value])


def growing(step) -> sm.Model:
    """From the fifth step on 1 - c0 k = 0 in the trapezoidal rule, c0 = h / 2: every x is as good as any other."""
    model = sm.Model("growth")
    model.add("growth", Growth(model.state("x", value=1.0), k=sm.Step(2.0 / step, time=4 * step)))
    return model


@ways("implicit", where=lambda way: isinstance(way.integrator, sm.CrankNicolson))
def test_a_singular_matrix_is_named(way):
    """A power of two as a step, so that it is singular to the last bit."""
    step = 2.0**-7
    sim = sm.Simulation(growing(step), substeps=1, **way.method)
    with pytest.raises(sm.Diverged, match=r"Newton's matrix is singular at t = 0\.0390625 s") as error:
        sm.transient(sim, 8 * step, step, progress=False)
    assert np.isfinite(error.value.results.table).all()
    report = RealTime(growing(step), 1.0 / step, clock=made_up(), substeps=1, **way.method).run(8 * step)
    assert report.ended == "singular"
    assert "Newton's matrix is singular" in report.message


@ways("implicit", where=lambda way: isinstance(way.integrator, sm.CrankNicolson))
def test_a_singular_matrix_is_passed_by_shorter_steps(way):
    """x grows by (1 + 1/2) / (1 - 1/2) = 3 in each half of a step."""
    step = 2.0**-7
    run = way.run(growing(step), 6 * step, step)
    assert run.attrs.counters["divided"] == 2
    np.testing.assert_allclose(run["x.value"], [1.0, 1.0, 1.0, 1.0, 1.0, 9.0, 81.0], rtol=1e-9)


def swarm() -> sm.Model:
    """A body that floats, one on a ball, one on a hinge, and a level beside them."""
    model = sm.Model("swarm", gravity=(0, 0, -G))
    for k, name in enumerate(("floating", "turning", "hinged")):
        node = model.node(name, (k, 0, 0))
        model.add(f"{name}_body", sm.Body(node, mass=1.0, inertia=(1, 1, 1)))
        if name != "floating":
            kind = sm.Spherical if name == "turning" else sm.Revolute
            model.add(f"{name}_joint", kind(model.ground, node, at=(k, 0, 1)))
    model.add("growth", Growth(model.state("level", value=1.0), k=1.0))
    return model


def test_each_number_of_a_tree_has_an_owner():
    """Coordinates and speeds in the order of the joints, states, then the rotations of balls."""
    tree = sm.Simulation(swarm(), formulation="recursive").tree
    rows = len(tree.graph.moving()) + 3 * len(tree.graph.balls())
    owners = [owner_of_row(tree, k) for k in range(-1, rows + 1)]
    assert owners[0] is owners[-1] is None
    count = Counter(owner.name for owner in owners[1:-1])
    # slides and speeds, a rotation each; of the ball no coordinate by itself; angle and speed; the value
    assert count == {"node 'floating'": 12, "joint 'turning_joint'": 6, "joint 'hinged_joint'": 2, "state 'level'": 1}
