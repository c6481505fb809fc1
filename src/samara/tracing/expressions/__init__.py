"""Traced numbers and their graph: functions, tables, derivatives."""
