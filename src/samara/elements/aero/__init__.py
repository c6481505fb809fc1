"""The air and what it does to blades: atmosphere, wind and gusts, aerofoils."""
