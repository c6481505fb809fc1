"""What a page shows of a run: which of its samples, and where the nodes are then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

#: RunFrames for a second of the run, if nothing turns fast.
USUAL_RATE = 60.0
#: The most that a node turns from one frame to the next [rad]: between them the page goes along a cubic.
TURN = np.pi / 4
#: Most frames of a page.
MOST_FRAMES = 6000


class RecordedChannel(Protocol):
    """One recorded quantity; see `samara.results.Channel`."""

    @property
    def name(self) -> str: ...
    @property
    def unit(self) -> str: ...
    @property
    def components(self) -> tuple[str, ...]: ...
    @property
    def description(self) -> str: ...
    @property
    def labels(self) -> tuple[str, ...]: ...


class Recorded(Protocol):
    """What a run recorded; see `samara.results.Results`."""

    time: np.ndarray
    attrs: Any
    channels: Any

    @property
    def scene(self) -> Mapping[str, Any]: ...
    def __getitem__(self, name: str) -> np.ndarray: ...
    def __contains__(self, name: object) -> bool: ...


class RunFrames(NamedTuple):
    """rows: of the results; time [s]; positions [m] (n, nodes, 3) and rotations (n, nodes, 3, 3) of the nodes."""

    rows: np.ndarray
    time: np.ndarray
    positions: np.ndarray
    rotations: np.ndarray


def frames_of(results: Recorded, rate: float | None = None) -> RunFrames:
    """Samples of a run at a rate [1/s]: of those that were recorded the nearest; by default what its rotors need."""
    nodes = results.scene.get("nodes", ())
    if not nodes:
        raise ValueError(f"results of model {results.attrs.model!r} have nothing to draw: none of its nodes moves")
    if not len(results.time):
        raise ValueError(f"results of model {results.attrs.model!r} have no samples: there is nothing to show")
    require_poses(results, nodes)
    p = np.stack([results[f"{name}.position"] for name in nodes], axis=1)
    R = np.stack([results[f"{name}.rotation"] for name in nodes], axis=1).reshape(*p.shape, 3)
    sound = np.isfinite(p).all(axis=(1, 2)) & np.isfinite(R).all(axis=(1, 2, 3))
    rows = np.flatnonzero(sound)
    rows = rows[thinned(results.time[rows], rate or needed_rate(results.time[rows], R[rows]))]
    return RunFrames(rows, results.time[rows], p[rows], R[rows])


def require_poses(results: Recorded, nodes: Sequence[str]) -> None:
    """An error where poses of nodes were not recorded."""
    missing = [name for name in nodes if f"{name}.position" not in results or f"{name}.rotation" not in results]
    if missing:
        raise ValueError(
            f"an animation needs position and rotation of every node, and those of {missing[0]!r} were not recorded: "
            'run with outputs=("*.position", "*.rotation", ...), or with all outputs'
        )


def needed_rate(time: np.ndarray, rotations: np.ndarray) -> float:
    """RunFrames for a second [1/s] in which no node turns by more than `TURN`, but for a few samples; 60 at least."""
    if len(time) < 3:
        return USUAL_RATE
    steps = np.diff(time)
    cosine = 0.5 * (np.einsum("tkij,tkij->tk", rotations[:-1], rotations[1:]).min(axis=1) - 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        rates = np.where(steps > 0.0, np.arccos(np.clip(cosine, -1.0, 1.0)) / steps, 0.0)
    return max(USUAL_RATE, float(np.quantile(rates, 0.95)) / TURN)


def thinned(time: np.ndarray, rate: float) -> np.ndarray:
    """Numbers of samples next to equal intervals; not more than `MOST_FRAMES`."""
    span = float(time[-1] - time[0])
    count = int(min(span * rate, MOST_FRAMES)) + 1
    if len(time) <= count:
        return np.arange(len(time))
    wanted = np.linspace(time[0], time[-1], count)
    after = np.clip(np.searchsorted(time, wanted), 1, len(time) - 1)
    return np.unique(np.where(wanted - time[after - 1] < time[after] - wanted, after - 1, after))
