"""The page: data and scripts in one file, which a browser opens without a network."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from samara.viewer.channels import colours, shown_channels, stride, vectors
from samara.viewer.drawing import NOTICE, sources
from samara.viewer.frames import Recorded, RunFrames, frames_of
from samara.viewer.packing import Packing, packed_text
from samara.viewer.polygons import craft_of


def run_page(
    runs: Sequence[Recorded], rate: float | None = None, channels: Sequence[str] | None = None, wake: Any = None
) -> str:
    """HTML in which runs move, the first in its colours, others over it."""
    packing = Packing()
    packed = [_run(packing, results, rate, channels, wake if k == 0 else None) for k, results in enumerate(runs)]
    return _page(runs[0].attrs.model or "model", packing, {"runs": packed})


def mode_page(title: str, scene: dict[str, Any], poses: np.ndarray, modes: Sequence[tuple[str, np.ndarray]]) -> str:
    """HTML in which modes move: poses (nodes, 12), names and small motions of the nodes in their axes (nodes, 6)."""
    packing = Packing()
    moved = [
        {"name": name, "re": packing.floats(np.real(shape)), "im": packing.floats(np.imag(shape))}
        for name, shape in modes
    ]
    return _page(title, packing, {"runs": [], "scene": _slim(scene), "poses": packing.floats(poses), "modes": moved})


class Cell:
    """A page that a notebook shows in its cell."""

    def __init__(self, page: str) -> None:
        self.page = page

    def _repr_html_(self, height: int = 620) -> str:
        frame = f"width: 100%; height: {height}px; border: 0"
        return f'<iframe srcdoc="{html.escape(self.page)}" style="{frame}" title="animation"></iframe>'


def _run(packing: Packing, results: Recorded, rate: float | None, patterns: Any, wake: Any) -> dict[str, Any]:
    frames, attrs = frames_of(results, rate), results.attrs
    shown = shown_channels(results, patterns)
    labels = [label for channel in shown for label in channel.labels]
    every = stride(len(frames.time), len(labels))
    rows = frames.rows[::every]
    table = np.column_stack([np.zeros((len(rows), 0)), *(results[c.name][rows] for c in shown)])
    middle, packed = packed_poses(frames)
    return {
        "name": attrs.model,
        "status": attrs.status if attrs.status == "completed" else f"{attrs.status}: {attrs.message}",
        "standIn": attrs.stand_in,
        "scene": _slim(results.scene),
        "craft": craft_of(results.scene),
        "along": attrs.abscissa,
        "start": float(frames.time[0]),
        "time": packing.floats(frames.time - frames.time[0]),
        "middle": packing.floats(middle),
        "poses": packing.columns(packed),
        "curves": {
            "labels": labels,
            "units": [channel.unit for channel in shown for _ in channel.labels],
            "time": packing.floats(results.time[rows] - frames.time[0]),
            "values": packing.columns(table),
        },
        "colours": colours(results.scene, shown),
        "vectors": vectors(results.scene, shown),
        "wake": _wake(packing, wake, frames) if wake else None,
    }  # fmt: skip


def _slim(scene: Mapping[str, Any]) -> dict[str, Any]:
    """Without what is not drawn: measures of blades, and vectors, which have their columns elsewhere."""
    kept = {name: value for name, value in scene.items() if name != "vectors"}
    if "rotors" in scene:
        kept["rotors"] = [{k: v for k, v in rotor.items() if k != "groups"} for rotor in scene["rotors"]]
    return kept


def packed_poses(frames: RunFrames) -> tuple[np.ndarray, np.ndarray]:
    """The middle of the nodes (n, 3), and of each node its place from there and its quaternion: (n, 7 nodes)."""
    from scipy.spatial.transform import Rotation

    n, nodes = frames.positions.shape[:2]
    middle = frames.positions.mean(axis=1).astype(np.float32).astype(float)
    quaternions = Rotation.from_matrix(frames.rotations.reshape(-1, 3, 3)).as_quat().reshape(n, nodes, 4)
    flips = np.einsum("tkc,tkc->tk", quaternions[1:], quaternions[:-1]) < 0.0
    signs = np.cumprod(np.where(flips, -1.0, 1.0), axis=0)  # q and -q are the same: neighbours are alike
    quaternions[1:] *= signs[:, :, None]
    return middle, np.concatenate([frames.positions - middle[:, None], quaternions], axis=2).reshape(n, -1)


def _wake(packing: Packing, wake: Sequence[tuple[float, Any]], frames: RunFrames) -> dict[str, Any]:
    """Filaments at times: points in the world and whether their circulation is positive."""
    times = np.array([time for time, _ in wake])
    points = np.array([np.concatenate([f.points for f in geometry.filaments]) for _, geometry in wake])
    middle = points.mean(axis=1)
    return {
        "time": packing.floats(times - frames.time[0]),
        "middle": packing.floats(middle),
        "points": packing.columns((points - middle[:, None]).reshape(len(times), -1)),
        "lengths": [len(f.points) for f in wake[0][1].filaments],
        "signs": [float(np.sign(f.circulation.sum())) for f in wake[-1][1].filaments],
    }


def _page(title: str, packing: Packing, head: dict[str, Any]) -> str:
    text = Path(__file__).with_name("page.html").read_text("utf-8")
    code = packed_text(json.dumps(sources()).encode())
    for mark, value in (
        ("%NOTICE%", NOTICE),
        ("%TITLE%", html.escape(title)),
        ("%CODE%", code),
        ("%DATA%", packing.block({"title": title} | head)),
    ):
        text = text.replace(mark, value, 1)
    return text
