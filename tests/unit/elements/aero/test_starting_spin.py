"""A rotor whose nominal speed has the other sign than its hub at the start is refused, whoever turns the hub."""

import numpy as np
import pytest

import samara as sm
from samara import AeroBody, Body, PrescribedAngle, PrescribedRate, Revolute, Rotor, Stations, ThinAerofoil
from samara.rotations import rotation_x

SPIN, UPSIDE_DOWN = 30.0, sm.Placement((0, 0, 0), rotation_x(np.pi))


def rotor_on(model, craft, hub, speed, disk=None):
    rotor = model.add("main", Rotor(craft, hub, disk=disk, radius=1.0, speed=speed))
    along = Stations.gauss(0.1, 1.0, 2, 0.1, 0.1)
    model.add("blade", AeroBody(hub, stations=along, aerofoil=ThinAerofoil(), rotor=rotor))
    return model


def prescribed(speed, spin, disk=None):
    model = sm.Model("prescribed")
    hub = model.prescribed("hub", sm.Motion(rotation=(0, 0, spin)))
    return rotor_on(model, model.ground, hub, speed, disk)


def free(speed, spin=0.0, joint=None, **started):
    """A hub with inertia that was given an angular velocity, on a joint."""
    model = sm.Model("free")
    hub = model.node("hub", angular_velocity=(0.0, 0.0, spin))
    model.add("body", Body(hub, mass=1.0, inertia=(1, 1, 1)))
    model.add("shaft", Revolute(model.ground, hub, **started))
    if joint is not None:
        model.add("drive", joint(model.ground, hub))
    return rotor_on(model, model.ground, hub, speed)


WAYS = {
    "prescribed": lambda speed: prescribed(speed, lambda t: SPIN * t),
    "ramp": lambda speed: prescribed(speed, sm.Ramp(SPIN)),
    "parameter": lambda speed: prescribed(sm.Parameter("speed", speed, "rad/s"), lambda t: SPIN * t),
    "disk turned over": lambda speed: prescribed(-speed, lambda t: SPIN * t, UPSIDE_DOWN),
    "free": lambda speed: free(speed, SPIN),
    "started": lambda speed: free(speed, start={"angle_rate": SPIN}),
    "driven rate": lambda speed: free(speed, SPIN, lambda a, b: PrescribedRate(a, b, rate=SPIN)),
    "driven angle": lambda speed: free(speed, SPIN, lambda a, b: PrescribedAngle(a, b, angle=lambda t: SPIN * t)),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_hub_that_starts_the_other_way_is_refused(way):
    way(SPIN).check()
    with pytest.raises(
        sm.ModelError, match=r"'main': Rotor: speed is .*hub 'hub' starts at .*reverse the sign of speed"
    ):
        way(-SPIN).check()


@pytest.mark.parametrize("speed", [SPIN, -SPIN])
def test_a_run_up_from_rest_may_have_either_sign(speed):
    """Nobody can tell at the start; the run does."""
    run_up = sm.Cosine(amplitude=10.0 * SPIN, duration=4.0)
    prescribed(speed, run_up).check()
    free(speed).check()
    model = free(speed, 0.0, lambda a, b: PrescribedRate(a, b, rate=sm.Cosine(amplitude=SPIN, duration=0.1)))
    model.check()
    if speed > 0.0:
        sm.transient(model, end=0.5, step=5e-3, progress=False)
        return
    with pytest.warns(UserWarning, match=r"main.*turned against its nominal speed of -30 rad/s in 9. % of the run"):
        sm.transient(model, end=0.5, step=5e-3, progress=False)


def test_a_craft_that_turns_as_a_whole_does_not_count():
    """The hub against the craft: 10 rad/s in the world on a craft of 40 rad/s is 30 rad/s the other way."""
    model = sm.Model("turning")
    craft = model.prescribed("craft", sm.Motion(rotation=(0, 0, lambda t: 40.0 * t)))
    hub = model.prescribed("hub", sm.Motion(rotation=(0, 0, lambda t: 10.0 * t)))
    rotor_on(model, craft, hub, -SPIN).check()
