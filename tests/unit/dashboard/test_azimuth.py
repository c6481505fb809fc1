"""Histories by azimuth: unwrapping, means over revolutions, multiblade coordinates."""

import numpy as np
import pytest

from samara.dashboard.views.azimuth import TURN, History, coefficients, since_reset, unwrap
from samara.dashboard.views.rotor_plots import PARTS, plots, shown_unit

SPEED = 28.0


def wrapped(angle):
    return np.arctan2(np.sin(angle), np.cos(angle))


def with_gaps(time):
    """Without the samples of 0.9 s, four turns, and of 0.11 s, half a turn."""
    return time[((time < 1.0) | (time > 1.9)) & ((time < 2.5) | (time > 2.61))]


@pytest.mark.parametrize("sense", [1.0, -1.0])
@pytest.mark.parametrize("told", [True, False])
def test_turns_in_a_gap_are_counted(sense, told):
    time = with_gaps(np.arange(0.0, 4.0, 2.5e-3))
    truth = sense * (0.3 + SPEED * time + 0.05 * np.sin(3.0 * time))
    speed = sense * (SPEED + 0.15 * np.cos(3.0 * time)) if told else None
    found = unwrap(time, wrapped(truth), speed)
    assert found - found[0] == pytest.approx(truth - truth[0], abs=1e-9)


def test_numpy_would_lose_them():
    """What the gaps are for: unwrapping by continuity alone misses whole turns."""
    time = with_gaps(np.arange(0.0, 4.0, 2.5e-3))
    lost = SPEED * (time[-1] - time[0]) - np.ptp(np.unwrap(wrapped(SPEED * time)))
    assert lost == pytest.approx(round(lost / TURN) * TURN, abs=1e-9)
    assert lost > 3 * TURN


def test_time_that_goes_back_begins_anew():
    assert since_reset(np.array([0.0, 0.1, 0.2, 0.0, 0.1])) == 3
    assert since_reset(np.array([0.0, 0.1])) == 0
    assert since_reset(np.zeros(0)) == 0


def flapping(count, sense, mean=3.0, cosine=2.0, sine=-1.0, differential=0.0, rate=2.5e-3, end=3.0):
    """A rotor of a scene, and the columns of its session, with a known flapping in the sense of rotation."""
    time = np.arange(0.0, end, rate)
    psi = SPEED * time + 0.4
    ahead = TURN * np.arange(count) / count
    azimuth = psi[:, None] + ahead
    b = mean + cosine * np.cos(azimuth) + sine * np.sin(azimuth) + differential * (-1.0) ** np.arange(count)
    columns = {"rotor.azimuth": wrapped(sense * psi), "rotor.speed": np.full(len(time), sense * SPEED)}
    columns |= {f"b{k}.flap": b[:, k] for k in range(count)}
    rotor = {
        "name": "rotor", "sense": sense, "azimuth": {"sensor": "rotor.azimuth"},
        "blades": [{"name": f"b{k}", "ahead": float(a)} for k, a in enumerate(ahead)],
        "groups": {"flap": [f"b{k}.flap" for k in range(count)]},
    }  # fmt: skip
    return rotor, lambda name: (time, columns[name]) if name in columns else (np.zeros(0), np.zeros(0))


@pytest.mark.parametrize("sense", [1, -1])
@pytest.mark.parametrize("count", [3, 4, 5])
def test_known_flapping_gives_back_its_coefficients(count, sense):
    rotor, column = flapping(count, sense, differential=0.5 if count % 2 == 0 else 0.0)
    rows = coefficients(History.of(rotor, "flap", column).multiblade())
    expected = {"mean": 3.0, "1c": 2.0, "1s": -1.0}
    if count % 2 == 0:
        expected["differential"] = 0.5
    if count == 5:
        expected |= {"2c": 0.0, "2s": 0.0}
    assert list(rows) == list(expected)
    for name, value in expected.items():
        assert rows[name] == pytest.approx(value, abs=1e-10)


def test_mean_over_revolutions_is_the_harmonic():
    """Linear between samples 0.07 rad apart: off by amplitude times step squared by 8 at most, here 0.14 %."""
    rotor, column = flapping(4, 1)
    history = History.of(rotor, "flap", column).last_turns(4)
    assert history.psi[-1] - history.psi[0] == pytest.approx(4 * TURN, abs=SPEED * 2.5e-3)
    psi = np.arange(36) * TURN / 36
    bound = np.hypot(2.0, 1.0) * (SPEED * 2.5e-3) ** 2 / 8
    assert history.mean(36) == pytest.approx(3.0 + 2.0 * np.cos(psi) - np.sin(psi), abs=bound)


def test_less_than_a_turn_has_no_mean():
    rotor, column = flapping(4, 1, end=0.5 * TURN / SPEED)
    assert np.isnan(History.of(rotor, "flap", column).mean(12)).all()


def test_what_is_not_measured_is_empty():
    rotor, column = flapping(4, 1)
    assert len(History.of(rotor, "lag", column)) == 0
    assert len(History.of(rotor, "flap", lambda name: (np.zeros(0), np.zeros(0)))) == 0
    head, numbers = plots(rotor, "lag", "rad", column, 4)
    assert sum(size for _, size in head["arrays"]) == numbers.size == 0


def test_thinning_keeps_the_last_sample():
    rotor, column = flapping(3, 1)
    history = History.of(rotor, "flap", column)
    thin = history.thinned(50)
    assert len(thin) <= 50
    assert thin.time[-1] == history.time[-1]


def test_numbers_of_the_plots():
    """Angles go in degrees; arrays are as long as they say, and hold what the history does."""
    rotor, column = flapping(4, -1, differential=0.5)
    head, numbers = plots(rotor, "flap", "rad", column, 2)
    arrays, at = {}, 0
    for name, size in head["arrays"]:
        arrays[name] = numbers[at : at + size]
        at += size
    assert at == numbers.size
    assert head["unit"] == "deg"
    assert head["counted"] == 2
    assert arrays["values"].size == 4 * arrays["psi"].size
    assert np.degrees(3.0) == pytest.approx(arrays["mean"].mean(), rel=1e-3)
    assert arrays["mean"].size == PARTS
    rows = dict(zip(head["rows"], arrays["coefficients"].reshape(len(head["rows"]), -1), strict=True))
    assert rows["1c"] == pytest.approx(np.degrees(2.0), abs=1e-6)
    assert arrays["time"][-1] == 0.0
    assert head["now"] == column("b0.flap")[0][-1]
    without, _ = plots(rotor, "flap", "rad", column, 2, mean=False)
    assert without["rows"] == head["rows"][1:]


@pytest.mark.parametrize(("unit", "shown"), [("rad", "deg"), ("rad/s", "deg/s"), ("1", "-"), ("N m", "N m")])
def test_units_as_they_are_shown(unit, shown):
    assert shown_unit(unit) == shown
