"""The air that a model flies in: atmosphere, wind, gusts and turbulence."""
