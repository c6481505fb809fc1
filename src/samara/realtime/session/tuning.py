"""Parameter changes by an operator, checked by the simulator in Python before they reach the native loop.

The loop only stores numbers. Their conditions (limits, elements that depend on several of them at once) are known to
the model, so the simulator process answers requests on a socket in the session's directory, in a separate thread:

    {"values": {name: value}, "send": true}  ->  {"ticket": 7}  or  {"error": "what is wrong"}

With "send" the values are queued as requests that all apply in the same step; without it they are only checked.
"""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from samara.arguments import ArgumentError, finite
from samara.realtime.mailbox.shared import MailboxError

#: How long a guest waits for the answer, and the simulator for the rest of a question [s].
TIMEOUT = 2.0
_NAME = "tuning"


class Changes(Protocol):
    """Decides whether parameters may take new values: `samara.model.changes.ParameterChanges`."""

    def put(self, values: Mapping[str, float]) -> dict[str, float]:
        """Gives parameters these values, all or none; what they were before."""
        ...

    def take_back(self, before: Mapping[str, float]) -> None:
        """Gives parameters back what they were."""
        ...


class Tuning:
    """The simulator's end. send: puts accepted values into the queue of requests and returns a ticket."""

    def __init__(self, path: Path, changes: Changes, send: Callable[[Mapping[str, float]], int]) -> None:
        self._path, self._changes, self._send = path / _NAME, changes, send
        self._socket = socket.socket(socket.AF_UNIX)
        try:
            self._socket.bind(str(self._path))
        except OSError as error:
            self._socket.close()
            raise MailboxError(f"{self._path} cannot be a socket: {error}; give the session a shorter name") from None
        self._socket.listen()
        self._thread = threading.Thread(target=self._serve, name="samara-tuning", daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            try:
                guest, _ = self._socket.accept()
            except OSError:
                return  # closed
            with guest, contextlib.suppress(OSError):
                guest.settimeout(TIMEOUT)
                guest.sendall(_line(self._answer(guest)))

    def _answer(self, guest: socket.socket) -> dict[str, Any]:
        try:
            asked = json.loads(_read(guest))
            values = dict(asked["values"])
            before = self._changes.put(values)
            if not asked["send"]:
                self._changes.take_back(before)
                return {"ticket": 0}
            try:
                return {"ticket": self._send(values)}
            except Exception:
                self._changes.take_back(before)
                raise
        except (KeyError, TypeError, RecursionError) as error:
            return {"error": f"this is no question: {error!r}"}
        except Exception as error:  # whatever it is, the next question is to be answered
            return {"error": str(error) or repr(error)}

    def close(self) -> None:
        """Answers no more."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join(TIMEOUT)
        self._path.unlink(missing_ok=True)


def is_served(path: Path) -> bool:
    """Whether the simulator of the session in this folder checks what is tuned."""
    return (path / _NAME).is_socket()


def ask(path: Path, values: Mapping[str, float], *, send: bool) -> int:
    """The simulator's ticket for these values; ValueError with its words if they are wrong."""
    if not isinstance(values, Mapping):
        raise ArgumentError(f"tuning: values must be {{name: number}}, got {values!r}")
    plain = {name: finite(f"parameter {name!r}", value) for name, value in values.items()}
    try:
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(TIMEOUT)
            line.connect(str(path / _NAME))
            line.sendall(_line({"values": plain, "send": send}))
            answer = json.loads(_read(line))
    except (OSError, ValueError) as error:
        raise MailboxError(f"the simulator of session {path.name!r} does not answer: {error!r}") from None
    if "error" in answer:
        raise ValueError(answer["error"])
    return int(answer["ticket"])


def _line(message: Mapping[str, Any]) -> bytes:
    return json.dumps(message).encode() + b"\n"


def _read(line: socket.socket) -> str:
    """All up to the end of the line."""
    found = b""
    while not found.endswith(b"\n"):
        piece = line.recv(1 << 16)
        if not piece:
            break
        found += piece
    return found.decode()
