"""Describes a model by its numbers and equations, to tell whether a checkpoint belongs to the same model."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from samara.model import Drive, Input, Model, Parameter
from samara.model.roles.sampling import sampled_law
from samara.model.schema.drives import Constant
from samara.model.schema.record import Record
from samara.system.kernels.signals import trace_drive
from samara.tracing import Curve, Graph, Surface

#: Relative difference below which two numbers are the same number computed on another machine.
ROUNDING = 1e-9


def numbers_of(model: Model) -> dict[str, np.ndarray]:
    """Plain numbers keyed by what they describe, such as "law.stiffness of element 'spring'".

    Parameters and inputs may change, so they are not-a-number. Poses and velocities of free nodes are left out:
    they are part of the state.
    """
    found: dict[str, np.ndarray] = {}
    for element in model.elements.values():
        _collect(element, "", f" of element {element.name!r}", found)
        told = sampled_law(element)
        if told is not None:
            native = told.native()
            own = (native.memory.size, *native.leaves) if native else ()
            found[f"law of element {element.name!r}"] = _flat([told.period, *own])
    for node in model.nodes.values():
        if node.motion is not None:
            owner, begun = f" of node {node.name!r}", node.beginning
            found[f"place{owner}"] = _flat([*begun.position, *begun.rotation.flat])
            for k, drive in enumerate(node.motion.drives):
                _collect(drive, f"motion[{k}]", owner, found)
    return found


def _collect(record: Record, path: str, owner: str, found: dict[str, np.ndarray]) -> None:
    """Numbers of a record and of its nested records, field by field; each comes with its own scale for comparison."""
    if isinstance(record, Input):
        found[path + owner] = np.array([np.nan])
        return
    if isinstance(record, Drive) and len(constants := _constants(record)):
        found[f"constants of {path}{owner}"] = constants
    for name, spec in record.specs().items():
        value, place = getattr(record, name), f"{path}.{name}" if path else name
        if isinstance(value, Record):
            _collect(value, place, owner, found)
        elif isinstance(value, tuple) and any(isinstance(inner, Record) for inner in value):
            for k, inner in enumerate(value):
                if isinstance(inner, Record):  # a signal may be a state, whose numbers belong to the state
                    _collect(inner, f"{place}[{k}]", owner, found)
        elif leaves := spec.leaves(value):
            found[place + owner] = _flat(leaves)


def equations_of(model: Model) -> dict[str, str]:
    """Short description of how the numbers are used, by owner: options, kinds of laws, traced drives, nodes."""
    found = {"joints that hold the same thing twice": _text(model.redundant)}
    for node in model.nodes.values():
        drives = [] if node.motion is None else node.motion.drives
        found[f"node {node.name!r}"] = _text([node.kind, *map(_steps, drives)])
    for element in model.elements.values():
        leaves = [_steps(leaf) if isinstance(leaf, Drive) else _named(leaf) for leaf in element.leaves()]
        nodes, states = [n.name for n in element.nodes()], [x.name for x in element.states()]
        told = sampled_law(element)
        law = None if told is None else told.native()
        found[f"element {element.name!r}"] = _text(
            [element.structure(), nodes, states, leaves, *([law.equations, [*map(_named, law.leaves)]] if law else [])]
        )
    return {name: hashlib.sha256(text.encode()).hexdigest()[:16] for name, text in found.items()}


def _traced(drive: Drive) -> Graph:
    return Graph() if isinstance(drive, Constant) else trace_drive(drive)


def _constants(drive: Drive) -> np.ndarray:
    """Numbers of a drive outside its fields: the constants written into a function of t."""
    return np.array([node.args[0] for node in _traced(drive).nodes if node.op == "const"])


def _steps(drive: Drive) -> str:
    """Operations that compute a drive, with its parameters and inputs."""
    operations = [node.op if node.op == "const" else f"{node.op}{node.args}" for node in _traced(drive).nodes]
    return _text([type(drive), *operations, *map(_named, drive.leaves())])


def _named(leaf: Any) -> str:
    return leaf.name if isinstance(leaf, (Parameter, Input)) else ""


def _text(value: Any) -> str:
    """A structural value as text that is identical in every process."""
    if isinstance(value, (tuple, list)):
        return f"({', '.join(map(_text, value))})"
    if isinstance(value, (np.ndarray, np.generic)):
        return _text(value.tolist())
    if isinstance(value, float):
        return f"{value:.9g}"
    if value is None or isinstance(value, (str, bytes, int)):
        return repr(value)
    return getattr(value, "__qualname__", type(value).__name__)


def _flat(leaves: list) -> np.ndarray:
    return np.concatenate([_values(leaf) for leaf in leaves])


def _values(leaf: Any) -> np.ndarray:
    if isinstance(leaf, Parameter):
        return np.array([np.nan])
    if isinstance(leaf, Curve):
        return np.concatenate([leaf.x, leaf.y])
    if isinstance(leaf, Surface):
        return np.concatenate([leaf.x, leaf.y, leaf.z.ravel()])
    return np.array([float(leaf)])


def different(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    """Differences between two models."""
    names = dict.fromkeys([*one, *other])
    return [name for name in names if name not in one or name not in other or not _same(one[name], other[name])]


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, str):
        return one == other
    if one.shape != other.shape:
        return False
    slight = 1e-3 * ROUNDING * float(np.abs(other[np.isfinite(other)]).max(initial=0.0))
    return bool(np.allclose(one, other, rtol=ROUNDING, atol=slight, equal_nan=True))
