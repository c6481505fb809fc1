"""`samara check`: compiles and assembles a model, and reports what it is made of."""

from __future__ import annotations

import argparse
import dataclasses
from typing import Any

import numpy as np

from samara.cli.report import FAILED, CommandError, one_line, print_json
from samara.cli.target import load
from samara.model import Model
from samara.solve import Simulation, SolveError, assemble
from samara.solve.adjusted import Change
from samara.solve.machine import residual
from samara.system.system import System

#: Up to so many constraints their rank is found by singular values; beyond, the assembly's factorisation vouches.
MOST_CONSTRAINTS = 1500
#: As many changes of the start are printed.
MOST_CHANGES = 10


def main(args: argparse.Namespace) -> int:
    """Checks a model; an error names the culprit."""
    target = load(args.name, args.settings)
    try:
        report = examine(target.model)
    except SolveError as error:
        raise CommandError(one_line(error), FAILED) from error
    print_json(report) if args.json else print(_page(report))
    return 0


def examine(model: Model) -> dict[str, Any]:
    """Everything that the command reports, by name."""
    system = System(model)
    sim = Simulation(system)
    open_at_start = _violation(sim)
    assemble(sim)
    constraints = system.multiplier_count
    rank, conditioning = _rank(sim)
    coordinates = 6 * len(system.free)
    kinds = [node.kind for node in model.nodes.values()]
    return {
        "model": model.name,
        "description": model.description,
        "nodes": {kind: kinds.count(kind) for kind in ("dynamic", "static", "prescribed")},
        "elements": _kinds(model),
        "unknowns": system.size,
        "coordinates": coordinates,
        "states": len(system.states),
        "multipliers": constraints,
        "rank": rank,
        "degrees_of_freedom": coordinates - rank,
        "nonzeros": system.nnz,
        "lanes": system.width,
        "kernels": len(system.kernels),
        "kernels_from_cache": sum(k.from_cache for k in system.kernels),
        "mass": _mass(model),
        "violation_at_start": open_at_start,
        "violation": _violation(sim),
        "parameters": {name: {"value": p.value, "unit": p.unit} for name, p in model.parameters.items()},
        "changed_at_start": [dataclasses.asdict(change) for change in sim.adjusted.nodes],
        "warnings": [*_contradictions(sim), *_doubts(model, coordinates - rank, conditioning)],
    }


def _kinds(model: Model) -> dict[str, int]:
    counts: dict[str, int] = {}
    for element in model.elements.values():
        kind = type(element).__name__
        counts[kind] = counts.get(kind, 0) + 1
    return counts


def _mass(model: Model) -> float:
    """Total of everything that gives its node a mass [kg]."""
    return float(sum(float(getattr(e, "mass", 0.0)) for e in model.elements.values() if e.inertial))


def _violation(sim: Simulation) -> float:
    """Largest violation of a constraint [m, rad]."""
    system = sim.system
    if not system.multiplier_count:
        return 0.0
    sim.coefficients(1.0, 1.0, 1.0, moving=0.0)
    residual(sim.machine)
    first = system.multiplier_rows
    return float(np.abs(system.res[first : first + system.multiplier_count]).max())


def _rank(sim: Simulation) -> tuple[int, float]:
    """Rank of the constraints, and their smallest singular value against the largest (1 if not looked for)."""
    from scipy.sparse import csr_matrix

    system, count = sim.system, sim.system.multiplier_count
    if not 0 < count <= MOST_CONSTRAINTS:
        return count, 1.0
    sim.coefficients(0.0, 1.0, 1.0)
    nodes = system.coordinates
    matrix = csr_matrix((sim.matrix_values(), system.indices, system.indptr), (system.size, system.size))
    values = np.linalg.svd(matrix[nodes:, :nodes].toarray(), compute_uv=False)
    return int((values > 1e-9 * values[0]).sum()), float(values[-1] / values[0])


def _contradictions(sim: Simulation) -> list[str]:
    """What the joints did not allow of the start."""
    moves = {change.node: change.position for change in sim.adjusted.nodes}
    worst = max(moves, key=lambda name: moves[name], default="")
    found = []
    if moves.get(worst, 0.0) > 1e-6 * sim.length:
        found.append(
            f"assembly moved node {worst!r} by {moves[worst]:.3g} m: the joints did not fit the positions given"
        )
    return [*found, *filter(None, [sim.adjusted.note()])]


def _doubts(model: Model, freedoms: int, conditioning: float) -> list[str]:
    doubts = []
    if model.stand_in:
        doubts.append(f"stand-in data: {model.stand_in}")
    if freedoms == 0:
        doubts.append("nothing can move: as many constraints as coordinates")
    if conditioning < 1e-6:
        doubts.append(f"some constraints nearly repeat others (singular values differ by {conditioning:.1e})")
    return doubts


def _page(report: dict[str, Any]) -> str:
    nodes = ", ".join(f"{count} {kind}" for kind, count in report["nodes"].items() if count)
    elements = ", ".join(f"{count} {kind}" for kind, count in report["elements"].items())
    cached, start = report["kernels_from_cache"], report["violation_at_start"]
    of_nodes = f"{report['coordinates']} of nodes"
    states = f"{report['states']} states, " if report["states"] else ""
    lines = {
        "nodes": nodes,
        "elements": elements,
        "unknowns": f"{report['unknowns']} ({of_nodes}, {states}{report['multipliers']} multipliers)",
        "freedom": f"degrees of freedom: {report['degrees_of_freedom']} (rank of the constraints {report['rank']})",
        "Jacobian": f"{report['nonzeros']} nonzeros",
        "kernels": f"{report['kernels']}, {report['lanes']} lanes wide, {cached} of them from the cache",
        "mass": f"{report['mass']:.6g} kg",
        "violation": f"{report['violation']:.2g} after assembly ({start:.2g} as described) [m, rad]",
        "parameters": ", ".join(f"{n} = {p['value']:g} {p['unit']}" for n, p in report["parameters"].items()),
    }
    title = f"{report['model']}: {report['description']}" if report["description"] else report["model"]
    body = [f"  {name:12}{text}" for name, text in lines.items() if text]
    changes = [f"  at the start, the joints changed {text}" for text in _changes(report["changed_at_start"])]
    warnings = [f"  warning: {text}" for text in report["warnings"]]
    return "\n".join([title, *body, *changes, *(warnings or ["  no warnings"])])


def _changes(found: list[dict[str, Any]]) -> list[str]:
    """The largest changes, one text each."""
    texts = [str(Change(**change)) for change in found[:MOST_CHANGES]]
    return (
        [*texts, f"{len(found) - MOST_CHANGES} more nodes (--json lists all)"] if len(found) > MOST_CHANGES else texts
    )
