"""From poles of a Hankel matrix to modes with shapes and confidence: common part of matrix pencil and ERA."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from samara.analysis.identification.exponentials import fit_exponentials
from samara.analysis.identification.hankel import Hankel
from samara.analysis.identification.identified import Identified, require_modes
from samara.analysis.identification.signals import Signals

#: Poles z smaller than this are no motion: they are over within one sample.
DEAD = 1e-12


@dataclass(frozen=True)
class Poles:
    """Eigenvalues z = exp(s d h) of a pencil.

    noise:     g[n, c] of each pole, dz = sum g[n, c] dy_c[n], shape (order, n, c), complex.
    histories: of the modes, sample by sample, in the columns of the matrix, shape (order, columns).
    spacing:   d samples; step: h [s].
    """

    z: np.ndarray
    noise: np.ndarray
    histories: np.ndarray
    spacing: int
    step: float

    @cached_property
    def eigenvalues(self) -> np.ndarray:
        """s [rad/s] = ln z / (d h), on the branch given by the histories; nan for a vanishing pole."""
        alive = np.abs(self.z) > DEAD
        found = np.where(alive, np.log(np.where(alive, self.z, 1.0).astype(complex)), np.nan)
        if self.spacing > 1:
            one = (self.histories[:, 1:] * self.histories[:, :-1].conj()).sum(axis=1)
            turns = np.round((np.angle(one) * self.spacing - found.imag) / (2.0 * np.pi))
            still = (self.z.imag == 0.0) & (self.z.real > 0.0)
            found += 2j * np.pi * np.where(still | ~alive, 0.0, turns)
        return found / (self.spacing * self.step)

    def errors(self, noise: np.ndarray) -> np.ndarray:
        """Standard errors of Re s and, in the imaginary part, of Im s, for white noise of that size in each channel."""
        slopes = 1.0 / (np.where(np.abs(self.z) > DEAD, self.z, 1.0) * self.spacing * self.step)
        g = self.noise * slopes[:, None, None] * noise
        return np.sqrt((g.real**2).sum(axis=(1, 2))) + 1j * np.sqrt((g.imag**2).sum(axis=(1, 2)))


def coherences(poles: Poles, h: Hankel) -> np.ndarray:
    """Modal amplitude coherence |a b^H| / (|a| |b|) of each history a with its ideal b_k = exp(s k h).

    Source: J.-N. Juang and R. S. Pappa, J. Guidance, Control and Dynamics 8 (1985) 620-627, section on accuracy
    indicators.
    """
    k = np.arange(poles.histories.shape[1])
    late = np.where(poles.eigenvalues.real > 0.0, k[-1], 0)
    ideal = np.exp(poles.eigenvalues[:, None] * poles.step * (k - late[:, None]))
    ideal -= (ideal @ h.known) @ h.known.T
    sizes = np.linalg.norm(poles.histories, axis=1) * np.linalg.norm(ideal, axis=1)
    return np.abs((poles.histories * ideal.conj()).sum(axis=1)) / np.maximum(sizes, 1e-300)


def modes_of(signals: Signals, h: Hankel, poles: Poles, coherence: float = 0.0) -> Identified:
    """Modes with Im s >= 0 whose coherence is large enough; amplitudes by least squares; errors of first order.

    Noise in the samples is assumed white, with the standard deviation of each channel's residual.
    """
    alike = coherences(poles, h)
    s = poles.eigenvalues
    kept = np.flatnonzero(np.isfinite(s) & (s.imag >= 0.0) & (alike >= coherence))
    require_modes(signals.method, kept)
    kept = kept[np.lexsort((s[kept].imag, np.abs(s[kept])))]
    fit = fit_exponentials(signals, s[kept])
    errors = poles.errors(fit.noise)[kept]
    errors = np.where(s[kept].imag == 0.0, errors.real, errors)  # a real pole of real signals stays real
    return Identified(
        signals.method, s[kept], errors, fit.amplitudes, signals.channels, signals.time, signals.values, fit.fitted,
        fit.freedom * signals.values.shape[1], alike[kept], h.singular, signals.stand_in,
    )  # fmt: skip
