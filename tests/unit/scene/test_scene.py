"""What a simulation says there is to draw."""

import json

import numpy as np
import pytest

from samara import Beam2, Body, Clamp, Section, isotropic
from samara.dashboard.views.tip_path import places
from samara.model import Model, ModelError
from samara.models.articulated_rotors import puma
from samara.models.helicopters import helicopter
from samara.models.mechanisms import pendulum
from samara.rotations import exp_so3
from samara.scene import scene_of, shown
from samara.scene.outline import outline
from samara.solve import Simulation, assemble
from samara.system.memory.blocks import ROTATION

#: Offsets are rounded to a micrometre.
ROUNDED = 2e-6


def prepared(model):
    """A simulation at its start, its scene, and the poses of the nodes as a session shows them."""
    sim = Simulation(model)
    assemble(sim)
    nodes = shown(sim.system)
    poses = [np.r_[sim.state.pose(n).p, sim.state.read(n, ROTATION, 9)] for n in nodes]
    return sim, scene_of(sim.system)(), np.array(poses).reshape(-1, 12)


@pytest.fixture(scope="module", params=puma.KINDS)
def rotor(request):
    return prepared(puma.build(blades=request.param))


@pytest.fixture(scope="module")
def copter():
    return prepared(helicopter.build())


def rings(drawn, poses, name):
    """Corners of all sections of the surfaces of a part, (sections, corners, 3)."""
    numbers = [
        ring for s in drawn["surfaces"] if s["name"].startswith(name) and s["kind"] == "blade" for ring in s["rings"]
    ]
    return places(drawn, poses, np.ravel(numbers)).reshape(len(numbers), -1, 3)


def test_blades_have_the_models_chord_and_radius(rotor):
    _, drawn, poses = rotor
    for k in range(puma.BLADES):
        found = rings(drawn, poses, f"blade_{k + 1}.")
        trailing, leading = found[:, 0], found[:, 4]
        assert np.linalg.norm(leading - trailing, axis=1) == pytest.approx(puma.CHORD, abs=ROUNDED)
        # the blade's axis is the quarter chord
        axis = np.hypot(*(0.75 * leading + 0.25 * trailing)[:, :2].T)
        assert axis.max() == pytest.approx(puma.RADIUS, abs=1e-4)  # coning and lag at the start shorten it by less
        assert axis.min() == pytest.approx(puma.CUTOUT, abs=1e-4)


def test_blades_have_the_models_twist(rotor):
    """Between root and tip, as the blade's table has it; linear between stations, so the ends are extrapolated."""
    _, drawn, poses = rotor
    found = rings(drawn, poses, "blade_1.")
    radius = np.hypot(*found.mean(axis=1)[:, :2].T)
    chord = (found[:, 4] - found[:, 0]) / puma.CHORD
    root, tip = chord[np.argmin(radius)], chord[np.argmax(radius)]
    turned = np.arcsin(np.linalg.norm(np.cross(root, tip)))
    x, twist = puma.table("twist")
    expected = np.radians(np.interp(puma.CUTOUT, x, twist) - np.interp(puma.RADIUS, x, twist))
    assert expected > np.radians(3.0)
    assert turned == pytest.approx(expected, abs=np.radians(0.1))  # the table bends between the outermost stations


def test_leading_edges_go_first(rotor):
    """Seen from the shaft the leading edge lies in the sense of rotation, clockwise here."""
    _, drawn, poses = rotor
    found = rings(drawn, poses, "blade_2.")
    ahead = np.cross(found[:, 0], found[:, 4])[:, 2]
    assert (ahead < 0.0).all()


def test_surfaces_of_a_blade_are_joined(rotor):
    """Where one element ends the next begins, but for the twist, which each draws on straight beyond its stations."""
    _, drawn, poses = rotor
    strips = [s["rings"] for s in drawn["surfaces"] if s["name"].startswith("blade_3.air")]
    ends = [places(drawn, poses, ring) for strip in strips for ring in (strip[0], strip[-1])]
    apart = [np.abs(a - b).max() for i, a in enumerate(ends) for b in ends[i + 1 :]]
    assert sum(gap < 2e-3 * puma.CHORD for gap in apart) == len(strips) - 1


def test_points_follow_their_nodes(rotor):
    _, drawn, poses = rotor
    before = places(drawn, poses)
    Q, d = exp_so3(np.array([0.3, -1.1, 2.0])), np.array([5.0, -2.0, 1.0])
    moved = poses.copy()
    moved[:, :3] = poses[:, :3] @ Q.T + d
    moved[:, 3:] = (Q @ poses[:, 3:].reshape(-1, 3, 3)).reshape(-1, 9)
    after, own = places(drawn, moved), np.array(drawn["node"]) >= 0
    assert np.abs(after[own] - (before[own] @ Q.T + d)).max() < 1e-12
    assert (after[~own] == before[~own]).all()


def test_what_was_there_before_stays(rotor):
    sim, drawn, _ = rotor
    lines = outline(sim.system, shown(sim.system))
    assert (drawn["format"], drawn["version"]) == ("samara-scene", 2)
    assert drawn["lines"] == lines.lines.tolist()
    assert drawn["node"][: len(lines.node)] == lines.node.tolist()
    assert json.loads(json.dumps(drawn, allow_nan=False)) == drawn


def test_a_body_is_the_box_of_its_inertia():
    model, sides, mass = Model("brick"), np.array([1.0, 2.0, 3.0]), 7.0
    node = model.node("brick")
    J = mass / 12.0 * (np.sum(sides**2) - sides**2)
    turn = exp_so3(np.array([0.4, 0.2, -0.9]))
    model.add("body", Body(node, mass=mass, inertia=turn @ np.diag(J) @ turn.T, com=(0.1, 0.2, 0.3)))
    _, drawn, _ = prepared(model)
    (box,) = drawn["boxes"]
    assert box["node"] == 0
    assert box["position"] == [0.1, 0.2, 0.3]
    axes = np.array(box["rotation"]).reshape(3, 3)
    for side, axis in zip(box["size"], axes.T, strict=True):
        (k,) = np.flatnonzero(np.isclose(sides, side, atol=ROUNDED))
        assert abs(axis @ turn[:, k]) == pytest.approx(1.0, abs=1e-9)


def test_a_beam_is_the_rectangle_of_its_stiffness():
    width, height, E = 0.05, 0.02, 7e10
    stiffness = isotropic(E, width * height, width * height**3 / 12, height * width**3 / 12, 1e-8)
    model = Model("cantilever")
    nodes = [model.node(f"n{k}", (0.5 * k, 0.0, 0.0)) for k in range(2)]
    model.add("tip", Body(nodes[1], mass=1.0, inertia=(0.1, 0.1, 0.1)))
    model.add("root", Body(nodes[0], mass=1.0, inertia=(0.1, 0.1, 0.1)))
    model.add("clamp", Clamp(model.ground, nodes[0]))
    model.add("beam", Beam2(*nodes, section=Section(stiffness)))
    _, drawn, poses = prepared(model)
    (beam,) = drawn["surfaces"]
    assert beam["kind"] == "beam"
    for x, ring in zip((0.0, 0.5), beam["rings"], strict=True):
        corners = places(drawn, poses, ring)
        assert np.ptp(corners, axis=0) == pytest.approx([0.0, width, height], abs=ROUNDED)
        assert corners.mean(axis=0) == pytest.approx([x, 0.0, 0.0], abs=ROUNDED)
    assert drawn["boxes"] == []  # the masses of a beam's nodes are the beam's
    assert [joint["name"] for joint in drawn["joints"]] == ["clamp"]


def test_a_hull_replaces_the_box(copter):
    _, drawn, poses = copter
    (hull,) = (s for s in drawn["surfaces"] if s["kind"] == "hull")
    corners = places(drawn, poses, np.ravel(hull["rings"]))
    assert np.ptp(corners[:, 1]) > 1.5
    assert not [box for box in drawn["boxes"] if box["name"].startswith("fuselage")]


def test_wrong_ornaments_are_named():
    model = Model("toy")
    with pytest.raises(ModelError, match=r"ornament 'hat'.*rings"):
        model.adorn("hat", model.node("head"), [[0.0, 0.0, 0.0]])


def test_a_pendulum_has_no_rotor():
    _, drawn, _ = prepared(pendulum.build())
    assert drawn["rotors"] == []
    assert drawn["joints"]
