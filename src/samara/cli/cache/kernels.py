"""`samara kernels`: compiled kernels, in the cache or of one model, and the functions of the solver."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from samara.cli.report import CommandError, print_json, table
from samara.tracing import cache

HEAD = ("kind", "operations", "lanes", "compile time [s]", "size [kB]", "state", "key")
RIGHT = HEAD[1:5]
SOLVER = ("function", "compile time [s]", "size [kB]")


def main(args: argparse.Namespace) -> int:
    """Lists kernels, or empties the cache."""
    if args.clear:
        if args.name:
            raise CommandError("--clear empties the whole cache: omit the model")
        return _clear(args.json)
    rows = _of_model(args.name) if args.name else _in_cache()
    solver = [] if args.name else _of_solver()
    if args.json:
        print_json({"directory": str(cache.directory()), "kernels": rows, "solver": solver})
    elif rows or solver:
        print(table(HEAD, [tuple(_cell(row, column) for column in HEAD) for row in rows], right=RIGHT))
        if solver:
            print()
            print(table(SOLVER, [tuple(_cell(row, column) for column in SOLVER) for row in solver], right=SOLVER[1:]))
        counted = f"{len(rows)} kernels" + (f", {len(solver)} solver functions" if solver else "")
        print(f"\n{counted}; the cache is {cache.directory()}")
    else:
        print(f"no kernels yet in {cache.directory()}: they are compiled when a model is first run")
    for reason in cache.refusals if not args.json else ():
        print(f"not used: {reason}")
    return 0


def _clear(as_json: bool) -> int:
    count = cache.clear()
    where = str(cache.directory())
    print_json({"directory": where, "removed": count}) if as_json else print(f"{count} kernels removed from {where}")
    return 0


def _in_cache() -> list[dict]:
    rows = []
    for key, info in cache.entries():
        if info is None:  # reading a damaged file has removed it
            rows.append({"kind": "?", "state": "damaged, removed", "key": key})
        else:
            rows.append(_row(key, info, "ok"))
    return rows


def _of_model(name: str) -> list[dict]:
    from samara.cli.target import load
    from samara.solve import Simulation

    system = Simulation(load(name, []).model).system
    return [_row(k.key, k.info, "from cache" if k.from_cache else "compiled now") for k in system.kernels]


def _of_solver() -> list[dict]:
    from samara.tracing.driver import driver_cache

    return sorted((asdict(info) for info in driver_cache.entries()), key=lambda row: row["function"])


def _row(key: str, info: cache.KernelInfo, state: str) -> dict:
    return {
        "kind": info.kind,
        "operations": info.operations,
        "lanes": info.lanes,
        "compile_seconds": info.compile_seconds,
        "bytes": info.bytes,
        "state": state,
        "key": key,
    }


def _cell(row: dict, column: str) -> str:
    if column == "compile time [s]":
        return f"{row['compile_seconds']:.3f}" if "compile_seconds" in row else "-"
    if column == "size [kB]":
        return f"{row['bytes'] / 1024:.1f}" if "bytes" in row else "-"
    return str(row.get(column, "-"))
