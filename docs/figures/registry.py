"""The figures of the documentation by name, and what they share."""

import csv
from collections.abc import Callable
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

FOLDER = Path(__file__).resolve().parents[1] / "_generated" / "figures"
DATA = Path(__file__).resolve().parents[2] / "tests" / "reference" / "data"
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


def table(name: str) -> np.ndarray:
    """Rows of a data file of the tests."""
    return np.loadtxt(DATA / name, delimiter=",", skiprows=2)


def published(name: str) -> list[dict[str, str]]:
    """Rows of a file of reference data, after the line with its source."""
    with (DATA / name).open() as file:
        next(file)
        return list(csv.DictReader(file))
