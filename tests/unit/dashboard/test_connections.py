"""Connections that are only held shut nobody out; those that are used stay."""

import asyncio

import pytest

pytest.importorskip("nicegui")
from samara.dashboard.server.connections import MOST, PATIENCE, STRANGERS, Connections

HERE = ("127.0.0.1", 80)


class Transport:
    """A connection that knows whether it was closed."""

    def __init__(self):
        self.there = True

    def abort(self):
        self.there = False


class Door:
    """Connections by number."""

    def __init__(self):
        self.told = []
        self.connections = Connections(lambda address, why: self.told.append(why))
        self.lines = []

    def open(self, now=0.0):
        key, transport = (("1.2.3.4", len(self.lines)), HERE), Transport()
        self.lines.append(transport)
        self.connections.opened(key, transport, now)

    def ask(self, number, kind="http", known=True, meanwhile=lambda: None):
        """A request, from its first byte to the end of its answer."""

        async def app(scope, receive, send):
            meanwhile()

        whole = self.connections.serving(self.connections.known(app) if known else app)
        asyncio.run(whole({"type": kind, "client": ("1.2.3.4", number), "server": HERE}, None, None))

    @property
    def there(self):
        return [k for k, line in enumerate(self.lines) if line.there]


@pytest.fixture
def door():
    return Door()


def test_strangers_make_room_for_others(door):
    """Those who showed a token stay, however many come without one; the oldest stranger goes first."""
    door.open()
    door.ask(0)
    for _ in range(1100):
        door.open()
    assert door.there == [0, *range(1101 - STRANGERS, 1101)]
    assert len(door.connections) == STRANGERS + 1
    assert len(door.told) == 1100 - STRANGERS and "without a token" in door.told[0]


def test_who_is_being_answered_is_not_cut_off(door):
    """A request whose token is just being read: those who only hold connections go first, even newer ones."""
    door.open()
    door.ask(0, known=False, meanwhile=lambda: [door.open() for _ in range(200)])
    assert door.there[0] == 0 and len(door.connections) == STRANGERS


def test_there_is_an_end_with_tokens_too(door):
    for k in range(MOST + 10):
        door.open()
        door.ask(k)
    assert len(door.connections) == MOST and door.there == list(range(10, MOST + 10))


@pytest.mark.parametrize("known", [False, True])
def test_silence_is_not_borne(door, known):
    """Measured from the end of the last request; nothing that is being served is cut off."""
    door.open(now=5.0)
    door.connections.sweep(5.0 + PATIENCE)
    assert door.there == [0]
    door.ask(0, known=known, meanwhile=lambda: door.connections.sweep(1e9))
    assert door.there == [0]
    door.connections.sweep(1e9)
    assert door.there == [] and len(door.told) == (not known)


def test_what_ended_is_forgotten(door):
    for kind in ("http", "websocket"):
        door.open()
        door.ask(len(door.lines) - 1, kind)
    assert len(door.connections) == 1  # the server tells when the other one ends
    door.connections.closed((("1.2.3.4", 0), HERE))
    assert len(door.connections) == 0
    door.ask(0)  # one that is not known is served all the same
