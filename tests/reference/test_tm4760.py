"""Frequencies of the articulated model rotor blade of NASA TM 4760, over the speed of rotation.

Reference: MSC/NASTRAN values of NASA TM 4760, as printed in table 4.4 of the MBDyn applications manual, which also has
MBDyn's own (tests/reference/data/tm4760_frequencies.csv). 0.3 % is asked for; all 35 frequencies are within 0.21 % of
NASTRAN. Both give two decimals, which is 0.04 % of the slowest. The mesh leaves 0.01 %, in the third flap mode.
"""

import csv

import numpy as np
import pytest

import samara as sm
from samara.models.rotors import tm4760

SPEEDS = (0, 150, 250, 350, 450, 550, 660)
#: the largest difference to NASTRAN of each mode, over all speeds
WITHIN = {"1st flap": 0.0022, "2nd flap": 0.0013, "1st chord": 0.0015, "3rd flap": 0.001, "1st torsion": 0.0017}


def rows(path):
    with path.open() as file:
        next(file)  # the source
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def table(data):
    """{(mode, rpm): (NASTRAN, MBDyn)} [Hz]."""
    found = rows(data / "tm4760_frequencies.csv")
    return {(row["mode"], int(row["rpm"])): (float(row["NASTRAN_Hz"]), float(row["MBDyn_Hz"])) for row in found}


def frequencies(rpm: int) -> dict[str, float]:
    """By the names of the table, and the two hinge modes [Hz]."""
    model = tm4760.build(speed_rpm=rpm, push=0.0)
    # at rest the blade is free to swing: no equilibrium to look for, and none needed
    found = sm.modes(sm.steady_rotation(model, rpm * np.pi / 30) if rpm else sm.Simulation(model), 10)
    swings = found.natural > 0.1  # rad/s; at rest the hinge modes have the root of what rounding leaves of zero
    hertz, chord, twist = found.frequencies_hz[swings], found.share((1, 5))[swings] > 0.5, found.share((3,))[swings]
    across = np.flatnonzero(~chord)[: 5 if rpm else 4]  # flap, and torsion, which has the most twist
    torsion = across[np.argmax(twist[across])]
    flap, lag = list(hertz[across[across != torsion]]), list(hertz[chord])
    if not rpm:
        flap, lag = [0.0, *flap], [0.0, *lag]
    return {
        "rigid lag": lag[0], "1st chord": lag[1], "rigid flap": flap[0], "1st flap": flap[1], "2nd flap": flap[2],
        "3rd flap": flap[3], "1st torsion": hertz[torsion],
    }  # fmt: skip


@pytest.fixture(scope="module", params=SPEEDS, ids=lambda rpm: f"{rpm} rpm")
def turning(request):
    return request.param, frequencies(request.param)


def test_elastic_modes(turning, table):
    rpm, found = turning
    for mode, within in WITHIN.items():
        nastran, mbdyn = table[mode, rpm]
        assert found[mode] == pytest.approx(nastran, rel=within), (mode, rpm)
        # MBDyn has the same data on lumped masses, which lowers the third flap mode by 0.16 %
        assert found[mode] == pytest.approx(mbdyn, rel=0.0018), (mode, rpm)


def test_hinge_modes(turning):
    """Rigid blade, moments about the hinge: (flap / W)^2 = (J_z - J_x + e S) / J_y, (lag / W)^2 = e S / J_z."""
    rpm, found = turning
    arm = tm4760.HINGE
    whole = tm4760.blade().piece(arm, tm4760.STATIONS[-1] * tm4760.INCH)
    c = whole.com - np.array([arm, 0, 0])
    Jx, Jy, Jz = np.diag(whole.inertia + whole.mass * (c @ c * np.eye(3) - np.outer(c, c)))
    S = whole.mass * c[0]
    bent = (rpm / 660) ** 2  # the blade also bends a little, as the square of the speed
    assert found["rigid flap"] == pytest.approx(rpm / 60 * np.sqrt((Jz - Jx + arm * S) / Jy), rel=1e-4 + 3e-4 * bent)
    assert found["rigid lag"] == pytest.approx(rpm / 60 * np.sqrt(arm * S / Jz), rel=1e-4 + 1.4e-3 * bent)


def test_tables_are_those_of_the_report(data):
    """The regions of the ready model against the listing by grid points and elements."""
    grid = {row["gid"]: float(row["x_in"]) for row in rows(data / "tm4760_grid.csv")}
    names = ("A_in2", "I1_lag_in4", "I2_flap_in4", "Jtorsion_in4", "m_lb_per_in", "Jp_lb_in2_per_in", "ycm_in")
    sections = {row["pid"]: [float(row[n]) for n in names] for row in rows(data / "tm4760_pbeam.csv")}
    for beam in rows(data / "tm4760_cbeam.csv"):
        middle = 0.5 * (grid[beam["g1"]] + grid[beam["g2"]])
        k = np.searchsorted(tm4760.STATIONS, middle) - 1
        assert list(tm4760.SECTIONS[k]) == sections[beam["pid"]]
        assert tm4760.STATIONS[k] <= grid[beam["g1"]] < grid[beam["g2"]] <= tm4760.STATIONS[k + 1]
