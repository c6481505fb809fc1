"""`samara bench`: the benchmarks, by name."""

from __future__ import annotations

import argparse
import ast
import importlib
import pkgutil
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
        raise CommandError(f"no benchmark is called {name!r}; there are {', '.join(known) or 'none yet'}")
    from samara.benchmarks.rows import to_json, to_table

    rows = []
    for row in importlib.import_module(f"samara.benchmarks.{name}").rows():
        rows.append(row)
        if sys.stderr.isatty():
            print(f"\r\033[K{row.case} {row.metric}", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)
    print_json(to_json(rows)) if as_json else print(to_table(rows))
    return 0


def available() -> dict[str, str]:
    """Modules of samara.benchmarks that have a function `rows`, with their first lines; none of them is imported."""
    found = {}
    for folder in samara.benchmarks.__path__:
        for module in pkgutil.iter_modules([folder]):
            path = Path(folder, module.name, "__init__.py") if module.ispkg else Path(folder, f"{module.name}.py")
            tree = ast.parse(path.read_text(encoding="utf-8"))
            if any(_defines_rows(node) for node in tree.body):
                found[module.name] = (ast.get_docstring(tree) or "").partition("\n")[0]
    return found


def _defines_rows(node: ast.stmt) -> bool:
    if isinstance(node, ast.ImportFrom):
        return any((alias.asname or alias.name) == "rows" for alias in node.names)
    return isinstance(node, ast.FunctionDef) and node.name == "rows"
