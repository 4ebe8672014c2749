"""Streams and events (PyTorch: torch/cuda/streams.py). The stream of a thread that has chosen none is the device's default one."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from threading import get_ident, local
from typing import Any

from torchscript_dialect.runtime.cuda.driver import driver
from torchscript_dialect.runtime.native.device_state import STATE, STREAM, THREAD

NOT_READY = 600
"""What the driver answers where a stream has something to do: `CUDA_ERROR_NOT_READY`."""
LEGACY = 1
"""What the protocols of arrays call the default stream."""


class Stream:
    """Work that is done in its order, beside that of other streams.

    Raises:
        CudaError: there is no device.
    """

    def __init__(self, device: object = None, priority: int = 0) -> None:
        del device, priority
        self.handle: Any = driver().call("making a stream", driver().pycuda.Stream)

    @property
    def cuda_stream(self) -> int:
        """The driver's number for it."""
        return self.handle.handle

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stream) and self.cuda_stream == other.cuda_stream

    def __hash__(self) -> int:
        return hash(self.cuda_stream)

    def synchronize(self) -> None:
        """Wait for all that was put there."""
        driver().call("a stream", self.handle.synchronize)

    def query(self) -> bool:
        """Whether all that was put there is done."""
        return driver().call("a stream", self.handle.is_done)

    def wait_event(self, event: Event) -> None:
        """Let what comes later in the stream wait for an event."""
        driver().call("waiting for an event", self.handle.wait_for_event, event.handle)

    def wait_stream(self, other: Stream | None) -> None:
        """Let what comes later in the stream wait for what is in another one now."""
        self.wait_event(Event().record(other))

    def record_event(self, event: Event | None = None) -> Event:
        """An event that happens when all that is in the stream now is done."""
        return (event or Event()).record(self)


class DefaultStream(Stream):
    """The stream of what no other one was chosen for, which the driver has made. It waits for what was put into others before."""

    def __init__(self) -> None:
        driver()
        self.handle = None

    @property
    def cuda_stream(self) -> int:
        return 0

    def synchronize(self) -> None:
        status: int = driver().call("", driver().library.cuStreamSynchronize, None)
        driver().check("a stream", status)

    def query(self) -> bool:
        status: int = driver().call("", driver().library.cuStreamQuery, None)
        if status != NOT_READY:
            driver().check("a stream", status)
        return not status

    def wait_event(self, event: Event) -> None:
        del event


class Event:
    """A point in a stream."""

    def __init__(self, enable_timing: bool = False, **_: object) -> None:
        flags = driver().pycuda.event_flags
        flag = flags.DEFAULT if enable_timing else flags.DISABLE_TIMING
        self.handle: Any = driver().call("making an event", driver().pycuda.Event, flag)

    def record(self, stream: Stream | None = None) -> Event:
        """Let it happen when all that is in a stream now is done; without one, in that of the thread."""
        handle = current_handle() if stream is None else stream.handle
        driver().call("recording an event", self.handle.record, handle)
        return self

    def wait(self, stream: Stream | None = None) -> None:
        """Let what comes later in a stream wait for it; without one, in that of the thread."""
        stream = stream or current()
        if stream is not None:
            stream.wait_event(self)

    def synchronize(self) -> None:
        """Wait for it."""
        driver().call("an event", self.handle.synchronize)

    def query(self) -> bool:
        """Whether it has happened."""
        return driver().call("an event", self.handle.query)

    def elapsed_time(self, end: Event) -> float:
        """The milliseconds from this event to another."""
        return driver().call("an event", end.handle.time_since, self.handle)


class _Current(local):
    stream: Stream | None = None


_current = _Current()


def current() -> Stream | None:
    """The stream that this thread has chosen; None for the default one."""
    return _current.stream


def current_handle() -> Any:
    """What pycuda takes for it; None for the default stream."""
    stream = _current.stream
    return None if stream is None else stream.handle


@contextmanager
def use(stream: Stream | None) -> Generator[None]:
    """Put what the thread launches into a stream; None is the default one."""
    before = _current.stream
    choose(stream)
    try:
        yield
    finally:
        choose(before)


def choose(stream: Stream | None) -> None:
    """Put what the thread launches into a stream from here on; None is the default one."""
    stream = _current.stream = None if isinstance(stream, DefaultStream) else stream
    if STATE[THREAD] == get_ident():
        STATE[STREAM] = 0 if stream is None else stream.cuda_stream
