"""Regulators, and what acts at their command.

A regulator measures, compares with a set point and gives its answer as a scalar state, ``regulator.output``; a servo
or a motor takes that state and acts between two nodes. All of it is part of the equations that a step solves: there is
no delay of a step between measure and action.
"""
