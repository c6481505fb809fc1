"""Numbers of a model: parameters, placements, scalar states, units, arguments as users give them."""
