"""`samara tree`: a model as a tree of bodies, block by block."""

from __future__ import annotations

import argparse

from samara.cli.pictures import keep_pictures, require_pictures
from samara.cli.report import print_json, report_troubles
from samara.cli.target import load
from samara.recursive.view.drawing import require_drawable
from samara.recursive.view.view import TreeView
from samara.results.plotting import write


def main(args: argparse.Namespace) -> int:
    """Prints the tree, draws it if asked to; a model that is none is refused in one line."""
    target = load(args.name, args.settings)
    plot = args.plot if args.plot != "" else f"{target.name}-tree.png"
    require_pictures(plot)
    view = TreeView(target.model, cut=args.cut, base=args.base)
    if plot:
        require_drawable(view)
    files, troubles = keep_pictures(plot=(plot, lambda name: write(view.plot(), name)))
    if args.json:
        print_json(view.document() | {"files": files})
    else:
        print(view)
        for file in files.values():
            print(f"\nwritten: {file}")
    return report_troubles("samara tree", troubles)
