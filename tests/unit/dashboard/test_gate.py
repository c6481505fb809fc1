"""The gate's parts; whole refusals are in tests/e2e/test_panel_access.py."""

import asyncio

import pytest

from samara.dashboard.access.gate import Gate, Limits, Tokens, served_hosts
from samara.dashboard.access.rate_limit import Bucket
from samara.dashboard.access.roles import Role


def test_a_bucket_lets_a_burst_through_and_then_a_rate():
    bucket = Bucket(rate=10.0, burst=5.0)
    assert [bucket.take(0.0) for _ in range(7)] == [True] * 5 + [False] * 2
    assert [bucket.take(0.1 * k + 0.1) for k in range(20)].count(True) == 20  # one every 0.1 s
    assert sum(bucket.take(10.0 + 0.01 * k) for k in range(1000)) == pytest.approx(5 + 100, abs=1)


def test_tokens_are_random_and_tell_roles():
    tokens, others = Tokens(), Tokens()
    assert len({tokens.operator, tokens.viewer, others.operator, others.viewer}) == 4
    assert len(tokens.operator) >= 43  # 256 bits
    assert tokens.role(tokens.operator) is Role.OPERATOR and tokens.role(tokens.viewer) is Role.VIEWER
    assert tokens.role("") is None and tokens.role("é") is None and tokens.role(others.operator) is None
    assert tokens.operator not in repr(tokens)


def test_hosts():
    assert served_hosts(["127.0.0.1", "::1"], 8080) == ["127.0.0.1:8080", "[::1]:8080"]
    assert "localhost" in served_hosts(["localhost"], 80)


def ask(gate, scope, messages):
    """What a request is answered, without a network."""
    sent, waiting = [], list(messages)

    async def receive():
        return waiting.pop(0)

    async def send(message):
        sent.append(message)

    asyncio.run(gate(scope, receive, send))
    return sent


async def reads_all(scope, receive, send):
    """An application that takes what comes, and tells the role."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            await send({"type": "websocket.send", "text": scope["state"]["samara_role"].value})
        return
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def scope(tokens, kind, **others):
    cookie = f"samara_panel_80={tokens.viewer}".encode()
    headers = [(b"host", b"a:80"), (b"origin", b"http://a:80"), (b"cookie", cookie)]
    return {"type": kind, "scheme": "http", "method": "POST", "headers": headers, "client": ("1", 2), **others}


def test_a_body_is_counted_even_if_its_length_was_not_told():
    tokens = Tokens()
    gate = Gate(reads_all, tokens, ["a:80"], 80, Limits(size=1000))
    pieces = [{"type": "http.request", "body": b"x" * 300, "more_body": True}] * 9
    assert ask(gate, scope(tokens, "http"), pieces)[0]["status"] == 413
    pieces = [{"type": "http.request", "body": b"x" * 300, "more_body": False}]
    assert ask(gate, scope(tokens, "http"), pieces)[0]["status"] == 200


@pytest.mark.parametrize(
    ("message", "code"), [({"text": "x" * 1001}, 1009), ({"bytes": b"x" * 1001}, 1009), ({"text": "ä" * 501}, 1009)]
)
def test_messages_are_counted_in_bytes(message, code):
    tokens = Tokens()
    gate = Gate(reads_all, tokens, ["a:80"], 80, Limits(size=1000))
    small = {"type": "websocket.receive", "text": "x" * 1000}
    large = {"type": "websocket.receive", **message}
    sent = ask(gate, scope(tokens, "websocket"), [small, large, small])
    assert sent[1] == {"type": "websocket.send", "text": "viewer"}
    assert (sent[-1]["type"], sent[-1]["code"]) == ("websocket.close", code)


def test_a_ticket_is_good_once():
    tokens = Tokens()
    gate = Gate(reads_all, tokens, ["a:80"], 80)
    found = {"type": "http", "method": "GET", "headers": [(b"host", b"a:80")], "client": ("1", 2)}
    query = f"token={gate.ticket()}".encode()
    first, again = (ask(gate, {**found, "query_string": query}, [])[0] for _ in range(2))
    assert first["status"] == 200 and tokens.operator.encode() in dict(first["headers"])[b"set-cookie"]
    assert again["status"] == 401 and b"set-cookie" not in dict(again["headers"])


def status(gate, token, path="/", address="1"):
    """What a GET with this token is answered."""
    headers = [(b"host", b"a:80"), (b"cookie", f"samara_panel_80={token}".encode())]
    found = {"type": "http", "method": "GET", "path": path, "headers": headers, "client": (address, 2)}
    sent = ask(gate, found, [{"type": "http.request", "body": b""}])
    return sent[0]["status"], sent[1]["body"].decode()


def test_who_has_no_token_cannot_use_up_what_others_may_ask():
    tokens = Tokens()
    gate = Gate(reads_all, tokens, ["a:80"], 80, Limits(requests=(1e-3, 5.0)))
    part = "/_nicegui/a.js"
    assert [status(gate, "wrong", part)[0] for _ in range(7)] == [401] * 5 + [429] * 2
    assert status(gate, "wrong", part, "2")[0] == 401  # another address
    assert [status(gate, tokens.viewer, part)[0] for _ in range(6)] == [200] * 5 + [429]
    assert [status(gate, tokens.operator, part)[0] for _ in range(6)] == [200] * 5 + [429]


def test_a_role_opens_so_many_pages():
    tokens, live = Tokens(), dict.fromkeys(Role, 0)
    gate = Gate(reads_all, tokens, ["a:80"], 80, Limits(pages=(1e-3, 3.0), live=2), live=live.__getitem__)
    live[Role.VIEWER] = 2
    assert status(gate, tokens.viewer) == (429, "2 pages of the viewer are open: close one, wait a minute\n")
    live[Role.VIEWER] = 1
    assert [status(gate, tokens.viewer)[0] for _ in range(4)] == [200] * 3 + [429]
    assert "opens pages too often" in status(gate, tokens.viewer, "/nothing/here")[1]
    assert status(gate, tokens.viewer, "/_nicegui/a.js")[0] == 200  # the pages that are open go on
    assert status(gate, tokens.operator)[0] == 200


@pytest.mark.parametrize("name", [b"host", b"origin"])
def test_a_header_that_comes_twice_is_refused(name):
    tokens = Tokens()
    found = scope(tokens, "http")
    found["headers"].append((name, b"http://evil.example"))
    sent = ask(Gate(reads_all, tokens, ["a:80"], 80), found, [])
    assert sent[0]["status"] in (403, 421)
