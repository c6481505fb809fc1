"""Linear system in state-space form, in continuous time."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.arguments import finite_numbers
from samara.elements.control.blocks.signal_block import SignalBlock
from samara.model import Contribution, ModelError, Site, State, numbers, setting, signals

#: Condition of A beyond which it counts as singular.
LARGEST_CONDITION = 1e12


class ContinuousStateSpace(SignalBlock):
    """dx/dt = A x + B u,   y = C x + D u: any number of signals in and out.

    u: signals, one a column of B. A, B, C, D: matrices, A in 1/s; D is zero by default. start: x at the start; by
    default the system starts settled, with the x at which dx/dt = 0, and with x = 0 where A is singular. Without states
    (A, B and C empty) it is the gain D.
    The signals that go out are ``block.outputs``, a list; they are called ``output``, or ``y1``, ``y2``, ... if there
    are several. scale, unit: of all of them. The discrete one is `samara.realtime.controllers.StateSpaceBlock`. See
    `SignalBlock` for the rest.
    """

    u: Any = signals(kw_only=False)
    A: Any = numbers()
    B: Any = numbers()
    C: Any = numbers()
    D: Any = numbers(default=None)
    start: Any = setting(default=None)

    def prepare(self) -> None:
        super().prepare()
        if not isinstance(self.u, (tuple, list)):
            raise ValueError("u must be a list of signals, one a column of B")
        A, B, C = (np.atleast_2d(finite_numbers(name, getattr(self, name))) for name in "ABC")
        D = None if self.D is None else np.atleast_2d(finite_numbers("D", self.D))
        inputs = len(self.u)
        if not A.size and not B.size and not C.size and D is not None:  # a gain, without a state
            A, B, C = np.zeros((0, 0)), np.zeros((0, inputs)), np.zeros((len(D), 0))
        n, outputs = len(A), len(C)
        if not outputs or (not n and D is None):
            raise ValueError("A, B and C are empty: give D, a gain, or a system with states")
        D = np.zeros((outputs, inputs)) if D is None else D
        for name, found, shape in (
            ("A", A, (n, n)), ("B", B, (n, inputs)), ("C", C, (outputs, n)), ("D", D, (outputs, inputs)),
        ):  # fmt: skip
            if found.shape != shape:
                raise ValueError(f"{name} must have shape {shape}, got {found.shape}")
        self.A, self.B, self.C, self.D = A, B, C, D
        if self.start is not None and finite_numbers("start", self.start).shape != (n,):
            raise ValueError(f"start must be {n} numbers, got {self.start!r}")

    @property
    def outputs(self) -> list[State]:
        """The signals that go out."""
        return list(self.owned.values())[: len(np.atleast_2d(np.asarray(self.C)))]

    @property
    def output(self) -> State:
        """The signal that goes out, where there is one."""
        if len(self.outputs) > 1:
            raise ModelError(
                f"ContinuousStateSpace {self.name!r} has {len(self.outputs)} outputs: take them from outputs"
            )
        return self.outputs[0]

    def own_states(self) -> dict[str, State]:
        self.prepare()
        n, outputs = len(self.A), len(self.C)
        settled = bool(n) and self.start is None and np.linalg.cond(self.A) < LARGEST_CONDITION
        values = np.zeros(n) if self.start is None else np.asarray(self.start, float)
        shown = (
            {"output": self.new_output()} if outputs == 1 else {f"y{i + 1}": self.new_output() for i in range(outputs)}
        )
        inner = {f"x{i + 1}": State(1, value=values[i], scale=self.scale, settled=settled) for i in range(n)}
        return {**shown, **inner}

    def formulate(self, site: Site) -> Contribution:
        u = np.array(self.received(site, "u"), dtype=object)
        n, outputs = len(self.A), len(self.C)
        own = site.states[len(site.states) - n - outputs :]
        y, rates = (
            np.array([getattr(s, name) for s in part], dtype=object)
            for name, part in (("value", own[:outputs]), ("rate", own[outputs:]))
        )
        x = np.array([s.value for s in own[outputs:]], dtype=object)
        return Contribution(
            wrenches=[],
            balances=[*(y - self.C @ x - self.D @ u), *(rates - self.A @ x - self.B @ u)],
        )
