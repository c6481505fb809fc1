"""Free vortex wake of a rotor: kernels, near wake, filaments, and the law that marches them."""
