"""A tree traced: its elements, states, loops and reactions in one graph."""
