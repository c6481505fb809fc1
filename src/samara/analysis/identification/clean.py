"""Removal of motions of known frequency from signals."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from samara.analysis.identification.exponentials import fit_exponentials
from samara.analysis.identification.hankel import hankel
from samara.analysis.identification.matrix_pencil import pencil_poles
from samara.analysis.identification.poles import modes_of
from samara.analysis.identification.signals import Signals
from samara.model import ArgumentError


def without_known(signals: Signals) -> Signals:
    """The signals minus their known motions, which are fitted together with the modes found by a matrix pencil.

    Fitted alone, a mean or a harmonic would absorb part of a decaying motion.
    """
    if not signals.known:
        return signals
    try:
        h = hankel(signals, None, None)
        eigenvalues = modes_of(signals, h, pencil_poles(signals, h)).eigenvalues
    except ArgumentError:  # nothing but noise beside them
        eigenvalues = np.zeros(0, complex)
    fit = fit_exponentials(signals, eigenvalues)
    return replace(signals, values=signals.values - fit.forced, known=())
