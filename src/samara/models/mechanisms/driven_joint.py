"""Stand-ins for driven joints of ready models whose sources give no data: dry friction, an electric motor."""

from __future__ import annotations

from typing import Any

from samara.elements.joints.friction.lugre import LuGre

#: Of a motor with its gear: made up, for torques of some N m at some volts.
ELECTRIC = {"constant": 2.0, "resistance": 1.0, "inductance": 1e-3}
BEARING, FRICTION = 0.02, 0.1  # m, radius; coefficient: only their product with the preload counts
GIVE, BRISTLES = 2e-3, 5e-3  # rad, by which a joint gives before it slides; s, time in which its bristles come to rest


def rubbing(torque: float) -> dict[str, Any]:
    """What a revolute joint takes for a friction of this torque [N m], of a bearing that its own preload presses."""
    if torque == 0.0:
        return {}
    give = FRICTION / (GIVE * BEARING)
    law = LuGre(coulomb=FRICTION, preload=torque / (FRICTION * BEARING), stiffness=give, damping=BRISTLES * give)
    return {"friction": law, "radius": BEARING}
