"""Where the numbers of a model are stored: nodes and scalar states W abreast, drives, inputs, multipliers, outputs.

A layout holds positions only, no arrays. The state is stored in memory as

    [ free nodes | held nodes | scalar states | drives, three numbers each | inputs | multipliers | forces of pools ]

Free nodes of one part are adjacent and begin a new group of W, so that a part owns its lanes. Nodes shared by several
parts come first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from samara.model import Drive, Input, Model, ModelError, Node, State
from samara.system.kernels.contribution import TOTALS
from samara.system.layout.batches import Batch, Parts
from samara.system.memory.blocks import SIZE, STATE_SIZE

INDEX_LIMIT = 2**32 - 1


class Layout:
    """Positions of all numbers in the memory of a system.

    width:       W, lanes of a vector.
    free, held:  nodes with and without unknowns, in the order of their lanes.
    groups_of:   first and end of the groups of free nodes of each part, and of those in no part.
    coordinates: number of unknowns of nodes and states, without multipliers.
    multiplier_count, force_count: number of multipliers in the matrix of a step; of pool forces, which are not in it.
    """

    def __init__(
        self,
        model: Model,
        parts: Parts,
        batches: Sequence[Batch],
        drives: Sequence[Drive],
        inputs: Sequence[Input],
        width: int,
    ) -> None:
        self.width = width
        self.free = [n for n in model.nodes.values() if n.free]
        self.held = [n for n in model.nodes.values() if not n.free]
        order = {part: k for k, part in enumerate(["", *(b.part for b in batches if b.part)])}
        owner = {n.name: parts.lanes(parts.of_node(n)) for n in self.free}
        self.free.sort(key=lambda n: (order[owner[n.name]], parts.turn_of_node(n)))
        self.node_index: dict[str, int] = {}
        self.free_groups = self._number([(n, owner[n.name]) for n in self.free], 0)
        self.node_groups = self._number([(n, "") for n in self.held], self.free_groups)
        self.groups_of: dict[str, tuple[int, int]] = {}
        for node in self.free:
            group = self.node_index[node.name] // width
            self.groups_of[owner[node.name]] = self.groups_of.get(owner[node.name], (group, 0))[0], group + 1
        self.states = list(model.states.values())
        self.state_index = {state.name: k for k, state in enumerate(self.states)}
        self.state_groups = -(-len(self.states) // width)
        self._drive_index = {id(drive): k for k, drive in enumerate(drives)}
        self.input_index = {source.name: k for k, source in enumerate(inputs)}
        self.coordinates = 6 * len(self.free) + len(self.states)
        self.multiplier_count = sum(b.kind.multiplier_count * len(b.elements) for b in batches if not b.pooled)
        self.force_count = sum(b.kind.multiplier_count * len(b.elements) for b in batches if b.pooled)
        self.states_base = self.node_groups * SIZE * width
        self.signal_base = self.states_base + self.state_groups * STATE_SIZE * width
        self.input_base = self.signal_base + 3 * len(drives)
        self.multiplier_base = self.input_base + len(inputs)
        self.state_size = self.multiplier_base + self.multiplier_count + self.force_count
        self.output_size = len(TOTALS) + sum(b.kind.output_width * len(b.elements) for b in batches)
        self.output_room = self.output_size + len(TOTALS) + max((b.kind.output_width for b in batches), default=0) + 1
        if self.state_size > INDEX_LIMIT:
            raise ModelError(f"model {model.name!r} is too large for 32-bit indices")

    def _number(self, nodes: Sequence[tuple[Node, str]], first: int) -> int:
        """Assigns lanes to nodes, sorted by part, from a given group on; returns the group after the last."""
        w, k, last = self.width, first * self.width, None
        for node, part in nodes:
            if part != last:
                last, k = part, -(-k // w) * w
            self.node_index[node.name] = k
            k += 1
        return -(-k // w)

    def block(self, node: Node) -> int:
        """Start of a node's block in the state; component i is i * W further on."""
        k = self.node_index[node.name]
        return (k // self.width) * SIZE * self.width + k % self.width

    def lanes(self, nodes: Iterable[Node]) -> np.ndarray:
        """Lane numbers of nodes."""
        return np.array([self.node_index[node.name] for node in nodes], np.int64)

    def blocks(self, nodes: Iterable[Node]) -> np.ndarray:
        """Starts of the blocks of nodes in the state."""
        lanes = self.lanes(nodes)
        return (lanes // self.width) * SIZE * self.width + lanes % self.width

    def state_block(self, state: State) -> int:
        """Start of a scalar state's block; component i is i * W further on."""
        k = self.state_index[state.name]
        return self.states_base + (k // self.width) * STATE_SIZE * self.width + k % self.width

    def signal(self, drive: Drive) -> int:
        """Position of a drive in the state: its value, then its rate and second derivative."""
        return self.signal_base + 3 * self._drive_index[id(drive)]

    def input(self, name: str) -> int:
        """Position of an input in the state."""
        return self.input_base + self.input_index[name]

    @property
    def inputs(self) -> slice:
        """All inputs in the state."""
        return slice(self.input_base, self.multiplier_base)

    @property
    def multipliers(self) -> slice:
        """All multipliers in the state that are unknowns of the matrix."""
        return slice(self.multiplier_base, self.multiplier_base + self.multiplier_count)
