"""A page holds all that it shows: the poses of the run, to the step of its numbers, and nothing from elsewhere."""

import pickle
import re
from dataclasses import replace

import numpy as np
import pytest
from block import Block
from scipy.spatial.transform import Rotation

pytest.importorskip("nicegui")

import samara as sm
from samara.models import find
from samara.results import Results
from samara.viewer import drawing
from samara.viewer.frames import TURN, USUAL_RATE, needed_rate, thinned

END, STEP = 1.0, 1e-3


@pytest.fixture(scope="module")
def run():
    return sm.transient(find("double-pendulum").make(), END, STEP, progress=False)


@pytest.fixture(scope="module")
def page(run, tmp_path_factory):
    return run.animate(tmp_path_factory.mktemp("page") / "run.html").read_text("utf-8")


def poses_of(page, which=0):
    """Times, positions (n, nodes, 3), rotations (n, nodes, 3, 3), and half a level of both."""
    block = Block(page)
    run = block.head["runs"][which]
    nodes = run["scene"]["nodes"]
    values, half = block.columns(run["poses"])
    values, half = values.reshape(len(values), len(nodes), 7), half.reshape(len(nodes), 7)
    p = values[:, :, :3] + block.floats(run["middle"]).reshape(-1, 1, 3)
    R = Rotation.from_quat(values[:, :, 3:].reshape(-1, 4)).as_matrix().reshape(*p.shape, 3)
    return run["start"] + block.floats(run["time"]), p, R, half


def test_poses_are_those_of_the_run(run, page):
    time, p, R, half = poses_of(page)
    nodes = Block(page).head["runs"][0]["scene"]["nodes"]
    assert set(nodes) == {"upper", "lower"}
    rows = np.rint(time / STEP).astype(int)
    assert run.time[rows] == pytest.approx(time, abs=1e-6)
    for k, name in enumerate(nodes):
        # half a level, and the middle in single precision
        allowed = half[k, :3].max() + 2.0**-23 * np.abs(run[f"{name}.position"]).max()
        assert np.abs(p[:, k] - run[f"{name}.position"][rows]).max() <= 1.01 * allowed
        recorded = Rotation.from_matrix(run[f"{name}.rotation"][rows].reshape(-1, 3, 3))
        turned = Rotation.from_matrix(R[:, k]) * recorded.inv()
        # an error of a quaternion is half an angle; each of its four numbers has one
        assert turned.magnitude().max() <= 2.02 * np.linalg.norm(half[k, 3:]) + 1e-7


def test_nothing_is_loaded_from_elsewhere(page):
    assert not re.findall(r"https?:", page)  # outside of the deflated scripts
    assert not re.findall(r"\b(src|href)=|url\(|@import", page)
    assert "default-src 'none'" in page  # and a browser would refuse to
    assert "Permission is hereby granted" in page  # three.js keeps its notice
    assert "Three.js Authors" in page


def test_without_three_js_the_remedy_is_named(run, monkeypatch):
    monkeypatch.setattr(drawing.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r"pip install 'samara\[panel\]'"):
        run.animate()


def test_a_file_of_results_shows_the_same(run, page, tmp_path):
    run.save(tmp_path / "run.nc")
    loaded = Results.load(tmp_path / "run.nc")
    assert loaded.scene == run.scene
    assert loaded.animate(tmp_path / "again.html").read_text("utf-8") == page
    sent = pickle.loads(pickle.dumps(run))
    assert sent.scene == run.scene


def test_results_of_the_same_model_lie_over_each_other(run, tmp_path):
    other = sm.transient(find("double-pendulum").make(angle_1=0.3), END, STEP, progress=False)
    both = run.animate(tmp_path / "both.html", beside=other).read_text("utf-8")
    for which, one in enumerate((run, other)):
        time, p, _, half = poses_of(both, which)
        k = Block(both).head["runs"][which]["scene"]["nodes"].index("lower")
        rows = np.rint(time / STEP).astype(int)
        assert np.abs(p[:, k] - one["lower.position"][rows]).max() <= 1.01 * half[k, :3].max() + 1e-6


def test_forces_of_joints_act_where_the_joints_are(run, page):
    """Weight and inertia of the lower rod hang in its hinge: m (a - g) is the reaction, turned into the world."""
    block = Block(page)
    shown = block.head["runs"][0]
    (force,) = [v for v in shown["vectors"] if v["name"] == "hinge_2.force"]
    values, half = block.columns(shown["curves"]["values"])
    rows = np.rint(block.floats(shown["curves"]["time"]) / STEP).astype(int)
    R = poses_of(page)[2]
    k, place = force["node"], np.array(force["pose"])
    columns = slice(force["column"], force["column"] + 3)
    world = np.einsum("tij,tj->ti", R[:, k] @ place[3:].reshape(3, 3), values[:, columns])
    name = shown["scene"]["nodes"][k]
    expected = 1.0 * (run[f"{name}.acceleration"][rows] - [0.0, -9.81, 0.0])  # of 1 kg
    # half a level of each component, and turns in single precision and 16 bits
    assert world == pytest.approx(expected, abs=2.0 * half[columns].max() + 3e-4 * np.abs(expected).max())


def test_frames_are_near_equal_intervals():
    time = np.sort(np.r_[np.linspace(0.0, 10.0, 20_001), np.linspace(3.0, 3.1, 5_000)])
    shown = time[thinned(time, 60.0)]
    assert shown[[0, -1]].tolist() == [0.0, 10.0]
    assert np.abs(np.diff(shown) - 1.0 / 60.0).max() < 1e-3
    assert thinned(time[:5], 1e9).tolist() == [0, 1, 2, 3, 4]


def test_what_turns_fast_has_more_frames():
    time = np.linspace(0.0, 1.0, 2001)
    for speed, expected in ((10.0, USUAL_RATE), (400.0, 400.0 / TURN)):
        turn = Rotation.from_rotvec(np.outer(speed * time, [0.0, 0.6, 0.8])).as_matrix()[:, None]
        assert needed_rate(time, turn) == pytest.approx(expected, rel=1e-6)


def test_a_notebook_shows_it_in_its_cell(run):
    cell = run.animate()._repr_html_()
    assert cell.startswith("<iframe srcdoc=")
    assert cell.count("<") == 2  # the page inside is escaped


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda r, f: r.animate(f / "run.avi"), r"run\.avi: an animation ends in \.html \(page\), \.gif or \.mp4"),
        (lambda r, f: r.animate(f / "absent" / "run.html"), "does not exist; create it first"),
        (lambda r, f: r.animate(f / "run.html", rate=-1.0), "animate: rate must be"),
        (lambda r, f: r.animate(f / "run.gif", beside=r), r"beside is for pages: name a file that ends in \.html"),
        (lambda r, f: r.select("hinge_1.*").animate(f / "run.html"), r"those of '\w+' were not recorded: run with"),
        (lambda r, f: Results(r.channels, r.time, r.table).animate(f / "x.html"), "do not hold what there is to draw"),
        (lambda r, f: Results(r.channels, r.time[:0], r.table[:0], r.attrs).animate(f / "x.html"), "have no samples"),
    ],
)
def test_what_cannot_be_shown_is_named(run, tmp_path, ask, words):
    with pytest.raises((ValueError, OSError), match=words):
        ask(run, tmp_path)


def test_a_run_that_failed_shows_what_was_sound(run, tmp_path):
    table = run.table.copy()
    table[-3:] = np.nan
    broken = Results(run.channels, run.time, table, replace(run.attrs, status="failed", message="went astray"))
    text = broken.animate(tmp_path / "broken.html").read_text("utf-8")
    assert poses_of(text)[0][-1] == pytest.approx(END - 3 * STEP, abs=1e-6)
    assert Block(text).head["runs"][0]["status"] == "failed: went astray"
