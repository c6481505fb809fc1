"""`samara experiment`: runs to compare with published ones, by name."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from samara.cli.report import FAILED, CommandError, as_json, one_line, print_json, require_picture, table
from samara.cli.target import parse_settings
from samara.experiments import EXPERIMENTS, Experiment, Outcome, Sheet, find
from samara.results.netcdf import require_folder, require_results_file
from samara.results.plotting import write
from samara.solve import SolveError

SUMMARY = "summary.json"


def main(args: argparse.Namespace) -> int:
    """Lists the experiments, or runs one, prints what it found and draws its figure."""
    if not args.name:
        known = [_entry(e) for e in EXPERIMENTS.values()]
        if args.json:
            print_json({"experiments": known})
        else:
            print(table(("name", "description"), [(e["name"], e["description"]) for e in known]))
        return 0
    experiment = find(args.name)
    folder = _prepare(args, experiment)
    settings = experiment.settings(parse_settings(args.settings))
    try:  # what a figure or a finding needs may be computed when it is wanted
        outcome = experiment.run(**settings)
        files = _write(args, folder, outcome)
        told = _document(experiment, outcome, files)
    except SolveError as error:
        raise CommandError(one_line(error), FAILED) from error
    if folder:
        (folder / SUMMARY).write_text(as_json(told) + "\n", "utf-8")
    if args.json:
        print_json(told)
        return _verdict(outcome)
    print(f"{experiment.description}\nsource: {experiment.source}")
    if experiment.stand_in:
        print(f"stand-in: {experiment.stand_in}")
    if outcome.sheet:
        print(table(outcome.sheet.head, outcome.sheet.rows, _numbers(outcome.sheet)) + "\n")
    rows = [(f.name, f.value, f.unit, f.expected) for f in outcome.findings]
    print(table(("finding", "value", "unit", "expected"), rows, ("value",)))
    for path in files.values():
        print(f"written: {path}")
    return _verdict(outcome)


def _prepare(args: argparse.Namespace, experiment: Experiment) -> Path | None:
    """Refuses files that cannot be written before the run; the folder of all figures, made, or none."""
    if args.save:
        require_results_file(Path(args.save))
    if args.plot:
        require_folder(Path(args.plot))
        require_picture(args.plot)
    name = args.out or (experiment.name if experiment.figures and not args.plot else "")
    if not name:
        return None
    folder = Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CommandError(f"--out {name}: cannot create the folder: {error.strerror}") from error
    return folder


def _write(args: argparse.Namespace, folder: Path | None, outcome: Outcome) -> dict[str, str]:
    """Writes what was asked for; the files by kind."""
    files = {kind: path for kind, path in (("plot", args.plot), ("results", args.save)) if path}
    if args.plot:
        write(outcome.draw(), args.plot)
    if args.save:
        outcome.results.save(args.save)
    if folder:
        for name, draw in (outcome.figures or {"figure": outcome.draw}).items():
            files[name] = str(folder / f"{name}.png")
            write(draw(), files[name])
        files["summary"] = str(folder / SUMMARY)
    return files


def _document(experiment: Experiment, outcome: Outcome, files: dict[str, str]) -> dict:
    """All that is told, for machines."""
    findings = {f.name: {"value": f.value, "unit": f.unit, "expected": f.expected} for f in outcome.findings}
    head = {"experiment": experiment.name, "source": experiment.source, "stand_in": experiment.stand_in}
    sheet = {name: outcome.sheet[name] for name in outcome.sheet.head} if outcome.sheet else {}
    return {**head, "findings": findings, "sheet": sheet, "files": files, "problem": outcome.problem}


def _numbers(sheet: Sheet) -> list[str]:
    """Columns of numbers, and those beyond the first that mix them with texts."""
    return [name for name in sheet.head[1:] if not all(isinstance(value, str) for value in sheet[name])]


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
