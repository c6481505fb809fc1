"""Every argument of every block, its methods and the designs: what it cannot be is refused by the block's name and its.

No bare error of Python, NumPy or SciPy comes through, whatever is given.
"""

import math

import numpy as np
import pytest
from every_block import MADE, PATHS, made

from samara import (
    PID,
    BlockError,
    DesignError,
    Observer,
    StateSpace,
    TransferFunction,
    discretise,
    kalman,
    lqr,
    model_gains,
)

WRONG = {
    "text": "a",
    "none": None,
    "nan": math.nan,
    "infinite": math.inf,
    "complex": 1.0 + 1.0j,
    "empty": [],
    "ragged": [[1.0, 2.0], [3.0]],
    "deep": np.ones((2, 3, 4)),
    "object": object(),
    "dictionary": {"a": 1.0},
    "huge": 10**400,
    "dates": np.array(["2020-01-01"], dtype="datetime64[D]"),
}
#: What is no mistake after all: (block, argument, case).
FINE = {
    (kind, name, case)
    for kind, name, case in (
        *((kind.__name__, "step", "none") for kind in MADE if kind is not Observer),
        ("RateLimit", "fall", "none"),
        ("StateSpace", "D", "none"),
    )
}
ARGUMENTS = [(kind, name) for kind, given in (MADE | PATHS).items() for name in given]


def refused(call, who, name):
    """The message of an error that names both."""
    with pytest.raises(BlockError) as error:
        call()
    message = str(error.value)
    assert message.startswith(f"{who}: "), message
    assert name in message.split(", got")[0], message


@pytest.mark.parametrize("case", WRONG)
@pytest.mark.parametrize(("kind", "name"), ARGUMENTS, ids=lambda v: getattr(v, "__name__", v))
def test_constructors(kind, name, case):
    if (kind.__name__, name, case) in FINE:
        made(kind, **{name: WRONG[case]})
    else:
        refused(lambda: made(kind, **{name: WRONG[case]}), kind.__name__, name)


METHODS = {
    "StateSpace.initial.initial": lambda v: made(StateSpace, initial=v),
    "Observer.initial.initial": lambda v: made(Observer, initial=v),
    "TransferFunction.initial.initial": lambda v: made(TransferFunction, initial=v),
    "PID.track.u": lambda v: made(PID).track(v, 0.0, 0.0),
    "PID.track.r": lambda v: made(PID).track(0.0, v, 0.0),
    "PID.track.y": lambda v: made(PID).track(0.0, 0.0, v),
    **{
        f"PID.tune.{name}": lambda v, name=name: made(PID).tune(**{name: v})
        for name in ("proportional", "integral", "derivative", "lag", "lower", "upper", "tracking")
    },
    **{
        f"TransferFunction.discretise.{name}": lambda v, name=name: TransferFunction([1.0], [1.0, 1.0]).discretise(
            **({"step": 0.1, "method": "zoh"} | {name: v})
        )
        for name in ("step", "method")
    },
    **{
        f"discretise..{name}": lambda v, name=name: discretise(
            **({"A": -1.0, "B": 1.0, "C": 1.0, "D": 0.0, "step": 0.1, "method": "zoh"} | {name: v})
        )
        for name in ("A", "B", "C", "D", "step", "method")
    },
    **{
        f"{kind.__name__}.__call__.t": lambda v, kind=kind: made(kind)(v) for kind in PATHS
    },
    **{
        f"{kind.__name__}.done.t": lambda v, kind=kind: made(kind).done(v) for kind in PATHS
    },
}  # fmt: skip
OPTIONAL = ("StateSpace.initial", "TransferFunction.initial", "tune.")  # None leaves it as it is


@pytest.mark.parametrize("case", WRONG)
@pytest.mark.parametrize("method", METHODS)
def test_methods(method, case):
    who, _, name = method.split(".")
    if case == "none" and any(part in method for part in OPTIONAL):
        METHODS[method](None)
    else:
        refused(lambda: METHODS[method](WRONG[case]), who, name)


DESIGNS = {
    **{
        f"lqr.{name}": lambda v, name=name: lqr(
            **({"A": -np.eye(2), "B": np.eye(2), "Q": 1.0, "R": 1.0, "discrete": False} | {name: v})
        )
        for name in ("A", "B", "Q", "R", "discrete")
    },
    **{
        f"kalman.{name}": lambda v, name=name: kalman(
            **({"A": -np.eye(2), "C": np.eye(2), "W": 1.0, "V": 1.0, "discrete": False} | {name: v})
        )
        for name in ("A", "C", "W", "V", "discrete")
    },
}


@pytest.mark.parametrize("case", WRONG)
@pytest.mark.parametrize("design", DESIGNS)
def test_designs(design, case):
    who, name = design.split(".")
    refused(lambda: DESIGNS[design](WRONG[case]), who, name)


def test_model_gains_want_a_model():
    for call, words in (
        (lambda: model_gains("a", {}, {}), "model_gains: plant must be a linear model"),
        (lambda: model_gains(None, {}, {}), "model_gains: plant must be a linear model"),
    ):
        with pytest.raises(DesignError, match=words):
            call()
