"""Ground below a rotor that leans, or lies on its back: only a wake that goes down meets it."""

import numpy as np
import pytest

import samara as sm
from samara import AeroBody, Momentum, Rotor, Stations, ThinAerofoil
from samara.rotations import rotation_x, rotation_z

RADIUS, SPEED, PERIOD, HEIGHT = 2.0, 60.0, 2 * np.pi / 60.0, 1.2


def leaning(lean: float, theta: float, ground=True) -> sm.Model:
    """Two blades fixed to a hub whose shaft leans against the vertical [rad], 1.2 m over the ground."""
    model = sm.Model("leaning")
    place = {"position": (0.0, 0.0, HEIGHT), "rotation": rotation_x(lean)}
    craft = model.prescribed("craft", sm.Motion(), **place)
    hub = model.prescribed("hub", sm.Motion(rotation=(0, 0, lambda t: SPEED * t)), **place)
    rotor = Rotor(craft, hub, radius=RADIUS, speed=SPEED, start=3.0 * np.sign(theta), inflow=Momentum(), ground=ground)
    model.add("rotor", rotor)
    along, section = Stations.gauss(0.4, RADIUS, 6, 0.1, theta), ThinAerofoil(slope=5.7, cd_0=0.0, stall=3.2)
    for k in range(2):
        at = sm.Placement((0, 0, 0), rotation_z(k * np.pi))
        model.add(f"blade_{k + 1}", AeroBody(hub, place=at, stations=along, aerofoil=section, rotor=rotor))
    return model


def thrust(*args, **how) -> float:
    run = sm.transient(leaning(*args, **how), end=12 * PERIOD, step=PERIOD / 60, progress=False, outputs="rotor.thrust")
    return float(run["rotor.thrust"][-1])


def test_on_its_back_it_feels_no_ground():
    """Its wake goes up. Pulling the other way the wake goes down: the upright rotor turned over."""
    upright, far = thrust(0.0, 0.1), thrust(0.0, 0.1, ground=False)
    assert upright > 1.02 * far
    assert thrust(np.pi, 0.1) == pytest.approx(far, rel=1e-9)
    assert thrust(np.radians(100.0), 0.1) == pytest.approx(far, rel=1e-9)
    assert thrust(np.pi, -0.1) == pytest.approx(-upright, rel=1e-9)
    assert thrust(0.0, -0.1) == pytest.approx(-far, rel=1e-9)
    # a shaft that leans as those of helicopters do counts as upright: 5 degrees are 4e-5 of an effect of 0.2
    assert thrust(np.radians(5.0), 0.1) == pytest.approx(upright, rel=1e-5)


def test_it_fades_without_a_step_or_a_kink():
    """What is left of the induced velocity rises with the lean, and so smoothly that its slope has no step.

    Slopes change by no more than the second derivative, 6 (R / 4 h)^2 1.5 times the step of the lean.
    """
    rotor = leaning(0.0, 0.1).elements["rotor"]
    lean = np.linspace(0.0, np.pi, 2001)
    for u in (5.0, -5.0):
        left = np.array([rotor._near_ground(HEIGHT, np.cos(x), np.zeros(3), u) for x in lean])
        left = left if u > 0.0 else left[::-1]
        slope = np.diff(left) / np.diff(lean)
        assert np.all(slope >= -1e-12)
        assert np.abs(np.diff(slope)).max() < 9.0 * (0.25 * RADIUS / HEIGHT) ** 2 * (lean[1] - lean[0])
        assert left[-1] == 1.0
        # Cheeseman and Bennett upright, but for 0.05 m/s that are still air
        assert left[0] == pytest.approx((1 - (0.25 * RADIUS / HEIGHT) ** 2) ** 1.5, rel=1e-4)
