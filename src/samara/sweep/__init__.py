"""Sweeps: the same measurement on many variants of a model, on one core, on all of them or on a cluster.

    from samara.sweep import grid, sweep

    def make(length):                      a Model; its arguments are what varies
        ...

    def measure(results):                  a number, or {name: number or array}
        return {"top_speed": abs(results["hinge.angle_rate"]).max()}

    found = sweep(make, measure, grid(length=[0.5, 1.0, 2.0]), end=2.0, step=1e-3, workers=2)
    found.dataset, found.plot(path="speeds.png"), found.save("speeds.nc")

variants.py    grids, lists, Latin hypercubes
study.py       what is done to a variant: make, set, run, measure; bench.py does it, and keeps what is compiled
measures.py    measures of a channel by name: "max:hinge.angle"
serial.py, processes.py, cluster.py
               who does it: this process, processes on this machine (process.py is theirs), Dask
store.py       what is done, on disk at once; definition.py says whether it is of the same sweep, fingerprint.py
               whether functions are the same
results.py     a labelled array; plotting.py draws it
"""

from samara.sweep.errors import OpenScheduler, SweepError, SweepInterrupted
from samara.sweep.measures import MEASURES, ChannelMeasures, CurveMeasure
from samara.sweep.named import NamedModel
from samara.sweep.results import SweepResults
from samara.sweep.sweep import sweep
from samara.sweep.variants import Variants, grid, latin_hypercube, listed

__all__ = [
    "MEASURES",
    "ChannelMeasures",
    "CurveMeasure",
    "NamedModel",
    "OpenScheduler",
    "SweepError",
    "SweepInterrupted",
    "SweepResults",
    "Variants",
    "grid",
    "latin_hypercube",
    "listed",
    "sweep",
]
