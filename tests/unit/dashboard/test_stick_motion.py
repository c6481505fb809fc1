"""Sticks move as their travel, rate and spring say; all times are given."""

import math

import pytest

from samara.dashboard.flight.stick_motion import NOTHING, SPRING, Axis, Hands, StickMotion

ROLL = Axis("lateral", "rad", (-0.2, 0.2), 0.0, True, 0.4)
TURNED = Axis("aft", "rad", (0.3, -0.1), 0.1, True, 0.4)  # the value falls as the stick goes forward
LIFT = Axis("lift", "N", (0.0, 10.0), 4.0, False, 5.0)
AXES = {"roll": ROLL, "pitch": TURNED, "collective": LIFT}


@pytest.fixture
def motion():
    return StickMotion(AXES)


def pushed(**pushes):
    return Hands(pushes=pushes)


@pytest.mark.parametrize("axis", AXES.values(), ids=AXES)
def test_positions_and_values_are_inverse(axis):
    assert (axis.value(-1.0), axis.value(1.0)) == pytest.approx(axis.ends)
    for position in (-1.0, -0.4, 0.0, 0.7, 1.0):
        assert axis.position(axis.value(position)) == pytest.approx(position)
    if axis.springs:
        assert axis.value(0.0) == axis.neutral
    else:
        assert axis.value(0.0) == pytest.approx(sum(axis.ends) / 2)


def test_a_spring_with_neutral_at_its_end_has_one_side():
    trigger = Axis("brake", "1", (0.0, 1.0), 0.0, True, 1.0)
    assert [trigger.value(p) for p in (-1.0, 0.0, 0.5)] == [0.0, 0.0, 0.5]
    assert [trigger.position(v) for v in (0.0, 0.5)] == [0.0, 0.5]


def test_a_held_key_moves_a_stick_at_its_rate_to_its_end(motion):
    for k in range(1, 4):
        motion.step(0.1, pushed(roll=1.0))
        assert motion.values["roll"] == pytest.approx(0.04 * k)
    for _ in range(10):
        motion.step(0.1, pushed(roll=1.0))
    assert motion.values["roll"] == 0.2
    motion.step(0.1, pushed(pitch=1.0))
    assert motion.values["pitch"] == pytest.approx(0.1 - 0.04)  # forward is down


def test_steps_of_any_length_end_at_the_same_place():
    one, many = StickMotion(AXES), StickMotion(AXES)
    one.step(0.3, pushed(roll=-1.0, collective=0.5))
    for _ in range(30):
        many.step(0.01, pushed(roll=-1.0, collective=0.5))
    assert one.values == pytest.approx(many.values)


def test_let_go_some_spring_back_and_others_stay(motion):
    motion.step(0.4, pushed(roll=1.0, collective=1.0))
    assert motion.values["roll"] == pytest.approx(0.16) and motion.values["collective"] == pytest.approx(6.0)
    motion.step(0.1, NOTHING)
    assert motion.values["roll"] == pytest.approx(0.16 - 0.1 * SPRING * 0.4)
    assert not motion.at_rest
    motion.step(0.1, NOTHING)
    assert motion.values["roll"] == 0.0 and motion.at_rest
    assert motion.values["collective"] == pytest.approx(6.0)


def test_the_spring_helps_back_across_neutral(motion):
    motion.begin({"roll": 0.2})
    motion.step(0.1, pushed(roll=-1.0))
    assert motion.values["roll"] == pytest.approx(0.2 - SPRING * 0.04)


def test_a_finger_or_a_gamepad_puts_a_stick_where_it_is(motion):
    motion.step(0.01, Hands(places={"roll": -0.5, "pitch": 1.0, "collective": 0.5}))
    assert motion.values == pytest.approx({"roll": -0.1, "pitch": -0.1, "collective": 7.5})
    motion.step(0.1, Hands(pushes={"roll": -1.0}, places={"roll": 1.0}))
    assert motion.values["roll"] == pytest.approx(-0.14)  # a key counts before it


def test_neutral_brings_all_back_those_that_stay_too(motion):
    motion.begin({"roll": 0.2, "collective": 10.0})
    motion.step(0.2, Hands(pushes={"roll": 1.0}, neutral=True))
    assert motion.values == pytest.approx({"roll": 0.0, "pitch": 0.1, "collective": 7.0})


def test_it_begins_where_the_inputs_stand_within_the_travel(motion):
    motion.begin({"roll": 9.0, "pitch": math.nan, "collective": 1.0})
    assert motion.values == {"roll": 0.2, "pitch": 0.1, "collective": 1.0}


def test_without_a_pilot_they_go_to_where_it_is_safe():
    motion = StickMotion(AXES | {"yaw": Axis("pedal", "rad", (-1.0, 1.0), 0.0, False, 1.0, failsafe=0.5)})
    motion.begin({"roll": 0.2, "yaw": -0.2, "collective": 9.0})
    assert not motion.fail(0.1)
    assert motion.values["yaw"] == pytest.approx(-0.1)
    while not motion.fail(0.1):
        pass
    assert motion.values == {"roll": 0.0, "pitch": 0.1, "collective": 9.0, "yaw": 0.5}


@pytest.mark.parametrize(
    "message", [None, 3, [], {"pushes": 3}, {"pushes": {"roll": "1"}}, {"places": {"roll": None}}, {"neutral": "yes"},
                {"pushes": {"roll": math.nan}, "places": {"roll": math.inf}}, {"pushes": {"roll": True}}],
)  # fmt: skip
def test_what_a_page_sends_amiss_counts_as_let_go(message):
    assert Hands.from_message(message) == NOTHING


def test_what_a_page_sends_is_limited(motion):
    hands = Hands.from_message({"pushes": {"roll": 1e9, "wings": 1}, "places": {"collective": -7}, "neutral": False})
    assert hands == Hands({"roll": 1.0, "wings": 1.0}, {"collective": -1.0})
    motion.step(100.0, hands)
    assert motion.values == {"roll": 0.2, "pitch": 0.1, "collective": 0.0}


def test_a_whole_number_beyond_all_floats_counts_as_let_go():
    assert Hands.from_message({"pushes": {"roll": 10**400}, "places": {"pitch": -(10**400)}}) == NOTHING
