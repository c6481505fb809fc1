"""Whirl flutter of a rigid propeller against linear equations derived for it (VALIDATION, row 8).

The multibody starts from a pitch of 1e-3 degrees. Its scheme has an error of second order in the angle turned per step,
which extrapolation from two steps removes: what is left is below 1e-5.
"""

from dataclasses import replace

import numpy as np
import pytest
from pencil import exponents
from whirl_equations import Whirl

from samara import models
from samara.analysis import modes
from samara.model import ModelError
from samara.models.tiltrotors import propeller_pylon as model
from samara.solve import Simulation, TwoStep, assemble, transient

SPEED = 1020.0 * np.pi / 30
STEP, SAMPLE, END = 1e-3, 4e-3, 1.2


def equations(blades: int = 4, speed: float = SPEED, sense: int = 1, **other) -> Whirl:
    """With the quadrature that the model has along its blades."""
    p, along = model.PROPELLER, model.PROPELLER.along(1.0, 1.0)
    across = 0.5 * p.polar + p.mass * model.PIVOT**2 + model.PYLON_INERTIA
    found = Whirl(
        blades, across, p.polar, model.PIVOT, speed, model.STIFFNESS[::-1], model.DAMPING,
        p.chord, p.slope, model.AIR.density, tuple(along.x), tuple(along.length), sense,
    )  # fmt: skip
    return replace(found, **other)


def shaft(wind: float, step: float, **settings) -> np.ndarray:
    """Yaw and pitch of the pylon after a small kick, rows a sample apart."""
    ready = models.find("propeller-pylon")
    made = ready.make(wind=wind, kick_deg=1e-3, **settings)
    run = transient(made, END, step, integrator=TwoStep(1.0), every=round(SAMPLE / step), progress=False)
    return np.column_stack([run["pivot.angle_a"], run["pivot.angle_b"]])


def identified(wind: float, **settings) -> np.ndarray:
    """Four eigenvalues from transients with two steps."""
    coarse, fine = (exponents(shaft(wind, h, **settings), SAMPLE, 4) for h in (STEP, 0.5 * STEP))
    order = [np.lexsort((-found.imag, -np.round(found.real, 6))) for found in (coarse, fine)]
    return (4.0 * fine[order[1]] - coarse[order[0]]) / 3.0


def test_stations_are_as_good_as_integrals():
    """Six Gauss points."""
    integrals = equations(r=(model.PROPELLER.cutout, model.PROPELLER.radius), weight=())
    np.testing.assert_allclose(equations().integrals(120.0), integrals.integrals(120.0), rtol=1e-6)
    np.testing.assert_allclose(equations().boundary(20.0, 240.0), integrals.boundary(20.0, 240.0), rtol=1e-6)


@pytest.mark.parametrize("wind", [40.0, 129.0, 200.0])
def test_eigenvalues_are_those_of_the_equations(wind):
    """Both whirls, damped, neutral and growing: 1e-4 of each eigenvalue."""
    wanted = equations().eigenvalues(wind)
    np.testing.assert_allclose(identified(wind), wanted, atol=1e-4 * np.abs(wanted).min())


@pytest.mark.parametrize("settings", [{"speed_rpm": -1020.0}, {"blades": 3}, {"azimuth_deg": 77.0}])
def test_sense_blades_and_azimuth(settings):
    """The sense changes nothing but the direction of whirl; three blades have the same disc and less lift."""
    wanted = equations(blades=settings.get("blades", 4)).eigenvalues(150.0)
    np.testing.assert_allclose(identified(150.0, **settings), wanted, atol=1e-4 * np.abs(wanted).min())


def test_the_flutter_boundary():
    """Wind and frequency of neutral whirl to 0.1 %, from runs 3 m/s to either side: 129.0 m/s at 4.58 Hz."""
    wind, frequency = equations().boundary(20.0, 240.0)
    ends = np.array([wind - 3.0, wind + 3.0])
    found = np.array([identified(v)[0] for v in ends])
    assert found[0].real < 0.0 < found[1].real
    part = -found[0].real / np.diff(found.real)[0]
    assert ends[0] + part * np.diff(ends)[0] == pytest.approx(wind, rel=1e-3)
    assert abs(found[0].imag) + part * np.diff(np.abs(found.imag))[0] == pytest.approx(frequency, rel=1e-3)


@pytest.mark.parametrize("sense", [1, -1])
def test_the_hub_whirls_backward(sense):
    """Where whirl grows, the hub circles against the propeller."""
    yaw, pitch = shaft(200.0, STEP, speed_rpm=sense * 1020.0)[-60:].T
    x, y = pitch, -yaw  # of the hub, in the disk's axes
    assert sense * np.sum(x[:-1] * np.diff(y) - y[:-1] * np.diff(x)) < 0.0


def test_the_straight_propeller_has_no_lift():
    """Without a kick nothing moves, but in another wind than that of its twist it pulls or brakes."""
    ready = models.find("propeller-pylon")
    for wind, design, sign in ((120.0, 0.0, 0), (110.0, 120.0, 1), (130.0, 120.0, -1)):
        run = transient(ready.make(wind=wind, design_wind=design, kick_deg=0.0), 0.01, STEP, progress=False)
        thrust = run["blade_1.air.force"][-1, 2]
        assert np.sign(np.round(thrust, 3)) == sign
        np.testing.assert_allclose(run["pivot.angle_b"], 0.0, atol=1e-12)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"blades": 2}, "blades must be 3 or more, since two make no disc of equal inertias, got 2"),
        ({"speed_rpm": 0.0}, "speed_rpm must not be zero"),
    ],
)
def test_wrong_settings_are_named(settings, message):
    with pytest.raises(ModelError, match=message):
        models.find("propeller-pylon").make(**settings)


@pytest.mark.parametrize("blades", range(3, 8))
def test_modes_of_the_motion_itself(blades):
    """Of the equations as they stand at an instant, in axes that do not turn; 1e-8 but for the pitch of the blades."""
    for wind in (40.0, 200.0):
        sim = Simulation(models.find("propeller-pylon").make(wind=wind, kick_deg=0.0, blades=blades))
        assemble(sim)
        wanted = equations(blades=blades).eigenvalues(wind)
        np.testing.assert_allclose(modes(sim).eigenvalues, wanted[wanted.imag > 0.0], rtol=1e-8)
