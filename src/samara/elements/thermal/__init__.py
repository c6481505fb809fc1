"""Heat: capacities, resistances and sources."""
