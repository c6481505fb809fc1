"""The set-up script: readable by old Pythons, and telling them what to do."""

import ast
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader

import pytest


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


def test_a_stamp_counts_only_for_the_same_project_file(go, monkeypatch, tmp_path):
    monkeypatch.setattr(go, "ROOT", tmp_path)
    monkeypatch.setattr(go, "STAMP", tmp_path / "stamp.json")
    project = tmp_path / "pyproject.toml"
    project.write_text("a")
    assert go.read_stamp() is None
    go.STAMP.write_text(go.json.dumps({"key": go.setup_key(), "extras": ["dev"]}))
    assert go.read_stamp() == {"dev"}
    project.write_text("b")
    assert go.read_stamp() is None
    go.STAMP.write_text("{")
    assert go.read_stamp() is None


def test_help_and_unknown_tasks(root):
    def run(*args):
        return subprocess.run([sys.executable, root / "go", *args], capture_output=True, text=True)

    assert "./go test" in run("--help").stdout
    assert run("--help").returncode == 0
    assert "no task 'fly'" in run("fly").stderr
    assert run("fly").returncode == 1
