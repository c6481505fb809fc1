"""Traced values and their expression graph: functions, tables, derivatives."""
