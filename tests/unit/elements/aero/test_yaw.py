"""Flow along the span and swept sections: drag of plates, profile power in forward flight, the same wing seen twice."""

import numpy as np
import pytest
from scipy.integrate import dblquad

import samara as sm
from samara import AeroBody, Air, KirchhoffAerofoil, NoInflow, QuasiSteady, Rotor, Stations, Theodorsen, ThinAerofoil
from samara.elements.aero.surfaces.strip import YAWS, section_load
from samara.rotations import rotation_x, rotation_z

CHORD, SPAN, CD, RHO = 0.4, 2.0, 0.012, 1.225
PLATE = ThinAerofoil(slope=0.0, cd_0=CD, stall=3.2)


def held(stations, section, wind, *, turned=None, unsteady=None) -> np.ndarray:
    """Force and moment of the air on a wing that is held, in the world, the moment about its root."""
    model = sm.Model("wing")
    root = model.node("root")
    model.add("body", sm.Body(root, mass=1.0, inertia=(1, 1, 1)))
    model.add("clamp", sm.Clamp(model.ground, root))
    place = sm.Placement((0, 0, 0), np.eye(3) if turned is None else turned)
    wing = AeroBody(
        root, place=place, stations=stations, aerofoil=section, air=Air(wind=wind), unsteady=unsteady or QuasiSteady()
    )
    model.add("wing", wing)
    run = sm.transient(model, 2e-3, 1e-3, progress=False, outputs="wing.*")
    return np.concatenate([run["wing.force"][-1], run["wing.moment"][-1]])


@pytest.mark.parametrize("yaw", ["drag", "section"])
def test_friction_acts_along_the_flow(yaw):
    """A plate without lift, in its own plane: rho U^2 S cd / 2 along the stream, wherever that comes from."""
    along = Stations.gauss(0.0, SPAN, 2, CHORD)
    for wind in ((0.0, -30.0, 0.0), (20.0, -30.0, 0.0), (-25.0, -10.0, 0.0), (15.0, 8.0, 0.0)):
        force = held(along, PLATE, wind, unsteady=QuasiSteady(yaw=yaw))[:3]
        expected = 0.5 * RHO * np.linalg.norm(wind) * CHORD * SPAN * CD * np.array(wind)
        np.testing.assert_allclose(force, expected, atol=1e-5 * np.linalg.norm(expected))
    # the independence principle keeps the part across the span alone
    across = held(along, PLATE, (20.0, -30.0, 0.0))
    assert across[:3] == pytest.approx([0.0, -0.5 * RHO * 900.0 * CHORD * SPAN * CD, 0.0], rel=1e-6)


@pytest.mark.parametrize("unsteady", [*(QuasiSteady(yaw) for yaw in YAWS), Theodorsen("drag")], ids=[*YAWS, "lagging"])
@pytest.mark.parametrize("sweep", [0.35, -0.2])
def test_a_swept_wing_is_a_straight_one_that_is_turned(unsteady, sweep):
    """The same wing twice: sections swept back from x, and a frame that is turned, by the twist and then by the sweep.

    Chords of the second are normal to its span. The points of action of the first lie on x, so that forces agree, and
    moments do once the stagger is taken off.
    """
    section = KirchhoffAerofoil()
    wind, twist = (3.0, -40.0, 0.0), 0.1
    back = Stations.gauss(0.0, SPAN, 2, CHORD, twist, sweep=sweep)
    cosine, sine = np.cos(sweep), np.sin(sweep)
    turned = Stations.gauss(0.0, SPAN / cosine, 2, CHORD * cosine)
    one = held(back, section, wind, unsteady=unsteady)
    other = held(turned, section, wind, turned=rotation_x(twist) @ rotation_z(-sweep), unsteady=unsteady)
    np.testing.assert_allclose(one[:3], other[:3], rtol=1e-9, atol=1e-9)
    assert one[2] > 50.0
    # station x lies at (x, 0) of the first and (x, -x tan(sweep)) of the second; loads are even along the span
    stagger = np.cross(rotation_x(twist) @ (0.0, -0.5 * SPAN * sine / cosine, 0.0), other[:3])
    np.testing.assert_allclose(one[3:], other[3:] - stagger, rtol=1e-9, atol=1e-8)


def test_lift_of_a_swept_wing():
    """Simple sweep theory: angle alpha / cos(sweep) in a flow V cos(sweep), lift q S a alpha cos(sweep)."""
    alpha, sweep, slope, speed = 0.02, 0.5, 5.7, 40.0
    along = Stations.gauss(0.0, SPAN, 2, CHORD, sweep=sweep)
    wind = speed * np.array([0.0, -np.cos(alpha), np.sin(alpha)])
    for yaw in YAWS:  # straight lift does not feel how it is looked up
        force = held(along, ThinAerofoil(slope=slope), wind, unsteady=QuasiSteady(yaw=yaw))
        expected = 0.5 * RHO * speed**2 * CHORD * SPAN * slope * alpha * np.cos(sweep)
        assert force[2] == pytest.approx(expected, rel=2 * alpha**2)


def test_stall_comes_later_in_yawed_flow():
    """Most lift over the angle of the section: 1 / cos^2(yaw) further on, and as much larger, for small angles."""
    section, yaw = KirchhoffAerofoil(), np.radians(25.0)
    angles = np.radians(np.linspace(4.0, 24.0, 81))

    def most(how, along):
        loads, stations = [], Stations.gauss(0.0, 1.0, 1, CHORD)
        for a in angles:
            u, w = 40.0 * np.cos(a), 40.0 * np.sin(a)
            loads.append(section_load(section, Air(), stations, 0, u, w, along=along, yaw=how).cl)
        k = int(np.argmax(loads))
        return np.tan(angles[k]), loads[k]

    straight, yawed = most("none", 40.0 * np.tan(yaw)), most("section", 40.0 * np.tan(yaw))
    stretch = 1.0 / np.cos(yaw) ** 2
    assert yawed[0] / straight[0] == pytest.approx(stretch, rel=0.03)  # the angles are a quarter of a degree apart
    assert yawed[1] / straight[1] == pytest.approx(stretch, rel=1e-3)


# ---- profile power of a rotor
RADIUS, SPEED, BLADES = 2.0, 60.0, 3
TIP = RADIUS * SPEED


def profile_power(mu: float, yaw: str) -> float:
    """8 CP / (sigma cd) of blades without lift in edgewise flow: torque times speed, and drag times wind."""
    model = sm.Model("friction")
    hub = model.prescribed("hub", sm.Motion(rotation=(0, 0, lambda t: SPEED * t)))
    air = Air(wind=(mu * TIP, 0.0, 0.0))
    rotor = model.add("rotor", Rotor(model.ground, hub, radius=RADIUS, speed=SPEED, air=air, inflow=NoInflow()))
    for k in range(BLADES):
        place = sm.Placement((0, 0, 0), rotation_z(2 * np.pi * k / BLADES))
        for part in range(6):
            along = Stations.gauss(part * RADIUS / 6, (part + 1) * RADIUS / 6, 2, CHORD)
            more = {"aerofoil": PLATE, "rotor": rotor, "unsteady": QuasiSteady(yaw)}
            model.add(f"blade_{k}.{part}", AeroBody(hub, place=place, stations=along, **more))
    turn = 2 * np.pi / SPEED
    run = sm.transient(model, turn, turn / 60, progress=False, outputs="rotor.*")
    mean = run["rotor.power"][1:].mean() + run["rotor.force"][1:, 0].mean() * mu * TIP
    sigma = BLADES * CHORD / (np.pi * RADIUS)
    return 8.0 * mean / (RHO * np.pi * RADIUS**2 * TIP**3 * sigma * CD)


@pytest.mark.parametrize("mu", [0.0, 0.15, 0.3])
def test_profile_power_without_radial_flow(mu):
    """1 + 3 mu^2 + 3/8 mu^4, reversed flow included: |r + mu sin psi|^3 over the disk."""
    assert profile_power(mu, "none") == pytest.approx(1 + 3 * mu**2 + 0.375 * mu**4, rel=2e-4)


@pytest.mark.parametrize("mu", [0.0, 0.15, 0.3])
def test_profile_power_with_radial_flow(mu):
    """The integral of (u_T^2 + u_R^2)^1.5 over the disk, and its usual fit, 1 + 4.65 mu^2: 1 % up to 0.3."""

    def cubed(r, psi):
        return ((r + mu * np.sin(psi)) ** 2 + (mu * np.cos(psi)) ** 2) ** 1.5

    exact = 4.0 * dblquad(cubed, 0.0, 2 * np.pi, 0.0, 1.0, epsabs=1e-8)[0] / (2 * np.pi)
    found = profile_power(mu, "drag")
    assert found == pytest.approx(exact, rel=2e-4)
    assert found == pytest.approx(1 + 4.65 * mu**2, rel=0.01)
    assert profile_power(mu, "section") == pytest.approx(found, rel=1e-6)  # constant drag is looked up alike
