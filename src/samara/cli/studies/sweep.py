"""`samara sweep`: a measurement on many variants of a model."""

from __future__ import annotations

import argparse
import contextlib
import functools
import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from samara.cli.pictures import require_pictures
from samara.cli.report import FAILED, INTERRUPTED, CommandError, one_line, print_json, report_troubles, table
from samara.cli.settings import run_fields
from samara.cli.target import parse_settings
from samara.models.files import execute
from samara.models.target import method_in
from samara.results.netcdf import require_results_file
from samara.results.plotting import write
from samara.solve.files import trouble
from samara.solve.measures import chosen
from samara.sweep import (
    ChannelMeasures,
    NamedModel,
    SweepError,
    SweepInterrupted,
    SweepResults,
    Variants,
    grid,
    latin_hypercube,
    sweep,
)
from samara.sweep.results import NOT_DONE
from samara.sweep.variants import require_few
from samara.system import System

#: Variants that are printed.
LONGEST_TABLE = 40


@dataclass(frozen=True)
class Subject:
    """What is swept: as `samara.sweep.sweep` takes it, with what its file or ready model says of the run."""

    name: str
    make: Callable[..., Any]
    measure: Callable[[Any], Any]
    variants: Variants
    run: dict[str, Any]


def main(args: argparse.Namespace) -> int:
    """Carries out a sweep; exit code 1 where a variant failed, 130 when it was interrupted."""
    _require_files(args)
    subject = _subject(args)
    interrupted = ""
    try:
        found = sweep(
            subject.make,
            subject.measure,
            subject.variants,
            **subject.run,
            workers=args.workers,
            scheduler=args.scheduler,
            store=args.store,
            again=args.again,
            retries=args.retries,
            timeout=args.timeout,
            name=subject.name,
            progress=False if args.quiet or args.json else None,
        )
    except SweepInterrupted as stop:
        found, interrupted = stop.results, one_line(stop)
    except SweepError as error:
        raise CommandError(one_line(error), FAILED) from error
    files, troubles = _keep(subject, found, args)
    if args.json:
        print_json(_document(subject, found, files))
    elif not args.quiet:
        print(_page(found, files))
    if interrupted:
        print(f"samara sweep: {interrupted}", file=sys.stderr)
        return INTERRUPTED
    return report_troubles("samara sweep", (*_failed(found), *troubles))


def _require_files(args: argparse.Namespace) -> None:
    """Refuses files that cannot be written before any work is done."""
    if args.save:
        require_results_file(Path(args.save))
    require_pictures(args.plot)


def _subject(args: argparse.Namespace) -> Subject:
    module = execute(Path(args.name)) if args.name.endswith(".py") else None
    if module is not None and (hasattr(module, "make") or hasattr(module, "measure")):
        return _from_study(module, args)
    settings = parse_settings(args.settings)
    variants = _variants(args, None)
    _refuse_both(settings, variants, args)
    make = NamedModel(str(Path(args.name).resolve()) if module else args.name, tuple(settings.items()))
    usual = make.target(**(next(iter(variants)) if module else {}))
    fields = run_fields(args)
    run = {"method": usual.method_of(fields), "timeline": usual.timeline_of(fields), "analysis": usual.analysis}
    measure = _measures(args)
    measure.recorded(chosen(System(usual.model), ("*",))[0])  # refuses channels that are not there
    return Subject(usual.name, make, measure, variants, run)


def _from_study(module: Any, args: argparse.Namespace) -> Subject:
    """A file with `make` (or `make_model`) and `measure`; it may have `variants`, `method`, `duration` and `step`."""
    make = getattr(module, "make", None) or getattr(module, "make_model", None)
    if make is None:
        raise CommandError(f"{args.name}: defines `measure`, but no function `make` that returns a model")
    given = {name: _value(text) for name, text in parse_settings(args.settings).items()}
    for name in given:
        if name not in inspect.signature(make).parameters:
            raise CommandError(f"--set {name}: {make.__name__} of {args.name} has no such argument")
    measure = getattr(module, "measure", None)
    if args.measure or measure is None:
        measure = _measures(args)
    usual = {name: getattr(module, of, None) for name, of in (("end", "duration"), ("step", "step"))}
    run = {"method": method_in(Path(args.name), module), **usual, **run_fields(args)}
    if args.accuracy is not None or run["end"] is None:
        run["step"] = args.step
    if run["end"] is None and isinstance(measure, ChannelMeasures):
        raise CommandError(f"{args.name} does not define the duration of the run: give --end")
    variants = _variants(args, getattr(module, "variants", None))
    _refuse_both(given, variants, args)
    return Subject(Path(args.name).stem, functools.partial(make, **given) if given else make, measure, variants, run)


def _refuse_both(settings: Mapping[str, Any], variants: Variants, args: argparse.Namespace) -> None:
    """Refuses a setting that varies."""
    for name, value in settings.items():
        if name in variants.names:
            other = f"--vary {name}" if args.vary else f"the variants of {args.name}, which vary {name},"
            raise CommandError(f"--set {name}={value} and {other} conflict: omit one of them")


def _measures(args: argparse.Namespace) -> ChannelMeasures:
    if not args.measure:
        raise CommandError("--measure is missing: give a quantity to evaluate, such as --measure max:pylon.position.y")
    return ChannelMeasures(tuple(dict.fromkeys(args.measure)), args.after)


def _variants(args: argparse.Namespace, usual: Variants | None) -> Variants:
    """From --vary and --samples; those of the file where nothing is given."""
    if not args.vary:
        if isinstance(usual, Variants):
            return usual
        raise CommandError(
            "--vary is missing: give the parameters to vary, such as --vary speed=60:90:7 or --vary blades=3,4"
        )
    chosen: dict[str, str] = {}
    for text in args.vary:
        name, equals, values = text.partition("=")
        if not equals or not name.strip() or not values.strip():
            raise CommandError(f"--vary {text}: expected NAME=first:last:count or NAME=value,value")
        if name.strip() in chosen:
            raise CommandError(f"--vary gives {name.strip()} twice")
        chosen[name.strip()] = values.strip()
    if args.samples is not None:
        return latin_hypercube(args.samples, {n: _range(n, text) for n, text in chosen.items()}, seed=args.seed)
    return grid({name: _axis(name, text) for name, text in chosen.items()})


def _range(name: str, text: str) -> tuple[float, float]:
    try:
        low, high = map(float, text.split(":"))
    except ValueError:
        raise CommandError(f"--vary {name}={text}: with --samples, expected NAME=lowest:highest") from None
    return low, high


def _axis(name: str, text: str) -> list[Any]:
    """Values of ``first:last:count`` or ``value,value``; whole numbers where all of them are."""
    if ":" not in text:
        return [_value(word) for word in text.split(",")]
    try:
        first, last, words = text.split(":")
        low, high, count = float(first), float(last), int(words)
    except ValueError:
        raise CommandError(f"--vary {name}={text}: expected NAME=first:last:count or NAME=value,value") from None
    require_few(f"--vary {name}", count)
    values = np.linspace(low, high, max(count, 0)).tolist()
    ends_are_whole = all(isinstance(_value(word), int) for word in (first, last))
    return [int(v) for v in values] if ends_are_whole and all(v.is_integer() for v in values) else values


def _value(text: str) -> Any:
    word = text.strip()
    if word in ("true", "false"):
        return word == "true"
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            return kind(word)
    return word


def _keep(subject: Subject, found: SweepResults, args: argparse.Namespace) -> tuple[dict[str, str], list[str]]:
    """Writes what was asked for; {what: file}, and what could not be written, a sentence each."""
    files: dict[str, str] = {"store": args.store} if args.store else {}
    troubles: list[str] = []
    if args.save:
        missed = trouble(args.save, lambda: found.save(args.save))
        files |= {} if missed else {"save": args.save}
        troubles += missed
    if args.plot is not None:
        picture = args.plot or f"{subject.name}-sweep.png"
        try:
            figure = found.plot()
        except ValueError as error:  # it cannot be drawn
            return files, [*troubles, one_line(error)]
        missed = trouble(picture, lambda: write(figure, picture))
        files |= {} if missed else {"plot": picture}
        troubles += missed
    return files, troubles


def _rows(found: SweepResults) -> list[dict[str, Any]]:
    """Each variant: values, measures, cause."""
    flat = found.dataset if found.dimensions == ("variant",) else found.dataset.stack(variant=found.dimensions)
    columns = {
        name: flat[name].transpose("variant", ...).values.tolist()
        for name in (*found.parameters, *found.measures, "cause")
    }
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _page(found: SweepResults, files: dict[str, str]) -> str:
    every = _rows(found)
    rows = [row for row in every if row["cause"] != NOT_DONE]
    names = (*found.parameters, *found.measures)
    head = [f"{name} [{unit}]" if (unit := found[name].attrs.get("units")) else name for name in names]
    shown = [[*(_cell(row[name]) for name in names), row["cause"]] for row in rows[:LONGEST_TABLE]]
    if not any(row[-1] for row in shown):
        shown = [row[:-1] for row in shown]
    else:
        head.append("cause")
    lines = [table(head, shown, right=head[: len(names)])]
    if len(rows) > LONGEST_TABLE:
        lines.append(f"... and {len(rows) - LONGEST_TABLE} more: use --save or --json for the complete table")
    if len(rows) < len(every):
        lines.append(f"{len(every) - len(rows)} of {len(every)} variants were not run")
    words = {"save": "results in", "plot": "plot in", "store": "variants kept in"}
    return "\n".join(lines + [f"{words[what]} {path}" for what, path in files.items()])


def _cell(value: Any) -> Any:
    return ", ".join(f"{v:.6g}" for v in value) if isinstance(value, list) else value


def _document(subject: Subject, found: SweepResults, files: dict[str, str]) -> dict[str, Any]:
    names = (*found.parameters, *found.measures)
    return {
        "model": subject.name,
        "method": subject.run["method"].with_fields(subject.run).described(),
        "parameters": list(found.parameters),
        "measures": list(found.measures),
        "units": {name: found[name].attrs.get("units", "") for name in names},
        "variants": _rows(found),
        "failed": len(found.failures),
        "files": files,
    }


def _failed(found: SweepResults) -> list[str]:
    """What failed, in a line; the first by its values and cause."""
    if not found.failures:
        return []
    values, cause = found.failures[0]
    where = ", ".join(
        f"{name} = {value:g}" if isinstance(value, float) else f"{name} = {value}" for name, value in values.items()
    )
    return [f"{len(found.failures)} of {found.dataset['cause'].size} variants failed, the first at {where}: {cause}"]
