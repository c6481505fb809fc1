"""Observer of a sampled linear system."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.realtime.controllers.blocks.block import PythonBlock


class Observer(PythonBlock):
    """Luenberger's: the state that is not measured, from inputs and outputs.

        x^_{k+1} = A x^_k + B u_k + L (y_k - C x^_k - D u_k)

    A, B, C, D: of the sampled system (`discretise`). L: gain, shape (states, outputs), from `kalman` or by poles of
    A - L C. A call with u_k and y_k returns x^_{k+1}, the state at the next sample; `state` is that of this one before
    the call, so that u_k = -K state can be sent before anything is computed. The array is used again.
    """

    def __init__(self, A: Any, B: Any, C: Any, D: Any, L: Any, *, step: float) -> None:
        self.step = self.positive("step", step)
        given = {"A": A, "B": B, "C": C, "D": D, "L": L}
        A, B, C, D, L = (self.as_matrix(name, m) for name, m in given.items())
        n, inputs, outputs = len(A), B.shape[1], len(C)
        for name, found, shape in (
            ("A", A, (n, n)), ("B", B, (n, inputs)), ("C", C, (outputs, n)),
            ("D", D, (outputs, inputs)), ("L", L, (n, outputs)),
        ):  # fmt: skip
            if found.shape != shape:
                raise self.refuse(f"{name} must have shape {shape}, got {found.shape}")
        self.poles = np.linalg.eigvals(A - L @ C)
        if np.abs(self.poles).max(initial=0.0) >= 1.0:
            raise self.refuse("A - L C is not stable: the error would grow; choose another L, by `kalman` perhaps")
        self._by = np.ascontiguousarray(np.hstack([A - L @ C, B - L @ D, L]))
        self._in = np.zeros(n + inputs + outputs)
        self._sizes = n, inputs, outputs
        self.state, self._next = np.zeros(n), np.zeros(n)

    def reset(self, x: Any = None) -> None:
        """The estimate at `x`, by default zero."""
        self.state[:] = 0.0 if x is None else self.sampled_channels("x", x, self._sizes[0])

    def __call__(self, u: Any, y: Any) -> np.ndarray:
        """The estimate for the next sample."""
        given, (n, inputs, outputs) = self._in, self._sizes
        given[:n] = self.state
        given[n : n + inputs] = self.sampled_channels("u", u, inputs)
        given[n + inputs :] = self.sampled_channels("y", y, outputs)
        np.dot(self._by, given, out=self._next)
        self.answers(self._next)
        self.state[:] = self._next
        return self.state
