"""From the driver to the contacts of a model: by address, so that whoever has none never compiles them."""

from __future__ import annotations

from samara.solve.native.call_by_address import call_with_work
from samara.tracing.driver.driver_cache import inner

#: What the contacts of a whole model are asked for: what is closed as a step begins, and how the factors answer; that
#: again with new factors; forces; gaps and speeds as a step begins; who hits and who opens after it; when the first
#: impact was; velocities after an impact; whether it has turned nothing; impacts within the step;
#: parts that have hit in it, where they are shown on the way.
BEGIN, ANSWER, PUSH, NOTE, LOOK, PART, IMPACT, CHECK, FLY, SHOW = range(10)
#: Part of a step's way within which a gap counts as closed: its path in a shorter step is another.
SLACK = 1e-4
#: Rounds of impacts within a step at most: of one part, and of parts that hit each other one after the other.
MOST_ROUNDS = 32
#: LOOK answers so where more pairs are near than there is room for.
FULL = -1.0
#: FLY answers so where the step must end at the impact instead; else with its status.
UNSUITED = -1


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
    for i in range(m.contacts.status.size):
        m.contacts.before[i] = m.contacts.status[i]
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
        for i in range(m.state.size):
            m.state[i] = f.flown[i]
        for k in range(m.multiplier_count):
            m.lam_1[k], m.lam_2[k] = f.reactions[0, k], f.reactions[1, k]
        f.landed[0] = 0


@inner
def ask_contacts(work, what):
    """One of these; a number answers."""
    return call_with_work(work.machine.contacts.server[0], work, what)
