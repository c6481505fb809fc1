"""What a page has of a run besides poses: curves, colours of surfaces, vectors."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from samara.viewer.frames import Recorded, RecordedChannel

#: Energies, powers and momenta are no colours nor curves that somebody looks for; poses are there already.
_BOOKKEEPING = {"J", "W", "kg m/s", "kg m^2/s"}
#: Numbers of all curves; if there are more, they have fewer samples.
MOST_NUMBERS = 1_200_000
_STATION = re.compile(r"_\d+$")


def shown_channels(results: Recorded, patterns: Sequence[str] | None) -> list[RecordedChannel]:
    """Those that match; by default what is measured of elements."""
    if patterns is not None:
        return list(results.channels.select(*patterns))
    nodes = set(results.scene["nodes"])
    return [
        c for c in results.channels if c.unit not in _BOOKKEEPING and c.name.rpartition(".")[0] not in nodes
    ]  # fmt: skip


def stride(frames: int, columns: int) -> int:
    """Every how many frames there is a sample of the curves."""
    return max(1, -(-frames * columns // MOST_NUMBERS))


def colours(scene: Mapping[str, Any], channels: Sequence[RecordedChannel]) -> list[dict[str, Any]]:
    """Quantities that are known along surfaces: {name, unit, skins: {number of the surface: {columns, at}}}.

    columns: along the surface; at: where, from 0 at its first ring to 1 at its last, in this order.
    Of a blade or wing those of its stations, of a beam its stress resultants and strains from end to end.
    """
    own: dict[str, list[tuple[RecordedChannel, int]]] = {}
    first = 0
    for channel in channels:
        own.setdefault(channel.name.rpartition(".")[0], []).append((channel, first))
        first += len(channel.labels)
    found: dict[tuple[str, str], dict[str, list[tuple[float, int]]]] = {}
    for k, skin in enumerate(scene.get("surfaces", ())):
        for owner, places in skin["stations"].items():
            known: dict[tuple[str, str], list[int]] = {}
            for channel, column in own.get(owner, ()):
                for name, columns in _along(channel, column):
                    known.setdefault((name, channel.unit), []).extend(columns)
            for key, columns in known.items():
                if len(columns) == len(places):
                    found.setdefault(key, {}).setdefault(str(k), []).extend(zip(places, columns, strict=True))
    return [
        {"name": name, "unit": unit, "skins": {k: _sorted(pairs) for k, pairs in skins.items()}}
        for (name, unit), skins in found.items()
    ]


def _sorted(pairs: list[tuple[float, int]]) -> dict[str, Any]:
    at, columns = zip(*sorted(pairs), strict=True)
    return {"columns": list(columns), "at": list(at)}


def _along(channel: RecordedChannel, first: int) -> list[tuple[str, list[int]]]:
    """What it says of its surface: stations one after the other, or components of the resultants at one station."""
    quantity = channel.name.rpartition(".")[2]
    count = len(channel.labels)
    if count == 1 or channel.components[0].isdecimal():
        return [(quantity, list(range(first, first + count)))]
    base = _STATION.sub("", quantity)
    return [(f"{base}.{part}", [first + i]) for i, part in enumerate(channel.components)]


def vectors(scene: Mapping[str, Any], channels: Sequence[RecordedChannel]) -> list[dict[str, Any]]:
    """Forces and moments with where they act: {name, unit, column, node, pose}."""
    columns, first = {}, 0
    for channel in channels:
        columns[channel.name] = (first, channel.unit)
        first += len(channel.labels)
    return [
        {"name": v["channel"], "unit": columns[v["channel"]][1], "column": columns[v["channel"]][0]}
        | {"node": v["node"], "pose": [*v["position"], *v["rotation"]]}
        for v in scene.get("vectors", ())
        if v["channel"] in columns
    ]
