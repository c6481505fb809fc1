"""Modes drawn: what is in the figure is the mode, on the model's own lines."""

import numpy as np
import pytest

import samara as sm
from samara.models import find
from samara.models.rotors import rotor4


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
    assert bare.plot(0).axes


def test_any_whole_number_is_a_mode(rotor):
    assert rotor.plot(np.int64(7)).axes[0].get_title().startswith("mode 8")
    assert rotor.plot(-1).axes[0].get_title().startswith("mode 8")


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda m: m.plot(9), "there is no mode 9: modes are numbered from 0 to 7"),
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
