"""What Python asks of tensors while a trace runs: sizes, which stay tensors, and numbers, which the graph cannot know.

Note [Hooks]
While at least one thread traces, `Tensor` has the methods of this file in the place of its own. They look for the recorder of their
thread and do, without one, what the methods do that they stand for. When no thread traces, `Tensor` is as it always is.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any, ClassVar, Final

from torchscript_dialect.ops.eager.recording import RECORDING, recording
from torchscript_dialect.ops.eager.tensors_in_traces import legacy_in_trace
from torchscript_dialect.tensor.dtype import get_default_dtype
from torchscript_dialect.tensor.tensor import Tensor, size_of
from torchscript_dialect.tracer.recorder import TraceRecorder


class TracerWarning(Warning):
    """The trace has something in it that was true of this run, and need not be of others."""


_BAKED = (
    "Converting a tensor to a {} might cause the trace to be incorrect. We can't record the data flow of Python values, so this"
    " value will be treated as a constant in the future. This means that the trace might not generalize to other inputs!"
)
_LENGTH = (
    "Using len to get tensor shape might cause the trace to be incorrect. Recommended usage would be tensor.shape[0]. Passing a tensor"
    " of different shape might lead to errors or silently give incorrect results."
)
_ITERATION = (
    "Iterating over a tensor might cause the trace to be incorrect. Passing a tensor of different shape won't change the number of"
    " iterations executed (and might lead to errors or silently give incorrect results)."
)


def warn(recorder: TraceRecorder, message: str) -> None:
    """Warn about the line that the program is at."""
    frame = recorder.state.frame()
    if frame is None:
        warnings.warn(message, TracerWarning, stacklevel=3)
        return
    registry: dict[Any, Any] = frame.f_globals.setdefault("__warningregistry__", {})
    name = frame.f_globals.get("__name__", "<trace>")
    code = frame.f_code
    warnings.warn_explicit(message, TracerWarning, code.co_filename, frame.f_lineno, name, registry)


_Method = Callable[..., Any]


def _recorder() -> TraceRecorder | None:
    recorder = RECORDING.recorder
    return recorder if isinstance(recorder, TraceRecorder) else None


def _baked(original: _Method, what: str) -> _Method:
    """A method that gives Python a value of the tensor: with a warning."""

    def method(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        recorder = _recorder()
        if recorder is not None and recorder.state.has_value(self):
            warn(recorder, _BAKED.format(what))
        with recording(None):
            return original(self, *args, **kwargs)

    return method


def _size(original: _Method) -> _Method:
    def size(self: Tensor, dim: Any = None) -> Any:
        recorder = _recorder()
        if recorder is None:
            return original(self, dim)
        if dim is None:
            return traced_shape(recorder, self)
        return recorder.size(self, int(dim), original(self, dim))

    return size


def traced_shape(recorder: TraceRecorder, tensor: Tensor) -> Any:
    """The shape, each size of which is a tensor of one element."""
    sizes = [recorder.size(tensor, dim, size) for dim, size in enumerate(tensor.array.shape)]
    return size_of(sizes)


def _shape(original: property) -> property:
    read = original.fget
    assert read is not None

    def shape(self: Tensor) -> Any:
        recorder = _recorder()
        return read(self) if recorder is None else traced_shape(recorder, self)

    return property(shape)


def _numel(original: _Method) -> _Method:
    def numel(self: Tensor) -> Any:
        recorder = _recorder()
        return original(self) if recorder is None else recorder.numel(self)

    return numel


def _len(original: _Method) -> _Method:
    def length(self: Tensor) -> int:
        recorder = _recorder()
        if recorder is not None:
            warn(recorder, _LENGTH)
        return original(self)

    return length


def _iter(original: _Method) -> _Method:
    def iterate(self: Tensor) -> Iterator[Tensor]:
        recorder = _recorder()
        if recorder is None or not self.array.ndim:
            return original(self)
        warn(recorder, _ITERATION)
        return iter(self.unbind(0))

    return iterate


def _init(original: _Method) -> _Method:
    def initialize(self: Tensor, *data: Any) -> None:
        recorder = _recorder()
        if recorder is None or type(self) is not Tensor:
            original(self, *data)
            return
        made = legacy_in_trace(get_default_dtype(), "cpu", data)
        original(self, made)
        recorder.state.set_value(self, recorder.state.value_of(made))

    return initialize


def _detach_(original: _Method) -> _Method:
    def detach_(self: Tensor) -> Tensor:
        recorder = _recorder()
        result = original(self)
        if recorder is not None:
            recorder.detached(self)
        return result

    return detach_


_CONVERSIONS: Final = {
    "__bool__": "Python boolean",
    "__int__": "Python integer",
    "__float__": "Python float",
    "__complex__": "Python complex",
    "__index__": "Python index",
    "item": "Python number",
    "tolist": "Python list",
    "numpy": "NumPy array",
    "__array__": "NumPy array",
    "__dlpack__": "Python capsule",
}
"""What Python gets of tensors by which method."""


class _Hooks:
    """The methods of `Tensor` that hooks stand for; empty while there are none."""

    lock: ClassVar[Lock] = Lock()
    originals: ClassVar[dict[str, Any]] = {}
    traces: ClassVar[int] = 0


def _replacements() -> dict[str, Any]:
    known = vars(Tensor)
    found: dict[str, Any] = {name: _baked(known[name], what) for name, what in _CONVERSIONS.items()}
    found["size"] = _size(known["size"])
    found["shape"] = _shape(known["shape"])
    found["numel"] = found["nelement"] = _numel(known["numel"])
    found["detach_"] = _detach_(known["detach_"])
    found["__len__"] = _len(known["__len__"])
    found["__init__"] = _init(known["__init__"])
    found["__iter__"] = _iter(known["__iter__"])
    return found


@contextmanager
def hooked() -> Generator[None]:
    """Give `Tensor` the hooks; see Note [Hooks]."""
    with _Hooks.lock:
        _Hooks.traces += 1
        if _Hooks.traces == 1:
            made = _replacements()
            _Hooks.originals = {name: vars(Tensor)[name] for name in made}
            _give(made)
    try:
        yield
    finally:
        with _Hooks.lock:
            _Hooks.traces -= 1
            if not _Hooks.traces:
                _give(_Hooks.originals)
                _Hooks.originals = {}


def _give(methods: dict[str, Any]) -> None:
    for name, method in methods.items():
        setattr(Tensor, name, method)
