"""Which nodes of a model hang together: parts and clusters."""
