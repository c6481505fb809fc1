"""Equations of a part's elements, added up in a vector of the part's own: so that parts do not disturb each other."""

from __future__ import annotations

import numpy as np

from samara.solve.native.kernels import INDICES
from samara.system.groups import FUNCTIONS
from samara.system.partition import Partition
from samara.system.system import System


class LocalRows:
    """Where the equations lie that a part's elements see.

    As in `samara.system.unknowns`: six of each node, W nodes abreast, then states, multipliers, and room for what is
    not wanted.

    size:  of the vector.
    first: by first rows of nodes, rows of states and first rows of multipliers in the vectors of the system.
    each:  by numbers of unknowns of the linear solver.
    """

    def __init__(self, system: System, cut: Partition, part: str) -> None:
        w, unknowns, layout = system.layout.width, system.unknowns, system.layout
        elements = [system.model.elements[name] for name in cut.parts[part]]
        nodes = {n.name: n for e in elements for n in e.nodes() if n.free}
        self.first = np.zeros(unknowns.room + 1, np.int64)
        self.each = np.zeros(unknowns.size, np.int64)
        for k, node in enumerate(nodes.values()):
            at = (k // w) * 6 * w + k % w
            self.first[unknowns.row(node)] = at
            self.each[unknowns.first(node) + np.arange(6)] = at + np.arange(6) * w
        at = -(-len(nodes) // w) * 6 * w
        for name in dict.fromkeys(state.name for e in elements for state in e.states()):
            row = unknowns.state_row(name)
            self.first[row] = self.each[unknowns.dense[row]] = at
            at += 1
        for element in elements:
            numbers = layout.coordinates + system.multipliers(element)
            if numbers.size:
                self.first[unknowns.rows[numbers[0]]] = at
                self.each[numbers] = at + np.arange(numbers.size)
                at += numbers.size
        self.first[unknowns.trash :] = at
        self.size = at + unknowns.room - unknowns.trash

    def program(self, system: System, part: str) -> tuple[np.ndarray, list[np.ndarray]]:
        """The program of the part's elements that adds up here, and the indices that it knows by address."""
        indices, program = [], []
        for group in system.groups:
            if group.part != part:
                continue
            idx, slots = group.idx.copy(), group.kind.places
            columns = [slots.row(i) for i in range(slots.nodes)] + [slots.state_row(k) for k in range(slots.states)]
            for column in [*columns, slots.multiplier_rows]:
                idx[:, column, :] = self.first[np.minimum(idx[:, column, :], system.unknowns.room)]
            line = group.program()
            line[INDICES] = idx.ctypes.data
            indices.append(idx)
            program.append(line)
        return np.array(program, np.int64).reshape(-1, 3 + len(FUNCTIONS)), indices
