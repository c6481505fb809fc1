"""Every kind of field and what it cannot be: one sentence that names element, class and field, never a bare error."""

import math

import numpy as np
import pytest

import samara as sm
from samara.elements.sensors.state_value import StateValue
from samara.model.schema import fields

WRONG = {
    "text": "a",
    "nan": math.nan,
    "infinite": math.inf,
    "complex": 1.0 + 1.0j,
    "empty": [],
    "ragged": [[1.0, 2.0], [3.0]],
    "list of texts": ["a", "b", "c"],
    "list of none": [None, 1.0, 2.0],
    "list of complex": [1.0, 2.0j, 3.0],
    "complex array": np.array([1.0, 2.0, 3.0 + 1e-9j]),
    "list of switches": [True, False, True],
    "array of switches": np.array([True, False, True]),
    "switch": True,
    "switch of numpy": np.True_,
    "object": object(),
    "dictionary": {"a": 1.0},
    "huge": 10**400,
    "deep": np.ones((2, 3, 4)),
    "two numbers": np.array([1.0, 2.0]),
    "dates": np.array(["2020-01-01"], dtype="datetime64[D]"),
}
#: Bare words of Python and NumPy that tell a user nothing.
BARE = (
    "could not convert",
    "truth value",
    "float()",
    "inhomogeneous",
    "unhashable",
    "has no attribute",
    "object is not",
    "argument must be",
    "can't",
    "cannot convert",
)

UNIT = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


class Everything(sm.Element):
    """One field of each kind, each with a value that is right."""

    a: sm.Node = sm.node(kw_only=False)
    number: float = fields.number(default=1.0)
    plain: float = fields.number(default=1.0, plain=True)
    vector: object = fields.vector(default=(1.0, 2.0, 3.0))
    direction: object = fields.direction(default=(1.0, 0.0, 0.0))
    matrix: object = fields.matrix((3, 3), default=UNIT)
    symmetric: object = fields.matrix((3, 3), default=UNIT, symmetric=True)
    numbers: object = fields.numbers(default=(1.0, 2.0))
    placement: object = fields.placement(default=None)
    table: object = fields.table()
    driven: object = sm.driven(default=1.0)
    three: object = sm.driven(default=(1.0, 2.0, 3.0), size=3)
    signal: object = sm.signal(default=1.0)
    signals: object = sm.signals(default=(1.0, 2.0))
    sense: int = fields.option(default=1, choices=(1, -1))
    switch: bool = fields.option(default=True, choices=(True, False))
    word: str = fields.option(default="x", choices=("x", "y"))
    law: object = fields.record(default=sm.LinearLaw(1.0))
    laws: object = fields.records(default=(sm.LinearLaw(1.0),))

    def formulate(self, site):
        return sm.Contribution(wrenches=[np.zeros(6)])


FIELDS = [name for name in Everything.field_names() if name != "a"]
#: What is no mistake after all.
FINE = {
    ("numbers", "two numbers"), ("numbers", "empty"), ("numbers", "deep"), ("signals", "empty"), ("switch", "switch"),
    ("switch", "switch of numpy"), ("laws", "empty"),
}  # fmt: skip


def added(**given):
    model = sm.Model("fields")
    n = model.node("n", position=(1.0, 0.0, 0.0))
    return model.add("e", Everything(n, **({"table": sm.Curve([0.0, 1.0], [0.0, 1.0])} | given)))


@pytest.mark.parametrize("case", WRONG)
@pytest.mark.parametrize("field", sorted(FIELDS))
def test_what_a_field_cannot_be(field, case):
    if (field, case) in FINE:
        added(**{field: WRONG[case]})
        return
    with pytest.raises(sm.ModelError) as error:
        added(**{field: WRONG[case]})
    message = str(error.value)
    assert message.startswith(f"element 'e': Everything: {field}"), message
    assert not any(words in message for words in BARE), message
    assert len(message) < 600


@pytest.mark.parametrize("value", [np.array(-1), np.int64(-1), np.float64(-1.0), -1.0, np.array(-1.0)], ids=repr)
def test_numbers_of_numpy_are_numbers(value):
    """An array of no dimension is its number; a choice is kept as it was declared, so that kernels are shared."""
    element = added(sense=value, number=value, driven=value, signal=value, signals=[value])
    assert element.sense == -1 and type(element.sense) is int
    assert float(element.number) == -1.0
    assert element.kept_structure() == added(sense=-1, number=2.0, driven=2.0, signal=3.0, signals=[4.0]).structure()


@pytest.mark.parametrize("kind", ["engine", "governor", "pitch"])
@pytest.mark.parametrize("wrong", [True, np.True_, "1", 0, 2, [1], None, np.array([1, -1])], ids=repr)
def test_a_sense_of_rotation_is_a_number(kind, wrong):
    model = sm.Model("sense")
    n = model.node("n", position=(1.0, 0.0, 0.0))
    h, m = model.node("h", position=(2.0, 0.0, 0.0)), model.node("m", position=(3.0, 0.0, 0.0))
    x = [model.state(f"x{k}") for k in range(3)]
    make = {
        "engine": lambda: sm.Engine(model.ground, n, x[0], power=1.0, slow=1.0, sense=wrong),
        "governor": lambda: sm.Governor(
            model.ground, n, target=1.0, proportional=1.0, upper=1.0, corner=0.01, sense=wrong
        ),
        "pitch": lambda: sm.PitchControl(model.ground, n, h, m, *x, stiffness=1.0, sense=wrong),
    }[kind]
    with pytest.raises(sm.ModelError, match=r"element 'e': \w+: sense must be one of 1, -1, got "):
        model.add("e", make())


@pytest.mark.parametrize("wrong", [[], (), None, 5.0, "a", {}, [sm.State(1)]], ids=repr)
def test_what_is_read_is_one_state(wrong):
    """Of all elements that only read a state; nothing is added to the model."""
    model = sm.Model("read")
    n = model.node("n", position=(1.0, 0.0, 0.0))
    m = model.node("m", position=(2.0, 0.0, 0.0))
    h, k = (model.node(name, position=(z, 0.0, 0.0)) for name, z in (("h", 3.0), ("k", 4.0)))
    x = model.state("x")
    for field, make in (
        ("x", lambda: StateValue(wrong)),
        ("x", lambda: sm.TailRotor(n, m, wrong, ratio=4.0, radius=1.0, chord=0.1)),
        ("collective", lambda: sm.PitchControl(n, m, h, k, wrong, x, x, stiffness=1.0)),
        ("lateral", lambda: sm.PitchControl(n, m, h, k, x, wrong, x, stiffness=1.0)),
        ("longitudinal", lambda: sm.PitchControl(n, m, h, k, x, x, wrong, stiffness=1.0)),
        ("x", lambda: sm.Engine(n, m, wrong, power=1.0, slow=1.0)),
    ):
        with pytest.raises(sm.ModelError, match=rf"element 'e': \w+: {field} must be one state, such as regulator\."):
            model.add("e", make())
        assert "e" not in model.elements


def test_what_is_wrong_with_a_drive_is_told():
    """Not only that it is no signal."""
    for given, words in (
        (sm.Sine(1.0, "a"), "Sine: frequency must be a finite number [rad/s], got 'a'"),
        (sm.Ramp(math.nan), "Ramp: slope must be a finite number"),
        (sm.Sum(()), "Sum: needs at least one drive"),
        (sm.Parameter("p", 1.0, "N"), "N"),
    ):
        model = sm.Model("drives")
        with pytest.raises(sm.ModelError) as error:
            model.add("e", sm.VoltageSource(model.potential("a"), model.potential("b"), voltage=given))
        assert words in str(error.value)
        assert "voltage" in str(error.value)
        assert "must be a signal" not in str(error.value)
