"""What a user writes: its mistakes are named, its tunable numbers checked, staged and applied together."""

import math
import os

import pytest

from samara.model import ModelError
from samara.realtime import Session, Signal
from samara.realtime.controllers import Controller, ControllerError, Measures, connect, tunable


class Swing(Controller):
    rate = 100.0
    sensors = ("hinge.angle", "hinge.angle_rate")
    actuators = ("torque",)
    gain = tunable(4.0, unit="N m/rad", lower=0.0, upper=50.0, description="of the angle")
    bias = tunable(0.0, unit="N m")

    def changed(self, names):
        self.told = names
        if self.bias == 13.0:
            raise ValueError("no thirteen")

    def step(self, t, y):
        return (-self.gain * y.hinge_angle + self.bias,)


def test_measures_by_name_and_number():
    y = Measures(("hinge.angle", "rotor.speed"))
    y.values[:] = [0.5, 70.0]
    assert y.hinge_angle == y["hinge.angle"] == y[0] == 0.5
    assert list(y) == [0.5, 70.0] and len(y) == 2
    with pytest.raises(AttributeError, match=r"no sensor 'speed': the controller reads hinge.angle, rotor.speed"):
        _ = y.speed
    with pytest.raises(KeyError, match="no sensor 'hinge'"):
        _ = y["hinge"]


def test_tunable_numbers():
    swing = Swing(gain=7.0)
    assert (swing.gain, swing.bias, Swing().gain) == (7.0, 0.0, 4.0)
    table = {p["name"]: p for p in swing.parameters()}
    assert table["gain"] == {
        "name": "gain", "value": 7.0, "unit": "N m/rad", "lower": 0.0, "upper": 50.0, "description": "of the angle",
        "whole": False,
    }  # fmt: skip
    assert table["bias"]["upper"] == math.inf
    with pytest.raises(ModelError, match=r"parameter 'gain': 60 N m/rad is outside \[0, 50\]"):
        swing.gain = 60.0
    with pytest.raises(ModelError, match="parameter 'gain' must be a number, got 'much'"):
        Swing(gain="much")
    with pytest.raises(ControllerError, match="Swing has no parameter 'gian'; it has gain, bias"):
        Swing(gian=1.0)
    with pytest.raises(ModelError, match="Wrong: parameter 'gain': 9 is outside"):
        type("Wrong", (Controller,), {"gain": tunable(9.0, upper=1.0)})


def test_subclasses_have_those_of_their_bases_and_may_set_them_anew():
    class More(Swing):
        gain = tunable(9.0, upper=10.0)
        extra = tunable(1.0)

    assert list(More.tunables()) == ["gain", "bias", "extra"]
    assert More().gain == 9.0


def test_staged_changes_act_together():
    swing = Swing()
    swing.stage(gain=5.0, bias=1.0)
    assert (swing.gain, swing.staged) == (4.0, {"gain": 5.0, "bias": 1.0})
    assert swing.apply() == ("gain", "bias") == swing.told
    assert (swing.gain, swing.bias, swing.staged) == (5.0, 1.0, {})
    with pytest.raises(ModelError):  # all or none
        swing.stage(bias=2.0, gain=99.0)
    assert swing.staged == {}
    swing.stage(gain=6.0)
    swing.unstage()
    assert swing.apply() == ()
    swing.stage(bias=13.0, gain=8.0)
    with pytest.raises(ValueError, match="thirteen"):
        swing.apply()
    assert (swing.gain, swing.bias) == (5.0, 1.0)


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (r'sensors must be a tuple of names: write \("angle",\)', {"sensors": "angle"}),
        ("actuators must be names, each once", {"actuators": ("a", "a")}),
        ("rate must be a positive number of Hz, or None, got 0", {"rate": 0}),
        ("on_error must be hold or stop, got 'pray'", {"on_error": "pray"}),
    ],
)
def test_wrong_classes_are_refused(words, names):
    with pytest.raises(ControllerError, match=f"Wrong: {words}"):
        type("Wrong", (Controller,), names)


def test_a_controller_needs_a_step_and_something_to_drive():
    with pytest.raises(ControllerError, match=r"Idle: has no step\(self, t, y\)"):
        type("Idle", (Controller,), {"actuators": ("a",)})()
    with pytest.raises(ControllerError, match="Idle: drives nothing"):
        type("Idle", (Controller,), {"step": lambda self, t, y: ()})()


class Looking(Controller):
    actuators = ("u",)
    ahead = tunable(20.0, lower=1.0, upper=60.0, whole=True)
    free = tunable(20.0, lower=1.0, upper=60.0, whole=True)

    def step(self, t, y):
        return (0.0,)

    def examine(self, values):
        if values["free"] > values["ahead"]:
            raise ValueError(f"free = {values['free']:g} must not be more than ahead = {values['ahead']:g}")


def test_numbers_that_count_are_whole():
    with pytest.raises(ModelError, match=r"parameter 'ahead': 20\.5 must be a whole number"):
        Looking(ahead=20.5)
    with pytest.raises(ModelError, match=r"Half: parameter 'ahead': 0\.5 must be a whole number"):
        type("Half", (Controller,), {"ahead": tunable(0.5, whole=True)})
    assert [p["whole"] for p in Looking().parameters()] == [True, True]


def test_numbers_that_do_not_go_together_are_refused_when_it_is_made():
    with pytest.raises(ControllerError, match="Looking: free = 20 must not be more than ahead = 10"):
        Looking(ahead=10)
    assert Looking(ahead=10, free=5).free == 5.0


def test_whoever_tunes_hears_why_it_is_refused():
    """Through the controller's own session: a whole change counts, and so does what was asked for just before."""
    name = f"test-consult-{os.getpid()}"
    controller = Looking()
    with Session.create(name, rate=100.0, sensors=[Signal("y", "1")], actuators=[Signal("u", "1")]):
        link = connect(name, "looking")
        try:
            link.open((), ("u",))
            link.announce(controller.parameters())
            link.consult(controller.examine)
            with Session.connect(f"{name}.looking") as own:
                assert own.card.parameters[0].whole
                with pytest.raises(ValueError, match="free = 20 must not be more than ahead = 10"):
                    own.tune({"ahead": 10.0})
                with pytest.raises(ValueError, match=r"ahead = 9\.5 must be a whole number"):
                    own.tune({"ahead": 9.5})
                assert link.changes() == {}
                own.tune({"ahead": 30.0})
                own.tune({"free": 25.0})  # by the 30 that is on its way
                assert link.changes() == {"ahead": 30.0, "free": 25.0}
                own.tune({"ahead": 10.0, "free": 5.0})
                assert link.changes() == {"ahead": 10.0, "free": 5.0}
                link.announce(controller.parameters())  # the controller stayed as it was
                with pytest.raises(ValueError, match="free = 20 must not be more than ahead = 19"):
                    own.check({"ahead": 19.0})
        finally:
            link.close()
