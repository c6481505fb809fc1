"""The tree in words and as a picture says what the model has."""

import numpy as np
import pytest

import samara as sm
from samara import models
from samara.model.roles.inertia import total_mass
from samara.recursive.view.view import places


def branched() -> sm.Model:
    """A trolley with a driven drum, a clamped box, and a ball on it; a spring to the ground and a pushed trolley."""
    model = sm.Model("branched", gravity=(0, 0, -9.81))
    trolley = model.node("trolley", (0.5, 0, 0))
    drum = model.node("drum", (0.5, 0, 1.0), static=True)
    box = model.node("box", (0.5, 0, 1.5))
    ball = model.node("ball", (0.5, 1.0, 0))
    model.add("frame", sm.Body(trolley, mass=3.0, inertia=(1, 1, 1), com=(0.1, 0, 0)))
    model.add("load", sm.Body(trolley, mass=1.0, inertia=(1, 1, 1), com=(0.5, 0, 0.4)))
    model.add("box.body", sm.Body(box, mass=2.0, inertia=(1, 1, 1)))
    model.add("ball.body", sm.Body(ball, mass=sm.Parameter("ball.mass", 5.0, "kg"), inertia=(1, 1, 1)))
    model.add("rail", sm.Prismatic(model.ground, trolley, at=(0, 0, 0), axis=(1, 0, 0), start={"displacement": 0.2}))
    frames = {"place_a": (0, 0, 1.0), "place_b": (0, 0, 0)}
    model.add("bearing", sm.Revolute(trolley, drum, **frames))
    model.add("motor", sm.PrescribedAngle(trolley, drum, angle=sm.Sine(0.3, 2.0), **frames))
    model.add("clamp", sm.Clamp(drum, box, place_a=(0, 0, 0.5)))
    model.add("socket", sm.Spherical(trolley, ball, at=(0.5, 0, 0)))
    stiffness = sm.Parameter("stiffness", 20.0, "N/m")
    model.add("spring", sm.Spring(model.ground, trolley, place_a=(-1, 0, 0), stiffness=stiffness, length=1.0))
    model.add("push", sm.Force(ball, force=(sm.Input("pull", unit="N"), lambda t: 3.0 * t, 0.0)))
    return model


@pytest.fixture(scope="module")
def view() -> sm.TreeView:
    return sm.TreeView(branched())


def test_blocks_stand_as_the_joints_hold_them(view):
    assert [(b.node, b.parent, b.depth) for b in view.blocks] == [
        ("trolley", "ground", 0),
        ("drum", "trolley", 1),
        ("box", "drum", 2),
        ("ball", "trolley", 1),
    ]
    assert [(b.joint, b.joint_type) for b in view.blocks] == [
        ("rail", "Prismatic"),
        ("bearing", "Revolute"),
        ("clamp", "Clamp"),
        ("socket", "Spherical"),
    ]
    assert view.block("trolley").children == ("drum", "ball")
    assert view.bases == ("ground",) and view.floats == ()


def test_freedoms_have_their_places_and_starts(view):
    rail, bearing, socket = (view.block(name).freedoms[0] for name in ("trolley", "drum", "ball"))
    names, speeds = view.tree.coordinate_names, view.tree.speed_names
    assert [names[k] for k in rail.q] == ["rail.displacement"] and rail.unit == "m"
    assert rail.value == pytest.approx((0.2,)) and rail.motion == "slide along z"
    assert [speeds[k] for k in socket.s] == [f"socket.angular_velocity.{c}" for c in "xyz"]
    assert socket.value == pytest.approx((1.0, 0.0, 0.0, 0.0))
    # it follows the drive: 0.3 sin(2 t) at t = 0, and its rate
    assert bearing.follows == "motor" and bearing.q == bearing.s == ()
    assert bearing.value == pytest.approx((0.0,)) and bearing.speed == pytest.approx((0.6,))
    assert view.block("box").freedoms == ()


def test_masses_are_those_of_all_bodies_of_a_node(view):
    trolley = view.block("trolley")
    assert trolley.bodies == ("frame", "load") and trolley.mass == pytest.approx(4.0)
    assert trolley.com == pytest.approx((0.2, 0.0, 0.1))
    assert view.block("drum").mass == 0.0
    assert view.mass == pytest.approx(total_mass(view.tree.model.elements.values()))


def test_loads_and_what_they_read(view):
    assert view.block("trolley").loads == {"spring": "Spring"}
    assert view.block("trolley").parameters == ("stiffness",)
    ball = view.block("ball")
    assert ball.loads == {"push": "Force"}
    assert ball.inputs == ("pull",) and ball.parameters == ("ball.mass",)
    assert ball.drives == ("push.force (Expression)",)
    assert view.block("drum").drives == ("motor.angle (Sine)",)
    assert view.inputs == {"pull": "N"}


def test_support_is_where_the_jacobian_is_not_zero(view, rng):
    tree = sm.RigidTree(view.system)
    q = tree.integrate(tree.start()[0], rng.normal(size=view.tree.speeds))
    for block in view.blocks:
        J, _ = tree.jacobian(block.node, q)
        assert np.flatnonzero(np.abs(J).max(axis=0) > 1e-12).tolist() == list(block.support)


def test_counts_are_those_of_the_dynamics(view):
    tree = sm.RigidTree(view.system)
    assert view.operations == tree.operations
    starts = [x for block in view.blocks for freedom in block.freedoms if freedom.q for x in freedom.value]
    assert starts == pytest.approx(tree.start()[0].tolist())


def test_a_helicopter_floats_and_has_regulators_beside_it():
    view = sm.TreeView(models.find("xcell").make())
    assert view.floats == ("fuselage",) and view.bases == ()
    assert view.tree.speeds == 13
    assert [k for f in view.block("fuselage").freedoms for k in f.s] == list(range(6))
    assert {"servo.collective": "LimitedServo", "governor": "SpeedRegulator"}.items() <= view.beside.items()
    assert "blade_1.air1" in view.block("blade_1.root").loads and "blade_1.air1" not in view.block("hub").loads
    assert set(view.inputs) == {"collective", "lateral", "longitudinal", "pedal"}
    assert view.block("blade_2.root").support == (*range(7), 10, 11, 12)
    assert sm.TreeView(view.system, base="hub").floats == ("hub",)


def test_the_text_names_everything(view):
    text = str(view)
    tree = view.tree
    assert f"{tree.speeds} degrees of freedom, {tree.coordinates} coordinates" in text
    assert str(view.operations) in text
    for block in view.blocks:
        assert f"\n{block.node}\n" in text
    assert "rail.displacement: slide along z, q[0] = 0.2 m, s[0] = 0 m/s" in text
    assert "bearing.angle: turn about z, follows motor: 0 rad, 0.6 rad/s" in text
    assert max(map(len, text.splitlines())) <= 120


def test_the_document_is_plain_data(view):
    import json

    again = json.loads(json.dumps(view.document()))
    assert again["degrees_of_freedom"] == view.tree.speeds
    assert [block["node"] for block in again["blocks"]] == [block.node for block in view.blocks]


@pytest.mark.parametrize(
    ("numbers", "text"), [((), ""), ((6,), "s[6]"), ((0, 1, 2), "s[0:3]"), ((0, 1, 4, 6, 7), "s[0:2, 4, 6:8]")]
)
def test_places(numbers, text):
    assert places("s", numbers) == text
    if numbers:
        whole = np.arange(9)
        assert eval(f"np.r_{text[1:]}", {"np": np}).tolist() == whole[list(numbers)].tolist()


def test_a_node_that_is_not_there(view):
    with pytest.raises(KeyError, match="no node 'roof' moves"):
        view.block("roof")


def test_what_is_no_tree_is_refused():
    with pytest.raises(sm.TreeError, match="closure_B"):
        sm.TreeView(models.find("four-bar").make())
    view = sm.TreeView(models.find("four-bar").make(), cut=["closure_B"])
    assert view.cut == ("closure_B",) and view.tree.speeds == 3


# ---- the picture
def words(figure) -> list[str]:
    return [text.get_text() for text in figure.axes[0].texts]


def boxes(figure) -> np.ndarray:
    """Rectangles that are drawn: x, y, width, height."""
    return np.array([(p.get_x(), p.get_y(), p.get_width(), p.get_height()) for p in figure.axes[0].patches
                     if hasattr(p, "get_boxstyle")])  # fmt: skip


@pytest.mark.parametrize("name", ["xcell", "chain", "hammond"])
def test_the_picture_shows_all_and_nothing_overlaps(name):
    pytest.importorskip("matplotlib")
    view = sm.TreeView(models.find(name).make())
    figure = view.plot()
    shown = words(figure)
    for block in view.blocks:
        assert block.node in shown
        assert set(block.loads) <= set(shown)
    found = boxes(figure)
    assert len(found) == len(view.blocks) + sum(len(block.loads) for block in view.blocks)
    low, high = found[:, :2], found[:, :2] + found[:, 2:]
    page = figure.get_size_inches()
    assert np.all(low > 0.0) and np.all(high < page)
    apart = np.any((low[:, None] >= high[None]) | (low[None] >= high[:, None]), axis=2)
    assert np.all(apart | np.eye(len(found), dtype=bool))


def test_a_long_chain_goes_on_below(tmp_path):
    pytest.importorskip("matplotlib")
    model = sm.Model("long", gravity=(0, 0, -9.81))
    last = model.ground
    for k in range(12):
        node = model.node(f"link_{k}", (k + 1.0, 0, 0))
        model.add(f"mass_{k}", sm.Body(node, mass=1.0, inertia=(1, 1, 1)))
        model.add(f"hinge_{k}", sm.Revolute(last, node, at=(k, 0, 0), axis=(0, 1, 0)))
        last = node
    view = sm.TreeView(model)
    figure = view.plot(tmp_path / "long.svg")
    assert (tmp_path / "long.svg").stat().st_size > 1000
    rows = np.unique(boxes(figure)[:, 1].round(6))
    assert len(rows) == 3
    assert figure.get_size_inches()[0] < 20.0
