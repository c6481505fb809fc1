"""The gate before everything that the panel serves, pages and WebSockets alike: who asks, from where, how much.

In this order, for each request:

    Host      one of the names under which the panel is served; a page of another site whose name was made to point at
              this machine (DNS rebinding) has its own name there
    Origin    if there is one it must be that of the panel; a WebSocket, and any request that changes something, must
              have one. Browsers send it truly.
    token     operator's or viewer's, in the address once (`?token=`), then in a cookie that scripts cannot read and
              other sites cannot send. Compared in constant time. Browsers send cookies to every port of a host: the
              panel lives in a folder of a random name, for which alone the cookie is, so no other server gets it
    rate      requests of a role, requests of an address without a token, messages of a connection; pages that a role
              opens, and has open
    size      of a body, of a message
    page      a WebSocket speaks for its own page only, which is of the same role, and says nothing that no page says

The role that was found goes along as `scope["state"]["samara_role"]`.
"""

from __future__ import annotations

import hmac
import secrets
import time as clock
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

from samara.dashboard.access.messages import fault, page_of
from samara.dashboard.access.rate_limit import Bucket
from samara.dashboard.access.roles import Role

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

#: What a page may load and talk to: the panel alone. NiceGUI compiles its templates in the browser.
POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self' ws://{host}; worker-src 'self' blob:; "
    "object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
]
SAFE = ("GET", "HEAD")
#: Beginnings of paths behind which there is no page, but parts of one.
PARTS = ("/_nicegui", "/favicon.ico")
#: Where WebSockets are, and the header by which the web library learns of the folder, as behind a proxy.
SOCKETS, FOLDER = "/_nicegui_ws", b"x-forwarded-prefix"
#: Addresses whose requests are counted, at most.
ADDRESSES = 1024


@dataclass(frozen=True)
class Limits:
    """size: of a body or a message [bytes]. A second and at once: messages of a connection; requests of a role, or of
    an address without a token; pages that a role opens. live: pages that a role has open, at most."""

    size: int = 64 * 1024
    messages: tuple[float, float] = (60.0, 240.0)
    requests: tuple[float, float] = (50.0, 600.0)
    pages: tuple[float, float] = (1.0, 10.0)
    live: int = 16


@dataclass(frozen=True)
class Tokens:
    """Random, 256 bits each."""

    operator: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    viewer: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)

    def role(self, token: str) -> Role | None:
        """Whose token this is. Both comparisons take the same time, whatever the token."""
        given = token.encode("utf-8", "replace")
        operator = hmac.compare_digest(given, self.operator.encode())
        viewer = hmac.compare_digest(given, self.viewer.encode())
        return Role.OPERATOR if operator else Role.VIEWER if viewer else None


class _DeniedError(Exception):
    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status, self.reason = status, reason


class Gate:
    """An ASGI application around another. hosts: allowed values of the header Host, "name:port"."""

    def __init__(
        self,
        app: App,
        tokens: Tokens,
        hosts: Iterable[str],
        port: int,
        limits: Limits | None = None,
        refused: Callable[[str, str], None] = lambda address, reason: None,
        live: Callable[[Role], int] = lambda role: 0,
        page_role: Callable[[str], Role | None] = lambda page: None,
    ) -> None:
        self.app = app
        self.home = f"/{secrets.token_urlsafe(16)}"
        self.cookie = f"samara_panel_{port}"
        self._tokens, self._limits, self._refused = tokens, limits or Limits(), refused
        self._hosts = frozenset(host.lower() for host in hosts)
        self._strangers: OrderedDict[str, Bucket] = OrderedDict()
        self._requests = {role: Bucket(*self._limits.requests) for role in Role}
        self._pages = {role: Bucket(*self._limits.pages) for role in Role}
        self._live, self._page_role = live, page_role
        self._tickets: dict[str, str] = {}

    def ticket(self) -> str:
        """Stands for the operator's token once: other users of the machine see the address that a browser is given."""
        ticket = secrets.token_urlsafe(32)
        self._tickets[ticket] = self._tokens.operator
        return ticket

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Lets a request through, or answers it."""
        kind = scope["type"]
        if kind not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        address = str((scope.get("client") or ("unknown",))[0])
        try:
            role, fresh = self._judge(scope, address)
        except _DeniedError as denied:
            self._refused(address, denied.reason)
            await _deny(scope, receive, send, denied)
            return
        if fresh:
            # A page that goes on by itself, not a redirect: a link in another site may have brought the token, and then
            # a browser would not send such a cookie along with a redirect.
            headers = [(b"set-cookie", self._set_cookie(fresh)), (b"content-type", b"text/html; charset=utf-8")]
            page = f'<!doctype html><meta http-equiv="refresh" content="0; url={self.home}/">'
            await _answer(send, 200, page, headers)
            return
        scope = self._at_home(scope)
        scope.setdefault("state", {})["samara_role"] = role
        if kind == "http":
            await self._http(scope, receive, send, address)
        else:
            await self._websocket(scope, receive, send, address)

    def _at_home(self, scope: Message) -> Message:
        """The request as if the panel were at the root; links in its pages begin with the folder."""
        headers = [(name, value) for name, value in scope["headers"] if name.lower() != FOLDER]
        path = scope["path"][len(self.home) :]
        return {**scope, "path": path, "raw_path": path.encode(), "headers": [*headers, (FOLDER, self.home.encode())]}

    # ---- who and from where
    def _judge(self, scope: Message, address: str) -> tuple[Role, str]:
        """The role, and the token if it came in the address and is to become a cookie."""
        headers: dict[str, list[str]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.decode("latin-1").lower(), []).append(value.decode("latin-1"))
        hosts = headers.get("host", [])
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            raise _DeniedError(421, "wrong Host: the panel is not served under this name")
        origins = headers.get("origin", [])
        page = "https" if scope.get("scheme") in ("https", "wss") else "http"
        if any(origin.lower() != f"{page}://{hosts[0].lower()}" for origin in origins):
            raise _DeniedError(403, "wrong Origin: this request comes from another site")
        if not origins and (scope["type"] == "websocket" or scope["method"] not in SAFE):
            raise _DeniedError(403, "no Origin: this request does not come from a page of the panel")
        given = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [])
        if given and scope["type"] == "http" and scope["method"] == "GET":
            token = self._tickets.pop(given[0], given[0])
            role = self._tokens.role(token)
            if role is None:
                raise self._stranger(address, "wrong token")
            self._count(role)
            return role, token
        here = scope.get("path", "").startswith(f"{self.home}/")
        role = self._tokens.role(self._cookie_of(headers.get("cookie", []))) if here else None
        if role is None:
            raise self._stranger(address, "no token")
        self._count(role)
        if scope["type"] == "http" and not scope["path"].startswith(tuple(self.home + part for part in PARTS)):
            self._count_page(role)
        return role, ""

    def _stranger(self, address: str, why: str) -> _DeniedError:
        """What somebody without a token is told. They are counted apart: they must not use up what a role may ask."""
        bucket = self._strangers.pop(address, None) or Bucket(*self._limits.requests)
        self._strangers[address] = bucket
        while len(self._strangers) > ADDRESSES:
            self._strangers.popitem(last=False)
        if not bucket.take(clock.monotonic()):
            return _DeniedError(429, "too many requests: wait a little")
        return _DeniedError(401, f"{why}: use the address printed by `samara panel`")

    def _count(self, role: Role) -> None:
        if not self._requests[role].take(clock.monotonic()):
            raise _DeniedError(429, f"too many requests with the {role.value}'s token: wait a little")

    def _count_page(self, role: Role) -> None:
        """A page is work: to build, and as long as it is open."""
        if self._live(role) >= self._limits.live:
            raise _DeniedError(429, f"{self._limits.live} pages of the {role.value} are open: close one, wait a minute")
        if not self._pages[role].take(clock.monotonic()):
            raise _DeniedError(429, f"the {role.value} opens too many pages: wait a few seconds")

    def _cookie_of(self, headers: list[str]) -> str:
        for header in headers:
            for part in header.split(";"):
                name, _, value = part.strip().partition("=")
                if name == self.cookie:
                    return value
        return ""

    def _set_cookie(self, token: str) -> bytes:
        return f"{self.cookie}={token}; Path={self.home}/; HttpOnly; SameSite=Strict".encode()

    # ---- how much
    async def _http(self, scope: Message, receive: Receive, send: Send, address: str) -> None:
        most, seen, began = self._limits.size, 0, False
        headers = dict(scope["headers"])
        # not every browser takes 'self' to mean a WebSocket too
        policy = (b"content-security-policy", POLICY.encode().replace(b"{host}", headers[b"host"]))
        declared = headers.get(b"content-length", b"0")
        if not declared.isdigit() or int(declared) > most:
            self._refused(address, "a body that is too large")
            await _answer(send, 413, f"the body is larger than {most} bytes\n", [(b"connection", b"close")])
            return

        if scope["path"].startswith(SOCKETS):
            await _answer(send, 400, "a WebSocket is expected here\n", [(b"connection", b"close")])
            return

        async def counted() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > most:
                raise _DeniedError(413, f"the body is larger than {most} bytes")
            return message

        async def guarded(message: Message) -> None:
            nonlocal began
            if message["type"] == "http.response.start":
                began = True
                message["headers"] = [*message.get("headers", []), *HEADERS, policy]
            await send(message)

        try:
            await self.app(scope, counted, guarded)
        except _DeniedError as denied:
            self._refused(address, denied.reason)
            if not began:
                await _answer(send, denied.status, denied.reason + "\n", [(b"connection", b"close")])

    async def _websocket(self, scope: Message, receive: Receive, send: Send, address: str) -> None:
        bucket, closed = Bucket(*self._limits.messages), False
        page, role = page_of(scope.get("query_string", b"")), scope["state"]["samara_role"]

        async def counted() -> Message:
            nonlocal closed
            while not closed:
                message = await receive()
                if message["type"] != "websocket.receive":
                    return message
                text = message.get("text")
                size = len(message.get("bytes") or b"") or len((text or "").encode())
                code, reason = 0, ""
                if size > self._limits.size:
                    code, reason = 1009, f"the message is larger than {self._limits.size} bytes"
                elif not bucket.take(clock.monotonic()):
                    code, reason = 1008, "too many messages"
                elif self._page_role(page) not in (role, None):
                    reason = "a message for a page of another role"
                else:
                    reason = fault(text, page) if text is not None else "a message of bytes"
                if not reason:
                    return message
                self._refused(address, reason)
                if code:
                    closed = True
                    await send({"type": "websocket.close", "code": code, "reason": reason})
            return {"type": "websocket.disconnect", "code": 1008}

        async def quiet(message: Message) -> None:
            if not closed:
                await send(message)

        await self.app(scope, counted, quiet)


async def _deny(scope: Message, receive: Receive, send: Send, denied: _DeniedError) -> None:
    if scope["type"] == "http":
        await _answer(send, denied.status, denied.reason + "\n")
        return
    await receive()  # the request to connect
    if "websocket.http.response" in scope.get("extensions", {}):
        await _answer(send, denied.status, denied.reason + "\n", kind="websocket.http.response")
    else:
        await send({"type": "websocket.close", "code": 1008, "reason": denied.reason})


async def _answer(
    send: Send, status: int, text: str, headers: Iterable[tuple[bytes, bytes]] = (), kind: str = "http.response"
) -> None:
    body = text.encode()
    fixed = [(b"content-length", str(len(body)).encode()), (b"cache-control", b"no-store"), *headers, *HEADERS]
    if not any(name == b"content-type" for name, _ in fixed):
        fixed.append((b"content-type", b"text/plain; charset=utf-8"))
    await send({"type": f"{kind}.start", "status": status, "headers": fixed})
    await send({"type": f"{kind}.body", "body": body})


def served_hosts(names: Iterable[str], port: int) -> list[str]:
    """Values of the header Host for names or addresses; without the port too where it is the usual one."""
    found = []
    for name in names:
        bare = f"[{name}]" if ":" in name else name
        found += [f"{bare}:{port}", *([bare] if port == 80 else [])]
    return found
