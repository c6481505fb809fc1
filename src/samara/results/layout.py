"""The labelled layout of results, shared by the NetCDF file and the xarray dataset.

    time(time)                       simulated time, s; in a static run in load steps the load factor, 1
    xyz(xyz) = "x", "y", "z"         one dimension per set of component labels in use
    arm.position(time, xyz)          one variable per channel: units, long_name, frame, column
    arm.angle(time)
    /parameters/arm.mass             one scalar variable per parameter, with units (file only)
    /scene/octets                    what there is to draw of the model: JSON, deflated (file only)

Global attributes: Conventions, title, source, samara_format, samara_version, model, parameters (text, for
people: "arm.mass = 1.5 kg; ..."), integrator, method, options and counters (JSON objects), analyses (JSON list),
status, and message, notes (JSON list), stability and stand_in when not empty, in the file also samara_check_sum (see
`seal`). `column` is the first column of the channel in the table: it keeps the order.
"""

from __future__ import annotations

import json

from samara.results.attrs import RunAttrs
from samara.results.channels import RESERVED_NAMES, Channel, Channels

FORMAT = 2
#: From this format on a file has a check sum.
FIRST_SEALED = 2
_LONGEST_JOINED_NAME = 16


def dimension_names(channels: Channels) -> dict[tuple[str, ...], str]:
    """A dimension name for each set of component labels ("xyz", "lift_drag"), distinct from every channel."""
    names: dict[tuple[str, ...], str] = {}
    taken = {*RESERVED_NAMES, *channels.names}
    for channel in channels:
        labels = channel.components
        if not labels or labels in names:
            continue
        name = ("" if all(len(label) == 1 for label in labels) else "_").join(labels)
        if len(name) > _LONGEST_JOINED_NAME or not name.isidentifier():
            name = f"component_{len(labels)}"
        candidate, count = name, 1
        while candidate in taken:
            count += 1
            candidate = f"{name}_{count}"
        names[labels] = candidate
        taken.add(candidate)
    return names


def time_attributes(attrs: RunAttrs) -> dict[str, str]:
    """Attributes of the coordinate "time", which holds the load factor where loads grow in steps."""
    name, unit = attrs.abscissa
    return {"units": unit, "long_name": "simulated time" if name == "time" else name}


def channel_attributes(channel: Channel, column: int) -> dict[str, str | int]:
    """Attributes of a channel's variable; texts that are empty are left out."""
    attributes: dict[str, str | int] = {"units": channel.unit, "column": column}
    if channel.description:
        attributes["long_name"] = channel.description
    if channel.frame:
        attributes["frame"] = channel.frame
    return attributes


def global_attributes(attrs: RunAttrs) -> dict[str, str | int]:
    """Attributes of the whole: plain text and integers, as every NetCDF tool reads them."""
    attributes: dict[str, str | int] = {
        "Conventions": "CF-1.11",
        "title": f"{attrs.model or 'unnamed model'}: simulation results",
        "source": f"Samara {attrs.version}",
        "samara_format": FORMAT,
        "samara_version": attrs.version,
        "model": attrs.model,
        "parameters": parameter_text(attrs, "; "),
        "integrator": attrs.integrator,
        "method": json.dumps(attrs.method),
        "options": json.dumps(attrs.options),
        "counters": json.dumps(attrs.counters),
        "analyses": json.dumps(attrs.analyses),
        "status": attrs.status,
    }
    if attrs.message:
        attributes["message"] = attrs.message
    if attrs.stability:
        attributes["stability"] = attrs.stability
    if attrs.notes:
        attributes["notes"] = json.dumps(attrs.notes)
    if attrs.stand_in:
        attributes["stand_in"] = attrs.stand_in
    return attributes


def parameter_text(attrs: RunAttrs, separator: str) -> str:
    """Parameters for people: "arm.mass = 1.5 kg", one after the other."""
    return separator.join(
        f"{name} = {value!r}" + (f" {unit}" if unit not in ("", "1") else "")
        for name, (value, unit) in attrs.parameters.items()
    )
