"""`torch.backends`: how precise products on a device are (PyTorch: torch/backends/cuda/__init__.py), and libraries that are not there.

What a program sets of a library that is not there is kept and changes nothing.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from types import ModuleType, SimpleNamespace
from typing import Any, final

from torchscript_dialect.runtime import settings
from torchscript_dialect.runtime.settings import set_float32_matmul_precision

__all__ = ["cuda", "get_float32_matmul_precision", "set_float32_matmul_precision"]


def get_float32_matmul_precision() -> str:
    """How precise factors of float32 stay in products on a device: `highest`, `high` or `medium`."""
    settings.follow_precision()
    return settings.current().float32_precision


@final
class _Products:
    """`torch.backends.cuda.matmul`."""

    __slots__ = ()

    @property
    def allow_tf32(self) -> bool:
        """Whether factors of float32 may be rounded to tf32."""
        settings.follow_precision()
        return settings.current().allows_tf32

    @allow_tf32.setter
    def allow_tf32(self, value: Any) -> None:
        if not isinstance(value, bool):
            raise RuntimeError(
                f"set_allow_tf32_cublas expects a bool, but got {type(value).__name__}"
            )
        set_float32_matmul_precision("high" if value else "highest")


@final
class _Cuda:
    """`torch.backends.cuda`."""

    __slots__ = ()
    matmul = _Products()


cuda = _Cuda()


class Backend(ModuleType):
    """A library that no operator calls, with its settings, which programs may read."""

    def __init__(self, name: str, **settings: Any) -> None:
        super().__init__(f"torch.backends.{name}")
        vars(self).update(settings)

    def is_available(self) -> bool:
        """Whether operators call the library."""
        return False

    is_built = is_available

    def version(self) -> None:
        """Its version, of which there is none."""

    @contextmanager
    def flags(self, **settings: Any) -> Generator[None]:
        """Other settings until the end of a `with`."""
        before = dict(vars(self))
        vars(self).update(settings)
        try:
            yield
        finally:
            vars(self).update(before)


cudnn = Backend(
    "cudnn",
    enabled=True,
    benchmark=False,
    deterministic=False,
    allow_tf32=True,
    benchmark_limit=10,
)
mkldnn = Backend("mkldnn", enabled=True, deterministic=False, allow_tf32=True)
mkl, mps, openmp, nnpack, opt_einsum, miopen = (
    Backend(name) for name in ("mkl", "mps", "openmp", "nnpack", "opt_einsum", "miopen")
)
quantized = SimpleNamespace(engine="none", supported_engines=["none"])
