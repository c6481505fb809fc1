"""Linear laws of three and of six coordinates."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from samara.elements.couplings import coupling, lowest, may_act
from samara.elements.laws.vector_laws.vector_law import VectorLaw
from samara.model import ModelError, matrix, number, vector

#: What a matrix may couple, from the simplest on; forces with forces and couples with couples is "blocks".
_HALF = np.array([0, 0, 0, 1, 1, 1])
COUPLINGS: dict[int, dict[str, np.ndarray]] = {
    n: {
        "none": np.zeros((n, n), bool),
        "diagonal": np.eye(n, dtype=bool),
        "blocks": np.equal.outer(_HALF[:n], _HALF[:n]),
        "full": np.ones((n, n), bool),
    }
    for n in (3, 6)
}


class _LinearVectorLaw(VectorLaw):
    """effort = preload + K (q + damping rate) + C rate."""

    matrices: ClassVar[tuple[str, ...]] = ("stiffness", "viscosity")

    if TYPE_CHECKING:  # fields of the subclasses, which know the size
        stiffness: Any
        viscosity: Any
        damping: Any
        preload: Any

    def __post_init__(self) -> None:  # ready for use by itself, before an element checks it
        for name in self.matrices:
            if np.shape(getattr(self, name)) == (self.size,):
                setattr(self, name, np.diag(getattr(self, name)))

    def validate(self) -> None:
        super().validate()
        for name, what in (("stiffness", "push away"), ("viscosity", "drive the motion")):
            least = lowest(getattr(self, name))
            if least < -1e-12:
                raise ModelError(
                    f"{type(self).__name__}: {name} has a negative eigenvalue ({least:.3g}, scaled to a unit "
                    f"diagonal): it would {what}; check signs and couplings"
                )

    # ---- numbers that are known to be zero are no numbers of the kernel
    def _couplings(self) -> tuple[str, ...]:
        return tuple(coupling(getattr(self, name), COUPLINGS[self.size]) for name in self.matrices)

    def structure(self) -> tuple:
        return (*super().structure(), *self._couplings(), may_act(self.damping))

    def rebuild(self, leaves: Iterator) -> Any:
        twin = super().rebuild(leaves)
        for name, word in zip(self.matrices, self._couplings(), strict=True):
            setattr(twin, name, np.where(COUPLINGS[self.size][word], getattr(twin, name), 0.0))
        if not may_act(self.damping):
            twin.damping = 0.0
        return twin

    # ---- the law
    def elastic(self, q):
        return np.asarray(self.preload) + self.stiffness @ np.asarray(q)

    def potential(self, q):
        q = np.asarray(q)
        return (np.asarray(self.preload) + 0.5 * (self.stiffness @ q)) @ q

    def viscous(self, q, rate):
        rate = np.asarray(rate)
        return self.stiffness @ (self.damping * rate) + self.viscosity @ rate


class LinearLaw3(_LinearVectorLaw):
    """Linear spring and damper for three coupled coordinates.

        effort = preload + K (q + damping rate) + C rate,     V = preload . q + q . K q / 2

    stiffness: K, symmetric 3x3 without negative eigenvalues, or its diagonal [N/m or N m/rad].
    viscosity: C, the same [N s/m or N m s/rad].
    damping:   proportional to stiffness [s] >= 0.
    preload:   efforts at q = 0 [N or N m].
    """

    size: ClassVar[int] = 3

    stiffness: Any = matrix((3, 3), unit="N/m or N m/rad", symmetric=True)
    viscosity: Any = matrix((3, 3), default=(0.0,) * 3, unit="N s/m or N m s/rad", symmetric=True)
    damping: float = number(default=0.0, unit="s", nonnegative=True)
    preload: Any = vector(default=(0.0,) * 3, unit="N or N m")


class LinearLaw6(_LinearVectorLaw):
    """Linear spring and damper for three displacements and three rotations, fully coupled.

        effort = preload + K (q + damping rate) + C rate,     V = preload . q + q . K q / 2

    stiffness: K, symmetric 6x6 without negative eigenvalues, or its diagonal [N/m, N/rad, N m/rad].
    viscosity: C, the same [N s/m, N s/rad, N m s/rad].
    damping:   proportional to stiffness [s] >= 0.
    preload:   forces and couples at q = 0 [N, N m].
    """

    size: ClassVar[int] = 6

    stiffness: Any = matrix((6, 6), symmetric=True)
    viscosity: Any = matrix((6, 6), default=(0.0,) * 6, symmetric=True)
    damping: float = number(default=0.0, unit="s", nonnegative=True)
    preload: Any = matrix((6,), default=(0.0,) * 6, unit="N or N m")  # type: ignore[arg-type]
