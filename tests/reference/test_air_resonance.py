"""A hingeless rotor on a body that pitches and rolls: its balance in hover, and where lag damping is needed.

No number of a source is compared: the data are quoted from memory. In hover the equations are constant once blades are
seen by their cyclic parts in the fixed frame, so a pencil finds their exponents.
"""

import numpy as np
import pytest
from pencil import exponents

from samara import Air, models
from samara.model import ModelError
from samara.models.rotors.air_resonance import DATA
from samara.solve import transient

STEP = 1e-3


def hover(end: float, **settings):
    return transient(models.find("air-resonance").make(**settings), end, STEP, progress=False)


def cyclic(results, measure: str) -> np.ndarray:
    """Cosine and sine parts of what the blades do, in the fixed frame."""
    values = np.array([results[f"blade_{k + 1}.{measure}"] for k in range(DATA.blades)])
    psi = results["rotor.azimuth"] + 2 * np.pi * np.arange(DATA.blades)[:, None] / DATA.blades
    return 2.0 / DATA.blades * np.column_stack([(values * wave).sum(0) for wave in (np.cos(psi), np.sin(psi))])


def regressing_lag(**settings) -> complex:
    """Exponent of the slow cyclic lag mode, after other motions have gone [1/s]."""
    run = hover(5.0, kick_deg=0.1, **settings)
    rows = np.column_stack([run["gimbal.angle_a"], run["gimbal.angle_b"], cyclic(run, "hinge.angle_b")])
    moving = np.diff(rows[1500::10], axis=0)  # a steady part goes
    found = exponents(moving, 10 * STEP, 8, delays=6)
    return next(v for v in found if 10.0 < v.imag < 60.0)


def test_balance_in_hover():
    """Without a kick: momentum theory, flap by moments about the flexure, no load on the body but thrust and torque."""
    run = hover(3.0, kick_deg=0.0, lag_damping=0.02)
    thrust, induced = run["rotor.thrust"][-1], run["rotor.induced"][-1]
    area = np.pi * DATA.radius**2
    # the wake model adds 0.05 m/s to the flow, by squares, so that slopes exist: 1.4e-4
    assert induced[0] == pytest.approx(np.sqrt(thrust / (2 * Air.standard().density * area)), rel=2e-4)
    np.testing.assert_allclose(induced[1:], 0.0, atol=1e-6 * induced[0])
    for angle in ("gimbal.angle_a", "gimbal.angle_b"):
        assert abs(run[angle][-1]) < 1e-8
    flaps = [-run[f"blade_{k + 1}.hinge.angle_a"][-1] for k in range(DATA.blades)]
    np.testing.assert_allclose(flaps, flaps[0], rtol=1e-6)
    speed, moment = 720.0 * np.pi / 30, DATA.blade_mass * DATA.blade_centre
    stiffness = DATA.blade_inertia * ((2 * np.pi * DATA.flap_hz) ** 2 + speed**2) + DATA.hinge * moment * speed**2
    lift = -run["blade_1.air1.moment"][-1, 1] - 9.81 * moment
    assert flaps[0] == pytest.approx(lift / stiffness, rel=2e-3)  # small angles: flap is 2 degrees


def test_lag_damping_ends_air_resonance():
    """At 800 rpm, where regressing lag meets body roll: it grows without damping, less with the flexures', and decays.

    Rates fall with damping, and no faster than that of a blade alone, c / 2 I.
    """
    ratios = np.array([0.0, 0.0052, 0.03])
    found = [regressing_lag(speed_rpm=800.0, lag_damping=ratio) for ratio in ratios]
    rates = np.real(found)
    assert rates[0] > rates[1] > 0.3 and rates[2] < -0.1
    alone = ratios * 2 * np.pi * DATA.lag_hz
    assert np.all(np.diff(rates) > -1.05 * np.diff(alone))
    # rotor speed less lag frequency, blades alone: 27 rad/s
    moment, speed = DATA.blade_mass * DATA.blade_centre, 800.0 * np.pi / 30
    lag = np.sqrt((2 * np.pi * DATA.lag_hz) ** 2 + DATA.hinge * moment / DATA.blade_inertia * speed**2)
    np.testing.assert_allclose(np.imag(found), speed - lag, rtol=0.05)


@pytest.mark.parametrize(("speed_rpm", "grows"), [(650.0, False), (760.0, True), (950.0, False)])
def test_only_near_the_resonance(speed_rpm, grows):
    assert (regressing_lag(speed_rpm=speed_rpm).real > 0.0) == grows


def test_wrong_inflow_is_named():
    words = r"air-resonance: inflow must be one of momentum, annular, .* or an Inflow, got 'wake'"
    with pytest.raises(ModelError, match=words):
        models.find("air-resonance").make(inflow="wake")
