"""The latest value over UDP, for a controller or a panel on another machine.

A `Sender` watches a mailbox and sends each new row; a `Receiver` checks what arrives and writes it to a mailbox, or to
claimed actuators, of its own machine. Both are threads of a process beside the loop, never of the loop. A datagram, in
network byte order:

    4 bytes   magic, b"SAMU"           8   nonce of the sender: random
    1         version, 3               8   number of the datagram, from 1
    1         0                        8   sequence number of the row
    2         numbers in the row       8   simulated time [s]
    4         channel                  8   monotonic clock of the sender's machine [ns]
    16        token of the session     8 each: the numbers
                                       16  keyed hash of all before (BLAKE2b), where both sides have a key

Lost datagrams are not resent: a newer row is better than an old one. While the writer is alive but has nothing new, its
last row is repeated occasionally as a heartbeat.

Datagram numbers of a sender must increase: an old or repeated datagram is neither a row nor a sign of life. A restarted
sender has a new nonce and counts from 1. It is accepted once the previous one has been silent for `PATIENCE`, and the
previous one is then ignored for good; clocks of other machines play no part. A datagram from somebody else therefore
cannot shut out a live sender.

Without a key, the token rejects stray datagrams but does not protect against anybody who can read the network: they
could forge a datagram, or replay one of an earlier sender to a receiver that never heard it. With a key, datagrams
cannot be forged, and those of another session are rejected. Rows are not encrypted.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import math
import secrets
import socket
import struct
import threading
import time as clock
from typing import Self

import numpy as np

from samara.realtime.mailbox.latest import Latest
from samara.realtime.mailbox.port import PATIENCE
from samara.realtime.mailbox.seats import Claim
from samara.realtime.mailbox.shared import MailboxError

MAGIC, VERSION = b"SAMU", 3
_HEAD = struct.Struct("!4sBxHI16s8sqqdq")
#: Bytes of the keyed hash, and of the shortest key.
SEAL, SHORTEST_KEY = 16, 16
LARGEST_ROW = 8000
"""Numbers in a row: what fits in a datagram. More than about 170 travel in fragments, of which each can be lost."""
_PAUSE = 1e-4
_TICK = 0.1

Address = tuple[str, int]


class _Worker:
    """A thread that works until it is stopped, and closes its socket."""

    def __init__(self, token: str, channel: int, key: bytes | None) -> None:
        self._token = bytes.fromhex(token)
        if len(self._token) != 16:
            raise ValueError(f"the token of a session is 32 hexadecimal digits, not {token!r}")
        if key is not None and not SHORTEST_KEY <= len(key) <= hashlib.blake2b.MAX_KEY_SIZE:
            most = hashlib.blake2b.MAX_KEY_SIZE
            raise ValueError(f"a key has {SHORTEST_KEY} to {most} bytes, not {len(key)}: secrets.token_bytes(32)")
        self._key = key
        self._channel = channel
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, name=type(self).__name__, daemon=True)
        self._socket: socket.socket

    def _seal(self, data: bytes) -> bytes:
        """The keyed hash; nothing without a key."""
        return hashlib.blake2b(data, digest_size=SEAL, key=self._key).digest() if self._key is not None else b""

    def run(self) -> None:
        """Works until `close`; call it yourself to give it a whole process."""
        raise NotImplementedError

    def _work(self) -> None:
        with contextlib.suppress(MailboxError):  # the mailbox was closed: nothing is left to do
            self.run()

    def start(self) -> Self:
        """Begins, in a thread."""
        self._thread.start()
        return self

    @property
    def running(self) -> bool:
        """Whether the thread is at work: it ends by itself when its mailbox is closed."""
        return self._thread.is_alive()

    def close(self) -> None:
        """Ends."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()
        self._socket.close()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *error: object) -> None:
        self.close()


class Sender(_Worker):
    """Sends each new row of a mailbox to `address`. The mailbox should be attached for it alone: readers count.

    key: shared secret, 16 to 64 bytes, that authenticates the datagrams.
    """

    def __init__(
        self, source: Latest, address: Address, *, token: str, channel: int = 0, key: bytes | None = None
    ) -> None:
        super().__init__(token, channel, key)
        if source.count > LARGEST_ROW:
            raise ValueError(f"a row of {source.count} numbers does not fit in a datagram, which takes {LARGEST_ROW}")
        family, kind, _, _, place = socket.getaddrinfo(*address, type=socket.SOCK_DGRAM)[0]
        self._socket, self._address = socket.socket(family, kind), place
        self._source = source
        self._nonce = secrets.token_bytes(8)
        self.sent = 0
        self.failed = 0
        """Datagrams that the system refused: no route, no room."""

    def run(self) -> None:
        """Sends until `close`."""
        last = 0.0
        while not self._stop.is_set():
            sample = self._source.read()
            now = clock.monotonic()
            repeat = sample.sequence > 0 and now - last > PATIENCE / 4 and self._source.silence < PATIENCE / 2
            if not sample.fresh and not repeat:
                clock.sleep(_PAUSE)
                continue
            last = now
            head = _HEAD.pack(
                MAGIC, VERSION, sample.values.size, self._channel, self._token,
                self._nonce, self.sent + self.failed + 1, sample.sequence, sample.time, sample.stamp,
            )  # fmt: skip
            try:
                data = head + sample.values.astype(">f8").tobytes()
                self._socket.sendto(data + self._seal(data), self._address)
                self.sent += 1
            except OSError:
                self.failed += 1
                clock.sleep(_PAUSE)


class Receiver(_Worker):
    """Receives rows at `address` and writes them to a mailbox, or to claimed actuators.

    `source` is the host that may send; without one, any that knows the token, and the `key` where there is one.
    Simulated time is kept; the clock is this machine's. `address` holds the port in use (port 0 selects a free one).
    """

    def __init__(
        self,
        target: Latest | Claim,
        address: Address,
        *,
        token: str,
        channel: int = 0,
        source: str | None = None,
        key: bytes | None = None,
    ) -> None:
        super().__init__(token, channel, key)
        self._count = len(target.names) if isinstance(target, Claim) else target.count
        self._size = _HEAD.size + 8 * self._count + len(self._seal(b""))
        family, kind, _, _, place = socket.getaddrinfo(*address, type=socket.SOCK_DGRAM)[0]
        self._allowed = {info[4][0] for info in socket.getaddrinfo(source, None)} if source else None
        self._socket = socket.socket(family, kind)
        try:
            self._socket.bind(place)
        except OSError as error:
            self._socket.close()
            raise MailboxError(f"cannot receive at {address[0]} port {address[1]}: {error.strerror}") from error
        self._socket.settimeout(_TICK)
        self.address: Address = self._socket.getsockname()[:2]
        self._target = target
        self._nonce = b""
        self._former: set[bytes] = set()
        self._heard = -math.inf
        self._number = 0
        self.sequence = 0
        """Of the last row taken, at its origin."""
        self.taken = 0
        """Rows written."""
        self.repeated = 0
        """The last row again: a beat."""
        self.old = 0
        """Rows that came after a newer one, or again, or from a sender that another has followed."""
        self.lost = 0
        """Datagrams skipped in the count of the sender, whether they came late or never."""
        self.refused = 0
        """Datagrams that are not of this session, channel, size, source, version or key, or not of the sender."""

    def run(self) -> None:
        """Receives until `close`."""
        while not self._stop.is_set():
            try:
                data, origin = self._socket.recvfrom(self._size + 1)
            except TimeoutError:
                continue
            except OSError:
                self.refused += 1
                continue
            self.accept(data, origin[0])

    def accept(self, data: bytes, origin: str, now: float | None = None) -> bool:
        """Checks a datagram and writes its row; False when there is nothing to write. now: a clock that goes on [s]."""
        if len(data) != self._size or (self._allowed is not None and origin not in self._allowed):
            self.refused += 1
            return False
        body = data[: self._size - SEAL] if self._key is not None else data
        magic, version, count, channel, token, nonce, number, sequence, time, _ = _HEAD.unpack_from(data)
        expected = (MAGIC, VERSION, self._count, self._channel, self._token)
        sound = (magic, version, count, channel, token) == expected and sequence >= 1 and number >= 1
        if not sound or not hmac.compare_digest(self._seal(body), data[len(body) :]):
            self.refused += 1
            return False
        if not self._follows(nonce, number, clock.monotonic() if now is None else now):
            return False
        if sequence < self.sequence:
            self.old += 1
            return False
        if sequence == self.sequence:
            self.repeated += 1
            self._target.beat()
            return False
        try:
            self._target.write(np.frombuffer(body, ">f8", offset=_HEAD.size), time)
        except ValueError:  # no actuator takes it
            self.refused += 1
            return False
        self.sequence = sequence
        self.taken += 1
        return True

    def _follows(self, nonce: bytes, number: int, now: float) -> bool:
        """Whether this is the next of the sender that is listened to, or the first of one that follows it."""
        if nonce in self._former:
            self.old += 1
            return False
        if nonce != self._nonce:
            if now - self._heard <= PATIENCE:
                self.refused += 1
                return False
            self._former.add(self._nonce)
            self._nonce, self._number, self.sequence = nonce, 0, 0
        if number <= self._number:
            self.old += 1
            return False
        self.lost += number - self._number - 1 if self._number else 0
        self._number, self._heard = number, now
        return True
