"""Electric machines on a shaft, with gears."""
