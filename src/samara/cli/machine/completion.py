"""`samara completion`: a script that lets a shell complete commands, options and ready models."""

from __future__ import annotations

import argparse

from samara.cli.known import MODELS, OF_MODELS
from samara.cli.parser import make_parser
from samara.cli.report import print_json

BASH = """_samara() {{
    local current="${{COMP_WORDS[COMP_CWORD]}}" words=""
    if [ "$COMP_CWORD" -eq 1 ]; then
        words="{commands}"
    else
        case "${{COMP_WORDS[1]}}" in
{cases}
        esac
    fi
    COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o default -F _samara samara
"""


def main(args: argparse.Namespace) -> int:
    """Prints the script."""
    script = _fish() if args.shell == "fish" else _bash(args.shell == "zsh")
    print_json({"shell": args.shell, "script": script}) if args.json else print(script, end="")
    return 0


def _commands() -> dict[str, argparse.ArgumentParser]:
    (commands,) = (a for a in make_parser()._actions if isinstance(a, argparse._SubParsersAction))
    return dict(commands.choices)


def _options(parser: argparse.ArgumentParser) -> list[str]:
    return [
        word for a in parser._actions if a.help != argparse.SUPPRESS for word in a.option_strings if word[:2] == "--"
    ]


def _bash(zsh: bool) -> str:
    cases = []
    for name, parser in _commands().items():
        words = [*_options(parser), *(MODELS if name in OF_MODELS else ())]
        cases.append(f'            {name}) words="{" ".join(words)}";;')
    script = BASH.format(commands=" ".join(_commands()), cases="\n".join(cases))
    return f"autoload -U +X bashcompinit && bashcompinit\n{script}" if zsh else script


def _fish() -> str:
    lines = [f"complete -c samara -n __fish_use_subcommand -f -a '{' '.join(_commands())}'"]
    for name, parser in _commands().items():
        inside = f"complete -c samara -n '__fish_seen_subcommand_from {name}'"
        lines += [f"{inside} -l {word[2:]}" for word in _options(parser)]
        lines += [f"{inside} -a '{' '.join(MODELS)}'"] if name in OF_MODELS else []
    return "\n".join(lines) + "\n"
