"""The set-up script: readable by old Pythons, and telling them what to do."""

import ast
import re
import subprocess
import sys
import tomllib
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version


@pytest.fixture
def go(root):
    loader = SourceFileLoader("go", str(root / "go"))
    module = module_from_spec(spec_from_loader("go", loader))
    loader.exec_module(module)
    return module


def test_old_pythons_can_read_it(root):
    ast.parse((root / "go").read_text(encoding="utf-8"), feature_version=(3, 7))


def test_too_old_a_python_is_told_so(go, monkeypatch):
    monkeypatch.setattr(go.sys, "version_info", (3, 8, 1))
    monkeypatch.setattr(go.shutil, "which", lambda name: None)
    with pytest.raises(SystemExit, match=r"needs Python 3\.11 or newer, and this is Python 3\.8"):
        go.require_python()


def test_a_newer_python_on_the_path_takes_over(go, monkeypatch):
    taken = []
    monkeypatch.setattr(go.sys, "version_info", (3, 8, 1))
    monkeypatch.setattr(go.shutil, "which", lambda name: sys.executable if name == "python3.12" else None)

    def become(*command):
        taken.append(command[0])
        raise InterruptedError  # a real exec does not return

    monkeypatch.setattr(go, "become", become)
    with pytest.raises(InterruptedError):
        go.require_python()
    assert taken == [sys.executable]


def test_no_pip_anywhere_is_explained(go, monkeypatch):
    monkeypatch.setattr(go, "runs", lambda *command: False)
    with pytest.raises(SystemExit, match="apt install python"):
        go.pip("python")


def test_without_ensurepip_the_machines_pip_serves(go, monkeypatch):
    monkeypatch.setattr(go, "runs", lambda *command: "--python" in command)
    assert go.pip("elsewhere")[:4] == [sys.executable, "-m", "pip", "--python"]


def test_a_stamp_counts_only_for_the_same_files(go, monkeypatch, tmp_path):
    monkeypatch.setattr(go, "ROOT", tmp_path)
    monkeypatch.setattr(go, "LOCKS", tmp_path)
    project, locked, stamp = tmp_path / "pyproject.toml", tmp_path / "run.txt", tmp_path / go.STAMP
    project.write_text("a")
    locked.write_text("numpy==2.0")
    assert go.read_stamp(tmp_path) is None
    for changed in (project, locked):
        stamp.write_text(go.json.dumps({"key": go.setup_key(tmp_path, "run"), "purpose": "run"}))
        assert go.read_stamp(tmp_path) == "run"
        changed.write_text("b")
        assert go.read_stamp(tmp_path) is None
    stamp.write_text("{")
    assert go.read_stamp(tmp_path) is None


def locked(go, purpose):
    """{package: [(version, where it is wanted, number of hashes)]} of a lock file."""
    found = {}
    for entry in re.split(r"(?m)^(?=\S)", go.lock_file(purpose).read_text("utf-8")):
        if entry:
            requirement = Requirement(entry.split("\\")[0].strip())
            (pin,) = requirement.specifier
            assert pin.operator == "=="
            hashes = len(re.findall(r"--hash=sha256:[0-9a-f]{64}\b", entry))
            found.setdefault(canonicalize_name(requirement.name), []).append((pin.version, requirement.marker, hashes))
    return found


@pytest.mark.parametrize("purpose", ["run", "all", "lowest"])
def test_lock_files_hold_what_the_project_asks_for(go, root, purpose):
    """In versions that it allows, on this Python, with hashes; `./go lock` renews them."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    extras = [project["optional-dependencies"][extra] for extra in go.ENVIRONMENTS[purpose]]
    found = locked(go, purpose)
    assert all(hashes for versions in found.values() for _, _, hashes in versions)
    for text in sum(extras, project["dependencies"]):
        wanted = Requirement(text)
        here = [v for v, where, _ in found.get(canonicalize_name(wanted.name), ()) if where is None or where.evaluate()]
        assert len(here) == 1 and wanted.specifier.contains(here[0]), f"{text}: ./go lock has not been run"


def test_the_lowest_versions_are_older_ones(go):
    lowest, newest = locked(go, "lowest"), locked(go, "all")
    for name in ("numpy", "scipy", "numba", "nicegui", "pytest"):
        assert max(Version(v) for v, *_ in lowest[name]) < min(Version(v) for v, *_ in newest[name]), name


def test_what_is_to_run_is_a_part_of_all(go):
    both, run = locked(go, "all"), locked(go, "run")
    assert all(set(map(str, versions)) <= set(map(str, both[name])) for name, versions in run.items())


PIP = """\
Collecting numpy==2.4.6 (from -r requirements/run.txt (line 1))
  Downloading numpy-2.4.6-cp311-cp311-manylinux_2_27_x86_64.whl (16.9 MB)
Collecting scipy==1.17.1 (from -r requirements/run.txt (line 2))
"""


def test_a_line_tells_how_far_pip_is(go):
    lines = PIP.splitlines()
    assert go.how_far([], 40, 0.4) == "   pip: starting (0 s)"
    assert go.how_far(lines, 40, 12.0) == "   pip: fetching scipy (package 2, about 5 %) (12 s)"
    lines.append("Installing collected packages: numpy, scipy")
    assert go.how_far(lines, 40, 60.2) == "   pip: writing 2 packages (60 s)"


def test_a_long_installation_is_never_silent(go, capsys, monkeypatch):
    monkeypatch.setattr(go, "TELL_EVERY", 0.0)
    slow = "import time; print('Collecting numpy==2.0', flush=True); time.sleep(1)"
    go.follow([sys.executable, "-c", slow], 1)
    assert "pip: fetching numpy (package 1, about 99 %)" in capsys.readouterr().out


def test_a_failed_installation_shows_what_pip_said(go, capsys):
    with pytest.raises(SystemExit, match="installation failed"):
        go.follow([sys.executable, "-c", "print('no such version'); raise SystemExit(1)"], 1)
    assert "no such version" in capsys.readouterr().out


def test_help_and_unknown_tasks(root):
    def run(*args):
        return subprocess.run([sys.executable, root / "go", *args], capture_output=True, text=True)

    assert "./go test" in run("--help").stdout
    assert run("--help").returncode == 0
    assert "no task 'fly'" in run("fly").stderr
    assert run("fly").returncode == 1


ONCE = "from pathlib import Path\n\ndef test_a(): assert not Path({0!r}).exists()\n\ndef test_b(): assert {1}\n"


@pytest.mark.parametrize(
    "place, times, good, steady",
    [
        ("tests/e2e", "once", "True", True),
        ("tests/e2e", "always", "True", False),
        ("tests/e2e", "once", "False", False),  # the other fails alone too
        ("tests/physics", "once", "True", False),  # a test of numbers is believed the first time
    ],
)
def test_a_test_of_processes_that_failed_beside_others_is_tried_alone(
    go, capfd, monkeypatch, tmp_path, place, times, good, steady
):
    busy, folder, kept = tmp_path / "busy", tmp_path / place, tmp_path / "kept"
    folder.mkdir(parents=True)
    (folder / "test_x.py").write_text(ONCE.format(str(busy), good))
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    monkeypatch.setattr(go, "ROOT", tmp_path)
    tests = ["-m", "pytest", "-q", "-o", f"cache_dir={kept}"]
    busy.touch()
    assert go.call(sys.executable, *tests, "-n", "2") == 1
    if times == "once":
        busy.unlink()
    assert go.steady_alone(sys.executable, tests, kept) is steady
    assert ("UNSTEADY" in capfd.readouterr().out) is steady
