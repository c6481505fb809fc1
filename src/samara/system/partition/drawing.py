"""Plot of a partition: initial node positions, seen along the direction in which the model is thinnest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from samara.system.layout.batches import SHARED

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from samara.system.partition.partition import Partition

#: Colours of parts, distinguishable with any colour vision (Okabe and Ito), and of the interface.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
INTERFACE = "#222222"


def draw(cut: Partition) -> Figure:
    """Draws free nodes as dots and elements as lines between them; squares mark the interface."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 6.0), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    colours = {part: COLOURS[k % len(COLOURS)] for k, part in enumerate(cut.parts)} | {SHARED: INTERFACE}
    place = _flat(cut)
    for element in cut.model.elements.values():
        ends = [place[node.name] for node in element.nodes() if node.name in place]
        if len(ends) > 1:
            axes.plot(*np.transpose(ends), color=colours[cut.of(element)], linewidth=1.0, zorder=1)
    for part, colour in colours.items():
        points = [place[name] for name, owner in cut.nodes.items() if owner == part]
        if points:
            marker, label = ("o", part) if part else ("s", f"interface, {cut.interface} unknowns")
            x, y = np.transpose(points)
            axes.scatter(x, y, color=colour, marker=marker, s=18, zorder=2, label=label)
    axes.set_aspect("equal", "datalim")
    axes.set_xlabel("m")
    axes.set_title(f"{cut.model.name} in {len(cut.parts)} parts by {cut.by}")
    axes.legend(loc="best", fontsize="small")
    return figure


def _flat(cut: Partition) -> dict[str, np.ndarray]:
    """Positions of the free nodes in the plane in which the model is widest [m]."""
    names = [*cut.nodes]
    points = np.array([cut.model.nodes[name].position for name in names]).reshape(-1, 3)
    points = points - points.mean(axis=0) if names else points
    axes = np.linalg.svd(points, full_matrices=False)[2][:2] if len(names) > 1 else np.eye(3)[:2]
    return {name: axes @ point for name, point in zip(names, points, strict=True)}
