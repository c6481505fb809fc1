"""Functions of a tree on plain numbers: its graph, operation by operation, without compiling it."""

from __future__ import annotations

import numpy as np

from samara.recursive.graph.kernel import TreeGraph
from samara.recursive.native import functions
from samara.recursive.tree import Tree
from samara.system import System
from samara.tracing.kernels.evaluate import evaluate


class PlainTree:
    """A tree whose functions are evaluated on plain numbers."""

    def __init__(self, model, base: str | None = None) -> None:
        self.tree = Tree(model, base=base)
        self.graph = TreeGraph(self.tree, System(model))
        self._asked: dict[str, functions.Asked] = {}

    def block(self, q, s, efforts=0.0) -> np.ndarray:
        """The numbers of a state."""
        at = self.graph.block
        found = np.zeros(at.size)
        found[at.coordinates : at.speeds], found[at.speeds : at.efforts] = q, s
        found[at.efforts : at.states] = efforts
        return found

    def run(self, name: str, block: np.ndarray) -> np.ndarray:
        """A function by its name."""
        if name not in self._asked:
            self._asked[name] = getattr(functions, name)(self.graph)
        return np.array(evaluate(self._asked[name].function, lambda place: block[place.position]))

    def random(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates and speeds."""
        q = rng.normal(size=self.tree.coordinates)
        for segment in self.tree.segments:
            if segment.freedom.kind == "ball":
                q[segment.q : segment.q + 4] /= np.linalg.norm(q[segment.q : segment.q + 4])
        return q, rng.normal(size=self.tree.speeds)
