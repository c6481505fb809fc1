"""`samara kernels`: compiled kernels, in the cache or of one model."""

from __future__ import annotations

import argparse

from samara.cli.report import CommandError, print_json, table
from samara.tracing import cache

HEAD = ("kind", "operations", "lanes", "compile time [s]", "size [kB]", "state", "key")
RIGHT = HEAD[1:5]


def main(args: argparse.Namespace) -> int:
    """Lists kernels, or empties the cache."""
    if args.clear:
        if args.name:
            raise CommandError("--clear empties the whole cache: give it without a model")
        return _clear(args.json)
    rows = _of_model(args.name) if args.name else _in_cache()
    if args.json:
        print_json({"directory": str(cache.directory()), "kernels": rows})
    elif rows:
        print(table(HEAD, [tuple(_cell(row, column) for column in HEAD) for row in rows], right=RIGHT))
        print(f"\n{len(rows)} kernels; the cache is {cache.directory()}")
    else:
        print(f"no kernels yet in {cache.directory()}: a model compiles its own when it is first run")
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
    from samara.system import System

    system = System(load(name, []).model)
    return [_row(k.key, k.info, "from cache" if k.from_cache else "compiled now") for k in system.kernels]


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
