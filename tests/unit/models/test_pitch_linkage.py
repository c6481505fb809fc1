"""Swashplate, links and horns of the tiltrotors against closed forms: stiffness, frequency, delta-3, cyclic pitch."""

from dataclasses import replace

import numpy as np
import pytest

import samara as sm
from samara.model import Constant, Cosine, Expression, Model, ModelError, Motion, Parameter, Placement
from samara.models.controls import Control
from samara.models.tiltrotors.pitch_linkage import PitchLinkage
from samara.rotations import rotation_x
from samara.solve import transient

FEATHER = 0.02  # kg m^2
LINKAGE = PitchLinkage(
    blades=3, horn=0.12, link=0.25, rigged=0.6, stiffness=8000.0, damping=2.0, hinge=0.0, delta3=0.0
)  # fmt: skip


def bearing_axes(leading: int) -> np.ndarray:
    """Axes of a pitch bearing in those of a blade, x along its span: about z the blade turns nose up."""
    return np.array([[0.0, 0.0, leading], [leading, 0.0, 0.0], [0.0, 1.0, 0.0]])


def at_rest(value: float) -> Control:
    return Control(Constant(value), value)


def rotor(linkage, hub_motion=None, turning_at=0.0, controls=(0.6, 0.0, 0.0), moments=()) -> Model:
    """A hub that is held or moves as told, with blades that feather on it; the plate is led by a shaft of its own.

    moments: nose-up couples on the blades [N m].
    """
    model, sense = Model("linkage"), linkage.sense
    hub = model.prescribed("hub", hub_motion or Motion())
    shaft = model.prescribed("shaft", Motion(rotation=(0.0, 0.0, Expression(lambda t: turning_at * t))))
    pitches = linkage.add(
        model,
        "swashplate",
        mast=model.ground,
        turning=shaft,
        place=Placement(),
        controls=[at_rest(c) for c in controls],
    )
    plate = pitches.swashplate.rotating
    plate.begin(angular_velocity=turning_at * (plate.start.rotation[:, 2]))
    for k in range(linkage.blades):
        name, azimuth = f"blade_{k + 1}", 2 * np.pi * k / linkage.blades
        flat, theta = linkage.flat(azimuth), pitches.pitch(azimuth)
        spin = np.array([0.0, 0.0, turning_at]) + abs(turning_at) * pitches.pitch_slope(azimuth) * sense * flat[:, 0]
        blade = model.node(name, rotation=flat @ rotation_x(sense * theta), angular_velocity=spin)
        model.add(f"{name}.body", sm.Body(blade, mass=1.0, inertia=(FEATHER, 0.5, 0.5)))
        frames = {"place_a": hub.local(Placement((0, 0, 0), flat @ bearing_axes(sense)))}
        model.add(
            f"{name}.bearing", sm.Revolute(hub, blade, **frames, place_b=Placement((0, 0, 0), bearing_axes(sense)))
        )
        pitches.add_link(model, f"{name}.link", blade, (0.0, 0.0, 0.0), azimuth)
        if moments:
            couple = Cosine(sense * moments[k], 0.3)
            model.add(f"{name}.couple", sm.FollowerCouple(blade, couple=(couple, 0.0, 0.0)))
    return model


def angles(results, blades: int) -> np.ndarray:
    return np.array([results[f"blade_{k + 1}.bearing.angle"] for k in range(blades)]).T


@pytest.mark.parametrize("pattern", [(1, 1, 1), (1, 0, 0), (0.3, -1, 0.5)])
@pytest.mark.parametrize("delta3", [0.0, 0.4, -0.4])
def test_a_moment_turns_each_of_three_blades_by_itself(pattern, delta3):
    """theta = M / K whatever the other blades do: three actuators at the radius of three links.

    Geometry of second order in 0.5 mrad, and what is left of the load's half cosine after 0.3 s of damping.
    """
    linkage = replace(LINKAGE, delta3=delta3, damping=20.0)
    moments = 4.0 * np.array(pattern)
    run = transient(rotor(linkage, moments=tuple(moments)), 0.6, 2e-3, tolerance=1e-12, progress=False)
    turned = angles(run, 3)[-1] - LINKAGE.rigged
    np.testing.assert_allclose(turned, moments / linkage.stiffness, rtol=0, atol=3e-3 * 4.0 / linkage.stiffness)


@pytest.mark.parametrize(("pattern", "part"), [((1, 1, 1, 1), 1.0), ((1, 0, -1, 0), 1.0), ((1, -1, 1, -1), 0.5)])
def test_moments_that_cancel_on_the_plate_feel_the_links_alone(pattern, part):
    """Half of the compliance of four blades' controls in the links: that is all of a reactionless pattern."""
    linkage = replace(LINKAGE, blades=4, share=0.5, damping=20.0)
    moments = 4.0 * np.array(pattern)
    run = transient(rotor(linkage, moments=tuple(moments)), 0.6, 2e-3, tolerance=1e-12, progress=False)
    turned = angles(run, 4)[-1] - LINKAGE.rigged
    np.testing.assert_allclose(turned, part * moments / linkage.stiffness, rtol=0, atol=3e-3 * 4.0 / linkage.stiffness)


def test_blades_feather_against_the_control_system_at_its_frequency():
    """w^2 = K / J for collective and cyclic pitch alike, the horn level: three equal frequencies."""
    linkage = replace(LINKAGE, damping=0.0)
    found = sm.modes(rotor(linkage)).frequencies
    np.testing.assert_allclose(found, np.sqrt(linkage.stiffness / FEATHER), rtol=1e-6)


def tilted(x: float, y: float) -> Motion:
    """To rotation vector (x, y, 0) along half a cosine of 0.3 s."""
    return Motion(rotation=(Cosine(x, 0.3), Cosine(y, 0.3), 0.0))


@pytest.mark.parametrize("delta3", [0.0, np.deg2rad(15.0), np.deg2rad(-15.0), np.deg2rad(40.0)])
@pytest.mark.parametrize("sense", [1, -1])
def test_flap_changes_pitch_by_the_tangent_of_delta_3(delta3, sense):
    """d(theta) = -tan(delta3) beta. Second order in 10 mrad of flap: 2 % of it at most, and 1e-4 of flap itself."""
    flap = 0.01
    linkage = replace(LINKAGE, delta3=delta3, sense=sense, damping=20.0)
    run = transient(rotor(linkage, tilted(0.0, -flap)), 0.6, 2e-3, tolerance=1e-12, progress=False)
    pitch = run["blade_1.bearing.angle"][-1] - LINKAGE.rigged
    assert pitch == pytest.approx(-np.tan(delta3) * flap, rel=0.02, abs=1e-4 * flap)


def test_pitch_follows_the_mast_when_the_gimbal_tilts():
    """Tilted about the span of blade 1 the hub turns under it: against the hub the blade turns back by as much.

    The link leans by the horn's shift: of second order, 0.05 horn / link, 1e-4 rad at most here.
    """
    tilt = 0.02
    run = transient(
        rotor(replace(LINKAGE, damping=20.0), tilted(tilt, 0.0)), 0.6, 2e-3, tolerance=1e-12, progress=False
    )
    assert run["blade_1.bearing.angle"][-1] - LINKAGE.rigged == pytest.approx(-tilt, abs=1e-4)
    along = run["blade_1.rotation"][-1].reshape(3, 3)[:, 1]  # to the leading edge
    assert np.arcsin(along[2]) == pytest.approx(LINKAGE.rigged, abs=1e-4)


@pytest.mark.parametrize("sense", [1, -1])
@pytest.mark.parametrize("delta3", [0.0, 0.3, -0.3])
def test_tilt_of_the_plate_gives_cyclic_pitch_where_it_is_asked_for(sense, delta3):
    """theta = theta_0 + theta_1c cos(psi) + theta_1s sin(psi), psi as the rotor turns, over one turn.

    Errors: the second harmonic that the rigging leaves, (theta_0 - rigged) a^2 / 4, and the lean of the link, of second
    order: some 1e-3 rad at a cyclic pitch of 0.1 rad.
    """
    speed, asked = 20.0, (0.7, 0.08, -0.06)
    linkage = replace(LINKAGE, sense=sense, delta3=delta3, stiffness=8e5, damping=200.0)
    spin = sense * speed
    motion = Motion(rotation=(0.0, 0.0, Expression(lambda t: spin * t)))
    end = 2 * np.pi / speed
    run = transient(rotor(linkage, motion, spin, asked), end, end / 400, tolerance=1e-10, progress=False)
    for k in range(3):
        psi = speed * run.time + 2 * np.pi * k / 3
        wanted = asked[0] + asked[1] * np.cos(psi) + asked[2] * np.sin(psi)
        np.testing.assert_allclose(run[f"blade_{k + 1}.bearing.angle"], wanted, rtol=0, atol=2e-3)


def test_states_move_the_plate_in_proportion():
    """Commanded by a state, pitch is the arc sine of the plate's rise: off by the cube of 0.3 rad by six."""
    model = Model("state")
    shaft = model.prescribed("shaft", Motion())
    lag = model.add("lag", sm.Lag(command=0.9, time=0.01, start=0.9, unit="rad"))
    pitches = LINKAGE.add(
        model, "swashplate", mast=model.ground, turning=shaft, place=Placement(),
        controls=[at_rest(0.0)] * 3, commands=[(lag.output, 0.9)],
    )  # fmt: skip
    assert pitches.pitch(0.0) == pytest.approx(0.6 + np.arcsin(0.3), abs=2e-3)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"delta3": 1.2}, "delta3 must be within -60 .. 60 deg"),
        ({"stiffness": 0.0}, "control_stiffness must be positive"),
    ],
)
def test_bad_dimensions_name_themselves(change, message):
    with pytest.raises(ModelError, match=message):
        replace(LINKAGE, **change)


@pytest.mark.parametrize("controls", [(2.2, 0.0, 0.0), (0.6, 1.0, 1.0), (-0.5, 0.0, -0.3)])
def test_pitch_out_of_reach_is_refused(controls):
    with pytest.raises(
        ModelError, match=r"swashplate: at the start .*no pitch link reaches: .*within -34 \.\. 103 deg"
    ):
        rotor(LINKAGE, controls=controls)


def test_parameters_move_the_plate():
    made = Constant(Parameter("mine", 0.6, "rad"))
    model = Model("parameter")
    shaft = model.prescribed("shaft", Motion())
    LINKAGE.add(
        model, "swashplate", mast=model.ground, turning=shaft, place=Placement(),
        controls=[Control(made, 0.6), at_rest(0.0), at_rest(0.0)],
    )  # fmt: skip
    assert [p.name for p in model.parameters.values()] == ["mine"]
