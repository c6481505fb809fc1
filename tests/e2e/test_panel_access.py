"""Every refusal of the panel, over real HTTP and WebSockets: wrong token, Host, Origin, role, size, rate."""

import asyncio
import contextlib
import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import urllib.parse

import pytest

pytest.importorskip("nicegui")
import httpx
import socketio
from panel_bench import FakeSimulator, wait_for
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from samara.cli import main
from samara.dashboard.access.gate import Limits
from samara.dashboard.server.start import PanelError, start_panel
from samara.realtime import Command, Session

SOCKET = "/_nicegui_ws/socket.io/?EIO=4&transport=websocket&client_id=nobody"


class Site:
    """A panel that serves, and what a browser would know of it."""

    def __init__(self, panel):
        self.panel = panel
        found = urllib.parse.urlsplit(panel.operator)
        self.host, self.origin = found.netloc, f"http://{found.netloc}"
        self.cookie = f"samara_panel_{found.port}"
        self.tokens = {
            role: urllib.parse.parse_qs(urllib.parse.urlsplit(getattr(panel, role)).query)["token"][0]
            for role in ("operator", "viewer")
        }
        cookie = httpx.get(panel.viewer).headers["set-cookie"]
        self.folder = re.search(r"Path=(/[\w-]+)/;", cookie)[1]
        self.home = self.origin + self.folder

    def headers(self, role="operator", **others):
        return {"Cookie": f"{self.cookie}={self.tokens[role]}"} | others

    def get(self, path="/", **headers):
        return httpx.get(self.home + path, headers=headers)

    def socket(self, origin="same", role="operator", cookie=True, host=None):
        """A WebSocket as a page opens it."""
        headers = self.headers(role) if cookie else {}
        if host:
            headers["Host"] = host
        return connect(
            f"ws://{self.host}{self.folder}{SOCKET}",
            origin=self.origin if origin == "same" else origin,
            additional_headers=headers,
            max_size=None,
            compression=None,
        )


@pytest.fixture(scope="module")
def simulator():
    found = FakeSimulator(f"test-access-{os.getpid()}")
    yield found
    found.close()


@pytest.fixture(scope="module")
def site(simulator, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        panel = start_panel(simulator.session.card.name, linger=0.5)
    yield Site(panel)
    panel.process.kill()
    panel.process.wait()


# ---- pages
def test_the_token_becomes_a_cookie_that_scripts_and_other_sites_cannot_use(site):
    answer = httpx.get(site.panel.operator)
    assert answer.status_code == 200 and f'content="0; url={site.folder}/"' in answer.text  # then on to the page
    assert answer.headers["cache-control"] == "no-store" and answer.headers["referrer-policy"] == "no-referrer"
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
    page = site.get(**site.headers())
    assert page.status_code == 200
    assert site.tokens["operator"] not in page.text and site.tokens["viewer"] not in page.text


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/", {}),
        ("/?token=wrong", {}),
        ("/?token=", {}),
        ("/", {"Cookie": "{cookie}=wrong"}),
        ("/", {"Cookie": "other={operator}"}),
        ("/_nicegui/3/static/nicegui.js", {}),
        ("/_nicegui_ws/socket.io/?EIO=4&transport=polling", {}),
        ("/?token={viewer}x", {}),
    ],
)
def test_without_the_right_token_there_is_nothing(site, path, headers):
    known = {"cookie": site.cookie, **site.tokens}
    answer = site.get(path.format(**known), **{name: value.format(**known) for name, value in headers.items()})
    assert answer.status_code == 401
    assert "token" in answer.text and "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.nip.io:{port}"]
)
def test_another_name_for_this_machine_is_refused(site, host):
    port = site.host.rpartition(":")[2]
    answer = site.get(**site.headers(Host=host.format(port=port)))
    assert (answer.status_code, "wrong Host" in answer.text) == (421, True)


def test_names_of_the_loopback_are_the_panels_own(site):
    port = site.host.rpartition(":")[2]
    assert site.get(**site.headers(Host=f"localhost:{port}")).status_code == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://{host}", "http://127.0.0.1", "http://localhost:1"]
)
def test_a_page_of_another_site_is_refused(site, origin):
    answer = site.get(**site.headers(Origin=origin.format(host=site.host)))
    assert (answer.status_code, "wrong Origin" in answer.text) == (403, True)


def test_what_changes_something_must_say_where_it_comes_from(site):
    polling = f"{site.home}/_nicegui_ws/socket.io/?EIO=4&transport=polling"
    answer = httpx.post(polling, headers=site.headers(), content=b"40")
    assert (answer.status_code, "no Origin" in answer.text) == (403, True)


def test_nothing_is_loaded_from_elsewhere(site):
    answer = site.get(**site.headers())
    policy = answer.headers["content-security-policy"]
    assert "default-src 'self'" in policy and "http" not in policy and "frame-ancestors 'none'" in policy
    assert not re.findall(r"""(?:src|href)=["']https?:""", answer.text)


# ---- how much
def test_a_body_that_is_too_large(site):
    large = b"x" * (Limits().size + 1)
    polling = f"{site.home}/_nicegui_ws/socket.io/?EIO=4&transport=polling"
    headers = site.headers(Origin=site.origin)
    assert httpx.post(polling, headers=headers, content=large).status_code == 413
    pieces = (large[k : k + 4096] for k in range(0, len(large), 4096))  # of a length that is not told
    assert httpx.post(polling, headers=headers, content=b"40").status_code == 400  # what is said there is not looked at
    assert httpx.post(f"{site.home}/", headers=headers, content=pieces).status_code in (405, 413)


def test_a_message_that_is_too_large(site):
    with site.socket() as ws:
        assert ws.recv().startswith("0{")
        ws.send("4" + "x" * Limits().size)
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                ws.recv(timeout=10.0)
    assert closed.value.rcvd.code == 1009


def test_too_many_messages(site):
    with site.socket() as ws:
        ws.recv()
        with pytest.raises(ConnectionClosed) as closed:
            for _ in range(5000):
                ws.send("3")
            while True:
                ws.recv(timeout=10.0)
    assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (1008, "too many messages")


def test_connections_that_are_only_held_shut_nobody_out(simulator, tmp_path, monkeypatch):
    """More than the panel may have files open: the operator is served, the simulator is not taken for dead, and the
    events say what happened."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    panel = start_panel(simulator.session.card.name, linger=0.5)
    held = []
    try:
        site = Site(panel)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 4096)), hard))
        address = site.host.rsplit(":", 1)
        for _ in range(1100):
            held.append(socket.create_connection((address[0], int(address[1])), timeout=60.0))
        assert site.get(**site.headers()).status_code == 200
        assert panel.process.poll() is None
        files = len(os.listdir(f"/proc/{panel.process.pid}/fd"))
        assert files < 200
        held[-1].sendall(b"GET / HTTP/1.1\r\nHost: a\r\n" + b"x: y\r\n" * 100)  # a header that does not end
        with pytest.raises(OSError):
            for _ in range(1000):
                held[-1].sendall(b"x: y\r\n" * 1000)
        told = lambda said: any("connections without a token" in words for words in said)  # noqa: E731
        assert asyncio.run(FakePage(site, "operator").press(until=told))
    finally:
        for one in held:
            one.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        panel.process.kill()
        panel.process.wait()


# ---- WebSockets
@pytest.mark.parametrize(
    ("how", "status", "words"),
    [
        ({"cookie": False}, 401, "no token"),
        ({"origin": "http://evil.example"}, 403, "wrong Origin"),
        ({"origin": None}, 403, "no Origin"),
        ({"host": "evil.example"}, 400, "Invalid HTTP request"),  # a second one
    ],
)
def test_a_websocket_is_refused_before_it_opens(site, how, status, words):
    with pytest.raises(InvalidStatus) as refused, site.socket(**how):
        pass
    assert refused.value.response.status_code == status
    assert words in refused.value.response.body.decode()


# ---- roles
def elements(text):
    """The elements of a page as its HTML carries them."""
    found = re.search(r"parseElements\(String\.raw`(.*?)`\)", text, re.DOTALL)
    return json.loads(found[1].replace("&#96;", "`").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))


class FakePage:
    """A page without a browser: its HTML was fetched, its socket speaks as the browser's would."""

    def __init__(self, site, role):
        self.site, self.role = site, role
        self.text = site.get(**site.headers(role)).text
        self.id = re.search(r"'client_id': '([0-9a-f-]+)'", self.text)[1]
        known = elements(self.text)
        self.place, keyboard = next((k, e) for k, e in known.items() if e["tag"] == "nicegui-keyboard")
        self.listener = next(e["listener_id"] for e in keyboard["events"] if e["type"] == "key")

    def space(self):
        """The message that the key makes."""
        modifiers = dict.fromkeys(("altKey", "ctrlKey", "metaKey", "shiftKey"), False)
        key = {"action": "keydown", "key": " ", "code": "Space", "location": 0, "repeat": False, **modifiers}
        return {"id": int(self.place), "client_id": self.id, "listener_id": self.listener, "args": [json.dumps(key)]}

    @contextlib.asynccontextmanager
    async def socket(self):
        """This page's own socket, and what the page is told through it."""
        told = []
        query = f"client_id={self.id}&next_message_id=0&implicit_handshake=true&tab_id={self.id}&document_id=d"
        client = socketio.AsyncClient()
        client.on("*", lambda event, *data: told.append(f"{event} {data}"))
        await client.connect(
            f"{self.site.origin}/?{query}",
            headers=self.site.headers(self.role, Origin=self.site.origin),
            socketio_path=f"{self.site.folder}/_nicegui_ws/socket.io",
            transports=["websocket"],
        )
        yield client, told
        await client.disconnect()

    async def press(self, *messages, until):
        """Sends messages over this page's own socket; whether `until`, given what the page was told, came true."""
        async with self.socket() as (client, told):
            for message in messages:
                await client.emit("event", message)
            return await asyncio.to_thread(wait_for, lambda: until(told), 30.0)


def test_an_operator_commands_and_a_viewer_does_not(site, simulator):
    """The same message over the socket of an operator's page, of a viewer's, and of a viewer who has learnt the
    operator's page: only the first is heeded. The panel takes the messages of a socket in their order, the simulator
    its requests: once a later one was answered, the earlier ones had their effect if they were to have any."""
    ledger = simulator.session.ledger
    operator, viewer = FakePage(site, "operator"), FakePage(site, "viewer")
    assert not ledger.held

    def refused(told):
        return any("needs the operator role" in words for words in told)

    async def misuse():
        async with operator.socket():  # messages for a page that is not open are not heeded anyway
            return await viewer.press(operator.space(), viewer.space(), until=refused)

    assert asyncio.run(misuse())
    with Session.connect(simulator.session.card.name) as session:
        later = session.tune({"size": 1.0})
        assert wait_for(lambda: session.taken(later))
    assert Command.HOLD not in simulator.asked and not ledger.held
    operator = FakePage(site, "operator")
    assert asyncio.run(operator.press(operator.space(), until=lambda told: ledger.held))
    assert simulator.asked[-1] == Command.HOLD
    other = FakePage(site, "operator")
    assert asyncio.run(other.press(other.space(), until=lambda told: not ledger.held))


# after the tests that open pages of viewers: those that do not connect stay for a minute
def test_a_viewer_who_opens_pages_without_end_leaves_the_operator_alone(site):
    with httpx.Client(base_url=site.home, headers=site.headers("viewer")) as viewer:
        answers = [viewer.get("/") for _ in range(40)]
        refused = [answer for answer in answers if answer.status_code != 200]
        assert len(answers) - len(refused) <= Limits().live and refused
        assert {answer.status_code for answer in refused} == {429}
        assert all("wait" in answer.text for answer in refused)
    assert site.get(**site.headers()).status_code == 200


# ---- its beginning and end
def test_without_nicegui_it_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert main(["panel", "any"]) == 2
    assert 'pip install "samara[panel]"' in capsys.readouterr().err
    with pytest.raises(PanelError, match="samara\\[panel\\]"):
        start_panel("any")


def test_a_port_that_is_taken(simulator):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        with pytest.raises(PanelError, match="choose another --port"):
            start_panel(simulator.session.card.name, port=other.getsockname()[1])


def test_a_session_that_is_not_there():
    with pytest.raises(PanelError, match="no session 'nobody-here'"):
        start_panel("nobody-here", patience=0.1)


def test_it_does_not_keep_the_pipe_of_its_starter_open(simulator):
    """As in `samara realtime ... 2>&1 | cat`: who reads sees the end when the starter ends, not the panel."""
    program = (
        "import sys; from samara.dashboard.server.start import start_panel; "
        "print(start_panel(sys.argv[1], host=sys.argv[2]).process.pid)"
    )
    command = [sys.executable, "-c", program, simulator.session.card.name, "0.0.0.0"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120.0)
    pid = int(done.stdout)
    os.kill(pid, signal.SIGKILL)  # it was there
    assert "reachable from other machines" in done.stderr  # what it said before it served is told


def test_it_ends_after_the_simulator(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    simulator = FakeSimulator(f"test-end-{os.getpid()}")
    panel = start_panel(simulator.session.card.name, linger=0.2)
    try:
        address = urllib.parse.urlsplit(panel.operator)
        assert address.hostname == "127.0.0.1"  # and on no other address of this machine
        with socket.socket() as other, pytest.raises(OSError, match="refused"):
            other.connect(("127.0.0.2", address.port))
        simulator.close()
        assert panel.process.wait(20.0) == 0
    finally:
        panel.process.kill()
        panel.process.wait()
