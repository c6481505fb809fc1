"""Modal bodies under the contract."""

import numpy as np
from row import Row, rotation, vector

from samara import ModalBody, ModalInterface, Reduction


def reduction(rng, modes: int = 3) -> Reduction:
    """Five points with mass and inertia anywhere, and modes that mean nothing."""
    n = 5
    blocks = []
    for _ in range(n):
        A = rng.uniform(-1.0, 1.0, (6, 6))
        blocks.append(A @ A.T + np.eye(6))
    M = np.zeros((6 * n, 6 * n))
    for k in range(n):
        # a point mass with a rotary inertia: what a rigid motion makes of it is that of a body
        M[6 * k : 6 * k + 3, 6 * k : 6 * k + 3] = rng.uniform(0.5, 2.0) * np.eye(3)
        M[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = 0.1 * blocks[k][:3, :3]
    A = rng.uniform(-1.0, 1.0, (modes, modes))
    return Reduction.from_arrays(
        rng.uniform(-1.0, 1.0, (n, 3)),
        rng.uniform(-1.0, 1.0, (n, 6, modes)),
        M,
        50.0 * (A @ A.T + np.eye(modes)),
        0.5 * (A @ A.T + np.eye(modes)),
        names=["", "", "tip", "", ""],
        rotations=[rotation(rng) for _ in range(n)],
    )


def body(nodes, rng, turn):
    return ModalBody(nodes[0], reduction=reduction(rng), gravity=turn((0.0, 0.0, -9.81)))


def interface(nodes, rng, turn):
    arm = body(nodes, rng, turn)
    return arm, ModalInterface(*nodes, body=arm, point="tip", place_b=vector(rng))


ROWS = [
    Row(
        "ModalBody",
        body,
        nodes=1,
        bad={
            "reduction": lambda nodes: ModalBody(nodes[0], reduction=3.0),
            "start must have 3": lambda nodes: ModalBody(
                nodes[0], reduction=reduction(np.random.default_rng(1)), start=[1.0]
            ),
        },
    ),
    Row(
        "ModalInterface",
        interface,
        bad={"body": lambda nodes: ModalInterface(*nodes, body=None, point="tip")},
    ),
]
