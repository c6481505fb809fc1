"""Relaxed joint: a joint with a compliance."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.elements.families import Joint, reactions
from samara.model import (
    Contribution,
    Drawn,
    EnergyBooks,
    Extended,
    Frame,
    Grip,
    Node,
    Output,
    Parameter,
    Site,
    Sketch,
    State,
    Stiff,
    number,
    record,
)
from samara.model.quantities.returned_values import several_numbers
from samara.model.roles.friction import has_friction
from samara.model.roles.shape import reach
from samara.rotations import dot


class RelaxedJoint(Stiff, Drawn, Extended, EnergyBooks):
    """Any joint with Tikhonov regularisation: its violation is proportional to its reactions, so it is never singular.

        Phi(a, b, t) - compliance lam = 0,     reactions Phi_q^T lam

    joint:      the joint, created with its nodes: ``RelaxedJoint(joint=Clamp(a, b, at=...), compliance=1e-8)``. It must
                not be added to the model itself nor have friction; it may have drives.
    compliance: of every row of the joint's constraint [m/N for positions, rad/(N m) for angles].

    For overconstrained mechanisms: loops of rigid parts, a blade clamped to a point that is already constrained. The
    solution becomes unique, and reactions are distributed according to the compliances. The equations are those of a
    spring of stiffness 1/compliance with the reactions as unknowns, so a small compliance does not harm the
    conditioning. The joint vibrates against the masses, fast and undamped: the default integrator, which damps
    unresolved frequencies, removes these vibrations, except just after impacts. For trees with relaxed joints the
    default is `TwoStep(0.6)`, and explicit integrators are rejected.

    Source: M. Fancello, M. Morandini, P. Masarati, Helicopter rotor sailing by non-smooth dynamics co-simulation,
    Archive of Mechanical Engineering 61 (2014), equation 7.
    """

    grip = Grip.ELASTIC

    joint: Any = record()
    compliance: float = number(unit="m/N", positive=True)

    def nodes(self) -> list[Node]:
        return self.joint.nodes() if isinstance(self.joint, Joint) else []  # `prepare` says what is wrong

    def prepare(self) -> None:
        super().prepare()
        joint = self.joint
        if not isinstance(joint, Joint):
            raise ValueError(f"joint must be a joint such as Clamp(a, b, at=...), got {joint!r}")
        if joint.name:
            raise ValueError(
                f"joint {joint.name!r} is already part of a model: create it for the "
                f"RelaxedJoint only, without adding it"
            )
        if has_friction(joint):
            raise ValueError("a joint with friction cannot be relaxed: model the friction as a separate element")
        joint.prepare()

    def own_states(self) -> dict[str, State]:
        return {f"reaction_{k}": State(0, unit="N", description="multiplier of the joint") for k in range(self._rows())}

    def formulate(self, site: Site) -> Contribution:
        def held(a: Frame, b: Frame) -> list:
            joint = self.joint
            return several_numbers(joint, "constraint", joint.constraint(a.at(joint.place_a), b.at(joint.place_b)))

        g = site.measure(held)
        lam = np.array([state.value for state in site.states], dtype=object)
        wrenches = g.wrenches(lam)
        return Contribution(
            wrenches=wrenches,
            balances=g.value - self.compliance * lam,
            potential=0.5 * self.compliance * dot(lam, lam),
            supplied=dot(lam, g.drift),
            outputs=[
                *reactions(wrenches[-1], self.joint.place_b),
                Output("gap", "m", np.sqrt(dot(g.value, g.value)), description="violation of the joint [m and rad]"),
            ],
        )

    def draw(self, sketch: Sketch) -> None:
        self.joint.draw(sketch)

    def reach(self, among: float) -> list[np.ndarray]:
        return reach(self.joint, among)

    def _rows(self) -> int:
        """How many constraints the joint has."""
        joint = self.joint
        plain = (float(leaf) if isinstance(leaf, Parameter) else leaf for leaf in joint.leaves())
        twin = joint.rebuild(iter([leaf if isinstance(leaf, float) else 0.0 for leaf in plain]))
        frame = Frame(np.eye(3), *np.zeros((5, 3)))
        with np.errstate(all="ignore"):
            return len(twin.constraint(frame.at(twin.place_a), frame.at(twin.place_b)))
