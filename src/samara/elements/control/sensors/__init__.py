"""Sensors whose readings are signals."""
