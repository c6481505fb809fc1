"""The R/C helicopter flown from the panel in a real Chromium: a key moves stick, swashplate and craft."""

import os

import pytest

pytest.importorskip("nicegui")
pytest.importorskip("playwright")
from panel_bench import wait_for
from playwright import sync_api as playwright
from test_panel_chromium import CHROMIUM, OPTIONS, running

from samara.dashboard.flight.attitude import attitude
from samara.dashboard.server.start import start_panel
from samara.realtime import Command, Session

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium or Chrome on this machine"),
]
playwright.expect.set_options(timeout=30_000)
#: Lateral cyclic beyond which the swashplate has answered [rad], and roll beyond which the craft has [rad].
TILTED, ROLLED = 2e-3, 0.03


def test_a_key_rolls_the_helicopter(tmp_path, monkeypatch):
    """Roll attitude follows the stick while the key is held, and comes back: the regulators fly with the pilot."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    name = f"test-xcell-{os.getpid()}"
    simulator = ["realtime", "xcell", "--session", name, "--no-browser"]
    with running("-m", "samara.cli", *simulator), Session.connect(name, timeout=300.0) as session:
        panel = start_panel(name, pilot_timeout=10.0)  # a page on a busy machine may be silent for seconds
        try:
            with playwright.sync_playwright() as p:
                browser = p.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)  # not drawn, which is slow
                _roll(browser.new_page(), panel, session)
                browser.close()
        finally:
            panel.process.kill()
            panel.process.wait()
            session.command(Command.STOP)


def _roll(page, panel, session):
    def stick() -> float:
        return session.actuators.read().values[session.actuators.names.index("lateral")]

    def swashplate() -> float:
        return session.sensors.read().values[session.sensors.names.index("servo.lateral.output.value")]

    def roll() -> float:
        sticks = session.scene["sticks"]
        return attitude(sticks, session.view.read().values.reshape(-1, 12)[sticks["craft"]]).roll

    page.goto(panel.operator)
    playwright.expect(page.get_by_test_id("state")).to_have_text("running")
    page.get_by_test_id("fly").click()
    playwright.expect(page.get_by_test_id("pilot")).to_contain_text("you fly")  # heard, or too busy to be
    page.keyboard.press("r")
    assert wait_for(lambda: abs(stick()) < 1e-9)
    level, trimmed = roll(), swashplate()

    def held(condition) -> bool:
        """Whether it comes true with the key down, which repeats itself as that of a real keyboard does."""

        def once_more() -> bool:
            page.keyboard.down("ArrowRight")
            return wait_for(condition, 0.5)

        return wait_for(once_more)

    assert held(lambda: stick() > 0.5)
    assert held(lambda: abs(swashplate() - trimmed) > TILTED)
    assert held(lambda: roll() - level > ROLLED)
    page.keyboard.up("ArrowRight")
    assert wait_for(lambda: abs(stick()) < 1e-9)
    assert wait_for(lambda: abs(roll() - level) < ROLLED)
