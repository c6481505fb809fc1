"""Predictive control of sampled systems, and what learns their models as they run.

lags.py             what a model looks at of the past
armax.py            sampled models by their difference equation: ARX, ARMAX
identification.py   their coefficients, sample by sample; spread.py: what is too far off to learn from
design.py           predictions, and the gains that make the best of them
control.py, adaptive.py
                    generalised predictive control of a model that is known, or learnt
harmonic.py         higher-harmonic control: amplitudes instead of samples
"""

from samara.blocks.predictive.adaptive import AdaptivePredictiveControl
from samara.blocks.predictive.armax import ARMAX
from samara.blocks.predictive.control import PredictiveControl
from samara.blocks.predictive.design import Horizons
from samara.blocks.predictive.harmonic import HarmonicAnalysis, HigherHarmonicControl
from samara.blocks.predictive.identification import RecursiveIdentification
from samara.blocks.predictive.lags import Lags

__all__ = [
    "ARMAX",
    "AdaptivePredictiveControl",
    "HarmonicAnalysis",
    "HigherHarmonicControl",
    "Horizons",
    "Lags",
    "PredictiveControl",
    "RecursiveIdentification",
]
