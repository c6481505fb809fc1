"""A tail rotor as a load: closed forms, and where its couple goes."""

import numpy as np
import pytest
from scipy.optimize import brentq

import samara as sm

RHO, RADIUS, CHORD, SLOPE, DRAG, SPIN = 1.225, 0.13, 0.029, 5.0, 0.024, 778.0
AREA, SOLID = np.pi * RADIUS**2, 2 * CHORD * RADIUS


def element(**how) -> sm.TailRotor:
    model = sm.Model("nodes")
    nodes = [model.node(name) for name in ("craft", "hub")]
    state = sm.Lag(command=0.0, time=1.0).output
    numbers = {"ratio": 4.66, "radius": RADIUS, "chord": CHORD, "slope": SLOPE, "cd_0": DRAG}
    return sm.TailRotor(*nodes, state, **(numbers | how))


def by_bisection(pitch, edgewise, climb):
    """Thrust and induced velocity of the same theory, integrated and solved by other means."""
    r, w = np.polynomial.legendre.leggauss(8)
    r, w = 0.5 * RADIUS * (r + 1), 0.5 * RADIUS * w
    psi = np.arange(24) * 2 * np.pi / 24

    def thrust(u):
        # small angles: lift = rho a c / 2 (theta U_T^2 - U_P U_T), averaged over the azimuth
        U = SPIN * r[:, None] + edgewise * np.sin(psi)
        lift = 0.5 * RHO * SLOPE * CHORD * (pitch * U**2 - (climb + u) * U)
        return 2 * float((w @ lift).mean())

    def equation(u):
        return 2 * RHO * AREA * u * np.sqrt(edgewise**2 + (climb + u) ** 2 + 0.05**2) - thrust(u)

    u = brentq(equation, -40.0, 40.0, xtol=1e-12)
    return thrust(u), u


@pytest.mark.parametrize("pitch", [-0.1, 0.05, 0.2, 0.35])
@pytest.mark.parametrize("edgewise", [0.0, 4.0, 20.0])
@pytest.mark.parametrize("climb", [-1.0, 0.0, 5.0])
def test_thrust_and_induced_velocity(pitch, edgewise, climb):
    """Blade elements by quadrature over span and azimuth, momentum theory by bisection."""
    thrust, u, power = element().loads(pitch, SPIN, edgewise**2, climb)
    exact, induced = by_bisection(pitch, edgewise, climb)
    assert thrust == pytest.approx(exact, rel=1e-5, abs=1e-5)
    assert u == pytest.approx(induced, rel=1e-5, abs=1e-5)
    tip = SPIN * RADIUS
    profile = RHO * AREA * tip**3 * (SOLID / AREA) * DRAG / 8 * (1 + 4.65 * (edgewise / tip) ** 2)
    assert power == pytest.approx(exact * (climb + induced) + profile, rel=1e-5)


def test_hover_is_the_textbook_s():
    """CT = sigma a / 2 (theta / 3 - lambda / 2) with lambda = sqrt(CT / 2)."""
    thrust, u, _ = element().loads(0.2, SPIN, 0.0, 0.0)
    tip, sigma = SPIN * RADIUS, SOLID / AREA
    CT = thrust / (RHO * AREA * tip**2)
    assert pytest.approx(0.5 * sigma * SLOPE * (0.2 / 3 - 0.5 * np.sqrt(CT / 2)), rel=1e-4) == CT
    assert u == pytest.approx(tip * np.sqrt(CT / 2), rel=1e-4)


def test_the_main_drive_gives_the_power():
    """A hub held at constant speed on a held craft: its drive gives ratio times the torque, the craft the thrust."""
    model = sm.Model("bench")
    craft, hub = model.node("craft"), model.node("hub", static=True)
    model.add("craft.body", sm.Body(craft, mass=1.0, inertia=(1, 1, 1)))
    model.add("hold", sm.Clamp(model.ground, craft))
    model.add("shaft", sm.Revolute(craft, hub, place_a=sm.Placement(), place_b=sm.Placement()))
    drive = sm.PrescribedAngle(
        craft, hub, place_a=sm.Placement(), place_b=sm.Placement(), angle=sm.Expression(lambda t: 167.0 * t)
    )
    model.add("drive", drive)
    servo = model.add("servo", sm.Lag(command=0.2, time=0.1, start=0.2))
    side = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
    place = sm.Placement((0.9, 0.0, 0.1), side)
    tail = sm.TailRotor(craft, hub, servo.output, place=place, ratio=4.66, radius=RADIUS, chord=CHORD, cd_0=DRAG)
    model.add("tail", tail)
    run = sm.transient(model, 0.02, 1e-4, progress=False)
    thrust, torque = run["tail.thrust"][-1], run["tail.torque"][-1]
    assert run["tail.speed"][-1] == pytest.approx(4.66 * 167.0, rel=1e-9)
    assert run["drive.couple"][-1, 2] == pytest.approx(4.66 * torque, rel=1e-6)
    assert run["drive.power"][-1] == pytest.approx(run["tail.power"][-1], rel=1e-6)
    assert run["hold.force"][-1] == pytest.approx([0.0, thrust, 0.0], abs=1e-6)
    # what holds the craft feels moment of the thrust and the couple of the air, and not what goes round inside
    arm = np.cross((0.9, 0.0, 0.1), (0.0, -thrust, 0.0))
    assert run["hold.couple"][-1] == pytest.approx(-arm - [0.0, torque, 0.0], abs=1e-6)
