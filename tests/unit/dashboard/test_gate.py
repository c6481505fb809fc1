"""The gate's parts; whole refusals are in tests/e2e/test_panel_access.py."""

import asyncio
import json
import logging

import pytest

from samara.dashboard.access.gate import Gate, Limits, Tokens, served_hosts
from samara.dashboard.access.messages import fault
from samara.dashboard.access.rate_limit import Bucket
from samara.dashboard.access.refusals import PAUSE, Refusals
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


def scope(gate, tokens, kind, **others):
    cookie = f"samara_panel_80={tokens.viewer}".encode()
    headers = [(b"host", b"a:80"), (b"origin", b"http://a:80"), (b"cookie", cookie)]
    found = {"type": kind, "scheme": "http", "method": "POST", "headers": headers, "client": ("1", 2)}
    return {**found, "path": f"{gate.home}/", "query_string": b"client_id=page-1", **others}


def test_a_body_is_counted_even_if_its_length_was_not_told():
    tokens = Tokens()
    gate = Gate(reads_all, tokens, ["a:80"], 80, Limits(size=1000))
    pieces = [{"type": "http.request", "body": b"x" * 300, "more_body": True}] * 9
    assert ask(gate, scope(gate, tokens, "http"), pieces)[0]["status"] == 413
    pieces = [{"type": "http.request", "body": b"x" * 300, "more_body": False}]
    assert ask(gate, scope(gate, tokens, "http"), pieces)[0]["status"] == 200


@pytest.mark.parametrize(
    ("message", "code"), [({"text": "x" * 1001}, 1009), ({"bytes": b"x" * 1001}, 1009), ({"text": "ä" * 501}, 1009)]
)
def test_messages_are_counted_in_bytes(message, code):
    tokens = Tokens()
    gate = Gate(reads_all, tokens, ["a:80"], 80, Limits(size=1000))
    small = {"type": "websocket.receive", "text": said(ack(message="x" * 910))}
    assert 900 < len(small["text"]) < 1000
    large = {"type": "websocket.receive", **message}
    sent = ask(gate, scope(gate, tokens, "websocket"), [small, large, small])
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


def ack(page="page-1", **others):
    return ["ack", {"client_id": page, "next_message_id": 3, **others}]


def said(message):
    """As Socket.IO writes it."""
    return f"42{json.dumps(message)}"


def status(gate, token, path="/", address="1"):
    """What a GET with this token is answered."""
    path = gate.home + path
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
    assert "opens too many pages" in status(gate, tokens.viewer, "/nothing/here")[1]
    assert status(gate, tokens.viewer, "/_nicegui/a.js")[0] == 200  # the pages that are open go on
    assert status(gate, tokens.operator)[0] == 200


@pytest.mark.parametrize("name", [b"host", b"origin"])
def test_a_header_that_comes_twice_is_refused(name):
    tokens = Tokens()
    gate = Gate(reads_all, tokens, ["a:80"], 80)
    found = scope(gate, tokens, "http")
    found["headers"].append((name, b"http://evil.example"))
    sent = ask(gate, found, [])
    assert sent[0]["status"] in (403, 421)


def test_the_panel_lives_in_a_folder_that_nobody_else_knows():
    """A browser sends a cookie to all ports of a host, but only for the folder that it is for."""
    tokens, seen = Tokens(), []

    async def app(scope, receive, send):
        seen.append(scope)
        await reads_all(scope, receive, send)

    gate = Gate(app, tokens, ["a:80"], 80)
    assert len(gate.home) > 20 and gate.home != Gate(app, tokens, ["a:80"], 80).home
    entry = {"type": "http", "method": "GET", "path": "/", "headers": [(b"host", b"a:80")], "client": ("1", 2)}
    answer = ask(gate, {**entry, "query_string": f"token={tokens.viewer}".encode()}, [])
    cookie = dict(answer[0]["headers"])[b"set-cookie"].decode()
    assert f"; Path={gate.home}/; HttpOnly; SameSite=Strict" in cookie
    assert f"url={gate.home}/" in answer[1]["body"].decode()
    found = scope(gate, tokens, "http", path=f"{gate.home}/_nicegui/a.js")
    found["headers"].append((b"x-forwarded-prefix", b"/elsewhere"))
    assert ask(gate, found, [{"type": "http.request", "body": b""}])[0]["status"] == 200
    prefixes = [value for name, value in seen[0]["headers"] if name == b"x-forwarded-prefix"]
    assert (seen[0]["path"], prefixes) == ("/_nicegui/a.js", [gate.home.encode()])
    for path in ("/", "/_nicegui/a.js", gate.home, f"{gate.home}x/"):
        assert ask(gate, scope(gate, tokens, "http", path=path), [])[0]["status"] == 401


EVENT = {"client_id": "page-1", "id": 7, "listener_id": "l", "args": ["{}", None]}


@pytest.mark.parametrize(
    "text",
    [
        "2", "3", "40", "40{}", "41", said(ack()), said(["event", EVENT]), f"420{json.dumps(['event', EVENT])}",
        said(["log", {"client_id": "page-1", "level": "error", "message": "x"}]),
        said(["javascript_response", {"client_id": "page-1", "request_id": "r", "result": [1]}]),
        said(["handshake", {"client_id": "page-1", "tab_id": "t", "document_id": "d"}]),
    ],
)  # fmt: skip
def test_what_pages_say(text):
    assert fault(text, "page-1") == ""


@pytest.mark.parametrize(
    "text",
    [
        "", "42", "42[]", "42[1]", '42["event"]', '42["event", 5]', '42["event", {}]', "4", "40/admin,", "45-",
        "x" * 99,
        "42" + "[" * 9000, said(["connect", EVENT]), said([["event"], EVENT]), said(["event", [EVENT]]),
        said(["event", EVENT | {"id": None}]), said(["event", EVENT | {"id": "a b"}]),
        said(["event", EVENT | {"id": {}}]),
        said(["event", EVENT | {"args": "[]"}]), said(["event", EVENT | {"args": [{}]}]),
        said(["event", EVENT | {"args": ["{"]}]), said(["event", EVENT | {"listener_id": 5}]),
        said(["log", {"client_id": "page-1", "level": "fatal", "message": "x"}]), said(ack(next_message_id=[])),
    ],
)  # fmt: skip
def test_what_no_page_says(text):
    assert fault(text, "page-1") == "a message that no page sends"


def test_no_message_is_too_strange(rng):
    """Any bytes and any change of a good one: an answer, never an error."""
    good = said(["event", EVENT])
    for _ in range(20_000):
        letters = list(good)
        for place in rng.integers(0, len(letters), rng.integers(1, 6)):
            letters[place] = chr(rng.choice([*range(32, 127), 0, 0x2028, 0xD800]))
        assert isinstance(fault("".join(letters[: rng.integers(1, len(letters) + 1)]), "page-1"), str)


def test_a_socket_speaks_for_its_own_page():
    """Other messages do not get through; those after them do."""
    tokens, refused = Tokens(), []
    roles = {"page-1": Role.VIEWER, "page-2": Role.OPERATOR}
    told = lambda address, reason: refused.append(reason)  # noqa: E731
    gate = Gate(reads_all, tokens, ["a:80"], 80, refused=told, page_role=roles.get)
    texts = [said(ack()), said(ack("page-2")), "rubbish", said(ack())]
    messages = [*({"type": "websocket.receive", "text": text} for text in texts), {"type": "websocket.disconnect"}]
    sent = ask(gate, scope(gate, tokens, "websocket"), messages)
    assert [message["type"] for message in sent] == ["websocket.accept", "websocket.send", "websocket.send"]
    assert refused == ["a message for another page", "a message that no page sends"]
    found = scope(gate, tokens, "websocket", query_string=b"client_id=page-2")
    sent = ask(gate, found, [{"type": "websocket.receive", "text": said(ack("page-2"))}, messages[-1]])
    assert [message["type"] for message in sent] == ["websocket.accept"]
    assert refused[-1] == "a message for a page of another role"


def test_refusals_do_not_fill_the_log():
    told = []
    refusals = Refusals(lambda address, words: told.append(words))
    for k in range(1000):
        refusals.add("1", "no token", 0.001 * k)
    refusals.add("1", "wrong Host", 1.0)
    refusals.add("1", "no token", PAUSE)
    assert told == ["refused: no token", "refused: wrong Host", "refused: no token (999 more since the last note)"]
    for k in range(1000):
        refusals.add("1", f"made up {k}", PAUSE + 1.0)
    assert len(told) < 100


def test_errors_of_the_libraries_are_short_lines():
    pytest.importorskip("nicegui")
    from samara.dashboard.server.plain_log import LONGEST, PlainLog

    now, plain = [0.0], PlainLog(lambda: now[0])

    def record(words, error=None):
        trace = (type(error), error, None) if error else None
        return logging.LogRecord("nicegui", logging.ERROR, __file__, 1, words, (), trace)

    lines = []
    for k in range(50):
        one = record("Traceback\n  of many lines", KeyError("a\nname" + "x" * 5000))
        now[0] = 0.1 * k
        if plain.filter(one):
            lines.append(one)
    assert len(lines) == 1 and lines[0].exc_info is None
    assert lines[0].getMessage().startswith("KeyError: ") and len(lines[0].getMessage()) <= LONGEST
    now[0] = 10.0
    again, other = record("x", KeyError("b")), record("one\x1b[2J\nline")
    assert plain.filter(again) and "(49 more" in again.getMessage()
    assert plain.filter(other) and other.getMessage() == "one [2J line"
