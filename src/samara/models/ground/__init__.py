"""What machines stand and land on: ground, the deck of a ship, landing gear."""
