"""What a command works on: a model by its name or file, with the settings of the command line."""

from __future__ import annotations

from samara.cli.report import CommandError
from samara.model.model import Redundant
from samara.models import target
from samara.models.target import Target


def load(name: str, settings: list[str], redundant: Redundant | None = None) -> Target:
    """The model of that name or file, with settings like ``mass=2``; `redundant` replaces the model's own choice."""
    return target.load(name, parse_settings(settings), redundant)


def parse_settings(settings: list[str]) -> dict[str, str]:
    """Texts by name from ``name=value``."""
    chosen: dict[str, str] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise CommandError(f"--set {setting}: expected NAME=VALUE")
        if name.strip() in chosen:
            raise CommandError(f"--set gives {name.strip()} twice")
        chosen[name.strip()] = value.strip()
    return chosen
