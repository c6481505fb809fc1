"""Results as a NetCDF-4 file that any NetCDF tool opens; see `layout` for what is inside.

Floats are stored as they are, bit for bit. A file appears under its name only when it is complete. Its check sum
(`seal`) is looked at before anything of it is taken for a result.
"""

from __future__ import annotations

import errno
import json
import os
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from samara.arguments import file_path
from samara.results.attrs import RunAttrs, Scene
from samara.results.channels import Channel, Channels
from samara.results.hdf5 import ScaledFile
from samara.results.layout import (
    FIRST_SEALED,
    FORMAT,
    channel_attributes,
    dimension_names,
    global_attributes,
    time_attributes,
)
from samara.results.seal import SEAL, seal, sealed

if TYPE_CHECKING:
    from samara.results.results import Results

_HDF5_SIGNATURE = b"\x89HDF\r\n\x1a\n"


class ResultsFileError(OSError):
    """A results file that cannot be written or read. The message names the file and the remedy."""


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
    path = file_path("results: path", path)
    require_results_file(path)
    h5py = load_h5py()
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{os.urandom(4).hex()}.tmp")
    try:
        _require_room(temporary, _least_size(channels, attrs, rows))
        with h5py.File(temporary, "w", track_order=True) as file:
            scaled = ScaledFile(file)
            variables = _lay_out(scaled, channels, attrs, rows, compress)
            _fill(scaled, variables, channels, rows, blocks)
            scaled.finish()
        seal(temporary)
        _flush_to_disk(temporary)
        os.replace(temporary, path)
    except OSError as error:
        raise ResultsFileError(f"{path}: cannot be written ({error}); check permissions and free space") from error
    finally:
        temporary.unlink(missing_ok=True)
    return path


def read(path: str | os.PathLike[str]) -> tuple[Channels, np.ndarray, np.ndarray, RunAttrs]:
    """Channels, times, table and attributes of a file written by `write`."""
    path = file_path("results: path", path)
    _require_netcdf4(path)
    whole = require_whole(path)
    h5py = load_h5py()
    try:
        file = h5py.File(path, "r")
    except (OSError, RuntimeError, ValueError) as error:
        raise ResultsFileError(f"{path}: truncated or damaged; run the simulation again") from error
    try:
        with file:
            written = file.attrs.get("samara_format")
            if written is None:
                raise ResultsFileError(f"{path}: not written by Samara; open it with xarray.open_dataset instead")
            if (number := int(written[0])) > FORMAT:
                raise ResultsFileError(f"{path}: written by a newer Samara (format {number}); update Samara")
            if number >= FIRST_SEALED and not whole:
                raise ValueError("its checksum is missing")
            return _extract(file)
    except ResultsFileError:
        raise
    except Exception as error:  # what is left of a file makes its libraries raise anything
        what = " ".join(str(error).split()) or type(error).__name__
        raise ResultsFileError(f"{path}: damaged ({what}); run the simulation again") from error


def require_whole(path: Path) -> bool:
    """Refuses a file that is not as it was sealed; whether it has a seal."""
    try:
        whole = sealed(path)
    except OSError as error:
        raise ResultsFileError(f"{path}: cannot be read ({error.strerror}); give a results file") from error
    if whole is False:
        raise ResultsFileError(
            f"{path}: damaged, or changed by another program (wrong checksum); run the simulation "
            f"again, or look into it with xarray.open_dataset"
        )
    return whole is not None


def require_folder(path: Path) -> None:
    """Refuse a path where no file can be made, before any work is done."""
    if why := no_file(path):
        raise ResultsFileError(f"{path}: {why}")
    if not path.parent.is_dir():
        raise ResultsFileError(f"{path}: the folder {path.parent} does not exist; create it first")


def no_file(path: Path) -> str:
    """Why no file can be written under this name, and what to do; nothing where one can."""
    try:
        path.lstat()
    except FileNotFoundError:
        return ""
    except (OSError, ValueError) as error:  # a name that is too long, or has a null character
        return f"cannot be written ({getattr(error, 'strerror', None) or error}): choose another file"
    if path.is_dir():
        return "is a folder: give a file name"
    if path.exists() and not path.is_file():  # what is written takes its place
        return "is a device or a pipe: choose another file"
    return ""


def require_results_file(path: Path) -> None:
    """Refuse a path where no file can be made, and a name that promises another kind of file than is written."""
    require_folder(path)
    if path.suffix.lower() != ".nc":
        raise ResultsFileError(
            f"{path}: results are written as NetCDF: use a name ending in .nc, such as {path.stem}.nc"
        )


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
    return 8 * rows * (1 + channels.width) + 2048 * variables + (2**20 if attrs.scene is not None else 0)


def load_h5py() -> Any:
    """The library of this format; an error that says what to install, before any work is done."""
    try:
        import h5py
    except ImportError as error:
        raise ImportError(f"NetCDF files need h5py ({error}): pip install h5netcdf h5py") from error
    return h5py


def load_h5netcdf() -> Any:
    """The library; an error that says what to install, before any work is done."""
    try:
        import h5netcdf
        import h5py  # noqa: F401  (h5netcdf can be installed without it, and then fails late)
    except ImportError as error:
        raise ImportError(f"NetCDF files need h5netcdf and h5py ({error}): pip install h5netcdf h5py") from error
    return h5netcdf


def _lay_out(file: ScaledFile, channels: Channels, attrs: RunAttrs, rows: int, compress: bool) -> dict[str, Any]:
    """Dimensions, variables without values, attributes and parameters; the variables."""
    dimensions = dimension_names(channels)
    file.attributes(file.file.id, global_attributes(attrs) | {"samara_check_sum": SEAL})
    packing: dict[str, Any] = {"compression": "gzip", "compression_opts": 4, "shuffle": True} if compress else {}
    found = {}
    for name, width in (("time", 0), *((channel.name, channel.width) for channel in channels)):
        channel = channels[name] if width else None
        components = channel.components if channel else ()
        shape = (rows, width) if components else (rows,)
        options = packing if rows else {"maxshape": (None, *shape[1:]), "chunks": True}  # no dimension of size 0
        if channel is None:
            found[name] = file.dimension(name, rows, time_attributes(attrs), **options)
            for labels, dimension in dimensions.items():
                file.dimension(dimension, labels, {})
            continue
        axes = ("time", dimensions[components]) if components else ("time",)
        found[name] = file.variable(name, axes, shape, **options)
        file.attributes(found[name], channel_attributes(channel, channels.offset(name)))
    file.file.create_group("parameters", track_order=True)
    for name, (value, unit) in attrs.parameters.items():
        file.number("parameters", name, value, {"units": unit})
    if attrs.scene is not None:
        drawn = zlib.compress(json.dumps(attrs.scene(), allow_nan=False).encode())
        file.octets("scene", drawn, {"long_name": "what there is to draw of the model: JSON, deflated (zlib)"})
    return found


def _fill(
    file: ScaledFile,
    variables: dict[str, Any],
    channels: Channels,
    rows: int,
    blocks: Iterable[tuple[np.ndarray, np.ndarray]],
) -> None:
    first = 0
    for times, table in blocks:
        if not len(times):
            continue
        file.fill(variables["time"], first, np.ascontiguousarray(times, dtype=float))
        for channel in channels:
            columns = channels.columns(channel.name)
            values = table[:, columns] if channel.components else table[:, columns.start]
            file.fill(variables[channel.name], first, np.ascontiguousarray(values, dtype=float))
        first += len(times)
    if first != rows:
        raise ValueError(f"{first} rows came, {rows} were announced")


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
    found, labels = [], dict[int, tuple[str, ...]]()  # of each component dimension by its number
    for name, variable in file.items():
        attributes = variable.attrs
        if "column" in attributes:
            found.append((int(attributes["column"][0]), name, variable))
        elif "CLASS" in attributes and name != "time":
            labels[int(attributes["_Netcdf4Dimid"])] = tuple(map(_text, variable[...]))
    found.sort(key=lambda entry: entry[0])
    channels = Channels(_channel(name, variable, labels) for _, name, variable in found)

    times = np.asarray(file["time"][...], dtype=np.float64)
    table = np.empty((len(times), channels.width))
    for (first, name, variable), channel in zip(found, channels, strict=True):
        columns = channels.columns(name)
        if columns.start != first:
            raise ValueError(f"a channel is missing before {name!r}")
        table[:, columns] = variable[...].reshape(len(times), channel.width)
    return channels, times, table, _attrs(file)


def _channel(name: str, variable: Any, labels: dict[int, tuple[str, ...]]) -> Channel:
    attributes = variable.attrs
    dimensions = attributes["_Netcdf4Coordinates"]  # by number: to find the name of a reference takes all of the file
    components = labels[int(dimensions[1])] if len(dimensions) == 2 else ()
    description, frame = attributes.get("long_name", ""), attributes.get("frame", "")
    return Channel(name, attributes["units"], components, description, frame)


def _attrs(file: Any) -> RunAttrs:
    attributes = file.attrs
    parameters = file["parameters"]
    return RunAttrs(
        model=attributes["model"],
        parameters={name: (float(v[...]), v.attrs["units"]) for name, v in parameters.items()},
        integrator=attributes["integrator"],
        method=json.loads(attributes.get("method", "{}")),
        options=json.loads(attributes["options"]),
        counters=json.loads(attributes["counters"]),
        analyses=tuple(json.loads(attributes["analyses"])),
        status=attributes["status"],
        message=attributes.get("message", ""),
        stability=attributes.get("stability", ""),
        notes=tuple(json.loads(attributes.get("notes", "[]"))),
        stand_in=attributes.get("stand_in", ""),
        version=attributes["samara_version"],
        scene=_scene(file),
    )


def _scene(file: Any) -> Scene | None:
    if "scene" not in file or "octets" not in file["scene"]:
        return None
    drawn = json.loads(zlib.decompress(file["scene"]["octets"][...].tobytes()))
    return Scene.made(drawn)


def _text(label: str | bytes) -> str:
    return label.decode() if isinstance(label, bytes) else str(label)
