"""`samara tree`: a model as a tree, in words, as JSON and as a picture; what is no tree is refused in one line."""

import json

import pytest

from samara.cli import main


def test_a_tree_in_words(capsys):
    assert main(["tree", "chain", "--set", "links=3"]) == 0
    text = capsys.readouterr().out
    assert "3 degrees of freedom, 3 coordinates" in text
    assert "hinge_2.angle: turn about z, q[2] = " in text


def test_a_tree_as_json_and_as_a_picture(capsys, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    assert main(["tree", "xcell", "--base", "hub", "--plot", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["degrees_of_freedom"] == 13 and found["floats"] == ["hub"]
    assert found["files"] == {"plot": "xcell-tree.png"}
    assert (tmp_path / "xcell-tree.png").read_bytes()[1:4] == b"PNG"


def test_joints_are_cut(capsys):
    assert main(["tree", "four-bar", "--cut", "closure_B", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["cut"] == ["closure_B"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("four-bar",), "cut it (cut=('closure_B',))"),
        (("chain", "--cut", "door"), "no joint 'door' to cut"),
        (("xcell", "--base", "door"), "no node 'door' that moves freely"),
        (("chain", "--plot", "chain.doc"), "no such kind of picture"),
    ],
)
def test_refused_in_one_line(capsys, arguments, words):
    assert main(["tree", *arguments]) == 2
    out, err = capsys.readouterr()
    assert words in err and err.count("\n") == 1 and out == ""
