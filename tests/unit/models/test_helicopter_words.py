"""A trim takes the words of `build` for air, ground and loading, and names what it does not know."""

import numpy as np
import pytest

import samara as sm
from samara.models.helicopters import helicopter, helicopter_linear, helicopter_trim
from samara.models.helicopters.helicopter_parts import Loading, Surroundings, reworded


def test_words_of_build_are_those_of_helicopter():
    given = {"mass": 5000.0, "com_aft": 0.1, "altitude": 1000.0, "offset": 15.0, "ground": True, "height": 7.0}
    found = reworded("x", given | {"climb_deg": 6.0, "blades": "rigid"}, helicopter.helicopter)
    assert found["loading"] == Loading(5000.0, (0.1, 0.0, 0.0))
    assert found["surroundings"] == Surroundings(altitude=1000.0, offset=15.0, ground=-7.0)
    assert found["climb"] == pytest.approx(np.radians(6.0)) and found["blades"] == "rigid"


def test_a_trim_in_the_words_of_build_is_that_of_its_own_words(monkeypatch):
    asked = []

    def recorded(model, *args, **options):
        asked.append((model, options["sizes"]))
        raise InterruptedError

    monkeypatch.setattr(helicopter_trim, "find", recorded)
    for options in (
        {"altitude": 2000.0, "mass": 5000.0, "com_up": 0.1},
        {"surroundings": Surroundings(altitude=2000.0), "loading": Loading(5000.0, (0.0, 0.0, 0.1))},
    ):
        for trim in (helicopter.trim, helicopter_trim.autorotation):
            with pytest.raises(InterruptedError):
                trim(20.0, **options)
    for (one, sizes), (other, same) in zip(asked[:2], asked[2:], strict=True):
        assert sizes == same
        assert repr(one.elements["fuselage.body"]) == repr(other.elements["fuselage.body"])
        assert repr(one.elements["main.rotor"]) == repr(other.elements["main.rotor"])


@pytest.mark.parametrize("function", [helicopter.trim, helicopter_trim.autorotation])
def test_unknown_words_are_named(function):
    with pytest.raises(sm.ArgumentError, match="unknown argument 'altitud'; did you mean 'altitude'"):
        function(altitud=100.0)
    with pytest.raises(sm.ArgumentError, match="give ground=True too"):
        function(height=4.0)
    with pytest.raises(sm.ArgumentError, match="flight_model: unknown argument 'weight'"):
        helicopter_linear.flight_model({}, weight=1.0)
