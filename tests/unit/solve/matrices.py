"""Matrices with the structure of multibody models, for the tests of the LU.

Each is the KKT matrix [K G^T; G 0] of one Newton iteration: K from bodies, beams and the geometric stiffness of the
joints, G the constraints, in the units of a rotor blade (kg, m, N), so that the entries spread over many decades.
"""

from typing import NamedTuple

import numpy as np


class MatrixSample(NamedTuple):
    """A matrix in CSR form; `values` has shape (nnz,)."""

    n: int
    indptr: np.ndarray
    indices: np.ndarray
    values: np.ndarray

    def dense(self):
        """The full matrix, shape (n, n)."""
        full = np.zeros((self.n, self.n))
        full[np.repeat(np.arange(self.n), np.diff(self.indptr)), self.indices] = self.values
        return full

    def varied(self, seed, amount=0.3):
        """The same pattern with every value changed by a random relative `amount`."""
        rng = np.random.default_rng(seed)
        return self._replace(values=self.values * (1 + amount * rng.uniform(-1, 1, self.values.size)))


def from_dense(full, pattern=None):
    """Sample of the entries of `full` that are in `pattern` (by default those that are not zero)."""
    rows, columns = np.nonzero(full if pattern is None else pattern)
    indptr = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=full.shape[0]))])
    return MatrixSample(full.shape[0], indptr, columns.astype(np.int64), full[rows, columns])


class _Blocks:
    """Accumulates dense blocks into one pattern."""

    def __init__(self, n):
        self.n, self.full, self.pattern = n, np.zeros((n, n)), np.zeros((n, n), bool)

    def add(self, rows, columns, block, pattern=None):
        self.full[np.ix_(rows, columns)] += block
        self.pattern[np.ix_(rows, columns)] |= np.ones(block.shape, bool) if pattern is None else pattern

    def sample(self):
        return from_dense(self.full, self.pattern)


def _body(rng, step):
    mass, inertia = rng.uniform(1, 30), rng.uniform(0.01, 3, 3)
    return np.diag([mass] * 3 + list(inertia)) / step + rng.normal(0, 1, (6, 6))


def _revolute(rng):
    """Constraint Jacobian 5 x 12 of a revolute joint about the first axis, in the axes of both bodies."""

    def skew(p):
        return np.array([[0, -p[2], p[1]], [p[2], 0, -p[0]], [-p[1], p[0], 0]])

    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    jacobian = np.zeros((5, 12))
    jacobian[:3, :3], jacobian[:3, 3:6] = -np.eye(3), skew(rng.normal(size=3))
    jacobian[:3, 6:9], jacobian[:3, 9:] = turn, -turn @ skew(rng.normal(size=3))
    jacobian[3:, 3:6], jacobian[3:, 9:] = -np.eye(3)[1:], turn[1:]
    return jacobian


def _join(blocks, rng, a, b, multipliers, stiffness):
    """A revolute joint between the unknowns `a` and `b` (None: the ground), with its geometric stiffness."""
    jacobian = _revolute(rng)
    if a is None:
        jacobian, unknowns = jacobian[:, 6:], list(b)
    else:
        unknowns = [*a, *b]
    blocks.add(multipliers, unknowns, jacobian, jacobian != 0)
    blocks.add(unknowns, multipliers, jacobian.T, jacobian.T != 0)
    blocks.add(unknowns, unknowns, rng.normal(0, stiffness, (len(unknowns),) * 2))


def chain(bodies, *, step=1e-3, seed=0):
    """A chain of rigid bodies with revolute joints, hung on the ground: 11 unknowns a body."""
    rng = np.random.default_rng(seed)
    blocks = _Blocks(11 * bodies)
    previous = None
    for body in range(bodies):
        own = range(11 * body, 11 * body + 6)
        blocks.add(own, own, _body(rng, step))
        _join(blocks, rng, previous, own, range(11 * body + 6, 11 * body + 11), 1.0)
        previous = own
    return blocks.sample()


def rotor(beams, *, blades=4, step=1e-3, seed=0):
    """A hub hinged on the ground carries `blades` hinged blades of `beams` three-node beams each."""
    rng = np.random.default_rng(seed)
    nodes = 2 * beams + 1
    blocks = _Blocks(11 + blades * (6 * nodes + 5))
    hub = range(6)
    blocks.add(hub, hub, _body(rng, step))
    _join(blocks, rng, None, hub, range(6, 11), 1.0)
    for blade in range(blades):
        start = 11 + blade * (6 * nodes + 5)
        frames = [range(start + 6 * k, start + 6 * k + 6) for k in range(nodes)]
        _join(blocks, rng, hub, frames[0], range(start + 6 * nodes, start + 6 * nodes + 5), 1.0)
        for frame in frames:
            blocks.add(frame, frame, _body(rng, step) / 10)
        for beam in range(beams):
            ends = np.array([1, 1e-2, 1e-2, 1e-3, 1e-2, 1e-2] * 3)
            root = rng.normal(size=(18, 18)) * np.sqrt(ends)[:, None]
            covered = [i for frame in frames[2 * beam : 2 * beam + 3] for i in frame]
            blocks.add(covered, covered, 1e4 * root @ root.T / 18)
    return blocks.sample()
