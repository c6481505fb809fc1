"""Checkpoints: everything that a run depends on, so that it goes on as if it had not stopped, bit by bit."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

import numpy as np

from samara.solve.carrier import ROOM
from samara.solve.codes import Memory, Setting
from samara.solve.errors import SolveError
from samara.solve.release import resume
from samara.solve.simulation import Simulation

Snapshot = dict[str, np.ndarray]


def snapshot(sim: Simulation) -> Snapshot:
    """Copies of all arrays that a step reads or writes."""
    m = sim.machine
    return {
        "state": m.state.copy(),
        "lam_1": m.lam_1.copy(),
        "lam_2": m.lam_2.copy(),
        "coef": m.coef.copy(),
        "memory": sim.memory.copy(),
        "counters": sim.counters.copy(),
        "settings": sim.settings.copy(),
        "limits": sim.limits.copy(),
        "analysed": sim.analysed.copy(),
        "factors": sim.v.copy(),
        "tail": sim.lu.kept.copy(),
        "turning": np.array(sim.turning, dtype=str),
        "members": m.members,
        "lumps": m.lumps,
        "rules": m.rules.copy(),
        "ties": m.ties.copy(),
        "known": m.known.copy(),
        "target": m.target.copy(),
        "give": sim.system.releases.give.copy() if sim.system.releases else np.zeros(0),
    }


def restore(sim: Simulation, saved: Snapshot) -> None:
    """Puts a snapshot back."""
    sim.redundancy = None  # what is released is part of the snapshot
    sim.machine = sim.machine._replace(
        members=saved["members"],
        lumps=saved["lumps"],
        rules=saved["rules"].copy(),
        ties=saved["ties"].copy(),
        carrier_changes=np.zeros((len(saved["rules"]), ROOM)),
    )
    turning = tuple(str(name) for name in saved["turning"])
    if not hasattr(sim, "analysed") or sim.turning != turning or not np.array_equal(sim.analysed, saved["analysed"]):
        sim.analyse(saved["analysed"], turning)
    m = sim.machine
    m.state[:], m.lam_1[:], m.lam_2[:], m.coef[:] = saved["state"], saved["lam_1"], saved["lam_2"], saved["coef"]
    m.known[:], m.target[:] = saved["known"], saved["target"]
    m.parameter_changes[0] = int(saved["memory"][Memory.CHANGES])
    sim.memory[:], sim.counters[:], sim.settings[:] = saved["memory"], saved["counters"], saved["settings"]
    sim.limits[:], sim.v[:], sim.lu.kept[:] = saved["limits"], saved["factors"], saved["tail"]
    resume(sim, saved["give"])


def signature(sim: Simulation) -> str:
    """Tells models apart whose states must not be mixed up: names, numbering and lanes."""
    s = sim.system
    text = f"{s.model.name} {s.width} {s.size} {s.nnz} {list(s.model.nodes)} {list(s.model.elements)}"
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def save_checkpoint(sim: Simulation, path: str | Path) -> Path:
    """Writes a checkpoint; an old one of that name is replaced when the new one is complete."""
    path = Path(path)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".writing-", suffix=".npz")
    try:
        with os.fdopen(handle, "wb") as stream:
            np.savez(stream, allow_pickle=False, signature=np.array(signature(sim)), **snapshot(sim))
        os.replace(temporary, path)
    except OSError:
        os.unlink(temporary)
        raise
    return path


def load_checkpoint(sim: Simulation, path: str | Path) -> None:
    """Takes up a run where a checkpoint left it."""
    path = Path(path)
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as data:
            saved = {name: data[name] for name in data.files}
        found = str(saved.pop("signature"))
    except FileNotFoundError:
        raise SolveError(f"checkpoint {path} does not exist") from None
    except Exception:
        raise SolveError(f"checkpoint {path} is damaged or not a checkpoint: start the run anew") from None
    if found != signature(sim):
        name = sim.model.name
        raise SolveError(f"checkpoint {path} is of another model, or of another number of lanes, than {name!r}")
    if not np.array_equal(saved["settings"], sim.settings):
        radius, tolerance = saved["settings"][Setting.RADIUS], saved["settings"][Setting.TOLERANCE]
        raise SolveError(
            f"checkpoint {path} was made with rho_inf = {radius:g}, tolerance = {tolerance:g} or other settings that "
            "differ: give the same integrator and tolerance"
        )
    restore(sim, saved)
