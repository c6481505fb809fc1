"""Pictures of the ready models for the gallery: in the initial configuration, static ones deformed."""

import matplotlib.pyplot as plt
import numpy as np
from registry import FIGURES

from samara.models.catalogue import READY
from samara.scene.outline import shown
from samara.scene.scene import scene_of
from samara.system.system import System
from samara.viewer.film import still
from samara.viewer.frames import frames_of


def drawn(name: str) -> plt.Figure:
    """A ready model in three dimensions."""
    ready = READY[name]
    if ready.analysis == "static":
        results = ready.run(progress=False)
        frames = frames_of(results)
        picture = still(name, results.scene, frames.positions[-1], frames.rotations[-1])
    else:
        system = System(ready.make())
        nodes = shown(system)
        places = [np.array([getattr(node, what) for node in nodes]) for what in ("position", "rotation")]
        picture = still(name, scene_of(system, nodes=nodes)(), *places)
    figure = plt.figure(figsize=(picture.width / 100.0, picture.height / 100.0), layout="none")
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    axes.imshow(picture)
    return figure


def _register(name: str) -> None:
    def draw() -> plt.Figure:
        return drawn(name)

    FIGURES["gallery_" + name.replace("-", "_")] = draw


for _name in READY:
    _register(_name)
