"""Pictures of the panel. `python docs/figures/panel.py` retakes them with the system's Chromium.

The pictures are kept in the folder `panel` beside this file, because the documentation is also built where there is no
browser; the figures of the pages are made from them.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
from registry import figure

from samara.dashboard.desk import layouts
from samara.dashboard.desk.layouts import PanelLayout
from samara.dashboard.feed.alarms import Rule
from samara.dashboard.server.start import start_panel
from samara.dashboard.traces.scope import Setup
from samara.realtime import Command, Session

FOLDER = Path(__file__).resolve().parent / "panel"
OPTIONS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader"
).split()
CRAFT = Path(__file__).resolve().parents[2] / "tests" / "e2e" / "flying_craft.py"
SESSION = "panel-picture"
NAMED = ("--session", SESSION)
ALONE = (*NAMED, "--no-browser")  # the panel is started by itself


def shown(path: Path) -> plt.Figure:
    """A picture that is kept."""
    pixels = plt.imread(path)
    picture = plt.figure(figsize=(9.6, 9.6 * pixels.shape[0] / pixels.shape[1]), layout="none")
    axes = picture.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.imshow(pixels, interpolation="none")
    axes.set_axis_off()
    return picture


@figure
def panel_laptop() -> plt.Figure:
    """The pendulum on a laptop, 1440 x 900."""
    return shown(FOLDER / "laptop.png")


@figure
def panel_wall() -> plt.Figure:
    """The Puma's rotor on a wall, 2560 x 1440."""
    return shown(FOLDER / "wall.png")


@figure
def panel_flight() -> plt.Figure:
    """A craft that is flown from a laptop, 1440 x 900."""
    return shown(FOLDER / "flight.png")


@contextlib.contextmanager
def _running(*args: str) -> Iterator[None]:
    process = subprocess.Popen([sys.executable, *args], stdout=subprocess.DEVNULL)
    try:
        yield
        process.wait(20.0)  # it ends by itself, and takes its session along
    finally:
        process.kill()
        process.wait()


def _pendulum(stack: contextlib.ExitStack) -> dict[str, Any]:
    """Swung up by its controller."""
    stack.enter_context(
        _running("-m", "samara.cli", "realtime", "pendulum", "--set", "motor=true", "angle=0", "--rate", "1000", *ALONE)
    )
    stack.enter_context(
        _running("-m", "samara.cli", "controller", "pendulum-swing", *NAMED, "--quiet", "--timeout", "120")
    )
    return {
        "scopes": [Setup(["bob.position.x", "bob.position.y", "hinge.angle_rate"]), Setup(["torque"])],
        "gauges": ["hinge.angle", "hinge.angle_rate", "torque", "hinge.force.y"],
        "alarms": [Rule("hinge.angle_rate", "above", 5.5)],
        "view": "top",  # its motion is in the x-y plane
        "wait": 8.0,
        "stage": {"pendulumswing-gain": "3", "pendulumswing-limit": "5"},
    }


def _puma(stack: contextlib.ExitStack) -> dict[str, Any]:
    """The Puma's rotor in flight 123; its collective pitch is changed."""
    stack.enter_context(_running("-m", "samara.cli", "realtime", "puma", "--rate", "400", *ALONE))
    return {
        "scopes": [
            Setup([f"blade_{k}.flap.angle" for k in range(1, 5)], window=2.0),
            Setup(["rotor.thrust", "rotor.torque"], window=5.0, lanes=True),
        ],
        "gauges": ["rotor.thrust", "rotor.power", "rotor.CT_sigma", "blade_1.flap.angle"],
        "alarms": [Rule("rotor.CT_sigma", "above", 0.12, 0.5)],
        "wait": 8.0,
        "apply": {"model-collective": "0.215"},
    }


def _craft(stack: contextlib.ExitStack) -> dict[str, Any]:
    """The craft of the tests, in a right turn at low height."""
    stack.enter_context(_running("-m", "samara.cli", "realtime", str(CRAFT), "--rate", "500", *ALONE))
    return {
        "scopes": [Setup(["body.position.z"]), Setup(["roll", "pitch", "yaw"])],
        "gauges": ["lift", "roll", "pitch", "yaw"],
        "alarms": [Rule("body.position.z", "below", 0.5)],
        "wait": 1.0,
        "driven": False,
        "fly": {"w": 0.5, "ArrowUp": 3.0, "d": 1.0, "ArrowRight": 0.5},
    }


SUBJECTS = {"laptop": (_pendulum, 1440, 900), "wall": (_puma, 2560, 1440), "flight": (_craft, 1440, 900)}


def _fly(page: Any, keys: dict[str, float]) -> None:
    """Takes the sticks and holds keys, each for so long [s] before the next one, all until the picture is taken."""
    page.get_by_test_id("fly").click()
    page.mouse.move(1, 1)
    time.sleep(1.0)
    for key, duration in keys.items():
        page.keyboard.down(key)
        time.sleep(duration)
        if key == "w":
            page.keyboard.up(key)


def browser() -> str:
    """The Chromium of the system."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    return found or sys.exit("there is no Chromium on this machine")


def keep(page: Any, path: Path) -> None:
    """Writes what a page shows, in 256 colours."""
    from PIL import Image

    path.parent.mkdir(exist_ok=True)
    page.screenshot(path=path)
    Image.open(path).convert("RGB").quantize(256, Image.Quantize.FASTOCTREE).save(path, optimize=True)
    print(path)


def take() -> None:
    """Looks at both in the panel, and writes the pictures."""
    from playwright.sync_api import sync_playwright

    program = browser()
    os.environ["XDG_CONFIG_HOME"] = tempfile.mkdtemp()
    for name in sys.argv[1:] or SUBJECTS:
        subject, width, height = SUBJECTS[name]
        with contextlib.ExitStack() as stack:
            plan = subject(stack)
            session = stack.enter_context(Session.connect(SESSION, timeout=120.0))
            stack.callback(session.command, Command.STOP)
            if plan.get("driven", True):
                session.wait_driven(timeout=60.0)
            layout = PanelLayout(plan["scopes"], plan["gauges"], plan["alarms"])
            layouts.save(session.card.model, layouts.DEFAULT, layout)
            panel = start_panel(SESSION)
            stack.callback(panel.process.wait)
            stack.callback(panel.process.terminate)
            chromium = stack.enter_context(sync_playwright()).chromium.launch(executable_path=program, args=OPTIONS)
            page = chromium.new_page(viewport={"width": width, "height": height})
            page.goto(panel.operator)
            page.get_by_test_id("state").get_by_text("running").wait_for(timeout=60_000)
            view = page.get_by_text(plan.get("view", "iso"), exact=True)
            if view.count() and "fly" not in plan:
                view.first.click()
            for place, value in plan.get("stage", {}).items():
                page.get_by_test_id(f"stage-{place}").fill(value)
            time.sleep(2.0)
            session.command(Command.RESET)
            time.sleep(1.0)
            while session.sensors.read().time < plan["wait"]:
                time.sleep(0.05)
            for place, value in plan.get("apply", {}).items():
                page.get_by_test_id(f"stage-{place}").press_sequentially(value)
                page.keyboard.press("Enter")
                time.sleep(1.0)
            page.mouse.move(width // 2, height - 2)
            if "fly" in plan:
                _fly(page, plan["fly"])
            else:
                time.sleep(1.5)
            keep(page, FOLDER / f"{name}.png")
            chromium.close()


if __name__ == "__main__":
    take()
