"""Electric machines on a shaft, with their gears."""
