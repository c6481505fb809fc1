"""All private names of Numba that the driver depends on, in one place, and the versions they were tested with.

Numba gives no guarantee for these: another version may lack them, or give them another meaning. `pyproject.toml` has
the same bounds, and a test compares them. To support a new version: raise TESTED, run all tests, raise the bounds.
"""

from __future__ import annotations

import numba

#: First and last version with which all tests passed, by their first two numbers.
TESTED = ((0, 68), (0, 68))

try:
    from numba.core import cgutils
    from numba.core.caching import _Cache as Cache
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import CompilerBase, CompileResult
    from numba.core.compiler_machinery import PassManager
    from numba.core.dispatcher import Dispatcher
    from numba.core.environment import _rebuild_env as make_environment
    from numba.core.errors import NumbaError
    from numba.core.funcdesc import PythonFunctionDescriptor
    from numba.core.imputils import impl_ret_borrowed
    from numba.core.runtime import rtsys
    from numba.core.typed_passes import (
        IRLegalization,
        NativeLowering,
        NoPythonBackend,
        NopythonTypeInference,
        PreLowerStripPhis,
    )
    from numba.core.typing.templates import AttributeTemplate, Signature
    from numba.core.untyped_passes import FixupArgs, GenericRewrites, IRProcessing, ReconstructSSA, TranslateByteCode
    from numba.extending import _Intrinsic as Intrinsic
    from numba.np.numpy_support import from_dtype
except ImportError as error:
    first, last = (".".join(map(str, version)) for version in TESTED)
    raise ImportError(
        f"Samara does not work with Numba {numba.__version__} ({error}): install one from {first} to {last}.*"
    ) from error

#: Other members in use, by owner: a version that lacks one is rejected immediately, by name.
_MEMBERS = {
    JITCodeLibrary: (
        "_optimize_functions",
        "_optimize_final_module",
        "_finalize_final_module",
        "_finalize_dynamic_globals",
        "get_pointer_to_function",
        "enable_object_caching",
    ),
    CompilerBase: ("compile_extra", "define_pipelines"),
    CompileResult: ("_reduce", "_rebuild", "_find_referenced_environments"),
    Dispatcher: ("_compile_for_args", "add_overload", "get_call_template", "_insert"),
}


def missing() -> list[str]:
    """Members missing in the installed version of Numba, as owner.member."""
    return [
        f"{owner.__name__}.{name}" for owner, names in _MEMBERS.items() for name in names if not hasattr(owner, name)
    ]


if missing():
    raise ImportError(
        f"Samara does not work with Numba {numba.__version__}, which lacks {', '.join(missing())}: install one from "
        f"{'.'.join(map(str, TESTED[0]))} to {'.'.join(map(str, TESTED[1]))}.*"
    )

__all__ = [
    "TESTED",
    "AttributeTemplate",
    "Cache",
    "CompileResult",
    "CompilerBase",
    "Dispatcher",
    "FixupArgs",
    "GenericRewrites",
    "IRLegalization",
    "IRProcessing",
    "Intrinsic",
    "JITCodeLibrary",
    "NativeLowering",
    "NoPythonBackend",
    "NopythonTypeInference",
    "NumbaError",
    "PassManager",
    "PreLowerStripPhis",
    "PythonFunctionDescriptor",
    "ReconstructSSA",
    "Signature",
    "TranslateByteCode",
    "cgutils",
    "from_dtype",
    "impl_ret_borrowed",
    "make_environment",
    "missing",
    "rtsys",
]
