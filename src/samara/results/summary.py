"""Results in a few lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from samara.notebook.html import foldable, heading, table
from samara.results.layout import parameter_text

if TYPE_CHECKING:
    from samara.results.channels import Channel
    from samara.results.results import Results

_MOST_CHANNELS = 20
_MOST_PARAMETERS = 8
_COLUMNS = ("channel", "unit", "minimum", "maximum", "components")


def text(results: Results, first: Iterable[str] = ()) -> str:
    """Headline, facts, and the range of the first channels."""
    facts = (f"  {label:14}{fact}" for label, fact in _facts(results))
    return "\n".join([_headline(results), *facts, "", *_ranges(results, first)])


def html(results: Results) -> str:
    """The same for a notebook; a click opens the ranges."""
    ranges = table(_COLUMNS, (_range(results, channel) for channel in results.channels))
    facts = table(("", ""), _facts(results))
    return heading(_headline(results)) + facts + foldable(f"{len(results.channels)} channels", ranges)


def _headline(results: Results) -> str:
    name = results.attrs.model or "unnamed model"
    if not len(results):
        return f"{name}: no samples"
    first, last = results.time[0], results.time[-1]
    along, unit = results.attrs.abscissa
    unit = "" if unit == "1" else f" {unit}"
    what = "" if along == "time" else f"{along} "
    if len(results) == 1:
        return f"{name}: 1 sample at {what}{first:g}{unit}"
    return f"{name}: {len(results)} samples from {what}{first:g}{unit} to {last:g}{unit}"


def _facts(results: Results) -> Iterable[tuple[str, str]]:
    attrs = results.attrs
    facts = {
        "status": f"{attrs.status}: {attrs.message}" if attrs.message else attrs.status,
        "stability": attrs.stability,
        "note": "; ".join(attrs.notes),
        "stand-in data": attrs.stand_in,
        "analyses": ", ".join(attrs.analyses),
        "integrator": f"{attrs.integrator} {_pairs(attrs.options, '({})')}".strip(),
        "method": _pairs(attrs.method, "{}"),
        "counters": _pairs({name: _short(value) for name, value in attrs.counters.items()}, "{}"),
        "parameters": _parameters(results),
        "version": f"Samara {attrs.version}",
    }
    return ((label, fact) for label, fact in facts.items() if fact)


def _pairs(values: Mapping[str, object], wrapped: str) -> str:
    return wrapped.format(", ".join(f"{name} = {value}" for name, value in values.items())) if values else ""


def _short(value: object) -> object:
    """Times with four digits, counts as they are."""
    return f"{value:.4g}" if isinstance(value, float) else value


def _parameters(results: Results) -> str:
    count = len(results.attrs.parameters)
    return parameter_text(results.attrs, ", ") if count <= _MOST_PARAMETERS else f"{count}"


def _range(results: Results, channel: Channel) -> tuple[str, ...]:
    """Name, unit, smallest and largest value, components."""
    values = results[channel.name]
    finite = values[np.isfinite(values)]
    low, high = (f"{finite.min():.5g}", f"{finite.max():.5g}") if finite.size else ("-", "-")
    gap = "  (partly non-finite)" if finite.size < values.size else ""
    return channel.name, channel.unit, low, high, " ".join(channel.components) + gap


def _ranges(results: Results, first: Iterable[str]) -> Iterable[str]:
    order = [*dict.fromkeys([*first, *results.channels.names])]
    shown = [results.channels[name] for name in order[:_MOST_CHANNELS]]
    if not shown:
        return
    name_width = max(len("channel"), *(len(channel.name) for channel in shown))
    unit_width = max(len("unit"), *(len(channel.unit) for channel in shown))
    for name, unit, low, high, components in (_COLUMNS, *(_range(results, channel) for channel in shown)):
        yield f"  {name:{name_width}}  {unit:{unit_width}}  {low:>12}  {high:>12}  {components}".rstrip()
    if len(results.channels) > len(shown):
        yield f"  and {len(results.channels) - len(shown)} more channels"
