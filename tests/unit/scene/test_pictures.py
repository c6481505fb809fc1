"""Modes drawn and animated: what is on the page is the mode, on the model's own lines."""

import json
import shutil
import subprocess

import numpy as np
import pytest

import samara as sm
from samara.models import find
from samara.models.rotors import rotor4
from samara.scene.animation import SWING, scene


@pytest.fixture(scope="module")
def pendulum():
    """A double pendulum that hangs: rods of 1 m, nodes in their middles."""
    return sm.modes(find("double-pendulum").make(angle_1=0.0))


@pytest.fixture(scope="module")
def rotor():
    return sm.modes(sm.steady_rotation(rotor4.build(beams=1), rotor4.SPEED), 8)


def places(modes):
    return modes.outline.points(modes.p, modes.R)


def test_lines_join_the_rods_at_their_hinges(pendulum):
    drawn = places(pendulum)[pendulum.outline.lines]
    lengths = np.sort(np.linalg.norm(drawn[:, 0] - drawn[:, 1], axis=1))
    # from the hinges to the nodes three halves of a rod; in a hinge two frames at one place
    assert lengths == pytest.approx([0.0, 0.0, 0.5, 0.5, 0.5], abs=1e-12)
    assert drawn[:, :, 1].max() == pytest.approx(0.0, abs=1e-12)  # the upper hinge
    assert drawn[:, :, 1].min() == pytest.approx(-1.5)


def test_points_of_a_hinge_stay_together_in_a_mode(pendulum):
    """To first order; the one on the ground stays where it is."""
    for mode in range(2):
        moved = pendulum.outline.displacements(pendulum.R, pendulum.shapes[mode])
        at = places(pendulum)
        for a, b in pendulum.outline.lines:
            if np.allclose(at[a], at[b]):
                assert moved[a] == pytest.approx(moved[b], abs=1e-12)
    assert (moved[pendulum.outline.node < 0] == 0.0).all()


def test_beams_are_drawn_from_the_hub_to_the_tips(rotor):
    drawn = places(rotor)[rotor.outline.lines]
    lengths = np.linalg.norm(drawn[:, 0] - drawn[:, 1], axis=1)
    stretch = np.linalg.norm(rotor.p, axis=1).max() / rotor4.RADIUS
    assert len(lengths) == 8  # two a beam of three nodes
    assert lengths.sum() == pytest.approx(4 * rotor4.RADIUS * stretch, rel=1e-3)
    assert np.isin(np.linalg.norm(drawn[:, 0], axis=1).round(9), 0.0).any()  # the hub, which has no unknowns


def test_largest_swing_is_a_tenth_of_the_size(rotor):
    for mode in scene(rotor, range(8))["modes"]:
        size = np.linalg.norm(np.hypot(mode["re"], mode["im"]), axis=1).max()
        assert size == pytest.approx(SWING * rotor.length, rel=1e-5)


def test_numbers_of_the_page_are_the_mode(rotor):
    page = scene(rotor, [4])
    at_nodes = rotor.outline.node >= 0
    (mode,) = page["modes"]
    moved = (np.array(mode["re"]) + 1j * np.array(mode["im"]))[at_nodes]
    expected = rotor.displacements(4)[rotor.outline.node[at_nodes]]
    factor = np.vdot(expected, moved) / np.vdot(expected, expected)
    assert moved == pytest.approx(factor * expected, abs=1e-5 * rotor.length)
    assert mode["name"].startswith(f"mode 5: {rotor.frequencies_hz[4]:.4g} Hz")
    assert len(page["nodes"]) == len(rotor.nodes)


def test_a_page_holds_everything(rotor, tmp_path):
    file = rotor.animate([0, 4], tmp_path / "rotor.html")
    text = file.read_text("utf-8")
    assert "http" not in text.replace("<!doctype html>", "") and "src=" not in text
    data = json.loads(text.split("const scene = ")[1].split(";\n")[0])
    assert data == scene(rotor, [0, 4])


def test_the_script_moves_points_as_the_mode_does(rotor, tmp_path):
    """Its two functions, run by Node.js where there is one."""
    if shutil.which("node") is None:
        pytest.skip("Node.js is not installed")
    text = rotor.animate(4, tmp_path / "rotor.html").read_text("utf-8")
    script = text.split("<script>")[1].split("</script>")[0]
    ask = (
        "const v = {centre: [0, 0, 0], turn: 0.3, tilt: 0.5, x: 10, y: 20, scale: 2};"
        "const p = scene.points.map((_, k) => placed(k, scene.modes[0], 0.7, 1));"
        "console.log(JSON.stringify([p, p.map(q => projected(q, v))]));"
    )
    (tmp_path / "script.js").write_text(script + ask)
    run = subprocess.run(["node", tmp_path / "script.js"], capture_output=True, text=True, check=True)
    points, screen = map(np.array, json.loads(run.stdout))
    page = scene(rotor, [4])
    moved = np.array(page["modes"][0]["re"]) + 1j * np.array(page["modes"][0]["im"])
    assert points == pytest.approx(np.array(page["points"]) + (moved * np.exp(0.7j)).real, abs=1e-9)
    # seen from a camera turned by 0.3 about z and raised by 0.5: axes to its right and upward
    right = np.array([np.cos(0.3), np.sin(0.3), 0.0])
    up = np.array([-np.sin(0.5) * np.sin(0.3), np.sin(0.5) * np.cos(0.3), np.cos(0.5)])
    assert screen == pytest.approx(np.column_stack([10 + 2 * points @ right, 20 - 2 * points @ up]), abs=1e-9)


def test_figures_are_to_scale(rotor, pendulum):
    for modes in (rotor, pendulum):
        axes = modes.plot(1).axes[0]
        limits = np.array([axes.get_xlim(), axes.get_ylim(), axes.get_zlim()])
        scale = np.diff(limits)[:, 0] / axes.get_box_aspect()
        assert scale == pytest.approx(scale[0])
        shown = modes.p[:, :]
        assert (shown >= limits[:, 0] - 1e-9).all() and (shown <= limits[:, 1] + 1e-9).all()


def test_without_a_model_the_nodes_are_drawn(pendulum):
    from dataclasses import replace

    bare = replace(pendulum, outline=None)
    assert scene(bare, [0])["lines"] == []
    assert bare.plot(0).axes


def test_what_cannot_be_animated_is_named(rotor, tmp_path):
    with pytest.raises(ValueError, match=r"rotor\.gif: .* ends in \.html"):
        rotor.animate(0, tmp_path / "rotor.gif")
    with pytest.raises(ValueError, match="there is no mode 8: they are counted from 0 to 7"):
        rotor.animate(8, tmp_path / "rotor.html")
    with pytest.raises(ValueError, match="a mode is a whole number, counted from 0, got 'first'"):
        rotor.animate(["first"], tmp_path / "rotor.html")
    with pytest.raises(ValueError, match="no mode to animate"):
        rotor.animate([], tmp_path / "rotor.html")
    with pytest.raises(OSError, match="does not exist; create it first"):
        rotor.animate(0, tmp_path / "absent" / "rotor.html")


def test_any_whole_number_is_a_mode(rotor, tmp_path):
    one = rotor.animate(np.int64(7), tmp_path / "one.html").read_text("utf-8")
    assert one == rotor.animate(-1, tmp_path / "two.html").read_text("utf-8")
    assert rotor.plot(np.int64(7)).axes[0].get_title().startswith("mode 8")
    assert rotor.plot(-1).axes[0].get_title().startswith("mode 8")


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda m: m.plot(9), "there is no mode 9: they are counted from 0 to 7"),
        (lambda m: m.shape(9, m.nodes[0]), "there is no mode 9"),
        (lambda m: m.displacements(-9), "there is no mode -9"),
        (lambda m: m.shape(0, "blade_0.n9"), "no node 'blade_0.n9' among the unknowns; did you mean 'blade_0.n"),
        (lambda m: m.shape(0, "nope"), "no node 'nope'"),
    ],
)
def test_modes_and_nodes_that_are_not_there(rotor, ask, words):
    with pytest.raises(ValueError, match=words):
        ask(rotor)


@pytest.mark.parametrize("count", [0, -2, 2.5, True])
def test_counts_that_make_no_sense(count):
    with pytest.raises(ValueError, match="modes: count must be"):
        sm.modes(find("double-pendulum").make(angle_1=0.0), count)
