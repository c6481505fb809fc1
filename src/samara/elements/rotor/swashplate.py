"""Swashplate with three actuators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from samara.arguments import finite
from samara.elements.bodies.body import Body
from samara.elements.control.servos.linear_servo import LinearServo
from samara.elements.joints.gimbal import GimbalRotation
from samara.elements.joints.point_constraints.in_line import InLine
from samara.elements.joints.revolute import Revolute
from samara.elements.rotor.actuator_length import ActuatorLength
from samara.elements.rotor.link import add_link
from samara.model import Drive, Model, ModelError, Node, Placement, State, as_drive, as_placement
from samara.model.frames.starting_motion import starting_motion
from samara.model.model import require_model
from samara.model.schema.drives import as_drives

#: A function that adds an actuator: of the model, its name, mast, fixed plate, its two ends in the world in the
#: reference pose, and the drive of the length that it is asked for [m].
AddActuator = Callable[[Model, str, Node, Node, tuple[np.ndarray, np.ndarray], Drive], Any]


@dataclass(frozen=True)
class Swashplate:
    """The parts created by `add_swashplate`.

    fixed, rotating: the two plates, at the plate's centre, with the axes of the mast (z along the shaft).
    place:  centre and axes in the world, in the reference pose.
    radius, lead: attachment of a pitch link: distance from the centre [m], azimuth ahead of the blade [rad].
    motion: the drives of height [m] and tilt about x and y [rad].
    """

    fixed: Node
    rotating: Node
    place: Placement
    radius: float
    lead: float
    motion: tuple[Drive, Drive, Drive]

    def attachment(self, azimuth: float) -> np.ndarray:
        """Attachment point of the link of the blade at this azimuth [rad], in the world, in the reference pose."""
        angle = azimuth + self.lead
        return self.place.point((self.radius * np.cos(angle), self.radius * np.sin(angle), 0.0))


def add_swashplate(
    model: Model,
    name: str,
    *,
    mast: Node,
    hub: Node,
    place: Any = None,
    horn: float,
    station: float,
    collective: Any = 0.0,
    lateral: Any = 0.0,
    longitudinal: Any = 0.0,
    actuator_radius: float | None = None,
    actuator_length: float = 0.3,
    actuator_azimuths: Sequence[float] = (0.0, 2 * np.pi / 3, 4 * np.pi / 3),
    stiffness: Any = None,
    damping: Any = 0.0,
    servos: Sequence[tuple[State, Sequence[float]]] = (),
    fixed_body: dict | None = None,
    rotating_body: dict | None = None,
    actuator: AddActuator | None = None,
) -> Swashplate:
    """Adds a swashplate: two plates, three actuators, the scissors of both; returns the plates.

    The fixed plate slides and tilts on the mast (its centre stays on the shaft axis, the fixed scissors prevent
    rotation) and is held by three actuators. The rotating plate turns on it, driven by the hub through the rotating
    scissors. Both scissors are ideal constant-velocity couplings (`GimbalRotation`). Twelve equations constrain the
    twelve degrees of freedom of the two plates.

    For the blade at azimuth psi, from the x axis of `place` about z, small angles give

        pitch = collective + lateral cos(psi) + longitudinal sin(psi)

    with pitch links that are vertical at zero controls: the plate rises by horn times the collective and tilts by horn
    / radius times the cyclic. Errors: pitch is the asin of the ratio of the lengths, pitch^3 / 6 more; the link tilts
    as the horn moves, about horn pitch^4 / (8 link) less.

    mast, hub: the non-rotating and the rotating node; `place` is the centre of the plates at zero controls, in the
           mast's node, with z along the shaft: a `Placement`, or a point [m].
    horn:  arm of the pitch horn from the pitch axis, positive ahead of the blade (leading edge) [m].
    station: distance of the horn from the shaft along the blade [m].
    collective, lateral, longitudinal: pitch [rad]: numbers, parameters, drives, inputs. Rigid actuators need smooth
           drives; an `Input` that jumps needs a stiffness.
    actuator_radius, actuator_azimuths: attachment points on the fixed plate [m, rad]; by default at the radius of the
           links. actuator_length: of each at zero controls, straight down to the mast [m].
    stiffness, damping: of the actuators [N/m, N s/m]; None: rigid.
    servos: states that add to the pitch, such as outputs of an autopilot, each with three gains to collective, lateral
           and longitudinal [rad]. To first order in the plate's tilt; the actuators need a stiffness.
    fixed_body, rotating_body: fields of a `Body` at the centre of each, such as ``dict(mass=5, inertia=(1, 1, 2))``;
           None: massless.
    actuator: function that adds each of the three actuators instead of a link: see `AddActuator`. The plates then need
           masses, unless the actuators constrain them as links do.
    """
    require_model("add_swashplate", model)
    horn, station = finite("add_swashplate: horn", horn), finite("add_swashplate: station", station)
    _refuse(name, horn, station, actuator_azimuths, servos, stiffness)
    model.member(mast, f"swashplate {name!r}: mast")
    model.member(hub, f"swashplate {name!r}: hub")
    world = mast.place @ as_placement(place, f"swashplate {name!r}: place")
    radius, lead = float(np.hypot(station, horn)), float(np.arctan2(horn, station))
    pitch = as_drives((collective, lateral, longitudinal), "rad", f"swashplate {name!r}: pitch")
    motion = _motion(horn, radius, lead, *pitch)
    fixed, rotating = _add_plates(model, name, mast, hub, world, fixed_body, rotating_body)
    plate = Swashplate(fixed, rotating, world, radius, lead, motion)
    add = actuator or _actuator(plate, horn, servos, stiffness, damping)
    arm = radius if actuator_radius is None else actuator_radius
    for k, azimuth in enumerate(actuator_azimuths, 1):
        x, y = arm * np.cos(azimuth), arm * np.sin(azimuth)
        ends = (world.point((x, y, -actuator_length)), world.point((x, y, 0.0)))
        add(model, f"{name}.actuator_{k}", mast, fixed, ends, ActuatorLength(motion, x, y, actuator_length))
    return plate


def _refuse(name: str, horn: float, station: float, azimuths: Sequence, servos: Sequence, stiffness: Any) -> None:
    """What cannot be a swashplate, before anything is added."""
    if horn == 0 or station < 0:
        raise ModelError(f"swashplate {name!r}: horn must not be zero and station not negative: got {horn}, {station}")
    if len(azimuths) != 3:
        raise ModelError(f"swashplate {name!r}: a plate is held by three actuators, got {len(azimuths)} azimuths")
    if servos and stiffness is None:
        raise ModelError(f"swashplate {name!r}: servos need actuators with a stiffness: give stiffness=... [N/m]")


def _add_plates(
    model: Model,
    name: str,
    mast: Node,
    hub: Node,
    world: Placement,
    fixed_body: dict | None,
    rotating_body: dict | None,
) -> tuple[Node, Node]:
    """Both plates, with what guides them: slider, bearing and scissors."""

    def plate(label: str, body: dict | None, like: Node) -> Node:
        v, w = like.velocity_at(world.position), starting_motion(like)[1]
        start = {"position": world.position, "rotation": world.rotation, "velocity": v, "angular_velocity": w}
        node = model.node(f"{name}.{label}", static=body is None, **start)
        if body is not None:
            model.add(f"{name}.{label}_body", Body(node, **body))
        return node

    axes = {"at": world.position, "axis": world.rotation[:, 2], "axis_x": world.rotation[:, 0]}
    fixed = plate("fixed", fixed_body, mast)
    rotating = plate("rotating", rotating_body, hub)
    model.add(f"{name}.slider", InLine(mast, fixed, **axes))
    model.add(f"{name}.fixed_scissors", GimbalRotation(mast, fixed, **axes))
    model.add(f"{name}.bearing", Revolute(fixed, rotating, **axes))
    model.add(f"{name}.rotating_scissors", GimbalRotation(hub, rotating, **axes))
    return fixed, rotating


def _actuator(plate: Swashplate, horn: float, servos: Sequence, stiffness: Any, damping: Any) -> AddActuator:
    """What adds a link, rigid or elastic; or a servo, where states add to the pitch."""
    elastic: dict[str, Any] = {"stiffness": stiffness, "damping": damping}

    def add(model: Model, name: str, mast: Node, fixed: Node, ends: tuple, length: Any) -> None:
        if not servos:
            add_link(model, name, mast, fixed, ends, length=length, **elastic)
            return
        commands: dict[str, Any] = {
            "x": [state for state, _ in servos],
            "gains": [
                _lengthening(length.x, length.y, horn, plate.radius, plate.lead, *shares) for _, shares in servos
            ],
        }
        model.add(name, LinearServo(mast, fixed, ends=ends, length=length, **commands, **elastic))

    return add


def _lengthening(x: float, y: float, horn: float, radius: float, lead: float, *pitch: float) -> float:
    """What an actuator at x, y gets longer by [m] for these pitch angles [rad], to first order."""
    height, tilt_x, tilt_y = (float(drive(0.0)) for drive in _motion(horn, radius, lead, *map(as_drive, pitch)))
    return height + y * tilt_x - x * tilt_y


def plate_motion(plate: Swashplate, collective: Any, lateral: Any, longitudinal: Any) -> tuple[Drive, Drive, Drive]:
    """Drives of height [m] and tilt about x and y [rad] with which a plate gives these pitch angles [rad]."""
    horn = plate.radius * float(np.sin(plate.lead))
    pitch = as_drives((collective, lateral, longitudinal), "rad", "plate_motion: pitch")
    return _motion(horn, plate.radius, plate.lead, *pitch)


def _motion(
    horn: float, radius: float, lead: float, collective: Drive, lateral: Drive, longitudinal: Drive
) -> tuple[Drive, Drive, Drive]:
    """Height and tilts that give these pitch angles.

    A point of the plate at the azimuth psi + lead rises by radius (tilt_x sin - tilt_y cos)(psi + lead).
    """
    ratio, c, s = horn / radius, float(np.cos(lead)), float(np.sin(lead))
    tilt_x = ratio * (s * lateral + c * longitudinal)
    tilt_y = ratio * (s * longitudinal - c * lateral)
    return horn * collective, tilt_x, tilt_y
