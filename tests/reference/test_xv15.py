"""The XV-15's rotor in hover beside the measurement of Felker, Betzina and Signor, NASA TM 86833."""

import csv

import numpy as np
import pytest

import samara as sm
from samara.models.rotors import xv15


@pytest.fixture(scope="module")
def measured(data):
    with (data / "xv15_oarf_table.csv").open() as file:
        table = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return np.array([(float(row["C_T"]), float(row["FM"])) for row in table]).T


@pytest.fixture(scope="module")
def hover():
    """Thrust coefficient and figure of merit over the pitch."""
    found = []
    for pitch in (8.0, 10.0, 12.0, 14.0, 16.0):
        run = sm.transient(
            xv15.build(theta75_deg=pitch), 12 * xv15.TURN, xv15.TURN / xv15.STEPS, progress=False, outputs="rotor.*"
        )
        thrust, torque = (run[f"rotor.{name}"][-xv15.STEPS :].mean() for name in ("CT", "CQ"))
        found.append((thrust, thrust**1.5 / np.sqrt(2.0) / torque))
    return np.array(found).T


def test_figure_of_merit_over_thrust(hover, measured):
    """Asked for: 0.03. Found: 0.003. Stall of other stand-ins moves it by -0.05 to -0.25, or by 0.02 to 0.08."""
    assert np.interp(measured[0], *hover) == pytest.approx(measured[1], abs=0.03)


def test_it_is_best_at_the_thrust_where_the_measured_one_is(hover, measured):
    best = [curve[0][np.argmax(curve[1])] for curve in (hover, measured)]
    assert best[0] == pytest.approx(best[1], rel=0.1)


def test_twist_is_that_of_another_source():
    """54.05 degrees at 0.138 R and 19.91 at the tip, at another collective, of a public blade-element input."""
    station, _, twist, _ = xv15._geometry().T
    found = np.interp((0.138, 1.0), station, twist)
    assert found[0] - found[1] == pytest.approx(54.05 - 19.91, abs=1.0)


def test_pitch_turns_all_of_the_blade():
    one, other = (xv15.rotor(np.radians(pitch)).blade.surface.twist for pitch in (3.0, 10.0))
    assert other - one == pytest.approx(np.full(len(one), np.radians(7.0)))
