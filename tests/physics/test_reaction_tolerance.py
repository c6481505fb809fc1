"""Reactions converge like the motion: to a tolerance of their own, of the largest of them."""

import numpy as np
import pytest
from scipy.sparse.linalg import spsolve

import samara as sm
from samara import AeroBody, Air, Momentum, Placement, Rotor, Stations, ThinAerofoil
from samara.benchmarks.advance import advance
from samara.models import READY
from samara.rotations import rotation_z
from samara.solve.redundant.reactions import REACTION_TOLERANCE
from samara.solve.start.start import start

G, SPIN, BLADES = 9.81, 35.0, 3
#: What corrections to come add up to is told by those seen: to some times that.
ESTIMATE = 4.0
#: Rounding of positions moves reactions, of the largest of them.
ROUNDING = 2e-9
HUBS = ((0.0, 0.0, 2.0, 1), (0.3, 0.2, 2.8, -1))


def rotors(*, mass: float = 0.0, inflow: bool = True, hubs=HUBS) -> sm.Model:
    """Rotors of stiff blades in forward flight on a clamped frame, driven steadily; mass: of frame and hubs [kg]."""
    model = sm.Model("rotors", gravity=(0, 0, -G))
    frame = model.node("frame", static=mass == 0.0)
    if mass:
        model.add("frame.body", sm.Body(frame, mass=mass, inertia=(mass, mass, mass)))
    model.add("clamp", sm.Clamp(model.ground, frame, at=(0, 0, 0)))
    air = Air(wind=(40.0, 3.0, 1.0))
    for i, (x, y, z, sense) in enumerate(hubs):
        at, speed = (x, y, z), sense * SPIN
        hub = model.node(f"hub_{i}", at, angular_velocity=(0, 0, speed), static=mass == 0.0)
        if mass:
            model.add(f"hub_{i}.body", sm.Body(hub, mass=mass, inertia=(mass, mass, 2.0 * mass)))
        model.add(f"bearing_{i}", sm.Revolute(frame, hub, at=at, axis=(0, 0, 1)))
        model.add(
            f"motor_{i}",
            sm.PrescribedAngle(
                frame, hub, at=at, axis=(0, 0, 1), angle=sm.Expression(lambda t, speed=speed: speed * t)
            ),
        )
        where = {"air": air}
        if inflow:
            rotor = Rotor(
                frame, hub, disk=Placement(at), radius=4.0, speed=speed, air=air, inflow=Momentum(), solidity=0.08,
                start=5.0, blades=[f"blade_{i}_{k}" for k in range(BLADES)],
            )  # fmt: skip
            where = {"rotor": model.add(f"rotor_{i}", rotor)}
        for k in range(BLADES):
            turned = rotation_z(sense * 2.0 * np.pi * k / BLADES) @ np.diag([1.0, sense, sense])
            stations = Stations.gauss(0.5, 4.0, 4, 0.3, sense * 0.14)
            blade = AeroBody(
                hub, place=Placement((0, 0, 0), turned), stations=stations, aerofoil=ThinAerofoil(), **where
            )
            model.add(f"blade_{i}_{k}", blade)
    return model


def loads(run, hubs=HUBS) -> tuple[np.ndarray, np.ndarray]:
    """Force and moment of the air about the clamp, world axes."""
    force = moment = 0.0
    for i, hub in enumerate(hubs):
        R = run[f"hub_{i}.rotation"].reshape(-1, 3, 3)
        for k in range(BLADES):
            f, m = (np.einsum("tij,tj->ti", R, run[f"blade_{i}_{k}.{name}"]) for name in ("force", "moment"))
            force, moment = force + f, moment + m + np.cross(hub[:3], f)
    return force, moment


@pytest.mark.parametrize(
    ("mass", "options"), [(0.0, {}), (100.0, {}), (100.0, {"partition": 2})], ids=["massless", "heavy", "parts"]
)
@pytest.mark.parametrize("inflow", [True, False], ids=["inflow", "plain"])
@pytest.mark.parametrize("steps", [36, 180])
def test_the_clamp_of_rotors_holds_their_loads(steps, inflow, mass, options):
    """Hubs turn steadily about their centres, so that the clamp holds the loads of the air and the weights alone.

    All motion is prescribed: Newton's method is at its end at once but for the reactions.
    """
    for tolerance in (1e-6, 1e-8, 1e-10):
        model, step = rotors(mass=mass, inflow=inflow), 2.0 * np.pi / SPIN / steps
        sim = sm.Simulation(model, tolerance=tolerance, **options)
        run = sm.transient(sim, 36 * step, step, progress=False)
        force, moment = loads(run)
        force = force - np.array([0.0, 0.0, 3.0 * mass * G])
        moment = moment + np.cross(sum(np.array(hub[:3]) for hub in HUBS), [0.0, 0.0, -mass * G])
        largest = np.abs(force).max()
        allowed = (ESTIMATE * REACTION_TOLERANCE * tolerance + ROUNDING) * largest
        np.testing.assert_allclose(run["clamp.force"], -force, rtol=0.0, atol=allowed)
        np.testing.assert_allclose(run["clamp.couple"], -moment, rtol=0.0, atol=allowed * 4.0)  # length of the rotors


def left(sim: sm.Simulation) -> float:
    """By how much reactions would still move in a whole iteration of Newton's method, of the largest of them."""
    count, first = sim.machine.layout.multiplier_count, sim.system.layout.coordinates
    J = sim.system.pattern.matrix(sim.matrix_values())
    x = spsolve(J.tocsc(), sim.state.residual())[first:]
    weights = sim.machine.reactions.weights[:count]
    largest = np.abs(sim.state.multipliers * weights).max(initial=0.0)
    return float(np.abs(x * weights).max(initial=0.0) / max(largest, 1e-300))


def worst_of(sim: sm.Simulation, step: float, steps: int) -> float:
    """The most that was left after any step."""
    found = 0.0
    for _ in range(steps):
        advance(sim, step, 1)
        found = max(found, left(sim))
    return found


def wheel() -> sm.Model:
    """A heavy wheel out of balance, driven on the ground."""
    model = sm.Model("wheel", gravity=(0, 0, -G))
    n = model.node("n", angular_velocity=(0, 0, 60.0))
    model.add("body", sm.Body(n, mass=20.0, com=(0.1, 0.0, 0.05), inertia=(1.0, 2.0, 3.0)))
    model.add("bearing", sm.Revolute(model.ground, n, at=(0, 0, 0), axis=(0, 0, 1)))
    model.add("motor", sm.PrescribedAngle(model.ground, n, at=(0, 0, 0), axis=(0, 0, 1), angle=lambda t: 60.0 * t))
    return model


def moved() -> sm.Model:
    """A pendulum on a base that moves as told."""
    model = sm.Model("moved", gravity=(0, 0, -G))
    base = model.prescribed("base", sm.Motion(position=(sm.Sine(0.2, 30.0), 0, 0)))
    bob = model.node("bob", (0, 0, -1.0), velocity=(6.0, 0, 0))
    model.add("body", sm.Body(bob, mass=3.0, inertia=(0.1, 0.1, 0.1)))
    model.add("ball", sm.Spherical(base, bob, at=(0, 0, 0)))
    return model


CASES = {"wheel": wheel, "moved": moved, "rotors": rotors, "four-bar": READY["four-bar"].make}


@pytest.mark.parametrize("integrator", [sm.TwoStep(0.6), sm.BDF2(), sm.CrankNicolson()], ids=lambda x: x.name)
@pytest.mark.parametrize("case", CASES)
def test_errors_of_reactions_fall_with_the_tolerance(case, integrator):
    step = 2.0 * np.pi / SPIN / 36 if case == "rotors" else 2e-3
    for tolerance in (1e-4, 1e-6, 1e-8, 1e-10, 1e-12):
        sim = sm.Simulation(CASES[case](), integrator, tolerance=tolerance, stabilise=False)
        start(sim, step)
        assert worst_of(sim, step, 40) < ESTIMATE * REACTION_TOLERANCE * tolerance + ROUNDING


#: Contacts close in the one, whose forces are no multipliers; the other rests without loads, which are rounding then.
WITHOUT_REACTIONS = ("puma-sailing", "hydraulic-beam")
SUITED = [
    name
    for name, entry in READY.items()
    if entry.analysis == "transient" and entry.method.formulation == "redundant" and name not in WITHOUT_REACTIONS
]


@pytest.mark.parametrize("name", SUITED)
def test_reactions_of_ready_models(name):
    """Every one against the sum of loads and inertia at all its nodes, to the tolerance asked for."""
    entry, tolerance = READY[name], 1e-8
    sim = sm.Simulation(entry.make(), method=entry.method, tolerance=tolerance)
    start(sim, entry.timeline.step)
    assert worst_of(sim, entry.timeline.step, 12) < ESTIMATE * REACTION_TOLERANCE * tolerance


@pytest.mark.parametrize("tolerance", [1e-6, 1e-8, 1e-10])
def test_reactions_of_an_implicit_tree(tolerance):
    """The bearing of a double pendulum holds what gravity and inertia of both bodies ask for."""
    model = sm.Model("pendulum", gravity=(0, 0, -G))
    last, masses = model.ground, (2.0, 1.0)
    for k, mass in enumerate(masses):
        n = model.node(f"n_{k}", (k + 1.0, 0, 0))
        model.add(f"body_{k}", sm.Body(n, mass=mass, inertia=(0.1, 0.1, 0.1)))
        model.add(f"hinge_{k}", sm.Revolute(last, n, at=(k, 0, 0), axis=(0, 1, 0)))
        last = n
    run = sm.transient(
        model, 0.5, 5e-3, formulation="recursive", integrator=sm.TwoStep(0.6), tolerance=tolerance, progress=False
    )
    force = sum(m * (run[f"n_{k}.acceleration"] - np.array([0.0, 0.0, -G])) for k, m in enumerate(masses))
    reaction = run["hinge_0.force"]
    sizes = np.linalg.norm(reaction, axis=1) - np.linalg.norm(force, axis=1)  # whatever axes the joint has
    assert np.abs(sizes).max() < REACTION_TOLERANCE * tolerance * np.abs(force).max()


def test_forces_of_a_lock_are_held_too():
    """A lock's reaction is the rate of a state: a wheel that is driven round below it is held with its whole torque."""
    model = sm.Model("lock", gravity=(0, 0, -G))
    frame = model.node("frame", angular_velocity=(0, 0, 40.0))
    arm = model.node("arm", (1, 0, 0), velocity=(0, 40.0, 0), angular_velocity=(0, 0, 40.0))
    model.add("frame.body", sm.Body(frame, mass=5.0, inertia=(1, 1, 1)))
    model.add("arm.body", sm.Body(arm, mass=2.0, inertia=(0.3, 0.3, 0.3)))
    model.add("bearing", sm.Revolute(model.ground, frame, at=(0, 0, 0), axis=(0, 0, 1)))
    model.add("motor", sm.PrescribedAngle(model.ground, frame, at=(0, 0, 0), axis=(0, 0, 1), angle=lambda t: 40.0 * t))
    model.add("hinge", sm.Revolute(frame, arm, at=(0.5, 0, 0), axis=(0, 1, 0)))
    model.add("lock", sm.Lock(frame, arm, at=(0.5, 0, 0), axis=(0, 1, 0), engaged=1.0))
    for tolerance in (1e-6, 1e-10):
        sim = sm.Simulation(model, tolerance=tolerance)
        start(sim, 2e-3)
        for _ in range(30):
            advance(sim, 2e-3, 1)
            J = sim.system.pattern.matrix(sim.matrix_values())
            x = spsolve(J.tocsc(), sim.state.residual())[sim.system.unknowns.dense[sim.machine.reactions.rows]]
            rates = sim.machine.state[sim.machine.reactions.places]
            assert np.abs(rates).max() > 1.0
            assert np.abs(x).max() < ESTIMATE * REACTION_TOLERANCE * tolerance * np.abs(sim.state.multipliers).max()
