"""Many directions, variants and cores."""
