"""Lock: holds two nodes while it is engaged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from samara.elements.families import XYZ, Placed, reactions, settle_held_axes
from samara.elements.joints.friction.joint_with_friction import sliding, turning
from samara.model import Contribution, Engaged, Output, State, driven, number, option
from samara.rotations import dot, log_so3
from samara.tracing import select

#: Give of an engaged lock by force and by impulse [1/kg and 1/(kg s), per kg m^2 of couples], far below the inverse of
#: any mass: at rest it makes the reaction zero.
GIVE = 1e-12


class Lock(Placed, Engaged):
    """Stops the relative motion of two nodes while engaged, in any relative pose; exerts no force while released.

        engaged(t) > 1/2:  f_dot + f / time = 0        released:  no reaction

    f: the held components of the velocity of B's origin relative to the body of a [m/s] and of the angular velocity of
    b relative to a [rad/s], in axes of b. When the lock engages, its reactions make them decay as exp(-t / time);
    afterwards they stay zero. The equation is at acceleration level, and the reactions are the rates of states (the
    impulses transmitted since the lock engaged), so the number of equations does not change on engaging and releasing.
    No position is stored: a lock holds the pose in which it was closed. The power absorbed while engaging counts as
    (negative) supply.

    engaged: a drive: ``Step(1, time=2)`` engages at 2 s, ``Step(0, time=2, before=1)`` releases then; an `Input`; any
             function of t.
    time:    time constant of engaging [s]: 63 % of the speed is lost after it. It may be shorter than a step.
    hold_position, hold_rotation: three booleans each, in axes of b; by default only the rotation about z, to be used
             with a `Revolute`. Directions that a joint already constrains must not be held again.

    In a static solution an engaged lock holds its initial relative pose.
    """

    engaged: Any = driven()
    time: float = number(default=0.01, unit="s", positive=True)
    hold_position: Sequence[bool] = option(default=(False, False, False))
    hold_rotation: Sequence[bool] = option(default=(False, False, True))

    def prepare(self) -> None:
        super().prepare()
        settle_held_axes(self, "lock")

    def own_states(self) -> dict[str, State]:
        held = zip(("force", "couple"), ("N s", "N m s"), (self.hold_position, self.hold_rotation), strict=True)
        return {
            f"impulse_{what}_{x}": State(
                1, unit=unit, reaction=True, description=f"impulse of the {what} since the lock engaged"
            )
            for what, unit, axes in held
            for x, is_held in zip(XYZ, axes, strict=True)
            if is_held
        }

    def engagement(self) -> Any:
        return self.engaged

    def held_axes(self) -> tuple[np.ndarray, Sequence[bool], Sequence[bool]]:
        R = np.eye(3) if self.place_b is None else self.place_b.rotation
        return R, self.hold_position, self.hold_rotation

    def _held(self, a, b) -> list:
        v, w = b.R.T @ sliding(a, b), turning(a, b)
        return [
            *(v[i] for i in range(3) if self.hold_position[i]),
            *(w[i] for i in range(3) if self.hold_rotation[i]),
        ]

    def formulate(self, site) -> Contribution:
        def frames(a, b):
            return a.at(self.place_a), b.at(self.place_b)

        f = site.measure_rates(lambda a, b: self._held(*frames(a, b)))
        closed = self.engaged > 0.5
        reaction = np.array([select(closed, impulse.rate, 0.0) for impulse in site.states])
        balances = [
            select(closed, rate + value / self.time - GIVE * (p.rate + p.value), p.rate + p.value / self.time)
            for rate, value, p in zip(f.rate, f.value, site.states, strict=True)
        ]
        wrenches = f.wrenches(reaction)
        a, b = frames(*site.frames)
        return Contribution(
            wrenches=wrenches,
            balances=balances,
            supplied=-dot(reaction, f.value),
            outputs=[
                *reactions(wrenches[-1], self.place_b),
                Output("rotation", "rad", log_so3(a.R.T @ b.R), XYZ, "rotation of b against a"),
                Output("engaged", "1", select(closed, 1.0, 0.0), description="whether it holds"),
            ],
        )
