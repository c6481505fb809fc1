"""The benchmark chain: N boxes joined by hinges whose axes alternate, let go from the horizontal."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class ChainSpec:
    """A straight chain along +x that starts at rest, with its first hinge at the origin of the world W.

    Frame L_k of link k has its origin at the inner end of the link and x along the link; at t = 0 all
    frames are parallel to W. Hinge k joins link k-1 (the ground when k = 0) to link k, at the origin of
    L_k. Its axis is y for even k and z for odd k, the same in both links. There is no friction and no
    contact.

    Gravity has a y component, so that both families of hinges move and the motion is three-dimensional.
    The quantity to compare is the position p_WT of the tip T, the outer end of the last link.

    Units: m, kg, s. The inertia is that of a uniform box.
    """

    links: int
    length: float = 0.1
    width: float = 0.02
    height: float = 0.02
    mass: float = 0.1
    gravity: tuple[float, float, float] = (0.0, 2.5, -9.5)
    duration: float = 1.0
    step: float = 1e-3

    SIZES: ClassVar[tuple[int, ...]] = (2, 10, 40, 200)
    """The lengths of chain that are reported."""

    def __post_init__(self) -> None:
        if self.links < 1:
            raise ValueError(f"ChainSpec.links must be at least 1, got {self.links}")
        for name in ("length", "width", "height", "mass", "duration", "step"):
            if not getattr(self, name) > 0.0:
                raise ValueError(f"ChainSpec.{name} must be positive, got {getattr(self, name)}")

    @property
    def inertia(self) -> Vector:
        """Principal moments of inertia of a link about its centre, axes of L [kg m^2], shape (3,)."""
        x2, y2, z2 = self.length**2, self.width**2, self.height**2
        return self.mass / 12.0 * np.array([y2 + z2, x2 + z2, x2 + y2])

    @property
    def centre(self) -> Vector:
        """Centre of mass of a link from its inner end, axes of L [m], shape (3,)."""
        return np.array([0.5 * self.length, 0.0, 0.0])

    def axis(self, k: int) -> Vector:
        """Unit axis of hinge k, axes of L_k and of L_{k-1}, shape (3,)."""
        return np.array([0.0, 1.0, 0.0]) if k % 2 == 0 else np.array([0.0, 0.0, 1.0])

    def hinge(self, k: int) -> Vector:
        """Position of hinge k in W at t = 0 [m], shape (3,)."""
        return np.array([k * self.length, 0.0, 0.0])

    def steps(self, step: float | None = None, duration: float | None = None) -> int:
        """Number of steps in the run; the duration must be a whole number of them."""
        h = self.step if step is None else step
        end = self.duration if duration is None else duration
        count = round(end / h)
        if count < 1 or abs(count * h - end) > 1e-9 * end:
            raise ValueError(f"a duration of {end} s is not a whole number of steps of {h} s")
        return count
