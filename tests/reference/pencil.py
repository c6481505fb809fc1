"""Exponents of a motion that is a sum of exponentials, from its samples."""

import numpy as np


def exponents(samples: np.ndarray, step: float, order: int, delays: int = 2) -> np.ndarray:
    """Continuous exponents [1/s], slowest decay first: a linear map of the samples and of those after them.

    samples: rows at equal times, a column per channel; columns are scaled alike. `delays` rows together are a state,
    of which `order` directions are kept. Exact for exact data of that order.
    """
    rows = samples / np.abs(samples).max(axis=0)
    count = len(rows) - delays + 1
    state = np.hstack([rows[k : k + count] for k in range(delays)])
    before, after = state[:-1].T, state[1:].T
    U, size, Vt = np.linalg.svd(before, full_matrices=False)
    U, size, Vt = U[:, :order], size[:order], Vt[:order]
    values = np.linalg.eigvals(U.T @ after @ Vt.T / size).astype(complex)
    found = np.log(values) / step
    return found[np.argsort(-found.real)]
