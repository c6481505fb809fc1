"""What an element may be beside its equations: a role is a base class with the answers that one asker wants.

Askers look a role up by its type, `isinstance(element, Inertial)`, when a model is built or after a run, never in a
step. An element takes a role by naming it among its bases: ``class Flywheel(RigidMass)``.

Each file says who asks. `Starting` of `samara.elements.families` is the role of joints that say where nodes start.
"""
