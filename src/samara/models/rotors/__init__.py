"""Rotors of textbooks and tests."""
