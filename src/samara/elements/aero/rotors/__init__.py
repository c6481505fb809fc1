"""Rotors as the air sees them: the rotor with its inflow and blades, the tail rotor as a load."""
