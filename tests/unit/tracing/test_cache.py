"""The cache of compiled code: private, whole files only, never the reason of a failure."""

import errno
import hashlib
import hmac
import os
import stat
import subprocess
import sys
import tempfile
import textwrap
import threading

import numpy as np
import pytest

from samara.tracing import Expr, Graph, cache, private_folder
from samara.tracing.compiling import COMPILING
from samara.tracing.kernels import native
from samara.tracing.kernels.lanes import Function, Place, Shape

posix = pytest.mark.skipif(not hasattr(os, "getuid"), reason="owners and permission bits are those of POSIX")
INFO = cache.KernelInfo("Test", 3, 4, 0.5)


def doubled() -> list[Function]:
    graph = Graph()
    x = Expr(graph, graph.input(Place("lane", 0, 0)))
    return [Function("twice", graph, [(Place("lane", 0, 0), (2.0 * x).id)])]


def load() -> native.Loaded:
    """The kernel as a process that has not seen it yet would get it."""
    return native.load("Doubled", doubled(), 4, Shape(block=1))


@pytest.fixture
def works(call_kernel, monkeypatch):
    """Loads the kernel as a new process would, runs it, and returns where it came from."""
    new_machine, new_engine = native._machine.__wrapped__, native._engine.__wrapped__

    def check() -> native.Loaded:
        machine = new_machine(native.optimisation())
        monkeypatch.setattr(native, "_machine", lambda level: machine)
        engine = new_engine()
        monkeypatch.setattr(native, "_engine", lambda: engine)
        monkeypatch.setattr(native, "_loaded", {})
        loaded = load()
        state = np.array([1.0, 2.0, 3.0, 4.0])
        call_kernel(loaded.addresses["twice"], 1, state=state)
        np.testing.assert_array_equal(state, [2.0, 4.0, 6.0, 8.0])
        return loaded

    return check


# ---- what is kept
def test_what_is_written_is_read(fresh_cache):
    cache.write("key", INFO, b"code\n\nwith lines\x00")
    info, code = cache.read("key")
    assert code == b"code\n\nwith lines\x00"
    assert info == cache.KernelInfo("Test", 3, 4, 0.5, bytes=len(code))
    assert list(cache.entries()) == [("key", info)]
    assert cache.read("other") is None
    assert cache.clear() == 1
    assert cache.read("key") is None
    assert list(fresh_cache.iterdir()) == []


def test_a_kernel_is_compiled_once(fresh_cache, works):
    assert not works().from_cache
    again = works()
    assert again.from_cache
    assert again.info.kind == "Doubled"
    assert again.info.operations == 1
    assert again.info.compile_seconds > 0


def test_time_is_counted_only_when_compiling(fresh_cache):
    seconds = [COMPILING.seconds]
    for _ in range(2):
        native.load("Doubled", doubled(), 4, Shape(block=1))
        seconds.append(COMPILING.seconds)
    assert seconds[0] < seconds[1] == seconds[2]


# ---- damage
@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: data[:20],
        lambda data: data[:-1],
        lambda data: data + b"x",
        lambda data: data[:-40] + bytes([data[-40] ^ 1]) + data[-39:],
        lambda data: data.replace(b'"lanes": 4', b'"lanes": 8'),
        lambda data: b"\x7fELF something else altogether",
        lambda data: b"samara-kernel-1" + data[len(b"samara-kernel-1") :],
    ],
    ids=["empty", "half", "head only", "one byte short", "one byte more", "one bit", "header", "foreign", "old format"],
)
def test_a_damaged_file_is_made_again(damage, fresh_cache, works):
    works()
    (file,) = fresh_cache.glob("*.kernel")
    whole = file.read_bytes()
    file.write_bytes(damage(whole))
    assert not works().from_cache
    assert works().from_cache
    assert len(file.read_bytes()) == pytest.approx(len(whole), abs=30)  # the seconds in the header vary


def test_the_file_of_another_kernel_is_not_taken(fresh_cache, works):
    works()
    (file,) = fresh_cache.glob("*.kernel")
    graph = Graph()
    other = [Function("thrice", graph, [(Place("lane", 0, 0), graph.const(3.0))])]
    key = native.load("Other", other, 4, Shape(block=1)).key
    file.write_bytes((fresh_cache / f"{key}.kernel").read_bytes())
    assert not works().from_cache


def test_a_file_that_describes_something_else_is_made_again(fresh_cache, works):
    loaded = works()
    _, code = cache.read(loaded.key)
    cache.write_file(cache.folder(), f"{loaded.key}.kernel", loaded.key, {"unknown": 1}, code)
    assert not works().from_cache
    assert works().from_cache


def test_damaged_files_are_listed_without_information(fresh_cache):
    cache.write("good", INFO, b"code")
    (fresh_cache / "bad.kernel").write_bytes(b"nonsense")
    assert dict(cache.entries())["bad"] is None
    assert not (fresh_cache / "bad.kernel").exists()


# ---- places
@posix
def test_the_directory_and_its_files_are_private(tmp_path, monkeypatch):
    monkeypatch.setenv("SAMARA_CACHE", str(tmp_path / "new" / "cache"))
    old = os.umask(0)
    try:
        cache.write("key", INFO, b"code")
    finally:
        os.umask(old)
    directory = cache.directory()
    assert directory == tmp_path / "new" / "cache"
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700
    assert stat.S_IMODE((directory / "key.kernel").stat().st_mode) == 0o600
    assert directory.stat().st_uid == os.getuid()


@posix
def test_a_directory_that_others_can_write_to_is_not_used(tmp_path, monkeypatch):
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    monkeypatch.setenv("SAMARA_CACHE", str(shared))
    directory = cache.directory()
    assert directory.parent == shared
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700
    assert stat.S_IMODE(shared.stat().st_mode) == 0o1777  # not ours to change
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    directory.chmod(0o770)  # someone opened that one too: the temporary files remain
    assert cache.directory() == tmp_path / f"samara-kernels-{os.getuid()}"
    directory.chmod(0o700)
    shared.chmod(0o777)  # without the sticky bit anybody could rename what is in it
    monkeypatch.setattr(cache, "_held", None)
    assert cache.directory() == tmp_path / f"samara-kernels-{os.getuid()}"


@posix
def test_a_directory_of_another_user_is_not_used(tmp_path, monkeypatch):
    theirs = tmp_path / "theirs"
    theirs.mkdir(mode=0o700)
    monkeypatch.setenv("SAMARA_CACHE", str(theirs))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    with pytest.raises(PermissionError, match=r"belongs to another user.*set SAMARA_CACHE"):
        cache.directory()


@posix
def test_a_link_that_someone_else_made_is_not_followed(tmp_path, monkeypatch):
    mine = tmp_path / "mine"
    mine.mkdir(mode=0o700)
    link = tmp_path / "link"
    link.symlink_to(mine)
    monkeypatch.setenv("SAMARA_CACHE", str(link))
    assert cache.directory() == link  # my own link is fine
    if os.getuid() == 0:
        os.lchown(link, 12345, 12345)
        monkeypatch.setattr(cache, "_held", None)
        assert cache.directory() != link


def test_home_is_the_default(tmp_path, monkeypatch):
    monkeypatch.delenv("SAMARA_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache.directory() == tmp_path / "samara" / "kernels"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert cache.directory() == tmp_path / "home" / ".cache" / "samara" / "kernels"


@pytest.mark.parametrize("error", [errno.EROFS, errno.ENOSPC, errno.EACCES])
def test_a_disk_that_cannot_be_written_costs_a_compilation_only(error, fresh_cache, works, monkeypatch):
    def refuse(*args, **kwargs):
        raise OSError(error, os.strerror(error))

    monkeypatch.setattr(os, "replace", refuse)
    assert not works().from_cache
    assert not works().from_cache


def test_a_disk_that_fills_up_leaves_nothing_half_written(fresh_cache, works, monkeypatch):
    def full(*args, **kwargs):
        raise OSError(errno.ENOSPC, "no space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert not works().from_cache
    assert list(fresh_cache.iterdir()) == []


def test_no_place_at_all_costs_a_compilation_only(tmp_path, works, monkeypatch):
    """A file where the directories should be, everywhere."""
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("SAMARA_CACHE", str(blocked))
    monkeypatch.setattr(tempfile, "tempdir", str(blocked))
    assert not works().from_cache
    assert not works().from_cache


# ---- what others could do
@posix
def test_a_place_that_others_can_swap_is_not_used(tmp_path, monkeypatch):
    """The folder is private, one above it is not: whoever writes there gives its name to a folder of theirs."""
    shared = tmp_path / "shared"
    (shared / "mine" / "cache").mkdir(parents=True, mode=0o700)
    monkeypatch.setenv("SAMARA_CACHE", str(shared / "mine" / "cache"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(private_folder, "_is_own_group", lambda number: False)
    instead = tmp_path / f"samara-kernels-{os.getuid()}"
    assert cache.directory() == shared / "mine" / "cache"
    for mode, used in ((0o777, False), (0o775, False), (0o1777, True), (0o755, True)):
        monkeypatch.setattr(cache, "_held", None)
        shared.chmod(mode)
        assert cache.directory() == (shared / "mine" / "cache" if used else instead), oct(mode)
        assert any(f"others can write to {shared}, which has no sticky bit" in why for why in cache.refusals) != used
    monkeypatch.setattr(private_folder, "_is_own_group", lambda number: True)
    monkeypatch.setattr(cache, "_held", None)
    shared.chmod(0o775)  # as many systems make folders, with a group for each user
    assert cache.directory() == shared / "mine" / "cache"
    if os.getuid() == 0:
        shared.chmod(0o755)
        os.chown(shared, 12345, 12345)
        monkeypatch.setattr(cache, "_held", None)
        assert cache.directory() == instead


@posix
def test_a_folder_that_is_swapped_is_noticed(tmp_path, monkeypatch):
    """What was looked at is what is used: one of another user under the same name is not."""
    cache_folder = tmp_path / "cache"
    monkeypatch.setenv("SAMARA_CACHE", str(cache_folder))
    cache.write("key", INFO, b"code")
    held = cache.folder()
    cache_folder.rename(tmp_path / "away")
    cache_folder.mkdir(mode=0o777)
    cache_folder.chmod(0o777)
    (cache_folder / "key.kernel").write_bytes((tmp_path / "away" / "key.kernel").read_bytes())
    assert held.read("key.kernel") == (tmp_path / "away" / "key.kernel").read_bytes()
    assert not held.is_sound()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert cache.directory() == tmp_path / f"samara-kernels-{os.getuid()}"
    assert cache.read("key") is None


def test_what_was_written_without_the_key_is_not_taken(fresh_cache, works):
    """Whoever gets to write there cannot make a file that is taken: its digest needs the user's own key."""
    works()
    (file,) = fresh_cache.glob("*.kernel")
    magic, header, digest, content = file.read_bytes().split(b"\n", 3)
    for forged in (hashlib.sha256(header + b"\n" + content), hmac.new(b"guess", header + b"\n" + content, "sha256")):
        file.write_bytes(b"\n".join([magic, header, forged.hexdigest().encode(), content]))
        assert not works().from_cache
        assert works().from_cache
    assert len(digest) == len(forged.hexdigest())


@posix
def test_the_key_is_the_users_own(tmp_path, monkeypatch):
    """It lies in the default directory, wherever the cache is; one that others could have read is made anew."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("SAMARA_CACHE", str(tmp_path / "cache"))
    cache._secret.cache_clear()
    cache.write("key", INFO, b"code")
    key = tmp_path / "home" / "samara" / "kernels" / "key"
    first = key.read_bytes()
    assert len(first) == 32 and stat.S_IMODE(key.stat().st_mode) == 0o600
    cache._secret.cache_clear()
    assert cache.read("key") is not None
    assert key.read_bytes() == first
    for damage in (lambda: key.chmod(0o644), lambda: key.write_bytes(b"short")):
        before = key.read_bytes()
        damage()
        cache._secret.cache_clear()
        assert cache.read("key") is None
        assert key.read_bytes() not in (before, b"short") and stat.S_IMODE(key.stat().st_mode) == 0o600
        cache.write("key", INFO, b"code")
    cache._secret.cache_clear()


@posix
def test_what_is_no_file_is_not_waited_for(fresh_cache):
    cache.write("key", INFO, b"code")
    whole = (fresh_cache / "key.kernel").read_bytes()
    (fresh_cache / "elsewhere").write_bytes(whole)
    for make in (lambda path: os.mkfifo(path), lambda path: path.symlink_to(fresh_cache / "elsewhere")):
        (fresh_cache / "key.kernel").unlink()
        make(fresh_cache / "key.kernel")
        assert cache.read("key") is None
    assert (fresh_cache / "elsewhere").read_bytes() == whole


# ---- several at once
SCRIPT = """
    import sys
    import numpy as np, ctypes
    from samara.tracing import Expr, Graph
    from samara.tracing.kernels import native
    from samara.tracing.kernels.lanes import Function, Place, Shape

    graph = Graph()
    x = Expr(graph, graph.input(Place("lane", 0, 0)))
    y = x
    for k in range(150):
        y = np.sin(y) + float(k) * x
    sys.stdin.read()  # all start at once
    for width in (1, 2, 4, 8):
        loaded = native.load("Long", [Function("f", graph, [(Place("lane", 0, 0), y.id)])], width, Shape(block=1))
        state = np.full(width, 0.5)
        call = ctypes.CFUNCTYPE(None, ctypes.c_int64, *[ctypes.c_void_p] * 7)(loaded.addresses["f"])
        call(1, state.ctypes.data, None, None, None, None, None, None)
        print(width, *state, loaded.from_cache)
"""


def test_processes_that_compile_at_once_do_not_disturb_each_other(fresh_cache):
    def start() -> subprocess.Popen:
        return subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(SCRIPT)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    processes = [start() for _ in range(2)]
    results = [p.communicate("go") for p in processes]
    assert [p.returncode for p in processes] == [0, 0], results
    numbers = [[line.split()[:-1] for line in out.splitlines()] for out, _ in results]
    assert numbers[0] == numbers[1]
    assert len(list(fresh_cache.glob("*.kernel"))) == 4
    assert not list(fresh_cache.glob(".writing-*"))
    last = start()
    out, _ = last.communicate("go")
    assert all(line.endswith("True") for line in out.splitlines())
    assert [line.split()[:-1] for line in out.splitlines()] == numbers[0]


def test_writers_and_readers_of_one_file(fresh_cache):
    """A reader sees one of the whole files or none, never a mixture."""
    codes = [bytes([k]) * (1000 + 50_000 * k) for k in range(4)]
    stop, wrong = threading.Event(), []

    def write(code: bytes) -> None:
        while not stop.is_set():
            cache.write("key", cache.KernelInfo("Test", 1, 1, 0.0), code)

    def look() -> None:
        for _ in range(300):
            found = cache.read("key")
            if found is not None and (found[1] not in codes or found[0].bytes != len(found[1])):
                wrong.append(found[0])

    threads = [threading.Thread(target=write, args=(code,)) for code in codes]
    for thread in threads:
        thread.start()
    look()
    stop.set()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_threads_that_load_at_once(fresh_cache):
    found = []
    threads = [threading.Thread(target=lambda: found.append(load().addresses["twice"])) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(found)) == 1


@posix
@pytest.mark.parametrize("chosen", ["~nobody-of-this-name/kernels", None])
def test_without_a_home_the_temporary_files_serve(tmp_path, monkeypatch, chosen):
    """As for a user number that the machine knows no name of, in a container."""
    import pwd

    def unknown(number):
        raise KeyError(number)

    monkeypatch.setattr(pwd, "getpwuid", unknown)
    for name in ("HOME", "XDG_CACHE_HOME", "SAMARA_CACHE"):
        monkeypatch.delenv(name, raising=False)
    if chosen:
        monkeypatch.setenv("SAMARA_CACHE", chosen)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert cache.directory() == tmp_path / f"samara-kernels-{os.getuid()}"


def test_a_folder_among_the_kernels_is_left_alone(fresh_cache):
    cache.write("key", INFO, b"code")
    (cache.directory() / "other.kernel").mkdir()
    assert [key for key, _ in cache.entries()] == ["key"]
    assert cache.clear() == 1
    assert (cache.directory() / "other.kernel").is_dir()
