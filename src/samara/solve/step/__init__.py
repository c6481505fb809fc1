"""One time step of the driver, in native code: predict, iterate, accept; events; the loop over time steps."""
