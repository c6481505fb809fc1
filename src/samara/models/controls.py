"""Controls of ready models: each is a number, a `Parameter`, a drive or a function of time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from samara.model import Constant, Drive, Input, ModelError, Parameter, number, option, record
from samara.model.quantities.units import Stated, same_unit
from samara.model.schema.drives import VALUE, as_drive

#: What an argument of a builder that is a control may be; type checkers take a `Parameter` for a number.
Controllable = float | Drive | Callable[[Any], Any]
#: Size of the units in which arguments are given, by the one that is used inside.
SCALES = {("deg", "rad"): np.pi / 180.0, ("rpm", "rad/s"): np.pi / 30.0}
#: The unit that is used inside, by that of the edge.
INSIDE = dict(SCALES.keys())


class Converted(Drive):
    """A drive in another unit: factor times its value.

    drive: in a user unit, such as degrees. factor: the size of that unit in `unit`, the unit of the result.
    """

    drive: Drive = record()
    factor: float = number(unit=VALUE)
    unit: str = option(default="")

    def stated_units(self) -> list[Stated]:
        return [Stated(self.unit, repr(self.drive))] if self.unit else []

    def jumps(self) -> list[float]:
        return self.drive.jumps()

    def bends(self) -> list[float]:
        return self.drive.bends()

    def __call__(self, t):
        return self.factor * self.drive(t)


class Control(NamedTuple):
    """A control of a machine: its drive in SI units and radians, and the drive's value at the start, t = 0."""

    drive: Drive
    start: float


def control(name: str, value: Any, unit: str = "rad", *, given: str = "", argument: str = "") -> Control:
    """The control of that name, from the argument given to a builder.

        a number       a constant, as a `Parameter` of that name in `unit`: it may change between steps
        a `Parameter`  a constant that follows it; the model then has that parameter, and none called `name`
        a drive        used as it is: ``Cosine(...)`` for a run-up, ``Input(...)`` for an external input
        a function     of time, as in `Expression`

    unit:     unit used by the machine, such as "rad"; given: unit of the value if different, such as "deg". A
              parameter or an input declared in `unit` is not converted, and any other unit is rejected.
    argument: of the builder, for messages; by default the name and its unit, "collective_deg".
    """
    argument = argument or (f"{name}_{given}" if given else name)
    if _is_number(value):
        return _constant(name, _finite(argument, value) * scale(given, unit), unit)
    if not (isinstance(value, (Parameter, Drive)) or callable(value)):
        raise ModelError(
            f"{argument} must be a number, a Parameter, a drive such as Cosine(...) or a function of time, got "
            f"{value!r}"
        )
    try:
        drive = as_drive(value)
    except ModelError as error:
        raise ModelError(f"{argument}: {error}") from None
    if given and not _all_in(drive, unit):
        _require(drive, given, argument)
        drive = Converted(drive, scale(given, unit), unit)
    else:
        _require(drive, unit, argument)
    return Control(drive, at_start(drive, argument))


def at_start(drive: Drive, argument: str = "a drive") -> float:
    """Value at t = 0, with the present values of parameters and the initial values of inputs."""
    leaves = [_present(leaf) for leaf in drive.leaves()]
    try:
        found = float(drive.rebuild(iter(leaves))(0.0))
    except ZeroDivisionError:
        found = np.nan
    if not np.isfinite(found):
        raise ModelError(f"{argument} must be a finite number at the start, got {found} at t = 0")
    return found


def refuse_jumps(argument: str, drive: Drive, why: str) -> None:
    """Rejects a drive that is known to jump, for parts that cannot."""
    times = sorted(drive.jumps())
    if times:
        raise ModelError(
            f"{argument} jumps at t = {times[0]:g} s, and {why}: give a smooth drive such as "
            "Cosine(amplitude, duration=0.1, start=...)"
        )


def _constant(name: str, value: float, unit: str) -> Control:
    return Control(Constant(Parameter(name, value, unit)), value)


def _is_number(value: Any) -> bool:
    plain = isinstance(value, (int, float, np.floating, np.integer))
    return plain and not isinstance(value, (bool, Parameter))


def _finite(argument: str, value: Any) -> float:
    if not np.isfinite(value):
        raise ModelError(f"{argument} must be a finite number, got {value}")
    return float(value)


def scale(given: str, unit: str) -> float:
    """Conversion factor from the unit in which a value is given to the internal unit; "": the same unit."""
    return SCALES[given, unit] if given and given != unit else 1.0


def _all_in(drive: Drive, unit: str) -> bool:
    """Whether a drive declares its unit, and it is this one."""
    said = [stated for stated in drive.stated_units() if stated.unit and not stated.partial]
    return bool(said) and all(same_unit(stated.unit, unit) for stated in said)


def _require(drive: Drive, unit: str, argument: str) -> None:
    try:
        for stated in drive.stated_units():
            stated.require(unit)
    except ValueError as error:
        raise ModelError(f"{argument} {error}") from None


def _present(leaf: Any) -> Any:
    if isinstance(leaf, Input):
        return float(leaf.initial)
    return float(leaf) if isinstance(leaf, Parameter) else leaf
