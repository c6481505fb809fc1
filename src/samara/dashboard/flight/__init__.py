"""Flying: how sticks move, who holds them, how the craft lies."""
