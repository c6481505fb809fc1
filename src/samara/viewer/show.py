"""Shows a run: as a page, in a notebook's cell, as a film or as files for ParaView; the name's ending says as what."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from samara.arguments import ArgumentError, file_path, positive
from samara.viewer.frames import Recorded
from samara.viewer.page import Cell, mode_page, run_page

#: RunFrames for a second of a film [1/s].
FILM_RATE = 25.0


def show_run(
    results: Recorded,
    path: str | os.PathLike[str] | None,
    beside: Recorded | None,
    rate: float | None,
    channels: str | Sequence[str] | None,
    wake: Sequence[tuple[float, Any]] | None,
) -> Any:
    """See `samara.results.Results.animate`."""
    for which in (results, *([] if beside is None else [beside])):
        if not which.scene:
            raise ArgumentError(
                f"animate: results of model {which.attrs.model!r} do not hold what there is to draw: they were made by "
                "hand, by an analysis without a model, or by an older Samara; run the model again"
            )
    rate = None if rate is None else positive("animate: rate", rate)
    file = None if path is None else picture_path(path)
    if file is not None and file.suffix.lower() not in PAGES:
        for name, value in (("beside", beside), ("channels", channels), ("wake", wake)):
            if value is not None:
                raise ArgumentError(f"animate: {name} is for pages: name a file that ends in .html, got {file.name}")
        KINDS[file.suffix.lower()](results, file, rate)
        return file
    patterns = (channels,) if isinstance(channels, str) else channels
    page = run_page([results] if beside is None else [results, beside], rate, patterns, wake)
    if file is None:
        return Cell(page)
    file.write_text(page, "utf-8")
    return file


def show_modes(
    scene: dict[str, Any],
    poses: np.ndarray,
    modes: Sequence[tuple[str, np.ndarray]],
    path: str | os.PathLike[str] | None,
) -> Any:
    """See `samara.analysis.Modes.animate`. poses: of the nodes (nodes, 12); modes: what is said of each, its shape."""
    file = None if path is None else picture_path(path, PAGES)
    if not modes:
        raise ValueError("no mode to animate")
    page = mode_page("modes", scene, poses, modes)
    if file is None:
        return Cell(page)
    file.write_text(page, "utf-8")
    return file


def picture_path(path: str | os.PathLike[str], endings: Sequence[str] = ()) -> Path:
    """The file, if its ending is one of those and its folder is there."""
    file = file_path("animate: path", path)
    if endings and file.suffix.lower() not in endings:
        raise ValueError(f"{file}: modes move on a page for the browser: give a name that ends in .html")
    if file.suffix.lower() not in (*PAGES, *KINDS):
        raise ValueError(f"{file}: an animation ends in .html (page), .gif or .mp4 (film), or .pvd (ParaView)")
    if not file.parent.is_dir():
        raise FileNotFoundError(f"{file}: the folder {file.parent} does not exist; create it first")
    if file.is_dir():
        raise IsADirectoryError(f"{file}: is a folder: name a file in it")
    return file


def _film(results: Recorded, path: Path, rate: float | None) -> None:
    from samara.viewer.film import write_film

    write_film(results, path, rate or FILM_RATE)


def _paraview(results: Recorded, path: Path, rate: float | None) -> None:
    from samara.viewer.paraview import write_series

    write_series(results, path, rate)


PAGES = (".html", ".htm")
#: Who writes what, by the ending.
KINDS: dict[str, Callable[[Recorded, Path, float | None], None]] = {".gif": _film, ".mp4": _film, ".pvd": _paraview}
