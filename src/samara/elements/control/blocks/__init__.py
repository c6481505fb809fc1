"""Blocks of signals: gains, sums, lags, transfer functions, state space, delays, sampled laws."""
