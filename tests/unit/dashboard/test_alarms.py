"""Alarms: limits, durations, latching."""

import numpy as np
import pytest

from samara.dashboard.feed.alarms import Alarm, AlarmBoard, Rule

STEP = 1e-3


def samples(*parts):
    """Times and values from (duration, value) pieces."""
    values = np.concatenate([np.full(round(d / STEP), float(v)) for d, v in parts])
    return STEP * np.arange(len(values)), values


def fed(alarm, times, values, piece):
    """How often it tripped."""
    return sum(alarm.watch(times[k : k + piece], values[k : k + piece]) for k in range(0, len(times), piece))


@pytest.mark.parametrize("piece", [1, 7, 40, 100_000])
def test_a_limit_must_be_passed_for_long_enough(piece):
    times, values = samples((0.1, 0), (0.05, 2), (0.1, 0), (0.3, 2), (0.1, 0))
    alarm = Alarm(Rule("x", "above", 1.0, duration=0.1))
    assert fed(alarm, times, values, piece) == 1
    assert alarm.when == pytest.approx(0.25 + 0.1, abs=2 * STEP)
    assert alarm.state == "latched"


@pytest.mark.parametrize("piece", [1, 40, 100_000])
def test_the_limit_itself_is_allowed(piece):
    times, values = samples((0.1, 1.0))
    for sense in ("above", "below"):
        assert fed(Alarm(Rule("x", sense, 1.0)), times, values, piece) == 0


def test_below_and_not_a_number():
    times, values = samples((0.01, 0), (0.01, -2), (0.01, 0))
    assert fed(Alarm(Rule("x", "below", -1.0)), times, values, 5) == 1
    values[:] = np.nan
    assert fed(Alarm(Rule("x", "above", 1e300)), times, values, 5) == 1


def test_it_stays_until_it_is_acknowledged_and_comes_again():
    alarm = Alarm(Rule("x", "above", 1.0))
    times, values = samples((0.01, 0), (0.01, 2))
    assert alarm.watch(times, values) and alarm.state == "active"
    alarm.acknowledge()
    assert alarm.state == "acknowledged"
    assert not alarm.watch(times + 0.02, values[::-1].copy())
    assert alarm.state == "ok"  # seen, and over
    assert alarm.watch(times + 0.04, values)
    assert not alarm.watch(times + 0.06, np.zeros(20))
    assert alarm.state == "latched"
    alarm.acknowledge()
    assert (alarm.state, alarm.trips) == ("ok", 2)


def test_one_that_does_not_latch_goes_by_itself():
    times, values = samples((0.01, 0), (0.01, 2), (0.01, 0), (0.01, 2), (0.01, 0))
    alarm = Alarm(Rule("x", "above", 1.0, latch=False))
    assert fed(alarm, times, values, 10) == 2
    assert alarm.state == "ok"


def test_a_reset_of_time_begins_the_duration_anew():
    alarm = Alarm(Rule("x", "above", 1.0, duration=0.1))
    assert not alarm.watch(*samples((0.09, 2)))
    assert not alarm.watch(*samples((0.05, 2)))


def test_a_board_watches_its_columns_and_keeps_the_state_of_rules_that_stay():
    board, first, second = AlarmBoard(), Rule("a", level=1.0), Rule("b", level=1.0)
    board.replace([first, second])
    rows = np.array([[0.0, 5.0], [0.0, 5.0]])
    board.watch({"a": 0, "b": 1}, np.array([0.0, STEP]), rows)
    assert [alarm.rule for alarm in board.take()] == [second] and board.take() == []
    assert board.raised == 1
    board.replace([second])
    assert board.alarms[0].state == "active"


@pytest.mark.parametrize(
    "wrong",
    [{"sense": "beside"}, {"action": "sing"}, {"level": float("nan")}, {"duration": -1.0}, {"action": "set"}],
)
def test_rules_that_make_no_sense(wrong):
    with pytest.raises(ValueError, match="alarm on x"):
        Rule("x", **wrong)


def test_a_rule_survives_a_file():
    rule = Rule("x", "below", -2.0, 0.5, "set", "model", "gain", 3.0, latch=False)
    assert Rule.from_dict(rule.as_dict() | {"from": "the future"}) == rule
