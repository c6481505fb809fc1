"""Rigid body."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.model import (
    Contribution,
    Drawn,
    EnergyBooks,
    Extended,
    Node,
    Output,
    Placement,
    RigidMass,
    Site,
    Sketch,
    driven,
    matrix,
    node,
    number,
    vector,
)
from samara.rotations import ad_transpose_times, cross, dot, skew

#: Part of the mass of a mechanism that a body counts with at least, to tell its size by its inertia.
LIGHT = 1e-2
#: Least side of the box that is drawn, by its largest.
THINNEST = 0.04


class Body(RigidMass, Drawn, Extended, EnergyBooks):
    """A rigid body fixed to a node; Newton-Euler equations in the node's axes.

        M eta_dot - ad(eta)^T M eta = wrench,     M = [[m I, -m c^x], [m c^x, J_c - m c^x c^x]]

    eta = (v, w): twist of the node in its own axes; c: offset of the centre of mass; J_c: inertia about it. The mass
    matrix is constant in these axes.

    n: the node. mass [kg] > 0; com: centre of mass in node axes [m]; inertia: about the centre of mass, in node axes
    [kg m^2], as three principal moments or a symmetric 3x3 matrix. gravity: [m/s^2], world axes, by default that of the
    model.
    """

    n: Node = node(kw_only=False)
    mass: float = number(unit="kg", positive=True)
    inertia: Any = matrix((3, 3), unit="kg m^2", symmetric=True)
    com: Any = vector(default=(0.0, 0.0, 0.0), unit="m")
    gravity: Any = driven(default=None, unit="m/s^2", size=3)

    def examine(self) -> None:
        moments = np.linalg.eigvalsh(np.asarray(self.inertia, float))
        # a slender or flat body may sit on the limit; rounding must not push it over
        if moments[0] < -1e-12 * moments[-1] or moments[0] + moments[1] < moments[2] * (1 - 1e-9):
            raise ValueError(
                f"inertia is not physical: principal moments {moments[0]:g}, {moments[1]:g}, {moments[2]:g} "
                "kg m^2 must be non-negative and each at most the sum of the other two"
            )
        if moments[-1] <= 0:
            raise ValueError("inertia is zero: a rigid body needs some (for a point mass, give a small one)")

    def formulate(self, site: Site) -> Contribution:
        n, m, c = site.frames[-1], self.mass, self.com
        momentum_of = lambda v, w: m * (v + cross(w, c))  # noqa: E731
        s = n.carried
        eta, momentum = np.concatenate([s.v, s.w]), np.concatenate([momentum_of(s.v, s.w), self._angular(s.v, s.w)])
        inertia_force = np.concatenate([momentum_of(s.dv, s.dw), self._angular(s.dv, s.dw)])
        u, p = n.v + cross(n.w, c), momentum_of(n.v, n.w)
        g = site.world.R @ np.asarray(self.gravity)  # in node axes
        weight = np.concatenate([m * g, cross(c, m * g)])
        # -m g . p_WC, zero at the world's origin
        fall = site.measure(lambda n: [-m * dot(self.gravity, site.world.see(c))])
        return Contribution(
            wrenches=[inertia_force - ad_transpose_times(eta, momentum) - weight],
            kinetic=0.5 * (dot(u, p) + dot(n.w, self.inertia @ n.w)),
            potential=fall.value[0],
            supplied=fall.drift[0],  # a gravity that changes in time brings energy along
            outputs=[Output("momentum", "kg m/s", site.world.R.T @ p, ("x", "y", "z"), "linear momentum, world axes")],
        )

    def _angular(self, v, w):
        """Moment of momentum about the node: c x m (v + w x c) + J_c w."""
        return cross(self.com, self.mass * (v + cross(w, self.com))) + self.inertia @ w

    def rigid_inertia(self) -> tuple[Any, Any, Any]:
        return self.mass, self.com, self.inertia

    def reach(self, among: float) -> list[np.ndarray]:
        """A radius of gyration around the centre of mass.

        A gear's inertia with hardly a mass is no large body: its mass is at least a part of that it is `among`.
        """
        com, mass = np.asarray(self.com, float), max(float(self.mass), LIGHT * among)
        radius = np.sqrt(float(np.linalg.eigvalsh(np.asarray(self.inertia, float))[-1]) / mass)
        place = self.n.place
        sides = com + radius * np.repeat(np.eye(3), 2, axis=0) * np.tile([[-1.0], [1.0]], (3, 1))
        return list(place.position + sides @ place.rotation.T)

    def polyline(self) -> list[tuple[Node, np.ndarray]]:
        """From the node to the centre of mass."""
        return [*super().polyline(), (self.n, np.asarray(self.com, float))]

    def draw(self, sketch: Sketch) -> None:
        """The homogeneous box of its mass and inertia: side_i^2 = 6 (J_j + J_k - J_i) / m."""
        J, axes = np.linalg.eigh(np.asarray(self.inertia, float))
        axes = axes * np.sign(np.linalg.det(axes))
        size = np.sqrt(np.maximum(6.0 * (J.sum() - 2.0 * J) / float(self.mass), 0.0))
        sketch.box(self.n, Placement(self.com, axes), np.maximum(size, THINNEST * size.max()))

    def total_mass(self) -> float:
        return float(self.mass)

    def mass_matrix(self) -> np.ndarray:
        """M in node axes, for twists (v, w) [kg, kg m, kg m^2]."""
        m, cx = float(self.mass), skew(np.asarray(self.com, float))
        J = np.asarray(self.inertia, float) - m * cx @ cx
        return np.block([[m * np.eye(3), -m * cx], [m * cx, J]])
