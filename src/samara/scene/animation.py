"""Modes that move: a page for the browser that holds its data and its script, and needs nothing else."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from samara.arguments import file_path
from samara.results.netcdf import require_folder
from samara.scene.outline import Outline

#: Largest displacement at the start, of the mechanism's size.
SWING = 0.1


class MovingShapes(Protocol):
    """Small motions of a model's nodes, such as its modes: see `samara.analysis.Modes`."""

    @property
    def nodes(self) -> tuple[str, ...]:
        """Names of the nodes."""
        ...

    @property
    def p(self) -> np.ndarray:
        """Positions of the nodes [m], shape (nodes, 3)."""
        ...

    @property
    def R(self) -> np.ndarray:
        """Orientations of the nodes, shape (nodes, 3, 3)."""
        ...

    @property
    def shapes(self) -> np.ndarray:
        """Displacement and rotation of each node in its own axes, shape (m, nodes, 6), complex."""
        ...

    @property
    def length(self) -> float:
        """Size of the mechanism [m]."""
        ...

    @property
    def outline(self) -> Outline | None:
        """What to draw; the nodes alone if there is none."""
        ...

    @property
    def frequencies_hz(self) -> np.ndarray:
        """Of each motion [Hz]."""
        ...

    @property
    def damping(self) -> np.ndarray:
        """Damping ratio of each motion."""
        ...


def write_animation(modes: MovingShapes, chosen: Sequence[int], path: str | os.PathLike[str]) -> Path:
    """Writes the page; the first mode chosen is shown first."""
    path = page_name(path)
    if not chosen:
        raise ValueError("no mode to animate")
    data = json.dumps(scene(modes, chosen), separators=(",", ":"))
    page = Path(__file__).with_name("animation.html").read_text("utf-8")
    path.write_text(page.replace("/*DATA*/null", data), "utf-8")
    return path


def page_name(path: str | os.PathLike[str]) -> Path:
    """The file, if a browser will take it for a page."""
    path = file_path("animation: path", path)
    if path.suffix.lower() not in (".html", ".htm"):
        raise ValueError(f"{path}: an animation is a page for the browser: give a name that ends in .html")
    require_folder(path)
    return path


def scene(modes: MovingShapes, chosen: Sequence[int]) -> dict[str, Any]:
    """All numbers of the page: points [m], pairs of points with a line, and for each mode the motion of the points.

    A point is at p + re cos(phase) - im sin(phase), the real part of p + u exp(i phase).
    """
    drawn = modes.outline or nodes_alone(modes)
    points = drawn.points(modes.p, modes.R)
    return {
        "points": _rounded(points),
        "lines": drawn.lines.tolist(),
        "nodes": np.flatnonzero((drawn.node >= 0) & ~drawn.offset.any(axis=1)).tolist(),
        "modes": [_moving(modes, drawn, mode) for mode in chosen],
    }


def _moving(modes: MovingShapes, drawn: Outline, mode: int) -> dict[str, Any]:
    moved = swing(modes, drawn, mode)
    ratio = float(modes.damping[mode])
    damping = "" if math.isnan(ratio) else f", damping ratio {ratio:.3g}"
    return {
        "name": f"mode {mode + 1}: {modes.frequencies_hz[mode]:.4g} Hz{damping}",
        "re": _rounded(moved.real),
        "im": _rounded(moved.imag),
    }


def nodes_alone(modes: MovingShapes) -> Outline:
    """The nodes without lines."""
    count = len(modes.nodes)
    return Outline(np.arange(count), np.zeros((count, 3)), np.zeros((0, 2), np.int64))


def swing(modes: MovingShapes, drawn: Outline, mode: int) -> np.ndarray:
    """Displacements of the points [m], complex, so large that the largest is SWING of the mechanism's size."""
    moved = drawn.displacements(modes.R, modes.shapes[mode])
    largest = float(np.linalg.norm(np.abs(moved), axis=1).max(initial=0.0))
    return moved * (SWING * modes.length / largest if largest > 0.0 else 0.0)


def _rounded(values: np.ndarray) -> list:
    """Six digits of the largest: more than a screen can show."""
    size = float(np.abs(values).max(initial=0.0))
    digits = 6 - math.ceil(math.log10(size)) if size > 0.0 else 0
    return (np.round(values, digits) + 0.0).tolist()
