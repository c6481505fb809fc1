"""Pictures of the panel. `python docs/figures/panel.py` takes them anew, with the Chromium of the system.

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

import matplotlib.pyplot as plt
from registry import figure

FOLDER = Path(__file__).resolve().parent / "panel"
SIZES = {"laptop": (1440, 900), "wall": (2560, 1440)}
OPTIONS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader"
).split()
SESSION = "panel-picture"


def _shown(name: str) -> plt.Figure:
    pixels = plt.imread(FOLDER / f"{name}.png")
    picture = plt.figure(figsize=(9.6, 9.6 * pixels.shape[0] / pixels.shape[1]), layout="none")
    axes = picture.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.imshow(pixels, interpolation="none")
    axes.set_axis_off()
    return picture


@figure
def panel_laptop() -> plt.Figure:
    """The panel at 1440 x 900."""
    return _shown("laptop")


@figure
def panel_wall() -> plt.Figure:
    """The panel at 2560 x 1440."""
    return _shown("wall")


@contextlib.contextmanager
def _running(*args: str) -> Iterator[None]:
    process = subprocess.Popen([sys.executable, "-m", "samara.cli", *args], stdout=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait()


def take() -> None:
    """Swings the pendulum up under its controller, looks at it in the panel, and writes the pictures."""
    from PIL import Image
    from playwright.sync_api import sync_playwright

    from samara.dashboard import layouts
    from samara.dashboard.alarms import Rule
    from samara.dashboard.layouts import Layout
    from samara.dashboard.scope import Setup
    from samara.dashboard.start import start_panel
    from samara.realtime import Command, Session

    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if browser is None:
        sys.exit("there is no Chromium on this machine")
    os.environ["XDG_CONFIG_HOME"] = tempfile.mkdtemp()
    scopes = [Setup(["bob.position.x", "bob.position.y", "hinge.angle_rate"]), Setup(["torque"])]
    gauges = ["hinge.angle", "hinge.angle_rate", "torque", "hinge.force.y"]
    layouts.save("pendulum", "default", Layout(scopes, gauges, [Rule("hinge.angle_rate", "above", 5.5)]))
    simulator = ("realtime", "pendulum", "--set", "motor=true", "angle=0.0", "--rate", "1000", "--session", SESSION)
    controller = ("controller", "pendulum-swing", "--session", SESSION, "--quiet")
    with contextlib.ExitStack() as stack:
        stack.enter_context(_running(*simulator))
        session = stack.enter_context(Session.connect(SESSION, timeout=120.0))
        stack.enter_context(_running(*controller))
        session.wait_driven(timeout=60.0)
        panel = start_panel(SESSION)
        stack.callback(panel.process.wait)
        stack.callback(panel.process.terminate)
        chromium = stack.enter_context(sync_playwright()).chromium.launch(executable_path=browser, args=OPTIONS)
        for name, (width, height) in SIZES.items():
            page = chromium.new_page(viewport={"width": width, "height": height})
            page.goto(panel.operator)
            page.get_by_test_id("value-pendulumswing-gain").wait_for(timeout=30_000)
            session.command(Command.RESET)
            time.sleep(9.0)
            page.get_by_test_id("stage-pendulumswing-gain").fill("3")
            page.get_by_test_id("stage-pendulumswing-limit").fill("5")
            page.mouse.move(width // 2, height // 2)
            time.sleep(1.5)
            FOLDER.mkdir(exist_ok=True)
            path = FOLDER / f"{name}.png"
            page.screenshot(path=path)
            page.close()
            Image.open(path).convert("RGB").quantize(128).save(path, optimize=True)
            print(path)
        chromium.close()


if __name__ == "__main__":
    take()
