"""Tables of the NACA 0012 section, with documented corrections of errors in the published ones."""

from __future__ import annotations

from importlib import resources
from typing import NamedTuple

import numpy as np

from samara.elements.aero.aerofoils.tabulated import TabulatedAerofoil
from samara.tracing import Surface


class Correction(NamedTuple):
    """An entry of a table that is not used as printed: angle [degrees], Mach number, both values, and why."""

    table: str
    alpha_deg: float
    mach: float
    printed: float
    used: float
    why: str


#: All entries that `naca0012` changes. The section is symmetric: cl and cm are odd in alpha, cd is even.
CORRECTIONS = (
    Correction(
        "cl", -10.0, 0.3, -1.01, -1.1,
        "its mirror image is 1.1, which is 0.11 a degree as at 2 to 8 degrees",
    ),
    Correction(
        "cl", 15.0, 0.9, 0.73, 0.72,
        "its mirror image is -0.72; between 0.73 at 14 and 0.70 at 16.5 degrees the line has 0.718",
    ),
    Correction("cl", 15.0, 1.0, 0.73, 0.72, "as at Mach 0.9, which this column repeats"),
    Correction("cd", -50.0, 0.6, 1.399, 1.392, "its mirror image and all other Mach numbers have 1.392"),
    Correction(
        "cd", -5.0, 0.8, 0.048, 0.084,
        "falls below 0.0575 at 4 degrees and 0.054 at Mach 0.75; digits swapped: 0.084 lies on the way to 0.12 at 6",
    ),
    Correction("cd", 5.0, 0.8, 0.048, 0.084, "mirror image of the entry at -5 degrees"),
)  # fmt: skip


def naca0012(corrected: bool = True) -> TabulatedAerofoil:
    """The NACA 0012 from its classic C81 table: -180 to 180 degrees, Mach 0 to 1 (cm: 0.2 to 0.9).

    corrected: whether to apply `CORRECTIONS` (four entries violate the symmetry of the section, two are outliers);
    False for the numbers as published.

    Not corrected, since the table is the same on both sides: cd falls from 0.342 at 16 to 0.332 at 21 degrees at Mach
    0.9 and 1, where the columns join the values that all Mach numbers share; cm is nose-up by up to 0.004 just before
    it breaks (Mach 0.4 to 0.7). The columns of Mach 0 and 1 repeat those of 0.2 (cl, cd) and 0.9 (cl).

    Source: the numbers of the C-81 rotorcraft program's table as distributed with MBDyn (var/naca0012.c81, header
    "PROFILO NACA 0012"); Reynolds numbers of full-scale blades.
    """
    tables = {name: _read(name) for name in ("cl", "cd", "cm")}
    if corrected:
        for entry in CORRECTIONS:
            alpha, mach, values = tables[entry.table]
            values[alpha.tolist().index(entry.alpha_deg), mach.tolist().index(entry.mach)] = entry.used
    return TabulatedAerofoil(*(Surface(np.radians(alpha), mach, values) for alpha, mach, values in tables.values()))


def _read(name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Angles [degrees], Mach numbers and values of a file: a comment, a head, a row an angle."""
    text = (resources.files("samara.elements.aero") / "data" / f"naca0012_{name}.csv").read_text("utf-8")
    head, *rows = [line.split(",") for line in text.splitlines() if line and not line.startswith("#")]
    numbers = np.array(rows, dtype=float)
    return numbers[:, 0], np.array([float(label.removeprefix("M")) for label in head[1:]]), numbers[:, 1:]
