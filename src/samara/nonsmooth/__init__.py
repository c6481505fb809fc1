"""Nonsmooth subsystems: points and bodies with contacts, co-simulated with a smooth model."""
