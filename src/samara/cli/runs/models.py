"""`samara models`: the ready models and their parameters."""

from __future__ import annotations

import argparse
from typing import Any

from samara.cli.report import print_json, table
from samara.models import READY, ReadyModel, find, load_steps
from samara.models.registry import USUAL

#: What is not said of a method.
UNSAID = USUAL.described()


def main(args: argparse.Namespace) -> int:
    """Lists the ready models, or describes one."""
    if args.name:
        ready = find(args.name)
        print_json(_described(ready)) if args.json else print(_page(ready))
    elif args.json:
        print_json({"models": [_described(ready) for ready in READY.values()]})
    else:
        print(table(("name", "description"), [(r.name, r.description) for r in READY.values()]))
        print("\n`samara models NAME` lists the parameters of a model, `samara run NAME --plot` runs it.")
    return 0


def _described(ready: ReadyModel) -> dict:
    return {
        "name": ready.name,
        "description": ready.description,
        "source": ready.source,
        "end": ready.timeline.end,
        "step": ready.timeline.step,
        "analysis": ready.analysis,
        "method": ready.method.described(),
        "plot": list(ready.plot),
        "parameters": [
            {
                "name": a.name,
                "default": a.default,
                "unit": a.unit,
                "meaning": a.meaning,
                "type": a.type.__name__,
                "range": a.quantity.range,
            }
            for a in ready.arguments.values()
        ],
    }


def _usually(ready: ReadyModel) -> str:
    if ready.analysis == "static":
        return f"static analysis in {load_steps(ready.timeline.step)} load steps"
    how = ", ".join(f"{name} {value}" for name, value in ready.method.described().items() if value != UNSAID.get(name))
    return f"default run: {ready.timeline.end:g} s in steps of {ready.timeline.step:g} s{how and f' ({how})'}"


def _shown(default: Any) -> Any:
    return ",".join(f"{one:g}" for one in default) if isinstance(default, tuple) else default


def _page(ready: ReadyModel) -> str:
    rows = [(a.name, _shown(a.default), a.unit or "-", a.meaning, a.quantity.range) for a in ready.arguments.values()]
    return "\n".join(
        [
            f"{ready.name}: {ready.description}",
            f"source: {ready.source}",
            _usually(ready),
            f"default plot: {', '.join(ready.plot)}",
            "",
            table(("parameter", "default", "unit", "meaning", "range"), rows, right=("default",)),
        ]
    )
