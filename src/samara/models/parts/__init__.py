"""Parts of machines: blades, hinges, controls, rotors, airframes, as records that add themselves to a model."""
