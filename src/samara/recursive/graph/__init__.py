"""Tracing of a tree: its elements, states, loops and reactions in one graph."""
