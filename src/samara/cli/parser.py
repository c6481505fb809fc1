"""Options and help texts of the samara command. Nothing but the standard library is loaded here."""

from __future__ import annotations

import argparse
from typing import Any, NoReturn

from samara import __version__
from samara.cli.known import near
from samara.cli.notes import (
    COMPLETION_NOTES,
    CONTROLLER_NOTES,
    FLOQUET_NOTES,
    HARMONICS_NOTES,
    MODES_NOTES,
    PANEL_NOTES,
    REALTIME_NOTES,
    RECORD_NOTES,
    REPLAY_NOTES,
    RUN_NOTES,
    SWEEP_NOTES,
    TREE_NOTES,
    VIEW_NOTES,
    WARM_NOTES,
)
from samara.cli.settings import add_fields, count, finite, not_negative, positive, speeds, whole_between
from samara.method.method import OF_PARTS, Method
from samara.method.timeline import Timeline

POLICIES = ("stop", "skip", "hold", "slip", "degrade")
REDUNDANT = ("refuse", "least-squares")
PORT, PRIORITY, PROCESSOR = whole_between(0, 65535), whole_between(0, 99), whole_between(0, 4095)


class Misuse(Exception):  # noqa: N818
    """Invalid options: `command` as it was called, with a one-line message."""

    def __init__(self, command: str, message: str) -> None:
        super().__init__(f"{message} (see {command} --help)")
        self.command = command


class _Parser(argparse.ArgumentParser):
    """Raises `Misuse` instead of printing and exiting."""

    def error(self, message: str) -> NoReturn:
        raise Misuse(self.prog, message)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """As the standard library does it, with the nearest choice in place of all of them."""
        if action.choices is not None and value not in action.choices and (hint := near(str(value), action.choices)):
            raise argparse.ArgumentError(action, f"invalid choice: {value!r}{hint}")
        super()._check_value(action, value)


def make_parser() -> argparse.ArgumentParser:
    """The samara command with all its sub-commands."""
    parser = _Parser(prog="samara", description="Multibody dynamics: run, check and measure models.")
    parser.add_argument("--version", action="version", version=f"Samara {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)
    common = _Parser(add_help=False)
    common.add_argument("--json", action="store_true", help="print the result as a JSON document on standard output")
    common.add_argument("--debug", action="store_true", help="show the traceback of an error")

    def command(name: str, text: str, epilog: str = "") -> argparse.ArgumentParser:
        return commands.add_parser(
            name,
            help=text,
            description=text[0].upper() + text[1:] + ".",
            epilog=epilog,
            parents=[common],
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )

    _run(command("run", "simulate a ready model, or a model in a Python file", RUN_NOTES))
    _view(command("view", "show saved results in 3D in a browser", VIEW_NOTES))
    models = command("models", "list the ready models, or the parameters of one")
    models.add_argument("name", nargs="?", metavar="NAME", help="a ready model")
    _modes(command("modes", "compute natural frequencies, damping ratios and mode shapes", MODES_NOTES))
    _floquet(command("floquet", "analyse the stability of a periodic motion (Floquet)", FLOQUET_NOTES))
    _harmonics(
        command(
            "harmonics", "compute per-revolution harmonics of a rotor's hub loads, or of a channel", HARMONICS_NOTES
        )
    )
    _campbell(
        command("campbell", "compute the Campbell diagram of a rotating model: natural frequencies against speed")
    )
    kernels = command(
        "kernels", "list the compiled kernels and solver functions in the cache, or the kernels of one model"
    )
    kernels.add_argument("name", nargs="?", metavar="NAME|FILE.py", help="a ready model, or a file defining one")
    kernels.add_argument(
        "--clear", action="store_true", help="empty the cache; kernels are recompiled when next needed"
    )
    warm = command("warm", "compile the code of models in advance, for off-line and real-time runs", WARM_NOTES)
    warm.add_argument("names", nargs="*", metavar="NAME|FILE.py", help="models (default: all ready models)")
    warm.add_argument("--jobs", type=count, metavar="N", help="number of processes (default: one per core)")
    bench = command("bench", "list the benchmarks, or run one")
    bench.add_argument("name", nargs="?", metavar="NAME", help="a benchmark")
    _sweep(command("sweep", "run many variants of a model, on several cores or on a cluster", SWEEP_NOTES))
    _experiment(command("experiment", "list the experiments, or run one and compare it with the published data"))
    _realtime(command("realtime", "run a model in real time", REALTIME_NOTES))
    _controller(command("controller", "list the ready controllers, or run one against a simulator", CONTROLLER_NOTES))
    _record(command("record", "record a session to a file, or control its recorder", RECORD_NOTES))
    _panel(command("panel", "open the operator's panel of a running simulator in the browser", PANEL_NOTES))
    _replay(command("replay", "show a recording, or the results of any run, in the panel", REPLAY_NOTES))
    command("sessions", "list the simulators that run on this machine")
    command("doctor", "look at this machine: processor, caches, priorities, packages, and what is missing")
    completion = command("completion", "print a script that completes commands, options and models", COMPLETION_NOTES)
    completion.add_argument("shell", nargs="?", choices=("bash", "zsh", "fish"), default="bash", help="(default: bash)")
    check = command("check", "compile and assemble a model without running it, and report its contents")
    _target(check)
    _redundant(check)
    check.add_argument(
        "--plot", nargs="?", const="", metavar="FILE",
        help="draw its remaining degrees of freedom (default file: NAME-freedoms.png in the current folder)",
    )  # fmt: skip
    _tree(command("tree", "show a model as a tree of rigid bodies", TREE_NOTES))
    return parser


def _target(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME|FILE.py", help="a ready model, or a file defining one")
    _settings(parser, "parameters, in SI units and radians (listed by `samara models NAME`)")


def _redundant(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--redundant", choices=REDUNDANT,
        help="redundant constraints: refuse the model, or run it with the least-squares reactions "
    "(default: as the model says)",
    )  # fmt: skip


def _settings(parser: argparse.ArgumentParser, words: str) -> None:
    parser.add_argument(
        "--set", nargs="+", action="extend", default=[], metavar="NAME=VALUE", dest="settings", help=words
    )


def _run(parser: argparse.ArgumentParser) -> None:
    _target(parser)
    _redundant(parser)
    add = parser.add_argument
    add("--save", metavar="FILE.nc", help="write the results as NetCDF")
    add(
        "--plot",
        nargs="?",
        const="",
        metavar="FILE",
        help="plot the motion (default file: NAME.png in the current folder)",
    )
    add(
        "--animate", nargs="?", const="", metavar="FILE",
        help="write an animation: .html, .gif, .mp4 or .pvd (default file: NAME.html in the current folder)",
    )  # fmt: skip
    add("--checkpoint", metavar="FILE", help="write the final state, for a later --resume")
    add("--resume", metavar="FILE", help="continue from a checkpoint")
    add("--quiet", action="store_true", help="print errors only")
    add_fields(parser, Timeline)
    add_fields(parser, Method)


def _view(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("file", metavar="FILE.nc", help="results file, as written by `samara run --save`")
    add("--beside", metavar="OTHER.nc", help="second results file, overlaid on the first")
    add("--to", metavar="FILE", help="output file: .html, .gif, .mp4 or .pvd (default: FILE.html next to the results)")
    add("--rate", type=positive, metavar="R", help="frames per simulated second [1/s] (default: at least 60)")
    add(
        "--channels",
        nargs="+",
        metavar="PATTERN",
        help="channels offered for plotting (default: the outputs of the elements)",
    )
    add("--no-open", action="store_false", dest="open", help="do not open a browser")


def _realtime(parser: argparse.ArgumentParser) -> None:
    _target(parser)
    add = parser.add_argument
    add_fields(parser, Method, without=("iterations", *OF_PARTS))
    add("--rate", type=positive, metavar="HZ", help="steps per second (default: the model's)")
    add("--duration", type=positive, metavar="S", help="duration of the run [s] (default: until Ctrl-C)")
    add("--policy", choices=POLICIES, default="skip", help="reaction to a late step (default: skip)")
    add(
        "--iterations",
        type=count,
        default=8,
        metavar="N",
        help="maximum number of Newton iterations per step (default: 8)",
    )
    add(
        "--priority", type=PRIORITY, default=50, metavar="P",
        help="real-time priority of the loop, 1 to 99, if permitted; 0: none (default: 50)",
    )  # fmt: skip
    add("--cpu", type=PROCESSOR, metavar="K", help="processor to which the loop is pinned")
    add(
        "--spin", type=not_negative, metavar="S",
        help="busy-wait for this long at the end of each period, warming up the next step [s] (default: the "
        "time of the warm-up; 0: none)",
    )  # fmt: skip
    add(
        "--session",
        metavar="NAME",
        help="session name, by which controllers, panel and recorder connect (default: generated)",
    )
    add(
        "--driven",
        action="store_true",
        help="step when the controllers have sent their commands, instead of by the clock",
    )
    add("--patience", type=positive, default=0.1, metavar="S", help="timeout of a controller (default: 0.1 s)")
    add("--sensors", nargs="+", default=["*"], metavar="PATTERN", help="measurements to publish (default: all)")
    add("--save", metavar="FILE.nc", help="record the run in a separate process, as NetCDF")
    add("--save-channels", nargs="+", metavar="PATTERN", help="channels to record (default: those of `samara record`)")
    add("--save-rate", type=positive, metavar="HZ", help="rows per second of the recording")
    add(
        "--record",
        type=count,
        default=0,
        metavar="ROWS",
        help="length of the queue to a recorder, in rows (default: no queue)",
    )
    add("--no-browser", action="store_true", help="run without the panel")
    add("--no-open", action="store_true", help="start the panel without opening a browser")
    add("--port", type=PORT, default=0, metavar="P", help="port of the panel (default: any free port)")
    add("--has-panel", action="store_true", help=argparse.SUPPRESS)  # a panel that runs it again is there


def _modes(parser: argparse.ArgumentParser) -> None:
    _target(parser)
    add = parser.add_argument
    add(
        "--speed",
        type=finite,
        metavar="W",
        help="speed of a steady rotation about the z axis through the origin [rad/s]",
    )
    add("--parameter", metavar="NAME", help="the model's parameter that holds the speed (default: speed, if it has it)")
    _periodic(parser)
    add("--count", type=count, default=10, metavar="N", help="number of modes, lowest frequency first (default: 10)")
    add("--animate", metavar="FILE.html", help="write an animation of the modes for the browser")
    add("--plot", metavar="FILE", help="plot one mode shape")
    add("--mode", type=count, default=1, metavar="K", help="the mode that --plot draws, counted from 1 (default: 1)")


def _floquet(parser: argparse.ArgumentParser) -> None:
    _target(parser)
    add = parser.add_argument
    _periodic(parser)
    add("--count", type=count, default=10, metavar="N", help="number of modes, least stable first (default: 10)")
    add(
        "--without-step",
        action="store_true",
        help="remove the error of the time step by extrapolation, using half the step as well",
    )
    add("--animate", metavar="FILE.html", help="write an animation of the modes for the browser")
    add("--plot", metavar="FILE", help="plot the multipliers")


def _harmonics(parser: argparse.ArgumentParser) -> None:
    _target(parser)
    add = parser.add_argument
    _periodic(parser)
    add(
        "--channel",
        nargs="+",
        action="extend",
        default=[],
        metavar="NAME",
        help="channels to analyse (default: the hub loads)",
    )
    add("--rotor", metavar="NAME", help="rotor whose revolutions define the harmonics (default: the only one)")
    add("--orders", type=count, default=8, metavar="N", help="highest harmonic, n per revolution (default: 8)")


def _periodic(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--after",
        type=not_negative,
        default=0.0,
        metavar="S",
        help="run the model for this long first [s] (default: 0)",
    )
    add("--period", type=positive, metavar="S", help="period of the motion [s] (default: one revolution of the rotor)")
    add(
        "--steps",
        type=count,
        metavar="N",
        help="time steps per period (default: from the model's step, a multiple of the number of blades)",
    )


def _campbell(parser: argparse.ArgumentParser) -> None:
    _target(parser)
    add = parser.add_argument
    add("--speeds", type=speeds, required=True, metavar="A:B:N", help="N speeds from A to B, both included [rad/s]")
    add("--count", type=count, default=6, metavar="N", help="number of modes, lowest frequency first (default: 6)")
    add("--parameter", metavar="NAME", help="the model's parameter that holds the speed (default: speed, if it has it)")
    add("--plot", metavar="FILE", help="plot the diagram")


def _sweep(parser: argparse.ArgumentParser) -> None:
    _target(parser)
    add = parser.add_argument
    add(
        "--vary", nargs="+", action="extend", default=[], metavar="NAME=VALUES",
        help="values of a parameter: first:last:count or value,value,...; with --samples lowest:highest",
    )  # fmt: skip
    add(
        "--samples",
        type=count,
        metavar="N",
        help="N variants sampled from the ranges (Latin hypercube) instead of a grid",
    )
    add(
        "--seed",
        type=whole_between(0, 2**32 - 1),
        default=0,
        metavar="K",
        help="random seed of the samples (default: 0)",
    )
    add(
        "--measure", nargs="+", action="extend", default=[], metavar="WHAT:CHANNEL",
        help="quantities to evaluate, such as max:pylon.position.y (default: those defined in the file)",
    )  # fmt: skip
    add("--after", type=not_negative, default=0.0, metavar="S", help="start of the measurement [s] (default: 0)")
    add("--workers", type=count, metavar="N", help="number of processes on this machine (default: run in this process)")
    add(
        "--scheduler",
        metavar="ADDRESS",
        help="address of a Dask scheduler, such as tls://host:8786; or local: one worker per core",
    )
    add(
        "--store",
        metavar="FOLDER",
        help="save each variant as it finishes; the same command resumes an interrupted sweep",
    )
    add("--again", action="store_true", help="rerun variants that failed before")
    add(
        "--retries",
        type=whole_between(0, 100),
        default=2,
        metavar="N",
        help="number of retries when the process of a variant dies (default: 2)",
    )
    add("--timeout", type=positive, metavar="S", help="time limit for one variant [s]; needs worker processes")
    add("--save", metavar="FILE.nc", help="write the results as NetCDF")
    add("--plot", nargs="?", const="", metavar="FILE", help="plot curves or a map (default file: NAME-sweep.png)")
    add("--quiet", action="store_true", help="print nothing but errors")
    add_fields(parser, Timeline, without=("every", "outputs"))
    add_fields(parser, Method)


def _experiment(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("name", nargs="?", metavar="NAME", help="an experiment")
    _settings(parser, "settings of the experiment (listed by `samara experiment --json`)")
    add("--plot", metavar="FILE", help="plot its figure, or its main figure if it has several")
    add(
        "--out",
        metavar="FOLDER",
        help="write all figures and a summary.json (default for several figures: a folder named after the experiment)",
    )
    add("--save", metavar="FILE.nc", help="write the results as NetCDF")


def _controller(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("file", nargs="?", metavar="NAME|FILE.py", help="a ready controller, or a file defining one")
    add("--session", metavar="NAME", help="the simulator's session (default: the one the controller is written for)")
    _settings(parser, "tunable parameters, in the units listed by `samara controller`")
    add(
        "--duration",
        type=positive,
        metavar="S",
        help="simulated time after which the controller ends [s] (default: never)",
    )
    add("--wait", action="store_true", help="if the simulator ends, wait for it to restart")
    add("--timeout", type=positive, default=10.0, metavar="S", help="how long to wait for the simulator [s]")
    add("--quiet", action="store_true", help="print errors only")


def _record(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("session", nargs="?", metavar="SESSION", help="the simulator's session")
    add("--to", metavar="FILE.nc", help="output file (default: SESSION.nc in the current folder)")
    add(
        "--armed",
        action="store_true",
        help="wait for `samara record SESSION --on`, then write FILE-001.nc, FILE-002.nc, ...",
    )
    add("--pre", type=not_negative, default=0.0, metavar="S", help="pre-trigger time to include [s]")
    add(
        "--channels",
        nargs="+",
        metavar="PATTERN",
        help="channels to record (default: all, or the main ones of a large model)",
    )
    often = parser.add_mutually_exclusive_group()
    often.add_argument("--every", type=count, metavar="N", help="record every N-th step")
    often.add_argument("--rate", type=positive, metavar="HZ", help="approximate number of rows per second")
    add("--force", action="store_true", help="overwrite an existing file")
    add("--timeout", type=positive, default=10.0, metavar="S", help="how long to wait for the simulator [s]")
    add("--quiet", action="store_true", help="print errors only")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--on", action="store_true", help="start recording (the session's recorder must be armed)")
    instead.add_argument("--off", action="store_true", help="stop recording and write the file")
    instead.add_argument("--state", action="store_true", help="print the state of the recorder")
    instead.add_argument("--recover", metavar="FILE.nc", help="write the file that a killed recorder left unfinished")


def _panel(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("session", metavar="SESSION", help="the simulator's session")
    add("--port", type=PORT, default=0, metavar="P", help="port to serve on (default: any free port)")
    add("--host", default="127.0.0.1", metavar="H", help="address to serve on (default: this machine only)")
    add(
        "--linger", type=positive, default=10.0, metavar="S",
        help="time to keep serving after the run once no page is open [s] (default: 10)",
    )  # fmt: skip
    add("--timeout", type=positive, default=10.0, metavar="S", help="how long to wait for the simulator [s]")
    add(
        "--pilot-timeout",
        type=positive,
        default=2.0,
        metavar="S",
        help="silence after which a pilot counts as lost [s]",
    )
    add("--no-open", action="store_false", dest="open", help="do not open a browser")


def _replay(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("file", metavar="FILE.nc", help="a recording, or results such as `samara run --save` writes")
    add("--speed", type=positive, default=1.0, metavar="R", help="seconds of the run per second (default: 1)")
    add("--session", metavar="NAME", help="name of the session (default: chosen)")
    add("--port", type=PORT, default=0, metavar="P", help="of the panel (default: one that is free)")
    add("--no-open", action="store_false", dest="open", help="do not open a browser")


def _tree(parser: argparse.ArgumentParser) -> None:
    _target(parser)
    add = parser.add_argument
    add(
        "--base",
        metavar="NODE",
        help="root node of a part without connection to ground (default: the node of its heaviest body)",
    )
    add(
        "--cut", nargs="+", action="extend", default=[], metavar="JOINT",
        help="joints at which closed loops are cut; they are enforced by constraints",
    )  # fmt: skip
    add(
        "--plot",
        nargs="?",
        const="",
        metavar="FILE",
        help="draw the tree (default file: NAME-tree.png in the current folder)",
    )
