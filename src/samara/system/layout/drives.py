"""Drives of a model: each distinct drive once, with three numbers in the state, and the inputs that feed them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from samara.model import Constant, Drive, Input, Model, ModelError, Node
from samara.system.kernels.signals import SignalKind, inputs_of, is_fixed, make_signals, numbers_of
from samara.system.layout.layout import Layout
from samara.system.memory.numbers import ParameterPlaces
from samara.tracing.kernels import native


class Drives:
    """Everything that depends on time and inputs alone.

    all:      in storage order.
    inputs:   drives fed from outside.
    restless: indices of the drives that may change.
    """

    def __init__(self, model: Model) -> None:
        self.prescribed = [n for n in model.nodes.values() if n.motion is not None]
        leaves: list[object] = [leaf for element in model.elements.values() for leaf in element.objects()]
        # including those of motions: a jump of any of them is an event
        leaves += [d for n in self.prescribed if n.motion for d in n.motion.drives if not isinstance(d, Constant)]
        self.all: list[Drive] = list({id(leaf): leaf for leaf in leaves if isinstance(leaf, Drive)}.values())
        self.inputs: list[Input] = list(dict.fromkeys(inputs_of([*self.all, *self.prescribed])))
        if len({source.name for source in self.inputs}) < len(self.inputs):
            raise ModelError(f"two inputs of model {model.name!r} have the same name: use one Input object")
        self.restless = [
            k for k, drive in enumerate(self.all) if drive.is_watched() and not isinstance(drive, Constant)
        ]
        self._fixed = np.array([k for k, drive in enumerate(self.all) if is_fixed(drive)], np.int64)
        self._fixed_values = np.array([float(self.all[k](0.0)) for k in self._fixed])

    def write_fixed(self, state: np.ndarray, layout: Layout) -> None:
        """Writes the values of drives that never change, which no kernel writes."""
        state[layout.signal_base + 3 * self._fixed] = self._fixed_values


class SignalGroup:
    """Drives or prescribed nodes of one structure, packed one after the other."""

    def __init__(
        self, kind: SignalKind, layout: Layout, numbers: ParameterPlaces, kernels: list[native.Loaded]
    ) -> None:
        self.kind = kind
        loaded = native.load(kind.name, [kind.function], 1, kind.shape)
        kernels.append(loaded)
        self._address = loaded.addresses["signals"]
        count = len(kind.instances)
        self.idx = np.zeros((count, kind.shape.indices), np.uint32)
        self.par = np.zeros((count, kind.shape.parameters))
        for i, instance in enumerate(kind.instances):
            results = [layout.block(part) if isinstance(part, Node) else layout.signal(part) for part in instance]
            self.idx[i] = results + [layout.input(source.name) for source in inputs_of(instance)]
            for k, leaf in enumerate(numbers_of(instance)):
                self.par[i, k] = numbers.place(leaf, self.par, (i, k))

    def program(self) -> list[int]:
        """Arguments of the native code: count, addresses of indices and parameters, and the function."""
        return [len(self.idx), self.idx.ctypes.data, self.par.ctypes.data, self._address]


def pack_signals(
    drives: Drives, layout: Layout, numbers: ParameterPlaces, kernels: list[native.Loaded]
) -> list[SignalGroup]:
    """Packs all drives that may change, and prescribed nodes, into groups."""
    kinds: Sequence[SignalKind] = make_signals(drives.all, drives.prescribed, layout.width)
    return [SignalGroup(kind, layout, numbers, kernels) for kind in kinds]
