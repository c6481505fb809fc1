"""Floquet's theory, shooting and rigid modes on small models, against integrals and closed forms."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import samara as sm
from samara.models.rotors.hinged_rotor import SPEED, hinged_rotor

GRAVITY, LENGTH, DAMPING = 9.81, 0.5, 0.3
TURN = 2.0 * np.pi / SPEED


def shaken(amplitude: float, frequency: float, upright: bool, tilt: float = 0.0) -> sm.Model:
    """A point mass on a massless rod, hinged to a support that is shaken up and down."""
    model = sm.Model("Mathieu", gravity=(0, 0, -GRAVITY))
    heave = sm.Expression(lambda t: amplitude * np.cos(frequency * t))
    support = model.prescribed("support", sm.Motion(position=(0, 0, heave)))
    turned = sm.rotations.rotation_y(tilt)
    bob = model.node("bob", turned @ (0, 0, LENGTH if upright else -LENGTH), turned)
    model.add("mass", sm.Body(bob, mass=1.0, inertia=(1e-9, 1e-9, 1e-9)))
    model.add("hinge", sm.Revolute(support, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    law = sm.LinearLaw(0.0, damping=DAMPING * LENGTH**2)
    model.add("damper", sm.Torsion(support, bob, at=(0, 0, 0), axis=(0, 1, 0), law=law))
    return model


def multipliers(amplitude: float, frequency: float, upright: bool) -> np.ndarray:
    """Of phi'' + c phi' +- (g - a w^2 cos(w t)) / l phi = 0."""
    sign = -1.0 if upright else 1.0

    def rate(t, flat):
        pull = sign * (GRAVITY - amplitude * frequency**2 * np.cos(frequency * t)) / LENGTH
        return (np.array([[0.0, 1.0], [-pull, -DAMPING]]) @ flat.reshape(2, 2)).ravel()

    end = solve_ivp(rate, (0, 2 * np.pi / frequency), np.eye(2).ravel(), rtol=1e-11, atol=1e-12).y[:, -1]
    return np.linalg.eigvals(end.reshape(2, 2))


@pytest.mark.parametrize(
    ("amplitude", "frequency", "upright", "stable"),
    [
        (0.01, 2.0 * np.sqrt(GRAVITY / LENGTH), False, True),  # too little to excite it by its parameter
        (0.08, 2.0 * np.sqrt(GRAVITY / LENGTH), False, False),
        (0.05, 40.0, True, False),  # Kapitza's pendulum: too slow
        (0.05, 100.0, True, True),  # and fast enough to stand on its head
    ],
)
def test_a_shaken_pendulum(amplitude, frequency, upright, stable):
    """Growth of a motion that repeats itself after two periods, and one that nothing but shaking holds up."""
    period = 2 * np.pi / frequency
    found = sm.floquet(shaken(amplitude, frequency, upright), period, period / 400, without_step=True)
    expected = np.log(np.abs(multipliers(amplitude, frequency, upright))) / period
    assert found.stable == stable == bool((expected < 0).all())
    paired = np.abs(found.multipliers.imag) > 1e-9
    both = np.concatenate([found.eigenvalues.real, found.eigenvalues[paired].real])
    assert np.sort(both) == pytest.approx(np.sort(expected), abs=1e-3 * np.abs(expected).max())


def test_half_the_frequency_of_shaking():
    """The pendulum that grows swings once in two periods: its multipliers are negative."""
    w = 2.0 * np.sqrt(GRAVITY / LENGTH)
    found = sm.floquet(shaken(0.08, w, False), 2 * np.pi / w, 2 * np.pi / w / 200)
    assert found.multipliers[0].real < -1.0
    assert abs(found.multipliers[0].imag) < 1e-6


# ---- rotors
def forward_flight(**settings) -> sm.Model:
    return hinged_rotor(wind=(18.0, 0.0, -2.0), inflow=sm.PittPeters(), **settings)


def exponents(model: sm.Model, **options) -> np.ndarray:
    found = sm.periodic(model, TURN, TURN / 60, tolerance=1e-9, periods=200, outputs="model.violation")
    return np.sort_complex(sm.floquet(found, **options).eigenvalues.round(9))


@pytest.fixture(scope="module")
def flying() -> np.ndarray:
    return exponents(forward_flight())


@pytest.mark.parametrize(
    "settings",
    [{"azimuth": 0.8}, {"speed": -SPEED}, {"start": 5.0}],
    ids=["begun at another azimuth", "turning the other way", "begun with other inflow"],
)
def test_exponents_do_not_depend_on(settings, flying):
    """Rounding, and where the motion was begun; the disk's axes turn with the azimuth, the wind does not."""
    assert exponents(forward_flight(**settings)) == pytest.approx(flying, abs=1e-4 * SPEED)


def test_a_whole_turn_gives_the_same(flying):
    """Without exchange of blades: real parts; the mode that alternates may be seen a half turn apart."""
    whole = exponents(forward_flight(), exchange=False)
    assert np.sort(whole.real) == pytest.approx(np.sort(flying.real), abs=3e-4 * SPEED)


def test_shooting_and_marching_find_the_same_motion():
    runs = {
        method: sm.periodic(
            forward_flight(), TURN, TURN / 60, tolerance=1e-8, periods=100, method=method, outputs="blade_1.flap.angle"
        )
        for method in ("marching", "shooting")
    }
    assert all(run.settled for run in runs.values())
    assert runs["shooting"].periods < runs["marching"].periods
    flap = [run.results["blade_1.flap.angle"] for run in runs.values()]
    shift = round(runs["marching"].results.time[0] / (TURN / 60)) - round(
        runs["shooting"].results.time[0] / (TURN / 60)
    )
    assert np.roll(flap[0], shift % 60) == pytest.approx(flap[1], abs=1e-8)


def test_an_unstable_motion_is_found_by_shooting():
    """Marching falls off it; the pendulum on its head is a periodic motion all the same."""
    model, period = shaken(0.05, 40.0, True), 2 * np.pi / 40.0
    sim = sm.Simulation(model)
    bob = model.nodes["bob"]
    pose = sim.state.pose(bob)
    tilt = sm.rotations.rotation_y(1e-3)
    sim.state.place(bob, sm.rotations.Pose(tilt @ pose.R, tilt @ pose.p))
    found = sm.periodic(sim, period, period / 200, method="shooting", tolerance=1e-9, periods=10)
    assert found.settled
    assert not sm.floquet(found).stable


def test_a_motion_that_does_not_repeat_itself_is_refused():
    model, period = shaken(0.02, 9.0, False), 2 * np.pi / 9.0
    found = sm.periodic(model, 1.1 * period, period / 100 * 1.1, periods=3, method="marching")
    assert not found.settled
    with pytest.raises(sm.SolveError, match=r"the drives of model 'Mathieu' are not the same"):
        sm.floquet(found)
    with pytest.raises(sm.SolveError, match=r"floquet: the motion of model 'Mathieu' is not periodic"):
        sm.floquet(sm.periodic(shaken(0.02, 9.0, False, tilt=0.3), period, period / 100, periods=3, method="marching"))
    with pytest.raises(sm.ArgumentError, match="floquet: give the result of periodic"):
        sm.floquet(model)


# ---- free bodies
def test_rigid_modes_are_told_apart():
    """Two bodies on a beam in space: six motions of the whole, and six of the beam."""
    model = sm.Model("barbell")
    a, b = model.node("a"), model.node("b", (1.0, 0, 0))
    model.add("left", sm.Body(a, mass=1.0, inertia=(0.1, 0.2, 0.2)))
    model.add("right", sm.Body(b, mass=2.0, inertia=(0.3, 0.2, 0.2)))
    model.add("beam", sm.Beam2(a, b, section=sm.Section([1e7, 1e7, 1e7, 1e3, 2e3, 3e3])))
    found = sm.modes(model)
    assert found.about == "rest at the start, where it is free to move"
    assert found.rigid.sum() == 6 and len(found) == 12
    assert (found.eigenvalues[found.rigid] == 0.0).all()
    assert all(name.startswith("rigid: ") for name, rigid in zip(found.names, found.rigid, strict=True) if rigid)
    stretch = np.sqrt(1e7 * (1.0 + 1.0 / 2.0))
    twist = np.sqrt(1e3 * (1.0 / 0.1 + 1.0 / 0.3))
    for expected in (stretch, twist):
        assert np.abs(found.frequencies - expected).min() < 1e-6 * expected


def test_a_pendulum_that_starts_across_hangs():
    """Modes are those about the equilibrium, wherever the model begins."""
    model = sm.Model("pendulum", gravity=(0, 0, -GRAVITY))
    bob = model.node("bob", (LENGTH, 0, 0))
    model.add("mass", sm.Body(bob, mass=1.0, inertia=(1e-9, 1e-9, 1e-9)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    assert sm.modes(model).frequencies == pytest.approx([np.sqrt(GRAVITY / LENGTH)], rel=1e-8)
    with pytest.raises(sm.NotConstant, match="does not stay at rest: node 'bob' is out of balance"):
        sm.modes(sm.Simulation(model))


def hanging_pair(load: float) -> sm.Model:
    """Two pendulums side by side, one under a load that pulses at twice its frequency."""
    model = sm.Model("pair", gravity=(0, 0, -GRAVITY))
    for k, (name, pulse) in enumerate((("a", load), ("b", 0.0))):
        bob = model.node(name, (0, k, -1))
        model.add(f"{name}.mass", sm.Body(bob, mass=1.0, inertia=(1e-9, 1e-9, 1e-9)))
        about = {"at": (0, k, 0), "axis": (0, 1, 0)}
        model.add(f"{name}.hinge", sm.Revolute(model.ground, bob, **about))
        model.add(f"{name}.damper", sm.Torsion(model.ground, bob, law=sm.DamperLaw(0.02), **about))
        model.add(f"{name}.load", sm.Force(bob, force=(0, 0, sm.Sine(pulse, frequency=2 * np.sqrt(GRAVITY)))))
    return model


def test_motions_that_change_sides_every_period_are_not_lost():
    """Real negative multipliers beside others, whatever rounding makes of their angle."""
    period = np.pi / np.sqrt(GRAVITY)

    def rate(t, flat):
        pull = GRAVITY - 3.0 * np.sin(2 * np.sqrt(GRAVITY) * t)
        return (np.array([[0.0, 1.0], [-pull, -0.02]]) @ flat.reshape(2, 2)).ravel()

    end = solve_ivp(rate, (0, period), np.eye(2).ravel(), rtol=1e-11, atol=1e-12).y[:, -1].reshape(2, 2)
    expected = np.sort(np.linalg.eigvals(end).real)
    assert expected[0] < -1.0
    for steps in (100, 101, 150, 240):
        found = sm.floquet(hanging_pair(3.0), period, period / steps)
        assert len(found) == 3
        assert not found.stable
        real = np.sort(found.multipliers[found.multipliers.imag == 0.0].real)
        assert real == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("times", [0.37, 0.5, 1.1])
def test_a_wrong_period_of_what_rests_is_refused(times):
    """The pendulum hangs at rest whatever the load does; only the drive tells the period."""
    period = times * np.pi / np.sqrt(GRAVITY)
    with pytest.raises(sm.SolveError, match=r"drives of model 'pair' are not the same"):
        sm.floquet(hanging_pair(3.0), period, period / 100)


def test_a_disturbance_follows_its_multiplier_on_a_moving_support():
    period = 2 * np.pi / 8.6
    found = sm.floquet(shaken(0.1, 8.6, False), period, period / 120)
    sim = found.disturb(0, 1e-6)
    start = sm.transient(sim, sim.time + period, period / 120, outputs="hinge.angle", progress=False)
    again = sm.transient(sim, sim.time + period, period / 120, outputs="hinge.angle", progress=False)
    ratio = again["hinge.angle"] / start["hinge.angle"]
    assert ratio[5:-5] == pytest.approx(found.multipliers[0].real, rel=2e-3)
    with pytest.raises(sm.SolveError, match="has advanced"):
        found.disturb(0, 1e-6)


@pytest.mark.parametrize("law", ["friction", "stop"])
def test_forces_that_jump_are_refused(law):
    """Dry friction that turns round within a step; a stop whose damper pulls at the first touch."""
    model = sm.Model("jumps")
    node = model.node("n")
    model.add("body", sm.Body(node, mass=1.0, inertia=(1, 1, 1)))
    model.add("rail", sm.Prismatic(model.ground, node, axis=(1, 0, 0)))
    model.add("spring", sm.Axial(model.ground, node, axis=(1, 0, 0), law=sm.LinearLaw(30.0, 0.5)))
    model.add("push", sm.Force(node, force=(sm.Sine(3.0, frequency=3.0), 0, 0)))
    period = 2 * np.pi / 3.0
    smooth = sm.floquet(sm.periodic(model, period, period / 200))
    assert smooth.eigenvalues[0].real == pytest.approx(-0.25, abs=1e-3)
    laws = {
        "friction": lambda: sm.FrictionLaw(0.2, transition=1e-4),
        "stop": lambda: sm.StopLaw(sm.LinearLaw(500.0, 5.0), lower=-1.0, upper=0.05),
    }
    model.add("law", sm.Axial(model.ground, node, axis=(1, 0, 0), law=laws[law]()))
    motion = sm.periodic(model, period, period / 200, periods=100)
    with pytest.raises(sm.NotSmooth, match="the force of 'law' on node 'n' jumps"):
        sm.floquet(motion)


def test_what_dies_within_the_period_leaves_nothing():
    model = sm.Model("over", gravity=(0, 0, -GRAVITY))
    bob = model.node("bob", (0, 0, -1))
    model.add("mass", sm.Body(bob, mass=1.0, inertia=(1e-9, 1e-9, 1e-9)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    model.add("damper", sm.Torsion(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0), law=sm.LinearLaw(900.0, 60.0)))
    found = sm.floquet(model, 1.0, 0.005)
    assert len(found) == 0
    assert found.stable


def test_what_grows_beyond_numbers_is_told():
    model = sm.Model("inverted", gravity=(0, 0, -GRAVITY))
    bob = model.node("bob", (0, 0, 1))
    model.add("mass", sm.Body(bob, mass=1.0, inertia=(1e-9, 1e-9, 1e-9)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    assert sm.floquet(model, 1.0, 0.005).eigenvalues[0].real == pytest.approx(np.sqrt(GRAVITY), rel=1e-3)
    with pytest.raises(sm.SolveError, match=r"grows by .* within 10 s.*take a shorter period"):
        sm.floquet(model, 10.0, 0.05)


def test_poles_that_die_out_within_the_period_are_told():
    """A disc on a spring, driven by a motor at alternating voltage: linear, so that exponents are those of modes."""

    def driven(inductance: float) -> sm.Model:
        model = sm.Model("motor")
        disc = model.node("disc")
        model.add("body", sm.Body(disc, mass=1.0, inertia=(0.1, 0.1, 0.02)))
        model.add("hinge", sm.Revolute(model.ground, disc, at=(0, 0, 0), axis=(0, 0, 1)))
        spring = sm.Torsion(model.ground, disc, at=(0, 0, 0), axis=(0, 0, 1), law=sm.LinearLaw(8.0, damping=0.02))
        model.add("spring", spring)
        voltage = sm.Sine(5.0, frequency=30.0)
        circuit = {"constant": 0.05, "resistance": 2.0, "inductance": inductance, "voltage": voltage}
        model.add("motor", sm.DCMotor(model.ground, disc, at=(0, 0, 0), axis=(0, 0, 1), **circuit))
        return model

    period = 2.0 * np.pi / 30.0
    for inductance, left_out in ((0.05, 0), (0.002, 1)):
        found = sm.floquet(driven(inductance), period, period / 200, without_step=True)
        J, c, k, K, R, L = 0.02, 0.02, 8.0, 0.05, 2.0, inductance
        roots = np.roots([J * L, J * R + c * L, c * R + k * L + K**2, k * R])
        kept = roots[(roots.imag >= 0.0) & (roots.real * period > np.log(1e-6))]
        assert found.left_out == left_out == 3 - 2 * (roots.imag > 0.0).sum() - (kept.imag == 0.0).sum()
        assert np.sort_complex(found.eigenvalues) == pytest.approx(np.sort_complex(kept), rel=1e-3)
        assert ("1 exponent faster than 66 1/s is left out" in str(found)) == bool(left_out)
