"""The panel's process: a feed, a gate, and a server for the pages."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import itertools
import json
import os
import socket
import sys
import time as clock
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import uvicorn
from fastapi import FastAPI, Request
from nicegui import Client, app, core, ui

from samara.dashboard.access.gate import App, Gate, Limits, Tokens, served_hosts
from samara.dashboard.access.refusals import Refusals
from samara.dashboard.access.roles import Role, Visitor
from samara.dashboard.desk.kept_pages import KeptPages
from samara.dashboard.feed.events import EventKind, EventLog
from samara.dashboard.feed.feed import RATE
from samara.dashboard.flight.pilot import FIRST, LOST
from samara.dashboard.flight.pilot import RATE as STICK_RATE
from samara.dashboard.page import Page
from samara.dashboard.server.browser import show
from samara.dashboard.server.connections import BACKLOG, LONGEST_HEADER, Connections
from samara.dashboard.server.plain_log import PlainLog
from samara.dashboard.server.shown import Shown

#: How long the panel stays when the simulator has ended and no page is open [s].
LINGER = 10.0
LOOPBACK = ("127.0.0.1", "localhost", "::1")
#: How long a page that has lost its connection may take to come back, and how long one on a busy machine may be silent
#: before its connection counts as lost [s]: a page that is loaded anew forgets what was typed.
AWAY, STARVED = 10.0, FIRST
#: By how much the panel steps back behind other processes (nice), unless it is flown from: then it is a controller.
NICE = 5


def serve(
    name: str,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    linger: float = LINGER,
    limits: Limits | None = None,
    ready: Callable[[dict[str, Any]], None] = lambda news: print(json.dumps(news), flush=True),
    timeout: float = 10.0,
    pilot_timeout: float = LOST,
    open_browser: bool = False,
    again: Sequence[str] = (),
    only_pages: bool = False,
) -> int:
    """Serves the panel of a session until its simulator has ended and no page has been open for `linger` [s].

    A simulator that is started under the same name meanwhile is shown as well.

    port: 0 takes one that is free. ready: is told the addresses, {"operator": ..., "viewer": ..., "port": ...}.
    pilot_timeout: silence of the page that flies after which its pilot is lost [s]. open_browser: whether to show the
    operator's page. again: the command that starts the simulator again, for the button of the operator's page.
    only_pages: whether it ends without pages also while the simulator is there.
    """
    limits = limits or Limits()
    shown = Shown(name, timeout, pilot_timeout, again)
    if not shown.seat.there:
        with contextlib.suppress(OSError, AttributeError):
            os.nice(NICE)
    bound = _bind(host, port)
    port = bound.getsockname()[1]
    tokens = Tokens()
    refused = _refusals(shown.events)
    PlainLog(clock.monotonic).install()
    app.on_exception(lambda error: refused("panel", f"what made an error in the page ({type(error).__name__})"))
    pages = Pages()
    connections = Connections(refused)
    site = connections.known(_site(shown, pages))
    hosts = served_hosts(_names(host), port)
    gate = Gate(site, tokens, hosts, port, limits, refused, pages.live, pages.role)
    server = _server(connections.serving(gate), connections, limits)

    async def observe() -> None:
        await _observe(shown, pages, connections, linger, only_pages)
        server.should_exit = True

    tasks: list[asyncio.Task[None]] = []
    app.on_startup(lambda: setattr(core.sio.eio, "ping_timeout", STARVED))  # after NiceGUI has chosen its own
    app.on_startup(lambda: tasks.append(asyncio.create_task(observe())))
    app.on_startup(lambda: tasks.append(asyncio.create_task(_fly(shown))))
    address = f"http://{_shown(host)}:{port}/?token="
    news = {"operator": address + tokens.operator, "viewer": address + tokens.viewer, "session": name, "port": port}

    def serving() -> None:
        ready(news)
        if open_browser:
            show(address + gate.ticket())

    try:
        asyncio.run(_run(server, bound, serving))
    finally:
        shown.close()
    return 0


def _refusals(events: EventLog) -> Callable[[str, str], None]:
    """What is called with an address and a reason: it notes them in the events, and on standard error."""

    def tell(address: str, words: str) -> None:
        events.add(EventKind.ACCESS, words, address)
        print(f"samara panel: {words} [{address}]", file=sys.stderr, flush=True)

    refusals = Refusals(tell)
    return lambda address, reason: refusals.add(address, reason, clock.monotonic())


def _server(site: App, connections: Connections, limits: Limits) -> uvicorn.Server:
    config = uvicorn.Config(
        site, log_level="error", access_log=False, server_header=False, proxy_headers=False,
        http=connections.line, h11_max_incomplete_event_size=LONGEST_HEADER, backlog=BACKLOG,
        ws_max_size=limits.size, timeout_keep_alive=5, timeout_graceful_shutdown=2,
    )  # fmt: skip
    return uvicorn.Server(config)


def _shown(host: str) -> str:
    """The name of this machine in the addresses."""
    if host in ("0.0.0.0", "::"):
        return socket.gethostname()
    return f"[{host}]" if ":" in host else host


async def _run(server: uvicorn.Server, bound: socket.socket, ready: Callable[[], None]) -> None:
    async def tell() -> None:
        while not server.started:
            await asyncio.sleep(0.02)
        ready()

    telling = asyncio.create_task(tell())
    try:
        await server.serve(sockets=[bound])
    finally:
        telling.cancel()


async def _observe(shown: Shown, pages: Pages, connections: Connections, linger: float, only_pages: bool) -> None:
    """Brings the feed up to date, by the clock; returns some time after the run has ended and the last page was closed.

    A run that was started from a page does not keep the panel: nobody else would end it.
    """
    period, due, told = 1.0 / RATE, clock.monotonic(), ""
    needed = due
    while clock.monotonic() < needed + linger:
        try:
            connections.sweep(clock.monotonic())
            shown.feed.update()
            shown.desk.serve()
            if shown.renew(clock.monotonic()):
                pages.reload()
        except Exception as error:  # a page must not lose the others their data
            if (words := f"{type(error).__name__}: {error}") != told:
                told = words
                print(f"samara panel: {words}", file=sys.stderr, flush=True)
                shown.events.add(EventKind.LOOP, f"error in the panel: {words}", "panel")
        alone = only_pages or (shown.rerun is not None and shown.rerun.running)
        if pages.open or (shown.feed.there and not alone):
            needed = clock.monotonic()
        due = max(due + period, clock.monotonic())
        await asyncio.sleep(max(due - clock.monotonic(), 0.001))


async def _fly(shown: Shown) -> None:
    """Moves the sticks by the clock, as long as the panel serves."""
    told = ""
    while True:
        try:
            if shown.seat.there:
                shown.seat.serve()
        except Exception as error:  # the pilot must hear of it, and the sticks go on
            if (words := f"{type(error).__name__}: {error}") != told:
                told = words
                shown.events.add(EventKind.FLIGHT, f"error: {words}", "panel")
        await asyncio.sleep(1.0 / STICK_RATE)


class Pages:
    """Pages that are open, or just fetched, and their roles: one that does not connect is forgotten after a minute."""

    def __init__(self) -> None:
        self._pages: dict[str, tuple[Client, Role]] = {}

    def add(self, page: Client, role: Role) -> None:
        """One more, until it is deleted."""
        self._pages[page.id] = page, role
        page.on_delete(lambda: self._pages.pop(page.id, None))

    def role(self, page: str) -> Role | None:
        """Of a page; None if there is none of that number."""
        return self._pages[page][1] if page in self._pages else None

    def live(self, role: Role) -> int:
        """How many of a role there are."""
        return sum(found is role for _, found in self._pages.values())

    @property
    def open(self) -> bool:
        """Whether there is any."""
        return bool(self._pages)

    def reload(self) -> None:
        """Loads all of them anew; each finds its scopes and gauges again."""
        for page, _ in list(self._pages.values()):
            _ = page.run_javascript("location.reload()")


def _site(shown: Shown, pages: Pages) -> App:
    numbers, kept = itertools.count(1), KeptPages()
    site = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)

    @ui.page("/")
    def index(request: Request) -> None:
        role: Role = request.state.samara_role
        pages.add(ui.context.client, role)
        where = request.client.host if request.client else ""
        far = "" if is_loopback(where) else f", {where}"
        Page(shown.feed, shown.desk, shown.seat, Visitor(role, f"page {next(numbers)}{far}"), kept)

    ui.run_with(
        site,
        title="Samara",
        dark=True,
        reconnect_timeout=AWAY,
        binding_refresh_interval=None,
        show_welcome_message=False,
        favicon="✈️",
    )
    return site


def _bind(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
    except OSError as error:
        bound.close()
        raise OSError(f"cannot serve on {host} port {port}: {error.strerror or error}; choose another --port") from None
    return bound


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach it."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _names(host: str) -> Iterable[str]:
    """Names under which the panel is reached."""
    if is_loopback(host):
        return LOOPBACK
    if host not in ("0.0.0.0", "::"):
        return (host, *LOOPBACK)
    own = socket.gethostname()
    found = {own, socket.getfqdn(), *LOOPBACK}
    with contextlib.suppress(OSError):
        found |= {str(entry[4][0]) for entry in socket.getaddrinfo(own, None)}
    return sorted(found)
