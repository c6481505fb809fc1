"""Units as texts, "N m/rad" or "kg m^2", and whether two of them are the same."""

from __future__ import annotations

import dataclasses
import functools
import math
import re

#: Powers of m, kg, s, A, K.
Dimensions = tuple[float, float, float, float, float]

_BASE: dict[str, tuple[float, Dimensions]] = {
    "1": (1.0, (0, 0, 0, 0, 0)),
    "m": (1.0, (1, 0, 0, 0, 0)),
    "g": (1e-3, (0, 1, 0, 0, 0)),
    "s": (1.0, (0, 0, 1, 0, 0)),
    "A": (1.0, (0, 0, 0, 1, 0)),
    "K": (1.0, (0, 0, 0, 0, 1)),
    "N": (1.0, (1, 1, -2, 0, 0)),
    "J": (1.0, (2, 1, -2, 0, 0)),
    "W": (1.0, (2, 1, -3, 0, 0)),
    "Pa": (1.0, (-1, 1, -2, 0, 0)),
    "V": (1.0, (2, 1, -3, -1, 0)),
    "ohm": (1.0, (2, 1, -3, -2, 0)),
    "H": (1.0, (2, 1, -2, -2, 0)),
    "F": (1.0, (-2, -1, 4, 2, 0)),
    "C": (1.0, (0, 0, 1, 1, 0)),
    "T": (1.0, (0, 1, -2, -1, 0)),
    "Wb": (1.0, (2, 1, -2, -1, 0)),
    "rad": (1.0, (0, 0, 0, 0, 0)),
    "Nm": (1.0, (2, 1, -2, 0, 0)),
    # of these a number is another one than in SI units and radians
    "deg": (math.pi / 180.0, (0, 0, 0, 0, 0)),
    "rev": (2.0 * math.pi, (0, 0, 0, 0, 0)),
    "%": (1e-2, (0, 0, 0, 0, 0)),
    "Hz": (2.0 * math.pi, (0, 0, -1, 0, 0)),
    "rpm": (2.0 * math.pi / 60.0, (0, 0, -1, 0, 0)),
    "min": (60.0, (0, 0, 1, 0, 0)),
    "h": (3600.0, (0, 0, 1, 0, 0)),
    "ft": (0.3048, (1, 0, 0, 0, 0)),
    "in": (0.0254, (1, 0, 0, 0, 0)),
    "lb": (0.45359237, (0, 1, 0, 0, 0)),
    "lbf": (4.4482216152605, (1, 1, -2, 0, 0)),
    "kt": (1852.0 / 3600.0, (1, 0, -1, 0, 0)),
}
_ALIASES = {"-": "1", "Ω": "ohm", "Ohm": "ohm", "°": "deg", "radian": "rad", "radians": "rad", "degree": "deg",
            "degrees": "deg", "sec": "s"}  # fmt: skip
_PREFIXES = {"u": 1e-6, "µ": 1e-6, "m": 1e-3, "c": 1e-2, "k": 1e3, "M": 1e6, "G": 1e9}
_PREFIXED = ("m", "g", "s", "A", "N", "J", "W", "Pa", "V", "ohm", "H", "F", "Hz")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_FACTOR = re.compile(r"([A-Za-zµΩ°%]+|1|-)(?:\^?\(?([-+]?\d+(?:\.\d+)?)\)?)?")


def same_unit(given: str, wanted: str, *, scale_only: bool = False) -> bool:
    """Whether a number means the same in both units; `wanted` may name several, "N/m or N m/rad".

    A wanted unit that cannot be read, such as "N/m^n", is no reason to refuse another one.
    scale_only: dimensions may differ; a unit of unknown scale then passes.
    """
    choices = wanted.split(" or ")
    if given in choices:
        return True
    have = _parsed(given)
    if have is None and scale_only:
        return True
    for choice in choices:
        want = _parsed(choice)
        if want is None:
            return True
        if have is None or not math.isclose(have[0], want[0], rel_tol=1e-9):
            continue
        if scale_only or have[1] == want[1]:
            return True
    return False


def with_unit(number: str, unit: str) -> str:
    """A number in words; the unit of a pure number is left out."""
    return number if unit in ("", "1") else f"{number} {unit}"


@dataclasses.dataclass(frozen=True)
class Stated:
    """The unit that a value is said to be in.

    source:  who says so, in words: a parameter, an input, or several that are multiplied.
    partial: whether there are factors that say nothing. They are in SI units, of any dimension: `kN` times such a
             factor cannot be `N`, but `m` times one can.
    """

    unit: str
    source: str
    partial: bool = False

    def require(self, wanted: str) -> None:
        """Refuses any unit but the wanted one; none may be given, and none wanted."""
        if self.unit and wanted and not same_unit(self.unit, wanted, scale_only=self.partial):
            raise ValueError(
                f"is in {wanted}, but {self.source} is in {self.unit}: convert the value and give the matching unit"
            )


#: What a plain number, or a function of time that names no unit, says.
UNSAID = Stated("", "", partial=True)


def multiplied(factors: tuple[Stated, ...]) -> Stated:
    """What a product of values is in."""
    said = [factor for factor in factors if factor.unit]
    partial = len(said) < len(factors) or any(factor.partial for factor in said)
    return Stated(" ".join(f.unit for f in said), " times ".join(f.source for f in said), partial)


@functools.cache
def _parsed(unit: str) -> tuple[float, Dimensions] | None:
    """Size in SI units and radians, and dimensions; None for what cannot be read."""
    text = re.sub(r"\s*/\s*", " /", unit.replace("**", "^").translate(_SUPERSCRIPTS).strip())
    scale, powers = 1.0, [0.0] * 5
    for factor in re.split(r"[\s*·]+", text):
        found = _FACTOR.fullmatch(factor.removeprefix("/"))
        known = _known(found[1]) if found else None
        if found is None or known is None:
            return None
        power = float(found[2] or 1.0) * (-1.0 if factor.startswith("/") else 1.0)
        scale *= known[0] ** power
        powers = [p + power * q for p, q in zip(powers, known[1], strict=True)]
    return scale, (powers[0], powers[1], powers[2], powers[3], powers[4])


def _known(name: str) -> tuple[float, Dimensions] | None:
    name = _ALIASES.get(name, name)
    if name in _BASE:
        return _BASE[name]
    prefix, rest = name[:1], _ALIASES.get(name[1:], name[1:])
    if prefix in _PREFIXES and rest in _PREFIXED:
        return _PREFIXES[prefix] * _BASE[rest][0], _BASE[rest][1]
    return None


def spaced(unit: str) -> str:
    """A unit as it stands behind a number; that of a pure number is not written, of several the first."""
    usual = unit.partition(" or ")[0]
    return f" {usual}" if usual not in ("", "1") else ""
