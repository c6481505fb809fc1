"""Distance between two sets of linearised equations, mode by mode, so that stiff modes do not hide changes in others.

With a basis S = (S_1, S_2, ...) of the modes of A, orthonormal within groups of about the same eigenvalue, which may
have too few vectors, a change is S^-1 (B - A) S in coordinates of the modes. Each entry is compared with the faster of
the two modes that it couples, or with a rate below which nothing counts as slower:

    max_jk |S^-1 (B - A) S|_jk / max(|s_j|, |s_k|, floor)

less rounding error, relative to the largest entry of each row of A.
"""

from __future__ import annotations

import numpy as np

#: Rounding of A, of the largest entry of each row.
ENTRY_ROUNDING = 1e-13
#: Singular value of the eigenvectors, of the largest, that is zero.
ZERO_VALUE = 1e-14
#: Distance of eigenvalues of a group, of their size and of the floor.
GROUP_DISTANCE = 1e-2


def difference(A: np.ndarray, *others: np.ndarray, floor: float = 1e-3) -> float:
    """As above, the largest of some B, floor in rad/s; infinite for matrices of different sizes."""
    if any(B.shape != A.shape for B in others):
        return np.inf
    if not A.size:
        return 0.0
    s, S = np.linalg.eig(A)
    rates = np.maximum(np.abs(s), floor)
    S = S.astype(complex)
    for group in _groups(s, rates):
        S[:, group] = np.linalg.qr(S[:, group])[0]
    L = np.linalg.pinv(S, rcond=ZERO_VALUE)
    noise = ENTRY_ROUNDING * (np.abs(L) @ np.abs(A).max(axis=1))[:, None]
    limit = np.maximum.outer(rates, rates)
    return max(float(((np.abs(L @ (B - A) @ S) - noise) / limit).max(initial=0.0)) for B in others)


def _groups(s: np.ndarray, rates: np.ndarray) -> list[np.ndarray]:
    """Numbers of eigenvalues that are near each other, directly or through others."""
    near = np.abs(s[:, None] - s[None, :]) <= GROUP_DISTANCE * np.maximum.outer(rates, rates)
    left, found = np.ones(s.size, bool), []
    for k in range(s.size):
        if left[k]:
            group = np.zeros(s.size, bool)
            group[k] = True
            while (grown := near[group].any(axis=0)).sum() > group.sum():
                group = grown
            left &= ~group
            found.append(np.flatnonzero(group))
    return found
