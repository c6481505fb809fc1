"""IFToMM multibody benchmark A01: a point mass of 1 kg on a massless rod of 1 m falls from the horizontal for 10 s.

The reference is the closed form in Jacobi elliptic functions (iftomm_A01_pendulum.csv). What an integrator of second
order leaves is a phase error: the trapezoidal rule has 2.3e-5 m after 10 s at h = 1 ms, and no member of the family
can do better, since its error constant is the least (Dahlquist). So 1e-5 m takes h = 0.5 ms to 10 s, and at 1 ms it is
kept to 5 s.
"""

import numpy as np
import pytest

import samara as sm

GRAVITY = 9.81


@pytest.fixture
def table(data):
    return np.loadtxt(data / "iftomm_A01_pendulum.csv", delimiter=",", skiprows=2)


def pendulum() -> sm.Model:
    model = sm.Model("A01", gravity=(0, 0, -GRAVITY))
    bob = model.node("bob", position=(-1, 0, 0))
    # a point: its inertia shifts the period by 1e-9 / 2
    model.add("mass", sm.Body(bob, mass=1.0, inertia=(1e-9, 1e-9, 1e-9)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    return model


def errors(table, integrator, step, **settings):
    """Distance from the reference at its times [m]."""
    sim = sm.Simulation(pendulum(), integrator, **settings)
    run = sm.transient(sim, 10.0, step, outputs="bob.position", progress=False)
    rows = np.rint(table[:, 0] / step).astype(int)
    return np.linalg.norm(run["bob.position"][rows][:, [0, 2]] - table[:, 2:], axis=1)


@pytest.mark.parametrize("rho", [0.6, 0.8, 1.0])
def test_position_to_ten_micrometres(table, rho):
    assert errors(table, sm.TwoStep(rho), 5e-4, tolerance=1e-12).max() < 1e-5
    coarse = errors(table, sm.TwoStep(rho), 1e-3, tolerance=1e-12)
    assert coarse[table[:, 0] <= 5].max() < 1e-5
    assert coarse.max() < 3e-5


def test_default_settings_add_no_error_of_their_own(table):
    # Newton's default tolerance against a tight one
    default, tight = errors(table, sm.TwoStep(0.6), 5e-4), errors(table, sm.TwoStep(0.6), 5e-4, tolerance=1e-12)
    assert default == pytest.approx(tight, abs=1e-6)


def test_energy():
    # m g L = 9.81 J swings between kinetic and potential; h^2 g / L = 1e-5 of it may come and go
    run = sm.transient(sm.Simulation(pendulum(), tolerance=1e-12), 10.0, 1e-3, outputs="model.*", progress=False)
    energy = run["model.kinetic"] + run["model.potential"]
    assert np.abs(energy - energy[0]).max() < 1e-4


def test_the_engine_has_the_truncation_error_of_the_scheme_and_no_other(table):
    """The trapezoidal rule on theta'' = -g sin theta, one unknown and no constraint, makes the same error."""
    h, theta, omega = 1e-3, np.pi / 2, 0.0
    pull = GRAVITY / (1 + 1e-9)  # the inertia of the point is felt at this level
    for _ in range(10_000):
        new = theta + h * omega
        for _ in range(20):  # fixed point: contracts by (h/2)^2 g
            new = theta + h * omega - 0.25 * h * h * pull * (np.sin(theta) + np.sin(new))
        omega -= 0.5 * h * pull * (np.sin(theta) + np.sin(new))
        theta = new
    scalar = np.hypot(-np.sin(theta) - table[-1, 2], -np.cos(theta) - table[-1, 3])
    assert 2e-5 < scalar < 3e-5
    assert errors(table, sm.CrankNicolson(), h, tolerance=1e-12)[-1] == pytest.approx(scalar, abs=1e-9)
