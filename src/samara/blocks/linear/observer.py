"""Observer of a linear system."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.blocks.block import Block, Inlet
from samara.blocks.checks import matrix
from samara.blocks.linear.combination import product
from samara.blocks.linear.state_space import require_shapes
from samara.model import numbers, setting


class Observer(Block):
    """A Luenberger observer: estimates the state from inputs and outputs.

        x^_{k+1} = A x^_k + B u_k + L (y_k - C x^_k - D u_k)        step: sample time [s]
        dx^/dt   = A x^   + B u   + L (y   - C x^   - D u)          step is left out

    A, B, C, D: of the system, sampled (`discretise`) or in continuous time. L: gain, shape (states, outputs), from
    `kalman` or by placing the poles of A - L C. Sampled, a call with u_k and y_k returns x^_{k+1}, the state at the
    next sample; before the call, `state` is the present estimate, so that u_k = -K state can be output first. In
    continuous time the output is x^. It starts at `initial`, one number for all or one each, by default zero.
    """

    time_between = "even"
    needs_step = True

    A: Any = setting(default=None)
    B: Any = setting(default=None)
    C: Any = setting(default=None)
    D: Any = setting(default=None)
    L: Any = setting(default=None)
    initial: Any = numbers(default=0.0)
    by: Any = numbers(default=(), init=False)  # A - L C, B - L D, L

    def prepare(self) -> None:
        who = type(self).__name__
        A, B, C, D, L = (matrix(who, name, getattr(self, name)) for name in "ABCDL")
        require_shapes(who, A, B, C, D)
        n = len(A)
        if L.shape != (n, len(C)):
            raise self.refuse(f"L must have shape {(n, len(C))}, got {L.shape}")
        grows = self.poles.real if self.step is None else np.abs(self.poles) - 1.0
        if grows.max(initial=-1.0) >= 0.0:
            form = "in continuous time, for there is no step" if self.step is None else f"at a step of {self.step:g} s"
            raise self.refuse(
                f"A - L C is not stable {form}: the error would grow; choose another L, for example by `kalman`"
            )
        given = matrix(who, "initial", self.initial).ravel()
        if given.shape not in ((1,), (n,)):
            raise self.refuse(f"initial must be a number, or {n} of them, got shape {given.shape}")
        self.keep(initial=np.array(np.broadcast_to(given, (n,))), by=np.hstack([A - L @ C, B - L @ D, L]))

    @property
    def poles(self) -> np.ndarray:
        """Eigenvalues of A - L C: with them the error decays."""
        A, C, L = (np.atleast_2d(np.array(m, float)) for m in (self.A, self.C, self.L))
        return np.linalg.eigvals(A - L @ C)

    def ports(self):
        n, outputs = len(self.initial), np.atleast_2d(self.C).shape[0]
        return {"u": Inlet(self.by.shape[1] - n - outputs), "y": Inlet(outputs)}

    def start(self, u):
        return self.initial.tolist()

    def output(self, x, u, h):
        return self.next(x, u, h)

    def next(self, x, u, h):
        return product(self.by, [*x, *u])

    def answer(self, y):
        return [float(one) for one in y]

    def smooth(self, x, u):
        return list(x)

    def rate(self, x, u):
        return self.next(x, u, 0.0)

    def initials(self):
        return self.initial.tolist()

    @property
    def state(self) -> list[float]:
        """The estimate for the next sample."""
        return self.memory or self.initial.tolist()
