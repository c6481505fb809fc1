"""Floquet's theory, shooting and rigid modes on small models, against integrals and closed forms."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import samara as sm
from samara.models.hinged_rotor import SPEED, hinged_rotor

GRAVITY, LENGTH, DAMPING = 9.81, 0.5, 0.3
TURN = 2.0 * np.pi / SPEED


def shaken(amplitude: float, frequency: float, upright: bool) -> sm.Model:
    """A point mass on a massless rod, hinged to a support that is shaken up and down."""
    model = sm.Model("Mathieu", gravity=(0, 0, -GRAVITY))
    heave = sm.Expression(lambda t: amplitude * np.cos(frequency * t))
    support = model.prescribed("support", sm.Motion(position=(0, 0, heave)))
    bob = model.node("bob", (0, 0, LENGTH if upright else -LENGTH))
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
    with pytest.raises(sm.SolveError, match=r"floquet: the motion of model 'Mathieu' is not periodic"):
        sm.floquet(found)
    with pytest.raises(sm.ArgumentError, match="floquet: give what periodic"):
        sm.floquet(model)


# ---- free bodies
def test_rigid_modes_are_told_apart():
    """Two bodies on a beam in space: six motions of the whole, twice zero, and six of the beam."""
    model = sm.Model("barbell")
    a, b = model.node("a"), model.node("b", (1.0, 0, 0))
    model.add("left", sm.Body(a, mass=1.0, inertia=(0.1, 0.2, 0.2)))
    model.add("right", sm.Body(b, mass=2.0, inertia=(0.3, 0.2, 0.2)))
    model.add("beam", sm.Beam2(a, b, section=sm.Section([1e7, 1e7, 1e7, 1e3, 2e3, 3e3])))
    found = sm.modes(model)
    assert found.about == "rest at the start, where it is free to move"
    assert found.rigid.sum() == 12
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
