"""A 3-D view of the machine as it moves."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

import numpy as np
from nicegui import ui
from nicegui.element import Element

from samara.viewer.drawing import drawing_modules

if TYPE_CHECKING:
    from samara.dashboard.feed.feed import Feed

ui.scene  # noqa: B018  three.js comes with it, from this package: nothing is fetched from elsewhere


class SceneElement(
    Element, component="scene_view.js", esm={name: str(folder) for name, folder in drawing_modules().items()}
):
    """The canvas in the browser. The scene goes there once; then one message per frame has the poses of all nodes.

    seen: whether it is on the screen, and not behind another tab: nothing is sent otherwise.
    """

    def __init__(self, scene: dict[str, Any], nodes: list[str]) -> None:
        super().__init__()
        self._props["scene"] = {key: value for key, value in scene.items() if key != "rotors"} | {
            "rotors": [
                {key: rotor[key] for key in ("name", "radius", "craft", "disk", "blades")}
                for rotor in scene.get("rotors", ())
            ]
        }
        self._props["nodes"] = nodes
        self.seen = True
        self.on("seen", lambda event: setattr(self, "seen", bool(event.args["on"])))

    def show(self, poses: np.ndarray) -> None:
        """Shows the machine at these poses, position and rotation by rows (nodes, 12)."""
        _ = self.run_method("move", packed(poses))


def packed(values: np.ndarray) -> str:
    """As float32 in base64: a third of the size of decimal numbers, and nothing to parse."""
    return base64.b64encode(np.ascontiguousarray(values, dtype="<f4").tobytes()).decode("ascii")


class SceneView:
    """The view of a feed's machine; nothing where there is nothing to draw. Built in the container of the moment."""

    def __init__(self, feed: Feed) -> None:
        self.feed = feed
        self.element: SceneElement | None = None
        if present(feed):
            self.element = SceneElement(feed.scene, list(feed.card.nodes)).classes("w-full h-full")
        self._shown: np.ndarray | None = None

    def update(self) -> None:
        """Sends the poses, if they changed."""
        poses = self.feed.poses()
        if (
            self.element is None
            or not self.element.seen
            or (self._shown is not None and np.array_equal(poses, self._shown))
        ):
            return
        self._shown = poses.copy()
        self.element.show(poses)


def present(feed: Feed) -> bool:
    """Whether there is anything to show."""
    return bool(feed.scene.get("node"))


def build(feed: Feed) -> SceneView:
    """The view, in the container of the moment."""
    return SceneView(feed)
