"""A device as the driver sees it: contexts, memory, modules, streams with what waits in them, and events."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from support.simt.driver.status import Failed, Status
from support.simt.faults import Fault
from support.simt.memory import Memory, OutOfMemory
from support.simt.module import Module

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


@dataclass
class Device:
    """A device: its compute capability, its processors, its memory, and what was asked of it. Nothing that is asynchronous runs before something waits
    for it, so that a program which forgets to wait reads what was there before.
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
        self.queue: list[tuple[int, Callable[[], None]]] = []
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
        if stream and stream not in (1, 2):
            self.find(stream, Stream)
        self.check()
        self.queue.append((stream, action))

    def drain(self, stream: int | None = None) -> None:
        """Run what waits, in the order in which it came: all, or up to the last of a stream.

        Raises:
            Failed: a kernel did what no program may do, now or before; the context is lost then, as a device's is.
        """
        last = len(self.queue)
        if stream is not None:
            last = max((i + 1 for i, (s, _) in enumerate(self.queue) if s == stream), default=0)
        actions, self.queue = self.queue[:last], self.queue[last:]
        for _, action in actions:
            try:
                action()
            except Fault as fault:
                self.faults.append(str(fault))
                self.broken = (
                    Status.ILLEGAL_ADDRESS
                    if "out of bounds" in str(fault)
                    else Status.LAUNCH_FAILED
                )
        self.check()

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
    """An event."""


@dataclass
class Pinned:
    """Host memory of the driver's."""

    buffer: Any
