"""Locks and clutches: momentum is kept where they engage; what a formulation cannot have is refused by name."""

import numpy as np
import pytest
from ways_to_step import ways

import samara as sm

J1, J2, SPEED = 0.4, 0.1, 30.0
COMMON = J1 * SPEED / (J1 + J2)
ALONG = {"at": (0, 0, 0), "axis": (0, 0, 1)}


def shafts(coupling) -> sm.Model:
    """Two discs on one axis, the first spinning, with this between them."""
    model = sm.Model("two discs")
    first, second = model.node("first", angular_velocity=(0, 0, SPEED)), model.node("second", (0, 0, 1))
    for node, inertia in ((first, J1), (second, J2)):
        model.add(f"{node.name}_disc", sm.Body(node, mass=1.0, inertia=(0.3, 0.3, inertia)))
        model.add(f"{node.name}_bearing", sm.Revolute(model.ground, node, at=node.position, axis=(0, 0, 1)))
    model.add("clutch", coupling(first, second))
    return model


def spins(run) -> np.ndarray:
    return np.column_stack([run[f"{name}.angular_velocity"][:, 2] for name in ("first", "second")])


def test_a_viscous_clutch_closes_within_a_step(way):
    """From 0.1003 s on the slip dies away as exp(-t / T), T = J1 J2 / (J1 + J2) / c; momentum is kept to rounding."""
    c, closes, step, end = 2.0, 0.1003, 1e-3, 0.3
    law = sm.DrivenLaw(sm.DamperLaw(c), sm.Step(1.0, time=closes))
    run = way.run(shafts(lambda a, b: sm.Torsion(a, b, law=law, **ALONG)), end, step)
    time = J1 * J2 / (J1 + J2) / c
    w = spins(run)
    slip = SPEED * np.exp(-np.maximum(run.time - closes, 0.0) / time)
    np.testing.assert_allclose(w @ [J1, J2], J1 * SPEED, rtol=1e-9)
    allowed = SPEED * way.error(1.0 / time, step, 3.0 * time)  # what is later than some T is forgotten
    np.testing.assert_allclose(w @ [1.0, -1.0], slip, atol=allowed)
    np.testing.assert_allclose(run["second.angular_velocity"][-1, 2], COMMON - J1 / (J1 + J2) * slip[-1], atol=allowed)


LOCKED = sm.Step(1.0, time=0.1003) - sm.Step(1.0, time=0.3)


@ways("redundant")
@pytest.mark.parametrize("time", [1e-4, 0.01])  # a tenth of the step, and ten steps
def test_a_lock_engages_and_releases(way, time):
    """The slip dies away as exp(-t / time); momentum is kept to rounding, also where it engages within a step."""
    model = shafts(lambda a, b: sm.Lock(a, b, engaged=LOCKED, time=time, **ALONG))
    model.add("brake", sm.RotaryActuator(model.ground, model["second"], torque=sm.Step(-1.0, time=0.35), **ALONG))
    run = way.run(model, 0.4, 1e-3)
    t, w = run.time, spins(run)
    # what is faster than a step rings away by the radius of the scheme per step, in the trapezoidal rule by 2/3
    before, held = t < 0.1, (t > 0.1003 + 15.0 * max(time, 3e-3)) & (t < 0.3499)
    np.testing.assert_allclose(w[before], [[SPEED, 0.0]] * before.sum(), atol=1e-9)
    np.testing.assert_allclose(w[held], COMMON, rtol=1e-5)
    np.testing.assert_allclose(w[t < 0.3499] @ [J1, J2], J1 * SPEED, rtol=1e-9)
    # released, the brake turns the second alone: 0.05 s of 1 N m
    np.testing.assert_allclose(w[-1], [COMMON, COMMON - 0.05 / J2], rtol=1e-4)


@ways("explicit", "implicit", "time stepping")
def test_a_lock_in_a_tree_is_refused_by_name(way):
    """It is made of accelerations, which a tree has after its loads: the error names the lock."""
    with pytest.raises(sm.TreeError, match="'clutch'"):
        way.run(shafts(lambda a, b: sm.Lock(a, b, engaged=LOCKED, **ALONG)), 0.1, 1e-3)
