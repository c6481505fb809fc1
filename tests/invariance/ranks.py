"""Runs all machines of `features` in parts, in two processes: mpirun -n 2 python tests/invariance/ranks.py FILE

FILE has, pickled, {name of the feature: its results, or the error that refused it}.
"""

import pickle
import sys
from pathlib import Path

from features import FEATURES
from mpi4py import MPI
from runs import TOLERANCE

import samara as sm


def main(file: Path) -> None:
    """All of them, one after the other; the first process writes."""
    found: dict[str, sm.Results | Exception] = {}
    for name, feature in FEATURES.items():
        model = feature.build()
        cut = sm.partition(model, feature.parts(model))
        try:
            sim = sm.Simulation(model, tolerance=TOLERANCE, partition=cut, backend="mpi")
            found[name] = sm.transient(sim, feature.end, feature.step, progress=False)
        except (sm.SolveError, sm.ModelError, sm.ArgumentError) as error:
            found[name] = error
    if MPI.COMM_WORLD.rank == 0:
        file.write_bytes(pickle.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
