"""Landing surfaces and landing gear: ground, ship deck, wheels and skids."""
