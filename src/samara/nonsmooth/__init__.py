"""Nonsmooth subsystems beside a smooth model: points and bodies with contacts, co-simulated with it."""
