"""The page of modes holds the small motions of the nodes as they are, and the model's own parts."""

import numpy as np
import pytest

pytest.importorskip("nicegui")
from dataclasses import replace

from block import Block

import samara as sm
from samara.models.rotors import rotor4


@pytest.fixture(scope="module")
def rotor():
    return sm.modes(sm.steady_rotation(rotor4.build(beams=1), rotor4.SPEED), 8)


def test_motions_of_the_page_are_the_modes(rotor, tmp_path):
    block = Block(rotor.animate([0, 4], tmp_path / "rotor.html").read_text("utf-8"))
    assert [mode["name"].split(":")[0] for mode in block.head["modes"]] == ["mode 1", "mode 5"]
    for mode, k in zip(block.head["modes"], (0, 4), strict=True):
        shape = (block.floats(mode["re"]) + 1j * block.floats(mode["im"])).reshape(-1, 6)
        assert shape == pytest.approx(rotor.shapes[k], abs=1e-6)  # single precision
    poses = block.floats(block.head["poses"]).reshape(-1, 12)
    assert poses[:, :3] == pytest.approx(rotor.p, abs=1e-5)
    drawn = block.head["scene"]
    assert drawn["nodes"] == list(rotor.nodes)
    assert sum(skin["kind"] == "beam" for skin in drawn["surfaces"]) == 4


def test_all_modes_are_there_by_default(rotor):
    assert len(Block(rotor.animate().page).head["modes"]) == len(rotor)


def test_without_a_model_the_lines_are_drawn_or_the_nodes(rotor):
    lines = Block(replace(rotor, scene=None).animate(0).page).head["scene"]
    assert lines["lines"] == rotor.outline.lines.tolist()
    assert Block(replace(rotor, scene=None, outline=None).animate(0).page).head["scene"]["lines"] == []


def test_what_cannot_be_animated_is_named(rotor, tmp_path):
    with pytest.raises(ValueError, match=r"rotor\.gif: .* ends in \.html"):
        rotor.animate(0, tmp_path / "rotor.gif")
    with pytest.raises(ValueError, match="there is no mode 8: modes are numbered from 0 to 7"):
        rotor.animate(8, tmp_path / "rotor.html")
    with pytest.raises(ValueError, match="a mode must be a whole number, from 0 on, got 'first'"):
        rotor.animate(["first"], tmp_path / "rotor.html")
    with pytest.raises(ValueError, match="no mode to animate"):
        rotor.animate([], tmp_path / "rotor.html")
    with pytest.raises(OSError, match="does not exist; create it first"):
        rotor.animate(0, tmp_path / "absent" / "rotor.html")


def test_any_whole_number_is_a_mode(rotor):
    assert rotor.animate(np.int64(7)).page == rotor.animate(-1).page
