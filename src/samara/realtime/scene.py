"""What there is to draw of a simulation, as plain numbers for another process: points fixed to nodes, and lines."""

from __future__ import annotations

from typing import Any

from samara.analysis.outline import outline
from samara.realtime.exchange import shown
from samara.solve import Simulation


def scene(sim: Simulation) -> dict[str, Any]:
    """JSON: the node that each point is fixed to (its place among `Card.nodes`, -1: the world), its offset in the
    node's axes [m], and pairs of points with a line between them.
    """
    drawn = outline(sim, shown(sim.system))
    return {
        "node": drawn.node.tolist(),
        "offset": drawn.offset.round(6).tolist(),
        "lines": drawn.lines.tolist(),
    }
