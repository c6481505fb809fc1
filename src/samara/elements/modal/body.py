"""Modal body."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.elements.families import XYZ
from samara.elements.modal.reduction import Reduction
from samara.model import (
    Contribution,
    EnergyBooks,
    Node,
    Output,
    Site,
    State,
    Weighted,
    driven,
    node,
    number,
    numbers,
    setting,
)
from samara.rotations import cross, dot


class ModalBody(Weighted, EnergyBooks):
    """A flexible body described by modes relative to a floating frame, the node.

        p  = m v + w x S + S1 q_dot,   h = S x v + J w + A q_dot,   pi = S1^T v + A^T w + Mq q_dot
        p_dot + w x p = F,   h_dot + w x h + v x p = M,   pi_dot - dT/dq + D q_dot + K q = Q

    v, w: twist of the node in its own axes; q: modal amplitudes, scalar states of the body, ``body.q1`` and so on.
    S, J, A depend on q as in `Reduction`: energy is conserved. Attach other elements by `ModalInterface`.

    Limits: the modes are linear, so a body with centrifugal stiffening (a rotor blade) needs beams. The cost grows with
    the square of the number of modes: use a dozen or two.

    n: the node. reduction: from `craig_bampton(...)` or `Reduction.from_arrays(...)`; start: initial amplitudes.
    mass, s, S1, J0, J1, J2, A0, A1, modal_mass, stiffness, damping: taken from the reduction, see `Reduction`.
    gravity: [m/s^2], world axes, by default that of the model.
    """

    n: Node = node(kw_only=False)
    reduction: Reduction = setting(default=None)
    start: Any = setting(default=())
    mass: float = number(default=None, unit="kg", positive=True)
    s: Any = numbers(default=None, unit="kg m")
    S1: Any = numbers(default=None)
    J0: Any = numbers(default=None, unit="kg m^2")
    J1: Any = numbers(default=None)
    J2: Any = numbers(default=None)
    A0: Any = numbers(default=None)
    A1: Any = numbers(default=None)
    modal_mass: Any = numbers(default=None)
    stiffness: Any = numbers(default=None)
    damping: Any = numbers(default=None)
    gravity: Any = driven(default=None, unit="m/s^2", size=3)

    def prepare(self) -> None:
        if not isinstance(self.reduction, Reduction):
            raise ValueError(
                "reduction must be the object returned by craig_bampton(...) or Reduction.from_arrays(...)"
            )
        for name in ("mass", "s", "S1", "J0", "J1", "J2", "A0", "A1", "modal_mass", "stiffness", "damping"):
            if getattr(self, name) is not None:
                raise ValueError(f"{name} is taken from the reduction: omit it")
            object.__setattr__(self, name, getattr(self.reduction, name))
        if np.size(self.start) not in (0, self.reduction.count):
            raise ValueError(f"start must have {self.reduction.count} amplitudes, got {np.size(self.start)}")

    def own_states(self) -> dict[str, State]:
        count = self.reduction.count
        start = np.ravel(self.start) if np.size(self.start) else np.zeros(count)
        scale = 0.01 * self.reduction.length
        return {f"q{k + 1}": State(2, value=start[k], unit="m", scale=scale) for k in range(count)}

    def total_mass(self) -> float:
        return float(self.mass)

    def formulate(self, site: Site) -> Contribution:
        n, m = site.frames[-1], self.mass
        s = n.carried  # inertia does not feel a constant velocity
        v, w, dv, dw = s.v, s.w, s.dv, s.dw
        q, rate, second = (np.array([x[level] for x in site.states]) for level in range(3))
        S, S_dot = self.s + self.S1 @ q, self.S1 @ rate
        modes = range(len(q))
        by_q = [self.J1[j] + sum(q[i] * (self.J2[i, j] + self.J2[i, j].T) for i in modes) for j in modes]
        J = self.J0 + sum(q[j] * (self.J1[j] + sum(q[i] * self.J2[i, j] for i in modes)) for j in modes)
        J_dot = sum(rate[j] * by_q[j] for j in modes)
        A, A_dot = (base + sum(x[j] * self.A1[j] for j in modes) for base, x in ((self.A0, q), (0.0, rate)))

        p = m * v + cross(w, S) + S_dot
        h = cross(S, v) + J @ w + A @ rate
        p_dot = m * dv + cross(dw, S) + cross(w, S_dot) + self.S1 @ second
        h_dot = cross(S_dot, v) + cross(S, dv) + J_dot @ w + J @ dw + A_dot @ rate + A @ second
        pi_dot = self.S1.T @ dv + A_dot.T @ w + A.T @ dw + self.modal_mass @ second
        T_q = [dot(v, cross(w, self.S1[:, j])) + 0.5 * dot(w, by_q[j] @ w) + dot(w, self.A1[j] @ rate) for j in modes]
        elastic, damped = self.stiffness @ q, self.damping @ rate

        def height(n):
            amplitudes = np.array([x.value for x in site.states])
            moment = self.s + self.S1 @ amplitudes
            return [-dot(self.gravity, m * site.world.see(np.zeros(3)) + site.world.R.T @ moment)]

        fall = site.measure(height)
        wrench = np.concatenate([p_dot + cross(w, p), h_dot + cross(w, h) + cross(v, p)])
        v = n.v  # what is reported is seen from the world
        p, h = m * v + cross(w, S) + S_dot, cross(S, v) + J @ w + A @ rate
        pi = self.S1.T @ v + A.T @ w + self.modal_mass @ rate
        # about the world's origin, in axes of the node
        out, about = site.world.R.T, h - cross(site.world.p, p)
        return Contribution(
            wrenches=[wrench + fall.wrenches([1.0])[0]],
            balances=pi_dot - np.array(T_q) + elastic + damped + fall.balances([1.0]),
            kinetic=0.5 * (dot(v, p) + dot(w, h) + rate @ pi),
            potential=0.5 * (q @ elastic) + fall.value[0],
            dissipated=rate @ damped,
            supplied=fall.drift[0],
            outputs=[
                Output("momentum", "kg m/s", out @ p, XYZ, "linear momentum, world axes"),
                Output("angular_momentum", "kg m^2/s", out @ about, XYZ, "about the world's origin, its axes"),
            ],
        )
