"""Surfaces that the air loads: strips on beams and bodies, blades, fuselages, bluff bodies."""
