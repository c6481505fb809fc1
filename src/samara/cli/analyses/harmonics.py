"""`samara harmonics`: hub loads or any channel of a rotor in periodic motion, by n per revolution."""

from __future__ import annotations

import argparse

from samara.analysis import Harmonics, harmonics, hub_loads
from samara.cli.analyses.motion import found_motion, in_words, simulation
from samara.cli.report import FAILED, CommandError, one_line, print_json
from samara.cli.target import load
from samara.results import Results
from samara.solve import SolveError


def main(args: argparse.Namespace) -> int:
    """Finds the motion, and prints amplitudes and phases of what was asked for."""
    target = load(args.name, args.settings)
    try:
        motion = found_motion(simulation(target), target, args, outputs="*")
        loads = hub_loads(motion.results, target.model, args.rotor)
        rotor = target.model.rotor(args.rotor).name
        wanted = args.channel or [f"{rotor}.{axes}_{what}" for axes in ("fixed", "hub") for what in ("force", "moment")]
        azimuth = loads[f"{rotor}.hub_azimuth"]
        found = [
            harmonics(loads if _there(loads, name) else motion.results, name, azimuth, orders=args.orders)
            for name in wanted
        ]
    except SolveError as error:
        raise CommandError(one_line(error), FAILED) from error
    if args.json:
        print_json(
            {"model": target.name, "about": in_words(motion), "rotor": rotor, "channels": [_document(x) for x in found]}
        )
    else:
        print("\n".join([f"{target.name}, rotor {rotor}, about {in_words(motion)}", *map(str, found)]))
    return 0


def _there(loads: Results, name: str) -> bool:
    """Whether it is one of these channels, or a component of one."""
    return name in loads or name.rpartition(".")[0] in loads


def _document(found: Harmonics) -> dict[str, object]:
    return {
        "channel": found.channel,
        "unit": found.unit,
        "components": list(found.components),
        "mean": found.mean.tolist(),
        "orders": found.orders.tolist(),
        "amplitude": found.amplitude.tolist(),
        "phase": found.phase.tolist(),
        "rest": found.rest.tolist(),
    }
