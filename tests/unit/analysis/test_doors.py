"""What users give to an analysis: refused by name, before any work is done."""

import numpy as np
import pytest

import samara as sm


def pendulum() -> sm.Model:
    model = sm.Model("pendulum", gravity=(0, 0, -9.81))
    bob = model.node("bob", position=(0, 0, -1))
    model.add("mass", sm.Body(bob, mass=1.0, inertia=(0.1, 0.1, 0.1)))
    model.add("hinge", sm.Revolute(model.ground, bob, at=(0, 0, 0), axis=(0, 1, 0)))
    return model


def trim(**given):
    usual = {"period": 1.0, "steps": 10}
    return sm.trim(pendulum(), {"pitch": 0.1}, {"hinge.angle": 0.0}, **{**usual, **given})


def asked(targets, controls=None):
    return sm.trim(pendulum(), {"pitch": 0.1} if controls is None else controls, targets, period=1.0, steps=10)


CASES = [
    (lambda: sm.modes(pendulum(), 0), "modes: count must be at least 1, got 0"),
    (lambda: sm.modes(pendulum(), 2.5), "modes: count must be a whole number, got 2.5"),
    (lambda: sm.modes(pendulum(), "2"), "modes: count must be a whole number, got '2'"),
    (lambda: sm.modes(pendulum()).share((9,)), "share: a direction must be at most 5, got 9"),
    (lambda: sm.modes(pendulum()).share("z"), "share: axes must be a sequence"),
    (lambda: sm.steady_rotation(pendulum(), "3"), "steady_rotation: speed must be a finite number, got '3'"),
    (lambda: sm.steady_rotation(pendulum(), np.inf), "steady_rotation: speed must be a finite number, got inf"),
    (lambda: sm.steady_rotation(pendulum(), 1.0, tolerance=-1e-9), "tolerance must be a positive number, got -1e-09"),
    (lambda: sm.steady_rotation(pendulum(), 1.0, iterations=0), "iterations must be at least 1, got 0"),
    (lambda: sm.steady_rotation(pendulum(), 1.0, carried=3), "carried must be a name or pattern, or several, got 3"),
    (lambda: sm.campbell(pendulum(), []), "campbell: speeds is empty"),
    (lambda: sm.campbell(pendulum(), ["fast"]), "campbell: a speed must be a finite number, got 'fast'"),
    (lambda: sm.campbell(pendulum(), [1.0], count=0), "campbell: count must be at least 1, got 0"),
    (lambda: sm.state_space(pendulum(), outputs=()), "state_space: outputs is empty"),
    (lambda: sm.craig_bampton(pendulum(), "bob", modes=1.5), "craig_bampton: modes must be a whole number, got 1.5"),
    (
        lambda: sm.craig_bampton(pendulum(), "bob", damping=-1),
        "craig_bampton: damping, a ratio to critical damping, must",
    ),
    (lambda: sm.periodic(pendulum(), "1", 0.1), "periodic: period must be a positive number, got '1'"),
    (lambda: sm.periodic(pendulum(), 1.0, -0.1), "periodic: step must be a positive number, got -0.1"),
    (lambda: sm.periodic(pendulum(), 1.0, 0.1, tolerance=-1), "periodic: tolerance must be a positive number, got -1"),
    (lambda: sm.periodic(pendulum(), 1.0, 0.1, periods=0), "periodic: periods must be at least 1, got 0"),
    (lambda: sm.periodic(pendulum(), 1.0, 0.1, outputs=()), "transient: outputs is empty"),
    (lambda: sm.Harmonic("hinge.angle", "cosine"), "Harmonic: part must be one of 'mean', 'cos', 'sin', got 'cosine'"),
    (lambda: sm.Harmonic("hinge.angle", "cos", 0.5), "Harmonic: order must be a whole number, got 0.5"),
    (lambda: trim(steps=2.5), "trim: steps must be a whole number, got 2.5"),
    (lambda: trim(steps=None, step=-1.0), "trim: step must be a positive number, got -1.0"),
    (lambda: trim(tolerance=-1e-4), "trim: tolerance must be a positive number, got -0.0001"),
    (lambda: trim(settle=0), "trim: settle must be a positive number, got 0"),
    (lambda: trim(steps=1), "trim: steps must be at least 8, got 1"),
    (lambda: trim(steps=None, step=0.5), "trim: a step of 0.5 s is too long for a period of 1 s: at least 8 steps"),
    (lambda: asked({sm.Harmonic("hinge.angle", "cos", 6): 0.0}), "trim: steps must be at least 13, got 10"),
    (lambda: trim(period="1"), "trim: period must be a positive number, got '1'"),
    (lambda: trim(period=None), "trim: period must be a positive number, got None"),
    (lambda: trim(outputs=3), "trim: outputs must be a name or pattern, or several, got 3"),
    (lambda: asked(["hinge.angle"]), "trim: targets must be {channel, Harmonic or function: value}, got ['hinge"),
    (lambda: asked({"hinge.angle": "up"}), "trim: the target 'hinge.angle' must be a finite number, got 'up'"),
    (lambda: asked({3: 1.0}), "trim: a target must be the name of a channel, a Harmonic or a function of"),
    (lambda: asked({"hinge.angle": 0.0}, ["pitch"]), "trim: controls must be {name: first guess}, got ['pitch']"),
    (lambda: asked({"hinge.angle": 0.0}, {"pitch": None}), "trim: the first guess of 'pitch' must be a finite number"),
    (lambda: trim(limits=[1, 2]), "trim: limits must be {control: (lowest, highest)}, got [1, 2]"),
    (lambda: trim(limits={"pitch": ("a", "b")}), "trim: limits of 'pitch' must be (lowest, highest), the first below"),
    (lambda: trim(safe={}), "trim: safe has no value for the control 'pitch'"),
    (lambda: trim(safe={"pitch": 0.0, "roll": 0.0}), "trim: safe: 'roll' is not a control; there are 'pitch'"),
    (lambda: trim(sizes=[1]), "trim: sizes must be {target: size}, got [1]"),
    (lambda: trim(nudges={"pitch": "x"}), "trim: the nudge of 'pitch' must be a positive number, got 'x'"),
    (lambda: trim(iterations="30"), "trim: iterations must be a whole number, got '30'"),
]


@pytest.mark.parametrize(("call", "words"), CASES, ids=[words for _, words in CASES])
def test_refused(call, words):
    with pytest.raises(sm.ArgumentError) as error:
        call()
    assert words in str(error.value)


def test_whole_numbers_of_any_kind():
    assert len(sm.modes(pendulum(), np.int32(1))) == len(sm.modes(pendulum(), 1.0)) == 1
