"""A heavy symmetric top on a point: steady precession and nutation have closed forms.

With I1 about the point (across the axis), I3 about the axis, w3 the spin about it and mu = m g l / I1:

    precession   Omega^2 cos(theta) - (I3 w3 / I1) Omega + mu = 0
    nutation     omega_n^2 = Omega^2 - 2 mu cos(theta) + (mu / Omega)^2,  small, about that precession

(the second is the curvature of the effective potential at its minimum).
"""

import numpy as np
import pytest

import samara as sm

MASS, LENGTH, GRAVITY = 1.2, 0.3, 9.81
ACROSS, ALONG = 0.025, 0.04  # about the centre of mass
I1, I3 = ACROSS + MASS * LENGTH**2, ALONG
MU = MASS * GRAVITY * LENGTH / I1
TILT = 0.7  # rad
SPIN = 100.0  # w3 [rad/s]
STEP = 2e-4  # a velocity in body axes lags by (w3 h)^2 / 12 = 3e-5 rad a radian of spin


def precession() -> float:
    """The slow root."""
    return min(np.roots([np.cos(TILT), -I3 * SPIN / I1, MU]).real, key=abs)


def top(nudge=0.0) -> sm.Model:
    """In steady precession, but for an extra rate of tilt [rad/s]."""
    axis = np.array([np.sin(TILT), 0, np.cos(TILT)])
    R = np.column_stack([[np.cos(TILT), 0, -np.sin(TILT)], [0, 1, 0], axis])
    w = precession() * np.array([0, 0, 1]) + (SPIN - precession() * np.cos(TILT)) * axis + nudge * np.array([0, 1, 0])
    model = sm.Model("top", gravity=(0, 0, -GRAVITY))
    node = model.node("top", LENGTH * axis, R, velocity=np.cross(w, LENGTH * axis), angular_velocity=w)
    model.add("body", sm.Body(node, mass=MASS, inertia=(ACROSS, ACROSS, ALONG)))
    model.add("point", sm.Spherical(model.ground, node, at=(0, 0, 0)))
    return model


def run(model, end, step=STEP):
    return sm.transient(sm.Simulation(model, tolerance=1e-12), end, step, progress=False)


def tilt(run):
    axis = run["top.rotation"].reshape(-1, 3, 3)[:, :, 2]
    return np.arctan2(np.hypot(axis[:, 0], axis[:, 1]), axis[:, 2])


def azimuth(run):
    p = run["top.position"]
    return np.unwrap(np.arctan2(p[:, 1], p[:, 0]))


def test_steady_precession():
    found = run(top(), 2.0)
    assert tilt(found) == pytest.approx(np.full(len(found), TILT), abs=2e-4)
    rate = (azimuth(found)[-1] - azimuth(found)[0]) / 2.0
    assert rate == pytest.approx(precession(), rel=5e-4)
    # the point carries the weight and turns the centre of mass: m l sin(theta) Omega^2 inwards
    R = found["top.rotation"].reshape(-1, 3, 3)
    place = found_place(top())
    force = np.einsum("tij,tj->ti", R @ place, found["point.force"])
    inwards = -np.einsum("ti,ti->t", force, found["top.position"] * [1, 1, 0]) / (LENGTH * np.sin(TILT))
    assert force[:, 2] == pytest.approx(np.full(len(found), MASS * GRAVITY), rel=5e-3)
    assert inwards == pytest.approx(np.full(len(found), MASS * LENGTH * np.sin(TILT) * precession() ** 2), rel=5e-2)


def found_place(model):
    return model.elements["point"].place_b.rotation


def test_nutation_frequency():
    found = run(top(nudge=0.05), 2.0)
    expected = np.sqrt(precession() ** 2 - 2 * MU * np.cos(TILT) + (MU / precession()) ** 2)
    swing = tilt(found) - tilt(found).mean()
    up = np.flatnonzero((swing[:-1] < 0) & (swing[1:] >= 0))
    at = found.time[up] - swing[up] * STEP / (swing[up + 1] - swing[up])
    assert len(at) > 8
    observed = 2 * np.pi * (len(at) - 1) / (at[-1] - at[0])
    assert observed == pytest.approx(expected, rel=2e-3)  # small, but not infinitely small: (0.05 / omega_n)^2, and h^2


def test_energy_and_vertical_momentum(orders):
    changes = []
    for h in (2 * STEP, STEP):
        found = run(top(nudge=0.5), 1.0, h)
        energy = found["model.kinetic"] + found["model.potential"]
        R = found["top.rotation"].reshape(-1, 3, 3)
        w = np.einsum("tji,tj->ti", R, found["top.angular_velocity"])
        about_point = np.einsum("tij,tj->ti", R, w * [I1, I1, I3])
        changes.append([np.abs(x - x[0]).max() / abs(x[0]) for x in (energy, about_point[:, 2])])
    assert np.all(orders(changes)[-1] > 1.95)  # a swing of order two and, with rho_inf = 0.6, a loss of order three
    assert max(changes[-1]) < 1e-3
