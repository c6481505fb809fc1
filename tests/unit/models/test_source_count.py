"""Equations by the rules of the papers' program: the printed counts, other counts by hand, and what is refused."""

import pytest

import samara as sm
from samara.model import ModelError
from samara.models.articulated_rotors import puma, tail_rotor
from samara.models.helicopters import helicopter
from samara.models.robots import robot
from samara.models.source_count import equations_of, source_equations, source_lines


@pytest.mark.parametrize(("blades", "printed"), [("rigid", 283), ("elastic", 763)])
def test_the_puma_has_what_its_paper_prints(blades, printed):
    """283 is printed; 763 is 40 nodes of beams more, 12 each. By hand, as a cross-check:

    6 for ground, hub and the two plates each, 12 a node with inertia, 6 abstract nodes of the controls; 33 for the
    joints of mast and swashplate; 19 a blade (three hinges of 5, and a link with its three direction unknowns).
    """
    model = puma.build(blades=blades)
    inertial = sum(node.kind == "dynamic" for node in model.nodes.values())
    assert source_equations(model) == printed == 4 * 6 + 12 * inertial + 6 + 33 + 19 * puma.BLADES


def test_the_helicopter_by_hand():
    """Nodes; 6 nodes of the controls; two driven shafts of 6; 21 for the swashplate; 19, 10 a blade; 3 regulators."""
    model = helicopter.build()
    kinds = [node.kind for node in model.nodes.values()]
    nodes = 6 * kinds.count("static") + 12 * kinds.count("dynamic")
    joints = 2 * 6 + 21 + 19 * puma.BLADES + 10 * tail_rotor.BLADES
    assert source_equations(model) == nodes + 6 + joints + 3 * 3


def test_the_robot_has_what_its_paper_prints():
    assert source_equations(robot.build()) == 84 == robot.equations(robot.build())["source"]


def test_lines_add_up():
    lines = source_lines(puma.build())
    assert lines["Revolute"].number == 13 and lines["Revolute"].equations == 13 * 5
    assert lines["scissors"].number == 2 and lines["scissors"].equations == 2
    assert lines["pitch and length of an actuator"].equations == 6
    assert lines["ground node"].equations == lines["prescribed node"].equations == 12


def two_bodies() -> tuple[sm.Model, sm.Node, sm.Node]:
    model = sm.Model("two")
    a, b = model.node("a"), model.node("b")
    for name in "ab":
        model.add(f"{name}.body", sm.Body(model.nodes[name], mass=1.0, inertia=(1, 1, 1)))
    return model, a, b


def test_a_gimbal_of_base_joints_has_twenty_more():
    """25 and 5, as the paper says, beside the spherical joint that both have."""
    one, a, b = two_bodies()
    one.add("gimbal", sm.Gimbal(a, b))
    other, a, b = two_bodies()
    sm.add_gimbal_of_joints(other, "gimbal", a, b)
    assert source_equations(one) == 24 + 5 + 3
    assert source_equations(other) == 24 + 25 + 3


def test_the_ground_is_a_node_where_one_is_needed():
    """A hinge on the ground has a form of its own; a link needs a node, which is clamped."""
    model, a, b = two_bodies()
    model.add("hinge", sm.Revolute(model.ground, a))
    assert source_equations(model) == 24 + 5
    model.add("link", sm.Distance(model.ground, b, place_b=(1.0, 0.0, 0.0), length=1.0))
    assert source_equations(model) == 24 + 5 + 4 + 12


def test_a_node_that_is_moved_has_what_moves_it():
    """Its own six and six more; by a drive with a parameter, too."""
    model, a, _ = two_bodies()
    turn = sm.Constant(sm.Parameter("speed", 2.0, unit="rad/s")) * sm.Expression(lambda t: t)
    hub = model.prescribed("hub", sm.Motion(rotation=(0.0, 0.0, turn)))
    model.add("hinge", sm.Revolute(hub, a))
    assert source_equations(model) == 24 + 5 + 12


def test_a_slide_and_a_lock():
    """What they hold: five components, and the turn about one axis, in whatever state the lock is."""
    model, a, b = two_bodies()
    before = source_equations(model)
    model.add("slide", sm.Prismatic(a, b))
    assert source_equations(model) == before + 5
    model.add("lock", sm.Lock(a, b, engaged=sm.Step(1.0, time=2.0), hold_rotation=(True, True, False)))
    assert source_equations(model) == before + 5 + 2


def test_a_gimbal_rotation_is_scissors_on_plates_alone():
    model, a, b = two_bodies()
    model.add("coupling", sm.GimbalRotation(a, b))
    assert source_lines(model)["GimbalRotation"].equations == 5


def test_kinds_without_a_rule_are_refused_by_name():
    model, a, b = two_bodies()
    model.add("slide", sm.TotalJoint(a, b))
    with pytest.raises(ModelError, match=r"no rule for TotalJoint \('slide'\).*RULES"):
        source_equations(model)
    with pytest.raises(ModelError, match="no rule"):
        equations_of(model.elements["slide"])


def test_a_rotor_with_another_inflow_is_refused():
    model = puma.build()
    rotor = model.elements["rotor"]
    other = sm.Model("other")
    hub = other.node("hub", angular_velocity=(0.0, 0.0, 1.0))
    other.add("rotor", sm.Rotor(other.ground, hub, radius=1.0, speed=1.0, inflow=sm.PittPeters()))
    assert equations_of(rotor) == 0
    with pytest.raises(ModelError, match="PittPeters"):
        source_equations(other)
