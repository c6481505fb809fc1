"""Controls of ready models: a number, a parameter, a drive or a function of time, in degrees at the edge."""

import numpy as np
import pytest

import samara as sm
from samara.model import Input, ModelError, Parameter
from samara.models.controls import at_start, control, refuse_jumps

DEG = np.pi / 180.0


def test_a_number_is_a_parameter_of_that_name():
    made = control("collective", 12, given="deg")
    assert made.start == pytest.approx(12 * DEG, rel=1e-15)
    assert (made.drive.value.name, made.drive.value.unit) == ("collective", "rad")
    assert float(made.drive.value) == made.start


def test_a_drive_is_converted_from_degrees():
    made = control("collective", sm.Cosine(10.0, 2.0, initial=3.0), given="deg")
    assert made.start == pytest.approx(3.0 * DEG, rel=1e-15)
    assert made.drive(1.0) == pytest.approx(8.0 * DEG, rel=1e-15)  # half way
    assert made.drive.bends() == [0.0, 2.0]


def test_a_function_of_time_is_a_drive():
    assert control("airspeed", lambda t: 5.0 + 2.0 * t, "m/s").drive(1.5) == pytest.approx(8.0)


@pytest.mark.parametrize(("unit", "size"), [("deg", DEG), ("", DEG), ("rad", 1.0)])
def test_what_says_its_unit_is_taken_in_it(unit, size):
    made = control("collective", Parameter("mine", 0.2, unit), given="deg")
    assert made.start == pytest.approx(0.2 * size, rel=1e-15)
    assert control("collective", Input("stick", 0.2, unit), given="deg").start == pytest.approx(0.2 * size, rel=1e-15)


def test_the_start_follows_parameters_inside_of_sums():
    level = Parameter("level", 4.0, "deg")
    doublet = sm.Constant(level) + sm.Sine(1.0, 3.0, start=2.0)
    assert control("theta1s", doublet, given="deg").start == pytest.approx(4.0 * DEG, rel=1e-15)
    level.value = 5.0
    assert at_start(sm.Constant(level) * 2.0) == 10.0


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("much", "collective_deg must be a number, a Parameter, a drive such as Cosine.* got 'much'"),
        (True, "collective_deg must be a number"),
        (None, "collective_deg must be a number"),
        (np.inf, "collective_deg must be a finite number, got inf"),
        (lambda t: 1.0 / t * t, "collective_deg must be a finite number at the start"),
        (lambda t: [t, t], "collective_deg: .*one number, got list"),
        (Parameter("wind", 3.0, "m/s"), "collective_deg is in deg, but Parameter.'wind'.* is in m/s"),
        (sm.Constant(Parameter("a", 3.0, "deg")) + sm.Constant(Parameter("b", 3.0, "rad")), "collective_deg is in deg"),
    ],
)
def test_what_is_no_control_is_refused_by_name(value, message):
    with pytest.raises(ModelError, match=message):
        control("collective", value, given="deg")


def test_jumps_are_refused_where_they_cannot_be():
    made = control("collective", sm.Step(3.0, time=1.0), given="deg")
    with pytest.raises(ModelError, match=r"collective_deg jumps at t = 1 s, and rigid links cannot: give a smooth"):
        refuse_jumps("collective_deg", made.drive, "rigid links cannot")
