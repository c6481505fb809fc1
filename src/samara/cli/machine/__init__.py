"""Commands about this machine: sessions that run here, what it lacks, completion of the command line."""
