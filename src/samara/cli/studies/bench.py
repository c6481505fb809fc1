"""`samara bench`: the benchmarks, by name."""

from __future__ import annotations

import argparse
import ast
import importlib
import sys
from pathlib import Path

import samara.benchmarks
from samara.cli.report import CommandError, print_json, table


def main(args: argparse.Namespace) -> int:
    """Lists the benchmarks, or measures one."""
    known = available()
    if args.name:
        return _measure(args.name, known, args.json)
    if args.json:
        print_json({"benchmarks": [{"name": name, "description": text} for name, text in known.items()]})
    elif known:
        print(table(("name", "description"), list(known.items())))
    else:
        print("there are no benchmarks yet")
    return 0


def _measure(name: str, known: dict[str, str], as_json: bool) -> int:
    if name not in known:
        raise CommandError(f"there is no benchmark {name!r}; choose from {', '.join(known) or 'none yet'}")
    from samara.benchmarks.rows import to_json, to_table

    rows = []
    for row in importlib.import_module(module_of(name)).rows():
        rows.append(row)
        if sys.stderr.isatty():
            print(f"\r\033[K{row.case} {row.metric}", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)
    print_json(to_json(rows)) if as_json else print(to_table(rows))
    return 0


def available() -> dict[str, str]:
    """Modules in the rooms of samara.benchmarks with a function `rows`, and their first lines; none is imported."""
    found = {}
    for name, (_, path) in sorted(_modules().items()):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        if any(_defines_rows(node) for node in tree.body):
            found[name] = (ast.get_docstring(tree) or "").partition("\n")[0]
    return found


def module_of(name: str) -> str:
    """The full name of the module of a benchmark."""
    return _modules()[name][0]


def _modules() -> dict[str, tuple[str, Path]]:
    """The modules of samara.benchmarks by their last name, in whichever room: full name and file."""
    found = {}
    for folder in map(Path, samara.benchmarks.__path__):
        for path in sorted(folder.rglob("*.py")):
            if path.stem != "__init__":
                parts = path.relative_to(folder).with_suffix("").parts
                found[path.stem] = (".".join(("samara.benchmarks", *parts)), path)
    return found


def _defines_rows(node: ast.stmt) -> bool:
    if isinstance(node, ast.ImportFrom):
        return any((alias.asname or alias.name) == "rows" for alias in node.names)
    return isinstance(node, ast.FunctionDef) and node.name == "rows"
