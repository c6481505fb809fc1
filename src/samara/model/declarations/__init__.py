"""What a model declares beside its equations: rotors, sticks, ornaments."""
