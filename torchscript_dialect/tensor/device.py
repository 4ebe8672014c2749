"""Where a tensor lives: PyTorch's `device`, a kind of device and an optional index."""

from __future__ import annotations

import re
from typing import Any, final

_PATTERN = re.compile(r"([a-zA-Z_]+)(?::(0|[1-9][0-9]*))?")
_TYPES = tuple(
    "cpu cuda ipu xpu mkldnn opengl opencl ideep hip ve fpga maia xla lazy vulkan mps meta "
    "hpu mtia privateuseone".split()
)


@final
class device:
    """A device such as `cpu` or `cuda:1`, equal to another, or PyTorch's, by type and index; `index` is None for
    the current one.

    Takes `device("cuda:1")`, `device("cuda", 1)`, another device, or PyTorch's. RuntimeError for
    text that names none.
    """

    __slots__ = ("index", "type")

    type: str
    index: int | None

    def __init__(self, type: object, index: int | None = None) -> None:
        text = str(type)
        if not text:
            raise RuntimeError("Device string must not be empty")
        match = _PATTERN.fullmatch(text)
        if match is None:
            raise RuntimeError(f"Invalid device string: '{text}'")
        if match[1] not in _TYPES:
            raise RuntimeError(
                f"Expected one of {', '.join(_TYPES)} device type at start of device string: {text}"
            )
        if match[2] is not None and index is not None:
            raise RuntimeError(
                "type (string) must not include an index because index was passed explicitly: "
                + text
            )
        if index is not None and index < 0:
            raise RuntimeError("Device index must not be negative")
        self.type = match[1]
        self.index = index if match[2] is None else int(match[2])

    def __eq__(self, other: object) -> bool:
        if isinstance(other, device):
            return self.type == other.type and self.index == other.index
        class_ = other.__class__
        is_one = class_.__module__ == "torch" and class_.__name__ == "device"
        return is_one and str(other) == str(self)

    def __hash__(self) -> int:
        return hash((self.type, self.index))

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __repr__(self) -> str:
        index = "" if self.index is None else f", index={self.index}"
        return f"device(type='{self.type}'{index})"

    def __reduce__(self) -> tuple[Any, ...]:
        return (device, (self.type, self.index))

    def require_host(self) -> None:
        """NotImplementedError for another device than the one on which tensors are made that are told none."""
        if self.type != "cpu":
            raise NotImplementedError(
                f"tensors are made on the cpu unless they are told a device, not on {self}"
            )

    def __enter__(self) -> device:
        self.require_host()
        return self

    def __exit__(self, *_: object) -> None:
        return None


cpu = device("cpu")
