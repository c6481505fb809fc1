"""Commands of many runs: sweep, experiment, bench."""
