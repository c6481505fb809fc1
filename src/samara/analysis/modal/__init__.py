"""Modes of small motions: shapes, participation, Campbell and Coleman diagrams, Floquet's theory, component modes."""
