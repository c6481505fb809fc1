"""Springs and dampers: any one-dimensional law between two nodes."""
