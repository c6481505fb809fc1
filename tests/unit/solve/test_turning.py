"""Factors of which a part is renewed on its own: bearings between parts that turn against each other."""

import matrices
import numpy as np
import pytest

import samara as sm
from samara.solve import Simulation, TwoStep, transient
from samara.solve.linear.lu import (
    analyse,
    new_storage,
    refactor,
    refactor_head,
    refactor_tail,
    restore_tail,
    solve,
    symbolic,
)
from samara.solve.native.codes import Counter

H = 2e-3
SPEED = 40.0  # rad/s: 0.08 rad per step


def propeller(turning: bool = True) -> sm.Model:
    """Two unlike blades on a shaft, whose bearing stands on a sprung body: nothing in it is symmetric."""
    model = sm.Model("propeller", gravity=(0, 0, -9.81))
    speed = SPEED if turning else 0.0
    spin = np.array([0.0, 0.0, speed])
    stand = model.node("stand")
    model.add("stand.body", sm.Body(stand, mass=3.0, inertia=(0.1, 0.2, 0.3)))
    springs = sm.LinearLaw6((4e3, 5e3, 6e3, 300.0, 400.0, 500.0))
    model.add("stand.springs", sm.DeformableJoint(model.ground, stand, law=springs))
    hub = model.node("hub", (0, 0, 0.3), angular_velocity=spin)
    model.add("hub.body", sm.Body(hub, mass=1.0, inertia=(0.01, 0.01, 0.02)))
    model.add("bearing", sm.Revolute(stand, hub, at=(0, 0, 0.3), axis=(0, 0, 1)))
    for k, mass in enumerate((0.5, 0.8)):
        out = np.array([(-1.0) ** k, 0.0, 0.0])
        at = np.array([0, 0, 0.3]) + 0.4 * out
        blade = model.node(f"blade_{k}", at, velocity=np.cross(spin, 0.4 * out), angular_velocity=spin)
        model.add(f"blade_{k}.body", sm.Body(blade, mass=mass, inertia=(1e-3, 0.01, 0.01)))
        model.add(f"blade_{k}.hinge", sm.Revolute(hub, blade, at=(0, 0, 0.3) + 0.05 * out, axis=(0, 1, 0)))
    return model


def simulation(model, tolerance=1e-11):
    return Simulation(model, TwoStep(0.6), tolerance=tolerance)


@pytest.mark.parametrize("large", [symbolic.LARGE, 0], ids=["together", "apart"])
@pytest.mark.parametrize("sample", [matrices.chain(6), matrices.rotor(2)], ids=["chain", "rotor"])
def test_renewing_the_tail_solves_the_changed_matrix(monkeypatch, sample, large):
    monkeypatch.setattr(symbolic, "LARGE", large)
    rng = np.random.default_rng(1)
    late = np.zeros(sample.n, bool)
    late[rng.choice(sample.n, 9, replace=False)] = True
    rows = np.repeat(np.arange(sample.n), np.diff(sample.indptr))
    inside = late[rows] & late[sample.indices]
    assert inside.any()
    lu = analyse(*sample, late=late)
    assert 0 < lu.tail.pivots < sample.n  # there is a head, and a tail
    v, b, x = new_storage(lu), rng.normal(size=sample.n), np.zeros(sample.n)
    v[lu.slot[~inside]] = sample.values[~inside]
    refactor_head(lu, v)
    for _ in range(3):
        values = sample.values.copy()
        values[inside] *= 1 + 0.5 * rng.uniform(-1, 1, inside.sum())
        restore_tail(lu, v)
        v[lu.slot[inside]] += values[inside]
        refactor_tail(lu, v)
        solve(lu, v, b, x)
        np.testing.assert_allclose(sample._replace(values=values).dense() @ x, b, atol=1e-8 * np.abs(x).max())


def test_without_late_unknowns_the_tail_is_empty():
    lu = analyse(*matrices.chain(3))
    assert (lu.tail.pivots, lu.kept.size) == (lu.n, 0)


def test_the_tail_has_what_cannot_be_eliminated_before():
    """A constraint between late unknowns alone has no pivot of its own: it waits with them."""
    full = np.array([[2.0, 0, 0, 1], [0, 3, 0, 1], [0, 0, 4, 0], [1, 1, 0, 0]])
    lu = analyse(*matrices.from_dense(full), late=[True, True, False, False])
    assert lu.tail.pivots == 1
    v, x = new_storage(lu), np.zeros(4)
    v[lu.slot] = full[np.nonzero(full)]
    refactor(lu, v)
    solve(lu, v, np.ones(4), x)
    np.testing.assert_allclose(full @ x, 1.0, atol=1e-12)


def test_the_bearing_of_a_rotor_turns_and_its_hinges_do_not():
    sim = simulation(propeller())
    assert sim.turning_elements(H) == ("bearing",)
    assert sim.turning_elements(1e-5) == ()  # a step so short that hardly anything turns
    assert simulation(propeller(turning=False)).turning_elements(H) == ()


def test_a_turning_rotor_keeps_its_jacobian_and_moves_as_with_new_ones():
    ours = simulation(propeller())
    run = transient(ours, 1.0, H, outputs=("*.position",), progress=False)
    assert ours.turning == ("bearing",)
    assert ours.counters[Counter.REFRESHED] > 0
    assert ours.counters[Counter.JACOBIANS] < 0.05 * ours.counters[Counter.STEPS]
    plain = simulation(propeller())
    plain.turning_elements = lambda step: ()
    other = transient(plain, 1.0, H, outputs=("*.position",), progress=False)
    assert plain.turning == ()
    for name in ("stand.position", "blade_1.position"):
        np.testing.assert_allclose(run[name], other[name], atol=1e-7)  # tolerance 1e-11 of 16 m/s, over 500 steps


def test_a_rotor_that_starts_from_rest_is_found_to_turn():
    model = propeller(turning=False)
    model.add("motor", sm.Couple(model.nodes["hub"], couple=(0, 0, 5.0)))
    sim = simulation(model)
    transient(sim, 1.5, H, outputs="model.violation", progress=False)
    assert sim.turning == ("bearing",)
    assert sim.counters[Counter.ANALYSES] <= 4


def test_a_checkpoint_of_a_turning_rotor_goes_on_bit_by_bit(tmp_path):
    whole, first, second = (simulation(propeller()) for _ in range(3))
    transient(whole, 0.4, H, outputs="model.violation", progress=False)
    path = tmp_path / "half.npz"
    transient(first, 0.2, H, outputs="model.violation", progress=False, checkpoint=path)
    transient(second, 0.4, H, outputs="model.violation", progress=False, resume=path)
    np.testing.assert_array_equal(second.machine.state, whole.machine.state)
