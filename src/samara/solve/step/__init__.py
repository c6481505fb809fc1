"""One time step of the driver, native: predict, iterate, accept; events; march."""
