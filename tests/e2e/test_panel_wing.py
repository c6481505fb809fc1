"""The tiltrotor's wing in gusts, quieted from the panel in a real Chromium: switched, tuned, and refused.

Nothing depends on how punctual the machine is. What must come is waited for; sizes of the vibration are taken over a
second of simulated time, whole half waves of the gust (4 Hz and 6.5 Hz).
"""

import contextlib
import os
import re
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("nicegui")
pytest.importorskip("playwright")
from panel_bench import wait_for
from playwright import sync_api as playwright
from test_panel_chromium import CHROMIUM, OPTIONS, running

from samara.dashboard.server.start import start_panel
from samara.realtime import Command, Session
from samara.realtime.controllers.ready.wing_vibration import SWASHPLATE, WING

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium or Chrome on this machine"),
]
playwright.expect.set_options(timeout=30_000)  # a busy machine is slow, not wrong
RATE, WINDOW = 1000.0, 1.0  # Hz; s over which sizes are taken
PATIENCE = 120.0  # s, for what takes a few on an idle machine
LEARNING = 3.0  # s of samples
TRIES = 3


class Wing:
    """The session's record, every step of it."""

    def __init__(self, session):
        self.session, self.names = session, session.record.names
        self._time, self._rows = np.zeros(0), np.zeros((0, len(self.names)))

    def drain(self):
        rows = self.session.record.drain()
        self._time = np.concatenate([self._time, rows.time])
        self._rows = np.concatenate([self._rows, rows.values])

    @property
    def now(self):
        self.drain()
        return self._time[-1] if len(self._time) else 0.0

    def size(self, names):
        """Root mean square about the mean over the last window: all of these together."""
        self.drain()
        last = self._time > self._time[-1] - WINDOW
        return float(np.sqrt(self._rows[np.ix_(last, [self.names.index(n) for n in names])].var(axis=0).sum()))

    def goes_on(self, seconds):
        end = self.now + seconds
        return wait_for(lambda: self.now > end, PATIENCE)


@pytest.fixture(scope="module")
def wing():
    """The simulator in real time, recorded, without anybody who drives it yet."""
    name = f"test-wing-{os.getpid()}"
    command = ["realtime", "tiltrotor-gusts", "--set", "gust=harmonic", "--rate", f"{RATE:g}", "--policy", "slip"]
    command += ["--session", name, "--sensors", *WING, "--record", str(1 << 17), "--no-browser"]
    with running("-m", "samara.cli", *command), Session.connect(name, timeout=300.0) as session:
        session.record.as_reader()
        yield Wing(session)
        session.command(Command.STOP)


@pytest.fixture(scope="module")
def panel(wing, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        found = start_panel(wing.session.card.name)
    yield found
    found.process.kill()
    found.process.wait()


@pytest.fixture(scope="module")
def page(panel):
    with playwright.sync_playwright() as p:
        browser = p.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        found = browser.new_page(viewport={"width": 1440, "height": 900})
        complaints = []
        found.on("pageerror", lambda error: complaints.append(str(error)))
        found.goto(panel.operator)
        playwright.expect(found.get_by_test_id("state")).to_have_text("running")
        yield found
        browser.close()
    assert complaints == []


class Operator:
    """Does what an operator does, and again where the page was starved, loaded itself anew and lost a click."""

    def __init__(self, page):
        self._page = page

    def sees(self, name, text):
        playwright.expect(self._page.get_by_test_id(f"value-wingvibration-{name}")).to_have_text(text)

    def _until(self, act, seen):
        for _ in range(TRIES):
            with contextlib.suppress(playwright.Error, AssertionError):
                act()
                return seen()
        return seen()

    def _enters(self, values):
        for name, text in values.items():
            self.types(name, text)
        self.clicks("apply")

    def clicks(self, what):
        self._page.get_by_test_id(what).click()

    def throws(self, name, text):
        self._until(lambda: self.clicks(f"switch-wingvibration-{name}"), lambda: self.sees(name, text))

    def types(self, name, text):
        self._page.get_by_test_id(f"stage-wingvibration-{name}").fill(text)

    def reads(self, text):
        playwright.expect(self._page.get_by_text(text).first).to_be_visible()

    def finds(self, event):
        playwright.expect(self._page.get_by_test_id("events")).to_contain_text(event)

    def is_refused(self, words, **values):
        self._until(lambda: self._enters(values), lambda: self.finds(words))

    def applies(self, **values):
        self._until(lambda: self._enters(values), lambda: [self.sees(*value) for value in values.items()])


def test_an_operator_quiets_the_wing(wing, page, tmp_path):
    operator = Operator(page)
    assert wait_for(lambda: wing.now > 4.0, PATIENCE)  # what the start has left has died out
    shaken = wing.size(WING)
    assert wing.size(SWASHPLATE) == 0.0
    command = [sys.executable, "-m", "samara.cli", "controller", "wing-vibration", "--session", wing.session.card.name]
    command += ["--set", "loop=0", f"learning={LEARNING}"]
    with (tmp_path / "said").open("w") as said:
        controller = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT)
    try:
        wing.session.wait_driven(timeout=300.0)  # it may have to compile
        operator.sees("loop", "off")
        operator.sees("horizon", "20")
        assert wing.goes_on(LEARNING)
        # switched on from the page, it quiets the wing
        operator.throws("loop", "on")
        assert wait_for(lambda: wing.size(WING) < 0.4 * shaken, PATIENCE), wing.size(WING) / shaken
        used = wing.size(SWASHPLATE)
        # numbers that do not go together are refused in the controller's words, and nothing changes
        operator.is_refused("horizon = 10: controls = 20 must not be more than horizon = 10", horizon="10")
        operator.types("horizon", "30.5")
        operator.reads("horizon = 30.5 must be a whole number")
        operator.types("horizon", "")
        operator.sees("horizon", "20")
        # a dear control is used little, and the wing shakes again; a cheap one quiets it, with other horizons too
        operator.applies(control_weight="1000")
        assert wait_for(lambda: wing.size(SWASHPLATE) < 0.1 * used and wing.size(WING) > 0.7 * shaken, PATIENCE)
        operator.applies(control_weight="0.01", horizon="30", controls="15")
        assert wait_for(lambda: wing.size(WING) < 0.4 * shaken, PATIENCE), wing.size(WING) / shaken
        # switched off, and without dither, nothing is commanded and the vibration is what it was
        operator.applies(dither="0")
        operator.throws("loop", "off")
        assert wait_for(lambda: wing.size(SWASHPLATE) == 0.0 and wing.size(WING) > 0.8 * shaken, PATIENCE)
        operator.finds("wingvibration: loop 0 -> 1")
        operator.finds("horizon 20 -> 30")
    finally:
        controller.terminate()
        controller.wait(PATIENCE)
    words = (tmp_path / "said").read_text()
    assert int(re.search(r"(\d+) changes", words)[1]) >= 7 and "not changed" not in words, words
