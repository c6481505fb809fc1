"""`samara doctor`: what this machine offers, what is missing, and how to get it. Changes nothing."""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import os
import platform
import resource
import shutil
import sys
from pathlib import Path
from typing import NamedTuple

from samara import __version__
from samara.cli.report import print_json

#: Packages beside the core: what they are for, and the extra that brings them.
OPTIONAL = {
    "nicegui": ("the panel in the browser", 'pip install "samara[panel]"'),
    "h5py": ("results as NetCDF files", "pip install h5netcdf h5py"),
    "h5netcdf": ("results as NetCDF files", "pip install h5netcdf h5py"),
    "xarray": ("labelled arrays", "pip install xarray"),
    "matplotlib": ("plots", "pip install matplotlib"),
    "distributed": ("sweeps on a Dask cluster", "pip install distributed"),
    "mpi4py": ("substructures on several machines", "pip install mpi4py"),
}


class MachineFinding(NamedTuple):
    """What was looked at, whether it is as it should be, what was found, and what to do about it."""

    what: str
    good: bool
    found: str
    remedy: str = ""


def main(args: argparse.Namespace) -> int:
    """Lists what was found; exit code 0 also where something is missing."""
    found = [*_machine(), *_caches(), *_priorities(), *_packages()]
    if args.json:
        print_json({"version": __version__, "findings": [one._asdict() for one in found]})
        return 0
    print(f"Samara {__version__}, Python {platform.python_version()} ({sys.executable}), {platform.platform()}")
    for one in found:
        print(f"  {'ok ' if one.good else '-- '} {one.what:<22}{one.found}" + (f"; {one.remedy}" if one.remedy else ""))
    missing = sum(not one.good for one in found)
    print(f"{missing} to look at, marked --" if missing else "nothing is missing")
    return 0


def _machine() -> list[MachineFinding]:
    from samara.tracing.kernels.native import native_width

    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    few = "real time wants a core for the loop alone, and one for all else" if cores < 2 else ""
    return [
        MachineFinding("processor", True, _processor()),
        MachineFinding("cores", cores > 1, f"{cores} for this process", few),
        MachineFinding("lanes", True, f"{native_width()} numbers of double precision at once"),
    ]


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def _caches() -> list[MachineFinding]:
    from samara.tracing import cache

    place = cache.directory()
    try:
        files = [path for path in place.rglob("*") if path.is_file()]
        size = sum(path.stat().st_size for path in files)
        free = shutil.disk_usage(place).free
    except OSError as error:
        return [
            MachineFinding("compiled code", False, f"{place}: {error.strerror}", "name another folder by SAMARA_CACHE")
        ]
    small = "free some space, or name another folder by SAMARA_CACHE" if free < 1e9 else ""
    told = f"{len(files)} files, {size * 1e-6:.0f} MB in {place}, {free * 1e-9:.0f} GB free"
    return [MachineFinding("compiled code", free >= 1e9, told, small)]


def _priorities() -> list[MachineFinding]:
    found = []
    for what, name, limit, remedy in (
        ("real-time priority", "RLIMIT_RTPRIO", 50, "set `rtprio 99` in /etc/security/limits.d, or give CAP_SYS_NICE"),
        ("locked memory", "RLIMIT_MEMLOCK", 1 << 30, "set `memlock unlimited` in limits.d, or give CAP_IPC_LOCK"),
    ):
        if not hasattr(resource, name):
            continue
        soft = resource.getrlimit(getattr(resource, name))[0]
        good = os.geteuid() == 0 or soft == resource.RLIM_INFINITY or soft >= limit
        words = "root" if os.geteuid() == 0 else "no limit" if soft == resource.RLIM_INFINITY else f"limit {soft}"
        found.append(MachineFinding(what, good, words, "" if good else remedy))
    governors = {
        path.read_text().strip() for path in Path("/sys/devices/system/cpu").glob("cpu*/cpufreq/scaling_governor")
    }
    if governors:
        steady = governors == {"performance"}
        remedy = "" if steady else "`sudo cpupower frequency-set -g performance` makes steps steadier in real time"
        found.append(MachineFinding("frequency governor", steady, ", ".join(sorted(governors)), remedy))
    return found


def _packages() -> list[MachineFinding]:
    found = []
    for name, (purpose, remedy) in OPTIONAL.items():
        if importlib.util.find_spec(name) is None:
            found.append(MachineFinding(name, False, f"not installed: {purpose}", remedy))
        else:
            found.append(MachineFinding(name, True, f"{importlib.metadata.version(name)}: {purpose}"))
    return found
