"""Compiles kernels through LLVM, or loads them from the cache, and returns their addresses."""

from __future__ import annotations

import functools
import hashlib
import os
import threading
from dataclasses import dataclass, replace
from pathlib import Path

import llvmlite
import llvmlite.binding as llvm

from samara import __version__
from samara.tracing import cache
from samara.tracing.compiling import COMPILING
from samara.tracing.expressions.graph import Graph
from samara.tracing.kernels.lanes import Function, Shape, module

#: Widths that a kernel can have.
WIDTHS = (1, 2, 4, 8, 16)
#: LLVM's optimisation levels. Users' kernels use 2.
LEVELS = (0, 1, 2, 3)
_lock = threading.RLock()


@dataclass
class Loaded:
    """Addresses of the functions of one kernel, and where it came from."""

    addresses: dict[str, int]
    info: cache.KernelInfo
    key: str
    from_cache: bool


@functools.cache
def _machine(level: int) -> llvm.TargetMachine:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=_features(), opt=level, jit=True
    )


@functools.cache
def _engine() -> llvm.ExecutionEngine:
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine(2))


@functools.cache
def _features() -> str:
    return llvm.get_host_cpu_features().flatten()


@functools.cache
def native_width() -> int:
    """Lane count that suits this CPU best: 4 with AVX, else 2; ``$SAMARA_LANES`` overrides.

    CPUs with AVX-512 support 8, but their kernels are bound by gathering and scattering, and groups of 8 are less
    often full: 4 are as fast or faster.
    """
    chosen = os.environ.get("SAMARA_LANES")
    if not chosen:
        return 4 if llvm.get_host_cpu_features().get("avx") else 2
    if chosen not in map(str, WIDTHS):
        raise ValueError(f"SAMARA_LANES={chosen}: choose {', '.join(map(str, WIDTHS[:-1]))} or {WIDTHS[-1]}")
    return int(chosen)


def optimisation() -> int:
    """LLVM's optimisation level for subsequent kernels: 2; ``$SAMARA_OPTIMISATION`` overrides.

    At 0 a kernel compiles in a third of the time, and runs more slowly: for functions evaluated only a few times.
    Results differ only by rounding.
    """
    chosen = os.environ.get("SAMARA_OPTIMISATION") or "2"
    if chosen not in map(str, LEVELS):
        raise ValueError(f"SAMARA_OPTIMISATION={chosen}: choose {', '.join(map(str, LEVELS[:-1]))} or {LEVELS[-1]}")
    return int(chosen)


@functools.cache
def _maker() -> str:
    """Everything object code depends on besides its graph: the CPU, LLVM, and the sources that generate the code."""
    here = Path(__file__).resolve().parent
    digest = hashlib.sha256()
    for name in ("native.py", "lanes.py", "writer.py", "lookup.py", "../expressions/table.py"):
        digest.update((here / name).read_bytes())
    target = f"{llvm.get_process_triple()} {llvm.get_host_cpu_name()} {_features()} {llvmlite.__version__}"
    return f"{__version__} {target} {digest.hexdigest()}"


def fingerprint(functions: list[Function], width: int, shape: Shape) -> str:
    """Digest of everything that object code depends on."""
    graphs: dict[int, tuple[Graph, list[int]]] = {}
    for f in functions:
        graphs.setdefault(id(f.graph), (f.graph, []))[1].extend(node for _, node in f.outputs)
    renumbered = {key: _renumbered(graph, outputs) for key, (graph, outputs) in graphs.items()}
    order = list(graphs)
    parts: list = [_maker(), optimisation(), width, shape, *(nodes for nodes, _ in renumbered.values())]
    for f in functions:
        number = renumbered[id(f.graph)][1]
        parts.append((f.name, order.index(id(f.graph)), [(*place, number[node]) for place, node in f.outputs]))
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]


def _renumbered(graph: Graph, outputs: list[int]) -> tuple[list[tuple], dict[int, int]]:
    """The live nodes, numbered from 0: identical for equal results, whatever else is in the graph."""
    number: dict[int, int] = {}
    nodes = []
    for i in graph.live(outputs):
        op, args = graph.nodes[i]
        arguments = graph.arguments(i)
        nodes.append((op, *(number[a] for a in arguments), *args[len(arguments) :]))
        number[i] = len(number)
    return nodes, number


def load(kind: str, functions: list[Function], width: int, shape: Shape, key: str = "") -> Loaded:
    """Native code of a set of functions, from the cache if possible; key: their fingerprint, if it is known."""
    if width not in WIDTHS:
        raise ValueError(f"a kernel cannot have {width} lanes: choose one of {WIDTHS}")
    key = key or fingerprint(functions, width, shape)
    with _lock:
        found = cache.read(key)
        if found is not None:
            info, code = found
        else:
            operations = max(f.graph.operations(node for _, node in f.outputs) for f in functions)
            with COMPILING.kernel(kind) as taken:
                code = _compile([replace(f, name=f"{f.name}_{key}") for f in functions], width, shape)
            info = cache.KernelInfo(kind, operations, width, taken.seconds)
            cache.write(key, info, code)
        return Loaded(_addresses(functions, key, code), info, key, found is not None)


_loaded: dict[str, dict[str, int]] = {}


def _addresses(functions: list[Function], key: str, code: bytes) -> dict[str, int]:
    """Addresses of the functions, once their object code is in memory."""
    if key not in _loaded:
        engine = _engine()
        engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        engine.finalize_object()
        _loaded[key] = {f.name: engine.get_function_address(f"{f.name}_{key}") for f in functions}
    return _loaded[key]


def _compile(functions: list[Function], width: int, shape: Shape) -> bytes:
    parsed = llvm.parse_assembly(module(functions, width, shape))
    parsed.verify()
    return _machine(optimisation()).emit_object(parsed)
