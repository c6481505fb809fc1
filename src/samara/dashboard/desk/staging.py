"""Parameters that an operator has typed but not applied yet."""

from __future__ import annotations

import math

from samara.dashboard.feed.sources import Source, Sources

Place = tuple[str, str]
"""Label of the source, name of the parameter."""


class Staging:
    """New values, checked one by one, that are applied together or thrown away."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self.values: dict[Place, float] = {}
        self.errors: dict[Place, str] = {}
        self.texts: dict[Place, str] = {}
        """As typed, of both."""

    def stage(self, label: str, name: str, text: str | float | None) -> str:
        """Lays a value ready; what is wrong with it, or nothing. An empty text, or the value in force, unstages."""
        place = (label, name)
        self._forget(place)
        if text is None or (isinstance(text, str) and not text.strip()):
            return ""
        self.texts[place] = str(text)
        source = self._sources.all.get(label)
        if source is None or name not in source.signals:
            self.errors[place] = f"{name} is no longer available"
            return self.errors[place]
        try:
            value = number(text)
            source.signals[name].check(value)
        except ValueError as error:
            self.errors[place] = str(error)
            return self.errors[place]
        if value == source.values.get(name):
            self._forget(place)
        else:
            self.values[place] = value
        return ""

    def sweep(self) -> None:
        """Throws away what was meant for a source that has gone: nobody could see or mend it."""
        for label, name in list(self.texts):
            source = self._sources.all.get(label)
            if source is None or name not in source.signals:
                self._forget((label, name))

    def _forget(self, place: Place) -> None:
        for kept in (self.values, self.errors, self.texts):
            kept.pop(place, None)

    def discard(self) -> None:
        """Throws all of it away."""
        self.values.clear()
        self.errors.clear()
        self.texts.clear()

    def batches(self) -> dict[str, dict[str, float]]:
        """What is staged, for each source; raises while something is wrong or its source is gone."""
        if self.errors:
            raise ValueError("; ".join(self.errors.values()))
        found: dict[str, dict[str, float]] = {}
        for (label, name), value in self.values.items():
            source: Source | None = self._sources.all.get(label)
            if source is None or name not in source.signals:
                raise ValueError(f"{label} is no longer available: its {name} cannot be set")
            found.setdefault(label, {})[name] = value
        return found


def number(text: str | float) -> float:
    """A finite number, also with a decimal comma."""
    try:
        value = float(text.strip().replace(",", ".")) if isinstance(text, str) else float(text)
    except ValueError:
        raise ValueError(f"{text!r} is not a number") from None
    if not math.isfinite(value):
        raise ValueError(f"{text!r} is not a finite number")
    return value
