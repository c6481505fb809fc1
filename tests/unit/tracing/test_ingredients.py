"""The digest of a compiled function changes with whatever is compiled into it, and with nothing else."""

import sys
import textwrap
from types import ModuleType

import pytest

from samara.tracing.ingredients import stamp

SOURCE = """
    from enum import IntEnum

    import numpy as np
    from numba import njit
    from numba.extending import intrinsic

    SIZE, WEIGHTS, UNUSED = 84, (0.5, 0.25), 1


    class Place(IntEnum):
        FIRST = 3


    @njit
    def leaf(x):
        return x * WEIGHTS[0]


    @njit(inline="always")
    def between(x):
        \"\"\"What it does.\"\"\"
        return leaf(x) + SIZE  # added


    @intrinsic
    def native(context, x):
        return x(x), lambda context, builder, signature, values: values[0]


    @njit
    def whole(x):
        \"\"\"All of it.\"\"\"
        return between(x) + Place.FIRST + native(x)
"""


def digest(*change: str) -> str:
    """Of `whole`, with a text replaced by another."""
    text = textwrap.dedent(SOURCE)
    if change:
        assert change[0] in text
        text = text.replace(*change, 1)
    module = ModuleType("made_up")
    sys.modules["made_up"] = module
    exec(text, module.__dict__)
    return stamp(module.whole.py_func)


@pytest.mark.parametrize(
    "change",
    [
        ("x * WEIGHTS[0]", "x / WEIGHTS[0]"),
        ("x * WEIGHTS[0]", "x * WEIGHTS[1]"),
        ("(0.5, 0.25)", "(0.5, 0.75)"),
        ("SIZE, WEIGHTS, UNUSED = 84", "SIZE, WEIGHTS, UNUSED = 87"),
        ("FIRST = 3", "FIRST = 4"),
        ('inline="always"', 'inline="never"'),
        ("values[0]", "values[-1]"),
        ("leaf(x) + SIZE", "leaf(x) - SIZE"),
    ],
)
def test_what_is_compiled_in_counts(change):
    assert digest(*change) != digest()


@pytest.mark.parametrize(
    "change",
    [
        ("  # added", ""),
        ("What it does.", "What it does, said better."),
        ("All of it.", "All."),
        ("UNUSED = 84, (0.5, 0.25), 1", "UNUSED = 84, (0.5, 0.25), 2"),
        ("SIZE, WEIGHTS", "\n\nSIZE, WEIGHTS"),
    ],
)
def test_what_is_not_does_not(change):
    assert digest(*change) == digest()


def test_the_step_of_the_solver_takes_in_its_blocks():
    from samara.solve.redundant.formulation import advance
    from samara.solve.step.march import march
    from samara.tracing.ingredients import reached_from

    def names(function):
        return {f"{found.__module__}.{found.__qualname__}" for found in reached_from(function.py_func)}

    newton = "samara.solve.redundant.newton.newton"
    assert {newton, "samara.solve.native.kernels.residual"} <= names(advance)
    assert "samara.solve.step.step.step" in names(march) and newton not in names(march)  # by address


CIRCLE = """
    from numba import int32, njit


    @njit
    def begin(work):
        return work.step + 1.0


    @njit
    def step(work):
        return begin(work) + (adapt(work) if work.adapt else 0.0)


    @njit
    def adapt(work):
        return begin(work) + step(work)


    def closed_over(kind):
        def convert(x):
            return kind(x)

        return convert


    convert = closed_over(int32)
"""


def digests_of_circle(first: str, *change: str) -> dict[str, str]:
    """Of functions that call each other in a circle and read fields named as they are; `first` is asked for first."""
    module = ModuleType("made_up_circle")
    sys.modules["made_up_circle"] = module
    exec(textwrap.dedent(CIRCLE).replace(*(change or ("", ""))), module.__dict__)
    names = sorted(("begin", "step", "adapt"), key=lambda name: name != first)
    return {name: stamp(getattr(module, name).py_func) for name in names} | {"convert": stamp(module.convert)}


@pytest.mark.parametrize("first", ["begin", "step", "adapt"])
def test_digests_do_not_depend_on_who_asks_first(first):
    assert digests_of_circle(first) == digests_of_circle("begin")


@pytest.mark.parametrize("first", ["begin", "step", "adapt"])
@pytest.mark.parametrize(
    ("change", "stale"),
    [
        (("work.step + 1.0", "work.step + 2.0"), {"begin", "step", "adapt"}),
        (("else 0.0", "else 1.0"), {"step", "adapt"}),  # `begin` reads a field `step`, and not the function
        (("begin(work) + step(work)", "begin(work) - step(work)"), {"step", "adapt"}),
        (("int32", "int64"), {"convert"}),
    ],
)
def test_a_change_in_a_circle_reaches_whoever_calls(first, change, stale):
    before, after = digests_of_circle(first), digests_of_circle(first, *change)
    assert {name for name in before if before[name] != after[name]} == stale
