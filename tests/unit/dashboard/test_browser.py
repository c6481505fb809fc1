"""A browser is opened only where there is a screen."""

import threading

from samara.dashboard.server import browser


def opened(monkeypatch, **environment):
    done, seen = threading.Event(), []
    monkeypatch.setattr(browser.sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(browser.webbrowser, "open", lambda address: (seen.append(address), done.set()))
    browser.show("http://127.0.0.1/")
    if environment:
        assert done.wait(10.0)
    return seen


def test_with_a_screen(monkeypatch):
    assert opened(monkeypatch, DISPLAY=":0") == ["http://127.0.0.1/"]


def test_without_one(monkeypatch):
    assert opened(monkeypatch) == []
