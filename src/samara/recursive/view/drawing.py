"""A tree as a picture: a box for each body, arrows with the freedoms of joints, tags for what acts.

Bodies stand from left to right as they hang on each other. A tree that is too deep for the width of a page goes on
below, from the left again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from samara.model import ArgumentError
from samara.recursive.view.view import BlockView, FreedomView, TreeView, kilograms, places

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Bodies that a picture has room for, columns before it goes on below, and tags below a box.
MOST_BLOCKS, MOST_COLUMNS, MOST_TAGS = 300, 5, 9
# inch
BOX, GAP, LINE, TAG, MARGIN = 1.6, 1.2, 0.155, 0.165, 0.22
#: Width of a letter of the names, by the size of its font [inch/point].
LETTER = 0.0083
INK, GREY, FRAME, FILL, DRIVEN, LOAD = "#222222", "#666666", "#0072B2", "#eaf3fa", "#D55E00", "#fdf1dc"


@dataclass
class _Cell:
    """A box with its tags, and the room that what hangs on it takes."""

    block: BlockView
    lines: list[str]
    tags: list[str]
    children: list[_Cell]
    x: float = 0.0
    y: float = 0.0  # of the middle of the box

    @property
    def box(self) -> float:
        """Height of the box [inch]."""
        return LINE * (len(self.lines) + 1) + 0.12

    @property
    def height(self) -> float:
        """Of box and tags."""
        return self.box + TAG * len(self.tags) + 0.24

    def room(self, column: int) -> float:
        """Height of all that is drawn to the right of it, up to the edge of the page."""
        inside = 0.0 if column + 1 == MOST_COLUMNS else sum(child.room(column + 1) for child in self.children)
        return max(self.height, inside)


def require_drawable(view: TreeView) -> None:
    """Refuses a tree of more bodies than a picture has room for."""
    if len(view.blocks) > MOST_BLOCKS:
        raise ArgumentError(
            f"a picture of a tree has room for {MOST_BLOCKS} bodies, this one has {len(view.blocks)}: leave the "
            "picture out, or describe a smaller model"
        )


def draw_tree(view: TreeView) -> Figure:
    """A block diagram of a tree."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    require_drawable(view)
    cells, roots = _cells(view)
    bottom = _stand(roots, 0.62)
    columns = min(MOST_COLUMNS, 1 + max((block.depth for block in view.blocks), default=0))
    width = max(2 * MARGIN + columns * (BOX + GAP) + (GAP * 0.6 if bottom[1] else 0.0), 6.5)
    height = bottom[0] + 0.5
    figure = Figure(figsize=(width, height))
    figure.set_layout_engine("none")
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set(xlim=(0.0, width), ylim=(height, 0.0))
    axes.set_axis_off()
    _headings(axes, view, height)
    for cell in cells.values():
        _draw_cell(axes, cell)
        _draw_arrow(axes, cell, cells.get(cell.block.parent))
    return figure


def _cells(view: TreeView) -> tuple[dict[str, _Cell], list[_Cell]]:
    cells: dict[str, _Cell] = {}
    roots: list[_Cell] = []
    for block in view.blocks:
        sums = places("s", block.support)
        lines = [kilograms(block.mass) if block.bodies else "no mass of its own"]
        lines += [f"H, h in {sums}"] if block.mass and sums else []
        tags = list(block.loads)
        if len(tags) > MOST_TAGS:
            tags = [*tags[: MOST_TAGS - 1], f"and {len(tags) - MOST_TAGS + 1} more"]
        cell = cells[block.node] = _Cell(block, lines, tags, [])
        (cells[block.parent].children if block.parent in cells else roots).append(cell)
    return cells, roots


def _stand(roots: list[_Cell], top: float) -> tuple[float, bool]:
    """Gives every cell its place; where the picture ends, and whether it goes on below."""
    later: list[_Cell] = []

    def stand(cell: _Cell, column: int, first: float) -> None:
        room, highest = cell.room(column), first + 0.5 * cell.box + 0.12
        cell.x, cell.y = MARGIN + GAP + column * (BOX + GAP), highest + 0.5 * (room - cell.height)
        if column + 1 == MOST_COLUMNS:
            later.extend(cell.children)
            return
        at = first + 0.5 * (room - sum(child.room(column + 1) for child in cell.children))
        for child in cell.children:
            stand(child, column + 1, at)
            at += child.room(column + 1)
        if cell.children:  # level with what hangs on it, as far as there is room for its tags
            level = 0.5 * (cell.children[0].y + cell.children[-1].y)
            cell.y = min(max(level, highest), highest + room - cell.height)

    for root in roots:
        stand(root, 0, top)
        top += root.room(0)
    return (_stand(later, top + 0.15)[0], True) if later else (top, False)


def _headings(axes: Axes, view: TreeView, height: float) -> None:
    tree = view.tree
    title = f"{tree.model.name}: {tree.speeds} degrees of freedom, {len(tree.bodies)} bodies, {kilograms(view.mass)}"
    axes.text(MARGIN, 0.22, title, fontsize=11, fontweight="bold", color=INK, va="center", parse_math=False)
    below = "outward: pose, twist, acceleration; inward: wrench; H and h are summed over the bodies; tags: loads"
    if any(freedom.follows for block in view.blocks for freedom in block.freedoms):
        below += "; orange: follows a drive"
    axes.text(MARGIN, height - 0.2, below, fontsize=7.5, color=GREY, va="center", parse_math=False)


def _draw_cell(axes: Axes, cell: _Cell) -> None:
    from matplotlib.patches import FancyBboxPatch

    style: dict[str, Any] = {"boxstyle": "round,pad=0,rounding_size=0.06", "linewidth": 1.1}
    top = cell.y - 0.5 * cell.box
    axes.add_patch(FancyBboxPatch((cell.x, top), BOX, cell.box, facecolor=FILL, edgecolor=FRAME, **style))
    middle = cell.x + 0.5 * BOX
    _write(axes, middle, top + 0.06 + 0.5 * LINE, cell.block.node, 8.5, BOX - 0.1, weight="bold")
    for k, line in enumerate(cell.lines):
        _write(axes, middle, top + 0.06 + (k + 1.5) * LINE, line, 7.5, BOX - 0.1)
    style |= {"linewidth": 0.5, "boxstyle": "round,pad=0,rounding_size=0.04"}
    for k, tag in enumerate(cell.tags):
        at = top + cell.box + 0.03 + k * TAG
        box = FancyBboxPatch((cell.x + 0.12, at), BOX - 0.24, TAG - 0.03, facecolor=LOAD, edgecolor=GREY, **style)
        axes.add_patch(box)
        _write(axes, middle, at + 0.5 * (TAG - 0.03), tag, 6.5, BOX - 0.3)


def _draw_arrow(axes: Axes, cell: _Cell, mother: _Cell | None) -> None:
    """What a body hangs on, from its parent to it."""
    block, end = cell.block, cell.x
    below = mother is not None and mother.x > cell.x  # its parent stands at the right edge, above
    if mother is not None and not below:
        start, height = mother.x + BOX, mother.y
    else:
        start, height = end - GAP + 0.05, cell.y
        source = block.parent if block.joint else "world"
        _write(axes, start + 0.02, cell.y - 0.2, source, 6.5, GAP - 0.1, color=GREY, ha="left", style="italic")
    held = bool(block.joint)
    free = any(freedom.s for freedom in block.freedoms)
    colour = GREY if held and not block.freedoms else INK if free else DRIVEN
    bend = start + 0.22
    line: dict[str, Any] = {
        "color": colour,
        "linewidth": 1.2,
        "linestyle": "-" if held else (0, (3, 2)),
        "solid_capstyle": "butt",
    }
    axes.plot([start, bend, bend], [height, height, cell.y], **line)
    arrow = {"arrowstyle": "-|>", "color": colour, "linewidth": 1.2, "linestyle": line["linestyle"]}
    axes.annotate("", (end, cell.y), (bend, cell.y), arrowprops=arrow | {"shrinkA": 0.0, "shrinkB": 0.0})
    if below and mother is not None:
        axes.annotate("", (mother.x + BOX + 0.3, mother.y), (mother.x + BOX, mother.y), arrowprops=arrow)
        _write(axes, mother.x + BOX + 0.34, mother.y, block.node, 6.5, GAP, color=GREY, ha="left", style="italic")
    wide = GAP - 0.34
    middle = 0.5 * (bend + end) - 0.03
    _write(axes, middle, cell.y - 0.1, _short(block.joint, block.parent, block.node) or "floats", 7.0, wide)
    for k, (text, shade) in enumerate(_labels(block)):
        _write(axes, middle, cell.y + 0.11 + 0.13 * k, text, 6.5, wide, color=shade)


def _short(joint: str, *nodes: str) -> str:
    """Name of a joint, without the beginning that it shares with its node."""
    for node in nodes:
        first = node.split(".")[0] + "."
        if joint.startswith(first):
            return joint[len(first) :]
    return joint


def _labels(block: BlockView) -> list[tuple[str, str]]:
    """Lines below an arrow, with their colours."""
    if not block.joint:
        return [("position, rotation", INK), (places("s", [k for f in block.freedoms for k in f.s]), INK)]
    if not block.freedoms:
        return [("fixed", GREY)]
    return [_label(freedom) for freedom in block.freedoms]


def _label(freedom: FreedomView) -> tuple[str, str]:
    if freedom.follows:
        return f"{freedom.label}: {freedom.follows}", DRIVEN
    return f"{freedom.label} {places('s', freedom.s)}", INK


def _write(
    axes: Axes, x: float, y: float, text: str, size: float, room: float, *, color: str = INK, **how: Any
) -> None:
    """A text that is as small as its room asks for."""
    size = min(size, max(3.5, room / max(len(text), 1) / LETTER))
    axes.text(
        x, y, text, fontsize=size, color=color, va="center", parse_math=False, **({"ha": "center"} | how)
    )  # fmt: skip
