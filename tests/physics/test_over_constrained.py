"""Over-constrained models as they are: the motion of their twins without redundant joints, the smallest reactions."""

import numpy as np
import pytest

import samara as sm
from samara.solve.tree.schemes import DormandPrince, MoreauJean, RungeKutta4, SemiImplicitEuler

G = 9.81
LEAST = "least-squares"


def door(hinges, mass=20.0, h=0.8, spin=2.0, lean=0.0, **options) -> sm.Model:
    """A leaf whose centre is 0.5 m off a vertical axis; hinges at the heights given."""
    model = sm.Model("door", gravity=(lean, 0, -G), **options)
    leaf = model.node("leaf", (0.5, 0, 0), velocity=(0, 0.5 * spin, 0), angular_velocity=(0, 0, spin))
    model.add("body", sm.Body(leaf, mass=mass, inertia=(4, 5, 2)))
    for name, z in hinges.items():
        model.add(name, sm.Revolute(model.ground, leaf, at=(0, 0, z * h), axis=(0, 0, 1), axis_x=(1, 0, 0)))
    return model


TWO = {"lower": -1.0, "upper": 1.0}


def linkage(last, **options) -> sm.Model:
    """A crank that turns at 10 rad/s, a coupler and a rocker; gravity pulls out of their plane."""
    model = sm.Model("linkage", gravity=(1.0, 3.0, -G), **options)
    corners, nodes = np.array([(0, 0, 0), (0, 0, 0.3), (1, 0, 0.8), (1, 0, 0)]), [model.ground]
    for k, name in enumerate(("crank", "coupler", "rocker")):
        nodes.append(model.node(name, (corners[k] + corners[k + 1]) / 2))
        model.add(f"{name}_body", sm.Body(nodes[-1], mass=1.0 + k, inertia=(0.1, 0.1, 0.1)))
    nodes.append(model.ground)
    place = {"at": corners[0], "axis": (0, 1, 0)}
    model.add("motor", sm.PrescribedAngle(model.ground, nodes[1], angle=lambda t: 10.0 * t, **place))
    for k, joint in enumerate((sm.Revolute, sm.Revolute, sm.Revolute, last)):
        model.add(f"joint{k}", joint(nodes[k], nodes[k + 1], at=corners[k], axis=(0, 1, 0)))
    return model


def table(x, y, **options) -> sm.Model:
    """A plate of 12 kg, its centre at x, y, on four legs at the corners of 2 m by 1 m, guided sideways."""
    model = sm.Model("table", gravity=(0, 0, -G), **options)
    top = model.node("top", (0, 0, 1))
    model.add("plate", sm.Body(top, mass=12.0, inertia=(1, 2, 3), com=(x, y, 0)))
    for k, corner in enumerate(CORNERS):
        model.add(f"leg{k}", sm.InPlane(model.ground, top, at=(*corner, 1), axis=(0, 0, 1)))
    hold = {"hold_position": (True, True, False), "hold_rotation": (False, False, True)}
    model.add("guide", sm.TotalJoint(model.ground, top, place_a=(0, 0, 1), **hold))
    return model


CORNERS = np.array([(1, 0.5), (-1, 0.5), (-1, -0.5), (1, -0.5)])


def motion(results: sm.Results, *nodes: str) -> np.ndarray:
    """Positions, orientations and velocities of the nodes, a row a sample."""
    wanted = [f"{node}.{what}" for node in nodes for what in ("position", "rotation", "velocity", "angular_velocity")]
    return np.hstack([results[name] for name in wanted])


def test_a_door_on_two_hinges_turns_as_on_one():
    two = sm.transient(door(TWO, redundant=LEAST), 3.0, 5e-3, progress=False)
    one = sm.transient(door({"lower": -1.0}), 3.0, 5e-3, progress=False)
    assert np.abs(motion(two, "leaf") - motion(one, "leaf")).max() < 1e-8  # Newton's tolerance, 1e-10, over 600 steps
    assert np.ptp(two["leaf.position"][:, 0]) > 0.9  # it went half around
    assert two["model.violation"].max() < 1e-12


def test_two_hinges_share_a_door_s_weight_and_pull():
    """Forces F and couples C of each with the least F^2 + (C / L)^2: 2 (F h + C) = m g d, so that F : C = h : L^2.

    The weight, and the centripetal force m d w^2, are halved. Axes of the hinges are those of the leaf.
    """
    model = door(TWO, redundant=LEAST)
    sim = sm.Simulation(model)
    run = sm.transient(sim, 1.0, 5e-3, progress=False)
    m, d, h, w, L = 20.0, 0.5, 0.8, 2.0, sim.length
    F = 0.5 * m * G * d * h / (h**2 + L**2)
    C = 0.5 * m * G * d * L**2 / (h**2 + L**2)
    for name, side in (("lower", 1.0), ("upper", -1.0)):
        force = run[f"{name}.force"]
        assert force[:, 2] == pytest.approx(np.full(len(run), 0.5 * m * G), rel=1e-9)
        assert force[:, 0] == pytest.approx(np.full(len(run), side * F - 0.5 * m * d * w**2), rel=1e-7)
        assert run[f"{name}.couple"][:, 1] == pytest.approx(np.full(len(run), -C), rel=1e-7)


def test_what_else_is_in_the_model_takes_no_share():
    """A pendulum of 300 m that hangs somewhere else: couples of the hinges are weighed by the size of the door."""
    alone, beside = (door(TWO, lean=0.4, redundant=LEAST) for _ in range(2))
    bob = beside.node("bob", (50, 0, -300))
    beside.add("bob_body", sm.Body(bob, mass=1.0, inertia=(1, 1, 1)))
    beside.add("pivot", sm.Revolute(beside.ground, bob, at=(50, 0, 0), axis=(0, 1, 0)))
    runs = [sm.transient(model, end=0.02, step=1e-3, progress=False) for model in (alone, beside)]
    channels = [f"{name}.{load}" for name in ("lower", "upper") for load in ("force", "couple")]
    first, second = (np.hstack([run[name] for name in channels]) for run in runs)
    assert second == pytest.approx(first, abs=1e-6 * np.abs(first).max())


def test_a_planar_loop_of_four_hinges_moves_as_with_a_freer_joint():
    """Three turns of the crank; reactions out of the plane are the smallest that hold the bars, at every sample."""
    hinged, freer = linkage(sm.Revolute, redundant=LEAST), linkage(sm.InLine)
    sim = sm.Simulation(hinged, tolerance=1e-12)  # of the twists' corrections, in 1000 steps
    a = sm.transient(sim, 2.0, 2e-3, progress=False)
    b = sm.transient(freer, 2.0, 2e-3, tolerance=1e-12, progress=False)
    bars = ("crank", "coupler", "rocker")
    assert np.abs(motion(a, *bars) - motion(b, *bars)).max() < 1e-8
    squares = []
    for run in (a, b):
        joints = [(run[f"joint{k}.force"], run[f"joint{k}.couple"] / sim.length) for k in range(4)]
        squares.append(sum((f**2).sum(axis=1) + (c**2).sum(axis=1) for f, c in joints))
    assert (squares[0] < squares[1] - 0.5).all()  # N^2: the freer joint leaves its share to the others
    # out of the plane the two joints of the ground carry all: the sum is the weight of the bars along y
    held = a["joint0.force"][:, 2] - a["joint3.force"][:, 2]
    assert held == pytest.approx(np.full(len(a), -6.0 * 3.0), rel=1e-7)


@pytest.mark.parametrize("x, y", [(0.0, 0.0), (0.3, -0.1)])
def test_a_table_stands_on_four_legs(x, y):
    """R = W (1/4 + x x_k / sum x^2 + y y_k / sum y^2): the smallest forces with that sum and these moments."""
    rest = sm.static(table(x, y, redundant=LEAST))
    sums = (CORNERS**2).sum(axis=0)
    expected = 12.0 * G * (0.25 + CORNERS @ (np.array([x, y]) / sums))
    found = [rest[f"leg{k}.force"][-1][2] for k in range(4)]
    assert found == pytest.approx(expected, rel=1e-9)
    assert rest.attrs.stability == "stable"


def test_statics_and_modes_are_those_of_the_twin():
    """The door on a slope, with a spring at its hinge."""

    def sprung(hinges, **options):
        model = door(hinges, spin=0.0, lean=3.0, **options)
        law = sm.LinearLaw(50.0)
        model.add("spring", sm.Torsion(model.ground, model.nodes["leaf"], law=law, at=(0, 0, 0), axis=(0, 0, 1)))
        return model

    one, two = sprung({"lower": -1.0}), sprung(TWO, redundant=LEAST)
    assert sm.static(two)["leaf.position"] == pytest.approx(sm.static(one)["leaf.position"], abs=1e-9)
    assert sm.modes(two).eigenvalues == pytest.approx(sm.modes(one).eigenvalues, rel=1e-9)


def test_a_steady_rotation_is_that_of_the_twin():
    """A blade on two flap hinges side by side."""

    def rotor(offsets, **options):
        model = sm.Model("rotor", **options)
        hub = model.prescribed("hub", sm.Motion(rotation=(0, 0, lambda t: 20.0 * t)))
        blade = model.node("blade", (2.0, 0, 0))
        model.add("body", sm.Body(blade, mass=5.0, inertia=(0.1, 2.0, 2.0)))
        for k, y in enumerate(offsets):
            model.add(f"flap{k}", sm.Revolute(hub, blade, at=(0.3, y, 0), axis=(0, 1, 0)))
        return model

    one, two = rotor([0.0]), rotor([-0.1, 0.1], redundant=LEAST)
    found, expected = (sm.modes(sm.steady_rotation(model, 20.0)) for model in (two, one))
    # (m d (d + e) + J_z - J_x) / (m d^2 + J_y), the centre at d from the hinge and d + e from the axis
    flap = 20.0 * np.sqrt((5.0 * 1.7 * 2.0 + 2.0 - 0.1) / (5.0 * 1.7**2 + 2.0))
    assert expected.frequencies[0] == pytest.approx(flap, rel=1e-9)
    assert found.frequencies == pytest.approx(expected.frequencies, rel=1e-9)


def test_a_run_is_taken_up_bit_by_bit(tmp_path):
    whole = sm.transient(linkage(sm.Revolute, redundant=LEAST), 0.4, 2e-3, progress=False)
    file = tmp_path / "half.npz"
    sm.transient(linkage(sm.Revolute, redundant=LEAST), 0.2, 2e-3, checkpoint=file, progress=False)
    rest = sm.transient(linkage(sm.Revolute, redundant=LEAST), 0.4, 2e-3, resume=file, progress=False)
    assert np.array_equal(rest.table, whole.table[-len(rest) :])


def test_every_way_to_run_shares_the_reactions():
    model = linkage(sm.Revolute, redundant=LEAST)
    fine = sm.transient(model, 0.1, 1e-3, progress=False)
    coarse = sm.transient(linkage(sm.Revolute, redundant=LEAST), 0.1, 1e-3, every=7, progress=False)
    assert coarse["joint1.couple"][1:] == pytest.approx(fine["joint1.couple"][7::7][: len(coarse) - 1], abs=1e-9)
    stepper = sm.Stepper(linkage(sm.Revolute, redundant=LEAST), 1e-3)
    stepper.advance(50)
    assert stepper.measure("joint1.couple.x") == pytest.approx(fine["joint1.couple"][50, 0], abs=1e-9)
    adaptive = sm.transient(linkage(sm.Revolute, redundant=LEAST), 0.1, accuracy=1e-8, progress=False)
    assert adaptive["joint1.couple"][-1] == pytest.approx(fine["joint1.couple"][-1], rel=1e-2, abs=1e-2)


def test_a_singular_start_is_no_redundancy():
    """A bar across a rail: at the start it repeats what the rail holds, later it does not, and comes open."""
    model = sm.Model("dead centre", redundant=LEAST)
    cart = model.node("cart", velocity=(1, 0, 0))
    model.add("mass", sm.Body(cart, mass=1.0, inertia=(1, 1, 1)))
    model.add("rail", sm.Prismatic(model.ground, cart, axis=(1, 0, 0)))
    model.add("bar", sm.Distance(model.ground, cart, place_a=(0, 0, 1)))
    with pytest.raises(sm.Diverged, match=r"is open by .* in the initial position only") as caught:
        sm.transient(model, 1.0, 1e-4, progress=False)
    assert 0.0 < caught.value.results.time[-1] < 0.01


def test_friction_on_an_undetermined_reaction_is_refused():
    model = sm.Model("rusty", redundant=LEAST)
    leaf = model.node("leaf", (0.5, 0, 0))
    model.add("body", sm.Body(leaf, mass=1.0, inertia=(1, 1, 1)))
    rust = {"friction": sm.Friction(0.3), "radius": 0.01}
    for name, z in TWO.items():
        model.add(name, sm.Revolute(model.ground, leaf, at=(0, 0, z), axis=(0, 0, 1), **rust))
    with pytest.raises(sm.SingularModel, match="friction of joint 'lower'"):
        sm.assemble(sm.Simulation(model))


def test_other_models_do_not_pay():
    """No release, no entry in the matrix, unless it is asked for; and nothing is released where nothing repeats."""
    plain, asked = sm.System(linkage(sm.InLine)), sm.System(linkage(sm.InLine, redundant=LEAST))
    assert plain.releases is None
    assert asked.pattern.nnz == plain.pattern.nnz + plain.layout.multiplier_count
    sim = sm.Simulation(asked)
    sm.assemble(sim)
    assert sim.redundancy is None and not asked.releases.give.any()


def test_the_choice_is_checked():
    with pytest.raises(sm.ModelError, match="redundant must be 'refuse' or 'least-squares', got 'ignore'"):
        sm.Model("door", redundant="ignore")


@pytest.mark.parametrize("start", [(1.0, 0, 0), (0, 0, 1.0)], ids=["level", "upright"])
def test_a_leaf_on_two_hinges_comes_to_hang(start):
    """Far from the balance Newton's method finds none, or one that falls over: it relaxes, as on one hinge."""
    model = sm.Model("flap", gravity=(0, 0, -9.81), redundant=LEAST)
    leaf = model.node("leaf", start)
    model.add("mass", sm.Body(leaf, mass=1.0, inertia=(1, 1, 1)))
    for k in range(2):
        model.add(f"hinge{k}", sm.Revolute(model.ground, leaf, at=(0, k - 0.5, 0), axis=(0, 1, 0)))
    found = sm.static(model)
    assert found.attrs.stability == "stable"
    assert found["leaf.position"][0] == pytest.approx([0, 0, -1.0], abs=1e-9)
    for k in range(2):  # shared alike
        assert np.linalg.norm(found[f"hinge{k}.force"][0]) == pytest.approx(0.5 * 9.81, rel=1e-6)


# Relaxed joints ------------------------------------------------------------------------------------------------------


def between_clamps(compliances, mass=2.0) -> sm.Model:
    """A body at x = 1 m, held at x = 0 and x = 2 m by relaxed clamps."""
    model = sm.Model("between", gravity=(0, 0, -G))
    node = model.node("n", position=(1, 0, 0))
    model.add("body", sm.Body(node, mass=mass, inertia=(0.1, 0.1, 0.1)))
    for name, x, c in zip("ab", (0.0, 2.0), compliances, strict=True):
        model.add(name, sm.RelaxedJoint(joint=sm.Clamp(model.ground, node, at=(x, 0, 0)), compliance=c))
    return model


@pytest.mark.parametrize("compliances", [(3e-8, 1e-8), (2e-6, 2e-6)])
def test_relaxed_clamps_share_as_their_compliances_say(compliances):
    """The sag u and the tilt t of the body: least 1/2 sum of (u + t s)^2 / c + t^2 / c, plus m g u, s = 1 and -1."""
    weight, (c1, c2) = 2.0 * G, compliances
    K = np.array([[1 / c1 + 1 / c2, 1 / c1 - 1 / c2], [1 / c1 - 1 / c2, 2 / c1 + 2 / c2]])
    u, tilt = np.linalg.solve(K, (-weight, 0.0))
    found = sm.static(between_clamps(compliances))
    # rotations of 1e-8 to 1e-5 rad are all that is not linear
    assert found["a.force"][-1, 2] == pytest.approx(-(u + tilt) / c1, rel=1e-5)
    assert found["b.force"][-1, 2] == pytest.approx(-(u - tilt) / c2, rel=1e-5)
    if compliances[0] < 1e-7:  # a vibration that a step does not resolve dies out
        run = sm.transient(between_clamps(compliances), 1.0, 1e-3, progress=False)
        assert run["b.force"][-1, 2] == pytest.approx(found["b.force"][-1, 2], rel=1e-4)


def test_a_relaxed_joint_closes_a_loop_that_is_too_much():
    """Four hinges of a linkage hold its plane twice; relaxed, the last one moves it as released ones do."""
    model = linkage(lambda a, b, **place: sm.RelaxedJoint(joint=sm.Revolute(a, b, **place), compliance=1e-10))
    relaxed = sm.transient(model, 0.5, 1e-3, progress=False)
    released = sm.transient(linkage(sm.Revolute, redundant=LEAST), 0.5, 1e-3, progress=False)
    # velocities at the start do not know of it: that dies out; then reactions of 100 N move it by 1e-8 m
    apart = np.abs(relaxed["rocker.position"] - released["rocker.position"]).max(axis=1)
    assert apart.max() < 1e-5 and apart[100:].max() < 1e-7
    assert relaxed["joint3.gap"][100:].max() < 1e-7


def test_a_relaxed_joint_is_a_spring_that_keeps_energy():
    """m x'' = -x / c: frequency and energy of a mass on a relaxed joint."""
    mass, c = 2.0, 1e-3
    model = sm.Model("spring")
    node = model.node("n", velocity=(0.3, 0, 0))
    model.add("body", sm.Body(node, mass=mass, inertia=(1, 1, 1)))
    model.add("tie", sm.RelaxedJoint(joint=sm.Spherical(model.ground, node), compliance=c))
    run = sm.transient(model, 2.0, 5e-4, integrator=sm.CrankNicolson(), progress=False)
    omega = 1.0 / np.sqrt(c * mass)
    energy = run["model.kinetic"] + run["model.potential"]
    assert energy == pytest.approx(energy[0], rel=1e-9)  # the trapezoidal rule keeps that of a linear spring
    exact = 0.3 / omega * np.sin(omega * run.time)
    late = omega * 2.0 * (omega * 5e-4) ** 2 / 12.0  # phase of the trapezoidal rule
    assert run["n.position"][:, 0] == pytest.approx(exact, abs=1.1 * late * 0.3 / omega)


def relaxed_pendulum() -> sm.Model:
    model = sm.Model("pendulum", gravity=(0, 0, -G))
    node = model.node("n")
    model.add("body", sm.Body(node, mass=1.0, inertia=(0.1, 0.1, 0.1)))
    model.add("tie", sm.RelaxedJoint(joint=sm.Spherical(model.ground, node, at=(0.5, 0, 0)), compliance=1e-8))
    return model


@pytest.mark.parametrize("integrator", [RungeKutta4(), DormandPrince(), SemiImplicitEuler()], ids=repr)
def test_explicit_integrators_of_trees_refuse_relaxed_joints(integrator):
    how = {"formulation": "recursive", "integrator": integrator, "progress": False}
    with pytest.raises(sm.ArgumentError, match=r"'tie' \(RelaxedJoint\) .* use the redundant formulation"):
        sm.transient(relaxed_pendulum(), 0.5, 1e-3, **how)


def test_the_default_and_implicit_integrators_of_trees_take_relaxed_joints():
    whole = sm.transient(relaxed_pendulum(), 0.5, 1e-3, progress=False)
    for integrator in (None, sm.TwoStep(0.6), sm.BDF2(), MoreauJean()):
        how = {"formulation": "recursive", "integrator": integrator, "progress": False}
        tree = sm.transient(relaxed_pendulum(), 0.5, 1e-3, **how)
        # second order: 5 m/s at about 10 rad/s^2 (h = 1e-3) over half a second, of BDF2 four times as much
        assert tree["n.position"] == pytest.approx(whole["n.position"], abs=5e-5)
