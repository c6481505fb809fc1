"""How native driver functions become code: parts are optimised where they are used, wholes once.

Numba generates machine code for every function that it compiles, including those only linked into others: it optimises
each of them, writes code that nobody calls and a Python wrapper, and optimises all of it again where it is used.
Here a *part* is left unoptimised until it is linked into a *whole*; and since no memory is managed, one run of the
optimiser suffices, where Numba's reference counting takes two.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Callable, Iterator
from typing import Any

from samara.tracing.compiling import COMPILING
from samara.tracing.driver.numba_internals import (
    CompilerBase,
    FixupArgs,
    GenericRewrites,
    IRLegalization,
    IRProcessing,
    JITCodeLibrary,
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
    PassManager,
    PreLowerStripPhis,
    ReconstructSSA,
    TranslateByteCode,
)


class _Part(JITCodeLibrary):
    """Code that is only ever linked into other code."""

    @property
    def codegen(self) -> Any:
        return _Unloaded(self._codegen)

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        """Left to the whole that it is linked into."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return 0


class _Unloaded:
    """Numba's code generator for libraries that are not loaded into memory yet."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, env: Any) -> None:
        """Left to the whole that it is linked into."""


class _Whole(JITCodeLibrary):
    """Code that is called."""

    compile_seconds = 0.0  # processor time, without the functions that it calls

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        manager, builder = self._codegen._module_pass_manager()
        manager.run(self._final_module, builder)


class _Plain(CompilerBase):
    """Numba's compilation pipeline without the passes that plain loops over arrays do not need.

    No closures, `with` blocks, unrolled tuples, fused array expressions or pruned branches: each of these passes
    examines every function, some several times.
    """

    def define_pipelines(self) -> list[PassManager]:
        manager = PassManager("plain")
        for each in (
            TranslateByteCode,
            FixupArgs,
            IRProcessing,
            GenericRewrites,
            ReconstructSSA,
            NopythonTypeInference,
            PreLowerStripPhis,
            IRLegalization,
            NativeLowering,
            NoPythonBackend,
        ):
            manager.add_pass(each, each.__name__)
        manager.finalize()
        return [manager]

    def _of_parts(self, func: Callable, library: Any) -> Any:
        """Compiles a function; anything compiled meanwhile is a part. Holds Numba's lock."""
        self.state.library = library
        library.enable_object_caching()
        with _parts(library._codegen):
            return super().compile_extra(func)


@contextlib.contextmanager
def _made_as(library_class: type, codegen: Any) -> Iterator[None]:
    """Context in which the libraries that Numba makes are of this class."""
    before = vars(codegen).get("_library_class")
    codegen._library_class = library_class
    try:
        yield
    finally:
        del codegen._library_class
        if before is not None:
            codegen._library_class = before


def loaded(codegen: Any) -> contextlib.AbstractContextManager[None]:
    """Context for loading functions from the cache, perhaps for one being compiled: they are wholes."""
    return _made_as(_Whole, codegen)


@contextlib.contextmanager
def _parts(codegen: Any) -> Iterator[None]:
    """Context in which anything compiled is a part; garbage collection, which took a tenth of the time, is paused."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        with _made_as(_Part, codegen):
            yield
    finally:
        if collecting:
            gc.enable()


class PartCompiler(_Plain):
    """Compiles a part, and the parts that it needs."""

    def compile_extra(self, func: Callable) -> Any:
        return self._of_parts(func, _Part(self.state.targetctx.codegen(), func.__qualname__))


class WholeCompiler(_Plain):
    """Compiles a function that is called, and the parts that it needs."""

    def compile_extra(self, func: Callable) -> Any:
        codegen = self.state.targetctx.codegen()
        library = _Whole(codegen, func.__qualname__)
        with COMPILING.function(func.__name__.strip("_")) as time:
            result = self._of_parts(func, library)
        library.compile_seconds = time.seconds
        for env in result._find_referenced_environments():
            codegen.set_env(env.env_name, env)
        return result
