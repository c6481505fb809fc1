"""Galileo's principle: nothing that is measured depends on the speed at which a model flies."""

import numpy as np
import pytest

import samara as sm

SPIN = 27.0  # rad/s
STEP = 2 * np.pi / SPIN / 90


def body(velocity, spin, com=(0.0, 0.0, 0.0)) -> sm.Model:
    model = sm.Model("free")
    node = model.node("body", velocity=velocity, angular_velocity=spin)
    model.add("mass", sm.Body(node, mass=2.0, inertia=(0.1, 0.2, 0.25), com=com))
    return model


@pytest.mark.parametrize("turn", [0.07, 0.33])  # rad per step
@pytest.mark.parametrize("com", [(0.0, 0.0, 0.0), (0.1, 0.03, 0.02)])
def test_a_spinning_body_flies_straight(turn, com):
    """The centre of mass goes on at its velocity, to rounding over 1e4 steps (1e-12 of itself asked for)."""
    h = 1e-3
    spin = np.array([0.0, 0.0, turn / h])
    com = np.array(com) if turn < 0.1 else np.array([com[0], com[1], 0.0])  # in the plane: a steady rotation
    run = sm.transient(body((70.0, -3.0, 4.0), spin, com), 10.0, h, progress=False)
    p = run["mass.momentum"]
    assert np.abs(p - p[0]).max() < 1e-12 * np.linalg.norm(p[0])
    if not com.any():
        assert run["body.position"][-1] == pytest.approx(10.0 * np.array([70.0, -3.0, 4.0]), rel=1e-12)


def craft(velocity, step=STEP, tilt=0.0) -> sm.Results:
    """A fuselage with four hinged blades on a free shaft, without forces; `tilt` [rad/s]: the fuselage rolls."""
    model = sm.Model("craft")

    def node(name, position, rotation, spin):
        moving = {"velocity": velocity + np.cross(spin, position), "angular_velocity": spin}
        return model.node(name, position, rotation, **moving)

    velocity = np.asarray(velocity, float)
    roll, spin = np.array([tilt, 0.0, 0.0]), np.array([tilt, 0.0, SPIN])
    fuselage = node("fuselage", np.zeros(3), np.eye(3), roll)
    model.add("fuselage.body", sm.Body(fuselage, mass=3000.0, inertia=(3e3, 9e3, 8e3), com=(0.0, 0.0, -1.0)))
    hub = node("hub", np.zeros(3), np.eye(3), spin)
    model.add("hub.body", sm.Body(hub, mass=200.0, inertia=(30.0, 30.0, 60.0)))
    model.add("mast", sm.Revolute(fuselage, hub, axis=(0.0, 0.0, 1.0)))
    for k in range(4):
        angle = 0.5 * np.pi * k
        out, along = np.array([np.cos(angle), np.sin(angle), 0.0]), np.array([-np.sin(angle), np.cos(angle), 0.0])
        blade = node(f"blade{k}", 4.0 * out, np.stack([out, along, [0.0, 0.0, 1.0]], axis=1), spin)
        model.add(f"blade{k}.body", sm.Body(blade, mass=80.0, inertia=(1.0, 400.0, 400.0)))
        model.add(f"hinge{k}", sm.Revolute(hub, blade, at=0.3 * out, axis=along))
    return sm.transient(model, 0.5, step, progress=False)


@pytest.fixture(scope="module")
def at_rest():
    return craft((0.0, 0.0, 0.0), tilt=0.3)


def test_a_mast_without_forces_feels_none():
    """Blades that turn with their hub at 60 m/s: no force but what Newton leaves, where centrifugal ones are 233 kN."""
    run = craft((60.0, 0.0, 0.0))
    # Newton's tolerance, 1e-10 of the 110 m/s of the tips, times a blade's mass over the step, is 0.3 N
    assert np.abs(run["mast.force"]).max() < 0.3
    assert run.attrs.counters["jacobians"] < 5


@pytest.mark.parametrize("velocity", [(60.0, 0.0, 0.0), (0.0, -30.0, 50.0), (500.0, 0.0, 0.0)])
def test_a_craft_in_flight_is_the_craft_at_rest(velocity, at_rest):
    """A fuselage that rolls while its rotor turns: loads, attitudes and the momentum's drift as at rest."""
    run = craft(velocity, tilt=0.3)
    size = np.abs(at_rest["mast.force"]).max()
    assert size > 100.0  # the case is not empty
    # positions, of up to 250 m, are known to 1e-16 of themselves, forces to that over h^2 times the masses
    assert np.abs(run["mast.force"] - at_rest["mast.force"]).max() < 1e-5 * size
    assert run["fuselage.rotation"] == pytest.approx(at_rest["fuselage.rotation"], abs=1e-9)
    relative = run["fuselage.velocity"] - np.asarray(velocity)
    assert relative == pytest.approx(at_rest["fuselage.velocity"], abs=1e-9 * 100.0)


def test_momentum_drifts_with_the_square_of_the_step():
    drifts = []
    for step in (STEP, 0.5 * STEP):
        run = craft((60.0, 0.0, 0.0), tilt=0.3, step=step)
        p = sum(run[name] for name in run.channels.names if name.endswith("body.momentum"))
        drifts.append(np.abs(p - p[0]).max())
    assert drifts[0] < 1e-3 * 3520.0 * 60.0
    assert drifts[0] / drifts[1] > 3.5  # second order: 4


def test_a_turn_is_of_second_order():
    """A spinning body in a coordinated turn: a force of constant size that turns at 0.5 rad/s, 40 m/s; closed form."""
    rate, speed, end = 0.5, 40.0, 2.0

    def error(h):
        model = body((speed, 0.0, 0.0), (0.0, 0.0, SPIN))
        push = tuple(2.0 * speed * rate * c for c in (-1.0, 1.0))
        force = (lambda t: push[0] * np.sin(rate * t), lambda t: push[1] * np.cos(rate * t), 0.0)
        model.add("turn", sm.Force(model["body"], force=force))
        run = sm.transient(model, end, h, progress=False)
        expected = speed / rate * np.array([np.sin(rate * end), 1.0 - np.cos(rate * end), 0.0])
        return np.linalg.norm(run["body.position"][-1] - expected)

    errors = [error(end / n) for n in (400, 800, 1600)]
    assert errors[0] < 0.3  # m of 77: a force that turns by 0.135 rad per step, seen from the body
    assert np.log2(np.array(errors[:-1]) / errors[1:]) == pytest.approx([2.0, 2.0], abs=0.1)


def rails(speed: float, follow: str = "") -> sm.Results:
    """A rotor with two masses on a cart on rails, without friction."""
    model = sm.Model("rails")
    cart = model.node("cart", velocity=(speed, 0.0, 0.0))
    model.add("cart.body", sm.Body(cart, mass=10.0, inertia=(1.0, 1.0, 1.0)))
    model.add("rail", sm.Prismatic(model.ground, cart, axis=(1.0, 0.0, 0.0)))
    rotor = model.node("rotor", (0, 0, 1.0), velocity=(speed, 0.0, 0.0), angular_velocity=(0.0, 0.0, SPIN))
    model.add("rotor.body", sm.Body(rotor, mass=5.0, inertia=(1.0, 2.0, 2.5)))
    model.add("bearing", sm.Revolute(cart, rotor, at=(0.0, 0.0, 1.0), axis=(0.0, 0.0, 1.0)))
    if follow:
        model.follow(model.nodes[follow])
    return sm.transient(model, 2.0, STEP, progress=False)


@pytest.mark.parametrize("follow", ["", "cart", "rotor"])
def test_a_rotor_on_rails_goes_on_at_its_speed(follow):
    run = rails(40.0, follow)
    # what Newton's tolerance leaves, 1e-10 of the speeds, does not add up
    assert run["rotor.velocity"][:, 0] == pytest.approx(np.full(len(run), 40.0), rel=1e-10)
    assert np.abs(run["bearing.force"]).max() < 1e-6


def test_what_is_tied_to_a_prescribed_node_goes_along_with_it():
    """Blades on a hub that is told to fly at 60 m/s and to turn: the loads of the hub that stands."""

    def loads(speed):
        model = sm.Model("told")
        motion = sm.Motion(position=(lambda t: speed * t, 0.0, 0.0), rotation=(0.0, 0.0, lambda t: SPIN * t))
        hub = model.prescribed("hub", motion)
        for k, out in enumerate(([1.0, 0.0, 0.0], [-1.0, 0.0, 0.0])):
            place, along = 3.0 * np.array(out), np.array([0.0, out[0], 0.0])
            spin = np.array([0.0, 0.0, SPIN])
            blade = model.node(
                f"blade{k}", place, velocity=np.array([speed, 0, 0]) + np.cross(spin, place), angular_velocity=spin
            )
            model.add(f"body{k}", sm.Body(blade, mass=80.0, inertia=(1.0, 300.0, 300.0)))
            model.add(f"hinge{k}", sm.Revolute(hub, blade, at=0.1 * place, axis=along))
        return sm.transient(model, 0.5, STEP, progress=False)["hinge0.force"]

    still, flying = loads(0.0), loads(60.0)
    assert np.abs(flying - still).max() < 1e-8 * np.abs(still).max()


def test_linearised_and_continued_in_mid_flight():
    """An analysis in the middle of a flight sees velocities against the world, and leaves the flight as it was."""
    sim = sm.Simulation(body((70.0, 0.0, 0.0), (0.0, 0.0, SPIN)))
    sm.transient(sim, 0.1, STEP, progress=False)
    twist = sim.state.twist(sim.system.layout.free[0])
    assert np.linalg.norm(twist[:3]) == pytest.approx(70.0, rel=1e-12)
    from samara.analysis.linearisation.linear import linearise

    state = sim.state.copy()
    assert linearise(sim).eta[0] == pytest.approx(twist, abs=1e-12)
    assert np.array_equal(sim.system.arrays.state, state)


def test_a_flight_split_in_two_is_the_same_flight(tmp_path):
    model = lambda: body((70.0, 0.0, 0.0), (0.0, 3.0, SPIN), com=(0.1, 0.0, 0.05))  # noqa: E731
    whole = sm.transient(model(), 0.4, 2e-3, progress=False)
    sm.transient(model(), 0.2, 2e-3, progress=False, checkpoint=tmp_path / "half.npz")
    rest = sm.transient(model(), 0.4, 2e-3, progress=False, resume=tmp_path / "half.npz")
    assert np.array_equal(rest["body.position"][-1], whole["body.position"][-1])
