"""Ready controllers and a sensor that fails for a moment: the last answer stays, and nothing of it is remembered."""

import math

import pytest

from samara.realtime.controllers.guard import Guard
from samara.realtime.controllers.ready import READY

LIGHT = [name for name in READY if name.startswith(("pendulum", "robot", "tiltrotor"))]


def guarded(name):
    controller = READY[name]()
    controller.period = 1e-3
    told: list[str] = []
    return Guard(controller, told.append), told


@pytest.mark.parametrize("bad", [math.nan, math.inf], ids=str)
@pytest.mark.parametrize("name", LIGHT)
def test_a_sensor_that_fails_for_a_moment(name, bad):
    """A twin that missed the sample is where it is afterwards. All places that go into a memory fail in turn."""
    (guard, told), (twin, _) = guarded(name), guarded(name)
    sensors = len(guard.controller.sensors)
    places = range(2 if name.startswith("robot") else sensors)  # rates only make a voltage of what it wants
    for k in range(40):
        values = [0.8 + 0.01 * math.sin(0.3 * k + i) for i in range(sensors)]
        if k in (10, 11, 25):
            for place in places:
                before = guard.last
                found = guard(1e-3 * k, [bad if i == place else v for i, v in enumerate(values)])
                unread = name == "tiltrotor" and place == 1  # read at the start alone
                if not unread:
                    assert found == before
            continue
        if name != "tiltrotor":
            found, other = guard(1e-3 * k, values), twin(1e-3 * k, values)
            assert found == pytest.approx(other, rel=1e-12)
            assert all(map(math.isfinite, found))
        else:
            assert all(map(math.isfinite, guard(1e-3 * k, values)))
    assert told and "held" in told[0]


def test_limits_in_the_wrong_order_change_nothing():
    guard, told = guarded("tiltrotor")
    guard(0.0, [70.0, 0.7])
    law = guard.controller.law
    before = law.lower, law.upper, law.integral
    assert guard.change({"lower": 1.2, "upper": 0.5, "gain": 0.3}) == ()
    assert (law.lower, law.upper, law.integral) == before
    assert guard.controller.gain == 0.15
    assert "lower (1.2) must be less than upper (0.5)" in told[0]
