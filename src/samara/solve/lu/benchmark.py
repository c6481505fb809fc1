"""Times of the sparse LU beside SuperLU and LAPACK: python -m samara.solve.lu.benchmark

Each figure is the least of many repeats, in microseconds, without the copy that restores the matrix. Set
OPENBLAS_NUM_THREADS=1 for a fair LAPACK on a busy machine.
"""

import time

import numpy as np
import scipy.linalg
import scipy.sparse
from numba import njit
from scipy.sparse.linalg import splu

from . import analyse, new_storage, refactor, samples, solve

CASES = {
    "chain 13": lambda: samples.chain(13),
    "chain 26": lambda: samples.chain(26),
    "chain 66": lambda: samples.chain(66),
    "chain 200": lambda: samples.chain(200),
    "rotor 4 x 4": lambda: samples.rotor(4),
    "rotor 4 x 14": lambda: samples.rotor(14),
}


@njit(nogil=True)
def _restore(v, start, repeats):
    for _ in range(repeats):
        v[:] = start


@njit(nogil=True)
def _factor(lu, v, start, repeats):
    for _ in range(repeats):
        v[:] = start
        refactor(lu, v)


@njit(nogil=True)
def _solve(lu, v, b, x, repeats):
    for _ in range(repeats):
        solve(lu, v, b, x)


def least(work, repeats=100):
    """Least time of a call [us]."""
    work()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return 1e6 * min(times)


def measure(sample, ordering, calls=50):
    """Times [us] of analysis, refactorisation and solution, and the room that the factors take."""
    analysis = least(lambda: analyse(*sample, ordering=ordering), 5)
    lu = analyse(*sample, ordering=ordering)
    v, start = new_storage(lu), new_storage(lu)
    b, x = np.ones(sample.n), np.zeros(sample.n)
    start[lu.slot] = sample.values
    copy = least(lambda: _restore(v, start, calls)) / calls
    factor = least(lambda: _factor(lu, v, start, calls)) / calls - copy
    solution = least(lambda: _solve(lu, v, b, x, calls)) / calls
    return {"analyse": analysis, "refactor": factor, "solve": solution, "size": lu.size}


def measure_peers(sample):
    """The same with SciPy's SuperLU and with LAPACK."""
    matrix = scipy.sparse.csr_matrix((sample.values, sample.indices, sample.indptr), (sample.n,) * 2).tocsc()
    b, full = np.ones(sample.n), sample.dense()
    sparse, dense = splu(matrix), scipy.linalg.lu_factor(full)
    return {
        "splu": least(lambda: splu(matrix), 10),
        "splu.solve": least(lambda: sparse.solve(b)),
        "getrf": least(lambda: scipy.linalg.lu_factor(full, check_finite=False), 5),
        "getrs": least(lambda: scipy.linalg.lu_solve(dense, b, check_finite=False), 20),
        "fill": sparse.L.nnz + sparse.U.nnz,
    }


def main():
    """Print one line per case and solver."""
    for name, make in CASES.items():
        sample = make()
        print(f"{name}: {sample.n} unknowns, {sample.values.size} entries")
        rows = {ordering: measure(sample, ordering) for ordering in ("markowitz", "superlu")}
        rows["peers"] = measure_peers(sample)
        for row, figures in rows.items():
            print(f"  {row:10}", "  ".join(f"{key} {value:.4g}" for key, value in figures.items()), flush=True)


if __name__ == "__main__":
    main()
