"""Parameters that are computed from others whenever one asks for them (PyTorch: torch/nn/utils/parametrize.py)."""

# Modules hold what programs give them: their attributes have no types that a checker knows.
# pyright: basic
from __future__ import annotations

import copy
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any

from torchscript_dialect.tensor.grad_mode import enabled
from torchscript_dialect.tensor.tensor import Tensor, give_array
from torchscript_dialect.torch.nn.modules.container import ModuleDict, ModuleList
from torchscript_dialect.torch.nn.modules.module import Module
from torchscript_dialect.torch.nn.parameter import Parameter


class _Cache:
    """Tensors that were computed while `cached()` is active."""

    def __init__(self) -> None:
        self.depth = 0
        self.tensors: dict[tuple[int, str], Any] = {}


_cache = _Cache()


@contextmanager
def cached() -> Generator[None]:
    """Compute each parametrized tensor once while this is active."""
    _cache.depth += 1
    try:
        yield
    finally:
        _cache.depth -= 1
        if not _cache.depth:
            _cache.tensors.clear()


def _place(module: Module, name: str, tensor: Any, is_parameter: bool) -> None:
    if is_parameter:
        module.register_parameter(name, tensor)
    else:
        module.register_buffer(name, tensor)


class ParametrizationList(ModuleList):
    """The parametrizations of one tensor, applied one after the other to `original`, or to `original0`, `original1`, ..."""

    def __init__(self, modules: Sequence[Module], original: Any, unsafe: bool = False) -> None:
        if not modules:
            raise ValueError("ParametrizationList requires one or more modules.")
        super().__init__(modules)
        self.unsafe = unsafe
        is_parameter = isinstance(original, Parameter)
        shape, dtype, wants_gradient = original.shape, original.dtype, original.requires_grad
        new: Any = original
        for module in reversed(list(modules)):
            if hasattr(module, "right_inverse"):
                try:
                    with enabled(False):
                        new = module.right_inverse(new)
                except NotImplementedError:
                    continue
        self.is_tensor = isinstance(new, Tensor)
        if not self.is_tensor and type(new) not in (list, tuple):
            raise ValueError(
                "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). Got"
                f" {type(new).__name__}"
            )
        self.ntensors = 1 if self.is_tensor else len(new)
        if self.is_tensor:
            if new.dtype != original.dtype:
                raise ValueError(
                    "When `right_inverse` outputs one tensor, it may not change the dtype.\n"
                    f"original.dtype: {original.dtype}\nright_inverse(original).dtype: {new.dtype}"
                )
            give_array(original, new.array)
            _place(self, "original", original, is_parameter)
        else:
            for number, part in enumerate(new):
                if not isinstance(part, Tensor):
                    raise ValueError(
                        "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...)."
                        f" Got element {number} of the sequence with type {type(part).__name__}."
                    )
                made = Parameter(part, wants_gradient) if is_parameter else part
                _place(self, f"original{number}", made, is_parameter)
        if not unsafe:
            _require_same(self(), shape, dtype)

    def originals(self) -> list[Any]:
        """What the first parametrization takes."""
        if self.is_tensor:
            return [self.original]
        return [getattr(self, f"original{number}") for number in range(self.ntensors)]

    def right_inverse(self, value: Any) -> None:
        """Set the originals so that the parametrizations give a value.

        Raises:
            RuntimeError: one of them has no `right_inverse`.
            ValueError: it gives other tensors than there are.
        """
        for module in reversed(list(self)):
            if not hasattr(module, "right_inverse"):
                raise RuntimeError(
                    f"parametrization {type(module).__name__} does not implement right_inverse."
                )
            with enabled(False):
                value = module.right_inverse(value)
        values = [value] if isinstance(value, Tensor) else list(value)
        if len(values) != self.ntensors:
            raise ValueError(
                "'right_inverse' must return a sequence of tensors of length"
                f" {self.ntensors}. Got a sequence of length {len(values)}."
            )
        for held, new in zip(self.originals(), values, strict=True):
            if held.dtype != new.dtype:
                raise ValueError(
                    f"The tensor returned by `right_inverse` has dtype {new.dtype} while `original` has"
                    f" dtype {held.dtype}"
                )
            give_array(held, new.array)

    def forward(self) -> Any:
        first, *others = self
        value = first(*self.originals())
        for module in others:
            value = module(value)
        return value


def _require_same(value: Any, shape: Any, dtype: Any) -> None:
    if not isinstance(value, Tensor):
        raise ValueError(f"A parametrization must return a tensor. Got {type(value).__name__}.")
    if value.dtype != dtype:
        raise ValueError(
            "Registering a parametrization may not change the dtype of the tensor, unless `unsafe` flag"
            f" is enabled.\nunparametrized dtype: {dtype}\nparametrized dtype: {value.dtype}"
        )
    if value.shape != shape:
        raise ValueError(
            "Registering a parametrization may not change the shape of the tensor, unless `unsafe` flag"
            f" is enabled.\nunparametrized shape: {shape}\nparametrized shape: {value.shape}"
        )


def _require_same_inverse(parametrization: Any, value: Any, original: Any) -> None:
    """ValueError where `right_inverse` gives something else than a tensor as the original one."""
    if not hasattr(parametrization, "right_inverse"):
        return
    try:
        inverse = parametrization.right_inverse(value)
    except NotImplementedError:
        return
    if not isinstance(inverse, Tensor):
        raise ValueError(
            f"parametrization.right_inverse must return a tensor. Got: {type(inverse).__name__}"
        )
    for what in ("dtype", "shape"):
        if getattr(inverse, what) != getattr(original, what):
            raise ValueError(
                f"The tensor returned by parametrization.right_inverse must have the same {what} as the "
                f"tensor, unless the `unsafe` flag is enabled.\nthe tensor's {what}: "
                f"{getattr(original, what)}\nreturned {what}: {getattr(inverse, what)}"
            )


def _property(name: str) -> property:
    def read(module: Any) -> Any:
        key = (id(module), name)
        if _cache.depth and key in _cache.tensors:
            return _cache.tensors[key]
        value = module.parametrizations[name]()
        if _cache.depth:
            _cache.tensors[key] = value
        return value

    def write(module: Any, value: Any) -> None:
        module.parametrizations[name].right_inverse(value)

    return property(read, write)


def _own_class(module: Module) -> None:
    """Let the module be the only object of a class, which can have properties then."""
    class_ = type(module)
    made = type(
        f"Parametrized{class_.__name__}",
        (class_,),
        {
            "__module__": class_.__module__,
            "__setattr__": _set_attribute,
            "__deepcopy__": _deepcopy,
            "__getstate__": _refuse_to_pickle,
        },
    )
    object.__setattr__(module, "__class__", made)


def _set_attribute(module: Any, name: str, value: Any) -> None:
    if name in module.__dict__.get("_modules", {}).get("parametrizations", ()):
        module.parametrizations[name].right_inverse(value)
    else:
        Module.__setattr__(module, name, value)


def _refuse_to_pickle(_: Module) -> Any:
    raise RuntimeError(
        "Serialization of parametrized modules is only supported through state_dict(). See:\n"
        "https://pytorch.org/tutorials/beginner/saving_loading_models.html"
        "#saving-loading-a-general-checkpoint-for-inference-and-or-resuming-training"
    )


def _deepcopy(module: Any, memo: dict[int, Any]) -> Any:
    """A copy has a class of its own, too."""
    made = object.__new__(type_before_parametrizations(module))
    memo[id(module)] = made
    made.__setstate__(copy.deepcopy(module.__dict__, memo))
    _own_class(made)
    for name in made.parametrizations:
        setattr(type(made), name, _property(name))
    return made


def is_parametrized(module: Module, tensor_name: str | None = None) -> bool:
    """Whether the module has parametrizations, or one of a tensor."""
    found = module._modules.get("parametrizations")
    if not isinstance(found, ModuleDict):
        return False
    return len(found) > 0 if tensor_name is None else tensor_name in found


def register_parametrization(
    module: Module, tensor_name: str, parametrization: Module, *, unsafe: bool = False
) -> Module:
    """Let a tensor of a module be what a parametrization makes of it; several apply one after the other.

    Raises:
        ValueError: the module has no such tensor; shape or dtype change, and that is not `unsafe`.
    """
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        held: Any = module.parametrizations[tensor_name]
        if not unsafe:
            value = getattr(module, tensor_name)
            made = parametrization(value)
            _require_same(made, value.shape, value.dtype)
            _require_same_inverse(parametrization, made, value)
        held.append(parametrization)
        held.unsafe |= unsafe
        return module
    table = next(
        (each for each in (module._parameters, module._buffers) if tensor_name in each), None
    )
    if table is None:
        raise ValueError(
            f"Module '{module}' does not have a parameter, a buffer, or a parametrized element with name"
            f" '{tensor_name}'"
        )
    made = ParametrizationList([parametrization], table[tensor_name], unsafe=unsafe)
    del table[tensor_name]
    if not is_parametrized(module):
        _own_class(module)
        module._modules["parametrizations"] = ModuleDict()
    module.parametrizations[tensor_name] = made
    setattr(type(module), tensor_name, _property(tensor_name))
    return module


def remove_parametrizations(
    module: Module, tensor_name: str, leave_parametrized: bool = True
) -> Module:
    """Let a tensor be a plain one again: what it was computed to be, or the original.

    Raises:
        ValueError: it is not parametrized; the original are several tensors, of which it cannot be one.
    """
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"Module {module} does not have a parametrization on {tensor_name}")
    held: Any = module.parametrizations[tensor_name]
    is_parameter = all(name in held._parameters for name in _original_names(held))
    if not leave_parametrized and not held.is_tensor:
        raise ValueError(
            "Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized in"
            " terms of a sequence of tensors."
        )
    original = held.originals()[0] if held.is_tensor else None
    value = getattr(module, tensor_name)
    if leave_parametrized and original is not None:
        give_array(original, value.array)
        value = original
    elif leave_parametrized:
        value = Parameter(value) if is_parameter else value
    else:
        value = original
    delattr(type(module), tensor_name)
    del module.parametrizations[tensor_name]
    if not is_parametrized(module):
        del module._modules["parametrizations"]
        object.__setattr__(module, "__class__", type(module).__bases__[0])
    _place(module, tensor_name, value, is_parameter)
    return module


def _original_names(held: Any) -> list[str]:
    return ["original"] if held.is_tensor else [f"original{n}" for n in range(held.ntensors)]


def type_before_parametrizations(module: Module) -> type:
    """The class of a module without its parametrizations."""
    return type(module).__bases__[0] if is_parametrized(module) else type(module)


def transfer_parametrizations_and_params(
    from_module: Module, to_module: Module, tensor_name: str | None = None
) -> Module:
    """Give a module the parametrizations of another, with the same tensors."""
    if not is_parametrized(from_module):
        return to_module
    held: Any = from_module.parametrizations
    names = [tensor_name] if tensor_name is not None else list(held)
    for name in names:
        if not hasattr(to_module, name):
            _place(to_module, name, Parameter(getattr(from_module, name).clone()), True)
        for parametrization in held[name]:
            register_parametrization(to_module, name, parametrization, unsafe=True)
        made: Any = to_module.parametrizations[name]
        for key in _original_names(held[name]):
            setattr(made, key, getattr(held[name], key))
    return to_module
