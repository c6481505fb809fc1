"""The ready model of the tiltrotor: its options, each by what it is known to do."""

import numpy as np
import pytest

import samara as sm
from samara.model import Cosine, ModelError, Parameter
from samara.models import find
from samara.models.tiltrotors import tiltrotor as machine
from samara.models.tiltrotors.semispan_wing import Wing
from samara.models.tiltrotors.tiltrotor import WING, build
from samara.solve import transient


def run(end, outputs="*", **settings):
    return transient(build(**settings), end, 1e-3, tolerance=1e-8, outputs=outputs, progress=False)


def test_what_is_added_to_the_collective_the_governor_takes_back():
    """In the same airstream the rotor needs the same pitch: the governor's answer falls by what is added.

    The loop's time is 1 / (13 rad/s): after 2.5 s nothing is left; the arc sine of the horn bends 2 degrees by 1e-3.
    """
    plain, added = (run(3.0, wing=False, collective_deg=value) for value in (0.0, Cosine(2.0, 0.5)))
    change = added["governor.output.value"][-1] - plain["governor.output.value"][-1]
    assert np.degrees(change) == pytest.approx(-2.0, abs=0.02)
    assert added["blade_1.pitch.angle"][-1] == pytest.approx(plain["blade_1.pitch.angle"][-1], abs=2e-4)
    assert np.abs(added["rotor.speed"] - plain["rotor.speed"]).max() > 0.5  # it was felt


def test_without_a_governor_pitch_stays_and_more_of_it_slows_the_rotor():
    results = run(1.0, wing=False, governed=False, collective_deg=Cosine(2.0, 0.5))
    pitch = np.degrees(results["blade_1.pitch.angle"])
    assert pitch[-1] - pitch[0] == pytest.approx(2.0, abs=0.5)  # the control system gives way to the air by some 0.4
    assert results["rotor.speed"][-1] < 0.99 * results["rotor.speed"][0]
    assert "governor" not in build(governed=False).elements


@pytest.mark.parametrize(
    "value", [1.0, Parameter("mine", 1.0, "deg"), Parameter("mine", np.radians(1.0), "rad"), sm.Constant(1.0)]
)
def test_cyclic_pitch_as_number_parameter_or_drive(value):
    """Bearing angles at the start: against their mean, a degree times the cosine of the azimuth from up."""
    model = build(theta1c_deg=value)
    run = transient(model, 1e-3, 1e-3, progress=False)
    angles = np.array([run[f"blade_{k}.pitch.angle"][0] for k in (1, 2, 3)])
    wanted = np.radians(np.cos(2 * np.pi * np.arange(3) / 3))
    np.testing.assert_allclose(angles - angles.mean(), wanted, rtol=0, atol=2e-4)
    assert ("mine" in model.parameters) == isinstance(value, Parameter)


def test_the_registry_takes_drives():
    model = find("tiltrotor").make(collective_deg=Cosine(1.0, 1.0), wind=sm.Constant(55.0), inflow="pitt-peters")
    assert isinstance(model.elements["rotor"].inflow, sm.PittPeters)
    assert model.elements["rotor"].air.wind[0](0.0) == 55.0


def test_a_gust_as_record():
    """A tailward gust of 5 m/s turns the rotor faster until the governor has more pitch."""
    gust = sm.OneMinusCosine((5.0, 0.0, 0.0), 1.0, 0.5)
    results, calm = (run(1.5, "rotor.speed", wing=False, gust=g) for g in (gust, 0.0))
    change = results["rotor.speed"] - calm["rotor.speed"]
    assert np.abs(change[:500]).max() < 1e-9
    assert change.max() > 0.2


@pytest.mark.parametrize("inflow", ["momentum", "pitt-peters", sm.Momentum("glauert")])
def test_a_wake_hardly_matters_to_a_wind_mill(inflow):
    """Thrust of -45 N in 50 m/s induces 0.05 m/s, 0.05 degrees of pitch: whatever the model."""
    found, other = (run(1.0, "governor.*", wing=False, inflow=m) for m in (inflow, "none"))
    change = found["governor.output.value"][-1] - other["governor.output.value"][-1]
    assert np.degrees(change) == pytest.approx(0.0, abs=0.1)


def test_ring_by_ring_a_wake_matters_more():
    """Torque of none is a sum: inner rings drive what outer ones brake, and each has its own wake.

    So pitch changes by more than under a uniform wake, but by less than the angle of the flow that turns it.
    """
    ring, mean = (run(1.0, "governor.*", wing=False, inflow=m, points=15) for m in ("annular", "momentum"))
    change = abs(np.degrees(ring["governor.output.value"][-1] - mean["governor.output.value"][-1]))
    assert 0.05 < change < 1.0


@pytest.mark.parametrize("delta3", [0.0, -15.0])
def test_the_other_way_round_is_the_mirror_image(delta3):
    """Mirrored at the plane y = 0 of the shaft and gravity; both runs round differently."""
    settings = {"wing": False, "theta1c_deg": 1.0, "theta1s_deg": -0.7, "delta3_deg": delta3}
    one, other = (run(0.3, clockwise=c, **settings) for c in (False, True))
    mirror = np.array([1.0, -1.0, 1.0])
    for k in (1, 2, 3):
        np.testing.assert_allclose(
            other[f"blade_{k}.root.position"], one[f"blade_{k}.root.position"] * mirror, rtol=0, atol=1e-8
        )
        angle = f"blade_{k}.pitch.angle"
        np.testing.assert_allclose(other[angle], one[angle], rtol=0, atol=1e-8)
    np.testing.assert_allclose(other["rotor.speed"], -one["rotor.speed"], rtol=1e-8)
    np.testing.assert_allclose(other["rotor.thrust"], one["rotor.thrust"], rtol=0, atol=1e-4)


def test_the_hub_spring_holds_the_disc():
    """What it gives is its stiffness times the tilt; with less of it the disc of the same cyclic pitch tilts more."""
    tilts = []
    for spring in (0.0, 4000.0):
        results = run(1.0, wing=False, theta1s_deg=2.0, hub_spring=spring)
        tilt, couple = results["hub.spring.rotation"][:, :2], results["hub.spring.couple"][:, :2]
        rate = np.gradient(tilt, results.time, axis=0)
        expected = spring * tilt + machine.HUB_DAMPING * rate
        np.testing.assert_allclose(
            np.abs(couple[5:-5]), np.abs(expected[5:-5]), rtol=0, atol=0.02 * np.abs(expected).max()
        )
        tilts.append(np.linalg.norm(tilt[-200:], axis=1).mean())
    assert tilts[1] < tilts[0]


def test_the_control_system_gives_way_to_the_propeller_moment():
    """J Omega^2 sin(theta) cos(theta) turns a flat blade to flat pitch; it gives way by that over its stiffness.

    Mean of the three blades, so that the tilt of the gimbal cancels. What is left, 3 % of it, may be the air's:
    cambered by its turning, a section has a moment about its quarter chord; that was not separated, and 6 % is held.
    Twice as stiff, half as much.
    """
    off = []
    for factor in (1.0, 2.0):
        results = run(2.0, wing=False, control_stiffness=factor * machine.CONTROL_STIFFNESS)
        command = results["governor.output.value"][-1] - machine.RIGGED
        pitch = np.mean([results[f"blade_{k}.pitch.angle"][-1] for k in (1, 2, 3)])
        off.append(pitch - machine.RIGGED - np.arcsin(command))
        feather = machine.BLADE.body()["inertia"][0]
        moment = -feather * machine.SPEED**2 * np.sin(pitch) * np.cos(pitch)
        assert off[-1] == pytest.approx(moment / (factor * machine.CONTROL_STIFFNESS), rel=0.06)
    assert off[1] / off[0] == pytest.approx(0.5, abs=0.02)


def test_a_stiffer_wing_swings_faster():
    np.testing.assert_allclose(WING.stiffer(4.0).reduction(4).frequencies, 2 * WING.reduction(4).frequencies, rtol=1e-9)
    for factor in (0.0, -1.0):
        with pytest.raises(ModelError, match="wing_stiffness must be positive"):
            WING.stiffer(factor)


def test_what_a_pylon_carries_adds_to_its_mass_matrix():
    """A body ahead, against the sum of both matrices at the tip. About its own axis it adds nothing: it turns."""
    wing = Wing(1.0, 1.0, 1.0, 1.0, 1.0, pylon_mass=50.0, pylon_inertia=(3.0, 1.0, 2.0), pylon_ahead=0.1, damping=0.0)
    alone = Wing(1.0, 1.0, 1.0, 1.0, 1.0, pylon_mass=5.0, pylon_inertia=(0.02, 0.0, 0.02), pylon_ahead=0.5, damping=0.0)
    both = wing.carrying(5.0, 0.5, 0.02)
    np.testing.assert_allclose(both._pylon(), wing._pylon() + alone._pylon(), atol=1e-12)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"gimbal": "cardan"}, "gimbal must be one of joint, joints"),
        ({"inflow": "vortex"}, "tiltrotor: inflow must be one of momentum, .* got 'vortex'"),
        ({"hub_spring": -1.0}, "hub_spring must not be negative"),
        ({"delta3_deg": 80.0}, "delta3_deg must be from -60 to 60 deg, got 80 deg"),
        ({"control_stiffness": 0.0}, "control_stiffness must be positive"),
        ({"collective_deg": "much"}, "collective_deg must be a number"),
        ({"collective_deg": 80.0}, "swashplate: .*no pitch link reaches"),
        ({"wind": None}, "wind must be a number"),
    ],
)
def test_bad_options_name_themselves(settings, message):
    with pytest.raises(ModelError, match=message):
        build(**settings)
