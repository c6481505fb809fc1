"""Who carries variants out: this process, processes on this machine, a Dask cluster."""
