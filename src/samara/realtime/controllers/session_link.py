"""The link to a simulator in another process, through the mailboxes of its session."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from samara.realtime.controllers.controller import ControllerError
from samara.realtime.controllers.link import Info, Port, Sample

#: Pause between two looks into the mailbox [s]: short beside a period of 1 ms, and idle enough for one core.
PAUSE = 50e-6
#: How often the simulator's signs of life are looked at [s].
PULSE = 0.05


class Reader(Protocol):
    """Latest values of the sensors."""

    def read(self) -> Any:
        """An object with values, time, stamp, sequence and fresh."""


class Writer(Protocol):
    """Latest values of the actuators."""

    def write(self, values: Sequence[float], time: float) -> None:
        """Publishes them."""


class Session(Protocol):
    """What is used of a session: see `connect`. A sensor's mailbox has all sensors, in the session's order."""

    rate: float
    sensors: Sequence[Any]
    actuators: Sequence[Any]

    def claim(self, names: Sequence[str]) -> Writer:
        """Takes the actuators; refused when somebody else has one."""

    def sensor_reader(self) -> Reader:
        """The mailbox of the sensors."""

    def alive(self) -> bool:
        """Whether the simulator is there."""

    def changes(self) -> dict[str, float]:
        """What the panel wants changed in this controller."""

    def announce(self, parameters: list[dict[str, Any]]) -> None:
        """What the panel shows of this controller."""

    def close(self) -> None:
        """Gives back what was claimed."""


class SessionLink:
    """A controller's link to a session. connect: makes the connection, again when the simulator returns."""

    def __init__(self, name: str, connect: Callable[[], Session]) -> None:
        self.name, self._connect = name, connect
        self._session = connect()
        self._names: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
        self._reader: Reader | None = None
        self._writer: Writer | None = None
        self._looked = 0.0

    @property
    def info(self) -> Info:
        """As the handshake told it."""
        s = self._session
        ports = [tuple(Port(p.name, p.unit) for p in group) for group in (s.sensors, s.actuators)]
        return Info(self.name, s.rate, ports[0], ports[1])

    def open(self, sensors: Sequence[str], actuators: Sequence[str]) -> None:
        """Takes the actuators and opens the mailbox of the sensors."""
        self._names = tuple(sensors), tuple(actuators)
        order = [port.name for port in self._session.sensors]
        self._columns = [order.index(name) for name in sensors]
        self._writer = self._session.claim(list(actuators))
        self._reader = self._session.sensor_reader()

    def wait(self, timeout: float) -> Sample | None:
        """Looks into the mailbox until something new is there."""
        reader = self._reader
        assert reader is not None, "open the link first"
        end = time.monotonic() + timeout
        while True:
            found = reader.read()
            if found is not None and found.fresh:
                values = [float(found.values[k]) for k in self._columns]
                return Sample(values, found.time, found.stamp, found.sequence)
            if time.monotonic() >= end:
                return None
            time.sleep(PAUSE)

    def send(self, values: Sequence[float], time: float) -> None:
        """Publishes the actuators' values."""
        assert self._writer is not None, "open the link first"
        self._writer.write(values, time)

    def changes(self) -> dict[str, float]:
        """What the panel wants."""
        return self._session.changes()

    def announce(self, parameters: list[dict[str, Any]]) -> None:
        """Tells the panel."""
        self._session.announce(parameters)

    def alive(self) -> bool:
        """Whether the simulator is there."""
        return self._session.alive()

    def reopen(self, timeout: float) -> bool:
        """Connects anew, to a simulator with the same names."""
        end = time.monotonic() + timeout
        while True:
            try:
                session = self._connect()
            except OSError:
                if time.monotonic() >= end:
                    return False
                time.sleep(PULSE)
                continue
            self._session.close()
            self._session = session
            self.open(*self._names)
            return True

    def now(self) -> float:
        """The clock of the stamps: monotonic, the same in all processes of a machine [s]."""
        return time.monotonic()

    def close(self) -> None:
        """Gives the actuators back."""
        self._session.close()


def connect(name: str | None, timeout: float = 5.0) -> SessionLink:
    """The link to a running session of this name; without a name, to the only one there is."""
    try:
        from samara.realtime.session import Session as Running  # type: ignore[import-not-found]
    except ImportError:
        raise ControllerError("this version of Samara has no sessions to connect to") from None
    return SessionLink(name or "the session", lambda: Running.connect(name, timeout))
