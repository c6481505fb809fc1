"""Linear laws: state space, transfer functions, filters, derivative, observer; in continuous time and sampled."""
