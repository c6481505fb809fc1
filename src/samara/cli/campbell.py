"""`samara campbell`: frequencies of a rotating model against its speed."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from samara.analysis import campbell
from samara.cli.report import FAILED, CommandError, one_line, print_json, require_picture, table
from samara.cli.target import load
from samara.results.netcdf import require_folder
from samara.results.plotting import write
from samara.solve import SolveError


def main(args: argparse.Namespace) -> int:
    """Follows the modes over the speeds, prints their frequencies, draws the diagram."""
    if args.plot:
        require_folder(Path(args.plot))
        require_picture(args.plot)
    target = load(args.name, args.settings)
    parameter = target.speed_parameter(args.parameter)
    try:
        fan = campbell(target.model, np.linspace(*args.speeds), count=args.count, parameter=parameter)
    except SolveError as error:
        raise CommandError(one_line(error), FAILED) from error
    if args.plot:
        write(fan.plot(), args.plot)
    if args.json:
        print_json(
            {
                "model": target.name,
                "speeds": fan.speeds,
                "frequencies_hz": fan.frequencies_hz,
                "damping_ratio": fan.damping,
                "likeness": fan.likeness,
                "files": {"plot": args.plot} if args.plot else {},
            }
        )
        return 0
    head = ("speed [rad/s]", *(f"mode {k + 1} [Hz]" for k in range(fan.frequencies_hz.shape[1])))
    print(
        table(head, [[float(w), *map(float, row)] for w, row in zip(fan.speeds, fan.frequencies_hz, strict=True)], head)
    )
    if args.plot:
        print(f"written: {args.plot}")
    return 0
