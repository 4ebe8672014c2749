"""Operators that pass values through or ask about the program rather than about data."""

from __future__ import annotations

import sys
import warnings
from typing import Any, ClassVar

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.aliasing import FRESH, Aliasing, Origin
from torchscript_dialect.ops.effects import Effect
from torchscript_dialect.ops.values.value_text import as_text
from torchscript_dialect.tensor import grad_mode, pytorch_state
from torchscript_dialect.tensor.autocast_region import REGION
from torchscript_dialect.tensor.dtype import from_name
from torchscript_dialect.tensor.enum_member import EnumMember
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.tracked import is_in_use
from torchscript_dialect.types.named import FOREIGN
from torchscript_dialect.utils.tasks import Future


@registry.kernel("prim::unchecked_cast prim::Guard prim::awaitable_nowait prim::awaitable_wait")
def same(value: Any) -> Any:
    return value


@registry.kernel("_unwrap_optional prim::unchecked_unwrap_optional")
def unwrap_optional(value: Any) -> Any:
    """The value; RuntimeError for None."""
    if value is None:
        raise RuntimeError("Unwrapping null optional")
    return value


@registry.kernel("prim::EnumName")
def enum_name(member: EnumMember) -> str:
    return member.name


@registry.kernel("prim::EnumValue.int prim::EnumValue.float prim::EnumValue.str")
def enum_value(member: EnumMember) -> Any:
    return member.value


_LIST_ELEMENTS = ("i", "f", "b", "c")
"""Per number that `prim::tolist` has for int, float, bool and complex, NumPy's kind."""


@registry.kernel("prim::tolist")
def tolist(tensor: Tensor, dims: int, element: int) -> Any:
    """Nested lists of numbers, or the number of a tensor without dimensions.

    Raises:
        RuntimeError: the tensor does not have that many dimensions, or other elements.
    """
    if tensor.array.ndim != dims:
        raise RuntimeError(
            "Output annotation list dimension and runtime tensor dimension must match for tolist()"
        )
    kind = tensor.array.dtype.kind
    if kind != _LIST_ELEMENTS[element] or (kind == "i" and tensor.array.itemsize != 8):
        raise RuntimeError(
            "Output annotation element type and runtime tensor element type must match for tolist()"
        )
    return tensor.array.tolist()


registry.declare(
    "wait prim::awaitable_wait",
    effects=Effect.ACTS,
    aliases=Aliasing(results=Origin.ANYWHERE, runs_others=True),
)


@registry.kernel("wait")
def wait(future: Future[Any]) -> Any:
    """The result of a task; raises what the task raised."""
    return future.wait()


@registry.kernel("prim::ModuleContainerIndex.list prim::ModuleContainerIndex.dict")
def submodule(container: Any, index: int | str) -> Any:
    """The submodule of that name; in a list, names are numbers."""
    fields = getattr(container, "__torchscript_fields__", None)
    if fields is None:
        raise RuntimeError(f"a {type(container).__name__} has no submodules")
    place = index
    if isinstance(index, int) and index < 0:
        place = index + sum(map(str.isdigit, fields))
    if str(place) not in fields:
        raise RuntimeError(f"there is no submodule {index!r}")
    return fields[str(place)]


@registry.kernel("prim::TupleIndex")
def tuple_index(values: tuple[Any, ...], index: int) -> Any:
    if not -len(values) <= index < len(values):
        raise RuntimeError("Tuple index out of range")
    return values[index]


registry.implement("prim::IfThenElse", lambda condition, x, y: x if condition else y)


@registry.kernel("prim::abs")
def absolute(x: Tensor) -> Tensor:
    found = registry.find("aten::abs")
    assert found is not None
    assert found.kernel is not None
    return found.kernel(x)


@registry.kernel("warn")
def warn(message: str, stacklevel: int) -> None:
    """A warning at the program's place: a `stacklevel` of the program's would show lines of the files of its caller."""
    warnings.warn(message, stacklevel=2)


@registry.kernel("_assert_async _assert_async.msg")
def assert_async(
    x: Tensor, message: str = "Expected Tensor with single nonzero value, but got zero"
) -> None:
    """RuntimeError where the element is zero. To programs it is an operator without results, which is dead code."""
    if not bool(x):
        raise RuntimeError(message or "Assertion is failed")


@registry.kernel("prim::Print")
def print_(*values: Any) -> None:
    sys.stdout.write(" ".join(map(as_text, values)) + "\n")


registry.implement("is_scripting", lambda: True)
registry.implement("_get_tracing_state", lambda: False)
registry.implement("is_grad_enabled", grad_mode.is_grad_enabled)
registry.implement("set_grad_enabled", grad_mode.set_grad_enabled)


@registry.kernel("has_torch_function")
def has_torch_function(*values: Any) -> bool:
    """False: programs see no subclasses of tensors."""
    return False


registry.implement("is_autocast_enabled", lambda: REGION.enabled.get("cuda", False))
registry.implement("is_autocast_cpu_enabled", lambda: REGION.enabled.get("cpu", False))


@registry.kernel("get_autocast_dtype")
def get_autocast_dtype(device: str) -> int:
    """What a region of `torch.autocast` for a kind of device would compute with."""
    return from_name(pytorch_state.autocast_dtype(device)).scalar_type


class RecordFunction:
    """What `torch.autograd.profiler.record_function` holds between its ends; nobody watches."""

    __torchscript_qualified_name__: ClassVar[str] = f"{FOREIGN}profiler._RecordFunction"


@registry.kernel("profiler::_record_function_enter_new")
def enter_record_function(name: str, args: str | None) -> RecordFunction:
    return RecordFunction()


@registry.kernel("profiler::_record_function_exit._RecordFunction")
def exit_record_function(record: RecordFunction) -> None:
    """Nothing to tell anybody."""


registry.declare(
    "profiler::_record_function_enter profiler::_record_function_enter_new"
    " profiler::_record_function_exit",
    effects=Effect.ACTS,
)


@registry.kernel("prim::AutogradAnyNonZero")
def any_gradient(*gradients: Any) -> bool:
    return any(gradient is not None for gradient in gradients)


@registry.kernel("prim::AutogradAllZero")
def no_gradient(*gradients: Any) -> bool:
    return all(gradient is None for gradient in gradients)


@registry.kernel("prim::AutogradAllNonZero")
def all_gradients(*gradients: Any) -> bool:
    return all(gradient is not None for gradient in gradients)


# Gradient graphs are made by passes: what their nodes give is fresh.
registry.declare(
    "prim::AutogradAdd prim::FusedConcat prim::MMBatchSide prim::ChunkSizes prim::tolist",
    aliases=FRESH,
)
registry.implement("prim::AutogradZero", lambda: None)


@registry.kernel("prim::AutogradAdd")
def autograd_add(a: Any, b: Any) -> Any:
    """The sum of two gradients, None standing for zero."""
    if a is None or b is None:
        return b if a is None else a
    found = registry.find("aten::add.Tensor")
    assert found is not None
    run = found.recorded if is_in_use() else found.current_kernel
    assert run is not None
    return run(a, b, 1)


# What schemas do not tell of operators that have no kernel here; outside.py has those that touch files or the network

registry.declare("_assert_async", effects=Effect.NONE)
registry.declare(
    "prim::TimePoint prim::PythonOp prim::IgnoredPythonOp prim::BailOut prim::BailoutTemplate get_gradients",
    effects=Effect.ACTS,
)
registry.declare(
    "is_grad_enabled is_autocast_enabled is_autocast_cpu_enabled get_autocast_dtype"
    " _cufft_get_plan_cache_size _cufft_get_plan_cache_max_size confirmed_by_owner",
    effects=Effect.OBSERVES,
)
