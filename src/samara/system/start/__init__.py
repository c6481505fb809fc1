"""Initial configuration of a model: its reference pose, displaced by the initial values of its joints."""
