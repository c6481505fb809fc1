"""Description of a session for all its processes: names, units, limits, rate; a JSON file that any program can read."""

from __future__ import annotations

import json
import math
import numbers
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from samara.arguments import ArgumentError
from samara.model.quantities.units import with_unit
from samara.realtime.mailbox.process import Process
from samara.realtime.mailbox.shared import MailboxError
from samara.results.channels import Channel

FORMAT, VERSION = "samara-session", 3
GROUPS = ("sensors", "actuators", "parameters")
#: What means something else in pages and shells that show a name.
UNSAFE = '"<>&`\\'


@dataclass(frozen=True, slots=True)
class Signal(Channel):
    """A named number of a session: sensor, actuator, parameter.

    limits: permitted range, ends included. whole: whether it is an integer; with limits 0 and 1 it is a switch.
    """

    limits: tuple[float, float] = (-math.inf, math.inf)
    whole: bool = False

    def __post_init__(self) -> None:
        Channel.__post_init__(self)
        if not self.name.isprintable() or set(self.name) & set(UNSAFE):
            raise ValueError(f"signal name {self.name!r}: without {' '.join(UNSAFE)} and control characters")
        if self.components:
            raise ValueError(f"signal {self.name!r} is one number: give each component a name of its own")
        low, high = (float(limit) for limit in self.limits)
        if not low <= high:
            raise ValueError(f"signal {self.name!r}: invalid limits {self.limits}: the lower one must come first")
        object.__setattr__(self, "limits", (low, high))

    def check(self, value: float) -> float:
        """The value, if it is a number within the limits."""
        value, (low, high) = _number(self.name, value), self.limits
        if not low <= value <= high or math.isinf(value):
            given = with_unit(f"{value:g}", self.unit)
            raise ValueError(f"{self.name} = {given} is outside its limits, {low:g} to {high:g}")
        if self.whole and not value.is_integer():
            raise ValueError(f"{self.name} = {value:g} must be a whole number")
        return value

    @property
    def is_switch(self) -> bool:
        """Whether it is either 0 or 1."""
        return self.whole and self.limits == (0.0, 1.0)


def _number(name: str, value: Any) -> float:
    """A real number, of whatever type; a switch may be True or False."""
    plain = value.item() if isinstance(value, (np.ndarray, np.generic)) and value.ndim == 0 else value
    if not isinstance(plain, numbers.Real):
        raise ArgumentError(f"{name} must be a number, got {value!r}")
    try:
        return float(plain)
    except OverflowError:  # a whole number of more than 308 digits
        raise ArgumentError(f"{name} must be a number, got one that is too large") from None


@dataclass(frozen=True)
class Card:
    """The description of a session.

    rate     steps per second of real time [Hz]; token: random, distinguishes this session from others of its name
    record   capacity of the recorder's queue in rows, 0 if there is none
    process  the simulator; model: what it simulates; nodes: those whose poses `view` shows
    vectors  which sensors are components of one quantity, by its name in off-line results
    """

    name: str
    token: str
    rate: float
    process: Process
    sensors: tuple[Signal, ...] = ()
    actuators: tuple[Signal, ...] = ()
    parameters: tuple[Signal, ...] = ()
    record: int = 0
    model: str = ""
    nodes: tuple[str, ...] = ()
    vectors: tuple[Channel, ...] = ()

    def __post_init__(self) -> None:
        if not (self.rate > 0.0 and math.isfinite(self.rate)):
            raise ValueError(f"session {self.name!r}: the rate is {self.rate} Hz, it must be positive")
        for group in GROUPS:
            twice = [name for name, n in Counter(s.name for s in getattr(self, group)).items() if n > 1]
            if twice:
                raise ValueError(f"session {self.name!r}: {group} have the name {twice[0]!r} twice")

    def to_json(self) -> str:
        """The text of session.json."""
        plain = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in GROUPS}
        plain["vectors"] = [[c.name, c.unit, c.components, c.description, c.frame] for c in self.vectors]
        plain["process"] = self.process._asdict()
        groups = {group: [_plain(signal) for signal in getattr(self, group)] for group in GROUPS}
        return json.dumps({"format": FORMAT, "version": VERSION, **plain, **groups}, indent=1, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Card:
        """From the text of session.json; an error that says what is wrong if it is none, or of another version."""
        try:
            found: dict[str, Any] = json.loads(text)
            kind, version = found.pop("format"), found.pop("version")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise MailboxError(f"invalid description of a session: {error}") from error
        if kind != FORMAT or version != VERSION:
            raise MailboxError(
                f"this session is {kind} version {version}, this Samara reads {FORMAT} version {VERSION}: "
                "use one version of Samara on both sides"
            )
        try:
            _check_kinds(found)
            for group in GROUPS:
                found[group] = tuple(_signal(entry) for entry in found[group])
            found["vectors"] = tuple(Channel(*entry) for entry in found["vectors"])
            return cls(**{**found, "process": Process(**found["process"]), "nodes": tuple(found["nodes"])})
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
            raise MailboxError(f"the description of this session is damaged: {error}") from error


#: What the texts and numbers of a card are, those of its groups apart.
_KINDS = {
    "name": str,
    "token": str,
    "rate": float,
    "process": dict,
    "record": int,
    "model": str,
    "nodes": list,
    "vectors": list,
}


def _check_kinds(plain: Mapping[str, Any]) -> None:
    for name, kind in _KINDS.items():
        if type(plain[name]) is not kind:
            raise TypeError(f"{name} is {plain[name]!r}")
    if not all(isinstance(node, str) for node in plain["nodes"]):
        raise TypeError(f"nodes are {plain['nodes']!r}")
    for number in plain["process"].values():
        if type(number) is not int or not 0 <= number < 1 << 63:
            raise TypeError(f"process is {plain['process']!r}")


def _plain(signal: Signal) -> dict[str, Any]:
    limits = [limit if math.isfinite(limit) else None for limit in signal.limits]
    whole = {"whole": True} if signal.whole else {}
    return {"name": signal.name, "unit": signal.unit, "description": signal.description, "limits": limits, **whole}


def _signal(entry: Mapping[str, Any]) -> Signal:
    low, high = entry["limits"]
    limits = (-math.inf if low is None else low, math.inf if high is None else high)
    whole = bool(entry.get("whole", False))
    return Signal(entry["name"], entry["unit"], description=entry["description"], limits=limits, whole=whole)
