"""Pages of runs and of modes in a real Chromium: they load nothing, complain of nothing, and show the run."""

import io

import numpy as np
import pytest

pytest.importorskip("nicegui")
pytest.importorskip("playwright")
from PIL import Image
from playwright import sync_api as playwright
from test_panel_chromium import CHROMIUM, OPTIONS

import samara as sm
from samara.models.rotors import rotor4

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium or Chrome on this machine"),
]
STEP = 1e-3


@pytest.fixture(scope="module")
def run():
    return sm.transient(rotor4.build(beams=1), 0.5, STEP, progress=False)


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as p:
        browser = p.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        yield browser
        browser.close()


@pytest.fixture
def open_file(browser):
    complaints, pages = [], []

    def opened(path):
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        pages.append(page)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
        page.on("request", lambda r: complaints.append(r.url) if not r.url.startswith(("file:", "blob:")) else None)
        page.goto(path.absolute().as_uri())
        page.locator("body[data-ready=yes]").wait_for(timeout=60_000)
        return page

    yield opened
    for page in pages:
        page.close()
    assert complaints == []


def picture(page):
    with Image.open(io.BytesIO(page.locator("#view").screenshot())) as shot:
        return np.asarray(shot.convert("RGB"), int)


def test_a_page_shows_the_run(run, open_file, tmp_path):
    page = open_file(run.animate(tmp_path / "run.html", beside=run))
    first = picture(page)
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 200  # not blank
    # poses in the browser at a frame: the places to its numbers' steps of 16 bits
    frame = page.evaluate("samara.runs[0].at.length - 3")
    page.evaluate(f"samara.seek(samara.runs[0].at[{frame}])")
    time = page.evaluate(f"samara.runs[0].at[{frame}]")
    poses = np.array(page.evaluate("Array.from(samara.machine.shape.poses)")).reshape(-1, 12)
    row = round(time / STEP)
    for name, pose in zip(page.evaluate("samara.machine.scene.nodes"), poses, strict=True):
        assert pose[:3] == pytest.approx(run[f"{name}.position"][row], abs=2.0 * rotor4.RADIUS / 65534)
        assert pose[3:] == pytest.approx(run[f"{name}.rotation"][row], abs=2e-4)
    # between two frames a cubic and an even turn: nearer to the run than a straight way is
    row = round(0.5 / STEP * page.evaluate(f"samara.runs[0].at[{frame - 4}] + samara.runs[0].at[{frame - 5}]"))
    at = np.array(page.evaluate(f"Array.from(samara.runs[0].poses({row * STEP}))")).reshape(-1, 12)
    nodes = page.evaluate("samara.machine.scene.nodes")
    for name, pose in zip(nodes, at, strict=True):
        # of a turn of 28 degrees from frame to frame the cubic misses a thousandth of the radius
        assert pose[:3] == pytest.approx(run[f"{name}.position"][row], abs=3e-3 * rotor4.RADIUS)
    assert (picture(page) != first).any()


def test_tools_of_the_page(run, open_file, tmp_path):
    page = open_file(run.animate(tmp_path / "run.html"))
    plain = picture(page)
    colour = page.get_by_label("colour")
    colour.select_option(label="moment.y [N m]")
    assert page.locator("#legend").is_visible()
    assert (picture(page) != plain).any()
    page.get_by_text("plots (").click()
    page.get_by_label("search plots").fill("moment_1.y")
    page.locator("details[open] .list").get_by_label("blade_1").first.check()
    plot = page.locator("#plots canvas").first
    plot.click(position={"x": 660, "y": 60})
    box = plot.bounding_box()
    expected = (660 - 60) / (box["width"] - 72) * run.time[-1]
    shown = page.locator("body").get_attribute("data-time")
    assert float(shown) == pytest.approx(expected, abs=2e-3)
    page.get_by_role("button", name="play").click()
    # not wait_for_function: the page may evaluate no string, as it would at each look after the first
    playwright.expect(page.locator("body")).not_to_have_attribute("data-time", shown)
    page.get_by_label("camera").select_option(index=1)
    page.get_by_text("traces (").click()
    page.locator("details[open] .list input").first.check()


def test_modes_move_in_the_same_page(open_file, tmp_path):
    modes = sm.modes(sm.steady_rotation(rotor4.build(beams=1), rotor4.SPEED), 4)
    page = open_file(modes.animate(range(4), tmp_path / "modes.html"))
    page.get_by_role("button", name="pause").click()
    for mode in range(2):
        page.get_by_label("mode", exact=True).select_option(index=mode)
        page.evaluate("samara.seek(0)")
        at = np.array(page.evaluate("Array.from(samara.machine.shape.poses)")).reshape(-1, 12)[:, :3]
        moved, expected = at - modes.p, modes.displacements(mode).real
        factor = np.vdot(expected, moved) / np.vdot(expected, expected)
        assert moved == pytest.approx(factor * expected, abs=1e-4 * rotor4.RADIUS)  # single precision, through R
        assert factor > 0.0
    assert picture(page).std() > 5.0


def test_a_notebook_shows_the_page(run, open_file, tmp_path):
    """The page within another, as a cell has it."""
    cell = run.animate()._repr_html_()
    (tmp_path / "cell.html").write_text(f"<!doctype html><body data-ready=yes>{cell}</body>", "utf-8")
    page = open_file(tmp_path / "cell.html")
    page.frame_locator("iframe").locator("body[data-ready=yes]").wait_for(timeout=60_000)


def test_sizes_stay_small(run, tmp_path):
    """The scripts are a third of a megabyte; half a second of a rotor with 1000 channels adds little."""
    assert run.animate(tmp_path / "run.html").stat().st_size < 1_000_000
