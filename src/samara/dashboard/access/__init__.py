"""Who may come in, and who may command: roles, limits of rate, the gate."""
