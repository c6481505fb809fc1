"""Trim of the helicopter: level flight, climb, descent and sideslip, over a range of speeds, and autorotation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from samara.analysis import Trim
from samara.analysis import trim as find
from samara.arguments import instance
from samara.models.helicopters.helicopter import (
    CONTROLS,
    GRAVITY,
    GUESS,
    PERIOD,
    STEP,
    degrees,
    held,
    helicopter,
    through_air,
)
from samara.models.helicopters.helicopter_parts import USUAL, Loading, reworded
from samara.results import Results

LOADS = tuple(f"hold.{load}.{axis}" for load in ("force", "couple") for axis in "xyz")
#: Part of a step of speed at which `trims` gives up between two trims.
SHORTEST = 1.0 / 16.0
#: Where the search for an autorotation starts: collective below that of level flight [rad], sink [m/s].
LOWERED, SINK = np.radians(4.0), 9.0
#: Limits of controls and attitude in which trims are looked for [rad], and of the sink [m/s].
LIMITS = dict.fromkeys(CONTROLS, (-0.7, 0.7))
SINKS = (0.0, 60.0)


def first_guess(airspeed: float, clockwise: bool = True) -> dict[str, float]:
    """Controls and attitude between the trims of `GUESS` [deg]."""
    first = {name: float(np.interp(airspeed, GUESS["airspeed"], GUESS[name])) for name in CONTROLS}
    first["roll"] *= 1.0 if clockwise else -1.0
    return first


def radians(settings: Mapping[str, float]) -> dict[str, float]:
    """Controls and attitude from degrees."""
    return {name: float(np.radians(settings[name])) for name in CONTROLS}


def trim(
    airspeed: float = 0.0,
    guess: Mapping[str, float] | None = None,
    *,
    climb: float = 0.0,
    sideslip: float = 0.0,
    clockwise: bool = True,
    tolerance: float = 1e-4,
    step: float = STEP,
    loading: Loading = USUAL,
    lead: bool = True,
    **options: Any,
) -> Trim:
    """Controls and attitude for steady flight at an airspeed [m/s], along angles of climb and sideslip [rad].

    Six unknowns, collective, theta1c, theta1s, pedal, pitch and roll, for six balances: in a wind of that speed a joint
    holds the fuselage, and the means of its force and couple over five turns, after which the azimuths of both rotors
    repeat, must vanish. The autopilot is active, with the held attitude as its target, and adds almost nothing.
    See `sm.trim`.

    guess: {control: degrees}, by default the trims of `GUESS`. If the search from it fails, it restarts from a safe
    point: those trims, and then, unless `lead` is false, hover, from which the speed is increased in steps (`trims`);
    the best result is returned. tolerance: of each force relative to the weight, and of each couple relative to the
    weight times one metre. options: of `helicopter`, such as blades, fuselage, inflow and surroundings; or those of
    `build`: altitude, offset, stratified, gusts, ground and height, mass, com_aft, com_right, com_up, climb_deg,
    sideslip_deg.
    """
    given = {"climb": climb, "sideslip": sideslip, "clockwise": clockwise, "loading": loading, **options}
    path = reworded("helicopter.trim", given, helicopter)
    loading = path["loading"]
    through_air(airspeed, path["climb"], path["sideslip"])  # refuses what is no speed and no angle
    safe = first_guess(airspeed, clockwise)
    settings = safe | dict(instance("helicopter.trim: guess, {control: degrees},", guess or {}, Mapping))
    model = held(settings, airspeed=airspeed, **path)
    targets: dict[Any, float] = dict.fromkeys(LOADS, 0.0)
    found = find(
        model, radians(settings), targets, period=PERIOD, step=step, limits=LIMITS, safe=radians(safe),
        sizes=dict.fromkeys(targets, loading.mass * GRAVITY), tolerance=tolerance, settle=1e-5, outputs=("*",),
    )  # fmt: skip
    if found.met or airspeed == 0.0 or not lead:
        return found
    led = trims((0.0, airspeed), tolerance=tolerance, step=step, **path)[-1]
    return min((found, led), key=lambda one: (not one.met, one.error))


def trims(airspeeds: Sequence[float], guess: Mapping[str, float] | None = None, **options: Any) -> list[Trim]:
    """Trims over the speed by continuation: each starts from linear extrapolation of the previous ones.

    If a trim fails, the speed step is halved, down to a sixteenth of the requested step; the continuation then ends,
    with the failed trim as the result for that speed. Climb and sideslip are those of `options` throughout. guess: for
    the first, and options: as in `trim`.
    """
    found: list[Trim] = []
    past: list[tuple[float, dict[str, float]]] = []
    for airspeed in map(float, airspeeds):
        start = past[-1][0] if past else airspeed
        share, at = 1.0, start
        while True:
            ahead = airspeed if not past else at + share * (airspeed - start)
            one = trim(ahead, _carried_on(past, ahead) if past else guess, lead=False, **options)
            if one.met:
                past.append((ahead, degrees(one.controls)))
                at = ahead
                if abs(ahead - airspeed) < 1e-9:
                    break
                share = min(share, (airspeed - at) / (airspeed - start))
            else:
                share *= 0.5
                if not past or share < SHORTEST:
                    return [*found, one]
        found.append(one)
    return found


def _carried_on(past: list[tuple[float, dict[str, float]]], airspeed: float) -> dict[str, float]:
    """Linear extrapolation from the last two trims; a single trim as it is [deg]."""
    (v, last) = past[-1]
    if len(past) < 2 or past[-2][0] == v:
        return last
    w, before = past[-2]
    share = float(np.clip((airspeed - v) / (v - w), -1.0, 1.0))
    return {name: last[name] + share * (last[name] - before[name]) for name in CONTROLS}


def power(results: Results) -> float:
    """Mean shaft power of both rotors [W]."""
    return float(results["main.rotor.power"].mean() + results["tail.rotor.power"].mean())


def autorotation(
    airspeed: float = 35.0,
    guess: Mapping[str, float] | None = None,
    *,
    sink: float = SINK,
    clockwise: bool = True,
    tolerance: float = 1e-4,
    step: float = STEP,
    loading: Loading = USUAL,
    **options: Any,
) -> Trim:
    """Steady descent with the engine off, at a speed over the ground [m/s] and the rotors' nominal speeds.

    Seven unknowns: those of `trim` and the rate of descent, wind_z [m/s], as an upward wind; seven balances: those of
    `trim`, and zero total power of both rotors, which the gears connect.

    sink: first guess [m/s]; guess: {control: degrees} of the others. See `trim` for the rest; the airspeed along the
    path is sqrt(airspeed^2 + sink^2).
    """
    first = first_guess(airspeed, clockwise)
    first["collective"] -= float(np.degrees(LOWERED))
    first["pedal"] = 0.0
    settings = first | dict(guess or {})
    options = reworded("helicopter_trim.autorotation", {"loading": loading, **options}, helicopter)
    loading = options.pop("loading")
    path = {"airspeed": float(np.hypot(airspeed, sink)), "climb": float(-np.arctan2(sink, airspeed))}
    model = held(settings, clockwise=clockwise, loading=loading, **path, **options)
    targets: dict[Any, float] = dict.fromkeys(LOADS, 0.0) | {power: 0.0}
    weight = loading.mass * GRAVITY
    controls = radians(settings) | {"wind_z": sink}
    return find(
        model, controls, targets, period=PERIOD, step=step, tolerance=tolerance, settle=1e-5, outputs=("*",),
        sizes=dict.fromkeys(LOADS, weight) | {power: weight * 10.0}, limits=LIMITS | {"wind_z": SINKS},
        nudges={"wind_z": 0.1},
    )  # fmt: skip
