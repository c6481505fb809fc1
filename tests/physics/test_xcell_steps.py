"""The experiment with the sticks of the X-Cell."""

import numpy as np
import pytest

from samara import experiments
from samara.models.helicopters import xcell


@pytest.fixture(scope="module")
def outcome():
    return experiments.find("xcell-steps").run(end=2.0)


def test_findings(outcome):
    """0.3 of a stick: 9 degrees of roll and pitch, without an integral part within a tenth; 36 degrees a second."""
    assert outcome["collective_climb"] > 1.0
    for name in ("lateral_roll", "longitudinal_pitch"):
        assert outcome[name] == pytest.approx(9.0, rel=0.1)
    assert outcome["pedal_rate_of_turn"] == pytest.approx(36.0, rel=0.02)
    assert outcome["largest_rotor_speed_dip"] < 2.0
    assert outcome["largest_servo_rate"] <= np.degrees(xcell.SERVO_RATE) * (1 + 1e-4)


def test_other_sticks_matter_less(outcome):
    """What is not asked for stays below a sixth of what is, in degrees."""
    sheet = outcome.sheet
    for stick, own in (("lateral", "roll deg"), ("longitudinal", "pitch deg")):
        row = dict(zip(sheet.head, sheet.rows[sheet["stick"].index(stick)], strict=True))
        other = {"roll deg": "pitch deg", "pitch deg": "roll deg"}[own]
        assert abs(row[other]) < abs(row[own]) / 6.0
        assert abs(row["climb m/s"]) < 0.2


def test_the_figure_says_what_is_made_up(outcome):
    """Twelve panels, and stand-in data in the title."""
    figure = outcome.draw()
    assert len(figure.axes) == 12
    assert "stand-in" in figure.get_suptitle()
    assert experiments.find("xcell-steps").stand_in == xcell.STAND_IN


def test_downward_and_left():
    """Negative sticks without regulators, for 0.7 s."""
    found = experiments.find("xcell-steps").run(size=-0.2, controlled=False, end=0.9)
    for name in ("collective_climb", "lateral_roll", "longitudinal_pitch", "pedal_rate_of_turn"):
        assert found[name] < 0.0
