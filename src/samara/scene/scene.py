"""What there is to draw of a simulation, as plain numbers for another process: points fixed to nodes, and what is
made of them. Made once, when a session opens; the loop knows nothing of it.
"""

from __future__ import annotations

from typing import Any

from samara.scene.outline import Pen, shown
from samara.scene.rotors import rotors
from samara.scene.solids import solids
from samara.scene.sticks import sticks
from samara.solve import Simulation

FORMAT, VERSION = "samara-scene", 2


def scene(sim: Simulation) -> dict[str, Any]:
    """JSON, lengths in m, angles in rad; see the guide's page on mailboxes.

    node, offset  the node that each point is fixed to (its place among `Card.nodes`, -1: the world), and where in its
                  axes; lines: pairs of points
    surfaces      {name, kind, rings}: rings of points around blade, wing, beam, hull; rotor, blade: whose it is, from 0
    boxes         {name, node, position, rotation, size}: rigid bodies; rotation by rows, in the node's axes
    joints        {name, point}
    rotors        see `samara.scene.rotors`
    sticks        see `samara.scene.sticks`; there is none where the model declares none
    """
    pen = Pen(sim, shown(sim.system))
    pen.draw_all()
    solid = solids(pen)
    turning = rotors(sim, pen)
    owner = {
        surface: {"rotor": r, "blade": b}
        for r, rotor in enumerate(turning)
        for b, blade in enumerate(rotor["blades"])
        for surface in blade["surfaces"]
    }
    drawn = pen.outline()
    return {
        "format": FORMAT,
        "version": VERSION,
        "node": drawn.node.tolist(),
        "offset": drawn.offset.round(6).tolist(),
        "lines": drawn.lines.tolist(),
        "surfaces": [
            {"name": s.name, "kind": s.kind, "rings": s.rings.tolist()} | owner.get(s.name, {}) for s in solid.skins
        ],
        "boxes": [
            {
                "name": b.name,
                "node": b.node,
                "position": b.place.position.round(6).tolist(),
                "rotation": b.place.rotation.ravel().round(9).tolist(),
                "size": b.size.round(6).tolist(),
            }
            for b in solid.boxes
        ],
        "joints": [{"name": name, "point": point} for name, point in solid.joints],
        "rotors": turning,
        **({} if sim.model.sticks is None else {"sticks": sticks(pen, sim.model.sticks)}),
    }
