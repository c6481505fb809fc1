"""Finite-state inflow against momentum theory, Pitt and Peters' gains, and closed step responses."""

import inflow_rotors as ir
import numpy as np
import pytest
from scipy.optimize import root
from test_inflow import measured_mean

import samara as sm
from samara import PetersHe, PittPeters
from samara.elements.aero.inflow.inflow import MASS_GRADIENT, STILL_AIR_SPEED, Disk
from samara.elements.aero.inflow.inflow_shapes import mean_over_disk, radial_polynomial
from samara.elements.aero.inflow.peters_he import modes_of, shapes_at, velocities_of
from samara.model import StateMotion

#: Apparent mass of a solid disk, in units of density times area times radius.
DISK_MASS = 8.0 / (3.0 * np.pi)


def gauss(count: int) -> tuple[np.ndarray, np.ndarray]:
    x, w = np.polynomial.legendre.leggauss(count)
    return 0.5 * (x + 1.0), 0.5 * w


NU, WEIGHT = gauss(40)
R = np.sqrt(1 - NU**2)


def along(m: int, n: int) -> np.ndarray:
    return R**m * np.polynomial.polynomial.polyval(R**2, radial_polynomial(m, n))


def gains(shapes, momentum, pressure, m: int, sine: bool, X: float) -> np.ndarray:
    """(mean, gradient along the wake, gradient across) by a pressure dp(r) (cos, sin)(m psi), by its load.

    The load is the thrust for m = 0 and the first moment for m = 1, divided by the area; radius, density and speed are
    one. A gradient is that of the first area moment, 4 int int v r cos(psi) r dr dpsi / pi.
    """
    modes, around = modes_of(shapes), (1.0 if m else 2.0) * np.pi
    load = around * np.sum(WEIGHT * NU * pressure * R**m) / np.pi
    size = (2.0 if m else 4.0) * np.pi
    p = [
        around * np.sum(WEIGHT * NU * pressure * along(mode.m, mode.n)) / size * (mode.m == m and mode.sine == sine)
        for mode in modes
    ]
    found = np.zeros(3)
    for mode, a in zip(modes, velocities_of(shapes, momentum, p, X, 0.0), strict=True):
        if mode.m == 0:
            found[0] += a * mean_over_disk(mode.n)
        elif mode.m == 1:
            found[2 if mode.sine else 1] += 4 * a * np.sum(WEIGHT * NU * along(1, mode.n) * R)
    return found / load


@pytest.mark.parametrize("X", [0.0, 0.4, 0.8])
def test_the_limit_is_pitt_and_peters(X):
    """All of their matrix L, with the loads that they took: r^2 nu for a thrust, r nu (cos, sin) psi for moments.

    As printed, the coupling of mean and gradient is exact from two shapes on, and the diagonal converges as the
    number of shapes to the power -2.4 or so; with momentum=True it is the diagonal that is exact.
    """
    chi = 2 * np.arctan(X)
    k, c = 15 * np.pi / 64 * X, np.cos(chi)
    L = np.array([[0.5, -k, 0], [k, 4 * c / (1 + c), 0], [0, 0, 4 / (1 + c)]])
    loads = [(R**2 * NU, 0, False), (R * NU, 1, False), (R * NU, 1, True)]
    off = []
    for count in (2, 4, 8):
        for momentum in (False, True):
            found = np.array([gains((count,) * 2, momentum, *load, X) for load in loads]).T
            if momentum:
                np.testing.assert_allclose(np.diag(found), np.diag(L), rtol=1e-9)
                np.testing.assert_allclose(found, L, atol=0.08 / count)
            else:
                np.testing.assert_allclose(found - np.diag(np.diag(found)), L - np.diag(np.diag(L)), atol=1e-9)
                off.append(np.abs(found - L).max())
    assert off[1] < off[0] / 4 and off[2] < off[1] / 4 and off[2] < 2e-3


@pytest.mark.parametrize("count", [2, 5])
def test_the_gradient_depends_on_how_the_load_lies(count):
    """A load as of an elliptic wing, sqrt(1 - r^2), makes a gradient of (3 pi / 8) X T / (rho A V)."""
    mean, gradient, across = gains((count,) * 2, False, NU, 0, False, 0.5)
    assert gradient == pytest.approx(3 * np.pi / 8 * 0.5, rel=1e-9)
    assert mean == pytest.approx(0.5, rel=0.06) and across == 0.0


@pytest.mark.parametrize("shapes", [(1,), (1, 1), (3, 2), (4, 3, 2)])
def test_the_mean_obeys_momentum_theory_exactly(shapes):
    """In axial flow, whatever the load along the radius; as printed it is larger, by 9 / 8 for one shape."""
    for pressure in (NU, np.ones_like(NU), R**2 * NU, R):
        assert gains(shapes, True, pressure, 0, False, 0.0)[0] == pytest.approx(0.5, rel=1e-12)
    if shapes == (1,):
        assert gains(shapes, False, NU, 0, False, 0.0)[0] == pytest.approx(9 / 16, rel=1e-12)


def steady(inflow, speed, thrust, ground=1.0) -> np.ndarray:
    """All states in steady flow, the thrust spread as r^2 nu over the disk."""
    spread = R**2 * NU * WEIGHT * NU
    loads = np.zeros(len(inflow.flows()))
    for k, mode in enumerate(inflow.modes):
        if mode.m == 0:
            loads[1 + k] = thrust * np.sum(spread * along(0, mode.n)) / np.sum(spread)

    def balances(x):
        flows = [StateMotion(v, 0.0, 0.0) for v in x]
        disk = Disk(
            ir.DENSITY, ir.AREA, ir.RADIUS, np.asarray(speed, float), ir.TIP, thrust, 0.0, 0.0, flows, ground, 1.0
        )
        rows = np.array(inflow.balances(disk), float) - loads
        return rows / np.where(np.arange(len(x)) <= len(inflow.modes), 1e3, 1.0)

    hover = np.sign(thrust) * np.sqrt(abs(thrust) / (2 * ir.DENSITY * ir.AREA))
    first = 1 + len(inflow.modes)
    for guess in hover * np.array([1.0, 0.5, 1.5, 2.0, 0.2]):
        start = np.zeros(len(loads))
        start[[0, 1, first]] = guess, guess / np.sqrt(3), guess * np.sqrt(3) / 2
        found = root(balances, start, tol=1e-12)
        if np.abs(found.fun).max() < 1e-7:
            return found.x
    raise AssertionError(f"no steady flow at {speed}")


@pytest.mark.parametrize("shapes", [(1,), (3, 2, 1)])
def test_hover_climb_and_descent(shapes):
    """The mean has the quadratic of momentum theory in climb, closed forms as a windmill, the measured mean between
    (measurements scatter by 0.2 about it). 0.05 m/s are added to speeds by squares.
    """
    thrust = 900.0
    hover = np.sqrt(thrust / (2 * ir.DENSITY * ir.AREA))
    for sense in (1.0, -1.0):
        for x in (-4.0, -2.1, -1.8, -1.5, -1.2, -0.8, -0.4, -0.1, 0.0, 0.5, 2.0):
            found = sense * steady(PetersHe(shapes), (0.0, 0.0, sense * x * hover), sense * thrust)[0] / hover
            if x < -2.0:
                assert found == pytest.approx(-x / 2 - np.sqrt(x**2 / 4 - 1), rel=1e-3)
            elif x < 0.0:
                assert found == pytest.approx(measured_mean(x), abs=0.14)
            else:
                assert found == pytest.approx(-x / 2 + np.sqrt(x**2 / 4 + 1), rel=1e-4)


def test_many_shapes():
    """Eight harmonics of eight shapes, 241 states: climb by the quadratic of momentum theory, and a finite flow
    edgewise, its mean that of Glauert. One load, so the harmonics follow from the skew of the wake alone.
    """
    inflow, thrust, climb = PetersHe((8,) * 8), 900.0, 3.0
    assert len(inflow.flows()) == 241
    load = thrust / (2 * ir.DENSITY * ir.AREA)
    u = steady(inflow, (0.0, 0.0, climb), thrust)[0]
    assert u == pytest.approx(-0.5 * climb + np.sqrt(0.25 * climb**2 + load), rel=1e-4)
    u, *states = steady(inflow, (-12.0, 5.0, 0.0), thrust)
    assert u * np.hypot(13.0, u) == pytest.approx(load, rel=2e-2)
    r = np.linspace(0.0, 0.95, 20)
    v = sum(a * shape for a, shape in zip(states, shapes_at(inflow.shapes, r, 0.0 * r), strict=False))
    assert np.abs(v).max() < 5.0 * u


@pytest.mark.parametrize("inflow", [PetersHe((4, 2)), PetersHe((4, 2), descent="buhl")], ids=["measured", "Buhl"])
def test_shapes_stay_bounded_in_descent(inflow):
    """Where V_m of momentum theory vanishes, shapes would grow without bounds; it is V_T / 3 at least.

    The load r^2 nu is from 0 to 1.44 times its mean, so v is from 1 - 3 to 1 + 3 * 0.44 times the mean; 0.2 are left to
    what four shapes do not resolve.
    """
    hover, r = np.sqrt(900.0 / (2 * ir.DENSITY * ir.AREA)), np.linspace(0.0, 0.95, 30)
    for x in np.arange(-3.0, 0.0, 0.2):
        u, *values = steady(inflow, (0.0, 0.0, x * hover), 900.0)
        v = sum(a * shape for a, shape in zip(values, shapes_at(inflow.shapes, r, 0.0 * r), strict=False))
        assert u > 0.0 and v.min() > -2.2 * u and v.max() < 2.6 * u, (x, v / u)


def test_edgewise_flight():
    """The mean has Glauert's velocity, u sqrt(V^2 + u^2) = T / (2 rho A), but for what four shapes do not resolve."""
    thrust = 900.0
    for speed in (10.0, 30.0):
        u = steady(PetersHe((4, 3, 2)), (-speed, 0.0, 0.0), thrust)[0]
        assert u * np.hypot(speed, u) == pytest.approx(thrust / (2 * ir.DENSITY * ir.AREA), rel=2e-2)


def test_ground_leaves_a_part_of_every_shape():
    """At the same load all velocities are `ground` times those far away in hover."""
    far, near = (steady(PetersHe(), (0.0, 0.0, 0.0), 900.0, ground) for ground in (1.0, 0.8))
    count = 1 + len(PetersHe().modes)
    np.testing.assert_allclose(near[:count], 0.8 * far[:count], rtol=1e-4, atol=1e-8)


#: Load of a push that stands for a whole disk: radii, widths, and shares of the thrust.
PUSH_RADII, PUSH_WIDTHS = (0.3, 0.55, 0.8), (0.3, 0.25, 0.3)


@pytest.mark.parametrize("shapes", [(1,), (1, 1)])
def test_step_of_thrust_in_hover(shapes):
    """One shape: M R u' + 2 u^2 = T / (rho A) with the apparent mass of a solid disk, M = 8 / 3 pi.

    u = u_1 tanh(2 u_1 t / (M R) + atanh(u_0 / u_1)). Second order in the step, 1 / 200 of the time constant; still air
    counts as 0.05 m/s, most at the start. The push lies on one side: in hover its moment does not act on the mean.
    """
    final, first = 9.0, 4.0
    thrust = 2 * ir.DENSITY * ir.AREA * final**2
    forces = thrust * np.array([0.2, 0.3, 0.5])
    constant = DISK_MASS * ir.RADIUS / (4 * final)
    model = ir.pushed(PetersHe(shapes), forces, PUSH_RADII, PUSH_WIDTHS, start=first)
    results = sm.transient(model, end=6 * constant, step=constant / 200, progress=False, outputs="rotor.*")
    expected = final * np.tanh(2 * final * results.time / (DISK_MASS * ir.RADIUS) + np.arctanh(first / final))
    np.testing.assert_allclose(results["rotor.induced"][:, 0], expected, rtol=0.5 * (STILL_AIR_SPEED / first) ** 2)


def test_step_of_a_moment_in_hover():
    """About a constant mean the first harmonic grows as tau / (rho A u) (1 - exp(-u t / (Mg R))), Mg = 16 / 45 pi: that
    of Pitt and Peters, for the one shape of harmonic 1 is the linear one.
    """
    u = 9.0
    thrust = 2 * ir.DENSITY * ir.AREA * u**2
    forces = thrust * np.array([0.2, 0.3, 0.5])
    constant = MASS_GRADIENT * ir.RADIUS / u
    model = ir.pushed(PetersHe((1, 1)), forces, PUSH_RADII, PUSH_WIDTHS, start=u)
    results = sm.transient(model, end=6 * constant, step=constant / 200, progress=False, outputs="rotor.*")
    gain = np.dot(forces, PUSH_RADII) / (ir.DENSITY * ir.AREA * u)
    slope = np.sqrt(7.5)  # phi_2^1 = sqrt(15 / 2) r
    found = results["rotor.induced"][:, 2:4] * slope
    np.testing.assert_allclose(found[:, 0], gain * (1 - np.exp(-results.time / constant)), atol=1e-4 * gain)
    np.testing.assert_allclose(found[:, 1], 0.0, atol=1e-9)


def test_it_is_pitt_and_peters_in_hover():
    """Blades in hover: (1, 1) and Pitt and Peters' model end with the same thrust and power."""
    found = [
        ir.settled(ir.bladed(inflow, theta=0.12), outputs=("rotor.*",)) for inflow in (PetersHe((1, 1)), PittPeters())
    ]
    for name in ("rotor.thrust", "rotor.torque"):
        assert found[0][name] == pytest.approx(found[1][name], rel=1e-8)


@pytest.mark.parametrize("given", [(), (0,), (9,), (1,) * 14, (1.5, 1), "31", 3, None])
def test_shapes_that_are_refused(given):
    with pytest.raises(sm.ModelError, match="PetersHe: shapes must be whole numbers, one for each harmonic"):
        PetersHe(given)


def test_more_shapes_than_stations_are_refused():
    """Stations are points: finer shapes would resolve them one by one."""
    model = ir.bladed(PetersHe((4, 1)), stations=ir.gauss_stations(0.1, 3))
    with pytest.raises(
        sm.ModelError, match=r"'rotor': .*PetersHe: 4 shapes along the radius, but loads at only 3 radii"
    ):
        model.check()
    ir.bladed(PetersHe((3, 1)), stations=ir.gauss_stations(0.1, 3)).check()


def test_shapes_in_any_dress():
    assert PetersHe([3, 2]).shapes == PetersHe(np.array([3, 2])).shapes == (3, 2)
    assert list(PetersHe((1, 1)).flows())[:4] == ["u", "cos0_1", "cos1_2", "sin1_2"]
    assert len(list(shapes_at((3, 2, 1), 0.3, 0.4))) == len(PetersHe((3, 2, 1)).modes) == 9
