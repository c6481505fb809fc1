"""Trees in minimal coordinates: conservation with the order of the method, the same motion as the other formulation.

One description of a model, two formulations that share no equation of motion: each checks the other.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from samara import (
    BDF2,
    Body,
    CrankNicolson,
    Cylindrical,
    Diverged,
    DormandPrince,
    Input,
    LinearLaw,
    Model,
    Parameter,
    Placement,
    PrescribedAngle,
    PrescribedRate,
    Revolute,
    RigidTree,
    RotaryActuator,
    RungeKutta4,
    SemiImplicitEuler,
    Simulation,
    Sine,
    Spherical,
    Stepper,
    Torsion,
    TotalJoint,
    TwoStep,
    Universal,
    transient,
)
from samara.models import find
from samara.models.mechanisms.chain import build as chain
from samara.rotations import exp_so3

QUIET = {"progress": False}


def floating(gravity=(0.0, 0.0, 0.0), velocity=(0.0, 0.0, 0.0), turned=None) -> Model:
    """A body that floats, with two arms: a universal joint with a ball on it, and a sleeve. It tumbles."""
    R = np.eye(3) if turned is None else turned
    model = Model("floating", gravity=R @ np.array(gravity))
    frame = Placement((0.0, 0.0, 0.0), R)

    def node(name, at, w=(0.0, 0.0, 0.0)):
        place = frame @ Placement(at)
        v = R @ np.array(velocity) if np.any(w) else np.zeros(3)  # others go along with what they hang on
        return model.node(name, place.position, rotation=place.rotation, velocity=v, angular_velocity=R @ np.array(w))

    hull = node("hull", (0.0, 0.0, 0.0), (0.3, -0.2, 0.9))
    model.add("hull.mass", Body(hull, mass=5.0, inertia=(0.2, 0.3, 0.4), com=(0.02, -0.01, 0.03)))
    arm = node("arm", (0.3, 0.0, 0.0))
    model.add("arm.mass", Body(arm, mass=1.0, inertia=(0.01, 0.03, 0.03), com=(0.2, 0.0, 0.0)))
    start = {"angle_a_rate": 1.5, "angle_b_rate": -0.8}
    model.add("shoulder", Universal(hull, arm, place_a=(0.3, 0.0, 0.0), start=start))
    bob = node("bob", (0.7, 0.0, 0.0))
    model.add("bob.mass", Body(bob, mass=0.5, inertia=(0.004, 0.006, 0.008), com=(0.0, 0.1, 0.0)))
    spin = {"angular_velocity": (1.0, 2.0, -3.0)}
    model.add("ball", Spherical(arm, bob, place_a=(0.4, 0.0, 0.0), start=spin))
    sleeve = node("sleeve", (0.0, -0.3, 0.0))
    model.add("sleeve.mass", Body(sleeve, mass=0.7, inertia=(0.01, 0.02, 0.01), com=(0.05, 0.0, 0.0)))
    slide = {"angle_rate": 2.0, "displacement_rate": 0.1}
    model.add("guide", Cylindrical(hull, sleeve, place_a=(0.0, -0.3, 0.0), start=slide))
    return model


def bodies(model: Model) -> list[Body]:
    return [e for e in model.elements.values() if isinstance(e, Body)]


def momenta(model: Model, results) -> np.ndarray:
    """Linear momentum, and moment of momentum about the origin, of all bodies, at every sample, shape (n, 6)."""
    total = np.zeros((len(results.time), 6))
    for body in bodies(model):
        name = body.n.name
        R = results[f"{name}.rotation"].reshape(-1, 3, 3)
        p, v = results[f"{name}.position"], results[f"{name}.velocity"]
        w = results[f"{name}.angular_velocity"]
        com = p + R @ np.asarray(body.com, float)
        u = v + np.cross(w, com - p)
        J = R @ np.asarray(body.inertia, float) @ R.swapaxes(1, 2)
        total[:, :3] += body.mass * u
        total[:, 3:] += np.cross(com, body.mass * u) + (J @ w[..., None])[..., 0]
    return total


def energy(results) -> np.ndarray:
    return results["model.kinetic"] + results["model.potential"]


# ---- conservation
@pytest.mark.parametrize(
    ("integrator", "step", "order"),
    [(RungeKutta4(), 0.02, 4), (DormandPrince(), 0.04, 5)],
    ids=["rk4", "dormand-prince"],
)
def test_energy_drifts_with_the_order_of_the_method(integrator, step, order):
    """At least with it: what is left of the energy after halving the step is 2^-order of it, or less."""
    drifts = []
    for k in range(3):
        run = transient(
            floating((0.5, 0.2, -9.0)), 2.0, step / 2**k, integrator=integrator, formulation="recursive", **QUIET
        )
        drifts.append(np.abs(energy(run) - energy(run)[0]).max())
    for coarse, fine in pairwise(drifts):
        assert coarse / fine > 0.8 * 2**order
    assert drifts[-1] < 1e-6 * run["model.kinetic"].max()


def test_the_semi_implicit_rule():
    """Of first order; where the mass matrix is constant, as of a pendulum, its error of energy stays what it is."""
    worst = {}
    for end, step in ((5.0, 1e-3), (40.0, 1e-3), (5.0, 5e-4)):
        options = {"integrator": SemiImplicitEuler(), "formulation": "recursive", "outputs": "model.*"}
        run = transient(chain(links=1), end, step, **options, **QUIET)
        worst[end, step] = np.abs(energy(run) - energy(run)[0]).max()
    assert worst[40.0, 1e-3] < 1.05 * worst[5.0, 1e-3]
    assert worst[5.0, 1e-3] / worst[5.0, 5e-4] == pytest.approx(2.0, rel=0.1)


def test_momentum_of_a_free_tree():
    """Linear momentum and moment of momentum are kept with the order of the method."""
    model = floating(velocity=(3.0, -1.0, 2.0))
    drifts = []
    for step in (0.02, 0.01):
        run = transient(model, 2.0, step, formulation="recursive", **QUIET)
        found = momenta(model, run)
        drifts.append(np.abs(found - found[0]).max(axis=0))
    assert (drifts[1] < 1e-6 * np.abs(found[0]).max()).all()
    assert (drifts[0] / drifts[1] > 0.8 * 2**4).all()


def test_power_of_every_body():
    """What joints and weight do to a body is the rate of its kinetic energy."""
    links, h = 3, 1e-4
    run = transient(chain(links=links), 0.4, h, formulation="recursive", **QUIET)
    gravity = np.array([0.0, 2.5, -9.5])
    for k in range(links):
        name = f"link_{k}"
        R = run[f"{name}.rotation"].reshape(-1, 3, 3)
        v, w = run[f"{name}.velocity"], run[f"{name}.angular_velocity"]
        axes = _joint_axes(k)
        force = (R @ axes @ run[f"hinge_{k}.force"][..., None])[..., 0]
        couple = (R @ axes @ run[f"hinge_{k}.couple"][..., None])[..., 0]
        power = np.sum(force * v + couple * w, axis=1)
        com = np.cross(w, R @ np.array([0.05, 0.0, 0.0])) + v
        power += com @ (0.1 * gravity)
        if k + 1 < links:  # the next link pulls back at the outer end
            outer = run[f"link_{k + 1}.rotation"].reshape(-1, 3, 3) @ _joint_axes(k + 1)
            force = (outer @ run[f"hinge_{k + 1}.force"][..., None])[..., 0]
            couple = (outer @ run[f"hinge_{k + 1}.couple"][..., None])[..., 0]
            power -= np.sum(force * run[f"link_{k + 1}.velocity"] + couple * w, axis=1)
        kinetic = run[f"box_{k}.kinetic"]
        rate = (8 * (kinetic[3:-1] - kinetic[1:-3]) - (kinetic[4:] - kinetic[:-4])) / (12 * h)
        np.testing.assert_allclose(power[2:-2], rate, atol=1e-7 * max(1.0, np.abs(rate).max()))


def _joint_axes(k: int) -> np.ndarray:
    """Axes of hinge k of the chain in its link."""
    return chain(links=k + 1).elements[f"hinge_{k}"].place_b.rotation


def test_a_steady_rotation_is_exact_and_attitude_does_not_drift():
    """A symmetric body spins about its axis for 1000 turns at 16 steps a turn; the quaternion keeps its length."""
    model = Model("spinner")
    node = model.node("n", velocity=(10.0, 0.0, 0.0), angular_velocity=(0.0, 0.0, 2.0 * np.pi))
    model.add("m", Body(node, mass=1.0, inertia=(0.5, 0.5, 0.8)))
    run = transient(model, 1000.0, 1.0 / 16.0, formulation="recursive", every=1000, **QUIET)
    R = run["n.rotation"].reshape(-1, 3, 3)
    np.testing.assert_allclose(R @ R.swapaxes(1, 2), np.broadcast_to(np.eye(3), R.shape), atol=1e-13)
    angle = np.arctan2(R[:, 1, 0], R[:, 0, 0]) - 2.0 * np.pi * run.time
    np.testing.assert_allclose(np.sin(0.5 * angle), 0.0, atol=1e-10)
    np.testing.assert_allclose(run["n.position"][:, 0], 10.0 * run.time, rtol=1e-13)


# ---- the skew-symmetric matrix
@pytest.mark.parametrize("model", [floating((0, 0, -9.8)), chain(links=6)], ids=["floating", "chain"])
def test_mass_matrix_rate_less_twice_coriolis_is_skew(model):
    """H_dot from local Jacobians of the bodies and their rates, and by differences along the motion."""
    tree = RigidTree(model)
    rng, n = np.random.default_rng(4), tree.tree.speeds
    q, s = tree.integrate(tree.rest()[0], rng.normal(size=n)), rng.normal(size=n)
    H, C = tree.mass_matrix(q), tree.coriolis(q, s)
    summed, rate = np.zeros((n, n)), np.zeros((n, n))
    for body in bodies(model):
        M = body.mass_matrix()
        J, J_dot = tree.jacobian(body.n, q, s)
        summed += J.T @ M @ J
        rate += J_dot.T @ M @ J + J.T @ M @ J_dot
    np.testing.assert_allclose(H, summed, atol=1e-13 * np.abs(H).max())
    skew = rate - 2.0 * C
    np.testing.assert_allclose(skew, -skew.T, atol=1e-12 * np.abs(H).max())
    h = 1e-5
    ahead, behind = (tree.mass_matrix(tree.integrate(q, sign * h * s)) for sign in (1.0, -1.0))
    np.testing.assert_allclose((ahead - behind) / (2.0 * h), rate, atol=1e-7 * np.abs(rate).max())
    free = RigidTree(floating() if "hull" in model.nodes else chain(links=6, gravity_y=0.0, gravity_z=0.0))
    np.testing.assert_allclose(C @ s, free.bias(q, s), atol=1e-12 * np.abs(C).max())


# ---- both formulations
def converges(build, end: float, steps: tuple[float, ...], channels: tuple[str, ...], fine: float, **options) -> None:
    """The redundant formulation comes to the recursive one with the square of its step."""
    exact = transient(build(), end, fine, formulation="recursive", **options, **QUIET)
    for channel in channels:
        errors = []
        for step in steps:
            run = transient(build(), end, step, integrator=TwoStep(0.8), **options, **QUIET)
            errors.append(np.abs(run[channel][-1] - exact[channel][-1]).max())
        orders = np.diff(np.log(errors)) / np.diff(np.log(steps))
        assert orders == pytest.approx(2.0, abs=0.25), channel


def test_pendulum_chain_in_both_formulations():
    converges(
        lambda: chain(links=4), 0.5, (2e-3, 1e-3, 5e-4), ("link_3.position", "hinge_3.angle", "hinge_0.force"), 1e-4
    )


def test_floating_tree_in_both_formulations():
    converges(
        lambda: floating((0.5, 0.2, -9.0)),
        0.6,
        (4e-3, 2e-3, 1e-3),
        ("bob.position", "hull.rotation", "ball.force"),
        1e-4,
    )


def test_rotor_in_both_formulations():
    """Hammond's rotor in ground resonance: a hub on springs, blades with lag hinges and dampers, a steady rotation."""
    channels = ("carriage.slide.displacement", "blade_1.body.momentum")
    converges(lambda: find("hammond").make(), 0.3, (2e-3, 1e-3, 5e-4), channels, 1e-4)


def test_rotor_in_air_in_both_formulations():
    """Flapping and lagging blades in air on a body that rolls and pitches."""
    channels = ("blade_1.body.momentum",)
    converges(lambda: find("air-resonance").make(), 0.2, (2e-3, 1e-3, 5e-4), channels, 1e-4)


def crane(angle=None, rate=None, along=lambda t: 0.3 * t * t) -> Model:
    """A turning post, driven or not, that carries a trolley which is driven along its arm, with a pendulum on it."""
    model = Model("crane", gravity=(0.0, 0.0, -9.81))
    post, trolley, load = (
        model.node(name, at) for name, at in (("post", (0, 0, 0)), ("trolley", (1, 0, 0)), ("load", (1, 0, -1)))
    )
    model.add("post.mass", Body(post, mass=20.0, inertia=(2.0, 2.0, 3.0)))
    model.add("slew", Revolute(model.ground, post, at=(0, 0, 0), axis=(0, 0, 1), axis_x=(0.6, 0.8, 0.0), start={}))
    frames = {"at": (0, 0, 0.5), "axis": (0, 0, 1)}
    if angle is not None:
        model.add("motor", PrescribedAngle(model.ground, post, angle=angle, **frames))
    if rate is not None:
        model.add("motor", PrescribedRate(post, model.ground, rate=rate, **frames))
    model.add("trolley.mass", Body(trolley, mass=3.0, inertia=(0.1, 0.1, 0.1)))
    drive = (along, 0.0, 0.0)
    model.add("track", TotalJoint(post, trolley, place_a=(1.0, 0.0, 0.0), position=drive, start={}))
    model.add("load.mass", Body(load, mass=5.0, inertia=(0.05, 0.05, 0.05)))
    model.add("hook", Universal(trolley, load, place_b=(0.0, 0.0, 1.0), start={"angle_a": 0.3, "angle_b": -0.2}))
    model.add("swing", Torsion(trolley, load, place_b=(0.0, 0.0, 1.0), law=LinearLaw(1.0, 0.4)))
    return model


@pytest.mark.parametrize(
    "settings",
    [{}, {"angle": lambda t: 0.4 + 0.8 * np.sin(2.0 * t)}, {"rate": lambda t: -1.0 - t}, {"rate": 2.0}],
    ids=["free", "angle prescribed", "rate prescribed", "constant rate"],
)
def test_prescribed_joints_in_both_formulations(settings):
    """Driven freedoms, their reactions and the power that drives put in; offset and opposed frames of the motor."""
    driven = any(map(callable, settings.values()))  # a constant rate needs next to no couple
    channels = ("load.position", "track.force", *(("motor.couple", "motor.power") if driven else ()))
    converges(lambda: crane(**settings), 0.5, (4e-3, 2e-3, 1e-3), channels, 1e-4)


@pytest.mark.parametrize("name", ["four-bar", "andrews"])
def test_loops_closed_by_cut_joints(name):
    """The constraints of the cut joints hold to rounding; motion and reactions are those of the redundant way."""
    cut = {"four-bar": ("closure_B",), "andrews": ("closure_K3", "closure_K4", "closure_K6")}[name]
    end, fine, steps = {"four-bar": (0.4, 2e-4, (2e-3, 1e-3)), "andrews": (0.02, 5e-6, (4e-5, 2e-5))}[name]
    sim = Simulation(find(name).make(), formulation="recursive", cut=cut)
    exact = transient(sim, end, fine, **QUIET)
    assert exact["model.violation"].max() < 1e-13
    for channel in (f"{cut[0]}.force", next(c for c in exact.channels.names if c.endswith(".angle_rate"))):
        errors = [
            np.abs(
                transient(find(name).make(), end, h, integrator=TwoStep(0.8), **QUIET)[channel][-1] - exact[channel][-1]
            ).max()
            for h in steps
        ]
        assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.3), channel


# ---- invariances
def test_flight_at_constant_velocity_is_rest():
    """To rounding, at any step: the same tumbling, seen from a carrier that moves along."""
    still, moving = (
        transient(floating(velocity=v), 1.0, 0.02, formulation="recursive", **QUIET)
        for v in ((0, 0, 0), (80.0, -30.0, 5.0))
    )
    moved = still["bob.position"] + still.time[:, None] * np.array([80.0, -30.0, 5.0])
    np.testing.assert_allclose(moving["bob.position"], moved, atol=1e-12)
    np.testing.assert_allclose(moving["ball.rotation"], still["ball.rotation"], atol=1e-12)
    np.testing.assert_allclose(moving["ball.force"], still["ball.force"], atol=1e-10)


def test_a_model_that_is_turned_as_a_whole_moves_alike():
    R = exp_so3((0.7, -1.1, 0.4))
    plain, turned = (
        transient(floating((0, 0, -9.8), turned=T), 0.5, 0.01, formulation="recursive", **QUIET) for T in (None, R)
    )
    np.testing.assert_allclose(turned["bob.position"], plain["bob.position"] @ R.T, atol=1e-12)
    np.testing.assert_allclose(turned["shoulder.angle_a"], plain["shoulder.angle_a"], atol=1e-12)


def test_the_base_of_a_floating_tree_does_not_matter():
    """Described from another of its bodies it has other coordinates, and the same motion."""
    at = []
    for base in ("hull", "bob"):
        tree = RigidTree(floating((0, 0, -9.8)), base=base)
        q, s = tree.start()
        rates = tree.forward_dynamics(q, s)
        J, J_dot = tree.jacobian("sleeve", q, s)
        at.append(J @ rates + J_dot @ s)
    np.testing.assert_allclose(at[0], at[1], atol=1e-11)


# ---- runs
def pushed() -> Model:
    """A pendulum with a tuned damper and a torque from outside."""
    model = Model("pushed", gravity=(0, 0, -9.81))
    arm = model.node("arm")
    model.add("arm.mass", Body(arm, mass=1.0, inertia=(0.01, 0.02, 0.02), com=(0.5, 0.0, 0.0)))
    model.add("hinge", Revolute(model.ground, arm, axis=(0, 1, 0)))
    model.add("damper", Torsion(model.ground, arm, axis=(0, 1, 0), law=LinearLaw(0.0, Parameter("damping", 0.1))))
    model.add("motor", RotaryActuator(model.ground, arm, axis=(0, 1, 0), torque=Input("torque")))
    return model


def test_inputs_and_parameters_act_from_the_step_on_that_follows():
    steppers = [Stepper(pushed(), 1e-3, formulation=f) for f in ("recursive", None)]
    for k in range(400):
        for stepper in steppers:
            stepper.feed("torque", 3.0 * np.sin(0.02 * k))
            if k == 200:
                stepper.sim.system.set_parameter("damping", 2.0)
            stepper.advance()
    tree, redundant = (s.results()["hinge.angle"] for s in steppers)
    np.testing.assert_allclose(tree, redundant, atol=1e-5)  # the error of the two-step formula
    assert np.abs(tree).max() > 0.5


@pytest.mark.parametrize("integrator", [RungeKutta4(), TwoStep(0.6)], ids=lambda i: i.name)
def test_a_run_in_two_parts_is_the_run(tmp_path, integrator):
    """Bit by bit, with the matrix of an implicit formula as it was."""
    options = {"integrator": integrator, "formulation": "recursive", **QUIET}
    whole = transient(floating(), 0.4, 0.01, **options)
    transient(floating(), 0.2, 0.01, checkpoint=tmp_path / "half", **options)
    second = transient(floating(), 0.4, 0.01, resume=tmp_path / "half", **options)
    np.testing.assert_array_equal(second["bob.position"][-1], whole["bob.position"][-1])


def test_the_step_follows_an_accuracy():
    """Local errors below it, so the error at the end is of its size, and falls with it."""
    exact = transient(floating((0, 0, -9.8)), 1.0, 1e-3, formulation="recursive", **QUIET)["bob.position"][-1]
    errors, steps = [], []
    for accuracy in (1e-5, 1e-7, 1e-9):
        run = transient(floating((0, 0, -9.8)), 1.0, accuracy=accuracy, formulation="recursive", **QUIET)
        errors.append(np.abs(run["bob.position"][-1] - exact).max())
        steps.append(len(run.time))
    assert errors[0] < 1e-3 and errors[1] < 1e-5 and errors[2] < 1e-7
    assert steps == sorted(steps)


def test_dense_output_between_steps_that_follow_an_accuracy():
    """Records a step apart; the error between the steps is of the size of that at them."""
    exact = transient(floating((0, 0, -9.8)), 1.0, 1e-3, formulation="recursive", **QUIET)
    run = transient(floating((0, 0, -9.8)), 1.0, 0.01, accuracy=1e-8, formulation="recursive", **QUIET)
    np.testing.assert_allclose(run.time, 0.01 * np.arange(101), atol=1e-12)
    for channel, tolerance in (("bob.position", 1e-6), ("ball.rotation", 1e-5), ("ball.force", 1e-3)):
        np.testing.assert_allclose(run[channel], exact[channel][::10], atol=tolerance)
    assert run.attrs.counters["steps"] < 100  # steps are longer than the records are apart


@pytest.mark.parametrize("integrator", [TwoStep(0.6), BDF2(), CrankNicolson()], ids=lambda i: i.name)
def test_implicit_formulas_are_of_second_order(integrator):
    def build():
        return floating((0.5, 0.2, -9.0))

    exact = transient(build(), 0.6, 1e-4, formulation="recursive", **QUIET)
    for channel in ("bob.position", "hull.rotation", "ball.force"):
        errors = [
            np.abs(
                transient(build(), 0.6, h, integrator=integrator, formulation="recursive", **QUIET)[channel][-1] - last
            ).max()
            for last in (exact[channel][-1],)
            for h in (4e-3, 2e-3, 1e-3)
        ]
        np.testing.assert_allclose(np.log2(errors[:-1]) - np.log2(errors[1:]), 2.0, atol=0.1)


def test_an_implicit_formula_takes_steps_that_are_too_long_for_explicit_ones():
    """A stiff spring and damper, of 1 kHz: rest is found by BDF2 at 5 ms, where that of Runge and Kutta diverges."""

    def build():
        model = pushed()
        model.add("stop", Torsion(model.ground, model["arm"], axis=(0, 1, 0), law=LinearLaw(1e7, 1e3)))
        return model

    run = transient(build(), 1.0, 5e-3, integrator=BDF2(), formulation="recursive", **QUIET)
    assert run["hinge.angle"][-1] == pytest.approx(0.5 * 9.81 / 1e7, rel=1e-6)
    with pytest.raises(Diverged):
        transient(build(), 1.0, 5e-3, formulation="recursive", **QUIET)


def test_derivatives_by_inputs():
    tree = RigidTree(pushed())
    q, s = tree.start()
    found = tree.derivatives(q, s).inputs["torque"]
    np.testing.assert_allclose(found, np.linalg.inv(tree.mass_matrix(q))[0], rtol=1e-9)


def driven_chain() -> Model:
    """Multipliers of a hinge and of what prescribes its angle are not side by side."""
    model = chain(links=6)
    hinge = model.elements["hinge_0"]
    frames = {"place_a": hinge.place_a, "place_b": hinge.place_b}
    model.add("motor", PrescribedAngle(hinge.a, hinge.b, angle=Sine(0.4, 3.0), **frames))
    return model


@pytest.mark.parametrize(
    "build",
    [
        lambda: chain(links=6),
        driven_chain,
        lambda: floating((0.0, 0.2, -9.8), (5.0, 0.0, 0.0)),
        lambda: crane(Sine(0.8, 2.0), along=Sine(0.3, 3.0)),
    ],
    ids=["chain", "driven chain", "floating", "driven"],
)
def test_kinds_of_segments_give_what_the_whole_gives(build, monkeypatch):
    """All channels, reactions and loads included, to rounding: a long tree is the same physics by other kernels."""
    whole = transient(build(), 0.2, 1e-3, formulation="recursive", **QUIET)
    monkeypatch.setattr("samara.recursive.native.compiled.LONG", 0)
    sim = Simulation(build(), formulation="recursive")
    assert sim.tree is not None and sim.tree.long is not None
    kinds = transient(sim, 0.2, 1e-3, **QUIET)
    for name in whole.channels.names:
        np.testing.assert_allclose(kinds[name], whole[name], atol=1e-11 * max(1.0, np.abs(whole[name]).max()))


def test_a_joint_whose_constraints_repeat_each_other_is_named(monkeypatch):
    """Each of them holds as much as one likes: no number is right, and none is given."""
    monkeypatch.setattr("samara.recursive.native.compiled.LONG", 0)
    sim = Simulation(chain(links=6), formulation="recursive")
    held = sim.machine.tree.long.held
    first = held.shape[1] - 6 * 6  # six places for each multiplier
    held[3, first + 6 : first + 12] = held[3, first : first + 6]
    with pytest.raises(Diverged, match=r"constraints of 'hinge_3' between 'link_2' and 'link_3' repeat each other"):
        transient(sim, 0.02, 1e-3, **QUIET)


def test_a_chain_of_a_thousand_links():
    """Compiled in no time, and energy is kept."""
    run = transient(chain(links=1000), 5e-3, 1e-4, formulation="recursive", outputs="model.*", **QUIET)
    assert np.ptp(energy(run)) < 1e-9 * run["model.kinetic"].max()
