"""How native functions of the driver become code: parts are optimised where they are used, wholes once.

Numba makes machine code of every function that it compiles, also of those that are only taken into others: it optimises
each of them, writes code that no one calls and a wrapper for Python, and optimises all of it again where it is used.
Here a *part* stays as it was written until it is within a *whole*; and where no memory is managed one run of the
optimiser does, where Numba's counting of references takes two.
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
    """Code that is only ever linked into that of others."""

    @property
    def codegen(self) -> Any:
        return _Unloaded(self._codegen)

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        """Whatever takes it in optimises it."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return 0


class _Unloaded:
    """Numba's code generator for what is in no memory yet."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, env: Any) -> None:
        """The whole that takes it in sets it."""


class _Whole(JITCodeLibrary):
    """Code that is called."""

    compile_seconds = 0.0  # of processor time, without what it calls

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        manager, builder = self._codegen._module_pass_manager()
        manager.run(self._final_module, builder)


class _Plain(CompilerBase):
    """Numba's way from Python to native code without what plain loops on arrays do not need.

    No closures, `with` blocks, unrolled tuples, fused array expressions or pruned branches: each of these has a look at
    every function, some have several.
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
        """Compiles a function; whatever is compiled meanwhile are parts. Numba's lock is held."""
        self.state.library = library
        library.enable_object_caching()
        with _parts(library._codegen):
            return super().compile_extra(func)


@contextlib.contextmanager
def _made_as(library_class: type, codegen: Any) -> Iterator[None]:
    """Libraries that Numba makes meanwhile are of that class."""
    before = vars(codegen).get("_library_class")
    codegen._library_class = library_class
    try:
        yield
    finally:
        del codegen._library_class
        if before is not None:
            codegen._library_class = before


def loaded(codegen: Any) -> contextlib.AbstractContextManager[None]:
    """While functions are loaded from the cache, perhaps for one that is being compiled: they are wholes."""
    return _made_as(_Whole, codegen)


@contextlib.contextmanager
def _parts(codegen: Any) -> Iterator[None]:
    """What is compiled meanwhile are parts; no rubbish is collected, which took a tenth of the time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        with _made_as(_Part, codegen):
            yield
    finally:
        if collecting:
            gc.enable()


class PartCompiler(_Plain):
    """Compiles a part, and parts for it."""

    def compile_extra(self, func: Callable) -> Any:
        return self._of_parts(func, _Part(self.state.targetctx.codegen(), func.__qualname__))


class WholeCompiler(_Plain):
    """Compiles a function that is called, and parts for it."""

    def compile_extra(self, func: Callable) -> Any:
        codegen = self.state.targetctx.codegen()
        library = _Whole(codegen, func.__qualname__)
        with COMPILING.function(func.__name__.strip("_")) as time:
            result = self._of_parts(func, library)
        library.compile_seconds = time.seconds
        for env in result._find_referenced_environments():
            codegen.set_env(env.env_name, env)
        return result
