"""Whether operators have to give the same for the same operands, however often they run: `torch.use_deterministic_algorithms` (PyTorch:
aten/src/ATen/Context.cpp). Those of the host always do.
"""

from __future__ import annotations

import warnings

from torchscript_dialect.tensor import pytorch_state

MODES = ("default", "warn", "error")


class _Process:
    mode = "default"


def set_mode(mode: str) -> None:
    """Let operators do so (`error`, `warn`), or not (`default`)."""
    _Process.mode = mode


def own_mode() -> str:
    """What `set_mode` has set."""
    return _Process.mode


def mode() -> str:
    """What holds: what PyTorch's own setting is counts, too, while it is loaded."""
    if _Process.mode != "default":
        return _Process.mode
    torch = pytorch_state.loaded()
    number: int = 0 if torch is None else torch.get_deterministic_debug_mode()
    return MODES[number]


def is_required() -> bool:
    """Whether operators have to."""
    return mode() != "default"


def alert(caller: str) -> None:
    """Tell that something has no deterministic implementation.

    Raises:
        RuntimeError: a program asks for no warning.
    """
    has_none = f"{caller} does not have a deterministic implementation, but you set"
    more = (
        "file an issue at https://github.com/pytorch/pytorch/issues to help us prioritize adding deterministic support for this "
        "operation."
    )
    match mode():
        case "error":
            raise RuntimeError(
                f"{has_none} 'torch.use_deterministic_algorithms(True)'. You can turn off determinism just for this operation, or you "
                "can use the 'warn_only=True' option, if that's acceptable for your application. You can also "
                + more
            )
        case "warn":
            warnings.warn(
                f"{has_none} 'torch.use_deterministic_algorithms(True, warn_only=True)'. You can {more}",
                stacklevel=2,
            )
        case _:
            pass
