"""The model: nodes, placements, drives, parameters, and the contract of an element."""

from samara.arguments import ArgumentError, ModelError
from samara.model.declarations.declared_rotor import DeclaredRotor
from samara.model.declarations.ornament import Ornament
from samara.model.declarations.sticks import Stick, Sticks
from samara.model.element import Contribution, Element, Grip, Measure, Output, Site, Touch
from samara.model.frames.kinematics import Frame
from samara.model.frames.node import Motion, Node
from samara.model.junction import ABSTRACT, ELECTRIC, HYDRAULIC, THERMAL, Connection, Domain, Junction, Way
from samara.model.model import Model
from samara.model.quantities.parameters import Parameter
from samara.model.quantities.placement import Placement, as_placement
from samara.model.quantities.state import State, StateMotion
from samara.model.roles.contact import Pooled
from samara.model.roles.engagement import Engaged
from samara.model.roles.external_loads import ExternalLoads
from samara.model.roles.friction import Frictional
from samara.model.roles.inertia import FeelsGravity, Inertial, RigidMass, Slice, Sliced, Weighted
from samara.model.roles.lifting_surface import LiftingSurface
from samara.model.roles.network import Networked
from samara.model.roles.rotor import RotorDeclaration
from samara.model.roles.sampling import Sampled
from samara.model.roles.shape import Drawn, Extended
from samara.model.roles.signals import Defining
from samara.model.roles.stiffness import GivesShape, Stiff
from samara.model.roles.survey import Surveying
from samara.model.roles.verdict import Doubting, EnergyBooks
from samara.model.schema.drives import (
    Constant,
    Cosine,
    Drive,
    Expression,
    Input,
    Product,
    Ramp,
    Sine,
    Step,
    Sum,
    Tabulated,
    as_drive,
)
from samara.model.schema.fields import (
    direction,
    driven,
    matrix,
    node,
    number,
    numbers,
    option,
    placement,
    reads,
    record,
    records,
    setting,
    signal,
    signals,
    state,
    table,
    vector,
)
from samara.model.schema.record import KeywordRecord, Record
from samara.model.sketch import Sketch

__all__ = [
    "ABSTRACT",
    "ELECTRIC",
    "HYDRAULIC",
    "THERMAL",
    "ArgumentError",
    "Connection",
    "Constant",
    "Contribution",
    "Cosine",
    "DeclaredRotor",
    "Defining",
    "Domain",
    "Doubting",
    "Drawn",
    "Drive",
    "Element",
    "EnergyBooks",
    "Engaged",
    "Expression",
    "Extended",
    "ExternalLoads",
    "FeelsGravity",
    "Frame",
    "Frictional",
    "GivesShape",
    "Grip",
    "Inertial",
    "Input",
    "Junction",
    "KeywordRecord",
    "LiftingSurface",
    "Measure",
    "Model",
    "ModelError",
    "Motion",
    "Networked",
    "Node",
    "Ornament",
    "Output",
    "Parameter",
    "Placement",
    "Pooled",
    "Product",
    "Ramp",
    "Record",
    "RigidMass",
    "RotorDeclaration",
    "Sampled",
    "Sine",
    "Site",
    "Sketch",
    "Slice",
    "Sliced",
    "State",
    "StateMotion",
    "Step",
    "Stick",
    "Sticks",
    "Stiff",
    "Sum",
    "Surveying",
    "Tabulated",
    "Touch",
    "Way",
    "Weighted",
    "as_drive",
    "as_placement",
    "direction",
    "driven",
    "matrix",
    "node",
    "number",
    "numbers",
    "option",
    "placement",
    "reads",
    "record",
    "records",
    "setting",
    "signal",
    "signals",
    "state",
    "table",
    "vector",
]
