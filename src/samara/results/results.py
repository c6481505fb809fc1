"""The results of a run: access by channel name, labelled data, files, plots and a summary."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from samara.arguments import ArgumentError, file_path, real_numbers
from samara.results import layout, netcdf
from samara.results.attrs import RunAttrs
from samara.results.channels import Channels
from samara.results.recorder import Recorder

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from xarray import Dataset


class Results:
    """Results of a run: times (n,), a table (n, columns) and the channels that name its columns.

        results["arm.position"]     ndarray (n, 3); (n,) for a scalar channel; a read-only view
        results.time                ndarray (n,), s; in a static run the load factor (see attrs.abscissa)
        results.dataset             the same data as a labelled xarray.Dataset
        results.save("run.nc")      NetCDF-4; Results.load reads it back bit for bit
        results.plot("arm.*")       Matplotlib figure, one axes per channel
        results.animate("run.html") 3D animation, an HTML page for the browser

    A run that failed or was interrupted also has results, up to that time: see `attrs.status`.
    """

    def __init__(self, channels: Channels, times: np.ndarray, table: np.ndarray, attrs: RunAttrs | None = None) -> None:
        if not isinstance(channels, Channels):
            raise ArgumentError(f"Results: channels must be Channels, as made by a run, got {channels!r}")
        self.channels = channels
        self.attrs = attrs if attrs is not None else RunAttrs()
        self.time = _read_only(real_numbers("Results: times", times))
        self.table = _read_only(real_numbers("Results: table", table))
        if self.time.ndim != 1 or self.table.shape != (len(self.time), channels.width):
            raise ValueError(
                f"times {self.time.shape} and table {self.table.shape} do not fit {channels.width} columns: "
                "give (n,) and (n, columns)"
            )
        self._dataset: Dataset | None = None

    @classmethod
    def from_recorder(cls, recorder: Recorder, attrs: RunAttrs | None = None) -> Results:
        """Results from the rows recorded so far."""
        return cls(recorder.channels, recorder.times, recorder.table, attrs)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Results:
        """Reads a file written by `save`. Raises ResultsFileError, which names the file and the remedy."""
        return cls(*netcdf.read(path))

    @classmethod
    def recover(cls, path: str | os.PathLike[str]) -> Results:
        """Recovers the rows that a killed run with ``save=path, record=True`` had written; see `samara "
        "record --recover`."""
        from samara.results.run_rows import read_rows  # few ask

        return cls(*read_rows(file_path("Results.recover: path", path)))

    def save(self, path: str | os.PathLike[str], compress: bool = False) -> Path:
        """Writes a NetCDF-4 file, either complete or not at all. `compress` is lossless: smaller but slower."""
        return netcdf.write(self, path, compress)

    def __reduce__(self) -> tuple[type[Results], tuple[Channels, np.ndarray, np.ndarray, RunAttrs]]:
        return type(self), (self.channels, self.time, self.table, self.attrs)

    def __getitem__(self, name: str) -> np.ndarray:
        channel = self.channels[name]
        columns = self.channels.columns(name)
        return self.table[:, columns] if channel.components else self.table[:, columns.start]

    def __contains__(self, name: object) -> bool:
        return name in self.channels

    def __len__(self) -> int:
        """Number of samples."""
        return len(self.time)

    def __repr__(self) -> str:
        size = f"{len(self)} samples, {len(self.channels)} channels"
        return f"Results({self.attrs.model!r}, {size}, {self.attrs.status})"

    def _repr_html_(self) -> str:
        """Summary for notebooks: status, solver statistics, and the channels with their ranges."""
        from samara.results import summary

        return summary.html(self)

    def unit(self, name: str) -> str:
        return self.channels[name].unit

    def select(self, *patterns: str) -> Results:
        """Results with the matching channels only, for instance to save a subset."""
        columns = self.channels.indices(*patterns)
        return Results(self.channels.select(*patterns), self.time, self.table[:, columns], self.attrs)

    @property
    def dataset(self) -> Dataset:
        """The data as an xarray.Dataset, with the names, dimensions and attributes of the file; built once."""
        if self._dataset is None:
            import xarray

            dimensions = layout.dimension_names(self.channels)
            variables = {}
            for channel in self.channels:
                dims = ("time", dimensions[channel.components]) if channel.components else ("time",)
                attributes = layout.channel_attributes(channel, self.channels.offset(channel.name))
                variables[channel.name] = (dims, self[channel.name], attributes)
            coordinates: dict[str, object] = {"time": ("time", self.time, layout.time_attributes(self.attrs))}
            coordinates |= {name: list(labels) for labels, name in dimensions.items()}
            self._dataset = xarray.Dataset(variables, coordinates, layout.global_attributes(self.attrs))
        return self._dataset

    def plot(self, *patterns: str, path: str | os.PathLike[str] | None = None, title: str | None = None) -> Figure:
        """Plots the matching channels against time, one axes each; needs no display. Also writes "
        "`path` (png, pdf, svg)."""
        from samara.results import plotting

        if path is not None:
            path = file_path("Results.plot: path", path)
            netcdf.require_folder(path)
            plotting.require_format(path)
        figure = plotting.draw(self, patterns, title)
        if path is not None:
            plotting.write(figure, path)
        return figure

    @property
    def scene(self) -> dict[str, Any]:
        """Drawing data of the model, see `samara.scene.scene`; empty if unknown."""
        return {} if self.attrs.scene is None else self.attrs.scene()

    def animate(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        beside: Results | None = None,
        rate: float | None = None,
        channels: str | Sequence[str] | None = None,
        wake: Sequence[tuple[float, Any]] | None = None,
    ) -> Any:
        """Animates the run in 3D; returns the file or, without a path, an object that a notebook displays.

            results.animate("run.html")     a self-contained page for any browser
            results.animate("run.gif")      a video; also .mp4 if ffmpeg is installed
            results.animate("run.pvd")      for ParaView: one file per frame, in the folder run/ next to it

        beside:   results overlaid on these, in one colour. HTML only.
        rate:     frames per simulated second [1/s], chosen from the recorded samples; by default 60, or more for fast
                  rotation; 25 for a video.
        channels: patterns of the channels offered for plots, colours and vectors; by default the outputs of elements.
                  HTML only.
        wake:     (time, `samara.wake_geometry`) pairs that show the free wake at these times. HTML only.
        """
        from samara.viewer.show import show_run

        return show_run(self, path, beside, rate, channels, wake)

    def summary(self, first: Iterable[str] = ()) -> str:
        """A short text: status, solver statistics, parameters, and the range of each channel.

        first: channels that are listed before the others.
        """
        from samara.results import summary

        return summary.text(self, first)


def _read_only(array: np.ndarray) -> np.ndarray:
    view = np.ascontiguousarray(array, dtype=np.float64).view()
    view.flags.writeable = False
    return view
