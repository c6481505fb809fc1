"""The benchmark chain, and the flexible rotor, in other codes.

None of them is a dependency: a peer that is missing leaves its rows out.

    reference.py        the independent solution that all are measured against
    exudyn_chain.py     Exudyn: redundant coordinates, implicit, sparse: closest to Samara's engine
    exudyn_rotor.py     four flexible blades in Exudyn
    mujoco_chain.py     MuJoCo: minimal coordinates, explicit
    pinocchio_chain.py  Pinocchio: minimal coordinates, explicit
    mujoco_tree.py, pinocchio_tree.py   trees of rigid bodies, for the recursive formulation
    siconos_cases.py    Siconos: impacts; from Debian, so it runs in a process of the system's interpreter
    compare.py          all chains as rows of a report
"""

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

PEERS = {
    "exudyn": ("exudyn", "exudyn_chain"),
    "mujoco": ("mujoco", "mujoco_chain"),
    "pinocchio": ("pinocchio", "pinocchio_chain"),
}
"""Name of the peer -> (package that it needs, module of this folder that runs it)."""


def available() -> dict[str, ModuleType | str]:
    """For each peer its module, with a function `run`, or one line: why it is missing, how to get it."""
    found: dict[str, ModuleType | str] = {}
    for name, (_, module) in PEERS.items():
        found[name] = missing(name) or import_module(f"{__name__}.{module}")
    return found


def missing(name: str) -> str | None:
    """One line: why a peer cannot be had, and how to get it; None if it can."""
    package, _ = PEERS[name]
    if find_spec(package) is None:
        return f"{name}: not installed, its rows are left out (remedy: pip install samara[bench])"
    try:
        import_module(package)
    except ImportError as error:
        why = f"fails to import, its rows are left out: {' '.join(str(error).split())}"
        return f"{name}: {why} (remedy: pip install samara[bench])"
    return None
