"""NetCDF-4 by HDF5 alone: dimensions as scales, variables with theirs attached, attributes, all written once.

What NetCDF keeps in HDF5 (NetCDF-4 format specification, sections 3.1 to 3.6; HDF5 dimension scale specification):

    a dimension           a dataset with CLASS = "DIMENSION_SCALE", NAME and its number, _Netcdf4Dimid; every one
                          here is a coordinate variable as well
    a variable's          DIMENSION_LIST: references to them, and their numbers, _Netcdf4Coordinates; each scale has
    dimensions            the other end, REFERENCE_LIST: (variable, which of its dimensions)

Libraries write the lists once for each variable, and the second is as long as there are variables: a file of thousands
of them took minutes. Here all references are collected and written once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np


class ScaledFile:
    """A new file that is filled: dimensions first, then variables, then `finish`.

    file: an `h5py.File`.
    """

    def __init__(self, file: Any) -> None:
        import h5py

        self._h5py, self.file = h5py, file
        h5s, h5t, h5p = h5py.h5s, h5py.h5t, h5py.h5p
        self._scalar, self._one = h5s.create(h5s.SCALAR), h5s.create_simple((1,))
        self._text = h5t.C_S1.copy()
        self._text.set_size(h5t.VARIABLE)
        self._text.set_cset(h5t.CSET_UTF8)
        self._string = h5py.string_dtype()
        self._references = h5t.vlen_create(h5t.STD_REF_OBJ)
        self._creation = h5p.create(h5p.DATASET_CREATE)
        self._creation.set_attr_creation_order(h5p.CRT_ORDER_TRACKED | h5p.CRT_ORDER_INDEXED)
        self._spaces: dict[tuple[int, ...], Any] = {}
        self._dimensions: dict[str, tuple[int, Any]] = {}  # number, reference
        self._attached: dict[str, list[tuple[Any, int]]] = {}

    def dimension(self, name: str, values: int | Sequence[str], attributes: Mapping[str, Any], **options: Any) -> Any:
        """Adds a dimension of so many numbers, or of texts, which is a variable of its own; its identifier."""
        if isinstance(values, int):
            scale = self.file.create_dataset(name, (values,), float, track_order=True, **options)
        else:
            scale = self.file.create_dataset(name, data=list(values), dtype=self._string, track_order=True)
        scale.make_scale(name)
        number = len(self._dimensions)
        self._dimensions[name], self._attached[name] = (number, scale.ref), []
        self._whole(scale.id, b"_Netcdf4Coordinates", np.array([number], np.int32))
        self._whole(scale.id, b"_Netcdf4Dimid", np.array(number, np.int32))
        self.attributes(scale.id, attributes)
        return scale.id

    def variable(self, name: str, dimensions: Sequence[str], shape: tuple[int, ...], **options: Any) -> Any:
        """Adds a variable of floats; its identifier. options: of a dataset in chunks, compressed or to grow."""
        h5 = self._h5py
        if options:
            made = self.file.create_dataset(name, shape, float, track_order=True, **options).id
        else:
            made = self._floats(self.file.id, name, self._space(shape))
        numbers = [self._dimensions[d][0] for d in dimensions]
        listed = np.empty(len(dimensions), dtype=h5.vlen_dtype(h5.ref_dtype))
        for k, dimension in enumerate(dimensions):
            listed[k] = np.array([self._dimensions[dimension][1]], dtype=h5.ref_dtype)
            self._attached[dimension].append((made, k))
        attribute = h5.h5a.create(made, b"DIMENSION_LIST", self._references, self._space(listed.shape))
        attribute.write(listed)
        self._whole(made, b"_Netcdf4Coordinates", np.array(numbers, np.int32))
        self._whole(made, b"_Netcdf4Dimid", np.array(numbers[0], np.int32))
        return made

    def number(self, group: str, name: str, value: float, attributes: Mapping[str, Any]) -> None:
        """Adds a single number in a group."""
        made = self._floats(self.file.require_group(group).id, name, self._scalar)
        made.write(self._h5py.h5s.ALL, self._h5py.h5s.ALL, np.array(value))
        self.attributes(made, attributes)

    def octets(self, name: str, values: bytes, attributes: Mapping[str, Any]) -> None:
        """Adds bytes, in a group and with a dimension of their own."""
        group = self.file.create_group(name, track_order=True)
        made = group.create_dataset("octets", data=np.frombuffer(values, np.uint8), track_order=True)
        made.make_scale("octets")
        self.attributes(made.id, attributes)

    def _floats(self, owner: Any, name: str, space: Any) -> Any:
        return self._h5py.h5d.create(owner, name.encode(), self._h5py.h5t.IEEE_F64LE, space, self._creation)

    def fill(self, variable: Any, first: int, values: np.ndarray) -> None:
        """Writes the rows of a variable from `first` on."""
        place = variable.get_space()
        place.select_hyperslab((first,) + (0,) * (values.ndim - 1), values.shape)
        variable.write(self._space(values.shape), place, values)

    def attributes(self, owner: Any, values: Mapping[str, Any]) -> None:
        """Texts and whole numbers, by name, of what has this identifier."""
        for name, value in values.items():
            if isinstance(value, str):
                attribute = self._h5py.h5a.create(owner, name.encode(), self._text, self._scalar)
                attribute.write(np.array(value, dtype=self._string))
            else:
                self._whole(owner, name.encode(), np.array([value], np.int64))

    def finish(self) -> None:
        """Writes the other ends of all attachments."""
        h5 = self._h5py
        kind = np.dtype([("dataset", h5.ref_dtype), ("dimension", np.int32)])
        for name, attached in self._attached.items():
            if attached:
                ends = np.empty(len(attached), kind)
                for k, (variable, which) in enumerate(attached):
                    ends[k] = h5.h5r.create(variable, b".", h5.h5r.OBJECT), which
                self.file[name].attrs.create("REFERENCE_LIST", ends, dtype=kind)

    def _whole(self, owner: Any, name: bytes, value: np.ndarray) -> None:
        h5 = self._h5py
        stored = h5.h5t.STD_I32LE if value.dtype == np.int32 else h5.h5t.STD_I64LE
        h5.h5a.create(owner, name, stored, self._space(value.shape) if value.ndim else self._scalar).write(value)

    def _space(self, shape: tuple[int, ...]) -> Any:
        if shape not in self._spaces:
            self._spaces[shape] = self._h5py.h5s.create_simple(shape)
        return self._spaces[shape]
