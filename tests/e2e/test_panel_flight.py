"""Flying from the panel in a real Chromium: keys move the sticks, the sticks the craft, and the camera goes along."""

import os
import time
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("nicegui")
pytest.importorskip("playwright")
import flying_craft as model
from panel_bench import wait_for
from playwright import sync_api as playwright
from test_panel_chromium import CHROMIUM, OPTIONS, running

from samara.dashboard.flight.attitude import attitude
from samara.dashboard.server.start import start_panel
from samara.realtime import Command, Session
from samara.realtime.session.accounts import Account

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium or Chrome on this machine"),
]
DRAWN = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]  # WebGL without a graphics card
playwright.expect.set_options(timeout=30_000)
#: The craft rests in roll after some times c / k = 0.4 s; what is left after the wait [rad, N].
NEAR = 0.01
#: Pages that are drawn by the processor may be silent for seconds on a busy machine: no pilot is lost for that [s].
PATIENCE = 10.0


@pytest.fixture(scope="module")
def craft():
    """The craft in real time; its session."""
    name = f"test-flight-{os.getpid()}"
    simulator = ["realtime", str(Path(model.__file__)), "--rate", "200", "--session", name, "--no-browser"]
    with running("-m", "samara.cli", *simulator), Session.connect(name, timeout=300.0) as session:
        yield session
        session.command(Command.STOP)


@pytest.fixture(scope="module")
def panel(craft, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        found = start_panel(craft.card.name, pilot_timeout=PATIENCE)
    yield found
    found.process.kill()
    found.process.wait()


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as p:
        browser = p.chromium.launch(executable_path=CHROMIUM, args=[*OPTIONS, *DRAWN])
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser):
    contexts, complaints = [], []

    def opened(address):
        contexts.append(browser.new_context(viewport={"width": 1440, "height": 900}))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(address)
        playwright.expect(page.get_by_test_id("state")).to_have_text("running")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def flown(panel, craft, open_page):
    """A page that has the sticks, at the start of the run."""
    page, resets = open_page(panel.operator), int(craft.ledger.accounts[Account.RESETS])
    take(page)
    page.keyboard.press("r")
    assert wait_for(lambda: craft.ledger.accounts[Account.RESETS] > resets)
    assert near(lambda: told(craft, "lift"), model.WEIGHT, 1e-9)
    return page


def take(page):
    page.get_by_test_id("fly").click()
    playwright.expect(page.get_by_test_id("pilot")).to_have_text("you fly")
    playwright.expect(page.get_by_test_id("stick-right")).to_have_class("mine")  # the browser knows


def told(craft, name):
    """An input in force."""
    return craft.actuators.read().values[craft.actuators.names.index(name)]


def sensed(craft, name):
    return craft.sensors.read().values[craft.sensors.names.index(name)]


def lies(craft):
    """Attitude of the craft."""
    return attitude(craft.scene["sticks"], craft.view.read().values)


def position(page, axis):
    return float(page.get_by_test_id(f"axis-{axis}").get_attribute("aria-valuenow"))


def near(found, wanted, by=NEAR):
    return wait_for(lambda: abs(found() - wanted) < by)


def seen(page):
    """Where the view's camera is, where it looks, and where the craft is."""
    data = page.get_by_test_id("machine").evaluate("e => ({...e.dataset})")
    return data["camera"], *(np.array(data[key].split(), float) for key in ("eye", "gaze", "craft"))


def test_a_key_moves_the_stick_the_input_and_the_craft(flown, craft):
    flown.keyboard.down("ArrowRight")
    assert near(lambda: told(craft, "roll"), model.ROLL, 1e-9)
    assert near(lambda: position(flown, "roll"), 1.0, 1e-3)
    tilt = np.arcsin(model.ROLL / model.RIGHTING)  # k sin(tilt) = couple
    assert near(lambda: lies(craft).roll, tilt), lies(craft)
    assert abs(lies(craft).pitch) < NEAR and sensed(craft, "body.velocity.y") > 0.1  # and goes to the right
    flown.keyboard.up("ArrowRight")
    assert near(lambda: told(craft, "roll"), 0.0, 1e-9)
    assert near(lambda: lies(craft).roll, 0.0)


@pytest.mark.parametrize(
    ("key", "axis", "angle", "sense"),
    [("ArrowUp", "pitch", "pitch", -1), ("ArrowDown", "pitch", "pitch", 1), ("ArrowLeft", "roll", "roll", -1)],
)
def test_each_key_has_its_sense(flown, craft, key, axis, angle, sense):
    flown.keyboard.down(key)
    assert wait_for(lambda: sense * getattr(lies(craft), angle) > 0.05), lies(craft)
    flown.keyboard.up(key)


def test_the_collective_stays_where_it_is_and_space_brings_it_back(flown, craft):
    before = sensed(craft, "body.position.z")
    flown.keyboard.down("w")
    assert near(lambda: told(craft, "lift"), model.WEIGHT + model.LIFT, 1e-9)
    flown.keyboard.up("w")
    climb = model.LIFT / model.DRAG  # (lift - m g) / c; five times m / c are 5 s
    assert near(lambda: sensed(craft, "body.velocity.z"), climb)
    assert told(craft, "lift") == model.WEIGHT + model.LIFT and sensed(craft, "body.position.z") > before + 1.0
    flown.keyboard.press("Space", delay=800)
    assert near(lambda: told(craft, "lift"), model.WEIGHT, 1e-9)
    assert not craft.ledger.held  # the pilot's keys are not the page's
    flown.keyboard.press("Escape")
    playwright.expect(flown.get_by_test_id("pilot")).to_have_text("nobody flies")
    flown.keyboard.press("Space")
    playwright.expect(flown.get_by_test_id("state")).to_have_text("held")
    flown.keyboard.press("Space")
    playwright.expect(flown.get_by_test_id("state")).to_have_text("running")


def test_a_window_that_is_left_holds_no_key(flown, craft):
    flown.keyboard.down("ArrowRight")
    assert near(lambda: told(craft, "roll"), model.ROLL, 1e-9)
    flown.evaluate("window.dispatchEvent(new Event('blur'))")
    assert near(lambda: told(craft, "roll"), 0.0, 1e-9)
    time.sleep(0.3)
    assert told(craft, "roll") == 0.0  # the key is still down
    playwright.expect(flown.get_by_test_id("pilot")).to_have_text("you fly")
    flown.keyboard.up("ArrowRight")


def test_keys_that_are_typed_do_not_fly(flown, craft):
    flown.get_by_placeholder("filter").or_(flown.get_by_label("filter")).first.press_sequentially("wwww")
    time.sleep(0.3)
    assert told(craft, "lift") == model.WEIGHT


def test_a_reset_brings_craft_and_sticks_back(flown, craft):
    flown.keyboard.press("w", delay=600)
    assert wait_for(lambda: sensed(craft, "body.position.z") > 3.5)
    before = craft.sensors.read().time
    flown.keyboard.press("r")
    assert wait_for(lambda: craft.sensors.read().time < before)
    assert near(lambda: told(craft, "lift"), model.WEIGHT, 1e-9)
    time.sleep(0.5)
    assert abs(sensed(craft, "body.position.z") - 3.0) < 0.05


def test_a_stick_follows_the_mouse(flown, craft):
    box = flown.get_by_test_id("stick-right").bounding_box()
    x, y, half = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, box["width"] / 2
    flown.mouse.move(x, y)
    flown.mouse.down()
    flown.mouse.move(x + 0.4 * half, y - 0.24 * half)  # of 0.8, where the travel ends
    assert near(lambda: told(craft, "roll"), 0.5 * model.ROLL, 0.02)
    assert near(lambda: told(craft, "pitch"), 0.3 * model.PITCH, 0.02)
    flown.evaluate(
        """() => { window.sent = 0; const emit = socket.emit.bind(socket);
        socket.emit = (...args) => { window.sent += args[0] === 'event'; return emit(...args); }; }"""
    )
    begin = time.monotonic()
    for k in range(120):
        flown.mouse.move(x + (0.4 if k % 2 else 0.5) * half, y)
    sent, elapsed = flown.evaluate("window.sent"), time.monotonic() - begin
    assert 0 < sent < 45.0 * elapsed + 5.0  # the gate ends a connection at 60 a second
    flown.mouse.up()
    assert near(lambda: told(craft, "roll"), 0.0, 1e-9)


def test_a_gamepad_flies_in_mode_2(flown, craft):
    flown.evaluate(
        """() => { window.stick = [0.05, -1, 0.54, 0.05]; navigator.getGamepads = () => [{ connected: true,
        id: 'made up', mapping: 'standard', axes: window.stick, buttons: [] }]; }"""
    )
    assert near(lambda: told(craft, "roll"), 0.5 * model.ROLL, 1e-3)  # (0.54 - 0.08) / 0.92
    assert told(craft, "yaw") == told(craft, "pitch") == 0.0  # in the dead zone
    assert near(lambda: told(craft, "lift"), model.WEIGHT + model.LIFT, 1e-9)  # it is moved, not placed
    flown.evaluate("window.stick = [0, 0, 0, 0]")
    assert near(lambda: told(craft, "roll"), 0.0, 1e-9)
    assert told(craft, "lift") == model.WEIGHT + model.LIFT


def test_the_camera_goes_behind_the_craft(flown, craft):
    camera, eye, gaze, at = seen(flown)
    assert camera == "chase" and eye[0] > at[0] + 1.0 and abs(eye[1] - at[1]) < 0.1  # it flies towards -x
    distance = np.linalg.norm(eye - at)
    flown.keyboard.down("ArrowUp")
    assert wait_for(lambda: sensed(craft, "body.position.x") < -2.0)
    camera, eye, gaze, there = seen(flown)
    assert np.linalg.norm(there - at) > 1.5
    assert np.linalg.norm(eye - there) == pytest.approx(distance, rel=0.02)
    assert gaze @ (there - eye) / np.linalg.norm(there - eye) > np.cos(np.deg2rad(15.0))  # below the middle
    flown.keyboard.up("ArrowUp")
    flown.keyboard.down("d")  # a right turn: the craft comes to point towards +y, the camera swings round behind it
    assert wait_for(lambda: 1.2 < lies(craft).heading < 3.0)
    flown.keyboard.up("d")
    time.sleep(2.0)
    heading = lies(craft).heading
    _, eye, _, there = seen(flown)
    behind = (eye - there)[:2] / np.linalg.norm((eye - there)[:2])
    assert behind == pytest.approx([np.cos(heading), -np.sin(heading)], abs=0.1)
    flown.keyboard.press("c")
    assert wait_for(lambda: seen(flown)[0] == "cockpit")
    _, eye, gaze, there = seen(flown)
    assert np.linalg.norm(eye - there) < 0.5 and gaze[:2] == pytest.approx([-np.cos(heading), np.sin(heading)], abs=0.1)
    flown.keyboard.press("c")
    assert wait_for(lambda: seen(flown)[0] == "ground")
    assert seen(flown)[1][2] == pytest.approx(1.7)
    playwright.expect(flown.get_by_test_id("instruments")).to_contain_text("height")


def test_a_viewer_cannot_fly(panel, craft, open_page):
    page = open_page(panel.viewer)
    playwright.expect(page.get_by_test_id("fly")).to_be_disabled()
    page.evaluate("document.querySelectorAll('[disabled]').forEach(e => e.removeAttribute('disabled'))")
    page.get_by_test_id("fly").click(force=True)
    page.keyboard.press("ArrowRight", delay=500)
    assert told(craft, "roll") == 0.0
    playwright.expect(page.get_by_test_id("pilot")).not_to_have_text("you fly")
    resets = int(craft.ledger.accounts[Account.RESETS])
    page.evaluate(  # what the browser of a pilot would send
        """() => { const e = getElement(+document.querySelector('.flight-screen').id.slice(1));
        e.$emit('hands', { pushes: { roll: 1 } }); e.$emit('reset', {}); }"""
    )
    time.sleep(0.5)
    assert told(craft, "roll") == 0.0 and craft.ledger.accounts[Account.RESETS] == resets


def test_one_pilot_at_a_time(flown, panel, craft, open_page, tmp_path, monkeypatch):
    other = open_page(panel.operator)
    playwright.expect(other.get_by_test_id("pilot")).to_contain_text("flies")
    other.get_by_test_id("fly").click()
    playwright.expect(other.get_by_text("is flying: only one pilot at a time")).to_be_visible()
    other.keyboard.press("ArrowRight", delay=500)
    assert told(craft, "roll") == 0.0
    # another panel is another process: the session itself refuses it
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    second = start_panel(craft.card.name)
    try:
        page = open_page(second.operator)
        page.get_by_test_id("fly").click()
        playwright.expect(page.get_by_text(f"is claimed by process {panel.process.pid}").first).to_be_visible()
        page.close()
    finally:
        second.process.kill()
        second.process.wait()
    flown.keyboard.press("Escape")
    flown.close()  # three pages that are drawn without a graphics card are slow
    take(other)
    other.keyboard.down("ArrowRight")
    assert near(lambda: told(craft, "roll"), model.ROLL, 1e-9)


def test_a_page_that_is_closed_leads_to_the_failsafe(flown, panel, craft, open_page):
    flown.keyboard.down("ArrowRight")
    flown.keyboard.down("w")
    assert near(lambda: told(craft, "lift"), model.WEIGHT + model.LIFT, 1e-9)
    flown.close()
    assert near(lambda: told(craft, "roll"), 0.0, 1e-9)
    assert near(lambda: told(craft, "lift"), model.WEIGHT, 1e-9)  # where the model says that it is safe
    assert wait_for(lambda: craft.controllers == [])
    page = open_page(panel.viewer)
    playwright.expect(page.get_by_test_id("events")).to_contain_text("the pilot is lost")
