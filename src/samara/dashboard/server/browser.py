"""Shows a page in the user's browser, where there is a screen."""

from __future__ import annotations

import os
import sys
import threading
import webbrowser


def has_screen() -> bool:
    """Whether a window can be shown: a terminal alone is not enough, its browsers would take it over."""
    return sys.platform in ("win32", "darwin") or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def show(address: str) -> None:
    """Opens the page, without waiting for the browser."""
    if has_screen():
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
