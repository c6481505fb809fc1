"""The picture and the page that a command leaves beside what it prints: refused before the work, written after it."""

from __future__ import annotations

import functools
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from samara.cli.report import CommandError, require_picture
from samara.results.netcdf import require_folder
from samara.solve.files import trouble
from samara.viewer.show import PAGES, picture_path


def require_pictures(plot: str | None, animate: str | None = None, endings: Sequence[str] = PAGES) -> None:
    """Refuses files of --plot and --animate that cannot be what they are to be, or cannot be written.

    endings: that an animation's file may have; none: any that is known.
    """
    if animate:
        try:
            picture_path(animate, endings)
        except (OSError, ValueError) as error:
            raise CommandError(f"--animate {error}") from None
    if plot:
        require_picture(plot)
    for option, name in (("--plot", plot), ("--animate", animate)):
        if name:
            require_folder(Path(name))
            _require_writable(option, Path(name))


def _require_writable(option: str, path: Path) -> None:
    """Tries it: rights alone do not tell, for a disk may be read-only, and some folders take no files at all."""
    try:
        if path.is_file():
            os.close(os.open(path, os.O_WRONLY | os.O_APPEND))
        elif not path.exists():
            tempfile.TemporaryFile(dir=path.absolute().parent).close()
    except OSError as error:
        raise CommandError(f"{option} {path}: cannot be written ({error.strerror}); choose another file") from None


def keep_pictures(**jobs: tuple[str | None, Callable[[str], Any]]) -> tuple[dict[str, str], list[str]]:
    """Writes what was asked for; {what: file}, and what could not be written, a sentence each.

    jobs: name of the file, or nothing, and who writes it, by what it is: plot, animate.
    """
    files: dict[str, str] = {}
    troubles: list[str] = []
    for what, (name, job) in jobs.items():
        if name:
            missed = trouble(name, functools.partial(job, name))
            files |= {} if missed else {what: name}
            troubles += missed
    return files, troubles
