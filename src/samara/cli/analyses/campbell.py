"""`samara campbell`: frequencies of a rotating model against its speed."""

from __future__ import annotations

import argparse

import numpy as np

from samara.analysis import campbell
from samara.cli.pictures import keep_pictures, require_pictures
from samara.cli.report import FAILED, CommandError, one_line, print_json, report_troubles, table
from samara.cli.target import load
from samara.results.plotting import write
from samara.solve import SolveError


def main(args: argparse.Namespace) -> int:
    """Follows the modes over the speeds, prints their frequencies, draws the diagram."""
    require_pictures(args.plot)
    target = load(args.name, args.settings)
    parameter = target.speed_parameter(args.parameter)
    try:
        fan = campbell(target.model, np.linspace(*args.speeds), count=args.count, parameter=parameter)
    except SolveError as error:
        raise CommandError(one_line(error), FAILED) from error
    files, troubles = keep_pictures(plot=(args.plot, lambda name: write(fan.plot(), name)))
    if args.json:
        print_json(
            {
                "model": target.name,
                "speeds": fan.speeds,
                "frequencies_hz": fan.frequencies_hz,
                "damping_ratio": fan.damping,
                "likeness": fan.likeness,
                "files": files,
            }
        )
        return report_troubles("samara campbell", troubles)
    head = ("speed [rad/s]", *(f"mode {k + 1} [Hz]" for k in range(fan.frequencies_hz.shape[1])))
    print(
        table(head, [[float(w), *map(float, row)] for w, row in zip(fan.speeds, fan.frequencies_hz, strict=True)], head)
    )
    for file in files.values():
        print(f"written: {file}")
    return report_troubles("samara campbell", troubles)
