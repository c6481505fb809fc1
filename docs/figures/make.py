"""Make the figures of the documentation: `python docs/figures/make.py [NAME ...]`.

A figure is a function marked with @figure that draws on a new Matplotlib figure and returns it. It is
written to docs/_generated/figures/NAME.svg, at every build of the documentation; nothing drawn is committed.
"""

import argparse
from collections.abc import Callable
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

FOLDER = Path(__file__).resolve().parents[1] / "_generated" / "figures"
STYLE = {
    "figure.figsize": (6.4, 3.6),
    "figure.constrained_layout.use": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.3,
    "legend.frameon": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "samara",
}

FIGURES: dict[str, Callable[[], plt.Figure]] = {}


def figure(draw: Callable[[], plt.Figure]) -> Callable[[], plt.Figure]:
    """Register a function as the maker of the figure that has its name."""
    FIGURES[draw.__name__] = draw
    return draw


@figure
def spectral_radius() -> plt.Figure:
    """Amplification of the two-step scheme on an undamped oscillator, constant step."""
    picture, axes = plt.subplots()
    phase = np.logspace(-2, 3, 300)  # omega h
    for rho in (1.0, 0.8, 0.6, 0.3, 0.0):
        D = 4 - (1 - rho) ** 2
        beta, delta = (3 * rho**2 + 2 * rho - 1) / D, (1 - rho) ** 2 / (2 * D)
        b0, b1, b2 = delta + 0.5, 0.5 * beta + 0.5 - 2 * delta, 0.5 * beta + delta
        roots = [np.roots([1 - b0 * z, -(1 - beta) - b1 * z, -beta - b2 * z]) for z in 1j * phase]
        axes.semilogx(phase, np.abs(roots).max(axis=1), label=rf"$\rho_\infty = {rho}$")
    axes.set(xlabel=r"$\omega h$ [rad]", ylabel="spectral radius", ylim=(0, 1.05))
    axes.legend()
    return picture


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
