"""One pilot at a time, who may be lost: on a session whose simulator is this test, with a clock that is given."""

import itertools
import os

import numpy as np
import pytest

from samara.dashboard.access.roles import RefusedError, Role, Visitor
from samara.dashboard.desk.desk import Desk
from samara.dashboard.feed.feed import Feed
from samara.dashboard.flight.pilot import FIRST, LOST, QUIET, PilotSeat
from samara.realtime import Command, Session, Signal
from samara.realtime.mailbox.shared import MailboxError
from samara.realtime.session.accounts import Account

SILENT = QUIET * LOST
ONE, TWO = Visitor(Role.OPERATOR, "page 1"), Visitor(Role.OPERATOR, "page 2")
VIEWER = Visitor(Role.VIEWER, "page 3")
NUMBERS = itertools.count()
RIGHT, UP = {"pushes": {"roll": 1}}, {"pushes": {"collective": 1}}


def axis(name, ends, neutral, springs, rate, failsafe=None):
    return {
        "input": name, "unit": "N", "ends": ends, "neutral": neutral, "springs": springs, "rate": rate,
        "failsafe": failsafe,
    }  # fmt: skip


STICKS = {"roll": axis("side", [-1, 1], 0.0, True, 1.0), "collective": axis("lift", [0, 10], 5.0, False, 4.0, 2.0)}


class Craft:
    """A simulator by hand: `other` and what the sticks feed."""

    def __init__(self):
        self.session = Session.create(
            f"test-pilot-{os.getpid()}-{next(NUMBERS)}",
            rate=100.0,
            sensors=[Signal("height", "m")],
            actuators=[Signal(name, "N") for name in ("other", "side", "lift")],
            scene={"sticks": {"axes": STICKS}},
        )
        self.commands = np.array([0.0, 0.5, 6.0])
        self.publish()

    def publish(self):
        self.session.actuators.write(self.commands, 0.0)
        self.session.sensors.write([0.0], 0.0)

    def gather(self):
        """What side and lift are told."""
        self.session.seats.gather(self.commands)
        return self.commands[1:].tolist()


@pytest.fixture
def craft():
    found = Craft()
    yield found
    found.session.close()


@pytest.fixture
def seat(craft):
    feed = Feed(Session.connect(craft.session.card.name), now=0.0)
    yield PilotSeat(Desk(feed))
    feed.close()


def told(seat):
    return [event.text for event in seat.feed.events]


def run(seat, craft, start, end):
    for now in np.arange(start, end, 0.02):
        seat.serve(now)
        craft.gather()


def test_it_begins_where_the_inputs_stand(seat, craft):
    seat.take(ONE, 10.0)
    assert seat.flies(ONE) and craft.gather() == pytest.approx([0.5, 6.0])
    assert seat.stands() == pytest.approx({"roll": 0.5, "collective": 0.2})


def test_hands_move_the_inputs_by_the_clock(seat, craft):
    seat.take(ONE, 10.0)
    seat.hear(ONE, RIGHT | {"neutral": False}, 10.0)
    run(seat, craft, 10.0, 10.21)
    assert craft.gather() == pytest.approx([0.7, 6.0])
    seat.hear(ONE, UP, 10.22)
    assert craft.gather()[0] == pytest.approx(0.72)  # until the moment that they are heard
    run(seat, craft, 10.22, 10.33)
    assert craft.gather() == pytest.approx([0.72 - 3.0 * 0.1, 6.0 + 4.0 * 0.1])


def test_a_stall_of_the_panel_makes_no_jump(seat, craft):
    seat.take(ONE, 10.0)
    seat.hear(ONE, UP, 10.0)
    seat.serve(10.25)
    assert craft.gather()[1] == pytest.approx(6.0 + 4.0 * 0.1)


def test_a_viewer_cannot_fly(seat, craft):
    with pytest.raises(RefusedError, match="fly needs the operator role"):
        seat.take(VIEWER, 0.0)
    seat.hear(VIEWER, UP, 0.0)
    assert not seat.taken and craft.session.controllers == [] and told(seat) == ["refused: fly"]


def test_one_pilot_at_a_time(seat, craft):
    seat.take(ONE, 0.0)
    with pytest.raises(RefusedError, match="operator page 1 is flying"):
        seat.take(TWO, 0.1)
    seat.hear(TWO, RIGHT, 0.1)
    seat.leave(TWO, 0.1)
    seat.part(TWO)
    seat.serve(0.1)
    assert seat.flies(ONE) and craft.gather()[0] < 0.5
    seat.leave(ONE, 0.2)
    seat.take(TWO, 0.2)  # before the sticks are at rest
    assert seat.flies(TWO) and not seat.flies(ONE)


def test_another_panel_is_refused_by_the_session(seat, craft):
    """As is any controller; a second panel of the same process is told so as well."""
    with Session.connect(craft.session.card.name) as other, other.claim(["lift"]):
        with pytest.raises(MailboxError, match="actuator 'lift' is claimed"):
            seat.take(ONE, 0.0)
        assert not seat.taken and "is claimed by" in told(seat)[-1]
    seat.take(ONE, 0.0)
    with Session.connect(craft.session.card.name) as other, pytest.raises(MailboxError, match="is claimed by"):
        other.claim(["side"])


def test_letting_go_springs_back_and_then_gives_the_inputs_free(seat, craft):
    seat.take(ONE, 0.0)
    seat.leave(ONE, 0.0)
    run(seat, craft, 0.0, 0.1)
    assert seat.taken and 0.0 < craft.gather()[0] < 0.5
    run(seat, craft, 0.1, 0.4)
    assert craft.gather() == pytest.approx([0.0, 6.0]) and seat.taken  # the loop must have seen it
    run(seat, craft, 0.4, 0.7)
    assert not seat.taken and craft.session.controllers == [] and told(seat)[-1] == "the sticks are free"


def test_time_counts_from_the_first_word_of_a_page_that_is_slow_to_know_that_it_flies(seat, craft):
    seat.take(ONE, 0.0)
    late = 0.5 * FIRST
    run(seat, craft, 0.0, late)
    assert late > LOST and seat.flies(ONE) and not seat.quiet(late)
    seat.hear(ONE, RIGHT, late)
    run(seat, craft, late, late + LOST)
    assert seat.flies(ONE) and seat.quiet(late + LOST)
    run(seat, craft, late + LOST, late + LOST + 0.1)
    assert not seat.flies(ONE) and any("no signal for 2 s" in text for text in told(seat))


def test_a_page_that_never_says_a_word_is_lost_too(seat, craft):
    seat.take(ONE, 0.0)
    run(seat, craft, 0.0, FIRST + 0.1)
    assert not seat.flies(ONE)


def test_a_page_that_is_closed_before_its_first_word_is_lost_as_any_other(seat, craft):
    seat.take(ONE, 0.0)
    seat.part(ONE)
    run(seat, craft, 0.0, LOST + 0.1)
    assert not seat.flies(ONE)


def test_a_page_that_falls_silent_lets_go_and_is_then_lost(seat, craft):
    seat.take(ONE, 0.0)
    seat.hear(ONE, {"pushes": {"roll": 1, "collective": 1}}, 0.0)
    run(seat, craft, 0.0, SILENT + 0.005)
    side, lift = craft.gather()
    assert side == pytest.approx(min(0.5 + SILENT, 1.0)) and lift == pytest.approx(6.0 + 4.0 * SILENT)
    assert not seat.quiet(SILENT)
    run(seat, craft, SILENT + 0.02, LOST)
    assert craft.gather() == pytest.approx([0.0, lift]) and seat.flies(ONE) and seat.quiet(LOST)
    run(seat, craft, LOST + 0.02, LOST + 0.5)
    assert seat.pilot is None and "no signal for 2 s" in " ".join(told(seat))
    assert 2.0 < craft.gather()[1] < lift  # on its way, at its rate
    run(seat, craft, LOST + 0.5, LOST + 2.5)
    assert craft.gather() == pytest.approx([0.0, 2.0]) and not seat.taken


def test_a_page_that_comes_back_in_time_flies_on(seat, craft):
    seat.take(ONE, 0.0)
    seat.hear(ONE, {}, 0.0)
    run(seat, craft, 0.0, 1.0)
    assert seat.quiet(1.0)
    seat.hear(ONE, UP, 1.0)
    assert seat.flies(ONE) and not seat.quiet(1.0)


def test_a_page_whose_connection_ends_has_its_hands_off_at_once(seat, craft):
    seat.take(ONE, 0.0)
    seat.hear(ONE, RIGHT, 0.0)
    seat.part(ONE)
    run(seat, craft, 0.0, 0.1)
    assert craft.gather()[0] < 0.5
    seat.hear(ONE, RIGHT, 0.1)  # it is back
    with pytest.raises(RefusedError, match="page 1 is flying"):
        seat.take(TWO, 0.1)
    seat.part(ONE)
    seat.take(TWO, 0.2)  # one that is gone need not be waited for
    assert seat.flies(TWO)


def test_another_pilot_ends_the_failsafe(seat, craft):
    seat.take(ONE, 0.0)
    seat.hear(ONE, {}, 0.0)
    run(seat, craft, 0.0, LOST + 0.3)
    assert seat.pilot is None and craft.gather()[1] < 6.0
    seat.take(TWO, LOST + 0.3)
    lift = craft.gather()[1]
    run(seat, craft, LOST + 0.3, LOST + 0.6)
    assert seat.flies(TWO) and craft.gather()[1] == lift


def test_a_reset_centres_the_sticks_whoever_asked(seat, craft):
    seat.take(ONE, 0.0)
    seat.hear(ONE, UP, 0.0)
    run(seat, craft, 0.0, 0.2)
    seat.reset(TWO)
    assert craft.session.requests.read() is None
    seat.reset(ONE)
    assert Command(int(craft.session.requests.read().values[0])) == Command.RESET
    seat.hear(ONE, {}, 0.2)
    assert craft.gather() == pytest.approx([0.0, 5.0], abs=0.1)
    seat.motion.begin({"collective": 9.0})
    craft.session.ledger.accounts[Account.RESETS] += 1
    seat.feed.update(1.0)
    seat.hear(ONE, {}, 0.22)
    assert craft.gather() == pytest.approx([0.0, 5.0])


def test_a_session_without_sticks_has_nothing_to_fly():
    with Session.create(f"test-pilot-none-{os.getpid()}", rate=100.0, actuators=[Signal("side", "N")]) as session:
        feed = Feed(Session.connect(session.card.name), now=0.0)
        seat = PilotSeat(Desk(feed))
        with pytest.raises(RefusedError, match="this session has no sticks"):
            seat.take(ONE, 0.0)
        assert not seat.there
        feed.close()


def test_the_silence_that_loses_a_pilot_is_chosen(seat):
    seat.lost = 10.0  # a slow link
    seat.take(ONE, 0.0)
    seat.hear(ONE, {}, 0.0)
    seat.serve(9.9)
    assert seat.flies(ONE) and seat.quiet(9.9)  # hands off, but still the pilot
    seat.serve(10.1)
    assert seat.pilot is None
