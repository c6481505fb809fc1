"""Make the figures of the documentation: `python docs/figures/make.py [NAME ...]`.

A figure is a function marked with @figure in a module of this folder: it draws on a new Matplotlib figure and returns
it. It is written to docs/_generated/figures/NAME.svg, at every build of the documentation; nothing drawn is committed.
"""

import argparse
import importlib
import sys
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
    """Draw the named figures, or all, and return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for name in names or list(FIGURES):
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
    names = parser.parse_args().names
    unknown = set(names) - set(FIGURES)
    if unknown:
        parser.error(f"no figure named {', '.join(sorted(unknown))}; there are: {', '.join(FIGURES)}")
    for path in make(names):
        print(path)


if __name__ == "__main__":
    main()
