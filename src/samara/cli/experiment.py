"""`samara experiment`: runs to compare with published ones, by name."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from samara.cli.report import FAILED, CommandError, one_line, print_json, require_picture, table
from samara.cli.target import parse_settings
from samara.experiments import EXPERIMENTS, Experiment, Outcome, find
from samara.results.netcdf import require_folder, require_results_file
from samara.results.plotting import write
from samara.solve import SolveError


def main(args: argparse.Namespace) -> int:
    """Lists the experiments, or runs one, prints what it found and draws its figure."""
    if not args.name:
        known = [_entry(e) for e in EXPERIMENTS.values()]
        if args.json:
            print_json({"experiments": known})
        else:
            print(table(("name", "description"), [(e["name"], e["description"]) for e in known]))
        return 0
    if args.save:
        require_results_file(Path(args.save))
    if args.plot:
        require_folder(Path(args.plot))
        require_picture(args.plot)
    experiment = find(args.name)
    settings = experiment.settings(parse_settings(args.settings))
    try:
        outcome = experiment.run(**settings)
    except SolveError as error:
        raise CommandError(one_line(error), FAILED) from error
    files = {kind: path for kind, path in (("plot", args.plot), ("results", args.save)) if path}
    if args.plot:
        write(outcome.draw(), args.plot)
    if args.save:
        outcome.results.save(args.save)
    if args.json:
        findings = {f.name: {"value": f.value, "unit": f.unit, "expected": f.expected} for f in outcome.findings}
        head = {"experiment": experiment.name, "source": experiment.source, "stand_in": experiment.stand_in}
        sheet = {name: outcome.sheet[name] for name in outcome.sheet.head} if outcome.sheet else {}
        print_json({**head, "findings": findings, "sheet": sheet, "files": files, "problem": outcome.problem})
        return _verdict(outcome)
    print(f"{experiment.description}\nsource: {experiment.source}")
    if experiment.stand_in:
        print(f"stand-in: {experiment.stand_in}")
    if outcome.sheet:
        print(table(outcome.sheet.head, outcome.sheet.rows, outcome.sheet.head[1:]) + "\n")
    rows = [(f.name, f.value, f.unit, f.expected) for f in outcome.findings]
    print(table(("finding", "value", "unit", "expected"), rows, ("value",)))
    for path in files.values():
        print(f"written: {path}")
    return _verdict(outcome)


def _verdict(outcome: Outcome) -> int:
    """Exit code; what went wrong is said on standard error."""
    if outcome.problem:
        print(f"samara experiment: {one_line(Exception(outcome.problem))}", file=sys.stderr)
    return FAILED if outcome.problem else 0


def _entry(e: Experiment) -> dict:
    """What is told of an experiment before it is run."""
    settings = {
        a.name: {"default": a.default, "unit": a.unit, "meaning": a.meaning} for a in e.arguments.values()
    }  # fmt: skip
    return {"name": e.name, "description": e.description, "source": e.source, "settings": settings}
