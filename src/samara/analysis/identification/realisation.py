"""ERA: the Eigensystem Realisation Algorithm."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from samara.analysis.identification.hankel import Hankel, hankel
from samara.analysis.identification.identified import Identified
from samara.analysis.identification.poles import Poles, modes_of
from samara.analysis.identification.signals import Signals, read_signals
from samara.arguments import not_negative
from samara.results import Results


def era(
    source: Results | np.ndarray | Sequence[float],
    signals: str | Sequence[str] | np.ndarray,
    *,
    window: tuple[float, float] | None = None,
    order: int | None = None,
    rows: int | None = None,
    coherence: float = 0.0,
    remove: Iterable[float] = (),
    reference: Results | np.ndarray | None = None,
    clipped: bool = False,
) -> Identified:
    """Eigensystem realisation algorithm (ERA): modes of a free motion by a balanced realisation of the data.

        H(0) = U S V^T,   A = S^-1/2 U^T H(1) V S^-1/2,   z = eig(A) = exp(s d h)

    with H(0), H(1) the block Hankel matrices of the samples and of the samples d steps h [s] later.

    coherence: modes with a lower modal amplitude coherence, 0 to 1, are left out; true modes of a clear signal have
               more than 0.95.

    The other arguments, the scaling and the errors are those of `matrix_pencil`. `strength` of the result is the modal
    singular value.
    Source: J.-N. Juang and R. S. Pappa, J. Guidance, Control and Dynamics 8 (1985) 620-627.
    """
    coherence = not_negative("era: coherence", coherence)
    data = read_signals("era", source, signals, window, remove, reference, clipped)
    h = hankel(data, order, rows)
    return modes_of(data, h, realisation_poles(data, h), coherence)


def realisation_poles(signals: Signals, h: Hankel) -> Poles:
    """Poles of the balanced realisation."""
    root = np.sqrt(h.S)
    z, T = np.linalg.eig((h.U / root).T @ h.later @ (h.V / root))
    left = np.linalg.solve(T, (h.U / root).T.astype(complex))
    right = (h.V / root) @ T
    histories = np.linalg.solve(T, (root * h.V).T.astype(complex))
    noise = []
    for p, q, pole in zip(left, right.T, z, strict=True):
        now = h.spread(p, q, len(signals.time))
        noise.append(np.roll(now, h.spacing, axis=0) - pole * now)  # H(0) does not reach the last d samples
    return Poles(z, np.array(noise), histories, h.spacing, signals.step)
