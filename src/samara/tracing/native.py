"""Compiles kernels through LLVM, or loads them from the cache, and gives their addresses."""

from __future__ import annotations

import functools
import hashlib
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import llvmlite
import llvmlite.binding as llvm

from samara import __version__
from samara.tracing import cache
from samara.tracing.graph import LEAVES
from samara.tracing.lanes import Function, Shape, module

#: Raised whenever the emitted code changes for the same graph.
EMITTER_VERSION = 1


@dataclass
class Loaded:
    """Addresses of the functions of one kernel, and how it came."""

    addresses: dict[str, int]
    info: cache.KernelInfo
    key: str
    from_cache: bool


@functools.cache
def _machine() -> llvm.TargetMachine:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=_features(), opt=2, jit=True
    )


@functools.cache
def _engine() -> llvm.ExecutionEngine:
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine())


@functools.cache
def _features() -> str:
    return llvm.get_host_cpu_features().flatten()


@functools.cache
def native_width() -> int:
    """Doubles in a vector register of this CPU (8, 4 or 2); ``$SAMARA_LANES`` overrides."""
    chosen = os.environ.get("SAMARA_LANES")
    if chosen:
        width = int(chosen)
        if width not in (1, 2, 4, 8, 16):
            raise ValueError(f"SAMARA_LANES={chosen}: choose 1, 2, 4, 8 or 16")
        return width
    features = llvm.get_host_cpu_features()
    if features.get("avx512f"):
        return 8
    return 4 if features.get("avx") else 2


def _target() -> str:
    return f"{llvm.get_process_triple()} {llvm.get_host_cpu_name()} {_features()} {llvmlite.__version__}"


def fingerprint(functions: list[Function], width: int, shape: Shape) -> str:
    """Digest of everything that object code depends on."""
    digest = hashlib.sha256(f"{EMITTER_VERSION} {__version__} {width} {shape} {_target()}".encode())
    for f in functions:
        renumbered: dict[int, int] = {}
        for i in f.graph.live(node for _, node in f.outputs):
            op, args = f.graph.nodes[i]
            if op not in LEAVES:
                count = len(f.graph.arguments(i))
                args = (*(renumbered[a] for a in args[:count]), *args[count:])
            renumbered[i] = len(renumbered)
            digest.update(f"{op}{args!r};".encode())
        digest.update(repr([(place, renumbered[node]) for place, node in f.outputs]).encode())
        digest.update(f.name.encode())
    return digest.hexdigest()[:32]


def load(
    kind: str, functions: list[Function], width: int, shape: Shape, report: Callable[[str], None] | None = None
) -> Loaded:
    """Native code of a set of functions, from the cache when it is there."""
    key = fingerprint(functions, width, shape)
    found = cache.read(key)
    if found is None:
        if report is not None:
            report(kind)
        operations = max(f.graph.operations(node for _, node in f.outputs) for f in functions)
        start = time.perf_counter()
        code = _compile([replace(f, name=f"{f.name}_{key}") for f in functions], width, shape)
        info = cache.KernelInfo(kind, operations, width, time.perf_counter() - start)
        cache.write(key, info, code)
    else:
        info, code = found
    engine = _engine()
    first = f"{functions[0].name}_{key}"
    if not _known(first):
        engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        engine.finalize_object()
        _loaded.add(first)
    addresses = {f.name: engine.get_function_address(f"{f.name}_{key}") for f in functions}
    return Loaded(addresses, info, key, found is not None)


_loaded: set[str] = set()


def _known(symbol: str) -> bool:
    return symbol in _loaded


def _compile(functions: list[Function], width: int, shape: Shape) -> bytes:
    parsed = llvm.parse_assembly(module(functions, width, shape))
    parsed.verify()
    return _machine().emit_object(parsed)


def progress_line(kind: str) -> None:
    """The line a user sees while a kernel is compiled for the first time."""
    if sys.stderr.isatty():
        print(f"\r\033[Kcompiling kernel {kind} (once, then cached)", end="", file=sys.stderr, flush=True)
