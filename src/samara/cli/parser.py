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
    """Options that cannot be understood: `command` as it was called, and what is wrong in one line."""

    def __init__(self, command: str, message: str) -> None:
        super().__init__(f"{message} ({command} --help explains)")
        self.command = command


class _Parser(argparse.ArgumentParser):
    """Leaves it to whoever asks to say what is wrong."""

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
    common.add_argument("--json", action="store_true", help="answer as a JSON document on standard output")
    common.add_argument("--debug", action="store_true", help="show where an error comes from")

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
    _view(command("view", "show saved results in three dimensions, in a browser", VIEW_NOTES))
    models = command("models", "list the ready models, or the parameters of one")
    models.add_argument("name", nargs="?", metavar="NAME", help="a ready model")
    _modes(command("modes", "frequencies, damping and shapes of small motions", MODES_NOTES))
    _floquet(command("floquet", "stability of small motions about a periodic motion", FLOQUET_NOTES))
    _campbell(command("campbell", "frequencies of a rotating model against its speed"))
    kernels = command("kernels", "list the compiled kernels and the solver in the cache, or the kernels of a model")
    kernels.add_argument("name", nargs="?", metavar="NAME|FILE.py", help="a ready model, or a file with one")
    kernels.add_argument("--clear", action="store_true", help="empty the cache; kernels are compiled when next needed")
    warm = command("warm", "compile beforehand what models need, off-line and in real time", WARM_NOTES)
    warm.add_argument("names", nargs="*", metavar="NAME|FILE.py", help="models (default: all ready ones)")
    warm.add_argument("--jobs", type=count, metavar="N", help="processes (default: one for each core)")
    bench = command("bench", "list the benchmarks, or measure one")
    bench.add_argument("name", nargs="?", metavar="NAME", help="a benchmark")
    _sweep(command("sweep", "measure many variants of a model, on several cores or on a cluster", SWEEP_NOTES))
    _experiment(command("experiment", "list the experiments, or run one beside its published original"))
    _realtime(command("realtime", "run a model in real time", REALTIME_NOTES))
    _controller(command("controller", "list the ready controllers, or run one against a simulator", CONTROLLER_NOTES))
    _record(command("record", "record a session to a file, or tell its recorder what to do", RECORD_NOTES))
    _panel(command("panel", "the operator's panel of a running simulator, in the browser", PANEL_NOTES))
    _replay(command("replay", "show a recording, or the results of any run, in the panel", REPLAY_NOTES))
    command("sessions", "list the simulators that run on this machine")
    command("doctor", "look at this machine: processor, caches, priorities, packages, and what is missing")
    completion = command("completion", "print a script that completes commands, options and models", COMPLETION_NOTES)
    completion.add_argument("shell", nargs="?", choices=("bash", "zsh", "fish"), default="bash", help="(default: bash)")
    check = command("check", "compile and assemble a model without running it, and report what it is made of")
    _target(check)
    _redundant(check)
    check.add_argument(
        "--plot", nargs="?", const="", metavar="FILE",
        help="draw what it can still do (default file: NAME-freedoms.png in this folder)",
    )  # fmt: skip
    _tree(command("tree", "show a model as a tree of rigid bodies, block by block", TREE_NOTES))
    return parser


def _target(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME|FILE.py", help="a ready model, or a file with one")
    _settings(parser, "parameters, in SI units and radians (`samara models NAME` lists them)")


def _redundant(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--redundant", choices=REDUNDANT,
        help="joints that hold the same thing twice: refuse, or run with the smallest reactions (default: the model's)",
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
    add("--plot", nargs="?", const="", metavar="FILE", help="draw the motion (default file: NAME.png in this folder)")
    add(
        "--animate", nargs="?", const="", metavar="FILE",
        help="write a page in which it moves; or .gif, .mp4, .pvd (default file: NAME.html in this folder)",
    )  # fmt: skip
    add("--checkpoint", metavar="FILE", help="write the final state, to go on from")
    add("--resume", metavar="FILE", help="go on from a checkpoint")
    add("--quiet", action="store_true", help="print nothing but errors")
    add_fields(parser, Timeline)
    add_fields(parser, Method)


def _view(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("file", metavar="FILE.nc", help="results, such as `samara run --save` writes")
    add("--beside", metavar="OTHER.nc", help="results that are laid over these")
    add("--to", metavar="FILE", help="the page (default: FILE.html beside the results); or .gif, .mp4, .pvd")
    add("--rate", type=positive, metavar="R", help="frames for a second of the run [1/s] (default: 60, or more)")
    add("--channels", nargs="+", metavar="PATTERN", help="what can be plotted (default: what is measured of elements)")
    add("--no-open", action="store_false", dest="open", help="do not open a browser")


def _realtime(parser: argparse.ArgumentParser) -> None:
    _target(parser)
    add = parser.add_argument
    add_fields(parser, Method, without=("iterations", *OF_PARTS))
    add("--rate", type=positive, metavar="HZ", help="steps per second (default: that of the model)")
    add("--duration", type=positive, metavar="S", help="how long [s] (default: until Ctrl-C)")
    add("--policy", choices=POLICIES, default="skip", help="what to do about a late step (default: skip)")
    add("--iterations", type=count, default=8, metavar="N", help="bound on Newton iterations per step (default: 8)")
    add(
        "--priority", type=PRIORITY, default=50, metavar="P",
        help="real-time priority of the loop, 1 to 99, if it may be had; 0: none (default: 50)",
    )  # fmt: skip
    add("--cpu", type=PROCESSOR, metavar="K", help="processor that the loop stays on")
    add(
        "--spin", type=not_negative, metavar="S",
        help="last part of each wait that is spent awake, and in which the step is rehearsed [s] (default: as long as "
        "that takes; 0: none)",
    )  # fmt: skip
    add("--session", metavar="NAME", help="name under which controllers, panel and recorder find it (default: chosen)")
    add("--driven", action="store_true", help="step when the controllers have sent, instead of by the clock")
    add("--patience", type=positive, default=0.1, metavar="S", help="timeout of a controller (default: 0.1 s)")
    add("--sensors", nargs="+", default=["*"], metavar="PATTERN", help="measures that are published (default: all)")
    add("--save", metavar="FILE.nc", help="record the run, in a process of its own, and write it as NetCDF")
    add("--save-channels", nargs="+", metavar="PATTERN", help="what to record (default: as `samara record` does)")
    add("--save-rate", type=positive, metavar="HZ", help="rows per second of the recording")
    add("--record", type=count, default=0, metavar="ROWS", help="length of the queue to a recorder (default: none)")
    add("--no-browser", action="store_true", help="no panel")
    add("--no-open", action="store_true", help="with the panel, but leave it to you to open its address")
    add("--port", type=PORT, default=0, metavar="P", help="of the panel (default: one that is free)")
    add("--has-panel", action="store_true", help=argparse.SUPPRESS)  # a panel that runs it again is there


def _modes(parser: argparse.ArgumentParser) -> None:
    _target(parser)
    add = parser.add_argument
    add("--speed", type=finite, metavar="W", help="of a steady rotation about z through the origin [rad/s]")
    add("--parameter", metavar="NAME", help="the model's parameter that holds the speed (default: speed, if it has it)")
    _periodic(parser)
    add("--count", type=count, default=10, metavar="N", help="how many, the slowest first (default: 10)")
    add("--animate", metavar="FILE.html", help="write a page for the browser in which they move")
    add("--plot", metavar="FILE", help="draw one")
    add("--mode", type=count, default=1, metavar="K", help="which one --plot draws, from 1 on (default: 1)")


def _floquet(parser: argparse.ArgumentParser) -> None:
    _target(parser)
    add = parser.add_argument
    _periodic(parser)
    add("--count", type=count, default=10, metavar="N", help="how many, the least stable first (default: 10)")
    add("--without-step", action="store_true", help="take out what the time step adds, with half of it as well")
    add("--animate", metavar="FILE.html", help="write a page for the browser in which they move")
    add("--plot", metavar="FILE", help="draw the multipliers")


def _periodic(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--after", type=not_negative, default=0.0, metavar="S", help="run the model so long before [s] (default: 0)")
    add("--period", type=positive, metavar="S", help="of the motion [s] (default: one turn of the rotor)")
    add("--steps", type=count, metavar="N", help="in a period (default: by the model's step, whole per blade)")


def _campbell(parser: argparse.ArgumentParser) -> None:
    _target(parser)
    add = parser.add_argument
    add("--speeds", type=speeds, required=True, metavar="A:B:N", help="N speeds from A to B, both included [rad/s]")
    add("--count", type=count, default=6, metavar="N", help="how many modes, the slowest first (default: 6)")
    add("--parameter", metavar="NAME", help="the model's parameter that holds the speed (default: speed, if it has it)")
    add("--plot", metavar="FILE", help="draw the diagram")


def _sweep(parser: argparse.ArgumentParser) -> None:
    _target(parser)
    add = parser.add_argument
    add(
        "--vary", nargs="+", action="extend", default=[], metavar="NAME=VALUES",
        help="what varies: first:last:count, or value,value; with --samples lowest:highest",
    )  # fmt: skip
    add("--samples", type=count, metavar="N", help="N variants spread over the ranges (Latin hypercube), not a grid")
    add("--seed", type=whole_between(0, 2**32 - 1), default=0, metavar="K", help="of the samples (default: 0)")
    add(
        "--measure", nargs="+", action="extend", default=[], metavar="WHAT:CHANNEL",
        help="numbers of a run, such as max:pylon.position.y (default: those of the file)",
    )  # fmt: skip
    add("--after", type=not_negative, default=0.0, metavar="S", help="measure from this time on [s] (default: 0)")
    add("--workers", type=count, metavar="N", help="processes on this machine (default: this one alone)")
    add("--scheduler", metavar="ADDRESS", help="a Dask scheduler, tls://host:8786; local: --workers, one for each core")
    add("--store", metavar="FOLDER", help="keep each finished variant there at once; the same command goes on from it")
    add("--again", action="store_true", help="try variants again that failed before")
    add("--retries", type=whole_between(0, 100), default=2, metavar="N", help="when its process dies (default: 2)")
    add("--timeout", type=positive, metavar="S", help="for one variant [s], in processes of its own")
    add("--save", metavar="FILE.nc", help="write the results as NetCDF")
    add("--plot", nargs="?", const="", metavar="FILE", help="draw lines or a map (default file: NAME-sweep.png)")
    add("--quiet", action="store_true", help="print nothing but errors")
    add_fields(parser, Timeline, without=("every", "outputs"))
    add_fields(parser, Method)


def _experiment(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("name", nargs="?", metavar="NAME", help="an experiment")
    _settings(parser, "settings of the experiment (`samara experiment --json` lists them)")
    add("--plot", metavar="FILE", help="draw its figure, the main one where it has several")
    add("--out", metavar="FOLDER", help="write all figures and a summary.json (default where it has several: its name)")
    add("--save", metavar="FILE.nc", help="write the results as NetCDF")


def _controller(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("file", nargs="?", metavar="NAME|FILE.py", help="a ready controller, or a file with one")
    add("--session", metavar="NAME", help="the simulator's session (default: that which the controller is made for)")
    _settings(parser, "tunable numbers, in the units that `samara controller` lists")
    add("--duration", type=positive, metavar="S", help="simulated time after which to end [s] (default: never)")
    add("--wait", action="store_true", help="when the simulator goes away, wait for its return")
    add("--timeout", type=positive, default=10.0, metavar="S", help="how long to wait for the simulator [s]")
    add("--quiet", action="store_true", help="print nothing but errors")


def _record(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("session", nargs="?", metavar="SESSION", help="the simulator's session")
    add("--to", metavar="FILE.nc", help="the results (default: SESSION.nc in this folder)")
    add("--armed", action="store_true", help="write nothing until told to; then FILE-001.nc, FILE-002.nc, ...")
    add("--pre", type=not_negative, default=0.0, metavar="S", help="what to keep from before it is told [s]")
    add(
        "--channels",
        nargs="+",
        metavar="PATTERN",
        help="what to keep (default: all, or the main ones of a large model)",
    )
    often = parser.add_mutually_exclusive_group()
    often.add_argument("--every", type=count, metavar="N", help="record every N-th step")
    often.add_argument("--rate", type=positive, metavar="HZ", help="record about so many rows per second")
    add("--force", action="store_true", help="replace results of that name")
    add("--timeout", type=positive, default=10.0, metavar="S", help="how long to wait for the simulator [s]")
    add("--quiet", action="store_true", help="print nothing but what goes wrong")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--on", action="store_true", help="tell the recorder of the session to record")
    instead.add_argument("--off", action="store_true", help="tell it to stop, and to make the file")
    instead.add_argument("--state", action="store_true", help="print how it is doing")
    instead.add_argument("--recover", metavar="FILE.nc", help="make the file that a killed recorder did not get to")


def _panel(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("session", metavar="SESSION", help="the simulator's session")
    add("--port", type=PORT, default=0, metavar="P", help="port to serve on (default: one that is free)")
    add("--host", default="127.0.0.1", metavar="H", help="address to serve on (default: this machine alone)")
    add(
        "--linger", type=positive, default=10.0, metavar="S",
        help="after the run, stay so long once no page is open [s] (default: 10)",
    )  # fmt: skip
    add("--timeout", type=positive, default=10.0, metavar="S", help="how long to wait for the simulator [s]")
    add("--pilot-timeout", type=positive, default=2.0, metavar="S", help="silence after which a pilot is lost [s]")
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
    add("--base", metavar="NODE", help="describe a part that floats from this node (default: its heaviest body's)")
    add(
        "--cut", nargs="+", action="extend", default=[], metavar="JOINT",
        help="joints that close loops, which a tree leaves out and holds by their constraints",
    )  # fmt: skip
    add("--plot", nargs="?", const="", metavar="FILE", help="draw it (default file: NAME-tree.png in this folder)")
