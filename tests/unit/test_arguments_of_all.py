"""Every public function and class, called with arguments that nobody can mean: one sentence that names them.

What escapes otherwise is an IndexError, a KeyError, an AttributeError, or a TypeError of some line deep inside.
"""

import functools
import inspect
import re
import warnings

import numpy as np
import pytest

import samara as sm
from samara.models.mechanisms import pendulum

#: What stands in the place of an argument.
BAD = {
    "object": object(),
    "text": "nonsense",
    "none": None,
    "minus": -1.0,
    "nan": float("nan"),
    "whole": 3,
    "empty": [],
    "dict": {},
    "list": [1, "a", None],
    "array": np.ones((2, 3, 4)),
    "function": lambda *_: 0.0,
    "model": sm.Model("other"),
}
#: Functions of numbers, plain or traced, for the equations of elements: they are arithmetic, and complain as it does.
ARITHMETIC = {"absolute", "apparent_mass", "cut", "flat_plate", "fmax", "fmin", "lagged_downwash", "select", "sign",
              "theodorsen", "wagner"}  # fmt: skip
CALLED = [
    name
    for name in sorted(sm.__all__)
    if callable(thing := getattr(sm, name))
    and name not in ARITHMETIC
    and not (isinstance(thing, type) and issubclass(thing, BaseException))
]


def parameters(function):
    try:
        found = inspect.signature(function).parameters.values()
    except ValueError:  # of a function in C
        return []
    return [p for p in found if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]


def complaint(call):
    """What an error of bad arguments lacks; nothing if there was none, or all is there."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            call()
    except (sm.ModelError, sm.ArgumentError, sm.SolveError, OSError) as error:  # sentences of our own
        return "" if len(str(error)) > 15 else f"says little: {error!r}"
    except ValueError as error:  # of tables, which are below all models
        own = re.search(r"must|needs|give|choose|there are", str(error))
        return "" if own and "truth value" not in str(error) else repr(error)
    except TypeError as error:  # Python's own, which names function and argument
        return "" if re.search(r"\(\) (missing|got|takes)|is abstract|give the default", str(error)) else repr(error)
    except LookupError as error:
        return "" if type(error).__name__ == "UnknownChannelError" else repr(error)
    except Exception as error:
        return repr(error)
    return ""


@pytest.mark.parametrize("name", CALLED)
def test_missing_unknown_and_wrong_arguments_are_named(name):
    function = getattr(sm, name)
    calls = {"none": lambda: function(), "unknown": lambda: function(nonsuch=1), "many": lambda: function(*range(60))}
    required = [p for p in parameters(function) if p.default is p.empty]
    for what, bad in BAD.items():
        places = [bad for p in required if p.kind is p.POSITIONAL_ONLY]
        named = {p.name: bad for p in required if p.kind is not p.POSITIONAL_ONLY}
        calls[f"all {what}"] = lambda places=places, named=named: function(*places, **named)
    found = {what: words for what, call in calls.items() if (words := complaint(call))}
    assert not found


def _simulation():
    return sm.Simulation(pendulum.build())


@functools.cache
def _results():
    return sm.transient(pendulum.build(), end=0.05, step=1e-3, progress=False)


#: Calls that work, of which each argument in turn is replaced. What is called is made anew each time.
WORKING = {
    "transient": (pendulum.build, lambda: 0.005, lambda: 1e-3),
    "static": (pendulum.build,),
    "modes": (pendulum.build,),
    "linearise": (_simulation,),
    "state_space": (pendulum.build,),
    "Simulation": (pendulum.build,),
    "System": (pendulum.build,),
    "assemble": (_simulation,),
    "stability": (_simulation,),
    "freedoms": (pendulum.build,),
    "redundant_constraints": (pendulum.build,),
    "Stepper": (pendulum.build, lambda: 1e-3),
    "RigidTree": (pendulum.build,),
    "Tree": (pendulum.build,),
    "multiblade": (_results,),
    "disk_map": (_results, lambda: "mass.momentum", lambda: [1.0, 2.0, 3.0]),
    "standard_atmosphere": (lambda: 1000.0,),
}


@pytest.mark.parametrize("name", WORKING)
def test_each_argument_is_named(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)  # a text may be meant as the name of a file
    function, made = getattr(sm, name), WORKING[name]
    found = {}
    for k, parameter in enumerate(parameters(function)):
        for what, bad in BAD.items():
            places = [bad if i == k else make() for i, make in enumerate(made)]
            named = {parameter.name: bad} if k >= len(made) else {}
            if words := complaint(lambda places=places, named=named: function(*places, **named)):
                found[parameter.name, what] = words
    assert not found


# ---- words
def test_records_say_what_is_missing_or_not_there():
    with pytest.raises(sm.ArgumentError, match=r"^Contact: missing a, b.*: call it as Contact\(a, b"):
        sm.Contact()
    with pytest.raises(TypeError, match="Body: unknown argument 'weight'"):  # as Python has it, too
        sm.Body(weight=1.0)
    with pytest.raises(sm.ArgumentError, match="did you mean 'mass'"):
        sm.Body(masss=1.0)
    with pytest.raises(sm.ArgumentError, match=r"Body: 4 positional arguments given, at most 1 allowed \(n\)"):
        sm.Body(1, 2, 3, 4)


def test_real_time_names_its_options():
    from samara.realtime.loop.simulator import RealTime

    with pytest.raises(
        sm.ArgumentError, match=r"RealTime: unknown argument 'partition'; the arguments are rate, policy"
    ):
        RealTime(pendulum.build(), 100.0, partition="blades")


def test_static_shows_its_load_steps(capsys):
    sm.static(pendulum.build(), steps=3, stable=False, progress=True)
    assert "3 load steps in" in capsys.readouterr().err
    sm.static(pendulum.build(), stable=False)
    assert capsys.readouterr().err == ""


def test_the_atmosphere_ends_by_name():
    with pytest.raises(sm.ArgumentError, match="standard_atmosphere: altitude must be between -2000 and 20000 m"):
        sm.standard_atmosphere(25000)
