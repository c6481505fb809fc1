"""Small motions about a state: mass, damping and stiffness matrices, first-order systems, state space."""
