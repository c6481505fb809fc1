"""Arguments of predictive control that cannot be: refused by name, with the class, not by NumPy."""

import numpy as np
import pytest

from samara import (
    ARMAX,
    AdaptivePredictiveControl,
    BlockError,
    HarmonicAnalysis,
    HigherHarmonicControl,
    Horizons,
    Lags,
    PredictiveControl,
    RecursiveIdentification,
)
from samara.model import Parameter

MODEL, LAGS, AHEAD = ARMAX([0.5], [1.0]), Lags(1, 1, 2, 2), Horizons(5, 2)


def known(model=MODEL, horizons=AHEAD, **options):
    return PredictiveControl(model, horizons, **({"step": 1.0} | options))


def adaptive(lags=LAGS, horizons=AHEAD, **options):
    return AdaptivePredictiveControl(lags, horizons, **({"step": 1.0} | options))


def learner(lags=LAGS, **options):
    return RecursiveIdentification(lags, step=1.0, **options)


def harmonic(loads=2, amplitudes=2, **options):
    return HigherHarmonicControl(loads, amplitudes, step=1.0, **options)


WRONG = {
    "PredictiveControl: model must be made by ARMAX": lambda: known("model"),
    "PredictiveControl: horizons must be made by Horizons": lambda: known(horizons=(5, 2)),
    "PredictiveControl: output_weight must be a number": lambda: known().tune(output_weight="a"),
    "PredictiveControl: tune has no parameter 'nonsense', only first, last, controls": lambda: known().tune(nonsense=1),
    "AdaptivePredictiveControl: tune has no parameter 'nonsense', only first": lambda: adaptive().tune(nonsense=1),
    "HigherHarmonicControl: tune has no parameter 'nonsense', only load_weight": lambda: harmonic().tune(nonsense=1),
    "PredictiveControl: upper must be a number": lambda: known(upper="1"),
    "PredictiveControl: largest must be a positive number": lambda: known(largest=-1.0),
    "PredictiveControl: disturbance must be a number": lambda: known(disturbance="a"),
    "AdaptivePredictiveControl: lags must be made by Lags": lambda: adaptive(None),
    "AdaptivePredictiveControl: horizons must be made by Horizons": lambda: adaptive(horizons=5),
    "AdaptivePredictiveControl: closed must be True or False": lambda: adaptive(closed="no"),
    "AdaptivePredictiveControl: closed must be True or False, got 1": lambda: adaptive().close(1),
    "AdaptivePredictiveControl: learn must be True or False": lambda: adaptive(learn=1.0),
    "AdaptivePredictiveControl: learning must be a whole number of at least 0, got nan": lambda: adaptive(
        learning=np.nan
    ),
    "AdaptivePredictiveControl: learning must be a whole number of at least 0, got -5": lambda: adaptive(learning=-5),
    "AdaptivePredictiveControl: learning must be a whole number of at least 0, got 'a'": lambda: adaptive(learning="a"),
    "AdaptivePredictiveControl: seed must be a whole number": lambda: adaptive(seed=1.5),
    "AdaptivePredictiveControl: every must be a whole number": lambda: adaptive(every="1"),
    "AdaptivePredictiveControl: quiet must be a part": lambda: adaptive(quiet=2.0),
    "AdaptivePredictiveControl: lower must be a number": lambda: adaptive(lower=Parameter("limit", -1.0)),
    "AdaptivePredictiveControl: output_scale must be a number": lambda: adaptive(output_scale=Parameter("size", 1.0)),
    "RecursiveIdentification: lags must be made by Lags": lambda: learner((1, 1, 2, 2)),
    "RecursiveIdentification: forgetting must be a number": lambda: learner(forgetting="1"),
    "RecursiveIdentification: ceiling must be a number": lambda: learner(ceiling="1"),
    "RecursiveIdentification: theta must be a number": lambda: learner(theta="a"),
    "RecursiveIdentification: theta must be finite": lambda: learner(theta=np.full((4, 1), np.nan)),
    "Lags: constant must be True or False": lambda: Lags(1, 1, 2, 2, constant="abc"),
    "Horizons: last must be a whole number": lambda: Horizons("5", 2),
    "ARMAX: A must be a number": lambda: ARMAX(A="abc", B=[1.0]),
    "ARMAX: constant must be a number or 1 of them": lambda: ARMAX([0.5], [1.0], constant=[1.0, 2.0, 3.0]),
    "ARMAX: A of the states must have shape": lambda: ARMAX.from_state_space([], [], []),
    "ARMAX: B of the states must have shape (2, 1)": lambda: ARMAX.from_state_space(0.5 * np.eye(2), [[1.0]], [[1, 1]]),
    "ARMAX: C of the states must be finite": lambda: ARMAX.from_state_space(0.5, 1.0, np.nan),
    "ARMAX.simulate: u must have shape (samples, 1)": lambda: MODEL.simulate(np.zeros((3, 2))),
    "ARMAX.simulate: e must have shape (samples, 1)": lambda: MODEL.simulate([0.0, 1.0], e=[1.0]),
    "HigherHarmonicControl: loads must be a whole number of at least 1": lambda: harmonic(loads=0),
    "HigherHarmonicControl: amplitudes must be a whole number of at least 1, got 0": lambda: harmonic(amplitudes=0),
    "HigherHarmonicControl: amplitudes must be a whole number of at least 1, got -1": lambda: harmonic(amplitudes=-1),
    "HigherHarmonicControl: limit must be a number": lambda: harmonic(limit="1"),
    "HigherHarmonicControl: limit must be a number or 1 numbers, got nan": lambda: harmonic(limit=np.nan),
    "HigherHarmonicControl: forgetting must be a number": lambda: harmonic(forgetting="1"),
    "HigherHarmonicControl: weight must be a number": lambda: harmonic(weight=[True, 1.0]),
    "HarmonicAnalysis: harmonic must be a whole number": lambda: HarmonicAnalysis(1, 4.5, 90, step=1.0),
}


@pytest.mark.parametrize("words", WRONG)
def test_it_is_refused_by_name(words):
    with pytest.raises(BlockError) as error:
        WRONG[words]()
    assert str(error.value).startswith(words)


def test_an_unstable_model_that_is_looked_at_too_far_ahead():
    """3^2000 is beyond floats: said with the pole, and a tuned law stays as it was."""
    unstable = ARMAX(A=[3.0], B=[1.0])
    with pytest.raises(
        BlockError, match=r"predictions over 2000 samples are not finite: the largest pole .* has magnitude 3"
    ):
        known(unstable, Horizons(2000, 2))
    gpc = known(unstable)
    before = gpc.gains, gpc.horizons, gpc.control_weight
    with pytest.raises(BlockError, match="reduce the horizon"):
        gpc.tune(last=2000, control_weight=1.0)
    assert before == (gpc.gains, gpc.horizons, gpc.control_weight)
    assert np.isfinite(gpc([1.0])).all()


def test_a_stream_of_plain_numbers_is_a_record_of_one_channel():
    """The answer of y_k = y_{k-1} / 2 + u_{k-1} to a pulse: halves."""
    assert MODEL.simulate([1.0, 0.0, 0.0]).ravel().tolist() == [1.0, 0.5, 0.25]
