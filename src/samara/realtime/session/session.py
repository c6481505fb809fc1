"""A session: all mailboxes between a simulator and the processes that work with it, under one name.

The simulator creates it; controllers, panels and recorders connect and then know names, units, limits and rate. The
session's directory, accessible only to the user, contains

    session.json    description (`samara.realtime.session.card`), written last
    scene.json      the scene to draw, if the simulator provides one
    sensors         Latest: measured values, for the last few seconds
    actuators       Latest: commands in force, from any sender, for the last few seconds
    parameters      Latest: values in force
    view            Latest: poses of the nodes, some tens of times a second: position [m], rotation matrix by rows
    ledger          status of the loop (`samara.realtime.session.ledger`)
    seats           commands from controllers (`samara.realtime.mailbox.seats`)
    requests        Queue: parameters to change and commands, to the simulator
    tuning          socket: parameters to check before they are changed (`samara.realtime.session.tuning`)
    record          Queue: sensors and actuators of every step, to the recorder
    recorder        Queue: recording on and off, to the recorder (`samara.realtime.recording`)
    recorder.json   status of the recorder, written by it

"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import shutil
import time as clock
import weakref
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np

from samara.arguments import ArgumentError, named, whole
from samara.entry import one_line
from samara.realtime.mailbox.latest import DEPTH, Latest
from samara.realtime.mailbox.process import Process
from samara.realtime.mailbox.queue import Queue, push_all
from samara.realtime.mailbox.seats import Claim, SeatedController, Seats
from samara.realtime.mailbox.shared import MailboxError, directory, locked
from samara.realtime.session.card import GROUPS, Card, Signal
from samara.realtime.session.command import Command
from samara.realtime.session.folder import (
    SessionError,
    living,
    mark,
    read_text,
    remove,
    remove_leftover,
    sweep,
    write_text,
)
from samara.realtime.session.ledger import Ledger
from samara.realtime.session.tuning import Changes, Tuning, ask, is_served
from samara.results.channels import Channel

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_REQUESTS, _SWITCHES = 256, 16
#: The most steps that may be asked for at once.
MOST_STEPS = 1_000_000_000
#: The past that sensors and actuators hold [s], and the most of it [numbers].
HISTORY, LARGEST_HISTORY = 4.0, 1 << 22


class Session:
    """One end of a session. Use `create` (the simulator) or `connect` (all others)."""

    def __init__(self, card: Card, path: Path, new: bool) -> None:
        self.card = card
        self.path = path
        past = _power(max(round(HISTORY * card.rate), DEPTH))
        depths = {"sensors": past, "actuators": past, "parameters": DEPTH}
        boxes: dict[str, Latest] = {}
        for group in GROUPS:
            signals: tuple[Signal, ...] = getattr(card, group)
            depth = min(depths[group], max(DEPTH, _power(LARGEST_HISTORY // max(len(signals), 1))))
            boxes[group] = self._latest(group, len(signals), signals, depth, new)
        self.sensors, self.actuators, self.parameters = (boxes[group] for group in GROUPS)
        self.view = self._latest("view", 12 * len(card.nodes), (), DEPTH, new)
        self.ledger = Ledger.create(path / "ledger") if new else Ledger.attach(path / "ledger")
        names = [signal.name for signal in card.actuators]
        self.seats = Seats.create(path / "seats", names) if new else Seats.attach(path / "seats", names)
        self.requests = self._queue("requests", 3, _power(max(_REQUESTS, 2 * len(card.parameters))), (), new)
        recorded = card.sensors + card.actuators
        self.record = self._queue("record", len(recorded), card.record, recorded, new) if card.record else None
        self.recorder = self._queue("recorder", 1, _SWITCHES, (), new) if card.record else None
        self._claims: list[Claim] = []
        self._mark = mark(path)
        self._remove: weakref.finalize | None = None

    def _latest(self, name: str, count: int, signals: Sequence[Signal], depth: int, new: bool) -> Latest:
        path = self.path / name
        return Latest.create(path, count, signals, depth) if new else Latest.attach(path, signals)

    def _queue(self, name: str, count: int, capacity: int, signals: Sequence[Signal], new: bool) -> Queue:
        path = self.path / name
        return Queue.create(path, count, capacity, signals) if new else Queue.attach(path, signals)

    # ---- begin
    @classmethod
    def create(
        cls,
        name: str,
        *,
        rate: float,
        sensors: Iterable[Signal] = (),
        actuators: Iterable[Signal] = (),
        parameters: Iterable[Signal] = (),
        record: int = 0,
        model: str = "",
        nodes: Iterable[str] = (),
        vectors: Iterable[Channel] = (),
        scene: Mapping[str, Any] | None = None,
    ) -> Self:
        """A new session at `rate` steps per second [Hz], whose simulator is this process.

        `record` is the number of rows in the queue to the recorder, rounded up to a power of two; 0: no queue. `model`
        is what is simulated, `nodes` are those that `view` shows, `scene` is what there is to draw (any JSON).
        `vectors` says which sensors are components of one quantity. What a dead simulator left under this name is
        removed, and said; a living one is an error.
        """
        card = Card(
            _checked(name), secrets.token_hex(16), float(rate), Process.current(), tuple(sensors), tuple(actuators),
            tuple(parameters), _power(record) if record else 0, model, tuple(nodes), tuple(vectors),
        )  # fmt: skip
        root = directory()
        path = root / name
        with locked(root / ".lock"):
            remove_leftover(path)
            sweep(root)
            path.mkdir(mode=0o700)
            try:
                session = cls(card, path, new=True)
                session.requests.as_reader()
                if session.record is not None:
                    session.record.as_writer()
                if scene is not None:
                    write_text(path / "scene.json", json.dumps(scene, allow_nan=False))
                write_text(path / "session.json", card.to_json())
                session._mark = mark(path)
            except BaseException:
                shutil.rmtree(path, ignore_errors=True)
                raise
        session._remove = weakref.finalize(session, remove, path, os.getpid())
        return session

    @classmethod
    def connect(cls, name: str, *, timeout: float = 10.0) -> Self:
        """The session of that name, once its simulator is ready; waits for it for at most `timeout` [s]."""
        path = directory() / _checked(name)
        end = clock.monotonic() + timeout
        while True:
            try:
                return cls._connected(path)
            except MailboxError as error:
                if clock.monotonic() > end or not isinstance(error, _NotYetError):
                    raise
            clock.sleep(0.005)

    @classmethod
    def _connected(cls, path: Path) -> Self:
        card = _read(path)
        if not card.process.alive:
            raise _NotYetError(f"the simulator of session {path.name!r}, {card.process}, has ended: restart it")
        try:
            session = cls(card, path, new=False)
        except MailboxError:
            if _read(path).token == card.token:
                raise
            raise _NotYetError(f"session {path.name!r} is being restarted") from None
        if _read(path).token != card.token:
            session.close()
            raise _NotYetError(f"session {path.name!r} is being restarted")
        return session

    # ---- who is there
    @property
    def alive(self) -> bool:
        """Whether the simulator's process lives: False at once when it was killed."""
        return self.card.process.alive

    @property
    def there(self) -> bool:
        """Whether the simulator lives and this is still its session: it may have ended it, or made another."""
        return self.alive and self._mark is not None and mark(self.path) == self._mark

    @property
    def silence(self) -> float:
        """Time since the simulator's loop last showed life [s]: it grows when the loop is stuck, too."""
        return self.sensors.silence

    @property
    def controllers(self) -> list[SeatedController]:
        """Who holds actuators."""
        return self.seats.controllers()

    def wait_driven(self, names: Sequence[str] | None = None, timeout: float = 10.0) -> None:
        """Waits until these actuators (all, if none are named) have been claimed and sent a value."""
        wanted = list(self.seats.names if names is None else names)
        places = [self._place("actuators", name) for name in wanted]
        end = clock.monotonic() + timeout
        while not (driven := self.seats.driven[places]).all():
            if clock.monotonic() > end:
                missing = ", ".join(name for name, there in zip(wanted, driven, strict=True) if not there)
                raise SessionError(f"no controller drives {missing} of session {self.card.name!r} after {timeout:g} s")
            clock.sleep(0.005)

    @property
    def scene(self) -> dict[str, Any]:
        """What there is to draw; empty if the simulator did not say."""
        path = self.path / "scene.json"
        return json.loads(read_text(path)) if path.is_file() else {}

    # ---- take part
    def claim(self, names: Sequence[str]) -> Claim:
        """Takes actuators to drive, all or none; those of a process that died are taken over."""
        if not isinstance(names, Iterable):
            raise ArgumentError(f"claim actuators by name, got {names!r}")
        names = [names] if isinstance(names, str) else list(names)
        self._require_there()
        for name in names:
            self._place("actuators", name)
        if not names or len(set(names)) < len(names):
            raise ValueError(f"claim actuators by name, each once: {names}")
        claim = self.seats.claim(names)
        self._claims.append(claim)
        return claim

    def tune(self, values: Mapping[str, float]) -> int:
        """Asks for new values of parameters, all at the same step; a ticket for `taken`.

        They are checked first, by the simulator if it knows more of them than their limits; ValueError says what is
        wrong, and then none is changed.
        """
        rows = self._rows(values)
        self._require_there()
        return ask(self.path, values, send=True) if is_served(self.path) else self._ask(rows)

    def check(self, values: Mapping[str, float]) -> None:
        """Whether `tune` would take these values; ValueError says what is wrong."""
        self._rows(values)
        self._require_there()
        if is_served(self.path):
            ask(self.path, values, send=False)

    def _rows(self, values: Mapping[str, float]) -> list[list[float]]:
        """Requests for these values, each within the limits of its parameter."""
        if not isinstance(values, Mapping):
            raise ArgumentError(f"tune parameters by name: values must be {{name: number}}, got {values!r}")
        places = {name: self._place("parameters", name) for name in values}
        return [
            [Command.TUNE, place, self.card.parameters[place].check(values[name])] for name, place in places.items()
        ]

    def serve_tuning(self, changes: Changes) -> Tuning:
        """Lets the simulator check what others want to tune, in a thread of its own, before the loop hears of it."""
        return Tuning(self.path, changes, lambda values: self._ask(self._rows(values)))

    def command(self, command: Command, value: float = 0.0) -> int:
        """Asks the simulator to start, hold, step, stop, reset; a ticket for `taken`.

        value: of STEP, how many steps, a billion at most; 0 counts as one.
        """
        if command == Command.TUNE:
            raise ValueError("tune parameters by name: session.tune({name: value})")
        if not isinstance(command, (int, np.integer)) or int(command) not in set(Command):
            raise ArgumentError(f"command must be one of {', '.join(c.name for c in Command)}, got {command!r}")
        count = whole(f"value of command {Command(command).name}", value, least=0)
        if count > MOST_STEPS:
            raise ArgumentError(f"value of command {Command(command).name} must be at most {MOST_STEPS}, got {value!r}")
        self._require_there()
        return self._ask([[Command(command), 0.0, float(count)]])

    def taken(self, ticket: int) -> bool:
        """Whether the simulator has taken that request out of the queue."""
        return self.requests.received >= ticket

    def _ask(self, rows: list[list[float]]) -> int:
        queue = self.requests
        try:
            with locked(self.path / "requests.lock"):  # several may ask; the ring has one sender at a time
                if rows and not push_all(queue.port, np.array(rows, float), 0.0, clock.monotonic_ns()):
                    raise SessionError(f"the simulator does not process requests: {queue.waiting} are waiting")
                return queue.sent
        except FileNotFoundError:  # it ended this very moment
            raise self._ended() from None

    def _require_there(self) -> None:
        """An error if the simulator has ended the session."""
        if not self.there:
            raise self._ended()

    def _ended(self) -> SessionError:
        return SessionError(
            f"the simulator of session {self.card.name!r}, {self.card.process}, has ended it: start it again"
        )

    def _place(self, group: str, name: str) -> int:
        names = [signal.name for signal in getattr(self.card, group)]
        return names.index(named(f"session {self.card.name!r}", group[:-1], name, names, SessionError))

    # ---- end
    def close(self) -> None:
        """Gives up what this process holds; the simulator's end also removes the session."""
        for claim in self._claims:
            with contextlib.suppress(OSError):  # the simulator may have removed it all
                claim.release()
        self._claims = []
        boxes = (
            self.sensors, self.actuators, self.parameters, self.view, self.ledger, self.seats, self.requests,
            self.record, self.recorder,
        )  # fmt: skip
        for box in boxes:
            if box is not None:
                box.close()
        if self._remove is not None:
            self._remove()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class _NotYetError(SessionError):
    """A condition that may resolve itself with time."""


def _checked(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError(f"session name {name!r}: use letters, digits, '-', '_' and '.', at most 64, a letter first")
    return name


def _power(rows: int) -> int:
    """The next power of two."""
    return 1 << (rows - 1).bit_length()


def _read(path: Path) -> Card:
    try:
        return Card.from_json(read_text(path / "session.json"))
    except (FileNotFoundError, NotADirectoryError):
        known = ", ".join(living(path.parent))
        there = f"; there are {known}" if known else ""
        raise _NotYetError(f"there is no session {path.name!r}: start its simulator first{there}") from None
    except (OSError, ValueError) as error:
        raise SessionError(f"{path / 'session.json'} cannot be read ({one_line(error)}): remove it") from None


def clear(name: str) -> None:
    """Removes what a killed simulator left under this name, without a word; nothing if there is none, or it lives."""
    root = directory()
    with locked(root / ".lock"), contextlib.suppress(MailboxError):
        remove_leftover(root / _checked(name), quiet=True)
