"""What a run says: why it stopped, warnings, and the wording of motions and loops."""
