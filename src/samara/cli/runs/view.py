"""`samara view`: shows saved results in three dimensions, in a browser."""

from __future__ import annotations

import argparse
import webbrowser
from pathlib import Path

from samara.cli.report import FAILED, CommandError, one_line, print_json
from samara.dashboard.server.browser import has_screen
from samara.results import Results
from samara.viewer.show import PAGES, picture_path


def main(args: argparse.Namespace) -> int:
    """Writes the page beside the results, and opens it where there is a screen."""
    try:
        path = picture_path(args.to or Path(args.file).with_suffix(".html"))
        results, beside = (None if name is None else Results.load(name) for name in (args.file, args.beside))
        assert results is not None  # it was named
        results.animate(path, beside=beside, rate=args.rate, channels=args.channels)
    except (OSError, ValueError) as error:  # files that are not there, or not what they should be
        raise CommandError(one_line(error)) from None
    except (ImportError, RuntimeError) as error:
        raise CommandError(one_line(error), FAILED) from error
    if args.json:
        print_json({"file": str(path), "bytes": path.stat().st_size})
    else:
        print(f"{path}: {path.stat().st_size / 1e6:.2g} MB")
    if args.open and path.suffix.lower() in PAGES and not args.json and has_screen():
        webbrowser.open(path.absolute().as_uri())
    return 0
