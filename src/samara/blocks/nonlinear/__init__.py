"""Laws that bend a signal: limits, dead zone, play, steps. Corners are round in continuous time, sharp in samples."""
