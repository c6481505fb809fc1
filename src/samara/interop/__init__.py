"""Files of other programs: reading and writing them."""

from samara.interop.c81 import read_c81, write_c81

__all__ = ["read_c81", "write_c81"]
