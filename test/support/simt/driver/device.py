"""A device as the driver sees it: contexts, memory, modules, streams with what waits in them, and events."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from support.simt.driver.status import Failed, Status
from support.simt.faults import Fault
from support.simt.memory import Memory, OutOfMemory
from support.simt.module import Module

_DEFAULT_STREAMS = (0, 1, 2)
_BEFORE_INIT = ("cuInit", "cuDriverGetVersion", "cuGetErrorString", "cuGetErrorName")


@dataclass
class Failure:
    """A call of a function that fails, or several, after some that do not."""

    name: str
    status: Status
    after: int = 0
    times: int = 1

    def comes(self, name: str) -> bool:
        """Whether the call of a function is one."""
        if name != self.name:
            return False
        self.after -= 1
        return -self.times <= self.after < 0


@dataclass(eq=False)
class Work:
    """What a device has to do, after other work."""

    action: Callable[[], None]
    after: list[Work]
    is_done: bool = False


@dataclass
class Device:
    """A device: its compute capability, its processors, its memory, and what was asked of it. Nothing that is asynchronous runs before something waits
    for it, so that a program which forgets to wait reads what was there before; then what was put there last runs first where no stream and no event
    says otherwise.
    """

    capability: tuple[int, int] = (8, 0)
    processors: int = 4
    capacity: int = 1 << 26
    version: int = 13000
    count: int = 1
    failures: dict[str, Status] = field(default_factory=dict[str, Status])
    """Functions that fail, by name."""
    failure: Failure | None = None
    """Calls that fail."""
    log: str = ""
    """What the driver tells of a text of PTX that it does not take."""
    faults: list[str] = field(default_factory=list[str])
    """What kernels did that no program may do."""
    calls: list[str] = field(default_factory=list[str])
    """The functions that were called."""
    launches: list[str] = field(default_factory=list[str])
    """The kernels that ran."""
    threads: int = 0
    """Of the last launch."""

    def __post_init__(self) -> None:
        self.memory = Memory(self.capacity)
        self.is_initialized = False
        self.broken: Status | None = None
        self.objects: dict[int, Any] = {}
        self.current: list[int] = []
        self._last: dict[int, Work] = {}
        """What was put last into streams, by their handles."""
        self._next = 0x1000

    def call(self, name: str, function: Callable[[], None]) -> int:
        """Run what a driver function does; gives its status."""
        self.calls.append(name)
        try:
            if name in self.failures:
                raise Failed(self.failures[name])
            if self.failure is not None and self.failure.comes(name):
                raise Failed(self.failure.status)
            if not self.is_initialized and name not in _BEFORE_INIT:
                raise Failed(Status.NOT_INITIALIZED)
            function()
        except Failed as failed:
            return failed.status
        except OutOfMemory:
            return Status.OUT_OF_MEMORY
        except Fault as fault:
            self.faults.append(str(fault))
            return Status.INVALID_VALUE
        return Status.SUCCESS

    # Handles

    def new(self, value: Any) -> int:
        """A handle of an object."""
        self._next += 16
        self.objects[self._next] = value
        return self._next

    def find(self, handle: int, type_: type[Any]) -> Any:
        """The object of a handle.

        Raises:
            Failed: it is none of that type.
        """
        value = self.objects.get(handle)
        if not isinstance(value, type_):
            raise Failed(Status.INVALID_HANDLE)
        return value

    @property
    def leaks(self) -> list[str]:
        """What nobody gave back: allocations, modules, streams and events."""
        kept = [
            type(v).__name__
            for v in self.objects.values()
            if isinstance(v, (Loaded, Stream, Event, Pinned))
        ]
        return kept + ["allocation"] * (
            self.memory.allocations
            - sum(len(v.module.addresses) for v in self.objects.values() if isinstance(v, Loaded))
        )

    # Streams

    def later(self, stream: int, action: Callable[[], None]) -> None:
        """Put an action behind what waits in a stream."""
        if stream and stream not in _DEFAULT_STREAMS:
            self.find(stream, Stream)
        self.check()
        self._put(stream, action, self.pending(stream))

    def pending(self, stream: int) -> list[Work]:
        """What has to be done for a stream to be empty: the last that is in it and in the default one, of that in all."""
        streams = self._last if stream in _DEFAULT_STREAMS else (stream, 0)
        return [self._last[one] for one in streams if one in self._last]

    def order(self, stream: int, event: Event) -> None:
        """Let what comes later in a stream wait for an event."""
        self._put(stream, lambda: None, [*self.pending(stream), *event.after])

    def _put(self, stream: int, action: Callable[[], None], after: list[Work]) -> None:
        stream = 0 if stream in _DEFAULT_STREAMS else stream
        self._last.pop(stream, None)  # so that the last stream stands last
        self._last[stream] = Work(action, after)

    def drain(self, stream: int | None = None) -> None:
        """Run what waits: all, or what has to be done for a stream to be empty.

        Raises:
            Failed: a kernel did what no program may do, now or before; the context is lost then, as a device's is.
        """
        self.run(list(self._last.values()) if stream is None else self.pending(stream))

    def run(self, wanted: list[Work]) -> None:
        """Run work, the last first, and before each what it comes after.

        Raises:
            Failed: see `drain`.
        """
        left = list(wanted)
        while left:
            before = [one for one in left[-1].after if not one.is_done]
            if before:
                left += before
            else:
                self._do(left.pop())
        self._last = {stream: one for stream, one in self._last.items() if not one.is_done}
        self.check()

    def _do(self, work: Work) -> None:
        if work.is_done:
            return
        work.is_done = True
        work.after.clear()
        try:
            work.action()
        except Fault as fault:
            self.faults.append(str(fault))
            is_outside = "out of bounds" in str(fault)
            self.broken = Status.ILLEGAL_ADDRESS if is_outside else Status.LAUNCH_FAILED

    def check(self) -> None:
        """Refuse what comes after a kernel that failed."""
        if self.broken is not None:
            raise Failed(self.broken)


@dataclass
class Context:
    """A context."""


@dataclass
class Loaded:
    """A module that was loaded."""

    module: Module


@dataclass
class Function:
    """A kernel of a module."""

    module: Module
    name: str


@dataclass
class Stream:
    """A stream."""


@dataclass
class Event:
    """An event, which happens after the work that was there when it was recorded."""

    after: list[Work] = field(default_factory=list[Work])


@dataclass
class Pinned:
    """Host memory of the driver's."""

    buffer: Any
