"""Experiments with the Puma's rotor, in short: flight 123, hover and forward flight beside closed forms."""

import json

import numpy as np
import pytest

from samara import experiments
from samara.experiments.rotors import forward_flight_sweep, puma_flight_123
from samara.model import ModelError
from samara.models.articulated_rotors import puma


@pytest.fixture(scope="module")
def flight():
    """As the flap-only code has it."""
    same = {"lag": "locked", "gravity": 0.0, "downwash": "quarter", "sound": puma.SOUND_FILE}
    return experiments.find("puma-flight-123").run(**same, steps=60)


def test_flight_123_with_measured_controls(flight):
    """1 % of the thrust and 0.1 degrees of flapping, as VALIDATION asks for; 60 steps per turn add 0.03 degrees."""
    assert abs(flight["thrust_error_flap_only"]) < 1.0
    row = dict(zip(flight.sheet.head, flight.sheet.rows[2], strict=True))
    for name in ("beta0", "beta1c", "beta1s"):
        assert row[f"{name} deg"] == pytest.approx(puma_flight_123.FLAP_ONLY[name], abs=0.13), name
    assert row["torque N m"] == pytest.approx(puma_flight_123.FLAP_ONLY["Q_Nm"], rel=0.02)


def test_flight_123_trimmed(flight):
    """Thrust and flapping are the flight's to what was asked of the trim: 1e-3 of the thrust, 1e-4 rad."""
    row = dict(zip(flight.sheet.head, flight.sheet.rows[3], strict=True))
    assert row["case"] == "trimmed (met)"
    assert row["CT/sigma"] == pytest.approx(0.0695, rel=1e-3)
    assert (row["beta1c deg"], row["beta1s deg"]) == pytest.approx((0.42, -0.14), abs=np.degrees(1.1e-4))
    # without lag the disk follows the swashplate: what flapping there was less is longitudinal cyclic pitch more
    before = flight.sheet.rows[2]
    assert flight["theta1s_change"] == pytest.approx(before[6] - 0.42, abs=0.4)
    assert flight["change_a_turn"] < 1e-5


def test_flight_123_numbers_are_those_of_the_reference(data):
    cases = json.loads((data / "puma_flap_only_flight123_computed.json").read_text())["cases"]
    twin = cases["seed TableII 13.2/2.1/-7.15 c81"]
    assert puma_flight_123.FLAP_ONLY == pytest.approx(
        {name: twin[name] for name in puma_flight_123.FLAP_ONLY}, rel=1e-5
    )


def test_flight_123_figure(flight):
    """Flap, pitch and thrust (there is no lag here, its panel is empty), the disk and its scale."""
    figure = flight.draw()
    assert len(figure.axes) == 6
    assert [axes.name for axes in figure.axes].count("polar") == 1


def test_flight_123_variants():
    """Less lift at the tip takes more pitch, and more forward cyclic, since most of it is lost on the advancing side.

    In uniform flow 0.97 of the radius loses 1 - 0.97^3 = 9 % of the lift at constant pitch, and 9 % of the 13 degrees
    less the inflow angle are 0.4 to 1.2 degrees. Every row has the flight's thrust and flapping.
    """
    outcome = experiments.find("puma-flight-123").run(steps=40, variants="tip loss 0.97; Drees")
    head, rows = outcome.sheet.head, {row[0]: row for row in outcome.sheet.rows}
    for name in ("tip loss 0.97", "Drees"):
        row = dict(zip(head, rows[name], strict=True))
        assert row["CT/sigma"] == pytest.approx(0.0695, rel=1.1e-3)
        assert (row["beta1c deg"], row["beta1s deg"]) == pytest.approx((0.42, -0.14), abs=np.degrees(1.1e-4))
        worst = max(np.subtract(rows[name][1:4], rows["flight"][1:4]), key=abs)
        assert outcome[f"largest change of a control, {name}"] == pytest.approx(worst)
    base, lost = rows["trimmed (met)"], rows["tip loss 0.97"]
    assert 0.4 < lost[1] - base[1] < 1.2 and lost[3] < base[3]
    assert list(outcome.figures) == ["flight", "variants"] and len(outcome.figures["variants"]().axes) == 1


def test_unknown_variants_are_named():
    with pytest.raises(ModelError, match="there is no variant of flight 123 'Dreez'; did you mean Drees"):
        experiments.find("puma-flight-123").run(variants="Dreez")


def test_hover_beside_blade_element_momentum_theory():
    """A straight section at 6 and 9 degrees: 1 %, which is coning of 2 degrees and small angles."""
    outcome = experiments.find("hover-sweep").run(aerofoil="linear", low=6.0, high=9.0, count=2, steps=30)
    assert outcome["largest_thrust_difference"] < 1.0
    assert outcome["largest_torque_difference"] < 1.0
    CT, CQ = (outcome.results[f"rotor.{name}"].mean() for name in ("CT", "CQ"))
    assert outcome.sheet["figure of merit"][-1] == pytest.approx(CT * np.sqrt(CT / 2) / CQ)
    assert len(outcome.draw().axes) == 3


@pytest.fixture(scope="module")
def sweep():
    return experiments.find("forward-flight-sweep").run(aerofoil="linear", fastest=0.3, count=3, steps=40)


def test_forward_flight_is_trimmed(sweep):
    assert sweep["points_trimmed"] == 3 and not sweep.problem and sweep["largest_trim_error"] < 1e-3
    assert sweep["largest_change_a_turn"] < 1e-5
    # forward stick and stick towards the advancing side's lift grow with speed; hover needs neither
    for name, sign in (("theta1c deg", 1.0), ("theta1s deg", -1.0)):
        angles = sign * np.array(sweep.sheet[name])
        assert abs(angles[0]) < 0.01 and angles[0] < angles[1] < angles[2], name


def test_power_in_forward_flight(sweep):
    """Induced and profile power by closed forms: 2.5 %. The cut-out, 28 % of the radius, has no drag: 0.6 % of the
    profile power in hover, more with speed; lift in the flow that is reversed there is not in the closed form."""
    assert abs(sweep["hover_power_difference"]) < 1.0
    assert sweep["largest_power_difference"] < 2.5
    power = sweep.sheet["CP/sigma"]
    assert power[1] < 0.65 * power[0] < power[2]  # the bucket
    assert len(sweep.draw().axes) == 2


def test_power_with_flow_along_the_span():
    """1 + 4.65 mu^2 on the profile power instead of 1 + 3 mu^2, which is 5 % of the power at 0.25; 2.5 % as above."""
    sweep = experiments.find("forward-flight-sweep").run(aerofoil="linear", yaw="drag", fastest=0.25, count=2, steps=40)
    assert sweep["points_trimmed"] == 2 and sweep["largest_power_difference"] < 2.5
    without = forward_flight_sweep.theory(0.25, 0.0, 0.006, "linear", "none", 334.0)[1]
    assert sweep.sheet["profile"][-1] > 1.08 * without


def test_points_that_are_not_trimmed_are_told_and_not_compared():
    """Beyond stall there is no trim: the row says so, and nothing is compared with the closed form."""
    sweep = experiments.find("forward-flight-sweep").run(thrust=0.5, count=1, steps=40)
    assert sweep["points_trimmed"] == 0 and sweep.sheet["trim"] != ["met"]
    assert sweep.problem.startswith("1 of 1 points not trimmed, the first at the advance ratio 0: rotor.CT_sigma is")
    assert np.isnan([sweep["hover_power_difference"], sweep["largest_power_difference"], sweep["least_power"]]).all()
    with pytest.raises(ModelError, match=r"the drag at mu = 0.3 exceeds a thrust of CT/sigma = 0.001"):
        forward_flight_sweep.shaft_angle(0.3, 0.001)


@pytest.mark.parametrize(("mu", "axial"), [(0.0, 0.0), (0.1, 0.01), (0.3, 0.03)])
def test_glauert_inflow(mu, axial):
    """The momentum balance itself, and the closed form in hover."""
    CT = 0.006
    u = forward_flight_sweep.glauert(mu, axial, CT)
    assert 2 * u * np.hypot(mu, axial + u) == pytest.approx(CT, rel=1e-12)
    if mu == 0.0:
        assert u == pytest.approx(np.sqrt(CT / 2))


def test_settings_that_are_not_known_or_wrong():
    hover = experiments.find("hover-sweep")
    assert hover.settings({"count": "3", "low": "5.5"}) == {"count": 3, "low": 5.5}
    with pytest.raises(ModelError, match=r"there is no setting of hover-sweep 'step'; did you mean steps"):
        hover.settings({"step": "3"})
    with pytest.raises(ModelError, match="there is no setting of windmill-gust 'amplitude'; there are none"):
        experiments.find("windmill-gust").settings({"amplitude": "3"})
    with pytest.raises(ModelError, match=r"count must be positive, got 0$"):
        hover.settings({"count": "0"})
    with pytest.raises(ModelError, match="count must be a whole number"):
        hover.settings({"count": "many"})
    with pytest.raises(ModelError, match="there is no aerofoil of these experiments 'naca12'"):
        hover.run(aerofoil="naca12")
