"""The process of a controller, as started by experiments and by `samara controller`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from samara.entry import CommandError, conduct, one_line, print_json, told
from samara.models.files import execute, guarded
from samara.models.registry import from_text, look_up
from samara.realtime.controllers import Controller, ControllerError, Summary, connect, run
from samara.realtime.controllers.ready import READY


def control(
    name: str, settings: dict[str, str], *, session: str | None = None, timeout: float = 10.0, **how: Any
) -> Summary:
    """Runs a ready controller, or the one in a Python file, until it ends.

    settings: tunable numbers as texts. session: of the simulator; None: that which the controller is made for.
    timeout:  how long to wait for the simulator [s]. how: duration and wait, see `samara.realtime.controllers.run`.
    """
    kind = find(name)
    try:
        controller = guarded(Path(name), lambda: kind(**{key: from_text(text) for key, text in settings.items()}))
    except ControllerError as error:
        raise CommandError(one_line(error)) from error
    session = session or kind.session
    if not session:
        raise CommandError(f"{name}: the session of the simulator is missing: --session NAME")
    link = connect(session, kind.__name__.lower(), timeout)
    return run(controller, link, report=_tell, **how)


def find(name: str) -> type[Controller]:
    """A ready controller by name, or the one in a Python file."""
    if not name.endswith(".py"):
        return look_up(READY, name, "ready controller")
    module = execute(Path(name))
    own = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Controller) and value.__module__ == module.__name__
    ]
    ends = [kind for kind in own if not any(kind in other.__mro__[1:] for other in own)]
    if not ends:
        raise CommandError(
            f"{name}: defines no controller: define a subclass of samara.realtime.controllers.Controller"
        )
    if len(ends) > 1:
        raise CommandError(f"{name}: defines several controllers ({', '.join(k.__name__ for k in ends)}): keep one")
    return ends[0]


def _tell(line: str) -> None:
    print(f"samara controller: {line}", file=sys.stderr, flush=True)


def main() -> int:
    """Runs the controller that this process was told, and prints its summary as JSON."""
    print_json(control(**told()).as_dict())
    return 0


if __name__ == "__main__":
    sys.exit(conduct("samara controller", main, as_json=True))
