"""Layers that take the sizes of their parameters from their first input."""

# Modules hold what programs give them: their attributes have no types that a checker knows.
# pyright: basic
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchscript_dialect.torch.nn.modules.module import Module
from torchscript_dialect.torch.nn.parameter import is_lazy

if TYPE_CHECKING:
    _Base = Module
else:
    _Base = object


class LazyModuleMixin(_Base):
    """Calls `initialize_parameters` with the first inputs; then the module is an object of `cls_to_become`."""

    cls_to_become: type[Module] | None = None

    def has_uninitialized_params(self) -> bool:
        """Whether the sizes are still to be told."""
        return any(map(is_lazy, (*self._parameters.values(), *self._buffers.values())))

    def initialize_parameters(self, *args: Any, **kwargs: Any) -> None:
        """Make the parameters for these inputs."""
        raise NotImplementedError(
            f"initialize_parameters is not implemented for {type(self).__name__}"
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self.has_uninitialized_params():
            self.initialize_parameters(*args, **kwargs)
            if self.has_uninitialized_params():
                raise RuntimeError(f"module {self._get_name()} has not been fully initialized")
        if self.cls_to_become is not None:
            object.__setattr__(self, "__class__", self.cls_to_become)
        return Module.__call__(self, *args, **kwargs)
