"""Recording: writing the steps of a session to disk, in a separate process.

A `DiskRecorder` drains the session's queue into takes: files of chunks that stay intact even if the recorder is killed.
It converts them to results at the end, or later when they are salvaged. `start`, `stop` and `state` control and query a
recorder from another process; `start_recorder` starts one.
"""

from samara.realtime.recording.recorder import DiskRecorder
from samara.realtime.recording.remote import RecorderState, RecordingError, start, start_recorder, state, stop

__all__ = ["DiskRecorder", "RecorderState", "RecordingError", "start", "start_recorder", "state", "stop"]
