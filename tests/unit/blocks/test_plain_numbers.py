"""Numbers of discrete blocks are plain: what would be frozen, or is no number, is refused by name."""

import numpy as np
import pytest

from samara import (
    ARMAX,
    PID,
    BlockError,
    Delay,
    HarmonicAnalysis,
    Horizons,
    MultiPID,
    Observer,
    PredictiveControl,
    Quintic,
    SineSweep,
    StateSpace,
    TableTrajectory,
    TransferFunction,
    Trapezoid,
    discretise,
    kalman,
    lqr,
)
from samara.model import Parameter

MODEL, AHEAD = ARMAX([0.5], [1.0]), Horizons(5, 2)
MAKERS = {
    "PredictiveControl: control_weight": lambda v: PredictiveControl(MODEL, AHEAD, step=1.0, control_weight=v),
    "PredictiveControl: output_weight": lambda v: PredictiveControl(MODEL, AHEAD, step=1.0).tune(output_weight=[v]),
    "PredictiveControl: lower": lambda v: PredictiveControl(MODEL, AHEAD, step=1.0, lower=v),
    "PredictiveControl: step": lambda v: PredictiveControl(MODEL, AHEAD, step=v),
    "TransferFunction: numerator": lambda v: TransferFunction([v], [1.0, 0.5], step=1.0),
    "TransferFunction: denominator": lambda v: TransferFunction([1.0], [1.0, v], step=1.0),
    "StateSpace: A": lambda v: StateSpace([[v]], 1.0, 1.0, step=1.0),
    "StateSpace: D": lambda v: StateSpace(0.5, 1.0, 1.0, v, step=1.0),
    "Observer: L": lambda v: Observer(0.5, 1.0, 1.0, 0.0, [[v]], step=1.0),
    "discretise: A": lambda v: discretise(v, 1.0, 1.0, 0.0, 0.1),
    "Delay: initial": lambda v: Delay(1, v),
    "lqr: A": lambda v: lqr(v, 1.0, 1.0, 1.0),
    "lqr: R": lambda v: lqr(-1.0, 1.0, 1.0, [v]),
    "kalman: C": lambda v: kalman(-1.0, v, 1.0, 1.0),
    "Trapezoid: speed": lambda v: Trapezoid(0.0, 1.0, v, 1.0),
    "SineSweep: amplitude": lambda v: SineSweep(v, 1.0, 2.0, 3.0),
    "TableTrajectory: values": lambda v: TableTrajectory([0.0, 1.0], [0.0, v]),
    "HarmonicAnalysis: psi": lambda v: HarmonicAnalysis(1, 4, 90, step=1.0)([1.0], v),
}


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("value", [Parameter("gain", 0.25), True, "1", 1j], ids=lambda v: type(v).__name__)
def test_what_is_no_plain_number_is_refused_by_name(name, value):
    with pytest.raises(BlockError) as error:
        MAKERS[name](value)
    assert str(error.value).startswith(name)
    assert "must be" in str(error.value)


def test_numbers_of_numpy_are_plain():
    """Integers, single precision, arrays of no dimension."""
    law = PID(proportional=np.float32(0.5), integral=np.int64(2), initial=np.array(0.25), step=1)
    assert law(2.0, 1.0) == 0.75
    assert TransferFunction(np.array([1, 2]), (1, np.float64(0.5), 0), step=1.0).b.tolist() == [0.0, 1.0, 2.0]


def test_numbers_that_are_not_finite_and_axes_that_are_none():
    for make, words in (
        (lambda: Quintic(np.nan, 1.0, 1.0), "Quintic: start_at must be a finite number"),
        (lambda: Observer(np.nan, 1.0, 1.0, 0.0, 0.1, step=1.0), "Observer: A must be finite"),
        (lambda: MultiPID([1.0]), "MultiPID: axes must be made by PID"),
    ):
        with pytest.raises(BlockError) as error:
            make()
        assert words in str(error.value)


def test_rows_of_unequal_length_are_refused_by_name():
    with pytest.raises(BlockError, match="StateSpace: A must be"):
        StateSpace([[1.0, 0.0], [1.0]], 1.0, 1.0, step=1.0)
