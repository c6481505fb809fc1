"""Rotors: at the paper's rates, trim, stability, structures, hydraulics."""
