"""Inflow of rotors: momentum theory, finite states, rings, tip loss, wakes."""
