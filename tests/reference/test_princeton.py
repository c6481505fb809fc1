"""Princeton beam against the exact rod (princeton_computed.csv): bending in two planes that twists the beam.

Tolerances are those of the validation plan, 0.2 % of the tip displacement and 1 % of the twist; eight elements are far
better, and the tests hold them to what was seen: 3.2e-6 of the displacement, 6.8e-6 of the twist. The file does not say
which angle its twist is. It is that of the section's y axis in the plane across the undeformed beam: of the usual
candidates only this one agrees, and it does for all loads.
"""

import numpy as np
import pytest

import samara as sm
from samara.models.beams import princeton


def bent(load, angle_deg, elements):
    """Tip displacement [m] and twist [deg] under a dead load at an angle from the stiff direction."""
    model = princeton.build(load, np.radians(angle_deg), elements)
    displacement, twist = princeton.tip(sm.static(model, steps=2, outputs=f"n{2 * elements}.*"), elements)
    return displacement[-1], np.degrees(twist[-1])


@pytest.fixture(scope="module")
def rows(data):
    return np.loadtxt(data / "princeton_computed.csv", delimiter=",", skiprows=2)


def errors(row, elements):
    displacement, twist = bent(row[0], row[1], elements)
    shift = np.abs(displacement - row[2:5]).max() / np.linalg.norm(row[2:5])
    return shift, abs(twist - row[5]) / max(abs(row[5]), 0.1)


def test_all_loads_and_angles(rows):
    found = np.array([errors(row, 8) for row in rows])
    assert len(found) == 21
    assert found[:, 0].max() < 1e-5  # plan: 2e-3
    assert found[:, 1].max() < 2e-5  # plan: 1e-2


def test_two_elements_are_enough_for_the_plan(rows):
    """All loads and angles: 7.4e-4 of the displacement and 1.6e-3 of the twist are seen."""
    found = np.array([errors(row, 2) for row in rows])
    assert len(found) == 21
    assert found[:, 0].max() < 1e-3  # plan: 2e-3
    assert found[:, 1].max() < 2e-3  # plan: 1e-2


def test_ansys(data):
    """Beams of another program, read from a quotation: 1.5 % is asked for; 0.2 % of the displacement is seen."""
    rows = np.loadtxt(data / "princeton_ansys.csv", delimiter=",", skiprows=2)
    for load, angle, *expected in rows:
        displacement, _ = bent(load, angle, 8)
        assert np.linalg.norm(np.abs(displacement[1:]) - expected) < 5e-3 * np.linalg.norm(expected)
