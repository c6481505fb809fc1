"""What the views of the machine and of its rotors send to the browser, and when."""

import base64
import json
import shutil
import subprocess
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("nicegui")

from nicegui import Client
from nicegui.page import page

from samara.dashboard.views import rotor_view, scene_view
from samara.dashboard.views.tip_path import places
from samara.realtime.session.card import Signal
from samara.rotations import exp_so3
from samara.viewer.drawing import drawing_modules

COUNT = 3


def made_up_feed(rotors=True):
    """Three blades that are nodes, on a hub at the world's origin; flapping is measured, lagging is not published."""
    angle = 2.0 * np.pi * np.arange(COUNT) / COUNT
    poses = np.zeros((COUNT, 12))
    poses[:, :3] = np.column_stack([np.cos(angle), np.sin(angle), 0.1 + 0.0 * angle])
    poses[:, 3:] = np.eye(3).ravel()
    time = np.linspace(0.0, 2.0, 401)
    columns = {"r.azimuth": np.arctan2(np.sin(20.0 * time), np.cos(20.0 * time)), "r.speed": 20.0 + 0.0 * time}
    columns |= {f"b{k}.flap": np.cos(20.0 * time + angle[k]) for k in range(COUNT)}
    rotor = {
        "name": "r", "sense": 1, "radius": 1.0, "craft": -1, "hub": -1, "disk": [0.0, 0.0, 0.0, *np.eye(3).ravel()],
        "azimuth": {"sensor": "r.azimuth"},
        "blades": [{"name": f"b{k}", "ahead": angle[k], "tip": k, "surfaces": []} for k in range(COUNT)],
        "groups": {name: [f"b{k}.{name}" for k in range(COUNT)] for name in ("flap", "lag")},
    }  # fmt: skip
    scene = {
        "node": [0, 1, 2],
        "offset": np.zeros((COUNT, 3)).tolist(),
        "lines": [],
        "rotors": [rotor] if rotors else [],
    }
    return SimpleNamespace(
        scene=scene,
        card=SimpleNamespace(nodes=("b0", "b1", "b2"), sensors=[Signal(name, "rad") for name in columns]),
        poses=lambda: poses,
        column=lambda name: (time, columns[name]) if name in columns else (np.zeros(0), np.zeros(0)),
    )


def opened(build, feed, monkeypatch):
    """A view on a page without a browser, and the calls that it sends there."""
    with Client(page("/"), request=None):
        view = build(feed)
    sent = []
    if view.element is not None:
        monkeypatch.setattr(view.element, "run_method", lambda *call: sent.append(call))
    return view, sent


def numbers(text):
    return np.frombuffer(base64.b64decode(text), "<f4")


def test_poses_are_sent_when_they_change(monkeypatch):
    feed = made_up_feed()
    view, sent = opened(scene_view.build, feed, monkeypatch)
    view.update()
    view.update()
    assert [call[0] for call in sent] == ["move"]
    assert numbers(sent[0][1]).reshape(COUNT, 12) == pytest.approx(feed.poses(), abs=1e-6)
    feed.poses()[1, 2] += 0.5
    view.update()
    assert len(sent) == 2
    view.element.seen = False
    feed.poses()[1, 2] += 0.5
    view.update()
    assert len(sent) == 2


def test_a_rotor_sends_its_plots_and_its_tilt(monkeypatch):
    view, sent = opened(rotor_view.build, made_up_feed(), monkeypatch)
    assert view.measure == "flap"
    assert list(view.rotor["groups"]) == ["flap"]
    for _ in range(2 * rotor_view.EVERY):
        view.update()
    calls = [call[0] for call in sent]
    assert (calls.count("tilt"), calls.count("show")) == (2 * rotor_view.EVERY, 2)
    tilt = next(call[1] for call in sent if call[0] == "tilt")
    assert tilt["coning"] == pytest.approx(np.arctan(0.1), abs=1e-12)
    head, text = next(call[1:] for call in sent if call[0] == "show")
    assert numbers(text).size == sum(size for _, size in head["arrays"])
    view.element.seen = False
    view.update()
    assert len(sent) == len(calls)


def test_nothing_is_shown_of_nothing(monkeypatch):
    feed = made_up_feed(rotors=False)
    assert not rotor_view.present(feed)
    view, sent = opened(rotor_view.build, feed, monkeypatch)
    view.update()
    assert (view.element, sent) == (None, [])
    feed.scene = {}
    assert not scene_view.present(feed)
    view, sent = opened(scene_view.build, feed, monkeypatch)
    view.update()
    assert (view.element, sent) == (None, [])


def test_the_browser_puts_points_where_python_does(tmp_path):
    if shutil.which("node") is None:
        pytest.skip("no JavaScript outside the browser")
    rng = np.random.default_rng(5)
    poses = np.array([np.r_[rng.normal(size=3), exp_so3(rng.normal(size=3)).ravel()] for _ in range(4)])
    scene = {"node": [2, -1, 0, 3, 3], "offset": rng.normal(size=(5, 3)).tolist()}
    source = (drawing_modules()["samara-machine"] / "index.js").read_text("utf-8").replace("export ", "")
    begin, end = source.index("function floats"), source.index("// points whose way")
    script = (
        source[begin:end] + f"const at = new Float64Array(15); places({json.dumps(scene)}, "
        f"floats({json.dumps(scene_view.packed(poses))}), at); console.log(JSON.stringify([...at]));"
    )
    (tmp_path / "script.js").write_text(script)
    run = subprocess.run(["node", tmp_path / "script.js"], capture_output=True, text=True, check=True)
    found = np.array(json.loads(run.stdout)).reshape(-1, 3)
    assert found == pytest.approx(places(scene, poses), abs=1e-6)  # poses go there as float32
