"""`samara modes`: frequencies, damping and shapes of small motions about rest, or about a steady rotation."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

from samara.analysis import Modes, modes, steady_rotation
from samara.cli.report import FAILED, CommandError, one_line, print_json, require_picture
from samara.cli.target import Target, load
from samara.results.netcdf import require_folder
from samara.results.plotting import write
from samara.scene.animation import page_name
from samara.solve import Simulation, SingularModel, SolveError, assemble, static
from samara.solve.machine import set_time
from samara.system.blocks import ETA

#: Speeds and accelerations up to this are rounding [m/s, rad/s, m/s^2, rad/s^2].
STILL_SPEED = 1e-5

#: What is said of a model that stands where it was put, and what to do where nothing is at rest.
STANDING = "rest at the start, where it is free to move"
HINT = "it does not rest at the start either: hold it, or give it a start that is in balance"


def main(args: argparse.Namespace) -> int:
    """Finds the modes, prints them, draws and animates what was asked for."""
    for path in (args.animate, args.plot):
        if path:
            require_folder(Path(path))
    if args.plot:
        require_picture(args.plot)
    if args.animate:
        try:
            page_name(args.animate)
        except ValueError as error:
            raise CommandError(f"--animate {error}") from None
    target = load(args.name, args.settings)
    if not any(element.inertial for element in target.model.elements.values()):
        raise CommandError(f"{target.name} has no mass: it has no modes")
    try:
        sim, about = _state(target, args.speed, args.parameter)
        found = modes(sim, args.count)
    except SolveError as error:
        raise CommandError(one_line(error), FAILED) from error
    files = _keep(found, args)
    if args.json:
        print_json(_document(target.name, about, found, files))
    else:
        print(
            "\n".join([f"{target.name}, about {about}", str(found), *(f"written: {file}" for file in files.values())])
        )
    return 0


def _state(target: Target, speed: float | None, parameter: str | None) -> tuple[Simulation, str]:
    """The simulation in the state to linearise about, and what that is in words."""
    sim = Simulation(target.model)
    if speed is not None:
        holds = target.speed_parameter(parameter)
        if holds is not None:
            sim.system.set_parameter(holds, speed)
            set_time(sim.machine, 0.0)
        return steady_rotation(sim, speed), f"a steady rotation at {speed:g} rad/s"
    set_time(sim.machine, 0.0)
    for node in sim.system.layout.held:
        if np.any(sim.state.read(node, ETA, 6)):
            raise CommandError(f"node {node.name!r} is told to move: give the --speed of its steady rotation [rad/s]")
    try:
        found = static(sim, outputs="model.violation", stable=False).attrs
        if found.stability == "neutral" and not found.counters["relaxations"]:
            return sim, STANDING
        words = {"neutral": "a static equilibrium, where it is free to move", "unstable": "an unstable equilibrium"}
        return sim, words.get(found.stability, "static equilibrium")
    except SingularModel as error:
        sim.system.reset()
        assemble(sim)
        moving = np.concatenate([sim.state.twists, sim.state.accelerations])
        if np.abs(moving).max(initial=0.0) > STILL_SPEED:
            raise SingularModel(f"{error}; {HINT}") from None
        return sim, STANDING


def _keep(found: Modes, args: argparse.Namespace) -> dict[str, str]:
    files = {}
    if args.plot:
        if args.mode > len(found):
            raise CommandError(f"--mode {args.mode}: there are {len(found)} modes")
        write(found.plot(args.mode - 1), args.plot)
        files["plot"] = args.plot
    if args.animate:
        files["animate"] = str(found.animate(range(len(found)), args.animate))
    return files


def _document(name: str, about: str, found: Modes, files: dict[str, str]) -> dict[str, Any]:
    return {
        "model": name,
        "about": about,
        "modes": [
            {"frequency_hz": f, "damping_ratio": z, "eigenvalue": [s.real, s.imag]}
            for f, z, s in zip(found.frequencies_hz, found.damping, found.eigenvalues, strict=True)
        ],
        "files": files,
    }
