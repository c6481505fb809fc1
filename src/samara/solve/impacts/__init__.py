"""Event-driven contact of the redundant formulation: detection, velocity jumps, forces, the rest of the step."""
