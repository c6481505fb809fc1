#!/usr/bin/env python3
"""Set Samara up in .venv when needed, then do one thing.

    ./go run                the Puma's rotor in real time for a minute, its panel in the browser, a summary
    ./go run MODEL ...      run a ready model off-line (`samara run`)
    ./go test               every check: style, types, documentation, all tests
    ./go test ARGS          only the tests, with these pytest arguments
    ./go docs               build the documentation
    ./go samara ARGS        the samara command

Needs Python 3.11 or newer and nothing else: no compiler, no activated environment.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# Old Pythons must be able to read this file as far as require_python(), so: no new syntax, only the
# standard library.
OLDEST = (3, 11)
ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = VENV / "samara-setup.json"
DOCS = ["-q", "-W", "--keep-going", "-j", "auto", "-b", "html", "docs", "docs/_build/html"]
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def main(argv):
    task, args = (argv[0], argv[1:]) if argv else ("", [])
    if task == "run":
        task = ["run", *args] if args else ["realtime", "puma", "--duration", "60"]
        become(environment("panel"), "-m", "samara.cli", *task)
    elif task == "samara":
        become(environment("panel"), "-m", "samara.cli", *args)
    elif task == "test":
        python = environment("dev", "docs")
        browser()
        if args:
            become(python, "-m", "pytest", *args)
        return check_everything(python)
    elif task == "docs":
        python = environment("docs")
        if build_docs(python) != 0:
            return 1
        say("open " + os.path.relpath(str(ROOT / "docs/_build/html/index.html")))
    elif task in ("", "-h", "--help"):
        print(__doc__)
    else:
        raise SystemExit("go: no task '{}'; ./go --help lists them".format(task))
    return 0


# The checks, fastest first ---------------------------------------------------------------------------


def check_everything(python):
    """Run every check even if an early one fails, then say which failed."""
    # They start hundreds of processes, of a second more each where compiled modules are not kept.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    brief = ["--quiet", "--output-format", "concise"]
    turns = [
        {"ruff check": ["ruff", "check", *brief]},
        {"ruff format": ["ruff", "format", "--check", *brief]},
        # mypy has one thread, and the documentation leaves cores idle; the tests use what both leave in their caches
        {"docs": ["sphinx", *DOCS], "mypy": ["mypy", "--no-error-summary"]},
        {"pytest": ["pytest", "-q", "-n", "auto", "--dist", "worksteal"]},
    ]
    failed = [name for turn in turns for name in side_by_side(python, turn)]
    if failed:
        say("FAILED: " + ", ".join(failed))
    return 1 if failed else 0


def side_by_side(python, checks):
    """Run checks, {name: module and arguments}, at the same time, each output under its name; return who failed."""
    (first, command), *others = checks.items()
    begun = []
    for name, words in others:
        output = tempfile.TemporaryFile()
        begun.append((name, output, start(python, "-m", *words, stdout=output, stderr=subprocess.STDOUT)))
    say(first)
    failed = [first] if start(python, "-m", *command).wait() != 0 else []
    for name, output, process in begun:
        if process.wait() != 0:
            failed.append(name)
        say(name)
        output.seek(0)
        print(output.read().decode(errors="replace"), end="", flush=True)
    return failed


def build_docs(python):
    return call(python, "-m", "sphinx", *DOCS)


# The environment -------------------------------------------------------------------------------------


def environment(*extras):
    """Return the Python of an environment that holds Samara with these extras."""
    require_python()
    wanted = set(extras)
    if not runs(PYTHON, "-c", "pass"):
        make_venv()
    done = read_stamp()
    if done is not None and wanted <= done:
        return PYTHON
    wanted |= done or set()
    say("installing Samara and what it needs into .venv (only now, and when pyproject.toml changes)")
    target = ".[{}]".format(",".join(sorted(wanted))) if wanted else "."
    quiet = ["-qq", "--no-input", "--disable-pip-version-check"]
    install = [*pip(PYTHON), "install", *quiet, "--prefer-binary", "--editable", target]
    if call(*install, PIP_ROOT_USER_ACTION="ignore") != 0:
        raise SystemExit("go: the installation failed; pip's message is above")
    STAMP.write_text(json.dumps({"key": setup_key(), "extras": sorted(wanted)}))
    return PYTHON


def browser():
    """A Chromium for the tests of the panel, where it can be had; without one they are skipped, and say so."""
    if any(shutil.which(name) for name in BROWSERS):
        return
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        say("no Chromium here: the tests of the panel in a browser will be skipped")
        return
    say("installing Chromium, for the tests of the panel")
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    call("apt-get", "-qq", "update", **quiet)
    call("apt-get", "-qq", "-y", "install", "--no-install-recommends", "chromium", **quiet)


def require_python():
    """Go on with a newer Python if this one is too old and the machine has one."""
    if sys.version_info >= OLDEST:
        return
    for minor in range(30, OLDEST[1] - 1, -1):
        newer = shutil.which("python3.{}".format(minor))
        if newer and runs(newer, "-c", "import venv"):
            become(newer, __file__, *sys.argv[1:])
    raise SystemExit(
        "go: Samara needs Python {}.{} or newer, and this is Python {}.{} ({}).\n"
        "Install a newer one (Debian, Ubuntu: sudo apt install python3.12 python3.12-venv) and start again;\n"
        "python3.11 and newer are found by themselves when they are on the PATH.".format(
            OLDEST[0], OLDEST[1], sys.version_info[0], sys.version_info[1], sys.executable
        )
    )


def make_venv():
    """Make .venv, also where the distribution keeps pip apart from Python (Debian without python3-venv)."""
    try:
        import ensurepip  # noqa: F401
        import venv
    except ImportError:
        has_pip = False
        try:
            import venv
        except ImportError:
            raise SystemExit(no_venv_message()) from None
    else:
        has_pip = True
    say("making .venv with Python {}.{}".format(*sys.version_info[:2]))
    venv.create(str(VENV), with_pip=has_pip, clear=True)


def pip(python):
    """Return a pip that installs into this environment: its own, or the machine's."""
    if runs(python, "-m", "pip", "--version"):
        return [python, "-m", "pip"]
    if runs(python, "-m", "ensurepip", "--default-pip"):
        return [python, "-m", "pip"]
    borrowed = [sys.executable, "-m", "pip", "--python", python]
    if runs(*borrowed, "--version"):
        return borrowed
    raise SystemExit(no_venv_message())


def no_venv_message():
    return (
        "go: this Python ({0}) comes without venv or pip.\n"
        "Debian, Ubuntu: sudo apt install python{1}.{2}-venv\n"
        "Others: install the package of your system that holds Python's ensurepip, then start again.".format(
            sys.executable, *sys.version_info[:2]
        )
    )


def setup_key():
    """Whatever makes an installation stale: the project file, the place, the Python."""
    parts = [(ROOT / "pyproject.toml").read_text(encoding="utf-8"), str(ROOT), str(PYTHON.resolve())]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def read_stamp():
    """Return the extras of a finished, current installation, or None."""
    try:
        stamp = json.loads(STAMP.read_text())
        return set(stamp["extras"]) if stamp["key"] == setup_key() else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


# Processes -------------------------------------------------------------------------------------------


def call(*command, **variables):
    return start(*command, env=dict(os.environ, **variables)).wait()


def start(*command, **how):
    sys.stdout.flush()
    return subprocess.Popen([str(word) for word in command], cwd=str(ROOT), **how)


def runs(*command):
    try:
        null = subprocess.DEVNULL
        return subprocess.call([str(word) for word in command], stdout=null, stderr=null) == 0
    except OSError:
        return False


def become(*command):
    """Give this process to the command, so that Ctrl-C and the exit status are its own."""
    words = [str(word) for word in command]
    sys.stdout.flush()
    if os.name == "nt":
        raise SystemExit(subprocess.call(words))
    os.execv(words[0], words)


def say(text):
    print("\033[1m== {}\033[0m".format(text) if sys.stdout.isatty() else "== " + text, flush=True)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
