"""Hinges of a blade, from the shaft outboard: flap, lag and pitch, with their springs and what is between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from samara.elements.deformable.hinge import DeformableHinge
from samara.elements.joints.revolute import Revolute
from samara.elements.joints.universal import Universal
from samara.elements.laws.linear import LinearLaw
from samara.elements.springs.torsion import Torsion
from samara.model import Element, Model, ModelError, Node, Placement
from samara.models.parts.masses import MassProperties
from samara.rotations import rotation_from_axes

#: Axes about which a blade flaps up, lags back and pitches nose up, in its own axes (x out along the span, y to the
#: leading edge, z up) on a rotor that turns counter-clockwise; its mirror image has the signs of x and z changed.
AXES = {"flap": (0.0, -1.0, 0.0), "lag": (0.0, 0.0, -1.0), "pitch": (1.0, 0.0, 0.0)}
#: Frames of a hinge in the two nodes that it joins: {"place_a": ..., "place_b": ...}.
Frames = Mapping[str, Placement]
#: What lies outboard of each hinge but the last.
OUTBOARD = {"flap": "link", "lag": "arm", "pitch": "cuff"}


class HingeDamper(Protocol):
    """What damps a hinge by an element of its own, such as `HydraulicLagDamper`."""

    def element(self, a: Node, b: Node, **frames: Any) -> Element: ...


@dataclass(frozen=True)
class BladeHinge:
    """One hinge of a blade.

    at:        from the shaft [m].
    stiffness: of a spring about it [N m/rad]. damping: [N m s/rad], or a `HingeDamper`. Both may be parameters.
    carries:   what lies between it and the next hinge outboard; None: no mass.
    delta3:    of a flap hinge, by which it is skewed [rad]: a blade that flaps up by b loses b tan(delta3) of pitch.
    reverse:   whether its angle counts the other way: flap down, lag ahead, nose down.
    """

    at: float
    stiffness: Any = 0.0
    damping: Any = 0.0
    carries: MassProperties | None = None
    delta3: float = 0.0
    reverse: bool = False

    def axes(self, kind: str, sense: int) -> np.ndarray:
        """Of its frame in those of the blade (x out, z up): z is the axis about which it turns."""
        x, y, z = AXES[kind]
        if self.delta3:
            x, y = -np.sin(self.delta3), -np.cos(self.delta3)
        sign = -1.0 if self.reverse else 1.0
        up = (0.0, 0.0, 1.0) if x else (1.0, 0.0, 0.0)
        return rotation_from_axes(z=(sign * sense * x, sign * y, sign * sense * z), x=up)

    def add(self, model: Model, name: str, nodes: tuple[Node, Node], frames: Frames, start: Any = None) -> None:
        """Adds the hinge between two nodes, with its spring and damper."""
        places: Any = dict(frames)
        model.add(name, Revolute(*nodes, start=start, **places))
        stiffness, damping = self.stiffness, self.damping
        if hasattr(damping, "element"):
            model.add(f"{name}.damper", damping.element(*nodes, **places))
            damping = 0.0
        if not (_is_zero(stiffness) and _is_zero(damping)):
            word = "damper" if _is_zero(stiffness) else "spring"
            model.add(f"{name}.{word}", Torsion(*nodes, law=LinearLaw(stiffness, damping=damping), **places))


@dataclass(frozen=True)
class Flexure:
    """Flap and lag at one place, by a cross whose arms are about y and z of the blade.

    at: from the shaft [m]. flap, lag: (stiffness [N m/rad], damping [N m s/rad]), of each about its axis.
    carries: see `BladeHinge`.
    """

    at: float
    flap: tuple[Any, Any] = (0.0, 0.0)
    lag: tuple[Any, Any] = (0.0, 0.0)
    carries: MassProperties | None = None

    def add(self, model: Model, name: str, nodes: tuple[Node, Node], frames: Frames, start: Any = None) -> None:
        """Adds cross and springs between two nodes; the frames have the axes of the blade."""
        cross = Placement((0.0, 0.0, 0.0), rotation_from_axes(z=(1.0, 0.0, 0.0), x=(0.0, 1.0, 0.0)))
        places: Any = {end: place @ cross for end, place in frames.items()}
        model.add(f"{name}.hinge", Universal(*nodes, start=start, **places))
        laws = (LinearLaw(stiffness, damping=damping) for stiffness, damping in (self.flap, self.lag))
        springs: Any = dict(frames)
        model.add(f"{name}.spring", DeformableHinge(*nodes, law=(None, *laws), **springs))


@dataclass(frozen=True)
class Hinges:
    """The hinges of a blade; they follow each other from the shaft outboard, at one place flap before lag before pitch.

    flexure: flap and lag at one place, instead of hinges for both.
    """

    flap: BladeHinge | None = None
    lag: BladeHinge | None = None
    pitch: BladeHinge | None = None
    flexure: Flexure | None = None

    def __post_init__(self) -> None:
        if self.flexure is not None and (self.flap is not None or self.lag is not None):
            raise ModelError("Hinges: give either a flexure, which flaps and lags, or hinges for that, not both")

    @property
    def chain(self) -> list[tuple[str, BladeHinge | Flexure]]:
        """Those it has, by name, from the shaft outboard."""
        named = [(kind, getattr(self, kind)) for kind in ("flexure", "flap", "lag", "pitch")]
        return sorted(((kind, hinge) for kind, hinge in named if hinge is not None), key=lambda one: one[1].at)

    @property
    def flapping(self) -> float:
        """Where the blade flaps, from the shaft [m]; a gimbal's hub: on it."""
        hinge = self.flexure or self.flap
        return 0.0 if hinge is None else hinge.at


def _is_zero(value: Any) -> bool:
    """Whether this is the number zero; a parameter is none."""
    return isinstance(value, (int, float)) and value == 0.0
