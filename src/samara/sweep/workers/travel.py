"""How a study gets to other processes: functions travel by value where the other side could not import them."""

from __future__ import annotations

import contextlib
import pickle
import sys
import sysconfig
from pathlib import Path
from types import ModuleType
from typing import Any

import samara
from samara.sweep.errors import SweepError
from samara.sweep.study import Study


def pack(study: Study) -> bytes:
    """The study as bytes, with the version of Samara. Lambdas, closures and functions of a script need cloudpickle."""
    return pickle.dumps((samara.__version__, _packed(study)))


def unpack(packed: bytes) -> Study:
    """The study again; refused where another version of Samara would carry it out."""
    version, study = pickle.loads(packed)
    if version != samara.__version__:
        raise SweepError(f"it has Samara {samara.__version__}, the sweep comes from {version}: install the same there")
    return pickle.loads(study)


def _packed(study: Study) -> bytes:
    try:
        import cloudpickle
    except ImportError:
        return _pack_plainly(study)
    by_value = [module for module in _modules(study) if not installed(module)]
    for module in by_value:
        cloudpickle.register_pickle_by_value(module)
    try:
        return cloudpickle.dumps(study)
    except Exception as error:
        raise SweepError(
            f"make or measure cannot be sent to another process ({type(error).__name__}: {error}): let them make what "
            "they need themselves, or do without workers"
        ) from error
    finally:
        for module in by_value:
            cloudpickle.unregister_pickle_by_value(module)


def _pack_plainly(study: Study) -> bytes:
    remedy = "install cloudpickle (pip install samara[sweep]), or define them in a module that can be imported"
    for what, function in (("make", study.make), ("measure", study.measure)):
        if getattr(function, "__module__", "") == "__main__":
            raise SweepError(f"{what} is defined in the script itself and cannot be sent to another process: {remedy}")
    try:
        return pickle.dumps(study)
    except Exception as error:
        raise SweepError(f"make or measure cannot be sent to another process ({error}): {remedy}") from error


def _modules(study: Study) -> list[ModuleType]:
    """Where make and measure, and the functions that they hold, are defined; cloudpickle knows a script's own."""
    names: dict[str, None] = {}
    waiting, seen = [study.make, study.measure], set()
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        names |= dict.fromkeys([getattr(thing, "__module__", None) or "", type(thing).__module__])
        waiting += _held(thing)
    return [sys.modules[name] for name in names if name in sys.modules and name not in ("__main__", "builtins")]


def _held(thing: Any) -> list[Any]:
    """Functions and objects that a function closes over, or that a partial call is made of."""
    found = [getattr(thing, "__func__", None), getattr(thing, "__self__", None), getattr(thing, "func", None)]
    found += [*getattr(thing, "args", ()), *getattr(thing, "keywords", {}).values()] if found[-1] is not None else []
    for cell in getattr(thing, "__closure__", None) or ():
        with contextlib.suppress(ValueError):  # not filled yet
            found.append(cell.cell_contents)
    return [one for one in found if callable(one) and not isinstance(one, ModuleType)]


def installed(module: ModuleType) -> bool:
    """Whether other processes, and workers on other machines, can be expected to have it too."""
    file = getattr(module, "__file__", None)
    if file is None or module.__name__.partition(".")[0] == "samara":
        return True
    path = Path(file).resolve()
    if not {"site-packages", "dist-packages"}.isdisjoint(path.parts):  # of any prefix: the user's own, the system's
        return True
    places = {Path(place).resolve() for name, place in sysconfig.get_paths().items() if name.endswith("lib")}
    return any(place in path.parents for place in places)
