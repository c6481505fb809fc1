"""Aerofoil sections: linear, by formula, by tables, unsteady and in dynamic stall."""
