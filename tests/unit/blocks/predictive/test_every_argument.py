"""Every argument of predictive control and what it is made of: what it cannot be is refused by name, never bare."""

import math

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

WRONG = {
    "text": "a",
    "none": None,
    "nan": math.nan,
    "infinite": math.inf,
    "complex": 1.0 + 1.0j,
    "empty": [],
    "ragged": [[1.0, 2.0], [3.0]],
    "deep": np.ones((2, 3, 4, 5)),
    "object": object(),
    "dictionary": {"a": 1.0},
    "huge": 10**400,
    "negative": -3.0,
}
LAGS = Lags(1, 1, 2, 2, 1, 1, 1, True)
MADE = {
    Lags: {
        "outputs": 1, "inputs": 1, "past_outputs": 2, "past_inputs": 2, "disturbances": 1, "past_disturbances": 1,
        "past_errors": 1, "constant": True,
    },
    Horizons: {"last": 5, "controls": 2, "first": 1, "beyond": "hold"},
    ARMAX: {"A": [0.5], "B": [1.0], "D": [0.1], "C": [0.1], "constant": 0.3},
    PredictiveControl: {
        "model": ARMAX([0.5], [1.0], [0.3]), "horizons": Horizons(5, 2), "step": 1.0, "disturbance": [[[0.9]]],
        "output_weight": 1.0, "control_weight": 0.1, "increment_weight": 0.1, "lower": -1.0, "upper": 1.0,
        "largest": 10.0,
    },
    AdaptivePredictiveControl: {
        "lags": LAGS, "horizons": Horizons(5, 2), "step": 1.0, "output_scale": 1.0, "input_scale": 1.0,
        "disturbance_scale": 1.0, "output_weight": 1.0, "control_weight": 0.1, "increment_weight": 0.1, "lower": -1.0,
        "upper": 1.0, "forgetting": 0.99, "start": 10.0, "ceiling": 100.0, "every": 1, "dither": 0.1, "quiet": 0.1,
        "seed": 0, "closed": True, "learn": True, "learning": 10, "largest": 10.0, "outlier": 8.0,
    },
    RecursiveIdentification: {
        "lags": Lags(1, 1, 1, 1), "step": 1.0, "forgetting": 0.99, "start": 10.0, "ceiling": 100.0,
        "theta": [[0.5], [1.0]], "largest": 10.0, "outlier": 8.0,
    },
    HarmonicAnalysis: {"channels": 1, "harmonic": 2, "samples": 40, "step": 1.0, "multiples": 2},
    HigherHarmonicControl: {
        "loads": 2, "amplitudes": 2, "step": 1.0, "load_scale": 1.0, "scale": 1.0, "probe": 1.0, "load_weight": 1.0,
        "weight": 0.1, "increment_weight": 0.1, "limit": 2.0, "forgetting": 0.9, "trust": 1e6, "largest": 10.0,
    },
}  # fmt: skip
#: What is no mistake after all.
FINE = {
    ("ARMAX", "constant", "negative"), ("ARMAX", "D", "none"), ("ARMAX", "C", "none"), ("ARMAX", "constant", "none"),
    ("PredictiveControl", "disturbance", "none"), ("AdaptivePredictiveControl", "learning", "none"),
    ("RecursiveIdentification", "theta", "none"), ("HigherHarmonicControl", "limit", "infinite"),
    *(
        (kind, name, case)
        for kind in ("PredictiveControl", "AdaptivePredictiveControl")
        for name, case in (("lower", "negative"), ("upper", "infinite"))
    ),
    *(
        (kind, "outlier", "infinite")
        for kind in ("AdaptivePredictiveControl", "RecursiveIdentification")
    ),
}  # fmt: skip


ARGUMENTS = [(kind, name) for kind, given in MADE.items() for name in given]


@pytest.mark.parametrize("case", WRONG)
@pytest.mark.parametrize(("kind", "name"), ARGUMENTS, ids=lambda v: getattr(v, "__name__", v))
def test_what_an_argument_cannot_be(kind, name, case):
    def make():
        return kind(**(MADE[kind] | {name: WRONG[case]}))

    if (kind.__name__, name, case) in FINE:
        make()
        return
    with pytest.raises(BlockError) as error:
        make()
    message = str(error.value)
    assert ": " in message and name in message, message
    assert message.split(": ")[0] in {k.__name__ for k in MADE}, message
