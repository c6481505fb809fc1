"""Figures of modes and freedoms, on a canvas of their own."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from samara.results.plotting import COLOURS, PALE, canvas
from samara.scene.outline import Outline

if TYPE_CHECKING:
    from matplotlib.figure import Figure


#: Most motions in one figure, and how far each goes, of the model's size.
MOST_SHAPES, SHIFT = 9, 0.1


class MovingShapes(Protocol):
    """Small motions of a model's nodes, such as its modes: see `samara.analysis.Modes`.

    nodes: names. p, R: positions [m] (nodes, 3) and orientations (nodes, 3, 3) of the nodes. shapes: displacement and
    rotation of each node in its own axes, (m, nodes, 6), complex. length: of the mechanism [m]. outline: what to draw;
    the nodes alone if there is none.
    """

    @property
    def nodes(self) -> tuple[str, ...]: ...
    @property
    def p(self) -> np.ndarray: ...
    @property
    def R(self) -> np.ndarray: ...
    @property
    def shapes(self) -> np.ndarray: ...
    @property
    def length(self) -> float: ...
    @property
    def outline(self) -> Outline | None: ...
    @property
    def frequencies_hz(self) -> np.ndarray: ...


def draw_mode(modes: MovingShapes, mode: int, title: str | None) -> Figure:
    """The model at rest and at the two ends of its swing, a tenth of its size at most, to the same scale in x, y, z."""
    figure = canvas(6.5, 5.5)
    axes = figure.add_subplot(projection="3d")
    drawn = modes.outline or nodes_alone(modes)
    rest, moved = drawn.points(modes.p, modes.R), swing(modes, drawn, mode).real
    shown = {"at rest": (rest, PALE), "": (rest - moved, COLOURS[5]), "swinging": (rest + moved, COLOURS[0])}
    _draw_poses(axes, drawn, shown)
    heading = f"mode {mode + 1}: {modes.frequencies_hz[mode]:.4g} Hz" if title is None else title
    axes.set(xlabel="x [m]", ylabel="y [m]", zlabel="z [m]", title=heading)
    axes.legend(fontsize=8, loc="upper left")
    return figure


def draw_shapes(
    drawn: Outline, p: np.ndarray, R: np.ndarray, shapes: list[tuple[str, np.ndarray]], title: str
) -> Figure:
    """Small motions side by side: the model in its place, and moved by a tenth of its size.

    p, R: of the nodes; shapes: what is said of each motion, and what it does to the nodes in their own axes.
    """
    shown = shapes[:MOST_SHAPES]
    columns = min(3, len(shown))
    lines = -(-len(shown) // columns)
    figure = canvas(5.0 * columns, 0.6 + 4.6 * lines)
    rest = drawn.points(p, R)
    size = float(np.ptp(rest, axis=0).max(initial=0.0)) or 1.0
    for k, (text, shape) in enumerate(shown):
        moved = drawn.displacements(R, shape)
        moved *= SHIFT * size / max(float(np.linalg.norm(moved, axis=1).max(initial=0.0)), 1e-300)
        axes = figure.add_subplot(lines, columns, k + 1, projection="3d")
        _draw_poses(axes, drawn, {"in place": (rest, PALE), "moved": (rest + moved, COLOURS[0])})
        axes.set(xlabel="x [m]", ylabel="y [m]", zlabel="z [m]")
        axes.set_title("\n".join(textwrap.wrap(f"{k + 1}. {text}", 52)), fontsize=8, parse_math=False)
    more = f", {len(shapes) - len(shown)} more not drawn" if len(shapes) > len(shown) else ""
    figure.suptitle(f"{title}: {len(shapes)} freedom{'s' if len(shapes) > 1 else ''}{more}", parse_math=False)
    return figure


def nodes_alone(modes: MovingShapes) -> Outline:
    """The nodes without lines."""
    count = len(modes.nodes)
    return Outline(np.arange(count), np.zeros((count, 3)), np.zeros((0, 2), np.int64))


def swing(modes: MovingShapes, drawn: Outline, mode: int) -> np.ndarray:
    """Displacements of the points [m], complex, so large that the largest is `SHIFT` of the mechanism's size."""
    moved = drawn.displacements(modes.R, modes.shapes[mode])
    largest = float(np.linalg.norm(np.abs(moved), axis=1).max(initial=0.0))
    return moved * (SHIFT * modes.length / largest if largest > 0.0 else 0.0)


def _draw_poses(axes: Any, drawn: Outline, shown: dict[str, tuple[np.ndarray, str]]) -> None:
    """Poses of one model, {label: (points, colour)}, the first with thin lines; to the same scale in x, y, z."""
    nodes = (drawn.node >= 0) & ~drawn.offset.any(axis=1)
    for k, (label, (points, colour)) in enumerate(shown.items()):
        broken = np.insert(points[drawn.lines], 2, np.nan, axis=1).reshape(-1, 3)  # one curve, interrupted
        axes.plot(*broken.T, color=colour, linewidth=2.0 if k else 1.0)
        axes.scatter(*points[nodes].T, color=colour, s=6, label=label or None, depthshade=False)
    every = np.concatenate([points for points, _ in shown.values()])
    low, high = every.min(axis=0), every.max(axis=0)
    room = np.maximum(high - low, 0.3 * float((high - low).max()))  # a flat model gets some depth
    middle = 0.5 * (low + high)
    for which, centre, width in zip("xyz", middle, room, strict=True):
        axes.set(**{f"{which}lim": (centre - 0.5 * width, centre + 0.5 * width)})
    axes.set_box_aspect(room, zoom=0.9)
    for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
        axis.set_major_locator(_few_ticks())


def _few_ticks():
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(4)
