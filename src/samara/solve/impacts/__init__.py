"""Event-driven contact in the redundant formulation: detection, velocity jumps, contact forces, rest of the step."""
