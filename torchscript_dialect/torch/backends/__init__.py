"""`torch.backends`: how precise products on a device are (PyTorch: torch/backends/cuda/__init__.py), and libraries that are not there.

What a program sets of a library that is not there is kept and changes nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from types import ModuleType, SimpleNamespace
from typing import Any, final

from torchscript_dialect.ops.attention import attention_backends
from torchscript_dialect.ops.attention.attention_backends import SDPBackend
from torchscript_dialect.runtime import settings
from torchscript_dialect.runtime.cuda.driver import is_available
from torchscript_dialect.runtime.settings import set_float32_matmul_precision
from torchscript_dialect.torch.nn.attention import sdpa_kernel

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

    def is_built(self) -> bool:
        """Whether kernels can be made for devices: there is one."""
        return is_available()

    def is_flash_attention_available(self) -> bool:
        """Whether attention on devices is one kernel, which it is not."""
        return False

    def flash_sdp_enabled(self) -> bool:
        """Whether attention may choose `SDPBackend.FLASH_ATTENTION`."""
        return SDPBackend.FLASH_ATTENTION in attention_backends.enabled()

    def enable_flash_sdp(self, enabled: bool) -> None:
        """Let attention choose `SDPBackend.FLASH_ATTENTION`, or not."""
        _enable(SDPBackend.FLASH_ATTENTION, enabled)

    def mem_efficient_sdp_enabled(self) -> bool:
        """Whether attention may choose `SDPBackend.EFFICIENT_ATTENTION`."""
        return SDPBackend.EFFICIENT_ATTENTION in attention_backends.enabled()

    def enable_mem_efficient_sdp(self, enabled: bool) -> None:
        """Let attention choose `SDPBackend.EFFICIENT_ATTENTION`, or not."""
        _enable(SDPBackend.EFFICIENT_ATTENTION, enabled)

    def math_sdp_enabled(self) -> bool:
        """Whether attention may choose `SDPBackend.MATH`."""
        return SDPBackend.MATH in attention_backends.enabled()

    def enable_math_sdp(self, enabled: bool) -> None:
        """Let attention choose `SDPBackend.MATH`, or not."""
        _enable(SDPBackend.MATH, enabled)

    def cudnn_sdp_enabled(self) -> bool:
        """Whether attention may choose `SDPBackend.CUDNN_ATTENTION`."""
        return SDPBackend.CUDNN_ATTENTION in attention_backends.enabled()

    def enable_cudnn_sdp(self, enabled: bool) -> None:
        """Let attention choose `SDPBackend.CUDNN_ATTENTION`, or not."""
        _enable(SDPBackend.CUDNN_ATTENTION, enabled)

    @contextmanager
    def sdp_kernel(
        self,
        enable_flash: bool = True,
        enable_math: bool = True,
        enable_mem_efficient: bool = True,
        enable_cudnn: bool = True,
    ) -> Generator[Any]:
        """Let attention choose from these until the end of a `with`."""
        flags = enable_flash, enable_math, enable_mem_efficient, enable_cudnn
        with sdpa_kernel(
            [one for one, enabled in zip(_SDP, flags, strict=True) if enabled]
        ) as made:
            yield made


_SDP = (
    SDPBackend.FLASH_ATTENTION,
    SDPBackend.MATH,
    SDPBackend.EFFICIENT_ATTENTION,
    SDPBackend.CUDNN_ATTENTION,
)


def _enable(backend: SDPBackend, enabled: bool) -> None:
    others = attention_backends.enabled() - {backend}
    attention_backends.enable(others | {backend} if enabled else others)


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

_LIBRARIES = (
    "cuda", "cudnn", "miopen", "mkl", "mkldnn", "mps", "nnpack", "openmp", "opt_einsum", "quantized",
)  # fmt: skip
sys.modules.update({f"{__name__}.{name}": globals()[name] for name in _LIBRARIES})
"""Programs import them: `import torch.backends.cudnn as cudnn`."""
