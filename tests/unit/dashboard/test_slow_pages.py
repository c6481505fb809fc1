"""Frames of a slow page are left out, and what was on a page comes back with its tab; times are given."""

import itertools

import pytest

pytest.importorskip("nicegui")

from samara.dashboard.access.roles import Role
from samara.dashboard.cards.frames import AGAIN, OFTEN, SLOW, Frames
from samara.dashboard.desk.kept_pages import MOST, KeptPage, KeptPages
from samara.dashboard.desk.layouts import PanelLayout

RATE = 25.0


def sent(delay, seconds=20.0):
    """Frames that a page gets which answers so late, and the most that are on the way to it at once."""
    frames, answers, found, waiting = Frames(), [], [], 0
    for k in range(round(seconds * RATE)):
        now = k / RATE
        while answers and answers[0][0] <= now:
            frames.answer(answers.pop(0)[1])
        if frames.due(now):
            found.append(now)
            if (number := frames.ask(now)) is not None:
                answers.append((now + delay, number))
        waiting = max(waiting, sum(t > now - delay for t in found))
    return found, waiting, frames.dropped


@pytest.mark.parametrize("delay", [0.0, 0.1, 0.4])
def test_a_page_that_keeps_up_gets_all(delay):
    found, _, dropped = sent(delay)
    assert len(found) == 20 * RATE and dropped == 0


@pytest.mark.parametrize("delay", [0.7, 2.0, 4.0, 30.0])
def test_what_waits_for_a_slow_page_is_bounded(delay):
    """Frames of the time that an answer may be out, one where it is asked again, and one more where it was answered."""
    found, waiting, dropped = sent(delay)
    assert len(found) + dropped == 20 * RATE and dropped > 0
    assert waiting <= (SLOW + OFTEN) * RATE * (1 + delay // AGAIN) + 2
    assert max(b - a for a, b in itertools.pairwise(found)) <= max(min(delay, AGAIN) + 2 / RATE, 1 / RATE)


def test_only_the_answer_to_the_last_question_counts():
    frames = Frames()
    first = frames.ask(0.0)
    assert frames.ask(OFTEN) is None  # it has not been answered
    second = frames.ask(AGAIN)
    frames.answer(first)
    frames.answer("2")
    frames.answer(None)
    assert not frames.keeps_up(AGAIN + SLOW + 0.1)
    frames.answer(second)
    assert frames.keeps_up(AGAIN + SLOW + 0.1)


def test_a_tab_finds_its_page_again_once_and_no_other_role_does():
    pages, page = KeptPages(), KeptPage(PanelLayout(scale=1.5), [None])
    pages.keep("tab", Role.OPERATOR, page)
    assert pages.take("tab", Role.VIEWER) is None and pages.take("other", Role.OPERATOR) is None
    assert pages.take("tab", Role.OPERATOR) is page
    assert pages.take("tab", Role.OPERATOR) is None
    for k in range(MOST + 3):
        pages.keep(str(k), Role.OPERATOR, page)
    assert [pages.take(str(k), Role.OPERATOR) is page for k in range(MOST + 3)] == [False] * 3 + [True] * MOST
