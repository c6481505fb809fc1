"""Results as a NetCDF-4 file that any NetCDF tool opens; see `layout` for what is inside.

Floats are stored as they are, bit for bit. A file appears under its name only when it is complete.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from samara.results.attrs import RunAttrs
from samara.results.channels import Channel, Channels
from samara.results.layout import (
    FORMAT,
    channel_attributes,
    dimension_names,
    global_attributes,
    time_attributes,
)

if TYPE_CHECKING:
    from samara.results.results import Results

_HDF5_SIGNATURE = b"\x89HDF\r\n\x1a\n"


class ResultsFileError(OSError):
    """A results file that cannot be written or read. The message names the file and what to do."""


def write(results: Results, path: str | os.PathLike[str], compress: bool = False) -> Path:
    """Write a temporary file beside `path`, then rename: a save that fails leaves the old file as it was."""
    block = (results.time, results.table)
    return write_blocks(path, results.channels, results.attrs, len(results.time), [block], compress)


def write_blocks(
    path: str | os.PathLike[str],
    channels: Channels,
    attrs: RunAttrs,
    rows: int,
    blocks: Iterable[tuple[np.ndarray, np.ndarray]],
    compress: bool = False,
) -> Path:
    """As `write`, from blocks (times, table) that follow each other, `rows` in all; one is in memory at a time."""
    path = Path(path)
    require_results_file(path)
    h5netcdf = load_h5netcdf()
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{os.urandom(4).hex()}.tmp")
    try:
        _require_room(temporary, _least_size(channels, attrs, 0 if compress else rows))
        with h5netcdf.File(temporary, "w") as file:
            _lay_out(file, channels, attrs, rows, compress)
            _fill(file, channels, rows, blocks)
        _flush_to_disk(temporary)
        os.replace(temporary, path)
    except OSError as error:
        raise ResultsFileError(f"{path}: cannot be written ({error}); check rights and free space") from error
    finally:
        temporary.unlink(missing_ok=True)
    return path


def read(path: str | os.PathLike[str]) -> tuple[Channels, np.ndarray, np.ndarray, RunAttrs]:
    """Channels, times, table and attributes of a file written by `write`."""
    path = Path(path)
    _require_netcdf4(path)
    h5netcdf = load_h5netcdf()
    try:
        file = h5netcdf.File(path, "r")
    except OSError as error:
        raise ResultsFileError(f"{path}: truncated or damaged; run the simulation again") from error
    with file:
        written = file.attrs.get("samara_format")
        if written is None:
            raise ResultsFileError(f"{path}: not written by Samara; open it with xarray.open_dataset instead")
        if written > FORMAT:
            raise ResultsFileError(f"{path}: written by a newer Samara (format {written}); update Samara")
        try:
            return _extract(file)
        except (OSError, KeyError, ValueError, TypeError, RuntimeError) as error:
            raise ResultsFileError(f"{path}: damaged ({error}); run the simulation again") from error


def require_folder(path: Path) -> None:
    """Refuse a path where no file can be made, before any work is done."""
    if not path.parent.is_dir():
        raise ResultsFileError(f"{path}: the folder {path.parent} does not exist; create it first")
    if path.is_dir():
        raise ResultsFileError(f"{path}: is a folder; give a file name")


def require_results_file(path: Path) -> None:
    """Refuse a path where no file can be made, and a name that promises another kind of file than is written."""
    require_folder(path)
    if path.suffix.lower() != ".nc":
        raise ResultsFileError(f"{path}: results are written as NetCDF: let the name end in .nc, {path.stem}.nc")


def _require_room(path: Path, size: int) -> None:
    """An error if the disk is too full for a file of this size [bytes].

    It is asked beforehand because HDF5 does not bear a disk that fills up under it: the process ends by a segmentation
    fault when the file is closed (h5py 3.16, h5netcdf 1.8).
    """
    if not hasattr(os, "posix_fallocate"):
        return
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC)
    try:
        os.posix_fallocate(handle, 0, size)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EFBIG, errno.EDQUOT):
            raise
    finally:
        os.close(handle)
        path.unlink()


def _least_size(channels: Channels, attrs: RunAttrs, rows: int) -> int:
    """Of a file [bytes], a little more than it will be: a variable takes 0.5 to 1.8 kB beside its data."""
    variables = 16 + len(channels) + len(attrs.parameters)
    return 8 * rows * (1 + channels.width) + 2048 * variables


def load_h5netcdf() -> Any:
    """The library; an error that says what to install, before any work is done."""
    try:
        import h5netcdf
        import h5py  # noqa: F401  (h5netcdf can be installed without it, and then fails late)
    except ImportError as error:
        raise ImportError(f"NetCDF files need h5netcdf and h5py ({error}): pip install h5netcdf h5py") from error
    return h5netcdf


def _lay_out(file: Any, channels: Channels, attrs: RunAttrs, rows: int, compress: bool) -> None:
    dimensions = dimension_names(channels)
    file.attrs.update(global_attributes(attrs))
    file.dimensions = {"time": rows, **{name: len(labels) for labels, name in dimensions.items()}}
    packing = {"compression": "gzip", "compression_opts": 4, "shuffle": True} if compress and rows else {}

    time = file.create_variable("time", ("time",), float, **packing)
    time.attrs.update(time_attributes(attrs))
    for labels, name in dimensions.items():
        _create_text(file, name, labels)
    for channel in channels:
        shape = ("time", dimensions[channel.components]) if channel.components else ("time",)
        variable = file.create_variable(channel.name, shape, float, **packing)
        variable.attrs.update(channel_attributes(channel, channels.offset(channel.name)))

    group = file.create_group("parameters")
    for name, (value, unit) in attrs.parameters.items():
        group.create_variable(name, (), float, data=value).attrs["units"] = unit


def _fill(file: Any, channels: Channels, rows: int, blocks: Iterable[tuple[np.ndarray, np.ndarray]]) -> None:
    first = 0
    for times, table in blocks:
        if not len(times):
            continue
        place = slice(first, first + len(times))
        file.variables["time"][place] = times
        for channel in channels:
            columns = channels.columns(channel.name)
            values = table[:, columns] if channel.components else table[:, columns.start]
            file.variables[channel.name][place] = np.ascontiguousarray(values)
        first = place.stop
    if first != rows:
        raise ValueError(f"{first} rows came, {rows} were announced")


def _create_text(file: Any, name: str, labels: tuple[str, ...]) -> None:
    import h5py

    variable = file.create_variable(name, (name,), h5py.string_dtype())
    variable[...] = np.array(labels, dtype=object)


def _flush_to_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _require_netcdf4(path: Path) -> None:
    try:
        with path.open("rb") as stream:
            head = stream.read(len(_HDF5_SIGNATURE))
    except FileNotFoundError:
        raise ResultsFileError(f"{path}: no such file; check the path, or save results there first") from None
    except OSError as error:
        raise ResultsFileError(f"{path}: cannot be read ({error.strerror}); give a results file") from error
    if not head:
        raise ResultsFileError(f"{path}: empty file; run the simulation again")
    if head == _HDF5_SIGNATURE:
        return
    if _HDF5_SIGNATURE.startswith(head):
        raise ResultsFileError(f"{path}: truncated after {len(head)} bytes; run the simulation again")
    raise ResultsFileError(f"{path}: not a NetCDF-4 file; give a file saved by Results.save")


def _extract(file: Any) -> tuple[Channels, np.ndarray, np.ndarray, RunAttrs]:
    found = [(name, variable, variable.attrs) for name, variable in file.variables.items()]
    found = [entry for entry in found if "column" in entry[2]]
    found.sort(key=lambda entry: int(entry[2]["column"]))
    labels: dict[str, tuple[str, ...]] = {}  # of each component dimension, read once
    channels = Channels(_channel(file, *entry, labels) for entry in found)

    times = np.asarray(file.variables["time"][...], dtype=np.float64)
    table = np.empty((len(times), channels.width))
    for (name, variable, attributes), channel in zip(found, channels, strict=True):
        columns = channels.columns(name)
        if columns.start != int(attributes["column"]):
            raise ValueError(f"a channel is missing before {name!r}")
        table[:, columns] = variable[...].reshape(len(times), channel.width)
    return channels, times, table, _attrs(file)


def _channel(file: Any, name: str, variable: Any, attributes: Any, labels: dict[str, tuple[str, ...]]) -> Channel:
    components: tuple[str, ...] = ()
    dimensions = variable.dimensions
    if len(dimensions) == 2:
        if dimensions[1] not in labels:
            labels[dimensions[1]] = tuple(_text(label) for label in file.variables[dimensions[1]][...])
        components = labels[dimensions[1]]
    description, frame = attributes.get("long_name", ""), attributes.get("frame", "")
    return Channel(name, attributes["units"], components, description, frame)


def _attrs(file: Any) -> RunAttrs:
    attributes = file.attrs
    parameters = file.groups["parameters"].variables
    return RunAttrs(
        model=attributes["model"],
        parameters={name: (float(v[...]), v.attrs["units"]) for name, v in parameters.items()},
        integrator=attributes["integrator"],
        options=json.loads(attributes["options"]),
        counters=json.loads(attributes["counters"]),
        analyses=tuple(json.loads(attributes["analyses"])),
        status=attributes["status"],
        message=attributes.get("message", ""),
        stability=attributes.get("stability", ""),
        notes=tuple(json.loads(attributes.get("notes", "[]"))),
        stand_in=attributes.get("stand_in", ""),
        version=attributes["samara_version"],
    )


def _text(label: str | bytes) -> str:
    return label.decode() if isinstance(label, bytes) else str(label)
