"""Linear systems in state-space form."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from samara.blocks.block import Block, BlockError, Inlet
from samara.blocks.checks import finite_number, finite_numbers, matrix, one_of
from samara.blocks.linear.combination import dot
from samara.model import numbers, setting

METHODS = ("zoh", "tustin")
#: Condition of a matrix beyond which it counts as singular.
LARGEST_CONDITION = 1e12


def discretise(A: Any, B: Any, C: Any, D: Any, step: float, method: str = "zoh") -> tuple[np.ndarray, ...]:
    """Discretises x_dot = A x + B u, y = C x + D u: (A, B, C, D) of the sampled system.

    "zoh":    exact for inputs held over a sample:  A_d = exp(A h),  B_d = integral of exp(A s) ds B
    "tustin": the trapezoidal rule, s = (2 / h) (z - 1) / (z + 1)

    By SciPy's `cont2discrete`.
    """
    from scipy.signal import cont2discrete  # takes a while to load

    one_of("discretise", "method", method, METHODS)
    step = finite_number("discretise", "step", step)
    if not step > 0.0:
        raise BlockError(f"discretise: step must be positive, got {step:g}")
    matrices = tuple(matrix("discretise", name, m) for name, m in {"A": A, "B": B, "C": C, "D": D}.items())
    require_shapes("discretise", *matrices)
    return tuple(cont2discrete(matrices, step, "bilinear" if method == "tustin" else method)[:4])


def require_shapes(who: str, A: np.ndarray, B: np.ndarray, C: np.ndarray, D: np.ndarray) -> None:
    """Refuses matrices that do not go together."""
    n, inputs, outputs = len(A), B.shape[1], len(C)
    shapes = {"A": (n, n), "B": (n, inputs), "C": (outputs, n), "D": (outputs, inputs)}
    for found, (name, shape) in zip((A, B, C, D), shapes.items(), strict=True):
        if found.shape != shape:
            raise BlockError(f"{who}: {name} must have shape {shape}, got {found.shape}")


class StateSpace(Block):
    """A linear system with any number of inputs and outputs: continuous-time without a step, sampled with one.

        dx/dt   = A x   + B u,     y   = C x   + D u        step is left out; A and B in 1/s
        x_{k+1} = A x_k + B u_k,   y_k = C x_k + D u_k      step: sample time [s]

    A, B, C, D: matrices; D is zero by default. Single inputs and outputs are numbers, several are lists. Without states
    (A, B and C empty) it is the gain D. initial: initial x, one number for all or one each; by default the steady state
    for the initial input, or x = 0 if an integrator has none.
    """

    time_between = "even"
    needs_step = True

    A: Any = numbers()
    B: Any = numbers()
    C: Any = numbers()
    D: Any = numbers(default=None)
    initial: Any = setting(default=None)
    first: Any = numbers(default=(), init=False)  # x at the start, and what u adds to it
    rest: Any = numbers(default=(), init=False)

    def prepare(self) -> None:
        who = type(self).__name__
        A, B, C = (np.atleast_2d(finite_numbers(who, name, getattr(self, name))) for name in "ABC")
        D = None if self.D is None else matrix(who, "D", self.D)
        if not A.size and not B.size and not C.size and D is not None:  # a gain, without a state
            A, B, C = np.zeros((0, 0)), np.zeros((0, D.shape[1])), np.zeros((len(D), 0))
        else:
            A, B, C = (matrix(who, name, found) for name, found in zip("ABC", (A, B, C), strict=True))
        D = np.zeros((len(C), B.shape[1])) if D is None else D
        require_shapes(who, A, B, C, D)
        self.keep(A=A, B=B, C=C, D=D, **self._start(who, A, B))

    def _start(self, who: str, A: np.ndarray, B: np.ndarray) -> dict[str, np.ndarray]:
        """x at the start by what goes in then."""
        n = len(A)
        if self.initial is not None:
            given = finite_numbers(who, "initial", self.initial)
            if given.shape not in ((), (n,)):
                raise self.refuse(f"initial must be a number, or {n} of them, got shape {given.shape}")
            return {"first": np.array(np.broadcast_to(given, (n,))), "rest": np.zeros(B.shape)}
        still = -A if self.step is None else np.eye(n) - A
        has_rest = bool(n) and np.linalg.cond(still) < LARGEST_CONDITION
        return {"first": np.zeros(n), "rest": np.linalg.solve(still, B) if has_rest else np.zeros(B.shape)}

    def discretise(self, step: float, method: str = "zoh") -> Self:
        """The sampled form of a continuous-time system: see `discretise`."""
        if self.step is not None:
            raise self.refuse("is sampled already")
        A, B, C, D = discretise(self.A, self.B, self.C, self.D, step, method)
        return type(self)(A, B, C, D, initial=self.initial, step=step)

    def ports(self):
        inputs = self.B.shape[1]
        return {"u": Inlet(inputs)}

    def start(self, u):
        return [dot(row, u, x) for x, row in zip(self.first.tolist(), self.rest.tolist(), strict=True)]

    def output(self, x, u, h):
        return [dot(d, u, dot(c, x)) for c, d in zip(self.C.tolist(), self.D.tolist(), strict=True)]

    def next(self, x, u, h):
        return [dot(b, u, dot(a, x)) for a, b in zip(self.A.tolist(), self.B.tolist(), strict=True)]

    # ---- in continuous time
    def rate(self, x, u):
        return self.next(x, u, 0.0)

    def initials(self):
        settled = self.initial is None and self.rest.any()
        return [None if settled else value for value in self.first.tolist()]

    @property
    def state(self) -> list[float]:
        """The state, at the next sample; before the first one where that begins, or zero."""
        return self.memory or self.first.tolist()
