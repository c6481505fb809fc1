"""Blocks: laws of signals, each written once on plain or traced numbers, whoever evaluates it.

A block in continuous time and a sampled one in a model, off-line or in hard real time, a controller process and a
script use the same record: native code and derivatives are made from its functions by tracing.

block.py        what a block is; traced.py: native code of it; control_law.py, corners.py: what some share
linear/         state space, transfer functions, filters, derivative, observer
nonlinear/      limits, dead zone, play, steps, angles without jumps
pid.py, integral.py, delay.py, moving_average.py
trajectories/   set points as laws of time
predictive/     control by what a model predicts, known or learnt on the way: python_block.py, what learning laws share
design/         gains that are designed from a model
"""
