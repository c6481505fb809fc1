"""The house keeps its order: imports point upward, the core is light, every module says what it is."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

# A folder (or a module of the package's top level) imports only itself and what stands above it here.
ORDER = [
    "arguments",
    "notebook",
    "rotations",
    "tracing",
    "complementarity",
    "model",
    "blocks",
    "method",
    "elements",
    "system",
    "recursive",
    "viewer",
    "results",
    "scene",
    "blas",
    "entry",
    "solve",
    "analysis",
    "nonsmooth",
    "interop",
    "models",
    "realtime",
    "sweep",
    "dashboard",
    "experiments",
    "benchmarks",
    "cli",
]
# The rooms of a folder, in the same way; rooms on one line do not know each other. A module beside them is a room too.
# Imports for type checkers alone (`if TYPE_CHECKING:`) do not count between rooms.
ROOMS = {
    "arguments": [["errors", "plausible"], ["calls", "numbers", "words"], ["arrays"]],
    "realtime": [["mailbox"], ["session"], ["loop", "recording"], ["controllers"]],
    "solve": [
        ["errors", "measures"],
        ["files", "native", "interrupt", "linear_systems"],
        ["topology"],
        ["start_report"],
        ["linear", "integrators", "contact"],
        ["laws"],
        ["step"],
        ["redundant", "tree"],
        ["impacts"],
        ["machine"],
        ["work"],
        ["settings"],
        ["simulation"],
        ["report"],
        ["mechanism"],
        ["constraints"],
        ["store", "sampling"],
        ["as_simulation"],
        ["start"],
        ["statics"],
        ["tangent"],
        ["run"],
        ["transient"],
        ["stepper"],
    ],
    "analysis": [
        ["freedoms", "linearisation", "plausibility"],
        ["rotors"],
        ["periodic_motion"],
        ["modal", "trim"],
        ["identification", "sensitivities"],
    ],
    "analysis/trim": [["problem"], ["solution", "trials"], ["search"], ["safety"], ["find"], ["sweep"]],
    "elements/aero": [["aerofoils", "inflow", "wind"], ["wake"], ["rotors"], ["surfaces"]],
    "elements/control": [["blocks", "motors"], ["regulators", "servos"], ["sensors"]],
    "elements/hydraulic": [["fluids"], ["storage"], ["pipes"], ["sources", "valves"], ["cylinders"]],
    "elements/joints": [
        ["clamp", "friction", "gimbal", "prescribed_motion", "relaxed", "screw", "total", "universal"],
        ["cylindrical", "lock", "point_constraints", "prismatic", "revolute", "spherical"],
    ],
    "elements/electric": [["circuits", "motors"], ["sensors"]],
    "elements": [
        ["bodies", "couplings", "geometry", "networks", "still"],
        ["families", "laws", "thermal"],
        ["beams", "contact", "deformable", "joints", "modal", "sensors", "springs"],
        ["aero", "control", "loads"],
        ["drive_train", "electric", "hydraulic", "rotor"],
    ],
    "elements/laws": [
        ["law", "stribeck"],
        ["contact_laws", "cubic", "damper", "damper_table", "driven", "free", "friction", "linear", "table"],
        ["vector_laws"],
    ],
    "model": [
        ["quantities"],
        ["junction", "schema"],
        ["frames", "sampled"],
        ["membership", "sketch"],
        ["element"],
        ["roles"],
        ["declarations", "equations", "networks", "picture"],
        ["model"],
        ["changes", "inventory"],
    ],
    "system": [["memory"], ["kernels"], ["description", "layout", "start"], ["partition", "state"], ["system"]],
    "recursive": [
        ["denavit_hartenberg", "tree"],
        ["argument_checks", "dynamics"],
        ["graph"],
        ["coordinates", "native"],
        ["rigid_tree", "view"],
    ],
    "tracing": [["private_folder"], ["cache", "collection", "compiling", "expressions"], ["driver", "kernels"]],
    "cli": [
        ["known", "notes", "report", "settings"],
        ["parser", "pictures", "target"],
        ["analyses", "cache", "machine", "runs", "simulator", "studies"],
    ],
    "dashboard": [["access", "feed"], ["traces", "views"], ["desk"], ["flight"], ["cards"], ["page"], ["server"]],
    "sweep": [
        ["measures", "named", "plotting", "variants"],
        ["study"],
        ["results"],
        ["errors"],
        ["workers"],
        ["storage"],
        ["sweep"],
    ],
    "models": [
        ["controls", "files", "ground", "meanings", "source_count"],
        ["quantity"],
        ["aero_options", "registry"],
        ["parts"],
        ["articulated_rotors", "beams", "mechanisms", "rotors"],
        ["helicopters", "robots", "tiltrotors"],
        ["catalogue"],
        ["target"],
    ],
    "experiments": [["registry"], ["helicopters", "real_time"], ["mechanisms", "rotors", "tiltrotors"]],
    "benchmarks": [
        ["advance", "rows"],
        ["cases"],
        ["peers"],
        ["contacts", "rotorcraft", "solver", "tree_formulation"],
        ["faults", "real_time", "scaling"],
    ],
}
# Free in both directions: the package itself exports everything lazily; `python -m samara` is the cli.
OUTSIDE = {"__init__", "__main__"}
HEAVY = ["h5netcdf", "h5py", "llvmlite", "matplotlib", "numba", "pandas", "xarray"]

NAMED = re.compile(r"samara(\.[a-z_]\w*)+")

SOURCE = Path(__file__).resolve().parents[2] / "src"
PACKAGE = SOURCE / "samara"
MODULES = sorted(PACKAGE.rglob("*.py"))


def place(dotted: str) -> str | None:
    """The name in ORDER that a dotted module name belongs to; None outside samara or for samara itself."""
    parts = dotted.split(".")
    return parts[1] if parts[0] == "samara" and len(parts) > 1 else None


def room(dotted: str, folder: str) -> str | None:
    """The room of that folder, "elements/aero", that a dotted module name is in; None outside, and for the folder."""
    start = ["samara", *folder.split("/")]
    parts = dotted.split(".")
    inside = parts[: len(start)] == start and len(parts) > len(start)
    return parts[len(start)] if inside and not parts[len(start)].startswith("__") else None


def level(folder: str, name: str | None) -> int | None:
    """Where a room stands in its folder; None for names that are no room, such as those a folder exports."""
    return next((i for i, line in enumerate(ROOMS[folder]) if name in line), None)


def wrong_room(module: str, name: str) -> str | None:
    """Why a module must not import that name of a folder that it is in; None if it may."""
    for folder in ROOMS:
        home, target = room(module, folder), room(name, folder)
        if home is None or target is None or home == target:
            continue
        mine, other = level(folder, home), level(folder, target)
        if other is None:
            return f"{home} must import {name.rpartition('.')[2]!r} from the room where it lives, not from {folder}"
        if mine is None or other >= mine:
            return f"{home} does not know {target}"
    return None


def dotted_name(path: Path, source: Path) -> str:
    """samara.solve.redundant.newton for source/samara/solve/newton.py; samara.solve.__init__ for a package."""
    return ".".join(path.relative_to(source).with_suffix("").parts)


def imported_modules(tree: ast.AST, module: str) -> Iterator[tuple[int, str]]:
    """Line and full name of every import, relative ones resolved, those inside functions included.

    `from a import b` gives a.b: whether b is a module or a name makes no difference to its place. A module named in
    a text, "samara.a.b", counts as well: so processes are started, and modules loaded late.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and NAMED.fullmatch(node.value):
            yield node.lineno, node.value
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = module.split(".")[: -node.level] if node.level else []
            start = ".".join([*base, *([node.module] if node.module else [])])
            yield from ((node.lineno, f"{start}.{alias.name}") for alias in node.names)


def lines_for_annotations(tree: ast.AST) -> set[int]:
    """Lines under `if TYPE_CHECKING:`."""
    blocks = [n for n in ast.walk(tree) if isinstance(n, ast.If) and getattr(n.test, "id", "") == "TYPE_CHECKING"]
    return {line for n in blocks for line in range(n.lineno, (n.end_lineno or n.lineno) + 1)}


def wrong_imports(path: Path, source: Path = SOURCE) -> list[str]:
    """Each import of this file that points down the list, as 'file:line: code  (why)'."""
    module = dotted_name(path, source)
    home = place(module)
    if home in OUTSIDE:
        return []
    assert home in ORDER, f"{module} has no place in ORDER"
    text = path.read_text(encoding="utf-8")
    wrong, tree = [], ast.parse(text)
    annotated = lines_for_annotations(tree)
    for line, name in imported_modules(tree, module):
        target = place(name)
        # `from samara import x`: an exported name, whose home is unknown, pulls the whole house in.
        if name.startswith("samara.") and target not in ORDER and not target.startswith("__"):
            why = f"{home} must import '{target}' from the folder where it lives, not from samara"
        elif target in ORDER and ORDER.index(target) > ORDER.index(home):
            why = f"{home} stands above {target}"
        elif line not in annotated and (found := wrong_room(module, name)):
            why = found
        else:
            continue
        code = text.splitlines()[line - 1].strip()
        wrong.append(f"{path.relative_to(source)}:{line}: {code}  ({why})")
    return wrong


def label(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def test_every_folder_has_a_place():
    found = {place(dotted_name(path, SOURCE)) for path in MODULES}
    assert found - OUTSIDE <= set(ORDER), f"add to ORDER: {sorted(found - OUTSIDE - set(ORDER))}"


def test_every_room_has_a_place():
    for folder, lines in ROOMS.items():
        found = {room(dotted_name(path, SOURCE), folder) for path in (PACKAGE / folder).rglob("*.py")} - {None}
        assert found == {name for line in lines for name in line}, folder


def test_rooms_are_small():
    folders = {path.parent for path in MODULES}
    crowded = [label(folder) for folder in folders if len(list(folder.glob("*.py"))) > 15]
    assert not crowded, f"make rooms in {sorted(crowded)}"


def test_imports_point_upward():
    wrong = [line for path in MODULES for line in wrong_imports(path)]
    assert not wrong, "\n" + "\n".join(wrong)


@pytest.mark.parametrize(
    ("file", "code", "allowed"),
    [
        ("solve/redundant/newton.py", "from samara.system import layout", True),
        ("solve/redundant/newton.py", "from . import bdf2", True),
        ("solve/redundant/newton.py", "from ...system.layout import Layout", True),
        ("solve/redundant/newton.py", "import numpy as np", True),
        ("solve/redundant/newton.py", "from samara import __version__", True),
        ("system/layout.py", "from ..solve import newton", False),
        ("system/layout.py", "from .. import solve", False),
        ("system/layout.py", "import samara.solve.redundant.newton", False),
        ("system/layout.py", "def late():\n    from samara.cli import main", False),
        ("elements/joints/__init__.py", "from ...solve.newton import step", False),
        ("elements/joints/__init__.py", "from ..bodies import rigid", True),
        ("elements/rod.py", "from samara import Model", False),
        ("models/pendulum.py", "from samara import cli", False),
        ("dashboard/start.py", "LOOP = ('-m', 'samara.realtime.loop.process')", True),
        ("dashboard/start.py", "PANEL = ('-m', 'samara.cli', 'panel')", False),
        ("realtime/session/session.py", "LOOP = ('-m', 'samara.realtime.loop.process')", False),
        ("realtime/loop/loop.py", "from samara.realtime.mailbox.port import beat", True),
        ("realtime/loop/loop.py", "from .clock import now", True),
        ("solve/redundant/newton.py", "from samara.solve.simulation import Simulation", False),
        ("solve/redundant/newton.py", "if TYPE_CHECKING:\n    from samara.solve.simulation import Simulation", True),
        ("realtime/__init__.py", "from samara.realtime.session import Session", True),
        ("dashboard/feed.py", "from samara.realtime import Session", True),
        ("realtime/mailbox/latest.py", "from samara.realtime.session import Session", False),
        ("realtime/loop/loop.py", "from samara.realtime.recording.take import Take", False),
        ("realtime/recording/take.py", "from ..loop import clock", False),
        ("realtime/loop/loop.py", "from samara.realtime import Session", False),
        ("scene/scene.py", "from samara.realtime.loop.exchange import Exchange", False),
    ],
)
def test_the_check_itself(tmp_path, file, code, allowed):
    path = tmp_path / "samara" / file
    path.parent.mkdir(parents=True)
    path.write_text(code)
    assert (wrong_imports(path, tmp_path) == []) is allowed


def test_import_samara_is_light():
    show = f"import sys, samara; print(*[name for name in {HEAVY} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", show], capture_output=True, text=True, check=True)
    assert run.stdout.split() == []


def test_modules_say_what_they_are():
    vague = [label(path) for path in MODULES if path.stem in {"utils", "util", "helpers", "misc"}]
    assert not vague, f"name the file after its concept: {vague}"
    silent = [label(path) for path in MODULES if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))]
    assert not silent, f"a module begins with a docstring: {silent}"
