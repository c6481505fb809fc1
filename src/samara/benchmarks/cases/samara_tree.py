"""The trees of the benchmark in Samara's recursive formulation: forward dynamics in native loops, and runs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numba import njit

from samara.benchmarks.advance import advance
from samara.benchmarks.cases.trees import TreeSpec
from samara.elements.bodies.body import Body
from samara.elements.joints.revolute import Revolute
from samara.elements.laws.linear import LinearLaw
from samara.elements.springs.torsion import Torsion
from samara.model import Model, Node
from samara.recursive import RigidTree
from samara.recursive.graph.kernel import TreeGraph
from samara.recursive.native.functions import forward
from samara.solve import Simulation
from samara.solve.native.kernels import call_native
from samara.solve.start.start import start
from samara.solve.tree.machine import FRESH
from samara.solve.tree.schemes import TreeIntegrator
from samara.system.memory.aligned_arrays import aligned_zeros
from samara.tracing.kernels import native


def build(spec: TreeSpec) -> Model:
    """The tree as a model."""
    model = Model(spec.name, gravity=spec.gravity)
    nodes: list[Node] = []
    for link in spec.links:
        mother = model.ground if link.parent < 0 else nodes[link.parent]
        place = mother.place if link.free else mother.place @ link.at_zero
        node = model.node(link.name, place.position, rotation=place.rotation)
        model.add(f"{link.name}.body", Body(node, mass=link.mass, com=link.com, inertia=link.inertia))
        nodes.append(node)
        if link.free:
            continue
        frames: dict[str, Any] = {"place_a": link.near, "place_b": link.far}
        start = dict(zip(("angle", "angle_rate"), link.start, strict=True))
        model.add(f"{link.name}.hinge", Revolute(mother, node, start=start if any(link.start) else {}, **frames))
        if link.stiffness or link.damping:
            law = LinearLaw(link.stiffness, damping=link.damping)
            model.add(f"{link.name}.spring", Torsion(mother, node, law=law, **frames))
    return model


@njit(nogil=True)
def _call_often(address, groups, block, parameters, tables, count):
    for _ in range(count):
        call_native(address, groups, block, block, parameters, block, tables, block, block)


class TreeDynamics:
    """Forward dynamics of a tree for a batch of states, one at a time or several abreast."""

    def __init__(self, spec: TreeSpec, states: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
        self.spec, self.states = spec, states
        self.tree = RigidTree(build(spec))
        self._same_order()
        self.width = native.native_width()
        self._batches = {width: self._batch(width) for width in {1, self.width}}

    def _same_order(self) -> None:
        """Our coordinates are those of the description, in its order."""
        wanted = []
        for link in self.spec.links:
            base = [f"{link.name}.position.{c}" for c in "xyz"] + [f"{link.name}.rotation.{c}" for c in "wxyz"]
            wanted += base if link.free else [f"{link.name}.hinge.angle"]
        if self.tree.coordinate_names != wanted:
            raise ValueError(f"tree {self.spec.name!r}: list its bodies branch by branch: {self.tree.coordinate_names}")

    def _batch(self, width: int) -> tuple[int, np.ndarray, np.ndarray, int]:
        """(address of the kernel, blocks of the states in groups of that width, parameters, first of the results)."""
        tree = self.tree
        graph = TreeGraph(tree.tree, tree.system)
        asked = forward(graph)
        loaded = native.load("tree forward", [asked.function], width, asked.shape)
        groups = -(-len(self.states[0]) // width)
        blocks = aligned_zeros((groups, asked.shape.block, width))
        at = graph.block
        for first, values in zip((at.coordinates, at.speeds, at.efforts), self.states, strict=True):
            padded = np.concatenate([values, np.repeat(values[-1:], groups * width - len(values), axis=0)])
            blocks[:, first : first + values.shape[1]] = padded.reshape(groups, width, -1).swapaxes(1, 2)
        return loaded.addresses["forward"], blocks, aligned_zeros((groups, asked.shape.parameters, width)), asked.inputs

    def loop(self, width: int, count: int) -> Callable[[], None]:
        """Evaluates the batch that often in native code."""
        address, blocks, parameters, _ = self._batches[width]
        tables = self.tree.system.arrays.tables
        data = (blocks.ctypes.data, parameters.ctypes.data, tables.ctypes.data)
        return partial(_call_often, address, len(blocks), *data, count)

    def accelerations(self, width: int = 1) -> np.ndarray:
        """As the last loop of that width left them, shape (states, speeds)."""
        _, blocks, _, first = self._batches[width]
        found = blocks[:, first : first + self.spec.speeds].swapaxes(1, 2).reshape(-1, self.spec.speeds)
        return found[: len(self.states[0])]

    def from_python(self) -> Callable[[], np.ndarray]:
        """One call as a user makes it."""
        q, s, efforts = (values[0] for values in self.states)
        return lambda: self.tree.forward_dynamics(q, s, efforts)


class TreeRun:
    """A tree in motion, compiled once: `fresh` puts it back to its start, `advance` goes on."""

    def __init__(self, spec: TreeSpec, integrator: TreeIntegrator) -> None:
        self.spec = spec
        self.sim = Simulation(build(spec), integrator, formulation="recursive")
        start(self.sim, 1e-3)

    def fresh(self) -> None:
        """Where the description starts."""
        sim, tree = self.sim, self.sim.tree
        assert tree is not None
        tree.to_rest()
        tree.coordinates[:], tree.speeds[:] = self.spec.start()
        sim.memory.clock.time = 0.0
        sim.machine.tree.status[FRESH] = 0

    def advance(self, step: float, steps: int) -> None:
        """So many steps [s] by the native driver alone."""
        advance(self.sim, step, steps)

    @property
    def coordinates(self) -> np.ndarray:
        """q at present."""
        assert self.sim.tree is not None
        return self.sim.tree.coordinates.copy()
