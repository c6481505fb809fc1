"""Higher-harmonic and individual blade control of the rigid Puma: how far the loads at four per turn fall."""

import functools

import numpy as np
import pytest

import samara as sm
from samara.models.articulated_rotors import puma, puma_vibration
from samara.realtime.controllers import ControllerError, SimulatedLink, run
from samara.realtime.controllers.ready import HigherHarmonic, IndividualBlade
from samara.realtime.controllers.ready.rotor_vibration import COUPLE, FORCE

TURN, STEPS = puma.TURN, 180
SIZES = np.array(([FORCE] * 3 + [COUPLE] * 3) * 2)


@functools.cache
def controlled(kind, turns=60, **settings):
    """The controller after so many turns in flight 123."""
    actuation = "swashplate" if kind is HigherHarmonic else "individual"
    link = SimulatedLink(
        puma_vibration.build(actuation=actuation), STEPS / TURN, turns * TURN, tolerance=1e-9, outputs=("balance.*",)
    )
    law = kind(**settings)
    summary = run(law, link, report=lambda line: None)
    assert summary.exceptions == summary.not_finite == 0
    return law


def test_the_balance_carries_the_rotor():
    """Over a turn of settled flight: its mean force is that of the air and of the weight, taken with the other sign."""
    model = puma_vibration.build()
    results = sm.transient(model, 12 * TURN, TURN / STEPS, tolerance=1e-9, outputs=("balance.*", "rotor.force"))
    mass = sum(e.mass for e in model.elements.values() if isinstance(e, sm.Body))
    lean = np.radians(puma.SHAFT_DEG)
    weight = 9.81 * mass * np.array([np.sin(lean), 0.0, -np.cos(lean)])
    carried = results["rotor.force"][-STEPS:].mean(axis=0) + weight
    held = results["balance.force"][-STEPS:].mean(axis=0)
    # what is not settled after 12 turns, and the air's force in axes of the disk that do not turn
    assert held == pytest.approx(-carried, abs=2e-3 * np.linalg.norm(carried))


@pytest.mark.parametrize(
    ("actuation", "name", "harmonic"), [("swashplate", "theta0_4", 4), ("individual", "pitch_2", 2)]
)
def test_the_blades_get_the_pitch_that_is_fed(actuation, name, harmonic):
    """Half a degree of cosine, at every blade's own azimuth.

    Flap and lag, which answer, move the horns too: a few percent.
    """
    model, amplitude = puma_vibration.build(actuation=actuation), np.radians(0.5)
    stepper = sm.Stepper(model, TURN / STEPS, tolerance=1e-9, outputs=("*.pitch.angle",), end=12 * TURN)

    def pitch(blade):
        results = stepper.results()
        angle = harmonic * (puma.SPEED * results.time[-STEPS:] + 2 * np.pi * (blade - 1) / 4)
        wave = results[f"blade_{blade}.pitch.angle"][-STEPS:]
        return 2.0 * np.array([np.mean(wave * np.cos(angle)), np.mean(wave * np.sin(angle))])

    stepper.advance(6 * STEPS)
    before = [pitch(blade) for blade in (1, 2)]
    for k in range(STEPS):
        stepper.feed(f"{name}_cos", 0.5 * amplitude * (1 - np.cos(np.pi * (k + 1) / STEPS)))
        stepper.advance()
    stepper.advance(5 * STEPS)
    for blade in (1, 2):
        assert pitch(blade) - before[blade - 1] == pytest.approx([amplitude, 0.0], abs=0.05 * amplitude)


@pytest.mark.parametrize(("kind", "least"), [(HigherHarmonic, 5.0), (IndividualBlade, 12.0)])
def test_loads_at_four_per_turn_fall_by_what_the_matrix_allows(kind, least):
    """In closed form what is left of z_0 is what no amplitude reaches: z_0 - T T^+ z_0. The rotor is linear that far.

    Twelve amplitudes of loads, six or eight of pitch: not all can vanish. With all harmonics of its own a blade does
    better than by the swashplate.
    """
    law = controlled(kind)
    z = np.array(law.history) / SIZES
    fall = -10.0 * np.log10(np.sum(z[-1] ** 2) / np.sum(z[0] ** 2))
    T = law.law.T / SIZES[:, None]
    left = z[0] - T @ (np.linalg.pinv(T) @ z[0])
    assert fall > least
    assert fall == pytest.approx(-10.0 * np.log10(np.sum(left**2) / np.sum(z[0] ** 2)), abs=1.0)
    upright = np.hypot(*z.reshape(len(z), 2, 6)[:, :, 2].T)
    assert -20.0 * np.log10(upright[-1] / upright[0]) > 20.0


def test_forces_alone_vanish():
    """Six amplitudes for six: by the weights."""
    law = controlled(HigherHarmonic, couple_weight=0.0, control_weight=1e-6)
    z = np.array(law.history).reshape(-1, 2, 6)[:, :, :3]
    sizes = np.sqrt(np.sum(z**2, axis=(1, 2)))
    assert 20.0 * np.log10(sizes[-1] / sizes[0]) < -20.0


def test_a_turn_must_be_a_whole_number_of_samples():
    """Else harmonics would mix; it says so and holds nothing."""
    link = SimulatedLink(puma_vibration.build(), 800.0, 0.01)
    told = []
    run(HigherHarmonic(), link, report=told.append)
    assert "a turn must be a whole number of samples" in told[0]
    with pytest.raises(ControllerError, match="no actuator 'pitch_2_cos'"):
        run(IndividualBlade(), SimulatedLink(puma_vibration.build(), 800.0, 0.01))
