"""`samara run --partition`: a run in parts, and what is refused."""

import json

import pytest

from samara.cli import main


def run(capsys, *arguments: str) -> dict:
    assert main(["run", "puma", "--end", "0.02", "--json", *arguments]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        (("--partition", "blades"), {"partition": "4 parts by blades", "backend": "lanes"}),
        (
            ("--partition", "2", "--backend", "threads", "--threads", "2"),
            {"partition": "2 parts by METIS", "backend": "threads", "threads": 2},
        ),
    ],
)
def test_a_run_in_parts(capsys, arguments, options):
    found = run(capsys, *arguments)
    assert options.items() <= found["options"].items()
    assert found["counters"]["iterations"] == run(capsys)["counters"]["iterations"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--threads", "2"), 'requires backend="threads"'),
        (("--backend", "threads"), "requires a partition"),
        (("--partition", "wings"), 'by must be "blades"'),
        (("--partition", "90"), "cannot be cut into 90 parts"),
        (("--partition", "blades", "--backend", "lanes", "--threads", "2"), 'requires backend="threads"'),
    ],
)
def test_refused(capsys, arguments, words):
    assert main(["run", "puma", *arguments]) != 0
    assert words in capsys.readouterr().err
