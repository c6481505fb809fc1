"""What a scope shows: decimation, trigger, cursors, histograms."""
