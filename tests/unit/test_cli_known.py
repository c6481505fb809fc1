"""Names that the command line knows without loading anything, and what it does with misspelt ones."""

import os
import subprocess
import sys

import pytest

from samara.cli import COMMANDS, main
from samara.cli.known import MODELS
from samara.models import READY


def test_the_list_of_models_is_that_of_the_ready_ones():
    assert list(READY) == MODELS


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["relatime", "puma"], "did you mean realtime?"),
        (["run", "pumma"], "there is no ready model 'pumma'; did you mean puma?"),
        (["modes", "quadroter"], "did you mean quadrotor?"),
        (["realtime", "puma", "--policy", "hld"], "did you mean hold?"),
        (["completion", "bsh"], "did you mean bash or zsh?"),
    ],
)
def test_a_misspelt_word_is_answered_with_the_nearest(words, hint, capsys):
    assert main(words) == 2
    assert hint in capsys.readouterr().err


def test_a_wrong_name_is_refused_before_anything_is_loaded():
    """NumPy alone takes longer than help and errors may."""
    code = "import sys; from samara.cli import main; main(sys.argv[1:]); print(*sys.modules)"
    for words in (["run", "pumma"], ["sweep", "pumma", "--vary", "a=1:2:3"], ["fly"]):
        done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True)
        assert done.returncode == 0 and "numpy" not in done.stdout.split()


def test_every_command_can_be_completed(capsys):
    for shell in ("bash", "zsh", "fish"):
        assert main(["completion", shell]) == 0
        script = capsys.readouterr().out
        assert all(name in script for name in [*COMMANDS, "puma", "quadrotor"])
    main(["completion", "bash"])
    script = capsys.readouterr().out
    asked = f"{script}\nCOMP_WORDS=(samara realtime pu) COMP_CWORD=2; _samara; echo ${{COMPREPLY[@]}}"
    done = subprocess.run(["bash", "-c", asked], capture_output=True, text=True)
    assert done.stdout.split() == [name for name in MODELS if name.startswith("pu")]


def test_doctor_and_sessions(capsys):
    from samara.realtime import Session, Signal

    name = f"test-sessions-{os.getpid()}"
    assert main(["doctor"]) == 0
    told = capsys.readouterr().out
    assert all(word in told for word in ("processor", "lanes", "compiled code", "locked memory", "matplotlib"))
    with Session.create(name, rate=100.0, sensors=[Signal("wave", "m")], model="waves"):
        assert main(["sessions"]) == 0
        line = next(line for line in capsys.readouterr().out.splitlines() if line.startswith(name))
    assert "waves" in line and "ready" in line and "100 Hz" in line and "none" in line
    assert main(["sessions"]) == 0
    assert name not in capsys.readouterr().out
