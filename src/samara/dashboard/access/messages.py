"""What a page may say on its WebSocket: Socket.IO on Engine.IO, both of version 5 and 4, as far as a page uses them.

    "3"                      a sign of life           "40", "40{...}"    it connects      "41"    it leaves
    '42["event", {...}]'     of this page: `client_id` is that of the address with which the socket was opened

See socket.io/docs/v4/socket-io-protocol and engine-io-protocol. The gate reads this itself: what the web library
makes of a message is its own matter, and what is not understood here does not get there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs

_PLAIN = re.compile(r"[2356]|2probe|3probe|40(\{.{0,1000}\})?|41", re.DOTALL)
_EVENT = re.compile(r"42\d{0,9}(\[.*)", re.DOTALL)
_NUMBER = re.compile(r"-?\d{1,15}")


def _is_number(value: Any) -> bool:
    return type(value) is int or (isinstance(value, str) and _NUMBER.fullmatch(value) is not None)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= 4096


def _are_arguments(value: Any) -> bool:
    """JSON texts, or none."""
    if not isinstance(value, list) or not all(text is None or isinstance(text, str) for text in value):
        return False
    for text in value:
        if text is not None:
            json.loads(text)  # a `ValueError` is the caller's
    return True


#: What a message of a page has besides `client_id`, by its name. A check may raise `ValueError` as well.
FIELDS: dict[str, dict[str, Callable[[Any], bool]]] = {
    "event": {"id": _is_number, "listener_id": _is_text, "args": _are_arguments},
    "javascript_response": {"request_id": _is_text},
    "ack": {"next_message_id": _is_number},
    "log": {"level": lambda level: level in ("debug", "info", "warning", "error"), "message": _is_text},
    "handshake": {"tab_id": _is_text, "document_id": _is_text},
}


def page_of(query: bytes) -> str:
    """The page that a socket is opened for; empty if it does not say."""
    return parse_qs(query.decode("latin-1")).get("client_id", [""])[0]


def fault(text: str, page: str) -> str:
    """What is wrong with a message on the socket of a page; nothing if it is one."""
    if _PLAIN.fullmatch(text):
        return ""
    found = _EVENT.fullmatch(text)
    try:
        name, said, *_ = json.loads(found[1]) if found else ("", {})
        fields = FIELDS[name]
        sound = isinstance(said, dict) and all(check(said.get(key)) for key, check in fields.items())
    except (ValueError, TypeError, KeyError, RecursionError):
        sound = False
    if not sound:
        return "a message that no page sends"
    return "" if page and said.get("client_id") == page else "a message for another page"
