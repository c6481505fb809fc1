"""What a pipe cannot be made of leaves nothing in the model."""

import pytest

import samara as sm

OIL = sm.LinearFluid(reference_density=870.0, bulk_modulus=1.4e9, viscosity=0.07)
WATER = sm.LinearFluid(reference_density=1000.0, bulk_modulus=2.2e9, viscosity=1e-3)
GOOD = {"fluid": OIL, "length": 1.0, "radius": 0.01, "pieces": 3}


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"model": "m"}, "model must be a Model, got 'm'"),
        ({"name": 5}, "name must be a string, got 5"),
        ({"name": None}, "name must be a string, got None"),
        ({"name": "a b"}, "is not a valid name"),
        ({"start": "fast"}, "start must be a finite number"),
        ({"start": float("nan")}, "start must be a finite number"),
        ({"compliance": -1.0}, "compliance must be a number that is not negative"),
        ({"pieces": 0}, "pieces must be at least 1"),
        ({"fluid": sm.LinearFluid(reference_density=870.0, bulk_modulus=-1.0, viscosity=0.07)}, "bulk_modulus must be"),
        ({"fluid": WATER}, "its fluid is not that of 'tank'"),
        ({"b": "a"}, "both ends are at junction 'a'"),
        ({"b": 3}, "b: 3 is not what model.pressure"),
        ({"b": "foreign"}, "b: 'x' does not belong to model 'line'"),
        ({"name": "taken"}, "already has an item named 'taken.volume2'"),
    ],
)
def test_a_bad_pipe_leaves_nothing(wrong, words):
    model = sm.Model("line")
    a, b = model.pressure("a"), model.pressure("b")
    model.add("tank", sm.Tank(a, fluid=OIL))
    model.add("taken.volume2", sm.Volume(b, fluid=OIL, volume=1e-3))
    ends = {"a": a, "foreign": sm.Model("other").pressure("x")}
    arguments = {"model": model, "name": "pipe", "a": a, "b": b, **GOOD, **wrong}
    if isinstance(arguments["b"], str):
        arguments["b"] = ends[arguments["b"]]
    before = set(model.states), set(model.elements)
    with pytest.raises(ValueError, match=words):
        sm.add_pipe(**arguments)
    assert (set(model.states), set(model.elements)) == before
