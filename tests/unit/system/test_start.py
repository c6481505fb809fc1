"""Starts of joints: what is behind them is moved from the reference pose, and moves as they say."""

import numpy as np
import pytest

import samara as sm
from samara.rotations import exp_so3, log_so3, rotation_from_rotation_vector, rotation_x, rotation_y, rotation_z
from samara.scene.outline import outline
from samara.solve.store.checkpoint import load_checkpoint
from samara.system.memory.blocks import POSITION, ROTATION
from samara.system.start.node_pair import Pair

#: joint, what it takes beside `start`, and values of everything that it reports: coordinates, then rates
KINDS = {
    "Revolute": (sm.Revolute, {}, {"angle": -2.8, "angle_rate": 3.0}),
    "Prismatic": (sm.Prismatic, {}, {"displacement": -0.7, "displacement_rate": 1.5}),
    "Cylindrical": (
        sm.Cylindrical, {}, {"displacement": 0.4, "angle": 2.0, "displacement_rate": -0.3, "angle_rate": 4.0},
    ),
    "Screw": (sm.Screw, {"lead": 0.05}, {"angle": 20.0, "displacement_rate": 0.1}),
    "Universal": (
        sm.Universal, {}, {"angle_a": -2.5, "angle_b": 1.9, "angle_a_rate": 1.0, "angle_b_rate": -2.0},
    ),
    "Gimbal": (sm.Gimbal, {}, {"tilt_x": 0.9, "tilt_y": -1.1, "tilt_x_rate": 2.0, "tilt_y_rate": 0.5}),
    "GimbalRotation": (
        sm.GimbalRotation, {}, {"tilt_x": 0.3, "tilt_y": 0.6, "tilt_x_rate": -2.0, "tilt_y_rate": 1.5},
    ),
    "Spherical": (sm.Spherical, {}, {"rotation": (1.2, -1.4, 0.8), "rotation_rate": (0.5, 2.0, -1.0)}),
    "InLine": (
        sm.InLine, {}, {"displacement": 0.6, "rotation": (0.2, 0.5, -2.0), "displacement_rate": -1.0,
                        "rotation_rate": (3.0, 0.1, 0.2)},
    ),
    "InPlane": (
        sm.InPlane, {}, {"x": 0.2, "y": -0.5, "rotation": (-0.4, 0.1, 1.0), "x_rate": 1.0, "y_rate": 2.0,
                         "rotation_rate": (0.5, -0.4, 2.0)},
    ),
    "TotalJoint": (
        sm.TotalJoint, {"hold_position": (True, False, True), "hold_rotation": (True, True, False)},
        {"position": (0.0, 0.3, 0.0), "rotation": (0.0, 0.0, 2.2), "position_rate": (0.0, 1.0, 0.0),
         "rotation_rate": (0.0, 0.0, -5.0)},
    ),
    "TotalJoint, driven": (
        sm.TotalJoint,
        {"hold_position": (True, True, False), "hold_rotation": (False, True, False),
         "position": (lambda t: 0.2 + 0.5 * t, 0.0, 0.0), "rotation": (0.0, lambda t: 0.4 - 2.0 * t, 0.0)},
        {"position": (0.2, 0.0, -0.3), "position_rate": (0.5, 0.0, 0.7)},
    ),
    "Distance": (sm.Distance, {"length": lambda t: 1.7 + 0.4 * t}, {"distance": 1.7, "distance_rate": 0.4}),
    "PrescribedAngle": (
        sm.PrescribedAngle, {"angle": lambda t: 9.0 + 3.0 * t}, {"angle": 9.0, "angle_rate": 3.0},
    ),
    "PrescribedRate": (sm.PrescribedRate, {"rate": lambda t: 4.0 + t}, {"angle": 1.1, "angle_rate": 4.0}),
}  # fmt: skip


def bodied(model: sm.Model, name: str, position=(0.0, 0.0, 0.0), rotation=None, **motion) -> sm.Node:
    """A node with a body."""
    node = model.node(name, position, rotation, **motion)
    model.add(f"{name}.body", sm.Body(node, mass=1.3, inertia=(0.2, 0.3, 0.25), com=(0.05, -0.02, 0.01)))
    return node


def grounded(model: sm.Model) -> sm.Node:
    return model.ground


def prescribed(model: sm.Model) -> sm.Node:
    """A base that moves and turns as told, and is not at its own place at the start."""
    motion = sm.Motion(
        position=(lambda t: 0.3 + 2.0 * t, 0.0, lambda t: np.sin(5.0 * t)), rotation=(0.1, 0.0, lambda t: 0.5 + 8.0 * t)
    )
    return model.prescribed("base", motion, (0.4, -0.2, 0.1), rotation_x(0.3))


def flying(model: sm.Model) -> sm.Node:
    """A base that flies freely and spins."""
    return bodied(
        model, "base", (4.0, 1.0, -2.0), rotation_y(0.8), velocity=(30.0, -4.0, 2.0), angular_velocity=(3.0, 9.0, -20.0)
    )


BASES = {"ground": grounded, "prescribed": prescribed, "flying": flying}


def at_start(model: sm.Model) -> sm.Results:
    """The state at t = 0, as a run records it."""
    return sm.transient(model, 1e-6, 1e-6, progress=False)


def as_given(run: sm.Results, joint: str, given: dict) -> None:
    """Each coordinate and rate is the one given, to rounding; angles and rotation vectors as the turns they are."""
    for name, value in given.items():
        recorded = run[f"{joint}.{name}"][0]
        size = 1.0 + np.abs(value).max()
        if name == "rotation":
            assert np.abs(log_so3(exp_so3(value).T @ exp_so3(recorded))).max() < 1e-12, name
        else:
            assert np.abs(recorded - value).max() < 1e-12 * size, (name, recorded)


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_joint_starts_with_what_it_is_given(kind, base):
    cls, fields, given = KINDS[kind]
    model = sm.Model(f"{kind} on {base}", gravity=(0.5, 0, -9.81))
    a = BASES[base](model)
    b = bodied(model, "b", (1.0, 0.5, 0.2), rotation_z(0.4), frame=a)
    places = {"place_a": sm.Placement((0.3, 0.1, 0.0), rotation_x(0.2))}
    places["place_b"] = sm.Placement((-0.2, 0.3, 0.1), rotation_y(0.5))
    model.add("joint", cls(a, b, **places, **fields, start=given))
    as_given(at_start(model), "joint", given)


@pytest.mark.parametrize("base", BASES)
def test_a_chain_of_five_starts_with_what_it_is_given(base):
    """Also where a joint has its nodes the other way round: b is then nearer to the base."""
    model = sm.Model("chain")
    inner = BASES[base](model)
    joints = ["Revolute", "Universal", "Cylindrical", "Spherical", "Prismatic"]
    for k, kind in enumerate(joints):
        cls, _, given = KINDS[kind]
        outer = bodied(model, f"link_{k}", ((k + 0.5) * 0.8, 0.0, 0.0), frame=sm.Placement((0.4, -0.2, 0.1)))
        ends = (outer, inner) if k % 2 else (inner, outer)
        model.add(f"joint_{k}", cls(*ends, at=(0.8 * k + 0.4, -0.2, 0.1), axis=(0.3, k, 1.0), start=given))
        inner = outer
    run = at_start(model)
    for k, kind in enumerate(joints):
        as_given(run, f"joint_{k}", KINDS[kind][2])


def test_a_flying_base_stays_as_it_is():
    model = sm.Model("flight")
    base = flying(model)
    arm = bodied(model, "arm", (5.0, 1.0, -2.0))
    model.add("hinge", sm.Revolute(base, arm, at=(4.0, 1.0, -2.0), axis=(0, 0, 1), start={"angle": 1.0}))
    run = at_start(model)
    assert run["base.position"][0] == pytest.approx(base.position, abs=1e-15)
    assert run["base.velocity"][0] == pytest.approx(base.velocity, abs=1e-13)
    assert run["base.angular_velocity"][0] == pytest.approx(base.angular_velocity, abs=1e-13)
    # a rate that is not named is zero: the arm moves with the base as one piece
    assert run["arm.angular_velocity"][0] == pytest.approx(base.angular_velocity, abs=1e-12)


def test_angular_velocity_of_a_ball_joint_is_in_axes_of_b():
    model = sm.Model("top")
    top = bodied(model, "top", (0, 0, 1.0))
    tilt, spin = (0.0, 0.7, 0.0), (0.3, -1.0, 50.0)
    start = {"rotation": tilt, "angular_velocity": spin}
    model.add("tip", sm.Spherical(model.ground, top, at=(0, 0, 0), start=start))
    run, R = at_start(model), rotation_y(0.7)
    assert run["top.position"][0] == pytest.approx(R[:, 2], abs=1e-14)
    assert run["top.angular_velocity"][0] == pytest.approx(R @ spin, abs=1e-12)
    assert run["top.velocity"][0] == pytest.approx(np.cross(R @ spin, R[:, 2]), abs=1e-12)


@pytest.mark.parametrize("rotation", [(np.pi, 0.0, 0.0), (2.0, 3.0, -1.0)])
def test_a_ball_joint_starts_beyond_half_a_turn(rotation):
    model = sm.Model("far")
    body = bodied(model, "body", (0, 0, 1.0))
    model.add("ball", sm.Spherical(model.ground, body, at=(0, 0, 0), start={"rotation": rotation}))
    sim = sm.Simulation(model)
    R = sim.state.pose(body).R
    assert R == pytest.approx(rotation_from_rotation_vector(rotation), abs=1e-14)


def pendulum_by_hand(angle: tuple, rate: tuple) -> sm.Model:
    """Two rods of 1 m, turning about z, and in the second hinge about the first rod's y: all by hand."""
    model = sm.Model("double", gravity=(0, -9.81, 0))
    R_1 = rotation_z(angle[0])
    R_2 = R_1 @ rotation_y(angle[1])
    w_1 = np.array([0, 0, rate[0]])
    w_2 = w_1 + R_1[:, 1] * rate[1]
    elbow = R_1[:, 0]
    upper = model.node("upper", R_1 @ [0.5, 0, 0], R_1, velocity=np.cross(w_1, elbow / 2), angular_velocity=w_1)
    lower = model.node(
        "lower",
        elbow + R_2 @ [0.5, 0, 0],
        R_2,
        velocity=np.cross(w_1, elbow) + np.cross(w_2, R_2 @ [0.5, 0, 0]),
        angular_velocity=w_2,
    )
    return _rods(model, upper, lower, {"hinge_1": None, "hinge_2": None})


def pendulum_by_starts(angle: tuple, rate: tuple) -> sm.Model:
    model = sm.Model("double", gravity=(0, -9.81, 0))
    upper, lower = model.node("upper", (0.5, 0, 0)), model.node("lower", (1.5, 0, 0))
    starts = {f"hinge_{k + 1}": {"angle": angle[k], "angle_rate": rate[k]} for k in range(2)}
    return _rods(model, upper, lower, starts)


def _rods(model: sm.Model, upper: sm.Node, lower: sm.Node, starts: dict) -> sm.Model:
    for node in (upper, lower):
        model.add(f"{node.name}.rod", sm.Body(node, mass=1.0, inertia=(0.01, 0.1, 0.1)))
    end = {"place_a": (0, 0, 0), "place_b": (-0.5, 0, 0)}
    model.add("hinge_1", sm.Revolute(model.ground, upper, **end, start=starts["hinge_1"]))
    R = sm.Placement((0.5, 0, 0), rotation_x(-np.pi / 2)), sm.Placement((-0.5, 0, 0), rotation_x(-np.pi / 2))
    model.add("hinge_2", sm.Revolute(upper, lower, place_a=R[0], place_b=R[1], start=starts["hinge_2"]))
    return model


def test_a_double_pendulum_moves_as_one_with_poses_by_hand():
    angle, rate = (0.6, -1.1), (2.0, 3.5)
    by_hand, by_starts = (
        sm.transient(make(angle, rate), 1.0, 2e-3, tolerance=1e-13, progress=False)
        for make in (pendulum_by_hand, pendulum_by_starts)
    )
    for name in ("upper.position", "lower.position", "lower.angular_velocity"):
        # rounding of 1e-16 grows some hundred times in a second of this motion
        assert by_starts[name] == pytest.approx(by_hand[name], abs=1e-10), name


# ---- what goes along


def test_a_beam_and_what_hangs_on_it_go_along_without_strain():
    model = sm.Model("flexible arm")
    root = bodied(model, "root")
    span = sm.Span(station=[0.0, 1.0], mass=1.0, EA=1e5, GA_y=1e5, GA_z=1e5, GJ=10, EI_y=10, EI_z=10, inertia_x=0.01)
    nodes = sm.add_beam(model, "beam", span, root=root, elements=2)
    tip = bodied(model, "tip", (1.0, 0.0, 0.0))
    model.add(
        "hinge", sm.Revolute(model.ground, root, at=(0, 0, 0), axis=(0, 0, 1), start={"angle": 0.8, "angle_rate": 2})
    )
    model.add("clamp", sm.Clamp(nodes[-1], tip, at=tip.position))
    run = at_start(model)
    R = rotation_z(0.8)
    assert run["tip.position"][0] == pytest.approx(R[:, 0], abs=1e-14)
    assert run["beam.n2.velocity"][0] == pytest.approx(2 * R[:, 1] * 0.5, abs=1e-12)
    strain = [
        np.abs(run[f"beam.beam{k}.{what}_{c}"][0]).max() for k in (1, 2) for what in ("force", "moment") for c in (1, 2)
    ]
    assert max(strain) < 1e-9  # of 1e5 N for a strain of one


def test_springs_beside_a_joint_do_not_hold_it_back_and_keep_their_length():
    """Their natural length is the distance in the reference pose: at the start they are stretched."""
    model = sm.Model("sprung door")
    door = bodied(model, "door", (1.0, 0, 0))
    model.add("stay", sm.Spring(model.ground, door, stiffness=10.0, ends=((0, 1, 0), (1, 0, 0))))
    model.add("twist", sm.Torsion(model.ground, door, at=(0, 0, 0), axis=(0, 0, 1), law=sm.LinearLaw(2.0)))
    model.add("hinge", sm.Revolute(model.ground, door, at=(0, 0, 0), axis=(0, 0, 1), start={"angle": -0.5}))
    run = at_start(model)
    gap = np.linalg.norm(np.array([np.cos(0.5), -np.sin(0.5), 0]) - [0, 1, 0])
    assert run["stay.effort"][0] == pytest.approx(10.0 * (gap - np.sqrt(2.0)), abs=1e-12)
    assert run["twist.angle"][0] == pytest.approx(-0.5, abs=1e-12)


def test_velocities_that_nodes_were_given_turn_with_their_piece():
    """A wheel spins on an arm; the arm's start lifts both."""
    model = sm.Model("wheel")
    arm = bodied(model, "arm", (1, 0, 0))
    wheel = bodied(model, "wheel", (2, 0, 0), angular_velocity=(30.0, 0, 0))
    model.add("bearing", sm.Revolute(arm, wheel, at=(2, 0, 0), axis=(1, 0, 0)))
    model.add(
        "hinge", sm.Revolute(model.ground, arm, at=(0, 0, 0), axis=(0, 0, 1), start={"angle": 1.0, "angle_rate": 2})
    )
    run, R = at_start(model), rotation_z(1.0)
    assert run["bearing.angle_rate"][0] == pytest.approx(30.0, abs=1e-12)
    assert run["wheel.angular_velocity"][0] == pytest.approx(R @ [30.0, 0, 2.0], abs=1e-12)


def test_the_joints_of_a_pair_speak_together():
    """A bearing with a start takes angle and rate of the motor beside it; an input that was fed counts."""
    model = sm.Model("motor")
    rotor = bodied(model, "rotor")
    blade = bodied(model, "blade", (1.0, 0, 0))
    axis = {"at": (0, 0, 0), "axis": (0, 0, 1)}
    model.add("bearing", sm.Revolute(model.ground, rotor, **axis, start={}))
    turn = sm.Input("offset", initial=0.4) + sm.Expression(lambda t: 12.0 * t)
    model.add("motor", sm.PrescribedAngle(model.ground, rotor, **axis, angle=turn))
    model.add(
        "flap", sm.Revolute(rotor, blade, at=(0.2, 0, 0), axis=(0, 1, 0), start={"angle": 0.1, "angle_rate": 3.0})
    )
    system = sm.System(model)
    system.set_input("offset", 0.9)
    run = sm.transient(sm.Simulation(system), 1e-6, 1e-6, progress=False)
    as_given(run, "bearing", {"angle": 0.9, "angle_rate": 12.0})
    as_given(run, "flap", {"angle": 0.1, "angle_rate": 3.0})


# ---- loops


def four_bar(crank: dict | None, rocker: dict | None) -> sm.Model:
    """A square of 1 m; its rocker and crank turn alike."""
    model = sm.Model("square")
    bars = [
        bodied(model, name, p) for name, p in (("crank", (0, 0.5, 0)), ("rod", (0.5, 1, 0)), ("rocker", (1, 0.5, 0)))
    ]
    axis = {"axis": (0, 0, 1)}
    model.add("O", sm.Revolute(model.ground, bars[0], at=(0, 0, 0), **axis, start=crank))
    model.add("A", sm.Revolute(bars[0], bars[1], at=(0, 1, 0), **axis, start=crank and {"angle": -crank["angle"]}))
    model.add("B", sm.InLine(bars[1], bars[2], at=(1, 1, 0), **axis))
    model.add("C", sm.Revolute(model.ground, bars[2], at=(1, 0, 0), **axis, start=rocker))
    return model


def test_a_loop_of_starts_that_agree_needs_no_assembly():
    sim = sm.Simulation(four_bar({"angle": 0.4}, {"angle": 0.4}))
    sm.assemble(sim)
    assert sim.adjusted.nodes == ()
    assert sim.state.pose(sim.model.nodes["rod"]).p == pytest.approx([0.5 - np.sin(0.4), np.cos(0.4), 0.0], abs=1e-14)


def test_a_joint_without_a_start_closes_the_loop_and_starts_are_held():
    run = at_start(four_bar({"angle": 0.4}, None))  # a warning would be an error here
    as_given(run, "O", {"angle": 0.4})
    as_given(run, "A", {"angle": -0.4})
    assert run["C.angle"][0] == pytest.approx(0.4, abs=1e-12)  # the square has become a rhombus
    assert run.attrs.notes == ()


CORNERS = np.array([(0, 0, 0), (0, 0, 0.5), (1.2, 0, 0.9), (1.0, 0, 0)])


def linkage(starts: dict[int, dict]) -> sm.Model:
    """A crank of 0.5 m, a rod and a rocker on joints j0 to j3 about y, drawn with the crank upright."""
    model = sm.Model("linkage", gravity=(0, 0, -9.81))
    middles = (CORNERS[1:] + CORNERS[:-1]) / 2
    bars = [bodied(model, f"bar{k}", p) for k, p in enumerate(middles)]
    nodes, kinds = [model.ground, *bars, model.ground], [sm.Revolute, sm.Revolute, sm.Revolute, sm.InLine]
    for k, kind in enumerate(kinds):
        model.add(f"j{k}", kind(nodes[k], nodes[k + 1], at=CORNERS[k], axis=(0, 1, 0), start=starts.get(k)))
    return model


def knee(angle: float) -> np.ndarray:
    """Where rod and rocker meet, x and z: circles about the crank's end and the rocker's foot, on the side drawn."""
    p, q, foot = CORNERS[1:, [0, 2]]
    rod, rocker = np.linalg.norm(q - p), np.linalg.norm(q - foot)
    crank = 0.5 * np.array([np.sin(angle), np.cos(angle)])
    far = np.linalg.norm(foot - crank)
    along = (foot - crank) / far
    x = (far**2 + rod**2 - rocker**2) / (2 * far)
    return crank + x * along + np.sqrt(rod**2 - x**2) * np.array([-along[1], along[0]])


@pytest.mark.parametrize("angle", [0.05, 0.3, 1.2, 2.0, 3.0, -0.7, -2.5])
def test_a_loop_closes_around_the_start_of_its_crank(angle):
    """The crank is where it is asked for, and the loop on the branch on which it was drawn, after half a turn too."""
    rate, small = 2.0, 1e-5
    run = at_start(linkage({0: {"angle": angle, "angle_rate": rate}}))  # a warning would be an error here
    as_given(run, "j0", {"angle": angle, "angle_rate": rate})
    crank = 0.5 * np.array([np.sin(angle), np.cos(angle)])
    velocity = (knee(angle + small) - knee(angle - small)) / (2 * small) * rate
    ahead = rate * 0.5 * np.array([np.cos(angle), -np.sin(angle)])
    assert run["bar1.position"][0, [0, 2]] == pytest.approx((crank + knee(angle)) / 2, abs=1e-10)
    assert run["bar1.velocity"][0, [0, 2]] == pytest.approx((ahead + velocity) / 2, abs=1e-8)  # of the difference
    assert run.attrs.notes == ()


def test_an_elastic_rod_goes_along_in_a_loop_without_strain():
    """A parallelogram of 1 m by 0.5 m whose rod is a beam: crank and rocker turn alike, at the same rate."""
    model = sm.Model("elastic rod")
    span = sm.Span(station=[0.0, 1.0], mass=1.0, EA=1e5, GA_y=1e5, GA_z=1e5, GJ=100, EI_y=100, EI_z=100, inertia_x=0.01)
    crank, root, rocker = (
        bodied(model, n, p) for n, p in zip("abc", [(0, 0, 0.25), (0, 0, 0.5), (1, 0, 0.25)], strict=True)
    )
    tip = sm.add_beam(model, "beam", span, root=root, elements=2)[-1]
    axis, start = {"axis": (0, 1, 0)}, {"angle": 0.8, "angle_rate": 1.0}
    model.add("O", sm.Revolute(model.ground, crank, at=(0, 0, 0), **axis, start=start))
    model.add("A", sm.Revolute(crank, root, at=(0, 0, 0.5), **axis))
    model.add("B", sm.Spherical(tip, rocker, at=tip.position))
    model.add("C", sm.Revolute(model.ground, rocker, at=(1, 0, 0), **axis))
    run = at_start(model)
    as_given(run, "O", start)
    assert run["C.angle"][0] == pytest.approx(0.8, abs=1e-11)
    assert run["C.angle_rate"][0] == pytest.approx(1.0, abs=1e-3)  # as far as the beam is stiff against the weights
    assert np.abs(run["beam.beam1.force_1"][0]).max() < 1e-6  # of 1e5 N for a strain of one


def test_any_joint_of_a_loop_may_be_the_one_that_is_told():
    run = at_start(linkage({2: {"angle": -0.3, "angle_rate": 2.0}}))
    as_given(run, "j2", {"angle": -0.3, "angle_rate": 2.0})
    as_given(at_start(linkage({0: {"angle": 0.3}, 1: {}, 2: {}, 3: {}})), "j0", {"angle": 0.3})


def test_starts_that_a_loop_does_not_allow_are_told_with_what_was_had():
    with pytest.warns(sm.ChangedStart, match="give values that the loop permits") as warned:
        run = at_start(linkage({0: {"angle": 0.3}, 1: {"angle": 0.0}}))
    text, got = str(warned[0].message), [run[f"j{k}.angle"][0] for k in range(2)]
    assert f"angle of element 'j0': asked for 0.3 rad, got {got[0]:.5g} rad" in text
    assert f"angle of element 'j1': asked for 0 rad, got {got[1]:.5g} rad" in text


def test_rates_that_a_loop_does_not_allow_are_told_with_what_was_had():
    """With the crank at 2 rad/s the rod cannot turn at 1 rad/s against it; the angle is held all the same."""
    with pytest.warns(sm.ChangedStart, match=r"angle_rate of element 'j1': asked for 1 rad/s, got -\d") as warned:
        run = at_start(linkage({0: {"angle": 0.3, "angle_rate": 2.0}, 1: {"angle_rate": 1.0}}))
    as_given(run, "j0", {"angle": 0.3})
    assert f"asked for 2 rad/s, got {run['j0.angle_rate'][0]:.5g} rad/s" in str(warned[0].message)


def test_a_motor_in_the_loop_is_stronger_than_a_start():
    """A rate that the constraints decide cannot be had otherwise: 4 rad/s at the crank are 2 rad/s at the knee."""
    model = linkage({2: {"angle_rate": 1.0}})
    crank = model.nodes["bar0"]
    model.add("motor", sm.PrescribedRate(model.ground, crank, at=(0, 0, 0), axis=(0, 1, 0), rate=4.0))
    with pytest.warns(sm.ChangedStart, match="angle_rate of element 'j2': asked for 1 rad/s, got 2 rad/s"):
        run = at_start(model)
    assert run["j0.angle_rate"][0] == pytest.approx(4.0, abs=1e-10)


def test_starts_that_contradict_each_other_are_refused():
    model = four_bar({"angle": 0.4}, None)
    model.add(
        "second", sm.Revolute(model.ground, model.nodes["rod"], at=(0.5, 1, 0), axis=(0, 0, 1), start={"angle": 0.3})
    )
    with pytest.raises(sm.ModelError, match=r"contradict each other around a loop: .*element '(second|A|O)' misses by"):
        sm.Simulation(model)


def test_a_start_that_a_drive_contradicts_is_refused():
    model = sm.Model("motor")
    rotor = bodied(model, "rotor")
    model.add("bearing", sm.Revolute(model.ground, rotor, axis=(0, 0, 1), start={"angle": 0.5}))
    model.add("motor", sm.PrescribedAngle(model.ground, rotor, axis=(0, 0, 1), angle=0.3))
    with pytest.raises(sm.ModelError, match=r"element 'bearing': its start cannot be had: .* misses by 0\.[0-9]+"):
        sm.Simulation(model)


def test_what_is_of_one_piece_is_not_torn_apart():
    model = sm.Model("torn")
    body = bodied(model, "body", (1.0, 0, 0))
    span = sm.Span(station=[0.0, 1.0], mass=1.0, EA=1e5, GA_y=1e5, GA_z=1e5, GJ=10, EI_y=10, EI_z=10, inertia_x=0.01)
    nodes = sm.add_beam(model, "beam", span, root=model.ground, elements=1)
    model.add("clamp", sm.Clamp(nodes[-1], body, at=body.position))
    model.add("hinge", sm.Revolute(model.ground, body, at=(0, 0, 0), axis=(0, 0, 1), start={"angle": 0.1}))
    with pytest.raises(sm.ModelError, match=r"element '.*' holds nodes .* together, and the start of a joint"):
        sm.Simulation(model)


# ---- what else sees the start


def test_a_system_goes_back_to_its_start_and_a_checkpoint_goes_on(tmp_path):
    angle, rate = (0.6, -1.1), (2.0, 3.5)
    whole = sm.transient(pendulum_by_starts(angle, rate), 0.2, 1e-3, progress=False)
    half = tmp_path / "half.npz"
    sim = sm.Simulation(pendulum_by_starts(angle, rate))
    sm.transient(sim, 0.1, 1e-3, checkpoint=half, progress=False)
    rest = sm.transient(pendulum_by_starts(angle, rate), 0.2, 1e-3, resume=half, progress=False)
    assert np.array_equal(rest["lower.position"][-1], whole["lower.position"][-1])
    sim.system.reset()
    assert sim.state.pose(sim.model.nodes["upper"]).p == pytest.approx(whole["upper.position"][0], abs=1e-15)
    load_checkpoint(sim, half)


def test_drawings_and_statics_begin_there():
    model = pendulum_by_starts((0.6, 0.0), (0.0, 0.0))
    sim = sm.Simulation(model)
    drawn = outline(sim.system)
    p = np.array([sim.state.pose(n).p for n in sim.system.layout.free])
    R = np.array([sim.state.pose(n).R for n in sim.system.layout.free])
    ends = drawn.points(p, R)
    assert np.linalg.norm(ends - rotation_z(0.6) @ [1.0, 0, 0], axis=1).min() < 1e-9  # the elbow
    down = sm.static(pendulum_by_starts((-1.2, 0.1), (0.0, 0.0)))
    assert down["upper.position"][-1] == pytest.approx([0, -0.5, 0], abs=1e-8)


def test_the_description_stays_the_reference():
    model = pendulum_by_starts((0.6, -1.1), (2.0, 3.5))
    sm.Simulation(model)
    assert np.array_equal(model.nodes["lower"].position, [1.5, 0, 0])
    assert not np.any(model.nodes["lower"].velocity)


# ---- what is refused when a joint joins


@pytest.mark.parametrize(
    ("start", "words"),
    [
        ({"angel": 0.3}, r"start has no 'angel'; it takes angle \[rad\], angle_rate \[rad/s\]"),
        ({"angle": "up"}, r"start: angle must be a finite number \[rad\], got 'up'"),
        ({"angle": (1.0, 2.0)}, r"start: angle must be a finite number"),
        ({"angle_rate": np.nan}, r"start: angle_rate must be a finite number \[rad/s\]"),
        ({"angle": sm.Parameter("angle", 0.3)}, r"start: angle cannot be a Parameter"),
        (0.3, r"start must be a dict such as"),
    ],
)
def test_a_start_that_makes_no_sense_is_named(start, words):
    model = sm.Model("bad")
    body = bodied(model, "body")
    with pytest.raises(sm.ModelError, match=rf"element 'hinge': Revolute: {words}"):
        model.add("hinge", sm.Revolute(model.ground, body, axis=(0, 0, 1), start=start))


class Bent(sm.Joint):
    """A user's own joint: b's origin stays on a parabola of a's, z = x^2, reported by its arc tangent (no complex)."""

    def constraint(self, a, b):
        x, y, z = a.see(b.p)
        return [y, z - x * x]

    def motion(self, a, b):
        x, _, _ = a.see(b.p)
        return {"slope": (np.arctan2(2.0 * x, 1.0), "rad")}


def test_a_joint_of_the_user_s_own_takes_a_start_too():
    model = sm.Model("own")
    bead = bodied(model, "bead", (0.1, 0.2, 0.3))
    model.add("track", Bent(model.ground, bead, start={"slope": 1.0, "slope_rate": 2.0}))
    run = at_start(model)
    as_given(run, "track", {"slope": 1.0, "slope_rate": 2.0})
    x = np.tan(1.0) / 2
    assert run["bead.position"][0] == pytest.approx([x, 0, x * x], abs=1e-12)


def pitched() -> sm.Model:
    """A shaft whose rate is a parameter, and a blade whose pitch is one."""
    model = sm.Model("pitched")
    hub, blade = bodied(model, "hub"), bodied(model, "blade", (1.0, 0, 0))
    axis = {"at": (0, 0, 0), "axis": (0, 0, 1)}
    speed, pitch = sm.Parameter("speed", 10.0, "rad/s"), sm.Parameter("pitch", 0.1, "rad")
    model.add("bearing", sm.Revolute(model.ground, hub, **axis, start={}))
    model.add("drive", sm.PrescribedRate(model.ground, hub, **axis, rate=speed))
    model.add("pitch", sm.TotalJoint(hub, blade, at=(0.2, 0, 0), rotation=(sm.Constant(pitch), 0, 0), start={}))
    return model


def test_numbers_that_change_before_the_run_count():
    sim = sm.Simulation(pitched())
    sim.system.set_parameter("speed", 25.0)
    sim.system.set_parameter("pitch", -0.4)
    sm.assemble(sim)
    assert sim.adjusted.nodes == ()  # nothing was left for the assembly
    run = sm.transient(sim, 1e-6, 1e-6, progress=False)
    assert run["blade.angular_velocity"][0] == pytest.approx([0, 0, 25.0], abs=1e-12)
    assert run["blade.velocity"][0] == pytest.approx([0, 25.0, 0], abs=1e-12)
    assert run["pitch.rotation"][0] == pytest.approx([-0.4, 0, 0], abs=1e-12)


def test_what_was_moved_by_hand_is_not_moved_back():
    sim = sm.Simulation(pitched())
    for name, x in (("hub", 0.0), ("blade", 1.0)):
        R = rotation_z(0.5)
        sim.state.write(sim.model.nodes[name], POSITION, R @ [x, 0, 0])
        sim.state.write(sim.model.nodes[name], ROTATION, (R @ rotation_x(0.1 * x)).ravel())
    sim.system.set_parameter("speed", 25.0)
    sm.assemble(sim)
    assert sim.state.pose(sim.model.nodes["blade"]).p == pytest.approx(rotation_z(0.5)[:, 0], abs=1e-9)


def test_starts_are_worked_out_once_until_a_number_changes(monkeypatch):
    """A simulation resets its system: joints are asked again only where what they follow from has changed."""
    asked, solve = [], Pair.solve
    monkeypatch.setattr(Pair, "solve", lambda pair, *given: asked.append(pair) or solve(pair, *given))
    model = sm.Model("door")
    door, lift = bodied(model, "door"), sm.Parameter("lift", 0.3)
    hinge = {"hold_position": (True,) * 3, "hold_rotation": (True, True, False), "position": (0, 0, lift)}
    model.add("hinge", sm.TotalJoint(model.ground, door, at=(0, 0, 0), **hinge, start={"rotation": (0.0, 0.0, 0.4)}))
    sim = sm.Simulation(model)
    assert len(asked) == 1
    sim.system.set_parameter("lift", 0.5)
    sim.system.reset()
    assert len(asked) == 2
    np.testing.assert_allclose(sim.state.pose(door).p, [0, 0, 0.5], atol=1e-12)
    np.testing.assert_allclose(log_so3(sim.state.pose(door).R), [0, 0, 0.4], atol=1e-12)
