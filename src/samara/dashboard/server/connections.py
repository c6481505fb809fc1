"""Connections to the panel: how many, and for how long they may say nothing.

A stranger is one on which nobody has shown a token yet. There is room for some of them: another one closes the oldest,
so that connections which are only held shut nobody out. A connection is busy while a request of it is served, a
WebSocket as long as it is open; one that is idle for longer than `PATIENCE`, also in the middle of a header that does
not end, is closed.

The server calls a protocol of asyncio, `line`; the application is told of requests by `serving` around the gate and
`known` behind it. Both know a connection by its two addresses.
"""

from __future__ import annotations

import asyncio
import resource
import time as clock
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from samara.dashboard.access.gate import App, Message, Receive, Send

#: Connections at most, of them strangers; time without a request [s]; bytes of a header; connections that are taken in
#: one go, more wait with the system.
MOST, STRANGERS, PATIENCE, LONGEST_HEADER, BACKLOG = 256, 48, 10.0, 16 * 1024, 32

Key = tuple[Any, ...]


@dataclass
class OpenConnection:
    """A connection. since: when it was opened, or last served [s]; busy: requests that are being served."""

    transport: asyncio.Transport
    since: float
    busy: int = 0
    known: bool = False


class Connections:
    """Those that are open. refused: is told of an address whose connection was closed, and why."""

    def __init__(self, refused: Callable[[str, str], None], most: int = MOST, strangers: int = STRANGERS) -> None:
        files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        self._most = most if files == resource.RLIM_INFINITY else max(min(most, files // 4), 8)
        self._strangers = min(strangers, self._most // 2)
        self._refused = refused
        self._open: dict[Key, OpenConnection] = {}

    def __len__(self) -> int:
        """How many are open."""
        return len(self._open)

    def opened(self, key: Key, transport: asyncio.Transport, now: float) -> None:
        """One more; the oldest that is no longer of use is closed for it."""
        self._open[key] = OpenConnection(transport, now)
        strangers = sorted((k for k, one in self._open.items() if not one.known), key=lambda k: self._open[k].busy > 0)
        if len(strangers) > self._strangers:
            self._close(strangers[0], f"more than {self._strangers} connections without a token: the oldest was closed")
        elif len(self._open) > self._most:
            idle = [k for k, line in self._open.items() if not line.busy]
            self._close(idle[0], f"more than {self._most} connections: the oldest idle one was closed")

    def closed(self, key: Key) -> None:
        """It was closed."""
        self._open.pop(key, None)

    def sweep(self, now: float) -> None:
        """Closes those that have been idle for too long."""
        for key in [k for k, line in self._open.items() if not line.busy and now - line.since > PATIENCE]:
            known = self._open[key].known
            self._close(key, "" if known else f"a connection idle for {PATIENCE:g} s was closed")

    def _close(self, key: Key, why: str) -> None:
        line = self._open.pop(key)
        if why:
            self._refused(str(key[0][0]) if key[0] else "unknown", why)
        line.transport.abort()

    # ---- around the gate, and behind it
    def serving(self, app: App) -> App:
        """An application whose connections are busy meanwhile."""

        async def served(scope: Message, receive: Receive, send: Send) -> None:
            line = self._open.get(_key(scope.get("client"), scope.get("server")))
            if line is None:
                return await app(scope, receive, send)
            line.busy += 1
            try:
                await app(scope, receive, send)
            finally:
                line.busy -= 1
                line.since = clock.monotonic()
                if scope["type"] == "websocket":  # the server closes it, and does not tell `line`
                    self.closed(_key(scope.get("client"), scope.get("server")))

        return served

    def known(self, app: App) -> App:
        """An application that is only reached with a token."""

        async def reached(scope: Message, receive: Receive, send: Send) -> None:
            if line := self._open.get(_key(scope.get("client"), scope.get("server"))):
                line.known = True
            await app(scope, receive, send)

        return reached

    @property
    def line(self) -> type[asyncio.Protocol]:
        """The protocol that the server makes for each connection."""
        connections = self

        class Counted(H11Protocol):
            """Tells when it begins and ends."""

            _counted_as: Key = ()

            def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
                super().connection_made(transport)
                client, server = (transport.get_extra_info(name) for name in ("peername", "sockname"))
                self._counted_as = _key(client, server)
                connections.opened(self._counted_as, transport, clock.monotonic())

            def connection_lost(self, exc: Exception | None) -> None:
                connections.closed(self._counted_as)
                super().connection_lost(exc)

        return Counted


def _key(client: Any, server: Any) -> Key:
    return tuple(tuple(address[:2]) if address else () for address in (client, server))
