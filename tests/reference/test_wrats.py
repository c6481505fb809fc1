"""WRATS-like rotor: no data to compare with; thirty seconds of hover against momentum theory, and the count."""

import numpy as np
import pytest

import samara as sm
from samara import Air
from samara.model import Cosine, ModelError, Parameter
from samara.models import find, wrats
from samara.solve import Simulation, TwoStep, transient
from samara.solve.native.codes import Counter
from samara.system import System


def test_equations_by_the_papers_rules_are_one_more_than_printed():
    """Counted from the elements; by hand: what the governor's law has for a derivative that it does not use is one.

    Wing 8 and its tip 12; hub 12 and bearing 5; plates 12 with their joints 9; four blades of 12 on cuffs of 6 with
    hinge 4 and bearing 5, their links elastic; the swashplate's six scalar nodes; three of the speed control.
    """
    counts = wrats.equations("rigid")
    assert counts["source"] == 8 + 12 + 12 + 5 + 12 + 9 + 4 * (12 + 6 + 4 + 5) + 6 + 3
    assert counts["paper"] == 174
    assert counts["source"] - counts["paper"] == 1
    assert counts["samara"] < 0.85 * counts["paper"]


def _hover(blades):
    sim = Simulation(System(wrats.build(blades=blades)), TwoStep(0.6), tolerance=wrats.TOLERANCE)
    outputs = ("rotor.*", "governor.*", "blade_*.spring.rotation")
    results = transient(sim, 30.0, 1.0 / wrats.RATE, outputs=outputs, every=30, progress=False)
    assert sim.counters[Counter.STEPS] == 18_000
    assert sim.counters[Counter.STALLED] == sim.counters[Counter.RETRIED] == 0
    return results


def _check(results):
    """Momentum theory is what the inflow model has, so thrust and induced velocity agree to what is left of transients.

    The air's torque is what the drive gives; all blades cone and lag alike.
    """
    thrust, induced = results["rotor.thrust"][-1], results["rotor.induced"][-1, 0]
    area = np.pi * wrats.BLADE.radius**2
    assert induced == pytest.approx(np.sqrt(thrust / (2 * Air.standard().density * area)), rel=2e-3)
    assert results["rotor.speed"][-1] == pytest.approx(875.0 * np.pi / 30, rel=1e-4)
    assert results["rotor.torque"][-1] == pytest.approx(results["governor.output.value"][-1], rel=1e-2)
    angles = np.array([results[f"blade_{k}.spring.rotation"][-1] for k in range(1, 5)])
    assert np.ptp(angles, axis=0).max() < np.deg2rad(0.02)
    assert angles[0, 1] < 0.0  # cones up: a turn about y lowers the tip
    assert angles[0, 2] < 0.0  # lags behind


def test_rigid_blades_hover_for_thirty_seconds():
    _check(_hover("rigid"))


@pytest.mark.slow
def test_elastic_blades_hover_for_thirty_seconds():
    _check(_hover("elastic"))


def _short(**settings):
    return transient(wrats.build(**settings), 1.0, 1.0 / wrats.RATE, tolerance=1e-8, progress=False)


def test_a_drive_of_the_collective_is_that_of_the_default():
    """Eight degrees along half a cosine of a second, told as a drive: the same run, but for rounding."""
    told, plain = _short(collective_deg=Cosine(8.0, 1.0)), _short()
    np.testing.assert_allclose(told["rotor.thrust"], plain["rotor.thrust"], rtol=0, atol=1e-6 * 400.0)


def test_cyclic_pitch_is_where_it_is_asked_for():
    """Without air, flap and gravity pitch is what the plate gives; lag is small. Bearing angles at the start."""
    run = transient(
        wrats.build(collective_deg=Cosine(0.0, 1.0), theta1c_deg=1.0, theta1s_deg=-2.0), 1e-3, 1e-3, progress=False
    )
    psi = 0.5 * np.pi * np.arange(4)
    wanted = np.radians(np.cos(psi) - 2.0 * np.sin(psi))
    angles = np.array([run[f"blade_{k}.pitch.angle"][0] for k in range(1, 5)])
    np.testing.assert_allclose(angles, wanted, rtol=0, atol=np.radians(0.02))


@pytest.mark.parametrize("delta3", [20.0, -20.0])
def test_delta_3_couples_flap_into_pitch(delta3):
    """Blades cone up: pitch falls by tan(delta3) of it, against the same machine without coupling.

    Both flap by their own pitch, so each is compared with its own flap: 4 mrad of it, whose squares are left out; the
    control system gives way by 0.1 degrees, to loads that differ by a percent.
    """
    runs = [_short(delta3_deg=d) for d in (delta3, 0.0)]
    pitch = [np.mean([r[f"blade_{k}.pitch.angle"][-60:] for k in range(1, 5)]) for r in runs]
    flap = -np.mean([runs[0][f"blade_{k}.spring.rotation"][-60:, 1] for k in range(1, 5)])
    assert flap > 1e-3
    assert pitch[0] - pitch[1] == pytest.approx(-np.tan(np.radians(delta3)) * flap, rel=0.1)


def test_options():
    """Each is there and does not stop the rotor: a wing that is held, stiffer parts, wind, a gust, another wake."""
    gust = sm.OneMinusCosine((0.0, 0.0, -2.0), 0.5, 0.2)
    model = find("wrats").make(
        wing=False, wind=Parameter("stream", 5.0, "m/s"), gust=gust, flap_hz=3.0, lag_hz=6.0, control_stiffness=5000.0,
        inflow="pitt-peters",
    )  # fmt: skip
    assert "pylon" not in model.nodes and "stream" in model.parameters
    run = transient(model, 0.5, 1.0 / wrats.RATE, progress=False)
    assert run["rotor.mu"][-1] == pytest.approx(5.0 / (91.63 * 1.161), rel=0.01)
    assert wrats.build(wing_stiffness=4.0).elements["wing"].reduction.frequencies == pytest.approx(
        2 * wrats.WING.reduction(4).frequencies
    )


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"blades": "soft"}, "blades must be one of rigid, elastic"),
        ({"flap_hz": -1.0}, "flap_hz must not be negative"),
        ({"lag_hz": -1.0}, "lag_hz must not be negative"),
        ({"inflow": "vortex"}, "wrats: inflow must be one of momentum"),
        ({"theta1s_deg": "much"}, "theta1s_deg must be a number"),
        ({"wind": "much"}, "wind must be a number"),
    ],
)
def test_bad_options_name_themselves(settings, message):
    with pytest.raises(ModelError, match=message):
        wrats.build(**settings)
