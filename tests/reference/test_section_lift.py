"""Section lift of Caradonna and Tung's rotor in hover: what was measured, and an oracle by blade elements and a wake.

The oracle (vortex_wake.py) is held to closed forms first. Measured section lift has two transcriptions, and the
pressures a third way to it; all three are compared before they are used. Then every model of the inflow is compared
with them: mean, ring by ring, wake of vortices.
"""

import csv
from functools import cache
from typing import NamedTuple

import numpy as np
import pytest
from scipy.interpolate import PchipInterpolator
from scipy.special import ellipe, ellipk
from vortex_wake import (
    Blade,
    annular,
    biot_savart,
    constant_blade,
    downwash_matrix,
    influence,
    kocurek_tangler,
    lines,
    through,
    to_points,
    uniform,
    wake_loads,
)

import samara as sm
from samara import naca0012
from samara.elements.aero.inflow.annular import Annular
from samara.elements.aero.surfaces.strip import Stations
from samara.models.rotors.caradonna_tung import BLADES, CHORD, RADIUS, caradonna_tung

STATIONS = np.array([0.50, 0.68, 0.80, 0.89, 0.96])
PITCHES = (5.0, 8.0, 12.0)
FOIL = naca0012()


def section(alpha, mach):
    """cl and cd of the table, number by number."""
    pairs = [FOIL.coefficients(float(a), float(m))[:2] for a, m in zip(alpha, mach, strict=True)]
    return tuple(np.array(pairs, dtype=float).T)


def rows(path):
    with path.open() as file:
        next(file)
        return list(csv.DictReader(file))


class Case(NamedTuple):
    """Measured at 1250 rpm: section lift by figures and tables, radius and height of the tip vortex at the passage."""

    mach: float
    CT: float
    cl: np.ndarray
    table: np.ndarray
    vortex: tuple[float, float]


@pytest.fixture(scope="module")
def measured(data) -> dict[float, Case]:
    """What was measured, by pitch [degrees]."""
    lift = [row for row in rows(data / "caradonna_tung_section_lift.csv") if row["rpm"] == "1250"]
    thrust = {float(r["theta_deg"]): r for r in rows(data / "caradonna_tung_ct.csv") if r["rpm"] == "1250"}
    vortex = {float(r["theta_deg"]): r for r in rows(data / "caradonna_tung_tip_vortex.csv")}
    found = {}
    for pitch in PITCHES:
        here = [row for row in lift if float(row["theta_deg"]) == pitch]
        found[pitch] = Case(
            float(thrust[pitch]["M_tip"]),
            float(thrust[pitch]["CT"]),
            np.array([float(row["cl_figure"]) for row in here]),
            np.array([float(row["cl_table"] or "nan") for row in here]),
            (float(vortex[pitch]["r_R"]), float(vortex[pitch]["z_R"])),
        )
    return found


# ---- the oracle by itself


def test_ring():
    """A ring of 720 straight segments against elliptic integrals, on its axis and off it: 1e-4, 4 segments' error."""
    turn = np.linspace(0, 2 * np.pi, 721)
    ring = to_points(np.ones(721), turn, np.zeros(721))
    at = np.array([[0, 0, 0.0], [0, 0, 0.7], [0.5, 0, 0.2], [1.6, 0, -0.3]])
    found = biot_savart(at, ring[:-1], ring[1:], np.ones(720))[:, 2]
    r, z = np.hypot(at[:, 0], at[:, 1]), at[:, 2]
    m = 4 * r / ((1 + r) ** 2 + z**2)
    exact = (ellipk(m) + (1 - r**2 - z**2) / ((1 - r) ** 2 + z**2) * ellipe(m)) / (
        2 * np.pi * np.sqrt((1 + r) ** 2 + z**2)
    )
    assert found == pytest.approx(exact, rel=1e-4)


def test_helix_on_its_axis():
    """At the end of a long helix: Gamma / (4 pi k), half of Gamma by the pitch, less what 40 turns leave out: 0.1 %."""
    k, psi = 0.1, np.linspace(0, 80 * np.pi, 40 * 180 + 1)
    helix = to_points(np.ones(psi.size), -psi, -k * psi)
    found = biot_savart(np.zeros((1, 3)), helix[:-1], helix[1:], np.ones(psi.size - 1))[0, 2]
    assert -found == pytest.approx(1 / (4 * np.pi * k), rel=1e-3)


def straight_wing(panels: int, aspect: float, straight: float = 40.0):
    """A wing of elliptic chord as a blade so narrow, 0.06 R, that its wake is straight: lines to y < 0."""
    span = 0.06
    angles = np.linspace(0, np.pi, 2 * panels + 1)
    edges, points = (1 - span / 2 - span / 2 * np.cos(a) for a in (angles[::2], angles[1::2]))
    chord = 4 * span / (np.pi * aspect) * np.sin(angles[1::2])
    back = np.concatenate([[0.0], np.geomspace(1e-4, straight, 60)])
    nodes = np.array([np.stack([np.full(61, r), -back, np.zeros(61)], axis=-1) for r in edges])
    return Blade(1, edges, chord, np.full(panels, 0.05), points), nodes, span


@pytest.mark.parametrize("aspect", [6.0, 12.0])
def test_elliptic_wing(aspect):
    """Prandtl: slope 2 pi A / (A + 2) of the wing, downwash the same along it. 40 panels: 2e-3."""
    wing, nodes, span = straight_wing(40, aspect)
    C = downwash_matrix(wing, nodes)
    gamma = np.linalg.solve(np.eye(40) + np.pi * wing.chord[:, None] * C, np.pi * wing.chord * 0.05)
    width = np.diff(wing.edges)
    slope = 2 * np.sum(gamma * width) / (span**2 / aspect) / 0.05
    assert slope == pytest.approx(2 * np.pi * aspect / (aspect + 2), rel=2e-3)
    assert (C @ gamma)[1:-1] == pytest.approx(0.05 * 2 / (aspect + 2), rel=2e-3)


def test_many_blades_are_momentum_theory():
    """Constant circulation on 24 blades over rigid helices that sink at lambda: downwash lambda = sqrt(CT / 2).

    1 percent: 30 turns leave out 0.3 percent, polygons of 24 sides lack 0.6 percent of the area.
    """
    inflow, blades = 0.05, 24
    blade = constant_blade(blades, 0.02, 0.05, 0.1, 16)
    psi = np.concatenate([np.arange(0, 0.6, 0.01), np.arange(0.6, 60 * np.pi, 2 * np.pi / 24)])
    nodes = np.array([to_points(np.full(psi.size, r), -psi, -inflow * psi) for r in blade.edges])
    gamma = 4 * np.pi * inflow**2 / blades
    w = downwash_matrix(blade, nodes) @ np.full(16, gamma)
    well_inside = (blade.middles > 0.2) & (blade.middles < 0.9)
    assert w[well_inside] == pytest.approx(inflow, rel=0.01)


def test_lines_are_as_the_formulas_say():
    """Kocurek and Tangler at CT 0.0046, two blades, no twist: k1, k2 and the place at the passage, by hand."""
    wake = kocurek_tangler(0.0046, 2)
    assert wake.k1 == pytest.approx(-2.3 * (0.0046 / np.sqrt(2)) ** 0.75, rel=1e-12)
    assert wake.k2 == pytest.approx(-np.sqrt(0.0046), rel=1e-12)
    r, z = wake.tip(np.array([np.pi, 2 * np.pi]))
    assert r[0] == pytest.approx(0.78 + 0.22 * np.exp(-4 * np.sqrt(0.0046) * np.pi), rel=1e-12)
    assert np.diff(z)[0] == pytest.approx(wake.k2 * np.pi, rel=1e-12)


def test_total_circulation_is_conserved():
    """All lines of a blade add to nothing: far away their velocity falls faster than 1 / distance, that of a line."""
    blade = constant_blade(2, CHORD / RADIUS, CHORD / RADIUS, 0.1, 12)
    nodes = lines(blade, kocurek_tangler(0.005, 2), 0.9, np.linspace(0, 40, 800))
    far = influence(blade, nodes, np.array([[300.0, 0, 0], [600.0, 0, 0]]), 0.0, own_bound=True)
    sizes = np.linalg.norm(far, axis=1)
    assert np.all(sizes[1] < 0.3 * sizes[0])


def test_converged_in_panels(measured):
    """Section lift by 12, 24 and 48 panels: the second halving changes it by less than 2 percent at the stations."""
    m = measured[8.0]
    found = []
    for panels in (24, 48):
        blade = constant_blade(BLADES, CHORD / RADIUS, CHORD / RADIUS, np.radians(8.0), panels)
        found.append(at_stations(wake_loads(blade, section, m.mach, through(m.vortex, m.CT))))
    assert found[0] == pytest.approx(found[1], rel=0.02)


# ---- what was measured


def test_two_transcriptions_agree(measured):
    """Figures read by eye (0.005) and the row CL of the tables: within 0.007 wherever the digits could be read."""
    for pitch in PITCHES:
        m = measured[pitch]
        known = ~np.isnan(m.table)
        assert known.sum() >= 4
        assert np.abs(m.table - m.cl)[known].max() < 0.007


def normal_force(taps) -> float:
    """cn from -Cp: integral of f 2 s ds, s = +-sqrt(x / c) on the upper and lower side, closed at the trailing edge."""
    sides = {side: [(x, f) for where, x, f in taps if where == side] for side in ("upper", "lower")}
    ends = []
    for points in sides.values():
        (x0, f0), (x1, f1) = points[-2:]
        ends.append(f1 + (f1 - f0) / (x1 - x0) * (1 - x1))
    end = np.clip(np.mean(ends), -0.2, 0.05)
    line = {-np.sqrt(x): f for x, f in sides["lower"]} | {np.sqrt(x): f for x, f in sides["upper"]}
    line |= {-1.0: end, 1.0: end}
    s = np.array(sorted(line))
    fine = np.linspace(-1, 1, 4001)
    return float(np.trapezoid(PchipInterpolator(s, [line[x] for x in s])(fine) * 2 * fine, fine))


def test_pressures_say_the_same(data, measured):
    """Integrated pressures within 10 percent of the figures, so stations are in the right order (0.80 and 0.89 R).

    Taps that were marked doubtful count at 5 and 8 degrees; at 12 degrees they are plainly impossible (-0.45 between
    0.08 and the trailing edge) and are left out, and with them 0.50 R, which has one tap left below. At 5 degrees and
    0.96 R the tap at x / c = 0.07 lies below both its neighbours: left out. Few taps and no known end at the trailing
    edge make 5 percent; cn is cl to cos(5 degrees).
    """
    taps = rows(data / "caradonna_tung_pressures.csv")
    for pitch in PITCHES:
        for r, figure in zip(STATIONS, measured[pitch].cl, strict=True):
            here = [
                (row["surface"], float(row["x_c"]), float(row["minus_cp"]))
                for row in taps
                if (float(row["theta_deg"]), float(row["r_R"]), row["rpm"]) == (pitch, r, "1250")
                and not (pitch == 12.0 and row["note"] == "doubtful")
            ]
            if (pitch, r) in ((12.0, 0.50), (5.0, 0.96)):
                continue
            assert normal_force(here) == pytest.approx(figure, rel=0.10), (pitch, r)


def test_section_lift_adds_to_the_thrust(measured):
    """CT of the measured section lift within 6 percent of the measured CT: 0.96 R to the tip is a guess, 0.6 of it."""
    r = np.linspace(CHORD / RADIUS, 1.0, 2001)
    for pitch in PITCHES:
        m = measured[pitch]
        cl = np.interp(r, [r[0], *STATIONS, 1.0], [m.cl[0], *m.cl, 0.6 * m.cl[-1]])
        CT = BLADES * CHORD / RADIUS / (2 * np.pi) * np.trapezoid(r**2 * cl, r)
        assert pytest.approx(m.CT, rel=0.06) == CT


# ---- models of the inflow beside it


def at_stations(loads) -> np.ndarray:
    return np.interp(STATIONS, loads.r, loads.cl)


@cache
def models(pitch: float, mach: float, CT: float, vortex: tuple[float, float]) -> dict[str, np.ndarray]:
    blade = constant_blade(BLADES, CHORD / RADIUS, CHORD / RADIUS, np.radians(pitch), 24)
    measured_wake = through(vortex, CT)
    return {
        "uniform": at_stations(uniform(blade, section, mach)),
        "annular": at_stations(annular(blade, section, mach)),
        "line": at_stations(wake_loads(blade, section, mach, measured_wake)),
        "surface": at_stations(wake_loads(blade, section, mach, measured_wake, behind=0.5)),
    }


def errors(measured, pitch) -> dict[str, np.ndarray]:
    m = measured[pitch]
    return {name: cl / m.cl - 1 for name, cl in models(pitch, m.mach, m.CT, m.vortex).items()}


def test_annular_of_samara_is_that_of_the_oracle():
    """Induced velocity of each ring and CT, tip loss only and both losses: 1e-3 (still air counts as 0.05 m/s)."""
    stations = Stations.gauss(CHORD, RADIUS, 16, CHORD, np.radians(8.0))
    radii = np.asarray(stations.x) / RADIUS
    turn = 60.0 / 1250.0
    for losses in ("tip", "both"):
        model = caradonna_tung(8.0, 1250.0, 0.439, inflow=Annular(radii=radii, losses=losses))
        run = sm.transient(model, end=15 * turn, step=turn / 60, progress=False, outputs="rotor.*")
        found = run["rotor.ring_induced"][-1] / (1250.0 * np.pi / 30 * RADIUS)
        assert found == pytest.approx(ring_by_ring(radii, losses), rel=1e-3)


def ring_by_ring(radii: np.ndarray, losses: str) -> np.ndarray:
    """Downwash of the oracle at given radii: thin rings around them, the blade's root kept."""
    found = []
    for r in radii:
        root, thin = CHORD / RADIUS, 1e-7
        edges = np.array([root, r - thin, r + thin])
        blade = Blade(BLADES, edges, np.full(2, CHORD / RADIUS), np.full(2, np.radians(8.0)))
        found.append(annular(blade, section, 0.439, losses).w[1])
    return np.array(found)


def test_rings_on_a_rotor_of_three_slender_blades(data):
    """Castles and Gray, solidity 0.05, blades of 17 chords' length: CT over pitch above 6 degrees.

    Lift slope by the source, no stall, so to 11 degrees. Runs differ by 10 percent among themselves at the same pitch:
    the median of the ratios is within 3 percent of one (0.99), three of four ratios within 7 percent. A wake by
    Kocurek and Tangler has 5 percent more. So rings are right where blades are slender and the wake is not near.
    """
    rings, wakes = [], []
    for row in rows(data / "castles_gray_hover.csv"):
        pitch, slope = float(row["theta_deg"]), {"1200": 5.90, "1600": 6.07}[row["rpm"]]
        if not 6.0 < pitch < 11.0:
            continue

        def straight(alpha, mach, slope=slope):
            return slope * alpha, 0.0 * alpha

        blade = constant_blade(3, 0.155 / 0.9144, 0.05 * np.pi / 3, np.radians(pitch), 16)
        rings.append(annular(blade, straight, 0.0).CT / float(row["CT"]))
        if 8.0 < pitch < 9.0:
            wakes.append(wake_loads(blade, straight, 0.0, turns=8.0).CT / float(row["CT"]))
    assert len(rings) >= 10
    assert np.median(rings) == pytest.approx(1.0, abs=0.03)
    assert np.mean(np.abs(np.array(rings) - 1) < 0.07) > 0.75
    assert np.median(wakes) == pytest.approx(1.05, abs=0.03)


def test_uniform_inflow_has_the_wrong_shape(measured):
    """Too little at 0.50 R at all pitches, up to twice too much at 0.96 R."""
    for pitch in PITCHES:
        error = errors(measured, pitch)["uniform"]
        assert error[0] < 0 < 0.5 < error[-1] < 1.2
        assert np.all(np.diff(error[[0, 1, 2]]) > 0)


def test_rings_have_the_shape_and_too_much_of_it(measured):
    """8 and 12 degrees, 0.68 R and outboard: 20 to 34 percent too much, so 15 percent is not met; spread 14 points."""
    for pitch in (8.0, 12.0):
        error = errors(measured, pitch)["annular"][1:]
        assert np.all((error > 0.15) & (error < 0.36))
        assert np.ptp(error) < 0.15


def test_vortex_wake_takes_part_of_the_excess_away(measured):
    """The tip vortex where it was measured: mean excess outboard of 0.68 R from 26 and 31 to 13 and 15 percent.

    By a lifting line at a quarter of the chord loads near the tip are too large, as they are for wings; with incidence
    at three quarters of the chord 0.89 and 0.96 R are within 15 percent of measurement at 8 and 12 degrees.
    """
    for pitch in (8.0, 12.0):
        error = errors(measured, pitch)
        assert np.mean(error["surface"][1:]) < 0.6 * np.mean(error["annular"][1:])
        assert np.mean(error["line"][1:4]) < 0.8 * np.mean(error["annular"][1:4])
        assert np.all(np.abs(error["surface"][3:]) < 0.15)
        assert np.all(error["line"][1:3] < error["annular"][1:3])


def test_free_wake_finds_the_tip_vortex(data, measured):
    """As computed by free_wake.py: within 0.06 R of the measured radius and 0.02 R of the height at all pitches.

    No measured geometry went in. It contracts too much, by 0.02 R at 5 and 0.04 R at 12 degrees; the height is what
    steps of 15 degrees and a wake that is not quite steady leave.
    """
    for row in rows(data / "caradonna_tung_free_wake_computed.csv"):
        r, z = measured[float(row["theta_deg"])].vortex
        assert float(row["r_R"]) == pytest.approx(r, abs=0.06)
        assert float(row["z_R"]) == pytest.approx(z, abs=0.02)


def test_free_wake_is_nearer_than_rings(data, measured):
    """Mean excess outboard of 0.68 R at most 0.7 of that of the rings; at 8 degrees all four within 18 percent.

    15.2 were found; runs with other cores and lengths of the wake differ by 3 points.
    """
    for row in rows(data / "caradonna_tung_free_wake_computed.csv"):
        pitch = float(row["theta_deg"])
        error = np.array([float(row[f"cl_{r:.2f}"]) for r in STATIONS]) / measured[pitch].cl - 1
        assert np.mean(error[1:]) < 0.7 * np.mean(errors(measured, pitch)["annular"][1:])
        if pitch == 8.0:
            assert np.all(np.abs(error[1:]) < 0.18)


@pytest.mark.slow
def test_free_wake_starts_towards_the_same(data):
    """Two turns at 8 degrees, 12 panels: the tip vortex at the passage is within 0.03 R of the long run's."""
    from free_wake import FreeWake, median_loads

    blade = constant_blade(BLADES, CHORD / RADIUS, CHORD / RADIUS, np.radians(8.0), 12)
    found = median_loads(FreeWake(blade, section, 0.435, kept=4), turns=2, over=1)
    long = next(r for r in rows(data / "caradonna_tung_free_wake_computed.csv") if r["theta_deg"] == "8")
    assert found["passage"] == pytest.approx([float(long["r_R"]), float(long["z_R"])], abs=0.03)
