"""The panel in a real Chromium: a gain that is changed in the page changes the motion of the running pendulum."""

import contextlib
import http.server
import math
import os
import shutil
import subprocess
import sys
import threading
import time
import urllib.parse

import numpy as np
import pytest

pytest.importorskip("nicegui")
pytest.importorskip("playwright")
from panel_bench import FakeSimulator, wait_for
from playwright import sync_api as playwright
from scipy.optimize import brentq

from samara.dashboard.desk import layouts
from samara.dashboard.desk.layouts import PanelLayout
from samara.dashboard.server.start import start_panel
from samara.dashboard.traces.scope import Setup
from samara.models import find
from samara.realtime import Command, Session
from samara.realtime.session.accounts import Account
from samara.solve import transient

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
OPTIONS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium or Chrome on this machine"),
]

MASS, LENGTH, GRAVITY = 1.0, 1.0, 9.81  # the pendulum's defaults
RATE = 1000.0
playwright.expect.set_options(timeout=30_000)  # a busy machine is slow, not wrong


def rest_angle(stiffness):
    """Where the law k (pi - a) holds the weight: k (pi - a) = m g l sin(a), the root away from the top [rad]."""
    return brentq(lambda a: stiffness * (math.pi - a) - MASS * GRAVITY * LENGTH * math.sin(a), 0.1, math.pi - 0.1)


@contextlib.contextmanager
def running(*args):
    process = subprocess.Popen([sys.executable, *args], stdout=subprocess.DEVNULL)
    try:
        yield process
        process.wait(20.0)  # it ends by itself, and takes its session along
    finally:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def pendulum():
    """The pendulum in real time, held on its side by a controller that is too weak to lift it; its session."""
    name = f"test-chromium-{os.getpid()}"
    simulator = ["realtime", "pendulum", "--set", "motor=true", f"angle={rest_angle(5.0)}", "--rate", f"{RATE:g}"]
    control = ["-m", "samara.cli", "controller", "pendulum-lift", "--session", name, "--quiet"]
    control += ["--set", "stiffness=5", "damping=4"]
    with (
        running("-m", "samara.cli", *simulator, "--session", name, "--no-browser"),
        Session.connect(name, timeout=300.0) as session,  # it may have to compile
    ):
        with running(*control):
            session.wait_driven(timeout=60.0)
            yield session
            session.command(Command.STOP)


@pytest.fixture(scope="module")
def panel(pendulum, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        found = start_panel(pendulum.card.name)
    yield found
    found.process.kill()
    found.process.wait()


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as p:
        browser = p.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser):
    """Opens an address in a browser that knows nothing of other pages; complaints of the page fail the test."""
    contexts, complaints = [], []

    def opened(address):
        contexts.append(browser.new_context(viewport={"width": 1440, "height": 900}))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("requestfailed", lambda r: complaints.append(r.url) if "127.0.0.1" not in r.url else None)
        page.goto(address)
        playwright.expect(page.get_by_test_id("state")).to_have_text("running")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


def test_the_cookie_goes_to_no_other_port(panel, open_page):
    """A browser takes all ports of a host for one as far as cookies go: for the panel's folder alone, not this one."""
    seen = []

    class Other(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            seen.append((self.path, self.headers.get("Cookie", ""), self.headers.get("Referer", "")))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *args):
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Other) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        page = open_page(panel.operator)
        inside = page.url
        assert "token" not in inside and len(urllib.parse.urlsplit(inside).path) > 20
        page.goto(f"http://127.0.0.1:{other.server_port}/somewhere")
        page.goto(inside)  # it still opens the panel
        playwright.expect(page.get_by_test_id("state")).to_have_text("running")
        other.shutdown()
    assert seen[0][0] == "/somewhere"
    folder = urllib.parse.urlsplit(inside).path
    assert not any("samara" in cookie or folder in referer for _, cookie, referer in seen)


def angles(session, last=0.25):
    """What the hinge did in the last part of a second [rad]."""
    place = session.sensors.names.index("hinge.angle")
    rows = session.sensors.since(0)
    return rows.values[rows.time > rows.time[-1] - last, place]


def rests_at(session, angle):
    """0.01 rad: what is left of the motion after five times its slowest time constant, 0.9 s."""
    return lambda: bool(np.abs(angles(session) - angle).max() < 0.01)


def test_a_gain_changed_in_the_page_changes_the_motion(panel, pendulum, open_page):
    page = open_page(panel.operator)
    assert wait_for(rests_at(pendulum, rest_angle(5.0)))
    field = page.get_by_test_id("stage-pendulumlift-stiffness")
    value = page.get_by_test_id("value-pendulumlift-stiffness")
    playwright.expect(value).to_have_text("5")
    # beyond its limits it is refused where it is typed
    field.fill("900")
    playwright.expect(page.get_by_text("outside its limits")).to_be_visible()
    playwright.expect(page.get_by_test_id("apply")).to_be_disabled()
    # staged, nothing happens yet
    field.fill("7")
    playwright.expect(page.get_by_test_id("apply")).to_have_text("apply 1")
    time.sleep(0.5)
    assert rests_at(pendulum, rest_angle(5.0))()
    # applied, the pendulum goes where the new gain balances its weight
    page.get_by_test_id("apply").click()
    playwright.expect(value).to_have_text("7")
    assert wait_for(rests_at(pendulum, rest_angle(7.0))), angles(pendulum)
    assert rest_angle(7.0) - rest_angle(5.0) > 0.3
    # and back
    page.get_by_test_id("undo").click()
    playwright.expect(value).to_have_text("5")
    assert wait_for(rests_at(pendulum, rest_angle(5.0))), angles(pendulum)
    playwright.expect(page.get_by_test_id("events")).to_contain_text("stiffness 5 -> 7")


def test_hold_step_and_start_by_keyboard(panel, pendulum, open_page):
    page = open_page(panel.operator)
    page.keyboard.press("Space")
    playwright.expect(page.get_by_test_id("state")).to_have_text("held")
    assert pendulum.ledger.held
    before = pendulum.sensors.read()
    page.keyboard.press("s")
    assert wait_for(lambda: pendulum.sensors.read().sequence > before.sequence)
    time.sleep(0.3)
    after = pendulum.sensors.read()
    assert after.sequence == before.sequence + 1
    assert after.time - before.time == pytest.approx(1.0 / RATE, abs=1e-9)
    page.get_by_test_id("start").click()
    playwright.expect(page.get_by_test_id("state")).to_have_text("running")
    assert wait_for(lambda: pendulum.sensors.read().sequence > after.sequence + 100)


def test_reset_asks_again(panel, pendulum, open_page):
    page = open_page(panel.operator)
    resets = int(pendulum.ledger.accounts[Account.RESETS])
    page.get_by_test_id("reset").click()
    time.sleep(0.2)
    assert pendulum.ledger.accounts[Account.RESETS] == resets  # not before it was confirmed
    page.get_by_test_id("confirm").click()
    assert wait_for(lambda: pendulum.ledger.accounts[Account.RESETS] == resets + 1)
    assert wait_for(rests_at(pendulum, rest_angle(5.0)))  # where it started
    playwright.expect(page.get_by_test_id("events")).to_contain_text("the loop was reset to its initial state")


def test_a_scope_draws_and_the_page_outlives_the_simulator(open_page, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    layouts.save("fake", layouts.DEFAULT, PanelLayout([Setup(["wave"], window=2.0)]))
    simulator = FakeSimulator(f"test-draw-{os.getpid()}")
    panel = start_panel(simulator.session.card.name, linger=15.0)
    try:
        page = open_page(panel.viewer)
        screen = page.locator("canvas.scope-screen").first
        assert page.locator("canvas.scope-screen").count() == 1  # as the model's default layout says
        assert wait_for(lambda: np.ptp(trace(screen) or [0.0]) > 0.6)  # the wave fills the screen from top to bottom
        simulator.close()
        playwright.expect(page.get_by_test_id("banner")).to_contain_text("Finished")
        playwright.expect(page.get_by_test_id("state")).to_have_text("finished")
        assert len(trace(screen)) > 50
        # scopes still work on what was kept: another window draws, cursors read
        page.get_by_label("cursors").first.click()
        playwright.expect(page.get_by_test_id("readings")).to_contain_text("Hz")
        playwright.expect(page.get_by_test_id("again")).to_be_hidden()  # nobody said how it was started
    finally:
        panel.process.kill()
        panel.process.wait()


def test_a_page_that_cannot_keep_up_is_not_loaded_anew(open_page, tmp_path, monkeypatch):
    """It is busy for twelve seconds, at 25 frames of four scopes a second; then its connection is lost for a moment.

    What waits for a page that comes back must be less than the thousand messages that the web library keeps.
    """
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    layouts.save("fake", layouts.DEFAULT, PanelLayout([Setup(["wave"], window=60.0) for _ in range(4)]))
    simulator = FakeSimulator(f"test-slow-{os.getpid()}")
    panel = start_panel(simulator.session.card.name, linger=15.0)
    try:
        page = open_page(panel.operator)
        page.evaluate("window.same = true")
        before = page.evaluate("const end = Date.now() + 12000; while (Date.now() < end); nextMessageId")
        freeze = page.get_by_label("freeze").first
        freeze.click()
        playwright.expect(freeze).to_contain_class("text-amber")  # shown after all that waited
        assert page.evaluate("nextMessageId") - before < 1000
        page.context.set_offline(True)  # this ends the connection
        playwright.expect(page.locator("#popup")).to_have_attribute("aria-hidden", "false")
        page.context.set_offline(False)
        playwright.expect(page.locator("#popup")).to_have_attribute("aria-hidden", "true")
        taken = page.evaluate("nextMessageId")
        assert wait_for(lambda: page.evaluate("nextMessageId") > taken + 100)
        assert page.evaluate("window.same") is True
        assert len(trace(page.locator("canvas.scope-screen").nth(1))) > 50
    finally:
        panel.process.kill()
        panel.process.wait()
        simulator.close()


def test_freeze_and_cursors_outlive_a_reload(open_page, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    layouts.save("fake", layouts.DEFAULT, PanelLayout([Setup(["wave"], window=2.0)]))
    simulator = FakeSimulator(f"test-reload-{os.getpid()}")
    panel = start_panel(simulator.session.card.name, linger=15.0)
    try:
        page = open_page(panel.operator)
        page.get_by_test_id("scope").get_by_label("add scope").click()
        playwright.expect(page.get_by_test_id("scope")).to_have_count(2)
        first = page.get_by_test_id("scope").first
        assert wait_for(lambda: np.ptp(trace(first.locator("canvas")) or [0.0]) > 0.6)
        first.get_by_label("cursors").click()
        readings = first.get_by_test_id("readings")
        playwright.expect(readings).to_contain_text("Hz")
        words = readings.inner_text()
        page.reload()
        playwright.expect(page.get_by_test_id("scope")).to_have_count(2)
        playwright.expect(readings).to_contain_text("Hz")
        assert readings.inner_text() == words
        assert wait_for(lambda: np.ptp(trace(first.locator("canvas")) or [0.0]) > 0.6)
    finally:
        panel.process.kill()
        panel.process.wait()
        simulator.close()


def trace(screen):
    """Heights at which the colour of the first trace is found, as parts of the screen."""
    return screen.evaluate(
        """c => { const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data, found = [];
        for (let k = 0; k < d.length; k += 4)
          if (d[k] === 0x4f && d[k + 1] === 0xc3 && d[k + 2] === 0xf7)
            found.push(Math.floor(k / 4 / c.width) / c.height);
        return found; }"""
    )


def test_a_viewer_looks_and_cannot_command(panel, pendulum, open_page):
    page = open_page(panel.viewer)
    playwright.expect(page.get_by_test_id("role")).to_have_text("viewer")
    shown = page.get_by_test_id("time").inner_text()
    playwright.expect(page.get_by_test_id("time")).not_to_have_text(shown)  # it sees
    for name in ("hold", "stop", "reset", "apply", "undo", "stage-pendulumlift-stiffness"):
        playwright.expect(page.get_by_test_id(name)).to_be_disabled()
    page.keyboard.press("Space")  # nothing in the page stops it: the server does
    playwright.expect(page.get_by_text("needs the operator role")).to_be_visible()
    page.evaluate("document.querySelectorAll('[disabled]').forEach(e => e.removeAttribute('disabled'))")
    page.get_by_test_id("hold").click(force=True)
    time.sleep(0.5)
    playwright.expect(page.get_by_test_id("events")).to_contain_text("refused: hold")
    assert not pendulum.ledger.held


def test_the_simulator_does_not_notice_that_browser_and_panel_are_killed(pendulum, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    panel = start_panel(pendulum.card.name)
    profile = [f"--user-data-dir={tmp_path / 'profile'}", "--headless", "--remote-debugging-port=0"]
    chromium = subprocess.Popen(
        [CHROMIUM, *OPTIONS, *profile, panel.operator], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip
    try:
        time.sleep(3.0)
        os.killpg(chromium.pid, 9)
        panel.process.kill()
        assert panel.process.wait(10.0) == -9
        chromium.wait(10.0)
    finally:
        panel.process.kill()
        panel.process.wait()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(chromium.pid, 9)
        chromium.wait()
    # it goes on, and so does its controller: each of its answers carries the time of the sample that it answers
    after, cycles = pendulum.sensors.read().time, int(pendulum.ledger.accounts[Account.CYCLES])
    assert wait_for(lambda: pendulum.ledger.accounts[Account.CYCLES] > cycles + RATE)
    assert wait_for(lambda: max(box.read().time for box in pendulum.seats.mailboxes) > after)
    assert pendulum.alive and pendulum.controllers and all(c.process.alive for c in pendulum.controllers)


def test_a_finished_run_starts_again_from_its_page(browser, tmp_path, monkeypatch):
    """The page outlives the run and its command; the same run again appears in it, with the scopes as they were."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    name = f"test-again-{os.getpid()}"
    words = ["realtime", "pendulum", "--rate", "200", "--duration", "2", "--session", name, "--no-open"]
    run = subprocess.Popen(
        [sys.executable, "-m", "samara.cli", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        cwd=tmp_path,
    )  # fmt: skip
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    try:
        address = next(line for line in run.stderr if line.startswith("panel: ")).split()[1]
        page = context.new_page()
        page.goto(address)
        playwright.expect(page.get_by_test_id("state")).to_have_text("finished")
        summary, said = run.communicate(timeout=60.0)
        assert run.returncode == 0 and "ended: done" in summary and "can run this again" in said
        page.get_by_test_id("scope").first.get_by_label("add scope").click()
        playwright.expect(page.get_by_test_id("scope")).to_have_count(3)
        playwright.expect(page.get_by_test_id("hold")).to_be_disabled()
        page.evaluate("window.same = true")
        page.get_by_test_id("again").click()
        page.wait_for_function("window.same === undefined", timeout=60_000)
        playwright.expect(page.get_by_test_id("scope")).to_have_count(3)
        playwright.expect(page.get_by_test_id("events")).to_contain_text("run again")
        playwright.expect(page.get_by_test_id("state")).to_have_text("finished")  # this one, too
        playwright.expect(page.get_by_test_id("again")).to_be_enabled()
    finally:
        run.kill()
        context.close()  # the panel then ends by itself


def test_a_saved_run_is_replayed_in_the_panel(browser, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    results = transient(find("pendulum").make(), end=4.0, step=0.01, progress=False)
    results.save(tmp_path / "run.nc")
    run = subprocess.Popen(
        [sys.executable, "-m", "samara.cli", "replay", "run.nc", "--no-open"], stderr=subprocess.PIPE, text=True,
        cwd=tmp_path,
    )  # fmt: skip
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    try:
        address = next(line for line in run.stderr if line.startswith("replay of ")).split()[-1]
        page = context.new_page()
        page.goto(address)
        playwright.expect(page.get_by_test_id("state")).to_have_text("held")  # it came to the end
        playwright.expect(page.get_by_test_id("time")).to_have_text("4.000 s")
        assert wait_for(lambda: len(trace(page.locator("canvas.scope-screen").first)) > 50)
        page.get_by_test_id("stage-model-replay.time").fill("1.5")
        page.get_by_test_id("apply").click()
        playwright.expect(page.get_by_test_id("time")).to_have_text("1.500 s")
        assert page.locator("html").get_attribute("lang") == "en"
    finally:
        run.terminate()
        run.communicate(timeout=20.0)
        context.close()
