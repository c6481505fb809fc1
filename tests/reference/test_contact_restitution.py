"""Effective restitution of the contact laws (hunt_crossley_effective_restitution.csv), in closed form and in a run.

The file was computed for the law of Flores with n = 3/2 from nominal coefficients: six digits. 0.5 % is asked for of
the run; with 400 steps in the contact the scheme of second order gives some 1e-5.
"""

import numpy as np
import pytest
from scipy.integrate import quad

import samara as sm

SPEED, STIFFNESS, MASS = 0.7, 1e7, 3.0


@pytest.fixture(scope="module")
def table(root):
    return np.loadtxt(root / "tests/reference/data/hunt_crossley_effective_restitution.csv", delimiter=",", skiprows=2)


def bounce(law, speed=SPEED):
    """Speeds after and before, of a mass that flies against a stop."""
    # time scale of the contact: deepest indentation of the lossless law over the speed
    depth = (1.25 * MASS * speed**2 / STIFFNESS) ** 0.4
    end, model = 12.0 * depth / speed, sm.Model("impact")
    ball = model.node("ball", velocity=(0, 0, speed))
    model.add("mass", sm.Body(ball, mass=MASS, inertia=(1, 1, 1)))
    model.add("stop", sm.Axial(model.ground, ball, law=sm.OneSidedLaw(law, gap=depth, side="tension")))
    run = sm.transient(model, end, end / 1600, integrator=sm.TwoStep(1.0), progress=False)
    v = run["ball.velocity"][:, 2]
    lost = np.trapezoid(run["model.dissipated"], run.time)
    assert lost == pytest.approx(0.5 * MASS * (speed**2 - v[-1] ** 2), rel=1e-3, abs=1e-6 * MASS * speed**2)
    return -v[-1] / speed


def test_closed_form_against_the_file(table):
    for nominal, effective in table:
        assert sm.FloresLaw(STIFFNESS, nominal, SPEED).restitution_at(SPEED) == pytest.approx(effective, abs=6e-7)


def test_closed_form_against_quadrature():
    """What the law takes on the way in equals what it gives on the way out: integral of v / (1 + chi v)."""
    for law in (
        sm.FloresLaw(1.0, 0.4, 2.0),
        sm.HuntCrossleyLaw(1.0, 0.4, 2.0),
        sm.LankaraniNikraveshLaw(1.0, 0.4, 2.0),
        sm.ContactLaw(1.0, 0.9),
    ):
        out, chi = law.restitution_at(2.0) * 2.0, law.chi()
        inward, outward = (quad(lambda v, c=chi: v / (1 + c * v), *limits)[0] for limits in ((0, 2.0), (-out, 0)))
        assert inward == pytest.approx(-outward, rel=1e-9)


@pytest.mark.parametrize("k", range(5))
def test_impact_against_the_file(table, k):
    nominal, effective = table[k]
    assert bounce(sm.FloresLaw(STIFFNESS, nominal, SPEED)) == pytest.approx(effective, rel=5e-3)


def test_hunt_and_crossley_is_right_to_first_order():
    """e = 1 - (1 - e_nominal) + O((1 - e)^2)."""
    for nominal in (0.95, 0.9, 0.8):
        law = sm.HuntCrossleyLaw(STIFFNESS, nominal, SPEED)
        assert abs(law.restitution_at(SPEED) - nominal) < 1.0 * (1 - nominal) ** 2
        assert bounce(law) == pytest.approx(law.restitution_at(SPEED), rel=1e-3)


@pytest.mark.parametrize("wanted", [0.05, 0.3, 0.8, 0.999, 1.0])
def test_the_restoring_law_gives_what_it_says(wanted):
    law = sm.ContactLaw.restoring(STIFFNESS, wanted, SPEED)
    assert law.restitution_at(SPEED) == pytest.approx(wanted, rel=1e-6)
    assert bounce(law) == pytest.approx(wanted, abs=2e-3)


def test_slower_impacts_are_more_elastic():
    law = sm.FloresLaw(STIFFNESS, 0.6, SPEED)
    assert law.restitution_at(0.1 * SPEED) > law.restitution_at(SPEED) > law.restitution_at(2 * SPEED)
    assert bounce(law, 0.1 * SPEED) == pytest.approx(law.restitution_at(0.1 * SPEED), rel=1e-3)
