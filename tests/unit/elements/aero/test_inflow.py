"""Inflow models against their formulas: momentum theory, gradients, Pitt and Peters' gains and step responses."""

from typing import Any

import numpy as np
import pytest
from scipy.optimize import root

import samara as sm
from samara import Air, Momentum, NoInflow, PittPeters, Rotor
from samara.elements.aero.inflow.descent import axial_flow
from samara.elements.aero.inflow.inflow import MASS, MASS_GRADIENT, STILL_AIR_SPEED, Disk
from samara.elements.aero.surfaces.surface import Aerodynamic
from samara.model import StateMotion, driven, node
from samara.rotations import cross

DENSITY, RADIUS, TIP = 1.2, 5.0, 200.0
AREA = np.pi * RADIUS**2
#: the square roots have slopes in still air because 0.05 m/s are added to speeds of 4 m/s or more, by squares
ROUNDED = (STILL_AIR_SPEED / 4.0) ** 2


def at_rest(value: float) -> StateMotion:
    return StateMotion(value, 0.0, 0.0)


def settled(inflow, speed, thrust, lean=(0.0, 0.0), sense=1.0, ground=1.0) -> np.ndarray:
    """u, g_x, g_y of steady flow."""

    def balances(x):
        disk = Disk(
            DENSITY, AREA, RADIUS, np.asarray(speed, float), TIP, thrust, *lean, list(map(at_rest, x)), ground, sense
        )
        return np.array(inflow.balances(disk), float) / 1e3

    guess = np.sign(thrust) * np.sqrt(abs(thrust) / (2 * DENSITY * AREA))
    found = root(balances, [guess, 0.1, 0.1], tol=1e-13)
    assert np.abs(found.fun).max() < 1e-9
    return found.x


def wind_from(angle: float, mu: float, axial: float = 0.0) -> np.ndarray:
    """Speed of the disk's centre against the air such that the wake goes towards this azimuth [rad]."""
    return TIP * np.array([-mu * np.cos(angle), -mu * np.sin(angle), axial])


def test_hover_and_climb():
    """u = -v_c / 2 + sqrt((v_c / 2)^2 + T / (2 rho A)), the textbook's quadratic."""
    thrust = 30e3
    hover = np.sqrt(thrust / (2 * DENSITY * AREA))
    for climb in (0.0, 3.0, 10.0):
        expected = -climb / 2 + np.sqrt(climb**2 / 4 + hover**2)
        for inflow in (Momentum(), Momentum(dynamic=False), PittPeters()):
            u, g_x, g_y = settled(inflow, (0.0, 0.0, climb), thrust)
            assert u == pytest.approx(expected, rel=ROUNDED)
            assert abs(g_x) + abs(g_y) < 1e-9
    assert np.abs(settled(NoInflow(), (3.0, 1.0, 2.0), thrust)).max() < 1e-12


def measured_mean(x: float) -> float:
    """v / v_h in vertical descent, x = climb speed / v_h from -2 to 0. Leishman, section 2.13."""
    return 1 - 1.125 * x - 1.372 * x**2 - 1.718 * x**3 - 0.655 * x**4


@pytest.mark.parametrize("inflow", [Momentum(), Momentum(dynamic=False), PittPeters()])
@pytest.mark.parametrize("sense", [1.0, -1.0])
def test_vertical_descent_in_all_states(inflow, sense):
    """Closed forms as a windmill, the measured mean between it and hover; also upside down, with thrust against z."""
    thrust = 30e3
    hover = np.sqrt(thrust / (2 * DENSITY * AREA))
    for x in (-4.0, -3.0, -2.1, -1.8, -1.5, -1.2, -0.8, -0.4, -0.1):
        found = abs(settled(inflow, (0.0, 0.0, sense * x * hover), sense * thrust)[0]) / hover
        if x < -2.0:
            assert found == pytest.approx(-x / 2 - np.sqrt(x**2 / 4 - 1), rel=1e-3)
        else:  # measurements scatter by 0.2 about their mean
            assert found == pytest.approx(measured_mean(x), abs=0.14)


def test_a_factor_acts_on_the_velocity():
    """Induced power of a thrust grows by the factor, in hover and in climb; near the ground by what is left of it."""
    for climb in (0.0, 6.0):
        ideal = settled(Momentum(), (0.0, 0.0, climb), 30e3)[0]
        assert settled(Momentum(factor=1.15), (0.0, 0.0, climb), 30e3)[0] == pytest.approx(1.15 * ideal, rel=1e-6)
        for inflow in (Momentum(), PittPeters()):
            near = settled(inflow, (0.0, 0.0, climb), 30e3, ground=0.9)[0]
            assert near == pytest.approx(0.9 * ideal, rel=1e-4)


@pytest.mark.parametrize("loss", [1.0, 0.8, 0.5])
def test_rings_of_a_windmill(loss):
    """Buhl's formula where a ring is heavily loaded, 4 F a (1 - a) before, both at a = 0.4; one velocity per thrust."""
    wind = 10.0

    def CT(a):
        V, _ = axial_flow(-wind, a * wind, still=1e-9, descent="buhl", loss=loss)
        return 4 * V * a / wind

    for a in (0.1, 0.3, 0.4):
        assert CT(a) == pytest.approx(4 * loss * a * (1 - a), rel=1e-9)
    for a in (0.4, 0.6, 0.8, 1.0):
        assert CT(a) == pytest.approx(8 / 9 + (4 * loss - 40 / 9) * a + (50 / 9 - 4 * loss) * a * a, rel=1e-6)
    grown = [CT(a) for a in np.linspace(0.01, 6.0, 500)]
    assert np.all(np.diff(grown[:34]) > 0) and np.all(np.diff(grown[34:]) > 0)


@pytest.mark.parametrize("descent", ["measured", "buhl", "none"])
def test_slopes_of_the_flow(descent, rng):
    """d(V)/du by differences, in all states."""
    for climb, u, loss in zip(rng.uniform(-15, 15, 60), rng.uniform(-6, 6, 60), rng.uniform(0.5, 1, 60), strict=True):

        def at(x, climb=climb, loss=loss):
            return axial_flow(climb, x, still=0.05, descent=descent, loss=loss)[0]

        slope = axial_flow(climb, u, still=0.05, descent=descent, loss=loss)[1]
        # next to still air the slope leaves out what rounds it off
        assert slope == pytest.approx((at(u + 1e-6) - at(u - 1e-6)) / 2e-6, abs=1e-6 + (0.2 / u) ** 2)


@pytest.mark.parametrize("mu", [0.02, 0.1, 0.3])
def test_glauert_in_edgewise_flight(mu):
    """lambda_i = sqrt((-mu^2 + sqrt(mu^4 + CT^2)) / 2)."""
    thrust = 30e3
    CT = thrust / (DENSITY * AREA * TIP**2)
    expected = np.sqrt((-(mu**2) + np.sqrt(mu**4 + CT**2)) / 2) * TIP
    u = settled(Momentum(), wind_from(0.7, mu), thrust)[0]
    assert u == pytest.approx(expected, rel=2 * ROUNDED)


FORMULAS = {
    "uniform": lambda chi, mu: (0.0, 0.0),
    "glauert": lambda chi, mu: (4 / 3 * (1 - 1.8 * mu**2) * np.tan(chi / 2), 0.0),
    "coleman": lambda chi, mu: (np.tan(chi / 2), 0.0),
    "drees": lambda chi, mu: (4 / 3 * (1 - np.cos(chi) - 1.8 * mu**2) / np.sin(chi), -2 * mu),
    "payne": lambda chi, mu: (4 / 3 * np.tan(chi) / (1.2 + np.tan(chi)), 0.0),
    "white-blake": lambda chi, mu: (np.sqrt(2) * np.sin(chi), 0.0),
    "pitt-peters": lambda chi, mu: (15 * np.pi / 32 * np.tan(chi / 2), 0.0),
    "howlett": lambda chi, mu: (np.sin(chi) ** 2, 0.0),
}


@pytest.mark.parametrize("kind", FORMULAS)
@pytest.mark.parametrize("sense", [1.0, -1.0])
@pytest.mark.parametrize("mu", [0.05, 0.15, 0.35])
def test_gradients_follow_their_formulas(kind, sense, mu, rng):
    """k_x along the wake, k_y towards the advancing side, whatever the direction of the wind.

    The azimuth of the formulas counts in the sense of rotation from downwind, so that 90 degrees is the advancing side.
    Drees's 1 / sin(chi) is rounded off by 1e-4 / sin(chi)^2.
    """
    angle, thrust = rng.uniform(-np.pi, np.pi), 30e3
    u, *g = settled(Momentum(kind), wind_from(angle, mu, 0.01), thrust, sense=sense)
    chi = np.arctan2(mu, 0.01 + u / TIP)
    along, advancing = FORMULAS[kind](chi, mu)
    downwind = np.array([np.cos(angle), np.sin(angle)])
    side = sense * np.array([-downwind[1], downwind[0]])
    assert g @ downwind / u == pytest.approx(along, abs=3e-4)
    assert g @ side / u == pytest.approx(advancing, abs=3e-4)


@pytest.mark.parametrize("kind", FORMULAS)
def test_no_gradient_in_hover(kind):
    _, g_x, g_y = settled(Momentum(kind), (0.0, 0.0, 0.0), 30e3)
    assert abs(g_x) + abs(g_y) < 1e-3


@pytest.mark.parametrize("sense", [1.0, -1.0])
def test_pitt_peters_steady_gains(sense, rng):
    """lambda = L C with the matrix as it is printed, in its own axes: psi from downwind, C = (CT, roll, pitch).

    The printed moments are those on the hub: M_y nose up is -(first moment along the wake), and the roll is signed so
    that L_22 is negative too: minus the first moment across.
    """
    for _ in range(4):
        angle, mu, axial, thrust = rng.uniform(-np.pi, np.pi), rng.uniform(0.0, 0.3), rng.uniform(0.0, 0.03), 30e3
        along, across = rng.uniform(-2e3, 2e3, 2)  # first moments over the radius [N]
        c, s = np.cos(angle), np.sin(angle)
        lean = (along * c - across * s, along * s + across * c)
        u, *g = settled(PittPeters(), wind_from(angle, mu, axial), thrust, lean, sense)
        through = axial + u / TIP
        chi = np.arctan2(mu, through)
        V_T = np.hypot(mu, through)
        V_m = (mu**2 + through * (through + u / TIP)) / V_T
        k = 15 * np.pi / 64 * np.tan(chi / 2)
        printed = np.array(
            [[0.5, 0, k], [0, -4 / (1 + np.cos(chi)), 0], [k, 0, -4 * np.cos(chi) / (1 + np.cos(chi))]]
        ) @ np.diag([1 / V_T, 1 / V_m, 1 / V_m])
        # L = Lt diag(1 / V) has the flow of each load behind the matrix: L^-1 = diag(V) Lt^-1
        force = np.array([thrust, -across, -along]) / (DENSITY * AREA * TIP**2)
        mean, sine, cosine = printed @ force * TIP
        found = np.array([u, np.dot(g, [-s, c]), np.dot(g, [c, s])])
        np.testing.assert_allclose(found, [mean, sine, cosine], atol=5e-4 * u)


class Push(Aerodynamic):
    """A given force along the shaft at its node, standing in for blades."""

    n: sm.Node = node(kw_only=False)
    force: Any = driven(unit="N")

    def formulate(self, site):
        disk = self._disk(site)
        F = disk.z * self.force
        return sm.Contribution(
            wrenches=[np.zeros(6), -np.concatenate([F, cross(np.zeros(3), F)])],
            balances=self.shares(site, F, np.zeros(3)),
        )


def pushed(inflow, force, arm=(0.0, 0.0, 0.0), start=1.0, wind=(0.0, 0.0, 0.0), sense=1.0) -> sm.Model:
    """A disk with given loads instead of blades."""
    model = sm.Model("pushed")
    hub = model.prescribed("hub", sm.Motion(rotation=(0, 0, lambda t: sense * TIP / RADIUS * t)))
    at = model.prescribed("at", sm.Motion(), position=arm)
    air = Air(density=DENSITY, wind=wind)
    rotor = Rotor(model.ground, hub, radius=RADIUS, speed=sense * TIP / RADIUS, air=air, inflow=inflow, start=start)
    model.add("rotor", rotor)
    model.add("push", Push(at, force=force, rotor=rotor))
    return model


@pytest.mark.parametrize("inflow", [Momentum(), PittPeters()], ids=["momentum", "Pitt-Peters"])
def test_thrust_step_in_hover(inflow):
    """M R u' + 2 u^2 = T / (rho A) has the solution u = u_1 tanh(2 u_1 t / (M R) + atanh(u_0 / u_1)).

    Second order in the step: 1 / 200 of the time constant M R / (4 u_1) gives 1e-5; what the rounded
    square root adds is (0.05 / u)^2 / 2 of the flow, most at the start.
    """
    final, first = 9.0, 4.0
    thrust = 2 * DENSITY * AREA * final**2
    constant = MASS * RADIUS / (4 * final)
    results = sm.transient(
        pushed(inflow, thrust, start=first), end=6 * constant, step=constant / 200, progress=False, outputs="rotor.*"
    )
    t, u = results.time, results["rotor.induced"][:, 0]
    expected = final * np.tanh(2 * final * t / (MASS * RADIUS) + np.arctanh(first / final))
    np.testing.assert_allclose(u, expected, rtol=0.5 * (STILL_AIR_SPEED / first) ** 2)


def test_cyclic_step_in_hover():
    """About a constant uniform flow a moment's gradient grows as tau / (rho A u) (1 - exp(-u t / (Mg R)))."""
    u = 9.0
    thrust, arm = 2 * DENSITY * AREA * u**2, (0.3, -0.2, 0.0)
    constant = MASS_GRADIENT * RADIUS / u
    results = sm.transient(
        pushed(PittPeters(), thrust, arm, start=u), end=6 * constant, step=constant / 200, progress=False
    )
    gain = thrust / RADIUS / (DENSITY * AREA * u)
    grown = 1 - np.exp(-results.time / constant)
    for k in (0, 1):
        np.testing.assert_allclose(results["rotor.induced"][:, 1 + k], gain * arm[k] * grown, atol=1e-4 * gain)


@pytest.mark.parametrize("inflow", [Momentum("drees"), PittPeters()], ids=["Drees", "Pitt-Peters"])
def test_the_wind_may_come_from_anywhere(inflow):
    """Wind and push turned together about the shaft turn the gradient, and change nothing else."""

    def run(angle: float) -> np.ndarray:
        c, s = np.cos(angle), np.sin(angle)
        turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        model = pushed(inflow, 30e3, turn @ [0.3, 0.2, 0.0], 5.0, turn @ [20.0, 0.0, -3.0])
        results = sm.transient(model, end=0.5, step=2e-3, progress=False, outputs="rotor.*")
        found = results["rotor.induced"].copy()
        found[:, 1:] = found[:, 1:] @ turn[:2, :2]
        return found

    np.testing.assert_allclose(run(2.2), run(0.0), rtol=0, atol=1e-7)


@pytest.mark.parametrize("inflow", [Momentum("drees"), PittPeters()], ids=["Drees", "Pitt-Peters"])
def test_the_other_sense_of_rotation_is_the_mirror_image(inflow):
    found = [
        sm.transient(
            pushed(inflow, 30e3, (0.3, sense * 0.2, 0.0), 5.0, (20.0, sense * 7.0, -3.0), sense), end=0.5, step=2e-3,
            progress=False, outputs="rotor.*",
        )["rotor.induced"]
        for sense in (1.0, -1.0)
    ]  # fmt: skip
    np.testing.assert_allclose(found[0], found[1] * [1.0, 1.0, -1.0], rtol=0, atol=1e-9)


@pytest.mark.parametrize("inflow", [sm.Annular(), sm.PetersHe((1, 1))], ids=["rings", "shapes"])
def test_rings_and_shapes_need_stations(inflow):
    """A load without stations has no place along the radius: rings and shapes would carry nothing, without a word."""
    with pytest.raises(sm.ModelError, match=r"'rotor'.*needs blades with stations.*such as Momentum\(\)"):
        pushed(inflow, 100.0).check()
