"""What there is to draw of a model, as plain numbers for another process: points fixed to nodes, and what is made of
them. Made once, when a session opens or when results are shown; who steps knows nothing of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from samara.model import Model, Node
from samara.results.attrs import Scene
from samara.results.channels import Channel
from samara.scene.outline import Pen, Poses, shown
from samara.scene.rotors import rotors
from samara.scene.solids import solids
from samara.scene.sticks import sticks
from samara.system.system import System

FORMAT, VERSION = "samara-scene", 2


def scene_of(system: System, channels: Iterable[Channel] = (), nodes: Sequence[Node] | None = None) -> Scene:
    """Of a system as it stands now, drawn when it is asked for; the system is not kept.

    nodes: that move; by default all that may.
    """
    model, nodes, poses = system.model, shown(system) if nodes is None else nodes, Poses(system)
    return Scene(lambda: scene(model, nodes, poses, channels))


def scene(model: Model, nodes: Sequence[Node], poses: Poses, channels: Iterable[Channel] = ()) -> dict[str, Any]:
    """JSON, lengths in m, angles in rad; see the guide's page on mailboxes.

    nodes: that may move; poses: of all. channels: that are measured, of which rotors show those of their blades.

    nodes         names of the nodes that may move
    node, offset  the node that each point is fixed to (its place among the nodes, -1: the world), and where in its
                  axes; lines: pairs of points
    surfaces      {name, kind, rings, stations}: rings of points around blade, wing, beam, hull; stations: {element:
                  where its outputs along the surface are known, from 0 at the first ring to 1 at the last}, its own and
                  those of beams in it; rotor, blade: whose it is, from 0
    boxes         {name, node, position, rotation, size}: rigid bodies; rotation by rows, in the node's axes
    joints        {name, point}
    vectors       {channel, node, position, rotation}: forces and moments in the axes of a place in a node
    rotors        see `samara.scene.rotors`
    sticks        see `samara.scene.sticks`; there is none where the model declares none
    """
    pen = Pen(model, nodes, poses)
    pen.draw_all()
    solid = solids(pen)
    turning = rotors(pen, channels)
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
        **drawn.scene([node.name for node in nodes]),
        "surfaces": [
            {"name": s.name, "kind": s.kind, "rings": s.rings.tolist()}
            | {"stations": {name: at.round(6).tolist() for name, at in s.stations.items()}}
            | owner.get(s.name, {})
            for s in solid.skins
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
        "vectors": [
            {
                "channel": channel,
                "node": node,
                "position": place.position.round(6).tolist(),
                "rotation": place.rotation.ravel().round(9).tolist(),
            }
            for channel, node, place in solid.vectors
        ],
        "rotors": turning,
        **({} if model.sticks is None else {"sticks": sticks(pen, model.sticks)}),
    }
