"""Sensor of a node's motion."""

from __future__ import annotations

import numpy as np

from samara.elements.families import XYZ
from samara.model import Contribution, EnergyBooks, Node, Output, Site, node
from samara.rotations import cross

NINE = tuple(f"{r}{c}" for r in XYZ for c in XYZ)


class NodeMotion(EnergyBooks):
    """Position, rotation, velocity and acceleration of a node in the world frame. Every node has one automatically."""

    n: Node = node(kw_only=False)

    def formulate(self, site: Site) -> Contribution:
        n, R_WN = site.frames[-1], site.world.R.T
        acceleration = n.carried.dv + cross(n.w, n.carried.v)
        outputs = [
            Output("position", "m", site.world.see(np.zeros(3)), XYZ, "origin of the node, world axes"),
            Output("rotation", "1", R_WN, NINE, "R_WN by rows"),
            Output("velocity", "m/s", R_WN @ n.v, XYZ, "velocity of the node, world axes"),
            Output("angular_velocity", "rad/s", R_WN @ n.w, XYZ, "angular velocity, world axes"),
            Output("acceleration", "m/s^2", R_WN @ acceleration, XYZ, "acceleration of the node, world axes"),
            Output("angular_acceleration", "rad/s^2", R_WN @ n.dw, XYZ, "angular acceleration, world axes"),
        ]
        return Contribution(wrenches=[], outputs=outputs)
