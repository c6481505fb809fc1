"""Memory layout of a tree for its kernels: one block per instance, with instances in W lanes.

    [ time | 1 | coordinates | speeds | efforts | states: value, rate | drives, three each | bases, 24 each | results ]

Results are the rates of the speeds, then the highest derivatives of the scalar states (of algebraic ones the value),
then the multipliers of cut joints, and corrections of coordinates and speeds that keep these closed.
What is read from drives and prescribed nodes is copied from the memory of the system before a kernel is called.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from samara.model import Drive, Node, State
from samara.recursive.tree import Tree
from samara.system.layout.layout import Layout
from samara.system.memory.blocks import ACC, ETA, POSITION, ROTATION

#: Components of a prescribed node that are copied: pose, twist, acceleration.
_BASE = (*range(ROTATION, ROTATION + 9), *range(POSITION, POSITION + 3), *range(ETA, ETA + 6), *range(ACC, ACC + 6))
BASE_SIZE = len(_BASE)


class TreeBlock:
    """Places in a block.

    massive: how many segments have mass, where what is prescribed may jump.
    drives: those that may change; bases: prescribed nodes that move, of those that the tree stands on or loads look at.
    """

    def __init__(
        self,
        tree: Tree,
        states: Sequence[State],
        drives: Sequence[Drive],
        bases: Sequence[Node],
        closures: int = 0,
        massive: int = 0,
        pushes: int = 0,
    ) -> None:
        self.time = 0
        self.one = 1
        self.coordinates = 2
        self.speeds = self.coordinates + tree.coordinates
        self.efforts = self.speeds + tree.speeds
        self.states = self.efforts + tree.speeds
        self._drives = self.states + 2 * len(states)
        self._bases = self._drives + 3 * len(drives)
        self.results = self._bases + BASE_SIZE * len(bases)
        self.state_results = self.results + tree.speeds
        self.multipliers = self.state_results + len(states)
        self.corrections = self.multipliers + closures
        self.kept = self.corrections + (2 * tree.speeds if closures else 0)
        self.pushes = self.kept + 6 * massive
        self.size = self.pushes + pushes
        self._drive_number = {id(drive): k for k, drive in enumerate(drives)}
        self._base_number = {node.name: k for k, node in enumerate(bases)}
        self._state_number = {state.name: k for k, state in enumerate(states)}
        self._drive_list, self._base_list = list(drives), list(bases)

    def drive(self, drive: Drive) -> int:
        """Value, rate and second derivative."""
        return self._drives + 3 * self._drive_number[id(drive)]

    @property
    def drive_count(self) -> int:
        """How many drives there are."""
        return len(self._drive_list)

    def drive_place(self, k: int) -> int:
        """Value of the k-th drive."""
        return self._drives + 3 * k

    @property
    def drives(self) -> list[Drive]:
        """In the order of their places."""
        return list(self._drive_list)

    @property
    def bases(self) -> list[Node]:
        """Prescribed nodes that move."""
        return list(self._base_list)

    def base(self, node: Node) -> int:
        """Rotation by rows, position, twist, acceleration."""
        return self._bases + BASE_SIZE * self._base_number[node.name]

    def has_base(self, node: Node) -> bool:
        """Whether it is a node that moves."""
        return node.name in self._base_number

    def is_base_motion(self, place: int) -> bool:
        """Whether a place is one of the pose or twist of a prescribed node."""
        return self._bases <= place < self.results and (place - self._bases) % BASE_SIZE < BASE_SIZE - 6

    def is_base_pose(self, place: int) -> bool:
        """Whether a place is one of the pose of a prescribed node."""
        return self._bases <= place < self.results and (place - self._bases) % BASE_SIZE < 12

    def state(self, name: str) -> int:
        """Value and rate."""
        return self.states + 2 * self._state_number[name]

    def state_result(self, name: str) -> int:
        """Highest derivative."""
        return self.state_results + self._state_number[name]

    def copies(self, layout: Layout) -> np.ndarray:
        """Pairs (place in the state of the system, place in a block), shape (n, 2)."""
        pairs = [(layout.signal(d) + k, self.drive(d) + k) for d in self._drive_list for k in range(3)]
        for node in self._base_list:
            first, block = self.base(node), layout.block(node)
            pairs += [(block + c * layout.width, first + k) for k, c in enumerate(_BASE)]
        return np.array(pairs, np.int64).reshape(-1, 2)
