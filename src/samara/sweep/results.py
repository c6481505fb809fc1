"""What a sweep found: measures as labelled arrays over the parameters."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import samara
from samara.arguments import file_path
from samara.results import netcdf
from samara.results.layout import FIRST_SEALED
from samara.results.seal import SEAL, seal
from samara.sweep.study import Finished
from samara.sweep.variants import Variants

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from xarray import DataArray, Dataset

#: Variables that are no measures.
BESIDE = ("cause", "seconds")
#: Cause of a variant that a sweep did not get to.
NOT_DONE = "not done"


class SweepResults:
    """Measures over the parameters of a sweep.

        found.dataset               xarray.Dataset: a dimension for each parameter of a grid, else one, `variant`
        found["damping"]            one measure, an xarray.DataArray; nan where the variant failed, or gave none
        found.failures              [({parameter: value}, cause)]
        found.save("map.nc")        NetCDF-4; SweepResults.load reads it back
        found.plot(path="map.png")  lines over one parameter, a map over two, dots for lists

    The dataset also has `cause`, why a variant failed ("" where it did not), and `seconds`, what it took.
    """

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = dataset

    def __getitem__(self, name: str) -> DataArray:
        if name not in self.dataset.variables:
            why = f"; the first failure is {self.failures[0][1]}" if self.failures else ""
            raise KeyError(f"{name!r}; there are {', '.join((*self.parameters, *self.measures, *BESIDE))}{why}")
        return self.dataset[name]

    def __repr__(self) -> str:
        size = " x ".join(f"{self.dataset.sizes[d]} {d}" for d in self.dimensions)
        return f"SweepResults({size}: {', '.join(self.measures)}; {len(self.failures)} failed)"

    @property
    def parameters(self) -> tuple[str, ...]:
        """What was varied."""
        return tuple(np.atleast_1d(self.dataset.attrs["parameters"]).tolist())

    @property
    def measures(self) -> tuple[str, ...]:
        """What was measured."""
        return tuple(str(name) for name in self.dataset.data_vars if name not in BESIDE)

    @property
    def dimensions(self) -> tuple[str, ...]:
        """Along which the variants lie."""
        return tuple(map(str, self.dataset["cause"].dims))

    @property
    def failures(self) -> list[tuple[dict[str, Any], str]]:
        """Values of the variants that failed, and why."""
        causes, dimensions = self.dataset["cause"], self.dimensions
        values = {name: self.dataset[name].values for name in self.parameters}
        found = []
        for place in zip(*np.nonzero(causes.values != ""), strict=True):  # thousands, so not by labels
            along = dict(zip(dimensions, place, strict=True))
            row = {name: column[along.get(name, place[0])].item() for name, column in values.items()}
            found.append((row, str(causes.values[place])))
        return found

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes a NetCDF-4 file, complete or not at all."""
        path = file_path("SweepResults.save: path", path)
        netcdf.require_results_file(path)
        netcdf.load_h5netcdf()
        temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        try:
            self.dataset.assign_attrs(samara_check_sum=SEAL).to_netcdf(temporary, engine="h5netcdf")
            seal(temporary)
            os.replace(temporary, path)
        except OSError as error:
            raise netcdf.ResultsFileError(
                f"{path}: cannot be written ({error}); check permissions and free space"
            ) from error
        finally:
            temporary.unlink(missing_ok=True)
        return path

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> SweepResults:
        """Reads a file written by `save`."""
        import xarray

        path = file_path("SweepResults.load: path", path)
        if not path.is_file():
            raise netcdf.ResultsFileError(f"{path}: no such file; check the path, or save results there first")
        whole = netcdf.require_whole(path)
        netcdf.load_h5netcdf()
        try:
            dataset = xarray.load_dataset(path, engine="h5netcdf")
        except Exception as error:  # what is left of a file makes its libraries raise anything
            raise netcdf.ResultsFileError(
                f"{path}: damaged, or no NetCDF-4 file; give one saved by SweepResults.save"
            ) from error
        if "samara_sweep" not in dataset.attrs:
            raise netcdf.ResultsFileError(f"{path}: not the results of a sweep; give a file saved by SweepResults.save")
        if not whole and int(dataset.attrs["samara_sweep"]) >= FIRST_SEALED:
            raise netcdf.ResultsFileError(f"{path}: damaged, its checksum is missing; repeat the sweep")
        dataset.attrs.pop("samara_check_sum", None)
        return cls(dataset)

    def plot(self, *measures: str, path: str | os.PathLike[str] | None = None, title: str | None = None) -> Figure:
        """A picture of each measure over the parameters: see `samara.sweep.plotting`. Writes `path` too."""
        from samara.results import plotting as figures
        from samara.sweep import plotting

        if path is not None:
            path = file_path("SweepResults.plot: path", path)
            netcdf.require_folder(path)
            figures.require_format(path)
        figure = plotting.draw(self, measures, title)
        if path is not None:
            figures.write(figure, path)
        return figure


def assemble_results(
    variants: Variants, finished: Sequence[Finished | None], units: Mapping[str, str], name: str = ""
) -> SweepResults:
    """Labelled arrays of what is finished; what is not has the cause "not done"."""
    import xarray

    done = [one if one is not None else Finished(cause=NOT_DONE, seconds=np.nan) for one in finished]
    units = {**{n: u for one in done for n, u in one.units.items()}, **units}
    if variants.axes is not None:
        dims, shape = variants.names, tuple(map(len, variants.axes))
        coordinates: dict[str, Any] = {n: list(a) for n, a in zip(variants.names, variants.axes, strict=True)}
    else:
        dims, shape = ("variant",), (len(variants),)
        columns = zip(*variants.rows, strict=True)
        coordinates = {"variant": np.arange(len(variants))}
        coordinates |= {n: ("variant", list(column)) for n, column in zip(variants.names, columns, strict=True)}
    shapes, causes = _shapes(done)
    sound = [not cause for cause in causes]
    arrays: dict[str, Any] = {}
    for measure, inner in shapes.items():
        table = np.full((len(done), *inner), np.nan)
        for k, one in enumerate(done):
            if sound[k] and measure in one.measures:
                table[k] = one.measures[measure]
            elif sound[k] and not causes[k]:
                causes[k] = f"measure gives no {measure!r} here, as it does for others"
        own = tuple(f"{measure}_{axis}" for axis in range(len(inner)))
        arrays[measure] = ((*dims, *own), table.reshape(*shape, *inner))
    arrays["cause"] = (dims, np.array(causes, dtype=object).reshape(shape))
    arrays["seconds"] = (dims, np.array([one.seconds for one in done], float).reshape(shape))
    attributes = {"samara_sweep": 2, "samara_version": samara.__version__, "name": name}
    dataset = xarray.Dataset(arrays, coordinates, {**attributes, "parameters": list(variants.names)})
    for label, unit in {**units, "seconds": "s"}.items():
        if label in dataset.variables and unit:
            dataset[label].attrs["units"] = unit
    return SweepResults(dataset)


def _shapes(done: Sequence[Finished]) -> tuple[dict[str, tuple[int, ...]], list[str]]:
    """Shape of each measure, that of the first variant which has it; causes, with those of variants that differ."""
    shapes: dict[str, tuple[int, ...]] = {}
    causes = [one.cause for one in done]
    for k, one in enumerate(done):
        for name, value in one.measures.items() if not one.cause else ():
            shape = np.shape(value)
            if shapes.setdefault(name, shape) != shape:
                causes[k] = f"measure {name!r} has the shape {shape} here, and {shapes[name]} before"
    return shapes, causes
