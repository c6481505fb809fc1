"""Where the scripts lie that draw a machine: ours beside this file, three.js in the package of NiceGUI.

three.js is under the MIT licence, which allows copies that keep its notice (`NOTICE`). It is taken from the installed
package when a page is written, and is no part of Samara.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

#: Of ours, by the names under which they import each other.
OURS = {"samara-flight": "flight_world", "samara-machine": "machine"}
#: Bundle of three.js and its name for those who import it; the panel has it from NiceGUI by the same name.
THREE, BUNDLE = "nicegui-scene", Path("elements", "scene", "dist", "index.js")
#: What pages say of the code that they hold.
NOTICE = """\
This page holds three.js, Copyright 2010-2025 Three.js Authors, with tween.js and stats.js, Copyright their authors,
as bundled by NiceGUI, Copyright Zauberzeug GmbH; all under the MIT licence:

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE."""


def drawing_modules() -> dict[str, Path]:
    """Folders of our modules by their names, each with an index.js."""
    return {name: Path(__file__).with_name(folder) for name, folder in OURS.items()}


def sources() -> dict[str, str]:
    """Texts of all modules of a page by their names; an error says what to install."""
    found = importlib.util.find_spec("nicegui")
    bundle = None if found is None or found.origin is None else Path(found.origin).parent / BUNDLE
    if bundle is None or not bundle.is_file():
        where = "is not installed" if bundle is None else f"has no {BUNDLE.as_posix()}: it is too old or too new"
        raise ImportError(
            f"an animation for the browser needs three.js, which NiceGUI brings, and NiceGUI {where}: "
            "pip install 'samara[panel]'"
        )
    texts = {THREE: bundle.read_text("utf-8").rpartition("//# sourceMappingURL")[0]}
    folders = drawing_modules() | {"samara-player": Path(__file__).with_name("player")}
    return texts | {name: (folder / "index.js").read_text("utf-8") for name, folder in folders.items()}
