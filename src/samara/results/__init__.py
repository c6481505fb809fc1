"""What a run leaves behind: named channels, the recorder that fills them, the results and their file.

Importing this folder costs numpy alone. xarray, matplotlib and the NetCDF library are loaded by the call that
needs them.
"""

from samara.results.attrs import RunAttrs, Status
from samara.results.channels import Channel, Channels, UnknownChannelError
from samara.results.netcdf import ResultsFileError
from samara.results.progress import Progress
from samara.results.recorder import Recorder
from samara.results.results import Results

__all__ = [
    "Channel",
    "Channels",
    "Progress",
    "Recorder",
    "Results",
    "ResultsFileError",
    "RunAttrs",
    "Status",
    "UnknownChannelError",
]
