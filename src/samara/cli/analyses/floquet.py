"""`samara floquet`: whether small motions about a periodic motion grow."""

from __future__ import annotations

import argparse
from typing import Any

from samara.analysis import Floquet, floquet
from samara.cli.analyses.modes import table
from samara.cli.analyses.motion import found_motion, in_words, simulation
from samara.cli.pictures import keep_pictures, require_pictures
from samara.cli.report import FAILED, CommandError, one_line, print_json, report_troubles
from samara.cli.target import load
from samara.results.plotting import write
from samara.solve import SolveError


def main(args: argparse.Namespace) -> int:
    """Finds the motion and its exponents, prints them, draws and animates what was asked for."""
    require_pictures(args.plot, args.animate)
    target = load(args.name, args.settings)
    try:
        motion = found_motion(simulation(target), target, args)
        about = in_words(motion)
        found = floquet(motion, count=args.count, without_step=args.without_step)
    except SolveError as error:
        raise CommandError(one_line(error), FAILED) from error
    files, troubles = keep_pictures(
        plot=(args.plot, lambda name: write(found.plot_multipliers(), name)),
        animate=(args.animate, lambda name: found.animate(range(len(found)), name)),
    )
    if args.json:
        print_json(_document(target.name, about, found, files))
    else:
        verdict = "stable" if found.stable else "unstable"
        exchange = f"; {found.exchanged} blades that change places" if found.exchanged > 1 else ""
        written = [f"written: {file}" for file in files.values()]
        print("\n".join([f"{target.name}, about {about}{exchange}: {verdict}", str(found), *written]))
    return report_troubles("samara floquet", troubles)


def _document(name: str, about: str, found: Floquet, files: dict[str, str]) -> dict[str, Any]:
    rows = table(found)
    for row, mu in zip(rows, found.multipliers, strict=True):
        row["multiplier"] = [mu.real, mu.imag]
    if found.numerical is not None:
        for row, s in zip(rows, found.numerical, strict=True):
            row["of_the_step"] = [s.real, s.imag]
    return {
        "model": name,
        "about": about,
        "stable": found.stable,
        "duration": found.duration,
        "exchanged": found.exchanged,
        "residual": found.residual,
        "modes": rows,
        "files": files,
    }
