"""The results of a run: channels by name, labelled data, a file, plots and a summary."""

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
    """Times (n,), a table (n, columns) and the channels that name its columns.

        results["arm.position"]     ndarray (n, 3); (n,) for a scalar channel; a read-only view
        results.time                ndarray (n,), s; the load factor of a static run in steps: attrs.abscissa
        results.dataset             the same data as a labelled xarray.Dataset
        results.save("run.nc")      NetCDF-4; Results.load reads it back bit for bit
        results.plot("arm.*")       matplotlib figure, one axes per channel
        results.animate("run.html") the motion in three dimensions, a page for the browser

    A run that was interrupted or failed has results too, up to where it got: see `attrs.status`.
    """

    def __init__(self, channels: Channels, times: np.ndarray, table: np.ndarray, attrs: RunAttrs | None = None) -> None:
        if not isinstance(channels, Channels):
            raise ArgumentError(f"Results: channels must be Channels, got {channels!r}; a run makes them")
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
        """What the recorder holds so far."""
        return cls(recorder.channels, recorder.times, recorder.table, attrs)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Results:
        """Read a file written by `save`. Raises ResultsFileError, which names the file and the remedy."""
        return cls(*netcdf.read(path))

    @classmethod
    def recover(cls, path: str | os.PathLike[str]) -> Results:
        """What a run with ``save=path, record=True`` had written when it was killed; see `samara record --recover`."""
        from samara.results.run_rows import read_rows  # few ask

        return cls(*read_rows(file_path("Results.recover: path", path)))

    def save(self, path: str | os.PathLike[str], compress: bool = False) -> Path:
        """Write a NetCDF-4 file, complete or not at all. `compress` is lossless, smaller and slower."""
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
        """For notebooks: outcome and work, and the channels with their ranges."""
        from samara.results import summary

        return summary.html(self)

    def unit(self, name: str) -> str:
        return self.channels[name].unit

    def select(self, *patterns: str) -> Results:
        """Results with the matching channels only, for instance to save a few of many."""
        columns = self.channels.indices(*patterns)
        return Results(self.channels.select(*patterns), self.time, self.table[:, columns], self.attrs)

    @property
    def dataset(self) -> Dataset:
        """Labelled data, with the names, dimensions and attributes of the file; made once."""
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
        """One axes per matching channel against time; needs no display. Writes `path` too (png, pdf, svg)."""
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
        """What there is to draw of the model, as `samara.scene.scene` tells; empty where that is not known."""
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
        """Shows the run in three dimensions; returns the file, or without a path what a notebook shows in its cell.

            results.animate("run.html")     a page for any browser, in one file, without a network
            results.animate("run.gif")      a film; .mp4 where ffmpeg is installed
            results.animate("run.pvd")      for ParaView: a file per frame, in the folder run/ beside it

        beside:   results laid over these, in one colour. Pages only.
        rate:     frames for a second of the run [1/s], of those that were recorded; by default 60, or more where
                  something turns fast; of a film 25.
        channels: patterns of what can be plotted, coloured by and drawn as vectors; by default what is measured of
                  elements. Pages only.
        wake:     (time, `samara.wake_geometry`) at instants of the run, for what a free wake looked like. Pages only.
        """
        from samara.viewer.show import show_run

        return show_run(self, path, beside, rate, channels, wake)

    def summary(self, first: Iterable[str] = ()) -> str:
        """A short text: outcome, work done, parameters, and the range of each channel.

        first: channels that are listed before the others.
        """
        from samara.results import summary

        return summary.text(self, first)


def _read_only(array: np.ndarray) -> np.ndarray:
    view = np.ascontiguousarray(array, dtype=np.float64).view()
    view.flags.writeable = False
    return view
