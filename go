#!/usr/bin/env python3
"""Set Samara up in .venv when needed, then do one thing.

    ./go run                the Puma's rotor in real time for a minute, its panel in the browser, a summary
    ./go run MODEL ...      run a ready model off-line (`samara run`)
    ./go test               every check: style, types, documentation, the wheel, all tests
    ./go test LANE          the tests of a lane: {lanes}
    ./go test ARGS          only the tests, with these pytest arguments
    ./go lowest [ARGS]      the tests, with these pytest arguments, with the oldest versions that pyproject.toml allows
    ./go lock               renew requirements/: the versions, with their hashes, that these commands install
    ./go docs               build the documentation
    ./go wheel              build the distributions, and try the wheel in an environment of its own
    ./go samara ARGS        the samara command

Needs Python 3.11 or newer and nothing else: no compiler, no activated environment.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

# Old Pythons must be able to read this file as far as require_python(), so: no new syntax, only the
# standard library.
OLDEST = (3, 11)
ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
STAMP = "samara-setup.json"
LOCKS = ROOT / "requirements"
# What an environment is for, and the extras that its lock file holds; one that holds more serves as well.
ENVIRONMENTS = {"run": ["panel", "setup"], "all": ["panel", "setup", "dev", "docs"]}
ENVIRONMENTS["lowest"] = ENVIRONMENTS["all"]
# How their versions are chosen: the newest; those of "all" again; the oldest that pyproject.toml allows.
RESOLVED = {"all": [], "run": ["--constraint", LOCKS / "all.txt"], "lowest": ["--resolution", "lowest-direct"]}
TELL_EVERY = 10.0  # [s], where there is no terminal
DOCS = ["-q", "-W", "--keep-going", "-j", "auto", "-b", "html", "docs", "docs/_build/html"]
PARALLEL = ["-n", "auto", "--dist", "worksteal"]
LANES = {
    "quick": ["tests/unit", "--quick"],  # what needs no native code
    "unit": ["tests/unit"],
    "contract": ["tests/contract"],
    "physics": ["tests/physics", "tests/formulations", "tests/invariance"],
    "reference": ["tests/reference"],
    "e2e": ["tests/e2e"],
}
# Their tests start processes and wait for clocks: what fails there beside all else is run again alone, and told.
CLOCKED, UNSTEADY = ("tests/e2e/", "tests/unit/realtime/"), 3
BEHIND = {"preexec_fn": lambda: os.nice(5)} if hasattr(os, "nice") else {}
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def main(argv):
    task, args = (argv[0], argv[1:]) if argv else ("", [])
    if task == "run":
        task = ["run", *args] if args else ["realtime", "puma", "--duration", "60"]
        become(environment("run"), "-m", "samara.cli", *task)
    elif task == "samara":
        become(environment("run"), "-m", "samara.cli", *args)
    elif task == "test":
        python = environment("all")
        browser()
        if args and args[0] in LANES:
            become(python, "-m", "pytest", "-q", *PARALLEL, *LANES[args[0]], *args[1:])
        if args:
            become(python, "-m", "pytest", *args)
        return check_everything(python)
    elif task == "wheel":
        return try_wheel(environment("all"))
    elif task == "docs":
        python = environment("all")
        if build_docs(python) != 0:
            return 1
        say("open " + os.path.relpath(str(ROOT / "docs/_build/html/index.html")))
    elif task == "lock":
        return lock()
    elif task == "lowest":
        python = environment("lowest", ROOT / ".venv-lowest")
        become(python, "-m", "pytest", *(args or PARALLEL))
    elif task in ("", "-h", "--help"):
        print(__doc__.format(lanes=", ".join(LANES)))
    else:
        raise SystemExit("go: no task '{}'; ./go --help lists them".format(task))
    return 0


# The checks, fastest first ---------------------------------------------------------------------------


def check_everything(python):
    """Run every check even if an early one fails, then say which failed and what each took."""
    # They start hundreds of processes, of a second more each where compiled modules are not kept.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    # Tests and figures share kernels that LLVM does not optimise: made in a quarter of the time, run nearly as fast.
    os.environ.setdefault("SAMARA_OPTIMISATION", "0")
    brief = ["--quiet", "--output-format", "concise"]
    kept = tempfile.TemporaryDirectory()  # which tests failed
    tests = ["-m", "pytest", "-q", "-o", "cache_dir=" + kept.name]
    turns = [
        {"ruff check": ["-m", "ruff", "check", *brief]},
        {"ruff format": ["-m", "ruff", "format", "--check", *brief]},
        # the solver, which all that follow would otherwise compile at the same time
        {"warm": ["-m", "samara.cli", "warm", "pendulum"], "mypy": ["-m", "mypy", "--no-error-summary"]},
        # the documentation and the wheel leave cores idle, and the tests wait for clocks
        {"pytest": [*tests, *PARALLEL], "docs": ["-m", "sphinx", *DOCS], "wheel": [ROOT / "go", "wheel"]},
    ]
    done = [check for turn in turns for check in side_by_side(python, turn)]
    say("processor time [min]: " + ", ".join("{} {:.1f}".format(name, minutes) for name, _, minutes in done))
    failed = [name for name, status, _ in done if status != 0]
    if ("pytest", 1) in [check[:2] for check in done] and steady_alone(python, tests, Path(kept.name)):
        failed.remove("pytest")
    if failed:
        say("FAILED: " + ", ".join(failed))
    return 1 if failed else 0


def steady_alone(python, tests, kept):
    """Whether the few tests that failed all wait for clocks and processes, and pass where nothing runs beside them."""
    record = kept / "v/cache/lastfailed"
    names = sorted(json.loads(record.read_text(encoding="utf-8"))) if record.exists() else []
    if not 0 < len(names) <= UNSTEADY or not all(name.startswith(CLOCKED) and "::" in name for name in names):
        return False
    say("again, with nothing beside them: " + ", ".join(names))
    if call(python, *tests, *names) != 0:
        return False
    say("UNSTEADY, to be mended (they failed once and passed alone): " + ", ".join(names))
    return True


def side_by_side(python, checks):
    """Run checks, {name: Python's arguments}, at the same time; (name, exit status, processor time [min]) of each.

    The first is heard as it goes on; the others, a little behind it, show their output under their names in the end.
    """
    (first, command), *others = checks.items()
    begun = []
    for name, words in others:
        output = tempfile.TemporaryFile()
        begun.append((name, output, start(python, *words, stdout=output, stderr=subprocess.STDOUT, **BEHIND)))
    say(first)
    done = [(first, *end(start(python, *command)))]
    for name, output, process in begun:
        done.append((name, *end(process)))
        say(name)
        output.seek(0)
        print(output.read().decode(errors="replace"), end="", flush=True)
    return done


def build_docs(python):
    return call(python, "-m", "sphinx", *DOCS)


def try_wheel(python):
    """Build the distributions, and run the README's first model from the wheel in an environment that has only that."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        built, place, model = folder / "dist", folder / "venv", folder / "model.py"
        if call(python, "-m", "build", "--no-isolation", "--outdir", built) != 0:
            return 1
        if call(python, "-m", "twine", "check", "--strict", *built.iterdir()) != 0:
            return 1
        make_venv(place)
        install(python_of(place), "run", *built.glob("*.whl"))
        first = re.search(r"(?s)```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8")).group(1)
        own = "import samara, sys\nassert samara.__file__.startswith(sys.prefix), samara.__file__\n"
        model.write_text(own + first, encoding="utf-8")
        failed = subprocess.call([str(python_of(place)), str(model)], cwd=name, env=dict(os.environ, PYTHONPATH=""))
        if failed or not (folder / "pendulum.png").exists():
            say("the README's first model does not run from the wheel")
            return 1
    return 0


# The environment -------------------------------------------------------------------------------------


def environment(purpose, place=VENV):
    """Return the Python of an environment that holds Samara and what its lock file lists."""
    require_python()
    python = python_of(place)
    if not runs(python, "-c", "pass"):
        make_venv(place)
    done = read_stamp(place)
    if done is None or not set(ENVIRONMENTS[purpose]) <= set(ENVIRONMENTS[done]):
        what = "installing Samara and what it needs into {} (only now, and when its lock file changes)"
        say(what.format(place.name))
        install(python, purpose)
        stamp = {"key": setup_key(place, purpose), "purpose": purpose}
        (place / STAMP).write_text(json.dumps(stamp))
    return python


def python_of(place):
    return place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def install(python, purpose, *wheels):
    """Install what a lock file lists, as its hashes say, then Samara: a wheel of it, or this folder as it stands."""
    # Modules are compiled when they are first imported: a third of all are, and pip would compile them one by one.
    count = len(re.findall("(?m)^[^ #]+==", lock_file(purpose).read_text(encoding="utf-8")))
    words = [*pip(python), "install", "--no-input", "--disable-pip-version-check"]
    follow([*words, "--no-compile", "--prefer-binary", "--require-hashes", "--requirement", lock_file(purpose)], count)
    follow([*words, "--no-deps", *(wheels or ["--no-build-isolation", "--editable", "."])], 0)


def follow(command, count):
    """Run pip, and tell on one line how far it is of so many packages at most; all that it said if it fails."""
    said, begun = [], time.monotonic()
    variables = dict(os.environ, PIP_ROOT_USER_ACTION="ignore")
    process = start(*command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    reader = threading.Thread(target=read, args=(process.stdout, said))
    reader.start()
    terminal, told = sys.stdout.isatty(), begun
    while reader.is_alive():
        reader.join(0.2)
        now = time.monotonic()
        if terminal or now - told >= TELL_EVERY:
            told = now
            line = how_far(list(said), count, now - begun)
            print("\r\033[K" + line if terminal else line, end="" if terminal else "\n", flush=True)
    print("\r\033[K" if terminal else "", end="", flush=True)
    if process.wait() != 0:
        print("".join(said), end="", flush=True)
        raise SystemExit("go: the installation failed; pip's message is above")


def read(output, said):
    with output:
        for line in output:
            said.append(line)


def how_far(said, count, seconds):
    """What pip does, by the lines that it has printed so far."""
    words = [line.split() for line in said]
    names = [w[1].split("=")[0] for w in words if w[:1] == ["Collecting"]]
    if any(w[:1] == ["Installing"] for w in words):
        what = "writing {} packages".format(len(names))
    elif names:
        done = min(int(100.0 * len(names) / max(count, 1)), 99)  # packages of other systems are in the file, too
        what = "fetching {} (package {}, about {} %)".format(names[-1], len(names), done)
    else:
        what = "starting"
    return "   pip: {} ({:.0f} s)".format(what, seconds)


def lock_file(purpose):
    return LOCKS / (purpose + ".txt")


def lock():
    """Renew the lock files, then ask whether a version in them has a published vulnerability."""
    require_python()
    with tempfile.TemporaryDirectory() as folder:
        make_venv(Path(folder))
        python = python_of(Path(folder))
        follow([*pip(python), "install", "uv", "pip-audit"], 2)
        LOCKS.mkdir(exist_ok=True)
        for purpose, how in RESOLVED.items():
            extras = [word for extra in ENVIRONMENTS[purpose] for word in ("--extra", extra)]
            words = ["--universal", "--python-version", "{}.{}".format(*OLDEST), "--generate-hashes", "--quiet"]
            words += ["--upgrade", "--no-header", "--no-annotate", "--output-file", lock_file(purpose), *extras, *how]
            if call(python, "-m", "uv", "pip", "compile", "pyproject.toml", *words) != 0:
                return 1
        failed = [purpose for purpose in RESOLVED if audit(python, lock_file(purpose)) != 0]
    return 1 if failed else 0


def audit(python, locked):
    """Ask the public databases; where they cannot be reached, fail and say so."""
    say("published vulnerabilities of " + os.path.relpath(str(locked), str(ROOT)))
    words = ["--disable-pip", "--require-hashes", "--strict", "--progress-spinner", "off"]
    return call(python, "-m", "pip_audit", *words, "--requirement", locked)


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


def make_venv(place):
    """Make an environment, also where the distribution keeps pip apart from Python (Debian without python3-venv)."""
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
    say("making {} with Python {}.{}".format(place.name, *sys.version_info[:2]))
    venv.create(str(place), with_pip=has_pip, clear=True)


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


def setup_key(place, purpose):
    """Whatever makes an installation stale: the project file, the lock file, the place, the Python."""
    files = [path.read_text(encoding="utf-8") for path in (ROOT / "pyproject.toml", lock_file(purpose))]
    parts = [*files, str(ROOT), str(python_of(place).resolve())]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def read_stamp(place):
    """Return what a finished, current installation is for, or None."""
    try:
        stamp = json.loads((place / STAMP).read_text())
        return stamp["purpose"] if stamp["key"] == setup_key(place, stamp["purpose"]) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


# Processes -------------------------------------------------------------------------------------------


def call(*command, **variables):
    return start(*command, env=dict(os.environ, **variables)).wait()


def start(*command, **how):
    sys.stdout.flush()
    return subprocess.Popen([str(word) for word in command], cwd=str(ROOT), **how)


def end(process):
    """Wait for a process; its exit status, and the processor time that it and those it started took [min]."""
    if not hasattr(os, "wait4"):
        return process.wait(), float("nan")
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, (used.ru_utime + used.ru_stime) / 60.0


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
