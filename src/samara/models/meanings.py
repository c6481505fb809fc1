"""One line of meaning for the parameters of ready models, for panels and tables: those that do not have their own."""

from __future__ import annotations

from collections.abc import Mapping

from samara.model import Model

#: By the name of the parameter.
MEANINGS = {
    # attitude and controls of aircraft
    "roll": "roll angle that the autopilot holds, right side down",
    "pitch": "pitch angle that the autopilot holds, nose up",
    "heading": "heading that the autopilot holds",
    "collective": "collective control",
    "lateral": "lateral cyclic control",
    "longitudinal": "longitudinal cyclic control",
    "pedal": "pedal control",
    "theta1c": "cosine component of the cyclic pitch",
    "theta1s": "sine component of the cyclic pitch",
    "added": "collective pitch added to that of the regulator",
    # air and rotor
    "airspeed": "airspeed, against the direction of flight",
    "wind": "speed of the air along x",
    "wind_y": "speed of the air along y",
    "wind_z": "speed of the air along z",
    "speed": "rotor speed",
    "damper": "damping of each lag damper",
    "couple": "moment that excites the model",
    # radio-controlled helicopter
    "roll.gain": "gain of the roll loop",
    "roll.damping": "gain of the roll rate",
    "pitch.gain": "gain of the pitch loop",
    "pitch.damping": "gain of the pitch rate",
    "yaw.gain": "gain of the yaw-rate loop",
    "yaw.integral": "integral gain of the yaw-rate loop",
    "trim.roll": "roll angle that the autopilot holds with the stick centred",
    "trim.pitch": "pitch angle that the autopilot holds with the stick centred",
    "trim.collective": "collective pitch with the stick centred",
    "trim.lateral": "lateral cyclic pitch with the stick centred",
    "trim.longitudinal": "longitudinal cyclic pitch with the stick centred",
    "trim.pedal": "tail rotor pitch with the pedals centred",
    "stick.roll": "roll angle at full stick",
    "stick.pitch": "pitch angle at full stick",
    "stick.yaw_rate": "yaw rate at full pedal",
    "stick.collective": "collective pitch at full stick",
    "stick.cyclic": "cyclic pitch at full stick",
    "stick.pedal": "tail rotor pitch at full pedal",
    "servo.time": "time constant of the servos",
    "servo.rate": "largest rate of the servos",
    "governor.gain": "gain of the rotor speed governor",
    "governor.integral": "integral gain of the rotor speed governor",
    "rotor.speed": "rotor speed that the governor holds",
    "engine.power": "largest power of the engine",
    "inflow.frequency": "bandwidth of the filter of the inflow",
    "inflow.damping": "damping ratio of the filter of the inflow",
}


def describe_parameters(model: Model, arguments: Mapping[str, str]) -> None:
    """Gives parameters without a description that of the builder's argument of their name, or their usual meaning."""
    for name, parameter in model.parameters.items():
        parameter.description = parameter.description or arguments.get(name) or MEANINGS.get(name, "")
