"""A small drawing of a model for notebooks: its nodes, and lines between those that an element holds together."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from samara.notebook.html import foldable, heading, table

if TYPE_CHECKING:
    from samara.model.model import Model

WIDTH, HEIGHT, MARGIN = 420, 260, 14  # [px]
#: Nodes beyond which a drawing says no more.
MOST_NODES = 2000
#: Looked at from above, by 30 deg, x to the right and y away: isometric.
_ACROSS = np.array([math.cos(math.pi / 6), math.cos(math.pi / 6), 0.0])
_UP = np.array([-0.5, 0.5, 1.0])


def svg_of(model: Model) -> str:
    """The reference pose, to one scale; empty for models of too many nodes or of one place."""
    nodes = list(model.nodes.values())
    points = np.array([node.position for node in nodes])
    flat = np.column_stack([points @ _ACROSS, -(points @ _UP)])  # down the page
    low, size = flat.min(axis=0), np.ptp(flat, axis=0)
    if len(nodes) > MOST_NODES or not np.isfinite(flat).all() or not size.any():
        return ""
    room = np.array([WIDTH, HEIGHT]) - 2 * MARGIN
    scale = float(np.min(room / np.maximum(size, 1e-300)))
    places = MARGIN + (flat - low) * scale + 0.5 * (room - size * scale)
    number = {node: k for k, node in enumerate(nodes)}
    lines = {pair for e in model.elements.values() for pair in _pairs([number[n] for n in e.nodes() if n in number])}
    drawn = "".join(
        f'<line x1="{places[a, 0]:.1f}" y1="{places[a, 1]:.1f}" x2="{places[b, 0]:.1f}" y2="{places[b, 1]:.1f}"/>'
        for a, b in sorted(lines)
    )
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5"/>' for x, y in places)
    return (
        f'<svg width="{WIDTH}" height="{HEIGHT}" role="img" aria-label="nodes and what joins them" '
        f'xmlns="http://www.w3.org/2000/svg"><g stroke="#0072B2" fill="none">{drawn}</g>'
        f'<g fill="#D55E00" stroke="none">{dots}</g></svg>'
    )


def _pairs(numbers: list[int]) -> list[tuple[int, int]]:
    """Nodes of an element that follow each other."""
    return [(min(a, b), max(a, b)) for a, b in itertools.pairwise(numbers) if a != b]


def html_of(model: Model) -> str:
    """The drawing, and tables of the nodes, elements and states that open."""
    nodes = [(n.name, n.kind, ", ".join(f"{x:.4g}" for x in n.position)) for n in model.nodes.values()]
    elements = [(e.name, type(e).__name__, ", ".join(n.name for n in e.nodes())) for e in model.elements.values()]
    kinds = Counter(kind for _, kind, _ in elements)
    states = [(state.name, state.unit) for state in model.states.values()]
    parts = [foldable(f"{len(nodes)} nodes", table(("node", "kind", "position [m]"), nodes))]
    for kind, count in sorted(kinds.items()):
        own = [(name, on) for name, of, on in elements if of == kind]
        parts.append(foldable(f"{count} {kind}", table(("element", "nodes"), own)))
    if states:
        parts.append(foldable(f"{len(states)} states", table(("state", "unit"), states)))
    return heading(f"Model {model.name}") + svg_of(model) + "".join(parts)
