"""Checkpoints: everything a run depends on, so that it continues as if it had not stopped, bit for bit."""

from __future__ import annotations

import hashlib
import itertools
from pathlib import Path

import numpy as np

from samara.solve.constraints.release import chosen_rows, resume
from samara.solve.errors import SolveError
from samara.solve.files import write_arrays
from samara.solve.native.records import StepSettings
from samara.solve.redundant.carrier import ROOM, Carriers
from samara.solve.simulation import Simulation
from samara.solve.store.seal import intact, sealed
from samara.solve.store.transaction import rolled_back_on_error
from samara.system.description import different, equations_of, numbers_of

Snapshot = dict[str, np.ndarray]


def snapshot(sim: Simulation) -> Snapshot:
    """Copies of what a step owns, and of what it goes on with."""
    return {name: array.copy() for name, array in (_lasting(sim) | _of_the_analysis(sim)).items()}


def _lasting(sim: Simulation) -> Snapshot:
    """Arrays that a simulation has from the beginning, of the same shape in all of a model."""
    return {
        "state": sim.owned.block,
        "counters": sim.counters,
        "settings": sim.settings.words,
        "give": sim.system.releases.give if sim.system.releases else np.zeros(0),
        "parameters": sim.system.parameters.values(),
        "law_numbers": sim.machine.samples.numbers,
    }


#: Carriers, which the start of a run makes.
_CARRIED = ("members", "lumps", "rules", "ties")


def _of_the_analysis(sim: Simulation) -> Snapshot:
    """Arrays that the start of a run makes, or makes anew."""
    m = sim.machine
    return {
        "analysed": sim.analysed,
        "turning": np.array(sim.turning, dtype=str),
        **{f"carriers.{name}": getattr(m.carriers, name) for name in _CARRIED},
        **chosen_rows(sim),
        **sim.solver_state(),
    }


def restore(sim: Simulation, saved: Snapshot) -> None:
    """Puts a snapshot back. Parameters stay as they are: where they differ from those of then, that is an event.

    Laws have their gains of then, from which those of now are taken over without a bump (`Sampling.take_numbers`).
    """
    sim.redundancy = None  # what is released is part of the snapshot
    kept = {name: saved[f"carriers.{name}"].copy() for name in _CARRIED}
    sim.machine = sim.machine._replace(carriers=Carriers(**kept, changes=np.zeros((len(kept["rules"]), ROOM))))
    turning = tuple(str(name) for name in saved["turning"])
    if sim.factored is None or sim.turning != turning or not np.array_equal(sim.analysed, saved["analysed"]):
        sim.analyse(saved["analysed"], turning)
    for name, array in sim.solver_state().items():
        if saved[name].shape != array.shape:
            raise ValueError(f"{name} of another matrix")
    sim.put_step_state(saved["state"])
    for name, array in sim.solver_state().items():
        array[...] = saved[name]
    sim.machine.samples.numbers[:] = saved["law_numbers"]
    sim.counters[:], sim.settings.words[:] = saved["counters"], _settings_of_this_run(sim, saved)
    sim.system.write_fixed_drives()  # the same numbers, but for rounding
    changed = not np.array_equal(saved["parameters"], sim.system.parameters.values())
    sim.machine.jumps.parameter_changes[0] = sim.memory.clock.changes + changed
    resume(sim, saved)


def signature(sim: Simulation) -> str:
    """Tells models apart whose states must not be mixed up: names, numbering and lanes."""
    s = sim.system
    sizes = f"{s.layout.width} {s.unknowns.size} {s.pattern.nnz}"
    text = f"{s.model.name} {sizes} {list(s.model.nodes)} {list(s.model.elements)}"
    return hashlib.sha256((text + sim.division.signature).encode()).hexdigest()[:16]


def save_checkpoint(sim: Simulation, path: str | Path) -> Path:
    """Writes a checkpoint; an old one of that name is replaced when the new one is complete."""
    return write_arrays(Path(path), sealed(snapshot(sim) | _description(sim)))


def _description(sim: Simulation) -> Snapshot:
    """What the model is, beside its state: all names, all plain numbers, and what they are used for."""
    numbers, equations = numbers_of(sim.model), equations_of(sim.model)
    return _formulation(sim) | {
        "equation_names": np.array(list(equations), dtype=str),
        "equations": np.array(list(equations.values()), dtype=str),
        "signature": np.array(signature(sim)),
        "layout": sim.owned.layout,
        "integrator": np.array(sim.integrator.name),
        "integrator_numbers": np.array(sim.integrator.fingerprint()),
        "number_names": np.array(list(numbers), dtype=str),
        "number_counts": np.array([x.size for x in numbers.values()], np.int64),
        "numbers": np.concatenate([np.zeros(0), *numbers.values()]),
    }


def _formulation(sim: Simulation) -> Snapshot:
    """What the equations are written in: of a tree, its coordinates and the joints that are cut, in their order."""
    tree = None if sim.tree is None else sim.tree.tree
    return {
        "formulation": np.array(sim.method.formulation),
        "tree_coordinates": np.array([] if tree is None else tree.coordinate_names, dtype=str),
        "tree_cut": np.array([] if tree is None else [joint.name for joint in tree.cut], dtype=str),
    }


def load_checkpoint(sim: Simulation, path: str | Path) -> None:
    """Takes up a run where a checkpoint left it; a simulation that refuses it stays as it was."""
    path = Path(path)
    damaged = SolveError(
        f"checkpoint {path} is damaged, not a checkpoint, or of another version of Samara: start the run anew"
    )
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as data:
            saved = {name: data[name] for name in data.files}
        found = str(saved["signature"])
    except FileNotFoundError:
        raise SolveError(f"checkpoint {path} does not exist") from None
    except Exception:
        raise damaged from None
    if found != signature(sim):
        name = sim.model.name
        raise SolveError(f"checkpoint {path} belongs to another model, number of lanes or partition than {name!r}")
    try:
        _require_formulation(sim, saved, path)
        _require_numbers(sim, saved, path)
        _require_integrator(sim, saved, path)
        if not (intact(saved, _lasting(sim)) and np.array_equal(saved["layout"], sim.owned.layout)):
            raise damaged
        _require_settings(sim, saved, path)
        with rolled_back_on_error(sim):
            restore(sim, saved)
            if sim.division.ranks is not None:
                sim.memory.trust.factored_for = 0.0  # the file has the factors of one process
    except (KeyError, ValueError, IndexError, TypeError):  # arrays that are missing, or do not fit each other
        raise damaged from None


def _require_numbers(sim: Simulation, saved: Snapshot, path: Path) -> None:
    """Refuses a model with other equations or plain numbers, and says which."""
    ends = np.cumsum(saved["number_counts"])
    numbers = dict(zip(map(str, saved["number_names"]), np.split(saved["numbers"], ends[:-1]), strict=False))
    equations = dict(zip(map(str, saved["equation_names"]), map(str, saved["equations"]), strict=False))
    for what, names, remedy in (
        ("equations", different(equations, equations_of(sim.model)), ""),
        ("numbers", different(numbers, numbers_of(sim.model)), ", or let a Parameter stand for what is to change"),
    ):
        if names:
            more = f" and {len(names) - 1} more" if names[1:] else ""
            raise SolveError(
                f"checkpoint {path} is of model {sim.model.name!r} with other {what}, {names[0]}{more}: describe it as "
                f"it was{remedy}"
            )


def _require_formulation(sim: Simulation, saved: Snapshot, path: Path) -> None:
    """Refuses another formulation, other joints that are cut, or another tree: their numbers mean something else."""
    now = _formulation(sim)
    was, has = str(saved["formulation"]), sim.method.formulation
    if was != has:
        raise SolveError(
            f"checkpoint {path} was made with formulation={was!r}, this run has {has!r}: give the same formulation"
        )
    cut, cut_now = (tuple(map(str, of["tree_cut"])) for of in (saved, now))
    if cut != cut_now:
        raise SolveError(
            f"checkpoint {path} was made with cut={cut!r}, this run has cut={cut_now!r}: give the same cut, in the "
            "same order"
        )
    names, names_now = (list(map(str, of["tree_coordinates"])) for of in (saved, now))
    for one, other in itertools.zip_longest(names, names_now, fillvalue="nothing"):
        if one != other:
            raise SolveError(
                f"checkpoint {path} was made with a tree of different coordinates, {one} where this run "
                f"has {other}: restore the model, with the same heaviest body"
            )


def _require_integrator(sim: Simulation, saved: Snapshot, path: Path) -> None:
    was, has = str(saved["integrator"]), sim.integrator.name
    if was != has:
        raise SolveError(f"checkpoint {path} was made with {was}, this run has {has}: give the same integrator")
    if not np.array_equal(saved["integrator_numbers"], sim.integrator.fingerprint()):
        raise SolveError(
            f"checkpoint {path} was made with {was} with other parameters or formulas: give the same integrator"
        )


def _settings_of_this_run(sim: Simulation, saved: Snapshot) -> np.ndarray:
    """Those that were saved; velocities are put on the constraints where this run does, which its steps decide."""
    settings = saved["settings"].copy()
    at = StepSettings.paths()["project"]
    settings[at] = sim.settings.words[at]
    return settings


def _require_settings(sim: Simulation, saved: Snapshot, path: Path) -> None:
    tolerance = saved["settings"][StepSettings.paths()["tolerance"]]
    if not np.array_equal(_settings_of_this_run(sim, saved), sim.settings.words):
        raise SolveError(
            f"checkpoint {path} was made with {sim.integrator.name}, tolerance = {tolerance:g} or other settings that "
            "differ: give the same integrator and tolerance"
        )
