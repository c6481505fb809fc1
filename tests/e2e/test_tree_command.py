"""`samara tree`: a model as a tree, in words, as JSON and as a picture; and the options of trees that runs take.

What is no tree, and what is wrongly given, is refused in one line.
"""

import json

import pytest

import samara as sm
from samara import models
from samara.cli import main
from samara.recursive.view import drawing


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


def test_cut_may_be_given_more_than_once(capsys):
    assert main(["tree", "four-bar", "--cut", "hinge_C", "--cut", "closure_B", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["cut"] == ["hinge_C", "closure_B"]


def test_a_tree_that_is_too_large_to_be_drawn(capsys, tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(drawing, "MOST_BLOCKS", 2)
    assert main(["tree", "chain", "--set", "links=3", "--plot"]) == 2
    out, err = capsys.readouterr()
    assert "has room for 2 bodies, this one has 3: leave the picture out" in err and err.count("\n") == 1
    assert "cannot be written" not in err and out == "" and not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("four-bar",), "cut it (cut=('closure_B',))"),
        (("chain", "--cut", "door"), "no joint 'door' to cut"),
        (("four-bar", "--cut", "closure_B", "closure_B"), "joint 'closure_B' is named twice"),
        (("xcell", "--base", "door"), "no node 'door' that moves freely"),
        (("chain", "--plot", "chain.doc"), "unsupported picture format"),
    ],
)
def test_refused_in_one_line(capsys, arguments, words):
    assert main(["tree", *arguments]) == 2
    out, err = capsys.readouterr()
    assert words in err and err.count("\n") == 1 and out == ""


# ---- runs of trees


def test_a_closed_loop_is_run(capsys):
    short = ("four-bar", "--formulation", "recursive", "--cut", "closure_B", "--end", "0.05", "--json")
    assert main(["run", *short]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["status"] == "completed" and found["integrator"] == "RungeKutta4"
    ranges = {channel["name"]: channel for channel in found["channels"]}
    assert ranges["model.violation"]["maximum"] < 1e-12


def test_a_closed_loop_is_run_in_real_time(capfd):
    tree = ("four-bar", "--formulation", "recursive", "--cut", "closure_B")
    assert main(["realtime", *tree, "--rate", "200", "--duration", "0.2", "--no-browser", "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["simulated"] > 0.05


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ("run", "four-bar", "--cut", "closure_B"),
            "cut applies to the recursive formulation only: give formulation='recursive' too",
        ),
        (
            ("realtime", "four-bar", "--cut", "closure_B", "--no-browser"),
            "cut applies to the recursive formulation only: give formulation=",
        ),
        (("run", "four-bar", "--formulation", "recursive", "--cut", "door"), "no joint 'door' to cut"),
        (("run", "princeton", "--formulation", "recursive"), "not run in time: omit --formulation"),
        (("run", "princeton", "--cut", "root"), "not run in time: omit --cut"),
    ],
)
def test_runs_that_are_refused_in_one_line(capfd, arguments, words):
    assert main([*arguments]) == 2
    out, err = capfd.readouterr()
    assert words in err and err.count("\n") == 1 and out == ""


# ---- the same from Python


def four_bar() -> sm.Model:
    return models.find("four-bar").make()


@pytest.mark.parametrize("cut", [("closure_B",), ["closure_B"], "closure_B"])
def test_transient_takes_a_cut(cut):
    run = sm.transient(four_bar(), 0.05, 1e-3, formulation="recursive", cut=cut, progress=False)
    sim = sm.Simulation(four_bar(), formulation="recursive", cut=("closure_B",))
    assert (run.table == sm.transient(sim, 0.05, 1e-3, progress=False).table).all()


def test_transient_takes_a_cut_for_a_tree_it_makes_alone():
    sim = sm.Simulation(four_bar(), formulation="recursive", cut=("closure_B",))
    own = r"transient: a Simulation has its own method \(formulation, .*\): give these options when creating it"
    with pytest.raises(sm.ArgumentError, match=own):
        sm.transient(sim, 0.05, 1e-3, formulation="recursive", cut=("closure_B",), progress=False)
    for formulation in (None, "redundant"):
        with pytest.raises(
            sm.ArgumentError,
            match="transient: cut applies to the recursive formulation only: give formulation='recursive' too",
        ):
            sm.transient(four_bar(), 0.05, 1e-3, formulation=formulation, cut=("closure_B",), progress=False)


@pytest.mark.parametrize("make", [sm.Tree, sm.RigidTree, sm.TreeView])
def test_a_cut_that_is_no_list_of_names(make):
    make(four_bar(), cut="closure_B")  # one name will do
    with pytest.raises(sm.ArgumentError, match=r"Tree: cut must be names of joints, such as \('hinge',\), got None"):
        make(four_bar(), cut=None)
    with pytest.raises(sm.TreeError, match="joint 'closure_B' is named twice in cut: name it once"):
        make(four_bar(), cut=("closure_B", "closure_B"))
    for wrong in (3, ["closure_B"], "door"):
        with pytest.raises(sm.TreeError, match=r"'four-bar' has no joint .* to cut: give the name of one"):
            make(four_bar(), cut=(wrong,))


@pytest.mark.parametrize("wrong", [sm.RungeKutta4, 5])
def test_integrators_of_trees_are_named(wrong):
    chain = models.find("chain").make(links=2)
    with pytest.raises(sm.ArgumentError) as error:
        sm.Simulation(chain, wrong, formulation="recursive")
    said = str(error.value)
    assert "samara.RungeKutta4(), samara.DormandPrince(), samara.SemiImplicitEuler()" in said and "got " in said
    assert ("write RungeKutta4()" in said) == isinstance(wrong, type)
