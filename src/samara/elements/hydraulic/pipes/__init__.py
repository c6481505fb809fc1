"""What leads liquid from one junction to another: pipes, orifices, losses."""
