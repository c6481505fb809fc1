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
from collections.abc import Callable, Iterable
from typing import Any

import uvicorn
from fastapi import FastAPI, Request
from nicegui import Client, app, core, ui

from samara.dashboard.access.gate import App, Gate, Limits, Tokens, served_hosts
from samara.dashboard.access.refusals import Refusals
from samara.dashboard.access.roles import Role, Visitor
from samara.dashboard.desk.desk import Desk
from samara.dashboard.desk.kept_pages import KeptPages
from samara.dashboard.feed.events import EventKind
from samara.dashboard.feed.feed import RATE, Feed
from samara.dashboard.flight.pilot import FIRST, LOST, PilotSeat
from samara.dashboard.flight.pilot import RATE as STICK_RATE
from samara.dashboard.page import Page
from samara.dashboard.server.browser import show
from samara.dashboard.server.connections import BACKLOG, LONGEST_HEADER, Connections
from samara.dashboard.server.plain_log import PlainLog
from samara.realtime.session import Session

#: How long the panel stays when the simulator has ended [s].
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
) -> int:
    """Serves the panel of a session until its simulator has ended, and `linger` [s] more.

    port: 0 takes one that is free. ready: is told the addresses, {"operator": ..., "viewer": ..., "port": ...}.
    pilot_timeout: silence of the page that flies after which its pilot is lost [s]. open_browser: whether to show the
    operator's page.
    """
    limits = limits or Limits()
    session = Session.connect(name, timeout=timeout)
    if "sticks" not in session.scene:
        with contextlib.suppress(OSError, AttributeError):
            os.nice(NICE)
    bound = _bind(host, port)
    port = bound.getsockname()[1]
    tokens = Tokens()
    feed = Feed(session)
    desk = Desk(feed)
    desk.begin()
    refused = _refusals(feed)
    PlainLog(clock.monotonic).install()
    app.on_exception(lambda error: refused("panel", f"what made an error in the page ({type(error).__name__})"))
    seat, pages = PilotSeat(desk, pilot_timeout), Pages()
    connections = Connections(refused)
    site = connections.known(_site(feed, desk, seat, pages))
    hosts = served_hosts(_names(host), port)
    gate = Gate(site, tokens, hosts, port, limits, refused, pages.live, pages.role)
    server = _server(connections.serving(gate), connections, limits)

    async def observe() -> None:
        await _observe(feed, desk, connections, linger)
        server.should_exit = True

    tasks: list[asyncio.Task[None]] = []
    app.on_startup(lambda: setattr(core.sio.eio, "ping_timeout", STARVED))  # after NiceGUI has chosen its own
    app.on_startup(lambda: tasks.append(asyncio.create_task(observe())))
    if seat.there:
        app.on_startup(lambda: tasks.append(asyncio.create_task(_fly(seat))))
    address = f"http://{_shown(host)}:{port}/?token="
    news = {"operator": address + tokens.operator, "viewer": address + tokens.viewer, "session": name, "port": port}

    def serving() -> None:
        ready(news)
        if open_browser:
            show(address + gate.ticket())

    asyncio.run(_run(server, bound, serving))
    feed.close()
    return 0


def _refusals(feed: Feed) -> Callable[[str, str], None]:
    """What is called with an address and a reason: it notes them in the events, and on standard error."""

    def tell(address: str, words: str) -> None:
        feed.events.add(EventKind.ACCESS, words, address)
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


async def _observe(feed: Feed, desk: Desk, connections: Connections, linger: float) -> None:
    """Brings the feed up to date, by the clock; returns some time after the simulator has ended."""
    period, due, gone, told = 1.0 / RATE, clock.monotonic(), None, ""
    while gone is None or clock.monotonic() < gone + linger:
        try:
            connections.sweep(clock.monotonic())
            feed.update()
            desk.serve()
        except Exception as error:  # a page must not lose the others their data
            if (words := f"{type(error).__name__}: {error}") != told:
                told = words
                print(f"samara panel: {words}", file=sys.stderr, flush=True)
                feed.events.add(EventKind.LOOP, f"error in the panel: {words}", "panel")
        if gone is None and not feed.there:
            gone = clock.monotonic()
        due = max(due + period, clock.monotonic())
        await asyncio.sleep(max(due - clock.monotonic(), 0.001))


async def _fly(seat: PilotSeat) -> None:
    """Moves the sticks by the clock, as long as the panel serves."""
    told = ""
    while True:
        try:
            seat.serve()
        except Exception as error:  # the pilot must hear of it, and the sticks go on
            if (words := f"{type(error).__name__}: {error}") != told:
                told = words
                seat.feed.events.add(EventKind.FLIGHT, f"error: {words}", "panel")
        await asyncio.sleep(1.0 / STICK_RATE)


class Pages:
    """Pages that are open, or just fetched, and their roles: one that does not connect is forgotten after a minute."""

    def __init__(self) -> None:
        self._roles: dict[str, Role] = {}

    def add(self, page: Client, role: Role) -> None:
        """One more, until it is deleted."""
        self._roles[page.id] = role
        page.on_delete(lambda: self._roles.pop(page.id, None))

    def role(self, page: str) -> Role | None:
        """Of a page; None if there is none of that number."""
        return self._roles.get(page)

    def live(self, role: Role) -> int:
        """How many of a role there are."""
        return sum(found is role for found in self._roles.values())


def _site(feed: Feed, desk: Desk, seat: PilotSeat, pages: Pages) -> App:
    numbers, kept = itertools.count(1), KeptPages()
    site = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)

    @ui.page("/")
    def index(request: Request) -> None:
        role: Role = request.state.samara_role
        pages.add(ui.context.client, role)
        where = request.client.host if request.client else ""
        far = "" if is_loopback(where) else f", {where}"
        Page(feed, desk, seat, Visitor(role, f"page {next(numbers)}{far}"), kept)

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
