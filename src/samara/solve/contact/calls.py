"""Calls from the driver to the contact functions, by address, so that models without contacts never compile them."""

from __future__ import annotations

from samara.solve.native.call_by_address import caller
from samara.solve.native.kernels import copy
from samara.tracing.driver.driver_cache import inner

#: Verbs of event-driven contacts: what each returns, beside a `Work` that it takes.
SIGNATURES = {
    "close": ("int64",),
    "answer": ("int64",),
    "push": ("int64",),
    "note": ("int64",),
    "look": ("int64",),
    "part": ("float64",),
    "strike": ("int64",),
    "check": ("int64",),
    "fly": ("int64",),
    "show": ("int64",),
}
CLOSE, ANSWER, PUSH, NOTE, LOOK, PART, STRIKE, CHECK, FLY, SHOW = range(len(SIGNATURES))
_status, _number = caller("int64"), caller("float64")
#: Part of a step's way within which a gap counts as closed: its path in a shorter step is another.
CLOSED_GAP_SLACK = 1e-4
#: Rounds of impacts within a step at most: of one part, and of parts that hit each other one after the other.
MOST_ROUNDS = 32


@inner
def keep_books(m):
    """What pools have counted as a step begins."""
    books = m.contacts.pool.books
    for k in range(books.shape[1]):
        for e in range(books.shape[2]):
            books[1, k, e] = books[0, k, e]


@inner
def take_back_books(m):
    """A step that is taken back has taken no energy."""
    books = m.contacts.pool.books
    for k in range(books.shape[1]):
        for e in range(books.shape[2]):
            books[0, k, e] = books[1, k, e]


@inner
def has_contacts(m):
    """Whether a model in redundant coordinates has any."""
    return m.contacts.status.size != 0


@inner
def keep_contacts(m):
    """What contacts are as a step begins."""
    copy(m.contacts.before, m.contacts.status)
    keep_books(m)


@inner
def take_back_contacts(m):
    """A step that is taken back has hit nothing, and nothing has opened in it."""
    for i in range(m.contacts.status.size):
        m.contacts.status[i] = m.contacts.before[i]
    take_back_books(m)


@inner
def take_back_flights(m):
    """The step as it was found without impacts, where parts have flown anew in it."""
    f = m.contacts.flights
    if f.landed[0] != 0:
        copy(m.state, f.flown)
        for k in range(m.layout.multiplier_count):
            m.multipliers.last[k], m.multipliers.before[k] = f.reactions[0, k], f.reactions[1, k]
        f.landed[0] = 0


@inner
def close_contacts(work):
    """What is closed as Newton's method begins, and how the factors answer its forces: how many contacts."""
    return _status(work.machine.contacts.verbs[CLOSE], work, ())


@inner
def answer_again(work):
    """How new factors answer forces of the contacts that are closed."""
    _status(work.machine.contacts.verbs[ANSWER], work, ())


@inner
def push_contacts(work):
    """Forces of closed contacts, in the correction that was just found: status."""
    return _status(work.machine.contacts.verbs[PUSH], work, ())


@inner
def note_contacts(work):
    """Gaps and speeds as a step begins."""
    _status(work.machine.contacts.verbs[NOTE], work, ())


@inner
def look_for_impacts(work):
    """Who hits and who opens in a step that was found: SHORTER where something hits, else OK or why not."""
    return _status(work.machine.contacts.verbs[LOOK], work, ())


@inner
def part_to_impact(work):
    """Part of the last step after which the first contact hits; 1 where that is not seen, see `StepClock.part`."""
    return _number(work.machine.contacts.verbs[PART], work, ())


@inner
def strike_contacts(work):
    """Velocities after an impact at the present time: status."""
    return _status(work.machine.contacts.verbs[STRIKE], work, ())


@inner
def strikes_again(work):
    """Whether an impact has turned nothing, and is taken again."""
    return _status(work.machine.contacts.verbs[CHECK], work, ()) != 0


@inner
def fly_anew(work):
    """Impacts within the step that was found, and the rest of it: SHORTER where the step must end at the impact."""
    return _status(work.machine.contacts.verbs[FLY], work, ())


@inner
def show_flights(work):
    """Parts that have hit in the last step, where they are shown on the way."""
    _status(work.machine.contacts.verbs[SHOW], work, ())
