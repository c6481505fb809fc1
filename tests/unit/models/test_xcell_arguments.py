"""The small helicopter: what it may be given."""

import pytest

from samara.model import ModelError
from samara.models import find
from samara.models.helicopters import xcell


@pytest.mark.parametrize("airspeed", [-5.0, -1e-9, 20.1, 100.0])
def test_an_airspeed_that_is_not_in_the_table_is_refused(airspeed):
    for make in (find("xcell").make, xcell.build, xcell.settings):
        with pytest.raises(ModelError, match=r"xcell: airspeed must be from 0 to 20 m/s, .* got "):
            make(airspeed=airspeed)


@pytest.mark.parametrize("airspeed", [0.0, 7.0, 20.0])
def test_the_ends_of_the_table_are_taken(airspeed):
    assert find("xcell").make(airspeed=airspeed)["fuselage"].velocity[0] == pytest.approx(-airspeed)
