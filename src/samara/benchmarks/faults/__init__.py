"""What goes wrong on purpose: damaged inputs, processes that are stopped and killed, disks that are full, strangers."""
