"""Make the figures of the documentation: `python docs/figures/make.py [NAME ...]`.

A figure is a function marked with @figure in a module of this folder: it draws on a new Matplotlib figure and returns
it. It is written to docs/_generated/figures/NAME.svg, at every build of the documentation; nothing drawn is committed.
"""

import argparse
import importlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))

import matplotlib.pyplot as plt  # noqa: E402
from registry import FIGURES, FOLDER, STYLE  # noqa: E402

for module in sorted(HERE.glob("*.py")):
    if module.stem not in ("make", "registry"):
        importlib.import_module(module.stem)


def make(names: list[str], folder: Path = FOLDER) -> list[Path]:
    """Draw the named figures, or all, and return the files; those of a module, which may share runs, in one process."""
    folder.mkdir(parents=True, exist_ok=True)
    modules: dict[str, list[str]] = {}
    for name in names or list(FIGURES):
        modules.setdefault(FIGURES[name].__module__, []).append(name)
    if len(modules) == 1:
        return draw(*modules.values(), folder)
    commands = [[sys.executable, __file__, "--into", str(folder), *names] for names in modules.values()]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for done in pool.map(lambda command: subprocess.run(command, capture_output=True, text=True), commands):
            if done.returncode:
                raise RuntimeError(f"a figure failed: {' '.join(map(str, done.args))}\n{done.stderr}")
    return [folder / f"{name}.svg" for names in modules.values() for name in names]


def draw(names: list[str], folder: Path) -> list[Path]:
    """Draw figures here and now."""
    made = []
    for name in names:
        with plt.rc_context(STYLE):
            picture = FIGURES[name]()
            made.append(folder / f"{name}.svg")
            picture.savefig(made[-1], metadata={"Date": None})
            plt.close(picture)
    return made


def main() -> None:
    """Read the names from the command line."""
    parser = argparse.ArgumentParser(description="Make the figures of the documentation.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one or more of: {', '.join(FIGURES)}")
    parser.add_argument("--into", type=Path, default=FOLDER, metavar="FOLDER", help="where they go")
    given = parser.parse_args()
    names = given.names
    unknown = set(names) - set(FIGURES)
    if unknown:
        parser.error(f"no figure named {', '.join(sorted(unknown))}; there are: {', '.join(FIGURES)}")
    for path in make(names, given.into):
        print(path)


if __name__ == "__main__":
    main()
