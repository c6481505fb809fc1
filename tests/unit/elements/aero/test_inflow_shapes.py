"""Numbers of finite-state inflow against integrals over the disk, and against potential flow along streamlines."""

import numpy as np
import pytest
from scipy.special import hyp2f1, lpmv

from samara.elements.aero.inflow.inflow_shapes import (
    apparent_mass,
    area_products,
    mean_over_disk,
    radial_polynomial,
)
from samara.elements.aero.inflow.peters_he import InflowMode, modes_of, shapes_at, velocities_of

#: Modes that are tried: harmonics 0 to 3, three shapes each.
MODES = [(m, m + 1 + 2 * k) for m in range(4) for k in range(3)]


def gauss(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Points and weights from 0 to 1."""
    x, w = np.polynomial.legendre.leggauss(count)
    return 0.5 * (x + 1.0), 0.5 * w


NU, WEIGHT = gauss(60)
SIZES = {(m, n): np.sqrt(WEIGHT @ lpmv(m, n, NU) ** 2) for m, n in MODES}


def legendre(m: int, n: int, nu: np.ndarray) -> np.ndarray:
    """P_n^m(nu), the integral of its square from 0 to 1 being one; positive next to the rim."""
    return (-1.0) ** m * lpmv(m, n, nu) / SIZES[m, n] * (-1.0) ** ((n - m - 1) // 2)


def shape(m: int, n: int, r: np.ndarray) -> np.ndarray:
    """phi_n^m as the package has it."""
    return r**m * np.polynomial.polynomial.polyval(r**2, radial_polynomial(m, n))


@pytest.mark.parametrize(("m", "n"), MODES)
def test_shapes_are_legendre_functions(m, n):
    """phi = P(nu) / nu with nu = sqrt(1 - r^2), up to the sign of a whole shape, which is free."""
    found, r = shape(m, n, np.sqrt(1 - NU**2)), np.sqrt(1 - NU**2)
    expected = legendre(m, n, NU) / NU
    expected = expected * np.sign(expected @ found)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-10 * np.abs(expected).max())
    # the same in Cartesian coordinates, with its harmonic
    psi, counts = 0.7, (3,) * (m + 1)
    values = dict(zip(modes_of(counts), shapes_at(counts, r * np.cos(psi), r * np.sin(psi)), strict=True))
    np.testing.assert_allclose(values[InflowMode(m, n, False)], found * np.cos(m * psi), atol=1e-10)
    if m:
        np.testing.assert_allclose(values[InflowMode(m, n, True)], found * np.sin(m * psi), atol=1e-10)


@pytest.mark.parametrize("m", range(4))
def test_integrals_over_the_disk(m):
    """Shapes are orthonormal with the weight nu; products over the area and means, by quadrature. r dr = -nu dnu."""
    r, orders = np.sqrt(1 - NU**2), [m + 1, m + 3, m + 5]
    along = np.array([shape(m, n, r) for n in orders])
    np.testing.assert_allclose((along * WEIGHT * NU**2) @ along.T, np.eye(3), atol=1e-12)
    np.testing.assert_allclose((along * WEIGHT * NU) @ along.T, area_products(m, orders), rtol=1e-11)
    if m == 0:
        np.testing.assert_allclose(2 * along @ (WEIGHT * NU), [mean_over_disk(n) for n in orders], rtol=1e-11)


class Potential:
    """Phi = P_n^m(nu) Q_n^m(i eta) (cos m psi, sin m psi): flow by a pressure on the disk, in ellipsoidal coordinates.

    Q = (1 + eta^2)^(-(n + 1) / 2) F((n + m + 1) / 2, (n - m + 1) / 2; n + 3 / 2; 1 / (1 + eta^2)), one at eta = 0.
    """

    def __init__(self, m: int, n: int) -> None:
        self.m, self.n = m, n
        self.abc = 0.5 * (n + m + 1), 0.5 * (n - m + 1), n + 1.5
        self.size = hyp2f1(*self.abc, 1.0)

    def along(self, eta):
        """Q and dQ/deta."""
        a, b, c = self.abc
        x, power = 1 / (1 + eta**2), (1 + eta**2) ** (-0.5 * (self.n + 1))
        Q = power * hyp2f1(a, b, c, x) / self.size
        inner = a * b / c * hyp2f1(a + 1, b + 1, c + 1, x) * -2 * eta * x**2
        return Q, -(self.n + 1) * eta * x * Q + power * inner / self.size

    def across(self, nu):
        """P and dP/dnu, by (1 - nu^2) P' = (n + m) P_(n - 1) - n nu P."""
        m, n = self.m, self.n
        sign = np.sign(shape(m, n, 0.01) * lpmv(m, n, np.sqrt(1 - 1e-4))) / SIZES[m, n]
        P = lpmv(m, n, nu)
        return sign * P, sign * ((n + m) * lpmv(m, n - 1, nu) - n * nu * P) / (1 - nu**2)

    def slope(self, r_2, z):
        """dPhi/dz without the harmonic; r_2: square of the distance from the shaft."""
        s = r_2 + z**2 - 1
        root = np.sqrt(s * s + 4 * z * z)
        eta = np.sqrt(np.where(s > 0, 0.5 * (s + root), 2 * z**2 / (root + np.abs(s))))  # both are the same
        nu, eta = np.minimum(z / eta, 1 - 1e-12), np.maximum(eta, 1e-6)
        (Q, dQ), (P, dP) = self.along(eta), self.across(nu)
        return (eta * (1 - nu**2) * dP * Q + nu * (1 + eta**2) * P * dQ) / (nu**2 + eta**2)


def by_streamlines(m: int, n: int, chi: float, wanted: list[InflowMode]) -> dict[bool, np.ndarray]:
    """What unit pressures (m, n) of cosine and sine induce: the pull along straight streamlines from far upstream, chi
    from the shaft, projected on the wanted shapes. The wake goes towards x, so half of the disk tells the other.
    """
    nu, weight = gauss(10)
    psi = (np.arange(12) + 0.5) * np.pi / 12
    t, dt = gauss(40)
    s, ds = (t / (1 - t)) ** 2, 2 * t / (1 - t) ** 3 * dt
    r = np.sqrt(1 - nu**2)[:, None]
    x, y = r * np.cos(psi), r * np.sin(psi)
    X, Y, Z = x[..., None] - s * np.sin(chi), y[..., None] + 0 * s, s * np.cos(chi)
    pull, angle = -Potential(m, n).slope(X**2 + Y**2, Z + 0 * X), m * np.arctan2(Y, X)
    found = {}
    for sine, wave in ((False, np.cos), (True, np.sin)):
        v = (pull * wave(angle)) @ ds
        means = [(v * wave(mode.m * psi)).mean(axis=1) * (2.0 if mode.m else 1.0) for mode in wanted]
        shapes = [shape(mode.m, mode.n, r[:, 0]) * (mode.sine == sine) for mode in wanted]
        found[sine] = np.array([np.sum(weight * nu**2 * p * v) for p, v in zip(shapes, means, strict=True)])
    return found


@pytest.mark.parametrize("chi_deg", [0.0, 25.0, 50.0])
def test_gains_are_those_of_potential_flow(chi_deg):
    """a = L(X) p, sine and cosine, for harmonics 0 to 2 with two shapes each; quadrature to 2e-3 of the largest."""
    counts, chi = (2, 2, 2), np.radians(chi_deg)
    modes = list(modes_of(counts))
    pulls = {mode[:2]: by_streamlines(mode.m, mode.n, chi, modes) for mode in modes}
    for k, mode in enumerate(modes):
        pressures = list(np.eye(len(modes))[k])
        found = np.array(velocities_of(counts, False, pressures, np.tan(0.5 * chi), 0.0))
        expected = pulls[mode[:2]][mode.sine]
        np.testing.assert_allclose(found, expected, rtol=0, atol=2e-3 * np.abs(expected).max(), err_msg=str(mode))


@pytest.mark.parametrize(("m", "n"), MODES)
def test_apparent_mass_is_that_of_potential_flow(m, n):
    """Next to the disk dPhi/dz = phi dQ/deta, so a pressure p accelerates its own shape alone, K da/dt = p."""
    _, slope = Potential(m, n).along(1e-6)
    assert apparent_mass(m, n) == pytest.approx(-1.0 / slope, rel=1e-4)


def test_the_wake_may_go_anywhere(rng):
    """Pressure and wake turned together about the shaft turn the velocities."""
    counts, turn, X = (3, 2, 2), 0.8, np.array([0.3, -0.2])
    c, s = np.cos(turn), np.sin(turn)

    def turned(values):
        by_mode = dict(zip(modes_of(counts), values, strict=True))
        found = []
        for mode in modes_of(counts):
            cosine, sine = (
                by_mode[InflowMode(mode.m, mode.n, False)],
                by_mode.get(InflowMode(mode.m, mode.n, True), 0.0),
            )
            c_m, s_m = np.cos(mode.m * turn), np.sin(mode.m * turn)
            found.append(s_m * cosine + c_m * sine if mode.sine else c_m * cosine - s_m * sine)
        return found

    pressures = list(rng.uniform(-1, 1, len(modes_of(counts))))
    for momentum in (True, False):
        first = velocities_of(counts, momentum, pressures, *X)
        second = velocities_of(counts, momentum, turned(pressures), *(np.array([[c, -s], [s, c]]) @ X))
        np.testing.assert_allclose(second, turned(first), atol=1e-12)


@pytest.mark.parametrize("counts", [(1,), (1, 1), (3, 2, 1), (8,) * 8])
def test_gains_in_axial_flow_are_those_of_momentum(counts):
    """With momentum=True the velocity of a pressure in axial flow is its own shape: 2 rho V v = dp projected, exactly.

    As printed, without, gains are symmetric and positive, and larger for the first shape alone by 9 / 8.
    """
    modes = modes_of(counts)
    for m in range(len(counts)):
        own = [k for k, mode in enumerate(modes) if mode.m == m and not mode.sine]
        gains = {
            momentum: np.array([velocities_of(counts, momentum, list(e), 0.0, 0.0) for e in np.eye(len(modes))[own]])
            for momentum in (True, False)
        }
        products = area_products(m, [modes[k].n for k in own])
        exact = gains[True][:, own] @ products
        np.testing.assert_allclose(exact, np.eye(len(own)), atol=1e-7)
        printed = gains[False][:, own]
        np.testing.assert_allclose(printed, printed.T, atol=1e-9 * np.abs(printed).max())
        assert np.linalg.eigvalsh(printed).min() > 0.0
    if counts == (1,):
        assert velocities_of(counts, False, [1.0], 0.0, 0.0)[0] * 1.5 == pytest.approx(9 / 8)
