"""Linearised equations of motion with constraints, as arrays: units, null spaces, first-order form."""
