"""Stops in motion: energy, the exact times of impacts, a blade that droops."""

import numpy as np
import pytest

import samara as sm


def test_an_oscillator_on_a_lossless_stop_keeps_its_energy():
    """m x'' + k x = 0 against a stop at x = gap: energy stays, with n = 3/2 and no loss, through many impacts."""
    k, m, gap = 100.0, 1.0, 0.05
    model = sm.Model("oscillator on a stop")
    mass = model.node("mass", velocity=(0, 0, 1.0))
    model.add("body", sm.Body(mass, mass=m, inertia=(1, 1, 1)))
    law = sm.LinearLaw(k) + sm.OneSidedLaw(sm.ContactLaw(1e6), gap=gap, side="tension")
    model.add("spring", sm.Axial(model.ground, mass, law=law))
    run = sm.transient(model, 3.0, 2e-4, integrator=sm.TwoStep(1.0), progress=False)
    energy = run["model.kinetic"] + run["model.potential"]
    impacts = np.sum(np.diff(np.sign(run["mass.velocity"][:, 2])) < 0)
    assert impacts >= 7  # one in 0.4 s
    # contacts last some 6 ms, 30 steps; the scheme's own error in energy is of second order and does not add up
    assert np.abs(energy / energy[0] - 1).max() < 1e-3


def test_energy_lost_in_impacts_is_what_the_restitution_says():
    """Between two impacts the spring brings back the speed; each impact leaves e of it, more of it when slower."""
    k, m = 100.0, 1.0
    model = sm.Model("bouncing")
    mass = model.node("mass", velocity=(0, 0, 1.0))
    model.add("body", sm.Body(mass, mass=m, inertia=(1, 1, 1)))
    contact = sm.FloresLaw(1e8, 0.7, 1.0)
    model.add("spring", sm.Axial(model.ground, mass, law=sm.LinearLaw(k)))
    model.add("stop", sm.Axial(model.ground, mass, law=sm.OneSidedLaw(contact, side="tension")))
    run = sm.transient(
        model, 1.2, 1e-5, integrator=sm.TwoStep(1.0), outputs=["mass.velocity", "stop.effort"], progress=False
    )
    v, free = run["mass.velocity"][:, 2], run["stop.effort"] == 0.0
    starts = np.flatnonzero(free[:-1] & ~free[1:])
    ends = np.flatnonzero(~free[:-1] & free[1:])[: len(starts)]
    assert len(ends) >= 3
    for i, j in zip(starts, ends, strict=False):
        # the spring's pull during a contact of a millisecond changes the speed by k d t / m, some 1e-4
        assert -v[j + 1] / v[i] == pytest.approx(contact.restitution_at(v[i]), rel=3e-3)


def test_a_blade_rests_on_its_droop_stop():
    """The stop carries the weight: K d^1.5 = m g l / 2 cos(angle); never pulls while the blade bounces on it."""
    m, length, gravity, stiffness, droop = 20.0, 3.0, 9.81, 5e6, -np.deg2rad(6.0)
    model = sm.Model("droop", gravity=(0, 0, -gravity))
    blade = model.node("blade", position=(length / 2, 0, 0))
    model.add("body", sm.Body(blade, mass=m, inertia=(0.1, m * length**2 / 12, m * length**2 / 12)))
    place = {"at": (0, 0, 0), "axis": (0, -1, 0)}  # positive: up
    model.add("hinge", sm.Revolute(model.ground, blade, **place))
    contact = sm.FloresLaw(stiffness, 0.3, 1.0)
    model.add("stops", sm.Torsion(model.ground, blade, law=sm.StopLaw(contact, droop, np.deg2rad(25.0)), **place))
    model.add("friction", sm.Torsion(model.ground, blade, law=sm.DamperLaw(400.0), **place))
    run = sm.transient(model, 3.0, 5e-4, progress=False)
    assert run["stops.effort"].max() <= 0.0  # pushes up, or nothing
    angle = run["hinge.angle"][-1]
    moment = m * gravity * length / 2 * np.cos(angle)
    assert droop - angle == pytest.approx((moment / stiffness) ** (2 / 3), rel=1e-2)
