"""What the browser makes of keys, fingers and a gamepad, in the same JavaScript."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from samara import dashboard

SOURCE = (Path(dashboard.__file__).parent / "flight.js").read_text(encoding="utf-8")
AXES = {name: {"springs": name != "collective"} for name in ("roll", "pitch", "yaw", "collective")}
STANDARD = {"mapping": "standard", "buttons": []}


def hands(tmp_path, held=(), fingers=None, pad=None, axes=AXES):
    if shutil.which("node") is None:
        pytest.skip("no JavaScript outside the browser")
    asked = f"{json.dumps(axes)}, new Set({json.dumps(held)}), {json.dumps(fingers or {})}, {json.dumps(pad)}"
    script = SOURCE[: SOURCE.index("export default")] + f"console.log(JSON.stringify(hands({asked})));"
    (tmp_path / "script.js").write_text(script)
    run = subprocess.run(["node", tmp_path / "script.js"], capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


def test_keys_push(tmp_path):
    found = hands(tmp_path, ["ArrowLeft", "ArrowUp", "KeyD", "KeyW"])
    assert found == {"pushes": {"roll": -1, "pitch": 1, "yaw": 1, "collective": 1}, "places": {}, "neutral": False}
    assert hands(tmp_path, ["ArrowLeft", "ArrowRight"])["pushes"] == {"roll": 0}
    assert hands(tmp_path, ["Space"]) == {"pushes": {}, "places": {}, "neutral": True}


def test_an_axis_that_there_is_not_is_left_out(tmp_path):
    pad = STANDARD | {"axes": [1, 1, 1, 1]}
    found = hands(tmp_path, ["KeyA", "ArrowUp"], None, pad, axes={"roll": AXES["roll"]})
    assert found == {"pushes": {}, "places": {"roll": 1}, "neutral": False}


def test_a_gamepad_places_what_springs_and_moves_what_stays(tmp_path):
    found = hands(tmp_path, pad=STANDARD | {"axes": [-1.0, -0.54, 0.54, 1.0]})
    assert found["places"] == {"yaw": -1, "roll": pytest.approx(0.5), "pitch": -1}  # its y axes point down
    assert found["pushes"] == {"collective": pytest.approx(0.5)}
    assert hands(tmp_path, pad=STANDARD | {"axes": [0.08, -0.08, 0.01, 0.0]})["places"] == {}
    transmitter = {"mapping": "", "buttons": [], "axes": [0, -0.54, 0, 0]}
    assert hands(tmp_path, pad=transmitter)["places"] == {"collective": pytest.approx(0.5)}
    pressed = STANDARD | {"axes": [0, 0, 0, 0], "buttons": [{"pressed": True}]}
    assert hands(tmp_path, pad=pressed)["neutral"] is True


def test_a_finger_counts_before_a_gamepad(tmp_path):
    found = hands(tmp_path, [], {"roll": 0.25}, STANDARD | {"axes": [0, 0, -1, 0]})
    assert found["places"] == {"roll": 0.25}
