"""The numbers that a model is described by, to tell whether a checkpoint is of the same ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from samara.model import Drive, Input, Model, Parameter
from samara.tracing import Curve, Surface

#: Numbers that differ by less, relatively, are the same ones computed on another machine.
ROUNDING = 1e-9


def numbers_of(model: Model) -> dict[str, np.ndarray]:
    """Plain numbers by what they are of, such as "law of element 'spring'".

    Parameters and inputs, which may change, are not-a-number. Poses and velocities of free nodes are not among them:
    they are part of the state.
    """
    found = {}
    for element in model.elements.values():
        for name, spec in element.specs().items():
            if leaves := spec.leaves(getattr(element, name)):
                found[f"{name} of element {element.name!r}"] = _flat(leaves)
    for node in model.nodes.values():
        if node.motion is not None:
            begun = node.beginning
            found[f"motion of node {node.name!r}"] = _flat([*begun.position, *begun.rotation.flat, *node.motion.drives])
    return found


def _flat(leaves: list) -> np.ndarray:
    return np.concatenate([_values(leaf) for leaf in leaves])


def _values(leaf: Any) -> np.ndarray:
    if isinstance(leaf, (Parameter, Input)):
        return np.array([np.nan])
    if isinstance(leaf, Drive):
        return _flat(leaf.leaves()) if leaf.leaves() else np.zeros(0)
    if isinstance(leaf, Curve):
        return np.concatenate([leaf.x, leaf.y])
    if isinstance(leaf, Surface):
        return np.concatenate([leaf.x, leaf.y, leaf.z.ravel()])
    return np.array([float(leaf)])


def different(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> list[str]:
    """What has other numbers in two models."""
    names = dict.fromkeys([*one, *other])
    return [name for name in names if name not in one or name not in other or not _same(one[name], other[name])]


def _same(one: np.ndarray, other: np.ndarray) -> bool:
    if one.shape != other.shape:
        return False
    either = np.isnan(one) | np.isnan(other)
    a, b = np.where(either, 0.0, one), np.where(either, 0.0, other)
    return bool(np.allclose(a, b, rtol=ROUNDING, atol=1e-3 * ROUNDING * np.abs(b).max(initial=0.0)))
