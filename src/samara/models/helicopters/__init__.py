"""Whole helicopters: trim, drive train, landing, engine failure, linear models."""
