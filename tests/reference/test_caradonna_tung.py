"""Hover of Caradonna and Tung's rotor: closed form with a straight lift curve, and the experiment as it is.

Uniform inflow without tip loss gives far too much thrust, 40 to 60 percent: an untwisted blade is loaded towards its
tip, where the true induced velocity is larger than its mean, and works to the very tip. The experiment is therefore
compared by its trend, at 1250 and 1750 rpm; at 2268 rpm (tip at Mach 0.78) the measured CT at 5 degrees falls to
0.0020 where the section's compressible lift grows, and the trend is off by up to 23 percent; from 8 to 12 degrees it is
within 12 percent at all speeds. The excess is held to what it was found to be, so that it cannot change unseen.

A momentum balance ring by ring is computed here apart, and `Annular` must give the same. In thrust it is no nearer to
the experiment than uniform inflow with tip loss; what it does to the load along the blade is in `test_section_lift`.
"""

import csv
from functools import cache

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

import samara as sm
from samara import Annular, ThinAerofoil, naca0012
from samara.models.rotors.caradonna_tung import BLADES, CHORD, COUNT, RADIUS, SOLIDITY, STATIONS, caradonna_tung

SLOPE = 5.73


def steady(pitch: float, rpm: float, mach: float, **more) -> float:
    model = caradonna_tung(pitch, rpm, mach, **more)
    turn = 60.0 / rpm
    results = sm.transient(model, end=15 * turn, step=turn / 60, progress=False, outputs="rotor.CT")
    return float(results["rotor.CT"][-1])


@cache
def with_loss(pitch: float, rpm: float, mach: float) -> tuple[float, float]:
    """CT without and with Prandtl's factor for the inflow of the former."""
    bare = steady(pitch, rpm, mach)
    return bare, steady(pitch, rpm, mach, loss=float(np.sqrt(bare / 2)))


@pytest.fixture(scope="module")
def measured(data):
    with (data / "caradonna_tung_ct.csv").open() as file:
        next(file)
        return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]


def without_small_angles(theta: float, cd: float) -> float:
    """CT of the same blade element theory, nothing taken as small: root of CT = 2 lambda^2 with the integral over r.

    CT = sigma / 2 int (r^2 + lambda^2) (cl cos(phi) - cd sin(phi)) dr,   cl = a (theta - phi),   phi = atan(lambda / r)
    """

    def thrust(inflow: float) -> float:
        def along(r: float) -> float:
            phi = np.arctan2(inflow, r)
            return (r**2 + inflow**2) * (SLOPE * (theta - phi) * np.cos(phi) - cd * np.sin(phi))

        return SOLIDITY / 2 * quad(along, 0.0, 1.0)[0]

    inflow = brentq(lambda x: thrust(x) - 2 * x**2, 1e-3, 0.3, xtol=1e-12)
    return 2 * inflow**2


@pytest.mark.parametrize(("pitch", "within"), [(5.0, 5e-3), (8.0, 5e-3), (12.0, 6e-3)])
def test_closed_form_of_the_same_rotor(pitch, within):
    """CT = sigma a / 2 (theta / 3 - lambda / 2), the root reaching the axis: 0.5 percent.

    It takes the inflow angle as small. At 12 degrees that alone is 0.51 percent: without it, the integral of the same
    theory is met to 2e-5, which is the 0.05 m/s that still air counts as.
    """
    found = steady(pitch, 1250.0, 0.434, aerofoil=ThinAerofoil(slope=SLOPE, cd_0=0.01, stall=3.2), cutout=0.0)
    s, theta = SOLIDITY * SLOPE, np.radians(pitch)
    inflow = s / 16 * (np.sqrt(1 + 64 * theta / (3 * s)) - 1)
    assert found == pytest.approx(2 * inflow**2, rel=within)
    assert found == pytest.approx(without_small_angles(theta, 0.01), rel=5e-5)
    assert SOLIDITY == pytest.approx(2 * CHORD / (np.pi * RADIUS))


def test_trend_of_the_experiment(measured):
    """CT at 8 and 12 degrees over CT at 5 degrees: within 15 percent, with tip loss or without."""
    for low, high in ((0.4, 0.5), (0.6, 0.7)):
        rows = {row["theta_deg"]: row for row in measured if low < row["M_tip"] < high}
        found = {t: with_loss(t, r["rpm"], r["M_tip"]) for t, r in rows.items()}
        for t in (8.0, 12.0):
            for k in (0, 1):
                ratio = (found[t][k] / found[5.0][k]) / (rows[t]["CT"] / rows[5.0]["CT"])
                assert ratio == pytest.approx(1.0, abs=0.15), (low, t, k, ratio)


def test_trend_from_8_to_12_degrees(measured):
    """At all speeds, also at 2268 rpm: within 12 percent, with tip loss or without (2 to 10 percent were found)."""
    for low, high in ((0.4, 0.5), (0.6, 0.7), (0.75, 0.8)):
        rows = {row["theta_deg"]: row for row in measured if low < row["M_tip"] < high}
        found = {t: with_loss(t, rows[t]["rpm"], rows[t]["M_tip"]) for t in (8.0, 12.0)}
        for k in (0, 1):
            ratio = (found[12.0][k] / found[8.0][k]) / (rows[12.0]["CT"] / rows[8.0]["CT"])
            assert ratio == pytest.approx(1.0, abs=0.12), (low, k, ratio)


def ring_by_ring(theta: float, mach: float, *, points: int = 24, root_loss: bool = False) -> float:
    """CT with a momentum balance in every ring and Prandtl's factor on it, the table's lift: nothing of the rotor's.

    sigma / 2 U^2 (cl cos(phi) - cd sin(phi)) = 4 F lambda^2 r,   F = (2 / pi) acos(exp(-N_b (1 - r) / (2 r sin(phi))))

    points: of the quadrature along the blade; root_loss: whether F has a factor of the root too, with r - r_0.
    """
    x, weights = np.polynomial.legendre.leggauss(points)
    root = CHORD / RADIUS
    section, total = naca0012(), 0.0
    for r, dr in zip(0.5 * (1 + root) + 0.5 * (1 - root) * x, 0.5 * (1 - root) * weights, strict=True):

        def thrust(inflow, r=r):
            phi, U2 = np.arctan2(inflow, r), r**2 + inflow**2
            cl, cd, _ = section.coefficients(theta - phi, mach * np.sqrt(U2))
            return SOLIDITY / 2 * U2 * (cl * np.cos(phi) - cd * np.sin(phi))

        def balance(inflow, r=r, thrust=thrust):
            ends = (1 - r, r - root) if root_loss else (1 - r,)
            f = BLADES / 2 * np.array(ends) / (r * np.sin(np.arctan2(inflow, r)))
            return thrust(inflow) - 4 * np.prod(2 / np.pi * np.arccos(np.exp(-f))) * inflow**2 * r

        total += dr * thrust(brentq(balance, 1e-5, 0.5))
    return total


@pytest.mark.parametrize("losses", ["tip", "both"])
def test_annular_inflow_is_ring_by_ring(losses):
    """`Annular` with a ring for each station: the calculation above with the same points to 1e-4, of which still air,
    counted as 0.05 m/s, is most; with more points to 1e-3, of which 16 stations on a table with kinks are most.
    """
    for pitch in (5.0, 8.0, 12.0):
        found = steady(pitch, 1250.0, 0.434, inflow=Annular(radii=STATIONS, losses=losses))
        for points, within in ((COUNT, 1e-4), (24, 1e-3)):
            rings = ring_by_ring(np.radians(pitch), 0.434, points=points, root_loss=losses == "both")
            assert found == pytest.approx(rings, rel=within)


def test_rings_are_no_nearer_to_the_experiment(measured):
    """At 1250 rpm, within 5 percent of uniform inflow with tip loss, and like it a quarter to a half too much."""
    for row in measured:
        if row["rpm"] == 1250.0:
            rings = ring_by_ring(np.radians(row["theta_deg"]), row["M_tip"])
            _, lossy = with_loss(row["theta_deg"], row["rpm"], row["M_tip"])
            assert lossy == pytest.approx(rings, rel=0.05)
            assert 1.25 < rings / row["CT"] < 1.5


def test_excess_over_the_experiment(measured):
    """What is too much at 1250 and 1750 rpm: stated, not hidden; tip loss takes 7 to 18 points of it away."""
    for row in measured:
        if row["M_tip"] > 0.7:
            continue
        bare, lossy = with_loss(row["theta_deg"], row["rpm"], row["M_tip"])
        assert lossy < bare
        assert 1.35 < bare / row["CT"] < 1.65, (row, bare / row["CT"])
        assert 1.2 < lossy / row["CT"] < 1.5, (row, lossy / row["CT"])
