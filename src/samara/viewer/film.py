"""A film of a run, drawn and written by Pillow: .gif; .mp4 where ffmpeg is installed."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from samara.viewer.frames import Recorded, RunFrames, frames_of
from samara.viewer.polygons import Solid, craft_of, solid_of

#: Size of the picture [pixels], and how much larger it is drawn, for smooth edges.
WIDTH, HEIGHT, FINER = 640, 480, 2
#: Colours of faces by kind, of lines and of the ground; light falls from above and the side.
COLOURS = {"blade": "#4fa8d8", "wing": "#8fa3b0", "beam": "#90a4ae", "hull": "#8497a1", "box": "#b8c6cd"}
LINE, GROUND, PAPER, INK = "#78909c", "#39454f", "#1d2329", "#eceff1"
LIGHT = np.array([-0.4, -0.6, 0.7]) / np.sqrt(0.16 + 0.36 + 0.49)
#: From where it is seen, as the page's first view.
AWAY = np.array([-0.8, -1.0, 0.6]) / np.sqrt(0.64 + 1.0 + 0.36)
#: Of Pillow's ways to choose colours (`Image.Quantize.FASTOCTREE`).
FASTEST = 2
#: Most frames of a film: all of a .gif are in memory at once.
MOST_FRAMES = 3000


class Lens(NamedTuple):
    """Parallel projection: middle of the picture [m], axes to its right and upward, pixels for a metre."""

    middle: np.ndarray
    axes: np.ndarray
    scale: float

    def seen(self, points: np.ndarray) -> np.ndarray:
        """Pixels from left and top, (n, 2)."""
        across = (points - self.middle) @ self.axes.T * self.scale * FINER
        return np.array([0.5 * WIDTH * FINER, 0.5 * HEIGHT * FINER]) + across * [1.0, -1.0]


def write_film(results: Recorded, path: Path, rate: float) -> None:
    """RunFrames at a rate [1/s], in real time: the film is as long as the run."""
    film = path.suffix.lower() == ".mp4"
    if film and shutil.which("ffmpeg") is None:
        raise RuntimeError(f"{path}: an .mp4 needs ffmpeg, which is not installed: install it, or name a .gif")
    frames, solid = frames_of(results, rate), solid_of(results.scene)
    if len(frames.time) > MOST_FRAMES:
        raise ValueError(
            f"{path}: a film of {len(frames.time)} frames is too long: give a smaller rate than {rate:g}, or write a "
            "page (.html)"
        )
    titles = (f"{results.attrs.model}   {time:.2f} s" for time in frames.time)
    pictures = _pictures(titles, frames, solid, flies=craft_of(results.scene) >= 0)
    span = float(frames.time[-1] - frames.time[0])
    shown = (len(frames.time) - 1) / span if span else rate
    if film:
        _encode(pictures, path, shown)
        return
    first, *others = [picture.quantize(64, FASTEST) for picture in pictures]
    first.save(path, save_all=True, append_images=others, duration=1000.0 / shown, loop=0)


def still(title: str, scene: Mapping[str, Any], positions: np.ndarray, rotations: np.ndarray) -> Any:
    """A picture (Pillow's) of a scene with its nodes at positions [m] (nodes, 3), rotations (nodes, 3, 3)."""
    frame = RunFrames(np.zeros(1, np.int64), np.zeros(1), positions[None], rotations[None])
    return next(_pictures([title], frame, solid_of(scene), craft_of(scene) >= 0))


def _encode(pictures: Iterator[Any], path: Path, rate: float) -> None:
    raw = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{WIDTH}x{HEIGHT}", "-r", f"{rate:g}", "-i", "-"]
    command = ["ffmpeg", "-y", "-loglevel", "error", *raw, "-pix_fmt", "yuv420p", str(path)]
    octets = b"".join(picture.tobytes() for picture in pictures)
    done = subprocess.run(command, input=octets, capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{path}: ffmpeg failed: {done.stderr.decode(errors='replace').strip()}")


def _pictures(titles: Iterable[str], frames: RunFrames, solid: Solid, flies: bool) -> Iterator[Any]:
    from PIL import ImageColor

    places = [solid.points(p, R) for p, R in zip(frames.positions, frames.rotations, strict=True)]
    middles = frames.positions.mean(axis=1)
    shifts = middles - middles[0] if flies else np.zeros_like(middles)
    lens, ground = _lens(np.concatenate([at - shift for at, shift in zip(places, shifts, strict=True)]), flies)
    tints = np.array([ImageColor.getrgb(COLOURS[kind]) for kind in solid.kinds], float).reshape(-1, 3)
    for at, shift, title in zip(places, shifts, titles, strict=True):
        yield _picture(at, lens._replace(middle=lens.middle + shift), ground, solid, tints, title)


def _lens(points: np.ndarray, flies: bool) -> tuple[Lens, np.ndarray]:
    """All points in the picture; and the lines of a ground below them, (n, 2, 3), none under what flies."""
    right = np.cross([0.0, 0.0, 1.0], AWAY)
    right /= np.linalg.norm(right)
    axes = np.array([right, np.cross(AWAY, right)])
    low, high = points.min(axis=0), points.max(axis=0)
    across = points @ axes.T
    room = np.maximum(np.ptp(across, axis=0), 1e-6)
    middle = 0.5 * (across.min(axis=0) + across.max(axis=0)) @ axes
    lens = Lens(middle, axes, 0.85 * float(np.min(np.array([WIDTH, HEIGHT]) / room)))
    if flies:
        return lens, np.zeros((0, 2, 3))
    size = float(np.linalg.norm(high - low)) or 1.0
    level = min(0.0, low[2]) if low[2] > -0.02 * size and low[2] < 0.5 * size else low[2] - 0.02 * size
    marks = np.linspace(-1.0, 1.0, 21) * 0.8 * size
    ends = np.array([[[m, -1.0], [m, 1.0]] for m in marks]) * [1.0, 0.8 * size]
    flat = np.concatenate([ends, ends[:, :, ::-1]]) + 0.5 * (low + high)[:2]
    return lens, np.concatenate([flat, np.full((*flat.shape[:2], 1), level)], axis=2)


def _picture(at: np.ndarray, lens: Lens, ground: np.ndarray, solid: Solid, tints: np.ndarray, text: str) -> Any:
    """What is near covers what is far: faces and lines from the farthest on."""
    from PIL import Image, ImageDraw

    picture = Image.new("RGB", (WIDTH * FINER, HEIGHT * FINER), PAPER)
    pen = ImageDraw.Draw(picture)
    for ends in ground:
        pen.line([tuple(p) for p in lens.seen(ends)], fill=GROUND, width=1)
    seen, depth = lens.seen(at), at @ AWAY
    shapes: list[tuple[float, Any, Any]] = [
        (float(depth[[a, b]].mean()), (a, b), None) for a, b in solid.lines.tolist()
    ]
    for face, tint in zip(solid.faces, tints, strict=True):
        corners = list(face)
        normal = np.cross(at[corners[2]] - at[corners[0]], at[corners[-1]] - at[corners[1]])
        bright = 0.5 + 0.5 * abs(float(normal @ LIGHT)) / max(float(np.linalg.norm(normal)), 1e-300)
        shapes.append((float(depth[corners].mean()), corners, tuple(int(c * bright) for c in tint)))
    for _, corners, colour in sorted(shapes, key=lambda shape: shape[0]):
        outline = [tuple(seen[c]) for c in corners]
        if colour is None:
            pen.line(outline, fill=LINE, width=2 * FINER)
        else:
            pen.polygon(outline, fill=colour)
    small = picture.reduce(FINER)
    ImageDraw.Draw(small).text((10, 8), text, fill=INK)
    return small
