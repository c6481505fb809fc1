"""Layouts of the panel, by name and model, as JSON files in the user's configuration folder."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np
from platformdirs import user_config_path

from samara.arguments import finite
from samara.dashboard.feed.alarms import Rule
from samara.dashboard.feed.feed import Feed
from samara.dashboard.traces.scope import MOST_SIGNALS, Setup

FORMAT, VERSION = "samara-panel", 1
DEFAULT = "default"
#: Bytes of a file that is read, at most; scopes, gauges and alarms.
LARGEST_FILE, MOST_ENTRIES = 1 << 20, 32
#: What a first layout shows, by the ends of names, the most telling first: a rotor's gauges, the scopes.
DIALS = (".thrust", ".CT_sigma", ".torque", ".power", ".speed")
MOTIONS = (".flap.angle", ".lag.angle", ".angle", ".position.z", ".position.x", ".position.y")
RATES = (".flap.angle_rate", ".lag.angle_rate", ".angle_rate", "_rate", ".thrust", *MOTIONS)
#: Simulated time after which it is known what moves [s]; samples of a signal that are looked at, at most.
SETTLED, SAMPLES = 0.5, 1000
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _.-]{0,63}")


class LayoutError(ValueError):
    """A layout cannot be saved or loaded."""


@dataclass
class PanelLayout:
    """What is on a page. scale: of the font size, 1 as the browser would have it."""

    scopes: list[Setup] = field(default_factory=list)
    gauges: list[str] = field(default_factory=list)
    alarms: list[Rule] = field(default_factory=list)
    scale: float = 1.0

    def to_json(self) -> str:
        """The text of the file."""
        return json.dumps(
            {
                "format": FORMAT,
                "version": VERSION,
                "scopes": [setup.as_dict() for setup in self.scopes],
                "gauges": self.gauges,
                "alarms": [rule.as_dict() for rule in self.alarms],
                "scale": self.scale,
            },
            indent=1,
        )

    @classmethod
    def from_json(cls, text: str) -> PanelLayout:
        """From the text of a file; an error that says what is wrong with it."""
        try:
            found: dict[str, Any] = json.loads(text)
            if (found["format"], found["version"]) != (FORMAT, VERSION):
                raise LayoutError(f"this layout is not {FORMAT} version {VERSION}")
            return cls(
                [Setup.from_dict(_checked(Setup, entry)) for entry in found["scopes"][:MOST_ENTRIES]],
                [str(name) for name in found["gauges"][:MOST_ENTRIES]],
                [Rule.from_dict(_checked(Rule, entry)) for entry in found["alarms"][:MOST_ENTRIES]],
                min(max(finite("scale", found["scale"]), 0.5), 3.0),
            )
        except LayoutError:
            raise
        except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
            raise LayoutError(f"this layout is damaged: {error}") from error


#: What stands in a file for the fields of scopes and alarms, by their annotations.
_PLAIN: dict[str, tuple[type, ...]] = {
    "str": (str,),
    "bool": (bool,),
    "float": (int, float),
    "float | None": (int, float, type(None)),
    "list[str]": (list,),
}


def _checked(kind: Any, entry: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a file says of a scope or an alarm, if each of its values is of its field's kind."""
    for f in fields(kind):
        value = entry.get(f.name, f.default)
        if f.name in entry and (not isinstance(value, _PLAIN[str(f.type)]) or value != value):
            raise LayoutError(f"this layout is damaged: {f.name} is {value!r}")
    return entry


def folder(model: str) -> Path:
    """Where the layouts of a model lie."""
    return user_config_path("samara", appauthor=False) / "panel" / (re.sub(r"[^A-Za-z0-9_-]", "_", model) or "model")


def names(model: str) -> list[str]:
    """Of the layouts that there are."""
    return sorted(path.stem for path in folder(model).glob("*.json") if _NAME.fullmatch(path.stem))


def save(model: str, name: str, layout: PanelLayout) -> Path:
    """Writes a layout, whole or not at all."""
    path = _path(model, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".draft")
    draft.write_text(layout.to_json(), encoding="utf-8")
    os.replace(draft, path)
    return path


def load(model: str, name: str) -> PanelLayout:
    """Reads one."""
    path = _path(model, name)
    if not path.is_file():
        raise LayoutError(f"there is no layout {name!r} of {model}; there are {', '.join(names(model)) or 'none'}")
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise LayoutError(f"layout {name!r} is too large")
        return PanelLayout.from_json(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise LayoutError(f"layout {path} cannot be read ({error}): delete it") from error


def delete(model: str, name: str) -> None:
    """Removes one."""
    _path(model, name).unlink(missing_ok=True)


def first(feed: Feed) -> PanelLayout:
    """That with which a page opens: the model's default, or one with telling signals of the session.

    Scopes show what the model or its file plots (`plot`), one unit each. Otherwise names alone decide before it has run
    for a while (`settled`), and then scopes prefer signals that move.
    """
    model = feed.card.model
    if DEFAULT in names(model):
        return load(model, DEFAULT)
    driven = [signal.name for signal in feed.card.actuators]
    measured = [signal.name for signal in feed.card.sensors]
    dials = _ranked([name for name in measured if _of_rotor(name, feed)], DIALS)
    driven = [name for name in driven if settled(feed) and _moves(feed, name)]
    if settled(feed):
        measured = [name for name in measured if _moves(feed, name)] or measured
    one = (_ranked(measured, MOTIONS) or measured)[:2]
    rest = [name for name in (*_ranked(measured, RATES), *measured) if name not in one]
    two = [*driven[:3], *rest][: max(2, len(driven[:3]))]
    if planned := [name for name in feed.scene.get("plot", ()) if name in feed.signals]:
        groups: dict[str, list[str]] = {}
        for name in planned:
            groups.setdefault(feed.signals[name].unit, []).append(name)
        one, two, *_ = [*(some[:MOST_SIGNALS] for some in groups.values()), [n for n in two if n not in planned]]
    return PanelLayout([Setup(one), Setup(two)], list(dict.fromkeys([*dials[:4], *one, *two]))[:6])


def settled(feed: Feed) -> bool:
    """Whether the session has run for long enough to tell what moves."""
    return max(track.total for track in feed.tracks.values()) >= SETTLED * feed.card.rate


def _of_rotor(name: str, feed: Feed) -> bool:
    """Whether it has a thrust beside it: the power of an actuator tells little."""
    return f"{name.rpartition('.')[0]}.thrust" in feed.signals


def _ranked(found: list[str], ends: tuple[str, ...]) -> list[str]:
    """Names with one of these ends: the first of each kind, in the order of the ends, then the second of each."""
    kinds: dict[str, list[str]] = {end: [] for end in ends}
    for name in found:
        end = next((end for end in ends if name.endswith(end)), None)
        if end is not None:
            kinds[end].append(name)
    return [name for row in zip_longest(*kinds.values()) for name in row if name is not None]


def _moves(feed: Feed, name: str) -> bool:
    """Whether a signal has changed so far, by more than rounding."""
    _, values = feed.column(name)
    values = values[:: len(values) // SAMPLES + 1]
    return len(values) > 1 and float(np.ptp(values)) > 1e-9 * (1.0 + float(np.abs(values).max()))


def _path(model: str, name: str) -> Path:
    if not _NAME.fullmatch(name):
        raise LayoutError(f"layout name {name!r}: use letters, digits, spaces, '-', '_' and '.', at most 64")
    return folder(model) / f"{name}.json"
