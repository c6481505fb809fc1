"""Discrete linear system in state-space form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from samara.realtime.controllers.blocks.block import BlockError, PythonBlock, finite_number, matrix, one_of

METHODS = ("zoh", "tustin")


def discretise(A: Any, B: Any, C: Any, D: Any, step: float, method: str = "zoh") -> tuple[np.ndarray, ...]:
    """(A, B, C, D) of a sampled system from those of x_dot = A x + B u, y = C x + D u.

    "zoh":    exact for an input that is held over a sample:  A_d = exp(A h),  B_d = integral of exp(A s) ds B
    "tustin": the trapezoidal rule, s = (2 / h) (z - 1) / (z + 1)

    By SciPy's `cont2discrete`.
    """
    from scipy.signal import cont2discrete  # takes a while to load

    one_of("discretise", "method", method, METHODS)
    step = finite_number("discretise", "step", step)
    if not step > 0.0:
        raise BlockError(f"discretise: step must be positive, got {step:g}")
    matrices = tuple(matrix("discretise", name, m) for name, m in {"A": A, "B": B, "C": C, "D": D}.items())
    n, inputs, outputs = len(matrices[0]), matrices[1].shape[1], len(matrices[2])
    for name, found, shape in zip(
        "ABCD", matrices, ((n, n), (n, inputs), (outputs, n), (outputs, inputs)), strict=True
    ):
        if found.shape != shape:
            raise BlockError(f"discretise: {name} must have shape {shape}, got {found.shape}")
    return tuple(cont2discrete(matrices, step, "bilinear" if method == "tustin" else method)[:4])


class StateSpaceBlock(PythonBlock):
    """x_{k+1} = A x_k + B u_k,   y_k = C x_k + D u_k.

    A call takes a number or a sequence of them and returns a float where there is one output, else an array that the
    next call uses again. D: zero by default.
    """

    def __init__(self, A: Any, B: Any, C: Any, D: Any = None, *, step: float) -> None:
        self.step = self.positive("step", step)
        self.A, self.B, self.C = (self.as_matrix(name, m) for name, m in (("A", A), ("B", B), ("C", C)))
        n, inputs, outputs = len(self.A), self.B.shape[1], len(self.C)
        self.D = np.zeros((outputs, inputs)) if D is None else self.as_matrix("D", D)
        for name, shape in (("A", (n, n)), ("B", (n, inputs)), ("C", (outputs, n)), ("D", (outputs, inputs))):
            found = getattr(self, name)
            if found.shape != shape:
                raise self.refuse(f"{name} must have shape {shape}, got {found.shape}")
        self._all = np.ascontiguousarray(np.block([[self.C, self.D], [self.A, self.B]]))
        self._in, self._out = np.zeros(n + inputs), np.zeros(outputs + n)
        # views: the state and the input of this sample; its output, and the state of the next
        self._x, self._u = self._in[:n], self._in[n:]
        self._y, self._next = self._out[:outputs], self._out[outputs:]
        self._single = outputs == 1

    @classmethod
    def from_continuous(cls, A: Any, B: Any, C: Any, D: Any, *, step: float, method: str = "zoh") -> StateSpaceBlock:
        """From x_dot = A x + B u, y = C x + D u, see `discretise`."""
        return cls(*discretise(A, B, C, D, step, method), step=step)

    def __getstate__(self) -> tuple[Any, ...]:
        """Numbers alone: a copy makes views of its own."""
        return self.A, self.B, self.C, self.D, self.step, self.state

    def __setstate__(self, kept: tuple[Any, ...]) -> None:
        *matrices, step, x = kept
        StateSpaceBlock.__init__(self, *matrices, step=step)
        self.reset(x)

    @property
    def state(self) -> np.ndarray:
        """The state, a copy."""
        return self._x.copy()

    def reset(self, x: Sequence[float] | None = None) -> None:
        """The state at `x`, by default zero."""
        self._x[:] = 0.0 if x is None else self.sampled_channels("x", x, len(self._x))

    def __call__(self, u: Any) -> Any:
        """The output at this sample; then the state goes on."""
        self._u[:] = self.sampled_channels("u", u, len(self._u))
        self.answers(np.dot(self._all, self._in, out=self._out))
        self._x[:] = self._next
        return float(self._y[0]) if self._single else self._y
