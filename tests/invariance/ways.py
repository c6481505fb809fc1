"""Ways to run a machine of `features`: each gives what the plain run gives, or refuses.

A way returns how far it is from the plain run and how far it may be. Where the same steps are taken by the same native
code the bound is zero: bit by bit. Where sums are taken in another order it is that of the battery, ten times what
rounding and Newton's tolerance do to ready models. Another formulation, another step or a linear form has another error
of discretisation: it may be as far from the plain run at half its step as that is from the plain run, and as its own
run is from its own at half the step; twice, for both are estimates.
"""

from __future__ import annotations

import functools
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from features import FEATURES, PUSH, TUNED, Feature
from runs import TOLERANCE, kind, scales
from scipy.linalg import expm

import samara as sm
from samara.realtime.loop import RealTime, made_up
from samara.results import Results
from samara.solve import Integrator, Simulation
from samara.solve.measures import chosen
from samara.solve.step.march import record
from samara.solve.tree.schemes import TreeIntegrator
from samara.sweep import grid, sweep

#: of places, speeds, loads in another order of sums, relative to the largest number of the unit
ROUNDING = {"places": 3e-9, "speeds": 1e-7, "loads": 1e-5}
#: added to what steps leave: that of a run whose steps leave nothing
LEAST = 1e-7
#: of a derivative: differences over 5e-4 of a parameter are of second order in that; rounding comes on top
DIFFERENCES = 1e-5
#: descriptions of what is compared where steps differ
OF_NODES = ("origin of the node, world axes", "velocity of the node, world axes", "angular velocity, world axes")


@dataclass(frozen=True)
class Found:
    """The largest difference from the plain run over what it may be, and where; at most one is well.

    differ: names of the channels that are not equal where all should be, bit by bit.
    """

    ratio: float
    where: str = ""
    differ: tuple[str, ...] = ()


def simulation(model: sm.Model, **how) -> Simulation:
    return Simulation(model, tolerance=TOLERANCE, **how)


@functools.cache
def plain(feature: str, finer: int = 1, formulation: str = "redundant") -> Results:
    """The run that all others are compared with; `finer` times as many steps."""
    f = FEATURES[feature]
    sim = simulation(f.build(), formulation=formulation)
    return sm.transient(sim, f.end, f.step / finer, every=finer, progress=False)


def same(whole: Results, rows: np.ndarray, wanted: np.ndarray) -> Found:
    """Bit by bit; of channels of the whole run, which may be others in minimal coordinates."""
    assert rows.shape == wanted.shape, (rows.shape, wanted.shape)
    differ, first = [], 0
    for channel in whole.channels:
        columns = slice(first, first + channel.width)
        first += channel.width
        if not np.array_equal(rows[:, columns], wanted[:, columns]):
            differ.append(channel.name)
    return Found(np.inf if differ else 0.0, ", ".join(differ[:3]), tuple(differ))


def near(feature: str, other: Results, kinds: tuple[str, ...] = ("places", "speeds", "loads")) -> Found:
    """But for the order of sums; loads in the second half, where rounding of the start has rung down."""
    here, found = plain(feature), [Found(0.0)]
    size = scales(here)
    for channel in here.channels:
        what = kind(channel)
        if what not in kinds or channel.name in without_meaning(feature) or channel.name == "model.violation":
            continue
        late = slice(len(here) // 2 if what == "loads" else 0, None)
        error = float(np.abs(other[channel.name] - here[channel.name])[late].max())
        found.append(Found(error / (size[channel.unit] or 1.0) / ROUNDING[what], channel.name))
    return max(found, key=lambda f: f.ratio)


@functools.cache
def without_meaning(feature: str) -> frozenset[str]:
    """Rates of algebraic states: a by-product of the scheme."""
    return frozenset(f"{name}.rate" for name, s in FEATURES[feature].build().states.items() if s.order == 0)


def within_steps(
    feature: str, coarse: Results, fine: Results | None = None, rows: slice = slice(None), late: float = 0.0
) -> Found:
    """But for what steps leave, in places and speeds of nodes: see the top. late: speed by a step's delay [m/s]."""
    whole, half, found = plain(feature), plain(feature, 2), [Found(0.0)]
    size = scales(whole)
    for channel in whole.channels:
        name = channel.name
        if channel.description not in OF_NODES:
            continue
        scale = size[channel.unit] or 1.0
        room = {"m": late * coarse.time[-1], "m/s": late, "rad/s": late / 0.3}.get(channel.unit, 0.0) / scale
        at = slice(-1, None) if "velocity" in name else rows  # an impact may be a step late
        a, b, c = whole[name][at], half[name][at], coarse[name][at]
        own = 0.0 if fine is None else np.abs(c - fine[name][at]).max()
        bound = 2.0 * (np.abs(a - b).max() + own) / scale + room + LEAST
        assert bound < 0.05, f"{name}: steps are too long to tell anything ({bound:.1e})"
        found.append(Found(float(np.abs(c - b).max()) / scale / bound, name))
    return max(found, key=lambda f: f.ratio)


# ---- ways


def checkpoint(f: Feature, formulation: str = "redundant") -> Found:
    """Half of it, a file, and the other half by another simulation."""
    half, whole = f.steps // 2, plain(f.name, formulation=formulation)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "half.npz"
        sims = [simulation(f.build(), formulation=formulation) for _ in range(2)]
        first = sm.transient(sims[0], half * f.step, f.step, checkpoint=file, progress=False)
        second = sm.transient(sims[1], f.end, f.step, resume=file, progress=False)
    return same(whole, np.vstack([first.table, second.table]), whole.table)


def every(f: Feature, formulation: str = "redundant") -> Found:
    """Every fifth step is recorded."""
    whole = plain(f.name, formulation=formulation)
    sim = simulation(f.build(), formulation=formulation)
    results = sm.transient(sim, f.end, f.step, every=5, progress=False)
    return same(whole, results.table, whole.table[::5])


def save_load(f: Feature) -> Found:
    """Written, and read again."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "run.nc"
        sm.transient(simulation(f.build()), f.end, f.step, save=file, progress=False)
        read = Results.load(file)
    wanted = plain(f.name)
    assert [str(c) for c in read.channels] == [str(c) for c in wanted.channels]
    return same(wanted, read.table, wanted.table)


def stepper(f: Feature, formulation: str = "redundant") -> Found:
    """One step, then three, then the others."""
    whole = plain(f.name, formulation=formulation)
    steps = sm.Stepper(simulation(f.build(), formulation=formulation), f.step)
    for count in (1, 3, f.steps - 4):
        steps.advance(count)
    return same(whole, steps.results().table, whole.table)


def real_time(f: Feature, formulation: str = "redundant") -> Found:
    """On a clock that is made up, with as many iterations as off-line; looked at every five steps."""
    whole, rows = plain(f.name, formulation=formulation), []
    how = {"clock": made_up(), "tolerance": TOLERANCE, "iterations": 25, "formulation": formulation}
    with RealTime(f.build(), 1.0 / f.step, **how) as loop:
        _, columns = chosen(loop.sim.system, ("*",))
        for _ in range(f.steps // 5):
            report = loop.run(5 * f.step)
            assert report.ended == "done", report.message
            times, row = np.zeros(1), np.zeros((1, columns.size))
            record(loop.sim.work, columns, times, row, 0)
            rows.append(row[0])
    return same(whole, np.array(rows), whole.table[5::5])


def recursive(f: Feature, integrator: TreeIntegrator | Integrator | None = None) -> Found:
    """In minimal coordinates."""
    runs = []
    for finer in (1, 2):
        sim = simulation(f.build(), formulation="recursive", integrator=integrator)
        runs.append(sm.transient(sim, f.end, f.step / finer, every=finer, progress=False))
    # contacts of a tree are met up to a step late: what gravity does in a step, before the impact and after
    late = 2.0 * 9.81 * f.step if any(hasattr(e, "restitution") for e in f.build().elements.values()) else 0.0
    return within_steps(f.name, *runs, late=late)


def dense(f: Feature) -> Found:
    """In minimal coordinates, with steps that follow the error and records between them."""
    runs = []
    for accuracy in (1e-7, 1e-9):
        sim = simulation(f.build(), formulation="recursive", integrator=sm.DormandPrince())
        runs.append(sm.transient(sim, f.end, f.step, accuracy=accuracy, progress=False))
    assert np.allclose(runs[0].time, plain(f.name).time, rtol=0.0, atol=1e-12)
    return within_steps(f.name, *runs)


def accuracy(f: Feature) -> Found:
    """With steps that follow the error, and records between them."""
    runs = [sm.transient(simulation(f.build()), f.end, f.step, accuracy=a, progress=False) for a in (1e-7, 1e-9)]
    assert all(np.allclose(run.time, plain(f.name).time, rtol=0.0, atol=1e-12) for run in runs)
    return within_steps(f.name, *runs)


def static(f: Feature) -> Found:
    """A run that begins in the equilibrium stays there; of what is driven, with its drives held, and without modes."""
    sim = simulation(f.build())
    driven = sm.static(sim)
    if f.driven:
        try:
            raise AssertionError(f"modes of a standstill: {sm.modes(sim)}")
        except sm.NotConstant as refusal:
            assert "prescribed motion" in str(refusal)
    sim = simulation(f.build(still=True))
    rest = sm.static(sim)
    stays = sm.transient(sim, f.end, f.step, progress=False)
    size, found = scales(plain(f.name)), [Found(0.0)]
    for channel in rest.channels:
        if channel.name.endswith(".position"):
            off = np.abs(np.vstack([driven[channel.name], stays[channel.name]]) - rest[channel.name][-1]).max()
            found.append(Found(float(off) / size["m"] / 1e-7, channel.name))
    return max(found, key=lambda f: f.ratio)


def modes(f: Feature) -> Found:
    """The linear form about the equilibrium answers a push as the plain run does, and has the modes as eigenvalues."""
    small, linear = 1e-3, sm.state_space(f.build(), PUSH, "near.position")
    found = sm.modes(f.build()).eigenvalues
    own = np.linalg.eigvals(linear.A)
    apart = max(np.abs(own - value).min() / max(np.abs(own).max(), 1.0) for value in found)
    assert apart < 1e-6, "modes and state_space differ"
    pushed = []
    for finer in (1, 2):
        sim = simulation(f.build())
        sm.static(sim)
        sim.system.set_input(PUSH, small)
        run = sm.transient(sim, f.end, f.step / finer, every=finer, progress=False)
        pushed.append((run["near.position"] - run["near.position"][0]) / small)
    n = len(linear.A)
    step = expm(f.step * np.block([[linear.A, linear.B], [np.zeros((1, n + 1))]]))
    x, answers = np.append(np.zeros(n), 1.0), []
    for _ in range(f.steps + 1):
        answers.append(linear.C @ x[:n] + linear.D[:, 0])
        x = step @ x
    size = np.abs(answers).max()
    bound = 2.0 * np.abs(pushed[0] - pushed[1]).max() / size + 1e-3  # a push of 1 mN is not infinitely small
    assert bound < 0.05
    return Found(float(np.abs(answers - pushed[1]).max() / size / bound), "near.position")


def sweeps(f: Feature) -> Found:
    """Variants of one compiled model against models of their own."""
    value = f.build().parameters[TUNED].value
    values = [value, 1.1 * value, value]
    found = sweep(
        f.build, _last, grid({TUNED: sorted(set(values))}), end=f.end, step=f.step, tolerance=TOLERANCE, progress=False
    )
    rows = []
    for each in sorted(set(values)):
        sim = simulation(f.build())
        sim.system.set_parameter(TUNED, each)
        rows.append(sm.transient(sim, f.end, f.step, progress=False).table[-1])
    assert not found.failures, found.failures
    return same(plain(f.name), np.asarray(found["last"].values), np.array(rows))


def _last(results: Results) -> dict:
    return {"last": results.table[-1]}


def partition(f: Feature) -> Found:
    """Machine and companion as two parts."""
    model = f.build()
    sim = simulation(model, partition=sm.partition(model, f.parts(model)))
    return near(f.name, sm.transient(sim, f.end, f.step, progress=False))


def threads(f: Feature) -> Found:
    """The same, two threads."""
    model = f.build()
    sim = simulation(model, partition=sm.partition(model, f.parts(model)), backend="threads", threads=2)
    return near(f.name, sm.transient(sim, f.end, f.step, progress=False))


def sensitivity(f: Feature) -> Found:
    """The run is the plain one, and its derivatives are differences of neighbours."""
    value, away, runs = f.build().parameters[TUNED].value, 5e-4, []
    for factor in (1.0, 1.0 - away, 1.0 + away):
        sim = simulation(f.build())
        sim.system.set_parameter(TUNED, factor * value)
        runs.append(sm.transient_sensitivity(sim, f.end, f.step, [TUNED]))
    found, moved = [within_steps(f.name, runs[0].results)], False
    fast = max(1.0, *(scales(plain(f.name))[unit] for unit in ("m/s", "rad/s")))  # machines are some 1 m long
    for units in (("m",), ("m/s", "rad/s")):
        names = [c.name for c in runs[0].results.channels if c.description in OF_NODES and c.unit in units]
        slope = np.array([runs[0][name, TUNED] for name in names])
        lower, upper = (np.array([run.results[name] for name in names]) for run in runs[1:])
        wanted = (upper - lower) / (2.0 * away * value)
        size, error = (np.abs(x).reshape(len(names), -1).max(axis=1) for x in (wanted, slope - wanted))  # by channels
        rounding = 10.0 * TOLERANCE * fast / (away * value)
        ratios = error / (DIFFERENCES * size + rounding)
        moved = moved or rounding < 1e-2 * size.max()
        found.append(Found(float(ratios.max()), f"derivatives of {names[int(ratios.argmax())]}"))
    assert moved, "the parameter does nothing"
    return max(found, key=lambda f: f.ratio)


def mpi(f: Feature) -> Found:
    """The same, two processes."""
    found = _in_two_processes()[f.name]
    if isinstance(found, Exception):
        raise found
    return near(f.name, found)


@functools.cache
def _in_two_processes() -> dict[str, Results | Exception]:
    """Of all features at once: processes take long to start."""
    beside = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    mpirun = shutil.which("mpirun", path=beside)
    assert mpirun, "mpi4py is there, but no mpirun beside Python or on the path"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "ranks.pickle"
        command = [mpirun, "-n", "2", sys.executable, str(Path(__file__).with_name("ranks.py")), str(file)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=240)
        assert done.returncode == 0, done.stderr
        return pickle.loads(file.read_bytes())


WAYS: dict[str, Callable[[Feature], Found]] = {
    "checkpoint": checkpoint,
    "every": every,
    "save, load": save_load,
    "Stepper": stepper,
    "real time": real_time,
    "accuracy": accuracy,
    "static": static,
    "modes": modes,
    "sweep": sweeps,
    "partition": partition,
    "threads": threads,
    "MPI": mpi,
    "sensitivity": sensitivity,
}
#: in minimal coordinates
IN_TREES: dict[str, Callable[[Feature], Found]] = {
    "recursive": recursive,
    "implicit": functools.partial(recursive, integrator=sm.TwoStep(0.6)),
    "accuracy, dense": dense,
    **{
        f"{name}, recursive": functools.partial(way, formulation="recursive")
        for name, way in (("checkpoint", checkpoint), ("every", every), ("Stepper", stepper), ("real time", real_time))
    },
}
