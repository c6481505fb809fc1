"""Recording: every step of a session on the disk, by a process beside the loop.

A `DiskRecorder` drains the session's queue into takes, files of chunks that stay whole whenever it is killed, and makes
results of them, at the end or when they are salvaged. `start`, `stop` and `state` tell a recorder what to do from
elsewhere, and `start_recorder` starts one.
"""

from samara.realtime.recording.recorder import DiskRecorder
from samara.realtime.recording.remote import RecorderState, RecordingError, start, start_recorder, state, stop

__all__ = ["DiskRecorder", "RecorderState", "RecordingError", "start", "start_recorder", "state", "stop"]
