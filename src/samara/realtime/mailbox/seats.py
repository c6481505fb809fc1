"""Actuators: each controller has a seat and drives the actuators it has claimed; a dead controller can be replaced.

A seat is a `Latest` of all actuators, of which its controller fills those it has claimed, so a row sent by a controller
arrives as one row. A routing table gives the seat of each actuator. It is switched after the first row of a new
controller; until then the actuator holds its last command. The loop only reads: `gather`.

    words of the block    16..           claims: the seat that has claimed an actuator, or -1
                          next line..    routes: the seat that an actuator listens to, or -1
                          next line..    the seats
"""

from __future__ import annotations

import time as clock
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from samara.realtime.mailbox.latest import DEPTH, Latest, latest_at, latest_words, newest, publish, take
from samara.realtime.mailbox.port import MASK, PATIENCE, SEQUENCE, Port
from samara.realtime.mailbox.process import Process
from samara.realtime.mailbox.shared import BEAT, COUNT, LINE, SLOTS, WRITER, MailboxError, MappedMemory, lines, locked
from samara.tracing.driver.atomics import load_acquire, load_word, store_release
from samara.tracing.driver.driver_cache import linked

SEATS_KIND = 3
MOST_SEATS = 32
"""Seats, at most: fewer where there are fewer actuators."""
FREE, HEARD, SILENT = range(3)
"""What the loop knows of an actuator: nobody drives it; someone does; who drove it is silent."""
_CLAIMS = 2 * LINE


class SeatPorts(NamedTuple):
    """All seats as the loop reads them.

    routes   the seat that each actuator listens to, shared
    words    the seats' mailboxes, shared
    values   last values received, a row for each seat; spare, time, state: as in a `Port`, a row for each seat
    seat     of each actuator, as last seen; care: FREE, HEARD or SILENT
    """

    routes: NDArray[np.int64]
    words: NDArray[np.int64]
    values: NDArray[np.float64]
    spare: NDArray[np.float64]
    time: NDArray[np.float64]
    state: NDArray[np.int64]
    seat: NDArray[np.int64]
    care: NDArray[np.int64]


@linked
def gather(seats, now, patience, commands):
    """Brings `commands` up to date from all controllers; the number of actuators whose controller is silent.

    A controller is silent if its last beat is more than `patience` before `now` (monotonic clock, both [ns]). Its
    actuators, and those that nobody drives, keep what is in `commands`: what else to do is the caller's policy.
    """
    table = seats.routes.ctypes.data
    count, most = seats.routes.shape[0], seats.words.shape[0]
    for j in range(count):  # the routes first: a route that is seen has its first row out
        seats.seat[j] = load_acquire(table + 8 * j)
    for s in range(most):
        used = False
        for j in range(count):
            used |= seats.seat[j] == s
        if used:
            take(Port(seats.words[s], seats.values[s], seats.spare[s], seats.time[s], seats.state[s]))
    silent = 0
    for j in range(count):
        s = seats.seat[j]
        seats.care[j] = FREE
        if 0 <= s < most:
            commands[j] = seats.values[s, j]
            seats.care[j] = HEARD
            if now - load_word(seats.words[s].ctypes.data + 8 * BEAT) > patience:
                seats.care[j] = SILENT
                silent += 1
    return silent


@linked
def all_sent(seats, now, patience):
    """When the last new row of all controllers that show life was sent [ns]; 0 if one of them has sent none."""
    table, count, last = seats.routes.ctypes.data, seats.routes.shape[0], 0
    for s in range(seats.words.shape[0]):
        used = False
        for j in range(count):
            used |= load_acquire(table + 8 * j) == s
        base = seats.words[s].ctypes.data
        shown = load_word(base + 8 * BEAT)
        if used and now - shown <= patience:
            if newest(base) == seats.state[s, SEQUENCE]:
                return 0
            last = max(last, shown)
    return last


@linked
def _route(routes, places, seat):
    for k in range(places.shape[0]):
        store_release(routes.ctypes.data + 8 * places[k], seat)


class SeatedController(NamedTuple):
    """A controller with its actuators, and how long it has been silent [s]."""

    actuators: tuple[str, ...]
    process: Process
    silence: float


def seats_words(count: int, seats: int) -> int:
    """Words of so many actuators, and of the mailboxes of so many controllers."""
    return _CLAIMS + 2 * lines(count) + seats * latest_words(count)


class Seats:
    """The actuators' end of a session."""

    def __init__(self, memory: MappedMemory, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self._memory = memory
        words, count, seats = memory.words, int(memory.words[COUNT]), int(memory.words[SLOTS])
        routes, first = _CLAIMS + lines(count), _CLAIMS + 2 * lines(count)
        size = latest_words(count)
        self._claims = words[_CLAIMS : _CLAIMS + count]
        self.mailboxes = [latest_at(memory, first + k * size, count) for k in range(seats)]
        state = np.zeros((seats, LINE), np.int64)
        state[:, MASK] = DEPTH - 1
        self.port = SeatPorts(
            words[routes : routes + count],
            words[first : first + seats * size].reshape(seats, size),
            np.zeros((seats, count)),
            np.zeros((seats, count)),
            np.zeros((seats, 1)),
            state,
            np.full(count, -1),
            np.full(count, FREE),
        )

    @classmethod
    def create(cls, path: Path, names: Sequence[str]) -> Self:
        """New seats, all free."""
        count, seats = len(names), min(len(names), MOST_SEATS)
        memory = MappedMemory.create(path, seats_words(count, seats), SEATS_KIND, count, seats)
        memory.words[_CLAIMS : _CLAIMS + 2 * lines(count)] = -1
        return cls(memory, names)

    @classmethod
    def attach(cls, path: Path, names: Sequence[str]) -> Self:
        """Those that exist."""
        memory = MappedMemory.attach(path, SEATS_KIND, seats_words)
        if memory.words[COUNT] != len(names):
            raise MailboxError(f"mailbox {path} has {memory.words[COUNT]} actuators, its session {len(names)}")
        return cls(memory, names)

    # ---- the simulator
    def gather(self, commands: NDArray[np.float64], patience: float = PATIENCE) -> int:
        """Brings `commands` up to date; the number of actuators whose controller has been silent for `patience` [s]."""
        return int(gather(self.port, clock.monotonic_ns(), int(1e9 * patience), commands))

    @property
    def driven(self) -> NDArray[np.bool_]:
        """Which actuators have been sent a value by whoever has claimed them."""
        return (self.port.routes >= 0) & (self.port.routes == self._claims)

    def controllers(self) -> list[SeatedController]:
        """All that hold actuators, alive or not."""
        return [
            SeatedController(tuple(self.names[j] for j in np.flatnonzero(self._claims == k)), box.writer, box.silence)
            for k, box in enumerate(self.mailboxes)
            if (self._claims == k).any()
        ]

    def silent(self) -> list[str]:
        """Controllers that showed no life when the loop last looked, with their actuators, in words."""
        lost = self.port.care == SILENT
        return [
            f"{box.writer} of {', '.join(self.names[j] for j in np.flatnonzero(lost & (self.port.seat == k)))}"
            for k, box in enumerate(self.mailboxes)
            if (lost & (self.port.seat == k)).any()
        ]

    # ---- a controller
    def claim(self, names: Sequence[str]) -> Claim:
        """Takes actuators, all or none; those of a process that died are taken over."""
        places = np.array([self.names.index(name) for name in names], np.int64)
        with locked(self._lock):
            for j in places[self._claims[places] >= 0]:
                holder = self.mailboxes[self._claims[j]].writer
                if holder.alive:
                    who = "this process" if holder == Process.current() else f"{holder}, which is running"
                    raise MailboxError(f"actuator {self.names[j]!r} is claimed by {who}: release it there first")
            seat = self._seat_for(places)
            port = self.port
            port.routes[(port.routes == seat) & (self._claims != seat)] = -1  # left by whoever sat there before
            self._claims[places] = seat
            return Claim(self, seat, places)

    def release(self, seat: int) -> None:
        """Gives a seat up: its actuators hold what they were last told."""
        with locked(self._lock):
            self.port.routes[self.port.routes == seat] = -1
            self._claims[self._claims == seat] = -1
            self.mailboxes[seat].port.words[WRITER : WRITER + 2] = 0

    def _seat_for(self, places: NDArray[np.int64]) -> int:
        """A seat without a living process, and without an actuator but those; one that had them, if possible."""
        others = np.delete(self._claims, places)
        free = [k for k, box in enumerate(self.mailboxes) if not (others == k).any() and not box.writer.alive]
        if not free:
            raise MailboxError(f"all {len(self.mailboxes)} seats for controllers are taken")
        return max(free, key=lambda k: int((self._claims[places] == k).sum()))

    @property
    def _lock(self) -> Path:
        return self._memory.path.with_suffix(".lock")

    def close(self) -> None:
        """Lets go of the memory."""
        self._claims = self._claims.copy()
        self.port = self.port._replace(routes=self.port.routes.copy(), words=self.port.words.copy())
        self.mailboxes = []
        self._memory.close()


class Claim:
    """Actuators that this process drives."""

    def __init__(self, seats: Seats, seat: int, places: NDArray[np.int64]) -> None:
        self._seats, self._seat, self._places = seats, seat, places
        box = seats.mailboxes[seat]
        before = box.read()
        self._box: Latest | None = box.as_writer()
        if before.sequence:  # a loop that has just looked up the routes of who sat here finds its last values
            box.port.values[:] = before.values
        self._routed = False
        self.names = tuple(seats.names[j] for j in places)

    def write(self, values: ArrayLike, time: float, stamp: int | None = None) -> int:
        """Sends values for all its actuators, in the order of `names`, at simulated time `time` [s]."""
        row = np.asarray(values, float)
        if row.shape != self._places.shape:
            raise ValueError(f"{len(self.names)} values are wanted, for {', '.join(self.names)}: shape {row.shape}")
        if not np.isfinite(row).all():
            wrong = self.names[int(np.argmin(np.isfinite(row)))]
            raise ValueError(f"actuator {wrong!r} was to be sent {row[self.names.index(wrong)]}: not a finite number")
        port = self._mailbox().port
        port.values[self._places] = row
        sequence = int(publish(port, float(time), clock.monotonic_ns() if stamp is None else stamp))
        if not self._routed:
            _route(self._seats.port.routes, self._places, self._seat)
            self._routed = True
        return sequence

    def beat(self) -> None:
        """Shows that the controller lives, with nothing to say."""
        self._mailbox().beat()

    def release(self) -> None:
        """Gives the actuators up."""
        if self._box is not None:
            if self._box.writer == Process.current():  # not in a process forked from the controller
                self._seats.release(self._seat)
            self._box = None

    close = release

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.release()

    def _mailbox(self) -> Latest:
        if self._box is None:
            raise MailboxError(f"actuators {', '.join(self.names)} were released")
        return self._box
