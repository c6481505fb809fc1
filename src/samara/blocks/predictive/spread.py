"""The usual size of prediction errors, by which outliers are told from news."""

from __future__ import annotations

import numpy as np

#: Samples over which the size of errors is taken.
MEMORY = 50
#: Outliers one after the other from which on they count as a change of the plant.
PATIENCE = 3
#: An error below this part of the largest output seen is no outlier, however exact predictions were; fading of that.
SMALL, FADING = 0.01, 0.999


class Spread:
    """Tells errors that are far beyond what errors usually are.

        |z| > far s,     s^2 <- s^2 + (z^2 - s^2) / 50,     z: error by what is to be expected of the model's knowledge

    for any output is an outlier. It does not count in s; nor is anything one that is below 1 % of the largest output of
    late. Errors stay large where the plant itself has changed: the third in a row is news, and s begins anew. The first
    `warm` errors are taken as they are.
    """

    def __init__(self, outputs: int, far: float, warm: int) -> None:
        self.far, self.warm = far, warm
        self.square, self.largest = np.zeros(outputs), np.zeros(outputs)
        self.reset()

    def reset(self) -> None:
        """Knows nothing."""
        self.square[:] = self.largest[:] = 0.0
        self._seen = self._row = 0

    def outlying(self, z: np.ndarray, y: np.ndarray) -> bool:
        """Whether an error z of the output y is an outlier; counts it in if it is not."""
        if not z.any():  # a plant at rest tells nothing
            return False
        usual = np.maximum(np.sqrt(self.square), SMALL * self.largest)
        if self._seen >= self.warm and bool(((np.abs(z) > self.far * usual) & (usual > 0.0)).any()):
            self._row += 1
            if self._row < PATIENCE:
                return True
            self._seen = 0
        self._row = 0
        self._seen += 1
        self.square += (z * z - self.square) * max(1.0 / self._seen, 1.0 / MEMORY)
        np.maximum(FADING * self.largest, np.abs(y), out=self.largest)
        return False
