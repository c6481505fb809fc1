"""One trial of a trim: marched until it settles, or by derivatives of the periodic motion."""
