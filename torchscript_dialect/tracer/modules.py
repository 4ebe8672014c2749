"""The modules of a trace: their types, their attributes as values of the graph, and the scopes of their calls."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, cast

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Block, Operation, Region, SSAValue

from torchscript_dialect.dialects.prim import YieldOp
from torchscript_dialect.frontend.python.adoption import adopt_module
from torchscript_dialect.frontend.python.module_definition import ModuleDefinition, Property
from torchscript_dialect.frontend.python.qualified_names import qualified_python_name
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.frontend.unit.definitions import Function
from torchscript_dialect.ir import edit
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tracer.state import TracingState
from torchscript_dialect.types.core import BOOL, TorchScriptType
from torchscript_dialect.types.named import ClassType
from torchscript_dialect.types.tensor_type import TENSOR

ROOT = "__module"
"""What scopes call the module that is traced."""


class AttributeOp(Operation):
    """An attribute of a module in the tree, by its path, until it is known in which method it is read."""

    name = "tracer.attribute"


class ModuleCallOp(Operation):
    """A call of the submodule at `scope`: the region becomes a method of it."""

    name = "tracer.module_call"


def scope_text(op: Operation) -> str:
    """The path of what an `AttributeOp` or `ModuleCallOp` is about."""
    scope = op.attributes["scope"]
    assert isinstance(scope, StringAttr)
    return scope.data


class _RecordedMethods:
    """Methods of traced modules are what a trace has recorded, and no others."""

    def method(self, definition: ModuleDefinition, name: str) -> Function | None:
        return None

    def property(self, definition: ModuleDefinition, name: str) -> Property | None:
        return None

    def overloads(self, definition: ModuleDefinition, name: str) -> list[Function]:
        return []


def declare_module(module: Any, unit: CompilationUnit) -> ModuleDefinition:
    """The type of a module that is traced, with those of its submodules: each is one of its own, as each has its own methods."""
    scripted = getattr(module, "__torchscript_definition__", None)
    if scripted is not None:
        return adopt_module(unit, *scripted)
    class_ = cast("type[Any]", type(module))
    name = unit.free_qualified_name(qualified_python_name(class_))
    definition = ModuleDefinition(
        ClassType(name),
        is_module=True,
        python_class=class_,
        unit=unit,
        declarer=_RecordedMethods(),
    )
    unit.classes[name] = definition
    tables = cast("dict[str, dict[str, Any]]", vars(module))
    for table, kind in (("_parameters", definition.parameters), ("_buffers", definition.buffers)):
        for key, tensor in tables[table].items():
            if tensor is not None:
                definition.attributes[key] = TENSOR
                kind.add(key)
    definition.attributes["training"] = BOOL
    for key, child in tables["_modules"].items():
        if child is not None:
            inner = declare_module(child, unit)
            definition.submodules[key] = inner
            definition.attributes[key] = inner.type
    return definition


class ModuleScopes:
    """The tree of modules of a trace."""

    def __init__(self, module: Any, definition: ModuleDefinition) -> None:
        self.module = module
        self.definition = definition
        self._paths: dict[int, str] = {}
        """The submodules by id; those of one module that is in several places are called by the first of them."""
        self._values: dict[int, SSAValue] = {}
        self._find_paths(module, ROOT)

    def _find_paths(self, module: Any, path: str) -> None:
        seen: set[int] = set()
        for name, child in module.named_children():
            if id(child) in seen:
                continue
            seen.add(id(child))
            self._paths[id(child)] = f"{path}.{name}"
            if hasattr(child, "named_children"):
                self._find_paths(child, f"{path}.{name}")

    def path_of(self, module: Any) -> str | None:
        """The path of a submodule; None for a module that is no part of the tree."""
        return self._paths.get(id(module))

    def value_of(self, module: Any) -> SSAValue | None:
        """The value of a module of the tree."""
        return self._values.get(id(module))

    def begin(self, state: TracingState) -> None:
        """Let the trace know the attributes of all modules: parameters and buffers are values from now on."""
        own = state.block.insert_arg(self.definition.type, 0)
        own.name_hint = "self"
        self._values[id(self.module)] = own
        self._attributes(state, self.module, self.definition, ROOT)

    def _attributes(
        self, state: TracingState, module: Any, definition: ModuleDefinition, path: str
    ) -> None:
        for name, type_ in definition.attributes.items():
            value = getattr(module, name, None)
            if not isinstance(value, Tensor) and name not in definition.submodules:
                continue
            attribute = f"{path}.{name}"
            result = self._attribute(state, attribute, type_)
            if isinstance(value, Tensor):
                self._tensor(state, value, result, name in definition.parameters)
                continue
            self._values.setdefault(id(value), result)
            self._attributes(state, value, definition.submodules[name], attribute)

    @staticmethod
    def _tensor(
        state: TracingState, tensor: Tensor, attribute: SSAValue, is_parameter: bool
    ) -> None:
        """Let a tensor be the attribute that it is first met as."""
        if state.has_value(tensor):
            # PyTorch looks at the first one then, which decides where it is read.
            known = state.value_of(tensor)
            state.node("aten::alias", [known], [TENSOR])
            return
        state.set_value(tensor, attribute)
        if is_parameter and (tensor.is_floating_point() or tensor.is_complex()):
            state.require_grad(tensor)
        edit.set_type(attribute, state.type_of(tensor))

    @staticmethod
    def _attribute(state: TracingState, path: str, type_: TorchScriptType) -> SSAValue:
        op = AttributeOp.create(result_types=[type_], attributes={"scope": StringAttr(path)})
        return state.insert(op).results[0]

    @contextmanager
    def entered(self, state: TracingState, path: str) -> Generator[None]:
        """Record what runs inside in a block of its own, the call of the module at this path."""
        outer, inner = state.block, Block()
        op = ModuleCallOp.create(
            regions=[Region(inner)],
            attributes={"scope": StringAttr(path)},
            location=state.location(),
        )
        outer.add_op(op)
        state.block = inner
        state.scopes.append(path)
        try:
            yield
        finally:
            state.scopes.pop()
            state.block = outer
            inner.add_op(YieldOp.create())
