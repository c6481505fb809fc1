"""`samara check`: compiles and assembles a model, and reports its contents."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from pathlib import Path
from typing import Any

import numpy as np

from samara.analysis.freedoms import Freedom, draw_freedoms, freedoms
from samara.analysis.plausibility import plausibility
from samara.cli.report import FAILED, CommandError, one_line, print_json, require_picture
from samara.cli.target import load
from samara.model import Model
from samara.model.roles.inertia import total_mass
from samara.results.netcdf import require_folder
from samara.results.plotting import write
from samara.solve import Simulation, SingularModel, SolveError, assemble
from samara.solve.constraints.lock_rows import locks
from samara.solve.constraints.redundancy import MOST_LOOP_ROWS, Redundancy, redundancy
from samara.solve.constraints.redundancy_report import doubled
from samara.solve.constraints.redundant_locks import repeated_by
from samara.solve.mechanism.tangent_space import multipliers
from samara.solve.start.assembly import fit
from samara.solve.start_report import StartChange, motion

#: How many freedoms a page has room for, and how many changes of the start.
MOST_FREEDOMS, MOST_CHANGES = 20, 10


def main(args: argparse.Namespace) -> int:
    """Checks a model, draws what it can do if asked to; an error names the culprit."""
    if args.plot:
        require_folder(Path(args.plot))
        require_picture(args.plot)
    target = load(args.name, args.settings, args.redundant)
    try:
        sim = Simulation(target.model)
        report, found = examine(sim, balance=target.analysis != "static")
    except SolveError as error:
        raise CommandError(one_line(error), FAILED) from error
    if args.plot is not None:
        report["plot"] = _drawn(sim, found, args.plot or f"{target.name}-freedoms.png")
    print_json(report) if args.json else print(_page(report))
    if report["error"]:
        print(f"samara check: {report['error']}", file=sys.stderr)
    return FAILED if report["error"] else 0


def _drawn(sim: Simulation, found: list[Freedom], path: str) -> str:
    """The file with a picture of each motion of joints; empty if there is none to draw."""
    if not any(freedom.shape is not None for freedom in found):
        return ""
    write(draw_freedoms(sim, found), path)
    return path


def examine(sim: Simulation, *, balance: bool = True) -> tuple[dict[str, Any], list[Freedom]]:
    """All that the command reports, by name, and the freedoms; the simulation is left assembled, if it can be.

    balance: whether what has no mass is put into balance, as a run in time does.
    """
    system, model, open_at_start = sim.system, sim.model, _violation(sim)
    error, before = "", motion(system)
    try:
        assemble(sim, balance=balance)
    except SingularModel as singular:
        error = one_line(singular)
        fit(sim, before)
    again, freedom = redundancy(sim), freedoms(sim)
    doubles = [str(one) for one in [*(doubled(sim, again) if again.count else []), *repeated_by(sim, locks(sim))]]
    if error and not doubles:
        raise SingularModel(error)
    rank = sum(map(system.multiplier_count, system.holding)) - again.count
    coordinates = 6 * len(system.layout.free)
    kinds = [node.kind for node in model.nodes.values()]
    report = {
        "model": model.name,
        "description": model.description,
        "nodes": {kind: kinds.count(kind) for kind in ("dynamic", "static", "prescribed")},
        "elements": _kinds(model),
        "unknowns": system.unknowns.size,
        "coordinates": coordinates,
        "states": len(system.layout.states),
        "multipliers": system.layout.multiplier_count,
        "rank": rank,
        "degrees_of_freedom": coordinates - rank,
        "freedoms": [{"kind": f.kind, "count": f.count, "text": f.text} for f in freedom],
        "redundant": doubles,
        "nonzeros": system.pattern.nnz,
        "lanes": system.layout.width,
        "kernels": len(system.kernels),
        "kernels_from_cache": sum(k.from_cache for k in system.kernels),
        "mass": _mass(model),
        "violation_at_start": open_at_start,
        "violation": _violation(sim),
        "parameters": {name: {"value": p.value, "unit": p.unit} for name, p in model.parameters.items()},
        "changed_at_start": [dataclasses.asdict(change) for change in sim.adjusted.nodes],
        "warnings": [*plausibility(model), *sim.adjusted.notes(), *_doubts(model, coordinates - rank, again)],
        "error": error,
    }
    return report, freedom


def _kinds(model: Model) -> dict[str, int]:
    counts: dict[str, int] = {}
    for element in model.elements.values():
        kind = type(element).__name__
        counts[kind] = counts.get(kind, 0) + 1
    return counts


def _mass(model: Model) -> float:
    """Total of everything that gives its node a mass [kg]."""
    return total_mass(model.elements.values())


def _violation(sim: Simulation) -> float:
    """Largest violation of a constraint [m, rad]; those of rates do not count here."""
    system = sim.system
    held = multipliers(sim)[0]
    if not held.size:
        return 0.0
    sim.state.weigh(1.0, 1.0, 1.0, moving=0.0)
    return float(np.abs(sim.state.residual()[system.layout.coordinates + held]).max())


def _doubts(model: Model, freedoms: int, again: Redundancy) -> list[str]:
    doubts = []
    if model.stand_in:
        doubts.append(f"stand-in data: {model.stand_in}")
    if freedoms == 0:
        doubts.append("the model cannot move: it has no degrees of freedom left")
    if not again.examined:
        doubts.append(
            f"{again.loops} constraints in closed loops, more than {MOST_LOOP_ROWS}: they "
            f"were not checked for redundancy"
        )
    if again.least < 1e-6:
        doubts.append(f"some constraints are nearly redundant (smallest singular value {again.least:.1e})")
    return doubts


def _page(report: dict[str, Any]) -> str:
    nodes = ", ".join(f"{count} {kind}" for kind, count in report["nodes"].items() if count)
    elements = ", ".join(f"{count} {kind}" for kind, count in report["elements"].items())
    start = report["violation_at_start"]
    of_nodes = f"{report['coordinates']} of nodes"
    states = f"{report['states']} states, " if report["states"] else ""
    lines = {
        "nodes": nodes,
        "elements": elements,
        "unknowns": f"{report['unknowns']} ({of_nodes}, {states}{report['multipliers']} multipliers)",
        "freedom": f"degrees of freedom: {report['degrees_of_freedom']} (rank of the constraints {report['rank']})",
        "mass": f"{report['mass']:.6g} kg",
        "violation": f"{report['violation']:.2g} after assembly ({start:.2g} as described) [m, rad]",
        "parameters": ", ".join(f"{n} = {p['value']:g} {p['unit']}" for n, p in report["parameters"].items()),
    }
    lines |= {"picture": report.get("plot", "")}
    title = f"{report['model']}: {report['description']}" if report["description"] else report["model"]
    body = []
    for name, text in lines.items():
        body += [f"  {name:12}{text}"] if text else []
        if name == "freedom":
            body += [f"    {text}" for text in _freedoms(report)]
            body += [f"  redundant   {text}" for text in report["redundant"]]
    changes = [f"  changed at the start: {text}" for text in _changes(report["changed_at_start"])]
    warnings = [f"  warning: {text}" for text in report["warnings"]]
    nothing = [] if report["redundant"] or report["error"] else ["  no warnings"]
    return "\n".join([title, *(warnings or nothing), *changes, *body])


def _freedoms(report: dict[str, Any]) -> list[str]:
    """The first of them, a line each."""
    found = report["freedoms"]
    lines = [one["text"] if one["count"] == 1 else f"{one['count']}: {one['text']}" for one in found[:MOST_FREEDOMS]]
    more = sum(one["count"] for one in found[MOST_FREEDOMS:])
    return [*lines, f"and {more} more (--json lists all)"] if more else lines


def _changes(found: list[dict[str, Any]]) -> list[str]:
    """The largest changes, one text each."""
    texts = [str(StartChange(**change)) for change in found[:MOST_CHANGES]]
    more = len(found) - MOST_CHANGES
    return [*texts, f"{more} more nodes (--json lists all)"] if more > 0 else texts
