"""Aerofoil tables in the C81 text format of rotorcraft codes.

    title, then six counts: Mach numbers and angles of cl, of cd, of cm           30 columns, 6 x 2 columns
    then for each of the three tables:
        Mach numbers                                                              7 blanks, 9 x 7 columns a line
        angle [degrees] and its values, one a Mach number; a row each angle       7 columns, 9 x 7 columns a line

A line holds nine numbers after its first seven columns; more go on in lines that begin with seven blanks. Fields stand
in fixed columns, often without a blank between them. In Fortran: A30,6I2; 7X,9F7.0; 10F7.0/(7X,9F7.0). The format is
that of the C-81 program (Bell Helicopter, USAAMRDL-TR-76-28) and is described in the documents of MBDyn and DUST too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from os import PathLike
from pathlib import Path

import numpy as np

from samara.elements.aero.aerofoils.tabulated import TabulatedAerofoil, check_surface
from samara.model import ModelError
from samara.tracing import Surface

TABLES = ("cl", "cd", "cm")
TITLE, COUNT, FIELD, PER_LINE = 30, 2, 7, 9


def read_c81(path: str | PathLike) -> TabulatedAerofoil:
    """The aerofoil of a C81 file; `ModelError` names file, table, row and column of the first thing that is wrong.

    Each table must have every value, increasing angles from -180 to 180 degrees, increasing Mach numbers from 0 on, and
    the same values at -180 and 180 degrees. A table of one Mach number holds for all.
    """
    lines = _Lines(Path(path))
    counts = lines.header()
    surfaces = [_read_table(lines, name, *counts[2 * k : 2 * k + 2]) for k, name in enumerate(TABLES)]
    return TabulatedAerofoil(*surfaces)


def write_c81(path: str | PathLike, aerofoil: TabulatedAerofoil, title: str = "") -> None:
    """Writes the tables of an aerofoil. A field has seven columns: numbers of up to five digits are kept exactly."""
    aerofoil.validate()
    surfaces = [getattr(aerofoil, name) for name in TABLES]
    counts = [n for surface in surfaces for n in (surface.y.size, surface.x.size)]
    if max(counts) > 99:
        raise ModelError(f"{path}: C81 counts have two digits: at most 99 angles and Mach numbers, got {max(counts)}")
    if not (title.isascii() and title.isprintable() and len(title) <= TITLE):
        raise ModelError(f"{path}: the title of a C81 file has at most {TITLE} plain characters, got {title!r}")
    text = [title.ljust(TITLE) + "".join(f"{n:2d}" for n in counts)]
    for name, surface in zip(TABLES, surfaces, strict=True):
        angles = np.round(np.degrees(surface.x), 9)
        for what, axis in (("angles", angles), ("Mach numbers", surface.y)):
            if np.any(np.diff([float(_field(v)) for v in axis]) <= 0):
                raise ModelError(f"{path}: table {name}: two {what} are the same in the seven columns of a field")
        text += _wrapped(" " * FIELD, surface.y)
        for angle, row in zip(angles, surface.z, strict=True):
            text += _wrapped(_field(angle), row)
    Path(path).write_text("\n".join(text) + "\n", encoding="ascii")


# ---- reading
class _Lines:
    """Lines of a file, taken one after the other."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.lines = path.read_text("ascii").splitlines()
        except OSError as error:
            why = "no such file" if isinstance(error, FileNotFoundError) else f"cannot be read: {error.strerror}"
            raise ModelError(f"{path}: {why}; give the path of a C81 table of an aerofoil") from None
        except UnicodeDecodeError:
            raise ModelError(f"{path}: not a C81 file: it has other than plain characters") from None
        self.number = 0

    def take(self, wanted: str) -> str:
        """The next line."""
        if self.number >= len(self.lines):
            raise ModelError(f"{self.path}: {wanted}: the file ends before it, after line {self.number}")
        self.number += 1
        line = self.lines[self.number - 1]
        if "\t" in line:
            raise ModelError(f"{self.path}: {wanted}: line {self.number} has a tab: fields stand in fixed columns")
        return line

    def header(self) -> list[int]:
        """The six counts."""
        line = self.take("header")
        fields = [line[TITLE + COUNT * k : TITLE + COUNT * (k + 1)] for k in range(6)]
        try:
            counts = [int(field) for field in fields]
        except ValueError:
            raise ModelError(
                f"{self.path}: header: columns 31 to 42 must hold six counts of two digits, got {line[TITLE:]!r}"
            ) from None
        if min(counts[::2]) < 1 or min(counts[1::2]) < 2:
            raise ModelError(
                f"{self.path}: header: a table needs one Mach number and two angles at least, got {counts}"
            )
        return counts

    def fields(self, wanted: str, count: int) -> Iterator[tuple[str, str]]:
        """The first field of a row, then `count` others with the place where they stand, over several lines."""
        line = self.take(wanted)
        yield line[:FIELD], f"line {self.number}"
        for k in range(count):
            place = k % PER_LINE
            if k and not place:
                line = self.take(wanted)
                if line[:FIELD].strip():
                    raise ModelError(
                        f"{self.path}: {wanted}: line {self.number} should go on after seven blanks, got "
                        f"{line[:FIELD]!r}: are the counts of the header right?"
                    )
            yield line[FIELD * (place + 1) : FIELD * (place + 2)], f"line {self.number}"


def _read_table(lines: _Lines, name: str, machs: int, angles: int) -> Surface:
    where = f"table {name}"
    (first, place), *fields = lines.fields(f"{where}, Mach numbers", machs)
    if first.strip():
        raise ModelError(
            f"{lines.path}: {where}, Mach numbers ({place}) should begin with seven blanks, got {first!r}: are the "
            "counts of the header right?"
        )
    mach: list[float] = []
    for k, (field, place) in enumerate(fields):
        label = f"{where}, row of Mach numbers ({place}), column {k + 1}"
        mach.append(_increasing(lines, label, "the Mach number", field, mach))
    alpha: list[float] = []
    values = np.empty((angles, machs))
    for i in range(angles):
        (first, place), *fields = lines.fields(f"{where}, row {i + 1} of {angles}", machs)
        alpha.append(_increasing(lines, f"{where}, row {i + 1} ({place}), column of angles", "the angle", first, alpha))
        for k, (field, place) in enumerate(fields):
            label = f"{where}, row {i + 1} ({place}, {alpha[-1]:g} degrees), column {k + 1} (Mach {mach[k]:g})"
            values[i, k] = _number(lines, label, "the value", field)
    if machs == 1:
        mach, values = [mach[0], mach[0] + 1.0], np.repeat(values, 2, axis=1)
    surface = Surface(np.radians(alpha), mach, values)
    try:
        check_surface(name, surface)
    except ModelError as error:
        raise ModelError(f"{lines.path}: {str(error).removeprefix('TabulatedAerofoil: ')}") from None
    return surface


def _number(lines: _Lines, label: str, what: str, field: str) -> float:
    if not field.strip():
        raise ModelError(
            f"{lines.path}: {label}: {what} is missing: fill it in, or correct the counts of the header if the row or "
            "column is not meant to be there"
        )
    try:
        value = float(field)
    except ValueError:
        raise ModelError(f"{lines.path}: {label}: {what} is not a number: {field!r}") from None
    if not math.isfinite(value):
        raise ModelError(f"{lines.path}: {label}: {what} is not finite: {field.strip()}")
    return value


def _increasing(lines: _Lines, label: str, what: str, field: str, before: list[float]) -> float:
    value = _number(lines, label, what, field)
    if before and value <= before[-1]:
        raise ModelError(f"{lines.path}: {label}: {what} must increase: {before[-1]:g} is followed by {value:g}")
    return value


# ---- writing
def _field(value: float) -> str:
    """A number in seven columns with as many digits as go in."""
    exact = np.format_float_positional(value + 0.0, trim=".")
    for text in (exact, *(f"{value:.{digits}f}" for digits in range(6, -1, -1))):
        short = text.replace("0.", ".", 1) if abs(value) < 1 and text.strip("-") != "0." else text
        for candidate in (text, short):
            if len(candidate) <= FIELD:
                return candidate.rjust(FIELD)
    raise ModelError(f"{value:g} does not fit into the seven columns of a C81 field")


def _wrapped(first: str, values: np.ndarray) -> list[str]:
    """A row over as many lines as it takes."""
    starts = range(0, len(values), PER_LINE)
    heads = [first, *[" " * FIELD] * (len(starts) - 1)]
    return [h + "".join(_field(v) for v in values[k : k + PER_LINE]) for h, k in zip(heads, starts, strict=True)]
