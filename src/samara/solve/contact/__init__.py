"""Contact for every integrator: gaps during a step, islands of closed contacts, impulses."""
