"""What compiled modules and those of the stand-in do alike: other dtypes, devices and layouts of all tensors, and their gradients."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Self

from torchscript_dialect.api.lent_tensors import lead_no_gradient, lead_requires_grad
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.device import device as Device
from torchscript_dialect.tensor.dtype import as_dtype, dtype
from torchscript_dialect.tensor.tensor import Tensor, tensor_of


class ModuleConversions:
    """A module as what its tensors can become."""

    def train(self, mode: bool = True) -> Self:
        """Set the mode of this module and all below it."""
        raise NotImplementedError

    def parameters(self, recurse: bool = True) -> Iterator[Tensor]:
        """All parameters."""
        raise NotImplementedError

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Self:
        """Give each parameter and buffer, also of submodules, what the function makes of it; they stay the same objects."""
        raise NotImplementedError

    def eval(self) -> Self:
        """`train(False)`."""
        return self.train(False)

    def to(self, *args: Any, dtype: Any = None, memory_format: Any = None, **kwargs: Any) -> Self:
        """Move parameters and buffers to a device, `to("cuda")`, give those of floating point and complex numbers another dtype,
        `to(torch.float64)`, or lay those of four and five dimensions out otherwise, `to(memory_format=torch.channels_last)`.

        Raises:
            RuntimeError: there is no such device, or a copy is wanted.
            TypeError: the dtype is none of floating point.
        """
        if kwargs.get("copy"):
            raise RuntimeError(".to() does not accept copy argument")
        if memory_format is not None:
            self._apply(lambda tensor: laid_out(tensor, memory_format))
        for given in (*args, kwargs.get("device")):
            if given is None or isinstance(given, bool):
                continue
            if isinstance(given, str) or type(given).__name__ == "device":
                self._move(Device(given))
            elif isinstance(given, Tensor):
                self._move(given.device)
                dtype = given.dtype
            else:
                dtype = given.dtype if hasattr(given, "dtype") else given
        if dtype is None:
            return self
        wanted = as_dtype(dtype)
        if not (wanted.is_floating_point or wanted.is_complex):
            raise TypeError(
                "nn.Module.to only accepts floating point or complex dtypes, but got desired"
                f" dtype={wanted}"
            )
        return self._apply(
            lambda one: tensor_as(one, wanted) if one.is_complex() else cast_floating(one, wanted)
        )

    def _cast(self, wanted: dtype) -> Self:
        return self._apply(lambda tensor: cast_floating(tensor, wanted))

    def _move(self, where: Device) -> Self:
        def moved(tensor: Tensor) -> Tensor:
            return tensor if tensor.device.type == where.type else tensor_of(tensor.array).to(where)

        return self._apply(moved)

    def float(self) -> Self:
        """`to(torch.float32)`, but for complex numbers."""
        return self._cast(dtypes.float32)

    def double(self) -> Self:
        """`to(torch.float64)`, but for complex numbers."""
        return self._cast(dtypes.float64)

    def half(self) -> Self:
        """`to(torch.float16)`, but for complex numbers."""
        return self._cast(dtypes.float16)

    def bfloat16(self) -> Self:
        """`to(torch.bfloat16)`, but for complex numbers."""
        return self._cast(dtypes.bfloat16)

    def type(self, dst_type: Any) -> Self:
        """Give all parameters and buffers a dtype."""
        wanted = as_dtype(dst_type)
        return self._apply(lambda tensor: tensor_as(tensor, wanted))

    def cpu(self) -> Self:
        """`to("cpu")`."""
        return self._move(Device("cpu"))

    def cuda(self, device: Any = None) -> Self:
        """`to("cuda")`."""
        return self._move(Device("cuda", device))

    def share_memory(self) -> Self:
        """The module as it is: its tensors are not moved to memory that processes share."""
        return self

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Say whether gradients with respect to the parameters are wanted."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
            lead_requires_grad(parameter)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients of the parameters, or make them zero."""
        parameter: Any  # autograd gives tensors their `grad`
        for parameter in self.parameters():
            if set_to_none or parameter.grad is None:
                parameter.grad = None
            else:
                parameter.grad = parameter.grad.detach().zero_()
            lead_no_gradient(parameter, is_zero=not set_to_none)


def tensor_as(tensor: Tensor, wanted: dtype) -> Tensor:
    """A tensor with the same numbers in another dtype; the tensor itself where it has it."""
    return tensor if tensor.dtype is wanted else tensor.to(wanted)


def cast_floating(tensor: Tensor, wanted: dtype) -> Tensor:
    """A tensor of floating point in another dtype; any other one, of complex numbers too, as it is."""
    return tensor_as(tensor, wanted) if tensor.is_floating_point() else tensor


def laid_out(tensor: Tensor, memory_format: Any) -> Tensor:
    """A tensor of four or five dimensions in a memory format; any other one as it is."""
    is_image = len(tensor.shape) in (4, 5)
    return tensor.contiguous(memory_format=memory_format) if is_image else tensor
