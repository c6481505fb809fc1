"""`samara modes`: frequencies, damping and shapes of small motions about rest, a steady rotation, a rotor's motion."""

from __future__ import annotations

import argparse
from typing import Any

from samara.analysis import Modes, Periodic, modes, steady_rotation
from samara.analysis.linearisation.operating_point import at_rest
from samara.analysis.linearisation.prescribed_motion import astray
from samara.analysis.rotors.find import rotor_frames
from samara.cli.analyses.motion import found_motion, in_words, simulation
from samara.cli.pictures import keep_pictures, require_pictures
from samara.cli.report import FAILED, MISUSED, CommandError, one_line, print_json, report_troubles
from samara.cli.target import Target, load
from samara.model import Inertial
from samara.results.plotting import write
from samara.solve import Simulation, SolveError, assemble
from samara.solve.native.kernels import set_time


def main(args: argparse.Namespace) -> int:
    """Finds the modes, prints them, draws and animates what was asked for."""
    require_pictures(args.plot, args.animate)
    target = load(args.name, args.settings)
    if not any(isinstance(element, Inertial) for element in target.model.elements.values()):
        raise CommandError(f"{target.name} has no modes: none of its bodies has mass")
    try:
        about, words = _state(target, args)
        found = modes(about, args.count)
    except SolveError as error:
        raise CommandError(one_line(error), FAILED) from error
    files, troubles = _keep(found, args)
    if args.json:
        print_json(_document(target.name, words, found, files))
    else:
        print(
            "\n".join(
                [
                    f"{target.name}, about {words}",
                    str(found),
                    *(f"written: {file}" for file in files.values()),
                ]
            )
        )
    code = report_troubles("samara modes", troubles)
    return MISUSED if args.plot and args.mode > len(found) else code


def _state(target: Target, args: argparse.Namespace) -> tuple[Simulation | Periodic, str]:
    """What to linearise about, and what that is in words."""
    sim = simulation(target)
    if args.speed is not None:
        holds = target.speed_parameter(args.parameter)
        if holds is not None:
            sim.system.set_parameter(holds, args.speed)
            set_time(sim.machine, 0.0)
        return steady_rotation(sim, args.speed), f"a steady rotation at {args.speed:g} rad/s"
    set_time(sim.machine, 0.0)
    if target.model.rotors:
        assemble(sim)
        if args.after > 0.0 or rotor_frames(sim):
            motion = found_motion(sim, target, args)
            return motion, f"{in_words(motion)}, in multiblade coordinates"
        sim.system.reset()
    if told := astray(sim, stopped=True):
        raise CommandError(
            f"{told} has a prescribed motion: give the --speed of its steady rotation [rad/s], or "
            f"declare its rotor (model.declare_rotor)"
        )
    return sim, at_rest(sim)


def _keep(found: Modes, args: argparse.Namespace) -> tuple[dict[str, str], list[str]]:
    """{what: file} of what was written, and what could not be, a sentence each."""
    there = args.mode <= len(found)
    files, troubles = keep_pictures(
        plot=(args.plot if there else None, lambda name: write(found.plot(args.mode - 1), name)),
        animate=(args.animate, lambda name: found.animate(range(len(found)), name)),
    )
    if args.plot and not there:
        troubles.append(f"--mode {args.mode}: the number of modes is {len(found)}")
    return files, troubles


def table(found: Modes) -> list[dict[str, Any]]:
    """Modes for a JSON document."""
    names = found.names or ("",) * len(found)
    return [
        {"name": name, "frequency_hz": f, "damping_ratio": z, "eigenvalue": [s.real, s.imag]}
        for name, f, z, s in zip(names, found.frequencies_hz, found.damping, found.eigenvalues, strict=True)
    ]


def _document(name: str, about: str, found: Modes, files: dict[str, str]) -> dict[str, Any]:
    return {"model": name, "about": about, "periodic": found.periodic, "modes": table(found), "files": files}
