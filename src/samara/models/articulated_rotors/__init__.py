"""Articulated rotors: main and tail rotor of the SA 330 Puma."""
