"""Exact derivatives by parameters against finite differences of whole analyses, and closed forms."""

import signal
import threading
import warnings
from itertools import pairwise

import numpy as np
import pytest

import samara as sm

#: Differences of fourth order, with steps of 1e-3 for states and 1e-2 for eigenvalues, are good to some 1e-8.
AGREED = 1e-6


def fourth_order(value, at, step):
    """dy/dp by central differences of fourth order."""
    near = value(at + step) - value(at - step)
    far = value(at + 2 * step) - value(at - 2 * step)
    return (8.0 * near - far) / (12.0 * step)


VALUES = {"EI": 2e3, "tip_mass": 3.0, "load": 40.0}
LENGTH, COUNT = 2.0, 6


def cantilever(gravity=-9.81, turn=0, root=(0.0, 0.0, 0.0), **changed):
    """A beam along x that bends by much, a mass and a load at its tip; clamped to the ground.

    turn: by how many axes all of it is turned, x to y, y to z, z to x; root: where it is clamped [m].
    """
    p = {name: sm.Parameter(name, value) for name, value in {**VALUES, **changed}.items()}
    axes = np.roll(np.eye(3), turn, axis=0)
    model = sm.Model("cantilever", gravity=axes @ (0, 0, gravity))
    section = sm.Section([1e7, 4e6, 4e6, 1e3, p["EI"], 3e3])
    last = model.node("root", root, axes, static=True)
    model.add("clamp", sm.Clamp(model.ground, last, at=root))
    for k in range(COUNT):
        node = model.node(f"n{k}", root + axes @ ((k + 1) * LENGTH / COUNT, 0, 0), axes)
        model.add(f"beam{k}", sm.Beam2(last, node, section=section))
        mass = p["tip_mass"] if k == COUNT - 1 else 0.5
        model.add(f"mass{k}", sm.Body(node, mass=mass, inertia=(0.01, 0.02, 0.03)))
        last = node
    model.add("pull", sm.Force(last, force=np.roll(np.array([0.0, 0.0, p["load"]], object), turn)))
    return model


def at_rest(**changed):
    sim = sm.Simulation(cantilever(**changed))
    sm.static(sim, tolerance=1e-12, outputs="model.violation")
    return sim


@pytest.mark.parametrize("name", VALUES)
def test_static_tip_displacement_and_reaction(name):
    outputs = (f"n{COUNT - 1}.position", "clamp.force", "clamp.couple")
    found = sm.sensitivity(at_rest(), name, outputs)

    def measured(value):
        sim = at_rest(**{name: value})
        return np.concatenate([sm.static(sim, tolerance=1e-12, outputs=outputs)[o][-1] for o in outputs])

    expected = fourth_order(measured, VALUES[name], 1e-3 * VALUES[name])
    scale = np.abs(expected).reshape(-1, 3).max(axis=1).repeat(3)
    np.testing.assert_allclose(found.values[:, 0], expected, atol=AGREED * scale.max())
    assert np.abs(found.values[2, 0]) > 0.0


@pytest.mark.parametrize("turn", [1, 2])
def test_turned_and_far_away_it_is_the_same(turn):
    """To 1e-8: 3 km from the origin a micrometre has ten digits less."""
    tip, far = f"n{COUNT - 1}.position", (1e3, -2e3, 2e3)
    here, there = at_rest(), at_rest(turn=turn, root=far)
    found, moved = (sm.sensitivity(sim, outputs=tip).values for sim in (here, there))
    np.testing.assert_allclose(np.roll(found, turn, axis=0), moved, atol=1e-8 * np.abs(found).max())
    slopes, same = (sm.sensitivity(sm.modes(sim, 4)).values for sim in (here, there))
    np.testing.assert_allclose(same, slopes, atol=1e-7 * np.abs(slopes).max())


@pytest.mark.parametrize("name", VALUES)
def test_eigenvalues_of_a_bent_beam(name):
    """The beam bends by much, so that a parameter moves the state as well as the matrices."""

    def eigenvalues(value):
        return sm.modes(at_rest(**{name: value}), 6).eigenvalues

    found = sm.sensitivity(sm.modes(at_rest(), 6), name)
    expected = fourth_order(eigenvalues, VALUES[name], 1e-2 * VALUES[name])
    np.testing.assert_allclose(found.values[:, 0].imag, expected.imag, atol=AGREED * np.abs(expected).max())


@pytest.mark.parametrize("speed", [5.0, 20.0])
@pytest.mark.parametrize("name", ["EI", "tip_mass"])
def test_lines_of_a_campbell_diagram(name, speed):
    """A blade that turns: the parameter moves the stretched and bent shape, its twists and the matrices."""

    def turning(**changed):
        sim = sm.steady_rotation(
            cantilever(gravity=0.0, load=200.0, **changed), speed, carried=["ground"], tolerance=1e-12
        )
        return sm.modes(sim, 5)

    found = sm.sensitivity(turning(), name)
    expected = fourth_order(lambda v: turning(**{name: v}).eigenvalues, VALUES[name], 1e-2 * VALUES[name])
    np.testing.assert_allclose(found.values[:, 0].imag, expected.imag, atol=AGREED * np.abs(expected).max())
    assert np.abs(expected).min() > 0.0


def pole(count, EI=2e3, other=2e3):
    """A pole of a round section, which bends alike to both sides."""
    model = sm.Model("pole")
    section = sm.Section([1e7, 4e6, 4e6, 1e3, sm.Parameter("EI", EI), other])
    nodes = [model.node(f"n{k}", (0.3 * k, 0, 0)) for k in range(6)]
    for k, node in enumerate(nodes):
        model.add(f"mass{k}", sm.Body(node, mass=0.5, inertia=(0.01, 0.01, 0.01)))
    for k, (a, b) in enumerate(pairwise(nodes)):
        model.add(f"beam{k}", sm.Beam2(a, b, section=section))
    model.add("clamp", sm.Clamp(model.ground, nodes[0]))
    return sm.modes(model, count)


def test_of_modes_that_coincide_the_branches_move():
    """Two planes of equal stiffness, and a parameter stiffens one of them: one branch moves, the other stays."""
    with pytest.raises(sm.SolveError, match="mode 1 coincides with another one that was not found"):
        sm.sensitivity(pole(count=1))
    bending = [0, 1, 3, 4]  # the third mode is torsion
    found = sm.sensitivity(pole(count=5), "EI")
    np.testing.assert_allclose(found.nominal[[0, 3]].imag, found.nominal[[1, 4]].imag, rtol=1e-9)
    slopes = found.values[bending, 0].imag.reshape(2, 2)
    apart = sm.sensitivity(pole(count=5, other=2.2e3), "EI").values[bending, 0].imag  # planes that do not coincide
    np.testing.assert_allclose(slopes.min(axis=1), 0.0, atol=1e-8)
    np.testing.assert_allclose(slopes.max(axis=1), apart[apart > 1e-6], rtol=1e-6)


def test_rigid_motions_have_no_derivative():
    """A wheel that turns freely, with a mass on a radial spring: w^2 = k / m - W^2 on a wheel of great inertia."""
    W, m, k = 5.0, 2.0, 800.0
    model = sm.Model("wheel")
    hub, bob = model.node("hub"), model.node("bob", (1.0, 0, 0))
    model.add("wheel", sm.Body(hub, mass=1.0, inertia=(1e9, 1e9, 1e9)))
    model.add("mass", sm.Body(bob, mass=m, inertia=(0.1, 0.1, 0.1)))
    model.add("bearing", sm.Revolute(model.ground, hub, axis=(0, 0, 1)))
    model.add("slide", sm.Prismatic(hub, bob, axis=(1, 0, 0)))
    model.add("spring", sm.Spring(hub, bob, stiffness=sm.Parameter("k", k), length=1.0))
    sim = sm.Simulation(model)
    sm.steady_rotation(sim, W)
    found = sm.sensitivity(sm.modes(sim))
    rigid = np.abs(found.nominal) < 1e-3
    assert rigid.any()
    assert np.isnan(found.values[rigid]).all()
    w = np.sqrt(k / m - W**2)
    assert found.nominal[~rigid] == pytest.approx([1j * w], rel=1e-6)
    assert found.values[~rigid, 0] == pytest.approx([0.5j / (m * w)], rel=1e-6)


def test_a_frequency_follows_a_mass_as_its_formula_says():
    """w = sqrt(k / m): dw/dm = -w / 2 m, dw/dk = w / 2 k."""
    k, m = sm.Parameter("k", 80.0), sm.Parameter("m", 5.0)
    model = sm.Model("cart")
    cart = model.node("cart", (1.0, 0, 0))
    model.add("rail", sm.Prismatic(model.ground, cart, axis=(1, 0, 0)))
    model.add("body", sm.Body(cart, mass=m, inertia=(1, 1, 1)))
    model.add("spring", sm.Spring(model.ground, cart, stiffness=k))
    sim = sm.Simulation(model)
    sm.static(sim, outputs="model.violation")
    found, w = sm.sensitivity(sm.modes(sim)), 4.0
    assert found["mode 1", "m"] == pytest.approx(-1j * w / 10.0, rel=1e-9)
    assert found["mode 1", "k"] == pytest.approx(1j * w / 160.0, rel=1e-9)
    np.testing.assert_allclose(found.relative[0].real, [-0.5, 0.5], rtol=1e-9)


def test_what_is_not_in_balance_is_refused():
    model = cantilever()
    sim = sm.Simulation(model)
    with pytest.raises(sm.SolveError, match=r"'cantilever' is not in balance: call static"):
        sm.sensitivity(sim, "EI")
    sim = at_rest()
    with pytest.raises(sm.ModelError, match=r"has no parameter or input 'ei' \(it has: EI, tip_mass, load\)"):
        sm.sensitivity(sim, "ei")
    for wrong in (5, None, [["EI"]], b"EI"):
        with pytest.raises(sm.ArgumentError, match="sensitivity: parameters must be a name, or several in a list"):
            sm.sensitivity(sim, wrong)
    with pytest.raises(sm.ArgumentError, match="no parameters are named"):
        sm.sensitivity(sim, [])
    with pytest.raises(sm.ArgumentError, match="outputs are of equilibria"):
        sm.sensitivity(sm.modes(sim, 1), "EI", outputs="n0.position")
    with pytest.raises(KeyError, match="give a quantity and a parameter"):
        sm.sensitivity(sim, "EI", "n0.position")["n0.position.x"]
    with pytest.raises(KeyError, match="give a channel and a parameter"):
        sm.transient_sensitivity(cantilever(), 2e-3, 1e-3, "EI", outputs="n0.position")["n0.position"]
    assert np.isnan(sm.sensitivity(sim, "EI", "model.violation").values).all()


def pushed():
    """A pendulum that an input and a lagging state push aside."""
    model = sm.Model("pushed", gravity=(0, 0, -9.81))
    bob = model.node("bob", (0, 0, -1.0))
    model.add("mass", sm.Body(bob, mass=sm.Parameter("m", 2.0), inertia=(0.1, 0.1, 0.1)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    lag = model.add("lag", sm.Lag(command=3.0, time=0.2))
    model.add("motor", sm.ServoMotor(model.ground, bob, lag.output, at=(0, 0, 0), axis=(0, 1, 0)))
    model.add("push", sm.Force(bob, force=(sm.Input("push"), 0, 0)))
    sim = sm.Simulation(model)
    sm.static(sim)
    return sim


def test_an_input_or_a_state_that_was_changed_is_seen():
    sim = pushed()
    assert np.isfinite(sm.sensitivity(sim, "m", "hinge.angle").values).all()
    sim.system.set_input("push", 20.0)
    with pytest.raises(sm.SolveError, match="'pushed' is not in balance"):
        sm.sensitivity(sim, "m")
    sim = pushed()
    sim.state.values = sim.state.values + 5.0
    with pytest.raises(sm.SolveError, match="'pushed' is not in balance"):
        sm.sensitivity(sim, "m")


def test_modes_keep_their_time():
    """A drive that stiffens: after a run, derivatives are still those of the time when the modes were found."""
    model = sm.Model("stiffened")
    bob = model.node("bob", (1.0, 0, 0))
    model.add("mass", sm.Body(bob, mass=2.0, inertia=(0.1, 0.1, 0.1)))
    model.add("slide", sm.Prismatic(model.ground, bob, axis=(1, 0, 0)))
    pull = sm.Constant(sm.Parameter("A", 3.0)) * sm.Expression(lambda t: 1.0 + t)
    model.add("spring", sm.Axial(model.ground, bob, axis=(1, 0, 0), law=sm.CubicLaw(50.0, 10.0)))
    model.add("pull", sm.Force(bob, force=(pull, 0, 0)))
    sim = sm.Simulation(model)
    sm.static(sim)
    found = sm.modes(sim)
    before = sm.sensitivity(found, "A").values
    sm.transient(sim, 0.5, 1e-3, progress=False)
    np.testing.assert_array_equal(sm.sensitivity(found, "A").values, before)
    assert np.abs(before).max() > 1e-3


@pytest.mark.parametrize("axis", [(0.7, 0.3, 0.1), (1, 0, 0), (0.2, 0.5, 0.9)])
def test_what_is_free_to_move_is_named(axis):
    """Two masses on a rail, with a spring between them and nothing that ties them to a place."""
    model = sm.Model("free")
    unit = np.array(axis) / np.linalg.norm(axis)
    nodes = [model.node(name, place * unit) for name, place in (("a", 0.0), ("b", 1.0))]
    for node in nodes:
        model.add(f"{node.name}_mass", sm.Body(node, mass=1.0, inertia=(1, 1, 1)))
        model.add(f"{node.name}_rail", sm.Prismatic(model.ground, node, axis=axis))
    model.add("spring", sm.Spring(*nodes, stiffness=100.0, length=sm.Parameter("L", 1.0)))
    sim = sm.Simulation(model)
    sm.assemble(sim)
    with pytest.raises(sm.SingularModel, match=r"model 'free': .* is free to move without resistance"):
        sm.sensitivity(sim, "L")


def test_a_critically_damped_motion_has_no_derivative():
    model = sm.Model("damped")
    bob = model.node("bob", (1.0, 0, 0))
    model.add("mass", sm.Body(bob, mass=2.0, inertia=(0.1, 0.1, 0.1)))
    model.add("slide", sm.Prismatic(model.ground, bob, axis=(1, 0, 0)))
    law = sm.LinearLaw(sm.Parameter("k", 50.0), 20.0)  # 2 sqrt(k m)
    model.add("spring", sm.Axial(model.ground, bob, axis=(1, 0, 0), law=law))
    assert np.isnan(sm.sensitivity(sm.modes(model), "k").values).all()


def flapping(hub_speed):
    """A blade with a flap hinge on a hub that turns at 25 rad/s, driven by a parameter in three ways."""
    model, speed = sm.Model("flapping"), sm.Parameter("speed", 25.0)
    turning = sm.Constant(speed) * sm.Expression(lambda t: t)
    if hub_speed == "motion":
        hub = model.prescribed("hub", sm.Motion(rotation=(0, 0, turning)))
    else:
        hub = model.node("hub")
        model.add("iron", sm.Body(hub, mass=1.0, inertia=(1, 1, 1)))
        model.add("bearing", sm.Revolute(model.ground, hub, axis=(0, 0, 1)))
        if hub_speed == "rate":
            model.add("shaft", sm.PrescribedRate(model.ground, hub, axis=(0, 0, 1), rate=speed))
        else:
            model.add("shaft", sm.PrescribedAngle(model.ground, hub, axis=(0, 0, 1), angle=turning))
    blade = model.node("blade", (1.0, 0, 0))
    model.add("mass", sm.Body(blade, mass=2.0, inertia=(0.1, 0.5, 0.5)))
    model.add("hinge", sm.Revolute(hub, blade, at=(0.2, 0, 0), axis=(0, 1, 0)))
    law = sm.LinearLaw(sm.Parameter("k", 300.0))
    model.add("spring", sm.Torsion(hub, blade, at=(0.2, 0, 0), axis=(0, 1, 0), law=law))
    return sm.steady_rotation(sm.Simulation(model), 25.0)


@pytest.mark.parametrize("hub_speed", ["motion", "rate", "angle"])
def test_a_hub_that_is_driven(hub_speed):
    """I w^2 = k + W^2 (m e c + m c^2 + I_z - I_x): I about the hinge, at e from the axis, c from there to the mass."""
    sim, W = flapping(hub_speed), 25.0
    inertia, moment = 0.5 + 2.0 * 0.8**2, 2.0 * 0.8
    modes = sm.modes(sim)
    flap = int(np.argmax(np.abs(modes.eigenvalues)))
    found = sm.sensitivity(modes, "k").values[flap, 0]
    w = modes.eigenvalues[flap].imag
    assert w**2 == pytest.approx((300.0 + W**2 * (moment * 0.2 + 2.0 * 0.8**2 + 0.5 - 0.1)) / inertia, rel=1e-9)
    assert found.imag == pytest.approx(0.5 / (inertia * w), rel=1e-8)
    with pytest.raises(sm.SolveError, match="follows 'speed': it changes the speed of the rotation itself"):
        sm.sensitivity(sim, "speed")


# ---- runs in time
RUN = {"mass": 2.0, "k": 300.0, "g": -9.81, "amplitude": 2.0, "side": 1.5}
CHANNELS = ("b.position", "b.velocity", "model.kinetic", "h.angle")


def swinging(**changed):
    """Two bodies on joints, a spring and a driven load."""
    p = {name: sm.Parameter(name, value) for name, value in {**RUN, **changed}.items()}
    model = sm.Model("swinging", gravity=(0, 0, p["g"]))
    a, b = model.node("a", (1, 0, 0)), model.node("b", (2, 0, 0))
    model.add("A", sm.Body(a, mass=p["mass"], inertia=(0.1, 0.2, 0.3)))
    model.add("B", sm.Body(b, mass=1.0, inertia=(0.1, 0.2, 0.3)))
    model.add("h", sm.Revolute(model.ground, a, at=(0, 0, 0), axis=(0, 1, 0)))
    model.add("ball", sm.Spherical(a, b, at=(1.5, 0, 0)))
    model.add("spring", sm.Spring(model.ground, b, place_a=sm.Placement((0, 1, 0)), stiffness=p["k"]))
    model.add("load", sm.Force(b, force=(0, p["side"], sm.Sine(p["amplitude"], 3.0))))
    return model


def differentiated(model, names, channels=CHANNELS, step=2e-3, end=0.6, tolerance=1e-13):
    found = sm.transient_sensitivity(model, end, step, names, outputs=channels, tolerance=tolerance)
    return found, np.hstack([found.results[c].reshape(len(found.results.time), -1) for c in channels])


@pytest.mark.parametrize("name", RUN)
def test_a_run_in_time(name):
    found, _ = differentiated(swinging(), name)
    expected = fourth_order(
        lambda value: differentiated(swinging(**{name: value}), name)[1], RUN[name], 1e-3 * abs(RUN[name])
    )
    values = np.hstack([found[c, name].reshape(len(expected), -1) for c in CHANNELS])
    assert np.all(np.abs(values - expected).max(axis=0) <= AGREED * np.abs(expected).max(axis=0) + 1e-12)
    assert np.abs(expected).max() > 1e-4


@pytest.mark.parametrize("drive", ["rate", "angle", "place"])
def test_starts_that_drives_and_joints_bring_about(drive):
    """A hub that is driven takes along what hangs on a joint with a start, and behind that on a spring."""

    def driven(value):
        model, p = sm.Model("driven"), sm.Constant(sm.Parameter("p", value))
        if drive == "place":
            hub = model.prescribed("hub", sm.Motion(position=(p, 0, 0), rotation=(0, 0, p)))
        else:
            hub = model.node("hub")
            model.add("iron", sm.Body(hub, mass=5.0, inertia=(1, 1, 1)))
            model.add("bearing", sm.Revolute(model.ground, hub, axis=(0, 0, 1), start={}))
            held = sm.PrescribedRate if drive == "rate" else sm.PrescribedAngle
            model.add("shaft", held(model.ground, hub, axis=(0, 0, 1), **{drive: p}))
        a, b = model.node("a", (0.5, 0, 0)), model.node("b", (1.0, 0, 0))
        model.add("A", sm.Body(a, mass=1.0, inertia=(0.1, 0.1, 0.1)))
        model.add("B", sm.Body(b, mass=1.0, inertia=(0.1, 0.1, 0.1)))
        model.add("hinge", sm.Revolute(hub, a, at=(0.2, 0, 0), axis=(0, 1, 0), start={"angle": 0.2}))
        model.add("spring", sm.Torsion(hub, a, at=(0.2, 0, 0), axis=(0, 1, 0), law=sm.LinearLaw(50.0)))
        law = sm.LinearLaw6(stiffness=(1e3, 1e3, 1e3, 100.0, 100.0, 100.0), damping=1e-3)
        model.add("joint", sm.DeformableJoint(a, b, at=(1, 0, 0), law=law))
        return model

    channels = ("b.position", "b.velocity")
    found, _ = differentiated(driven(0.3), "p", channels, end=0.1)
    expected = fourth_order(lambda value: differentiated(driven(value), "p", channels, end=0.1)[1], 0.3, 1e-3)
    values = np.hstack([found[c, "p"] for c in channels])
    assert np.abs(values - expected).max() <= AGREED * np.abs(expected).max()
    assert np.abs(values[0]).max() > 0.5  # the start itself follows


def test_a_joint_that_is_drawn_open():
    """A rod of 1.3 m drawn 1 m long: the assembly moves the bob by a finite way, and turns it."""

    def rod(length):
        model = sm.Model("rod")
        bob = model.node("bob", (0.8, 0.6, 0.0))
        model.add("mass", sm.Body(bob, mass=1.0, inertia=(0.1, 0.1, 0.1)))
        model.add(
            "rod", sm.Distance(model.ground, bob, place_b=(0.0, -0.3, 0.1), length=sm.Parameter("length", length))
        )
        return model

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what the assembly moves
        run = lambda value: differentiated(rod(value), "length", ("bob.position", "bob.rotation"), end=4e-3)  # noqa: E731
        found, expected = run(1.3)[0], fourth_order(lambda value: run(value)[1], 1.3, 1e-3)
    values = np.hstack([found[c, "length"] for c in ("bob.position", "bob.rotation")])
    assert np.abs(values - expected).max() <= AGREED * np.abs(expected).max()
    assert np.abs(values[0]).max() > 0.5


def test_a_start_that_follows_the_parameter():
    """A bob on a rod whose length is a parameter: the assembly puts it where the rod ends, and the run goes on."""

    def rod(length):
        model = sm.Model("rod", gravity=(0, 0, -9.81))
        bob = model.node("bob", (1.0, 0.2, 0.0))
        model.add("mass", sm.Body(bob, mass=1.0, inertia=(0.1, 0.1, 0.1)))
        model.add("rod", sm.Distance(model.ground, bob, length=sm.Parameter("length", length)))
        return model

    drawn = float(np.hypot(1.0, 0.2))  # the parameter's own value is as drawn: nothing has to be moved there
    found, _ = differentiated(rod(drawn), "length", ("bob.position", "bob.velocity"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what the assembly moves, for other lengths
        expected = fourth_order(
            lambda value: differentiated(rod(value), "length", ("bob.position", "bob.velocity"))[1], drawn, 1e-3
        )
    values = np.hstack([found[c, "length"] for c in ("bob.position", "bob.velocity")])
    assert np.abs(values[0, :3]).max() > 0.9  # the start moves along the rod
    assert np.abs(values - expected).max() <= AGREED * np.abs(expected).max()


KNOT = {"stiffness": 300.0, "load": 5.0}


def knotted(damped=False, **changed):
    """A bob that hangs on a knot without mass, held by springs and pulled to and fro: it starts in balance.

    damped: a damper holds the knot back, so that it starts where it is drawn, at the speed that the damper allows.
    """
    p = {name: sm.Parameter(name, value) for name, value in {**KNOT, **changed}.items()}
    model = sm.Model("knotted", gravity=(0, 0, -9.81))
    bob = model.node("bob", (0.3, 0, -1.0), velocity=(0.5, 0, 0.2))
    knot = model.node("knot", (0.1, 0, -0.5), static=True)
    model.add("mass", sm.Body(bob, mass=2.0, inertia=(0.1, 0.2, 0.3)))
    model.add("up", sm.Spring(model.ground, knot, length=0.3, stiffness=p["stiffness"]))
    model.add("left", sm.Spring(model.ground, knot, place_a=(1.0, 0.4, 0), length=0.9, stiffness=200.0))
    model.add("right", sm.Spring(model.ground, knot, place_a=(-1.0, 0.7, 0.3), length=0.9, stiffness=150.0))
    model.add("down", sm.Spring(knot, bob, length=0.3, stiffness=p["stiffness"]))
    model.add("turns", sm.DeformableHinge(model.ground, knot, law=sm.LinearLaw3(stiffness=(3.0, 4.0, 5.0))))
    model.add("pull", sm.Force(knot, force=(0, sm.Sine(amplitude=p["load"], frequency=9.0), p["load"])))
    if damped:
        model.add("oil", sm.Damper(model.ground, knot, place_a=(0.3, 0.3, 0), damping=30.0))
    return model


@pytest.mark.parametrize("damped", [False, True])
@pytest.mark.parametrize("name", KNOT)
@pytest.mark.filterwarnings("ignore:model 'knotted'")  # the assembly says that it has moved the knot
def test_what_has_no_mass_starts_in_balance_whatever_the_parameter(name, damped):
    """Its place and velocity at the start follow the parameter; without that, all of the run is off."""
    channels = ("bob.position", "knot.position", "bob.velocity", "knot.velocity")
    options = {"end": 0.06, "tolerance": 1e-11 if damped else 1e-13}  # against dampers rounding is coarser
    found, _ = differentiated(knotted(damped), name, channels, **options)
    expected = fourth_order(
        lambda value: differentiated(knotted(damped, **{name: value}), name, channels, **options)[1],
        KNOT[name],
        1e-3 * KNOT[name],
    )
    values = np.hstack([found[c, name] for c in channels])
    # by vectors: runs are rounded at 1e-11 m/s, over differences of 5e-3, and one component is a hundredth of another
    error, size = (np.abs(each).reshape(len(values), -1, 3).max(axis=(0, 2)) for each in (values - expected, expected))
    assert np.all(error <= AGREED * size)
    assert np.abs(expected[0, 3:12]).max() > 1e-4


def test_the_run_is_that_of_transient():
    """But for the smoothed start, which is of second order in the step."""
    found, _ = differentiated(swinging(), "mass", step=1e-3)
    plain = sm.transient(swinging(), 0.6, 1e-3, outputs="b.position", progress=False)
    np.testing.assert_allclose(found.results["b.position"], plain["b.position"], atol=1e-5)


def test_order_of_the_derivatives():
    """They converge with the run, by second order: errors against a fine run fall by four per half step."""
    fine = differentiated(swinging(), "mass", step=2.5e-4)[0]["b.position", "mass"][-1]
    errors = [
        np.abs(differentiated(swinging(), "mass", step=h)[0]["b.position", "mass"][-1] - fine).max()
        for h in (4e-3, 2e-3)
    ]
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.1)


def test_a_free_flight_with_carriers():
    """x = v t, z = -g t^2 / 2 far from home, on a carrier: dz/dg = t^2 / 2 and nothing else."""
    g = sm.Parameter("g", -9.81)
    model = sm.Model("thrown", gravity=(0, 0, g))
    body = model.node("body", velocity=(70.0, 0, 0), angular_velocity=(0.0, 0.0, 3.0))
    model.add("mass", sm.Body(body, mass=2.0, inertia=(1, 2, 3)))
    found = sm.transient_sensitivity(model, 1.0, 1e-2, "g", outputs="body.position")
    t = found.results.time
    expected = np.column_stack([0 * t, 0 * t, 0.5 * t**2])
    np.testing.assert_allclose(found["body.position", "g"], expected, atol=1e-8)  # the first step is a trapezoid: exact


def test_boosted_and_far_away_a_run_has_the_same_derivatives():
    """Two bodies on a spring that tumble, at rest as a whole or at 70 m/s, 1 km away."""

    def tumbling(velocity, place):
        model = sm.Model("tumbling")
        place, velocity = np.array(place), np.array(velocity)
        for name, x in (("a", -0.5), ("b", 0.7)):
            spin = np.array([0.0, 0.3, 4.0])
            arm = np.array([x, 0.0, 0.0])
            node = model.node(name, place + arm, velocity=velocity + np.cross(spin, arm), angular_velocity=spin)
            model.add(f"body_{name}", sm.Body(node, mass=sm.Parameter(f"m_{name}", 1.0 - x), inertia=(0.1, 0.2, 0.3)))
        law = sm.LinearLaw6(stiffness=(sm.Parameter("k", 300.0), 300.0, 300.0, 20.0, 20.0, 20.0))
        model.add("spring", sm.DeformableJoint(model["a"], model["b"], law=law, rest_position=(1.2, 0, 0)))
        found = sm.transient_sensitivity(model, 0.5, 2e-3, outputs=("a.position", "spring.force"), tolerance=1e-12)
        return [found.by[name][c] for name in ("m_a", "m_b", "k") for c in ("a.position", "spring.force")]

    for here, there in zip(tumbling((0, 0, 0), (0, 0, 0)), tumbling((50, -40, 30), (600, 0, -800)), strict=True):
        np.testing.assert_allclose(there, here, atol=2e-6 * np.abs(here).max())  # 1 km of 1 m costs three digits


def test_what_jumps_is_refused_and_nothing_is_lost():
    model = swinging()
    model.add("kick", sm.Force(model["a"], force=(sm.Step(1.0, 0.1), 0, 0)))
    with pytest.raises(sm.SolveError, match=r"'swinging' at t = 0.1.* s: something jumps") as caught:
        sm.transient_sensitivity(model, 0.3, 1e-3, "mass")
    found = caught.value.results
    assert found.results.time[-1] == pytest.approx(0.1, abs=2e-3)
    assert found["b.position", "mass"].shape == found.results["b.position"].shape
    assert found.results.attrs.status == "failed" and found.by["mass"].attrs.model == "swinging, by mass"


def test_ctrl_c_ends_a_run_and_nothing_is_lost():
    threading.Timer(1.0, signal.raise_signal, [signal.SIGINT]).start()
    with pytest.raises(sm.Interrupted) as caught:
        sm.transient_sensitivity(swinging(), 1e4, 1e-3, "mass", every=1000)
    found = caught.value.results
    assert 0 < found.results.time[-1] < 1e4
    assert len(found["b.position", "mass"]) == len(found.results.time)


def test_rows_are_recorded_at_their_times():
    every, all_of_it = (
        sm.transient_sensitivity(swinging(), 0.5, 1e-3, "mass", outputs="b.position", every=n) for n in (7, 1)
    )
    np.testing.assert_allclose(every.results.time, all_of_it.results.time[::7])
    np.testing.assert_array_equal(every["b.position", "mass"], all_of_it["b.position", "mass"][::7])


def test_a_run_that_has_begun_is_refused():
    sim = sm.Simulation(swinging())
    sm.transient(sim, 0.1, 1e-3, progress=False)
    with pytest.raises(sm.ArgumentError, match="simulation of model 'swinging' has already been run"):
        sm.transient_sensitivity(sim, 0.3, 1e-3, "mass")
    with pytest.raises(sm.ArgumentError, match="exceed the limit of 1e\\+09"):
        sm.transient_sensitivity(swinging(), 1e9, 1e-3, "mass")


# ---- trim
def test_controls_of_a_trim_follow_the_wind():
    """Collective and cyclic pitch of a rotor in forward flight, with thrust and the disk's attitude held."""
    from samara.models.rotors.hinged_rotor import RADIUS, SPEED, hinged_rotor

    period, tip, flap = 2 * np.pi / SPEED, SPEED * RADIUS, "blade_1.flap.angle"
    names = ("wind_x",)
    wind = {"wind_x": 0.15 * tip, "wind_z": -0.015 * tip}
    targets = {"rotor.thrust": 700.0, sm.Harmonic(flap, "cos"): 0.0, sm.Harmonic(flap, "sin"): 0.0}

    def trimmed(**changed):
        w = {**wind, **changed}
        model = hinged_rotor(wind=(w["wind_x"], 0.0, w["wind_z"]), inflow=sm.PittPeters())
        guess = {"collective": 0.05, "lateral": 0.0, "longitudinal": 0.0}
        return sm.trim(
            model, guess, targets, period=period, step=period / 60, tolerance=1e-10, settle=1e-12, periods=200
        )

    base = trimmed()
    assert base.met
    with pytest.raises(sm.ArgumentError, match="'collective' is a control of this trim"):
        sm.sensitivity(base, "collective")
    before = base.simulation.state.copy()
    found = sm.sensitivity(base, names)
    assert np.array_equal(base.simulation.state.copy(), before)
    for k, name in enumerate(names):
        step = 2e-3 * tip * 0.15
        near = [np.array(list(trimmed(**{name: wind[name] + d * step}).controls.values())) for d in (1, -1, 2, -2)]
        expected = (8.0 * (near[0] - near[1]) - (near[2] - near[3])) / (12.0 * step)
        np.testing.assert_allclose(found.values[:, k], expected, atol=AGREED * np.abs(expected).max())
    sim = base.simulation
    sim.system.set_parameter("collective", 0.01 + base.controls["collective"])
    sm.transient(sim, sim.time + 3 * period, period / 60, outputs="model.violation", progress=False)
    with pytest.raises(sm.SolveError, match="no longer in the motion that was trimmed"):
        sm.sensitivity(base, "wind_x")


def test_a_simulation_that_has_moved_on_is_refused():
    """Sensitivities of a trim or of modes are those of the state that was found."""
    sim = at_rest()
    found = sm.modes(sim, 3)
    sim.system.set_parameter("tip_mass", 5.0)
    with pytest.raises(sm.SolveError, match="parameters of model 'cantilever' have changed since these modes"):
        sm.sensitivity(found, "EI")
