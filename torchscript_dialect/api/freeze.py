"""`ts.freeze`: modules whose weights are constants of one graph (PyTorch: passes/freeze_module.cpp).

Note [Freezing]
The methods that stay (`forward` and what is preserved, or all where neither is there) are inlined. What they read of the module becomes
a constant, and what they call by an interface what the module has there, unless some of them may change it: an attribute that is
assigned to, a tensor or list that is written to in place, what holds one, or one that shares memory with such a one. These, and
what is preserved, stay attributes of a module that has nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, SSAValue

from torchscript_dialect.analysis.alias_analysis import AliasDb
from torchscript_dialect.api.function import inlined
from torchscript_dialect.api.module import ScriptModule
from torchscript_dialect.api.module_class import Program, namer
from torchscript_dialect.dialects import prim
from torchscript_dialect.frontend.python.adoption import adopt_types
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.frontend.unit.definitions import ClassDefinition, Function
from torchscript_dialect.ir import edit
from torchscript_dialect.ir.locations import at
from torchscript_dialect.ir.module import functions_of, module_around
from torchscript_dialect.passes.lists import current
from torchscript_dialect.passes.named import pipeline
from torchscript_dialect.runtime.values.objects import ScriptObject, object_of
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.unstrided import UnstridedTensor
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.function_schema import FunctionSchema
from torchscript_dialect.types.named import ClassType, InterfaceType
from torchscript_dialect.utils.errors import TorchScriptError

_NUMBERS = (bool, int, float, complex, str, type(None))
"""What nobody can write to, and what tells the analysis of aliases what is in training."""

Path = tuple[str, ...]
"""The names that lead from the module to an attribute."""


def freeze(
    mod: ScriptModule,
    preserved_attrs: Sequence[str] | None = None,
    optimize_numerics: bool = True,
    *,
    preserved: Sequence[str] = (),
) -> ScriptModule:
    """A module that does what `mod` does, with its weights as constants; `mod` stays as it is. `preserved` (PyTorch's
    `preserved_attrs`) are attributes and methods to be kept, those of submodules by their paths ("block.scale"). With
    `optimize_numerics` batch norms and arithmetic with constants are folded into convolutions and linear layers, which rounds
    otherwise. See Note [Freezing].

    Raises:
        TypeError: it is no compiled module.
        RuntimeError: it is in training, or has nothing of a name that is to be preserved.
        TorchScriptError: a method calls something that is only known when it runs.
    """
    if not isinstance(mod, ScriptModule):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(
            f"compiled modules can be frozen, not a {type(mod).__name__}: script or trace it"
        )
    mod.__torchscript_lent__.follow()
    fields = mod.__torchscript_object__.__torchscript_fields__
    if fields.get("training", False):
        raise RuntimeError("a module in training cannot be frozen: call .eval() on it before")
    methods: dict[Path, None] = {}
    if "forward" in mod.__torchscript_state__.definition.methods:
        methods["forward",] = None
    attributes: set[Path] = set()
    for name in [*(preserved_attrs or ()), *preserved]:
        path = tuple(name.split("."))
        owner = _submodule(mod, path[:-1])
        if owner is not None and path[-1] in owner.__torchscript_state__.definition.methods:
            methods[path] = None
        elif owner is not None and path[-1] in vars_of(owner):
            attributes.add(path)
        else:
            raise RuntimeError(
                f"{mod.original_name} has no attribute or method '{name}' to preserve"
            )
    if not methods:
        methods = {(name,): None for name in mod.__torchscript_state__.definition.methods}
    frozen = _Freezer(mod, attributes).freeze(list(methods))
    run_frozen_optimizations(frozen, optimize_numerics)
    return frozen


def run_frozen_optimizations(
    mod: ScriptModule,
    optimize_numerics: bool = True,
    preserved_methods: Sequence[str] | None = None,
) -> None:
    """What `freeze` does with a module last: with `optimize_numerics` batch norms and arithmetic with constants are folded into
    convolutions and linear layers, in all methods, whether they are among `preserved_methods` or not.
    """
    if optimize_numerics:
        for function in mod.__torchscript_functions__():
            pipeline(current(), "frozen-numerics").apply(function)


def optimize_for_inference(
    mod: ScriptModule, other_methods: Sequence[str] | None = None
) -> ScriptModule:
    """The module frozen, unless it is, and its graphs made as short as constants allow.

    Raises:
        TypeError, RuntimeError, TorchScriptError: as `freeze`.
    """
    frozen = freeze(mod, other_methods) if "training" in vars_of(mod) else mod
    run_frozen_optimizations(frozen)
    return frozen


def vars_of(mod: ScriptModule) -> dict[str, Any]:
    """The attributes of a compiled module in programs."""
    return mod.__torchscript_object__.__torchscript_fields__


def _submodule(mod: ScriptModule, path: Path) -> ScriptModule | None:
    """The module that a path leads to, if it leads to one."""
    for name in path:
        inner = vars_of(mod).get(name)
        if not isinstance(inner, ScriptObject) or not isinstance(inner.view, ScriptModule):
            return None
        mod = inner.view
    return mod


@dataclass
class _Method:
    """A method that stays, inlined; `reads` are the placeholders for what it reads of the module, by path."""

    owner: Path
    name: str
    function: Function
    op: FuncOp
    reads: dict[Path, prim.CreateObjectOp] = field(default_factory=dict[Path, prim.CreateObjectOp])


class _Freezer:
    """Freezes one module."""

    def __init__(self, module: ScriptModule, preserved: Iterable[Path]) -> None:
        self.module = module
        self.kept: set[Path] = set(preserved)
        self.assigned: set[Path] = set()
        self.own = module.__torchscript_object__
        self.source = module.__torchscript_state__.class_.program.unit

    def freeze(self, names: Sequence[Path]) -> ScriptModule:
        methods: list[_Method] = []
        for *owner, name in names:
            module = _submodule(self.module, tuple(owner))
            assert module is not None
            function = module.__torchscript_state__.definition.methods[name]
            methods.append(
                _Method(tuple(owner), name, function, self._inlined(tuple(owner), function))
            )
        self._fold_numbers(methods)
        uses = [self._uses(method) for method in methods]
        for method, found in zip(methods, uses, strict=True):
            self._hold_places(method, found)
        self._share_fate(self._written(methods))
        for method in methods:
            self._fold(method)
        return self._made(methods)

    # What is called.

    def _inlined(self, owner: Path, function: Function) -> FuncOp:
        """A copy of a method with its calls inlined, those of what is known by an interface among them: the module has an object."""
        self._define_methods_of_interfaces(self.module)
        op = function.op
        while True:
            (op,) = inlined(op).__torchscript_functions__()
            if not self._tell_classes(op, owner):
                return op

    def _define_methods_of_interfaces(self, module: ScriptModule) -> None:
        """Compile what calls of interfaces may mean."""
        for name, declared in module.__torchscript_state__.definition.attributes.items():
            value = vars_of(module)[name]
            if isinstance(declared, InterfaceType) and isinstance(value, ScriptObject):
                class_ = self.source.classes[value.__torchscript_qualified_name__]
                for method in self.source.interfaces[declared.annotation_str].methods:
                    found = class_.find_method(method)
                    assert found is not None
                    found.ensure_defined()
            if isinstance(value, ScriptObject) and isinstance(value.view, ScriptModule):
                self._define_methods_of_interfaces(value.view)

    def _tell_classes(self, op: FuncOp, owner: Path) -> bool:
        """Give what is read of the module its object's class in the place of an interface, unless the program assigns to an attribute
        of that name; whether there was such a read.
        """
        assigned = {
            one.attribute_name
            for function in functions_of(module_around(op))
            for one in edit.nested_ops(function.body.block)
            if isinstance(one, prim.SetAttrOp)
        }
        waiting: list[tuple[SSAValue, Path]] = [(op.body.block.args[0], owner)]
        changed = False
        while waiting:
            value, path = waiting.pop()
            for use in value.uses:
                read = use.operation
                if not isinstance(read, prim.GetAttrOp):
                    continue
                inner = (*path, read.attribute_name)
                found, result = self._value(inner), read.results[0]
                if not isinstance(found, ScriptObject):
                    continue
                is_open = isinstance(result.type, InterfaceType)
                if is_open and read.attribute_name not in assigned:
                    edit.set_type(result, ClassType(found.__torchscript_qualified_name__))
                    changed = True
                waiting.append((result, inner))
        return changed

    # What is read, and what may change.

    def _uses(self, method: _Method) -> list[tuple[Path, prim.GetAttrOp]]:
        """What a method reads of the module, by path. What it assigns to, or does something else with, is kept."""
        found: list[tuple[Path, prim.GetAttrOp]] = []
        waiting: list[tuple[SSAValue, Path]] = [(method.op.body.block.args[0], method.owner)]
        while waiting:
            value, path = waiting.pop()
            for use in list(value.uses):
                op = use.operation
                if isinstance(op, prim.CallMethodOp):
                    raise TorchScriptError(
                        "the module cannot be frozen: what prim::CallMethod calls is only known when it"
                        f" runs{at(op)}"
                    )
                if isinstance(op, prim.ForkOp) and _calls_methods(op):
                    raise TorchScriptError(
                        f"the module cannot be frozen: what prim::fork begins calls its methods{at(op)}"
                    )
                if isinstance(op, prim.GetAttrOp):
                    inner = (*path, op.attribute_name)
                    found.append((inner, op))
                    if self._is_module(inner):
                        waiting.append((op.results[0], inner))
                elif isinstance(op, prim.SetAttrOp) and use.index == 0:
                    self.kept.add((*path, op.attribute_name))
                    self.assigned.add((*path, op.attribute_name))
                else:
                    self.kept.add(path)
        return found

    def _fold_numbers(self, methods: Sequence[_Method]) -> None:
        """Put constants in the place of numbers first: what only runs in training is gone then, with what it writes to."""
        preserved = set(self.kept)
        uses = [self._uses(method) for method in methods]
        for method, found in zip(methods, uses, strict=True):
            for path, op in found:
                value = self._value(path)
                if isinstance(value, _NUMBERS) and not self._is_kept(path):
                    constant = edit.insert_constant(op, value, prim.type_of(op.results[0]))
                    constant.name_hint = op.results[0].name_hint
                    edit.replace_uses(op.results[0], constant)
            pipeline(current(), "after-freezing").apply(method.op)
        self.kept, self.assigned = preserved, set()

    def _is_module(self, path: Path) -> bool:
        value = self._value(path)
        return isinstance(value, ScriptObject) and value.view is not None

    def _hold_places(self, method: _Method, found: Sequence[tuple[Path, prim.GetAttrOp]]) -> None:
        """Put one fresh value in the place of all reads of an attribute that nothing is assigned to."""
        first = method.op.body.block.first_op
        assert first is not None
        for path, op in found:
            if path in self.assigned or self._is_module(path):
                continue
            if path not in method.reads:
                type_ = prim.type_of(op.results[0])
                method.reads[path] = place = prim.CreateObjectOp.create(result_types=[type_])
                place.results[0].name_hint = op.results[0].name_hint
                edit.insert_before(first, place)
            edit.replace_uses(op.results[0], method.reads[path].results[0])

    def _value(self, path: Path) -> Any:
        found: Any = self.own
        for name in path:
            found = object_of(found.__torchscript_fields__[name])
        return found

    def _written(self, methods: Iterable[_Method]) -> Iterator[Any]:
        """The values of attributes that methods may write to."""
        for method in methods:
            aliases = AliasDb(method.op)
            for path, place in method.reads.items():
                if aliases.has_written_contents(place.results[0]):
                    self.kept.add(path)
                    yield self._value(path)

    def _share_fate(self, mutated: Iterable[Any]) -> None:
        """Keep what is the memory of what may change, under whatever name."""
        written = [tensor for value in list(mutated) for tensor in _tensors(value)]
        for path in [*self.kept]:
            written += _tensors(self._value(path))
        for path, value in _leaves(self.own, ()):
            if any(np.may_share_memory(a.array, b.array) for a in _tensors(value) for b in written):
                self.kept.add(path)

    def _is_kept(self, path: Path) -> bool:
        """Whether an attribute stays: it is kept, is in something that is, or has something in it that is."""
        return any(path[: len(kept)] == kept or kept[: len(path)] == path for kept in self.kept)

    # What is constant.

    def _fold(self, method: _Method) -> None:
        """Put constants, and reads of what is kept, in their places."""
        for path, place in method.reads.items():
            made = self._constant(path, place)
            if made is None:
                made = self._read(method, path, place)
            made.name_hint = place.results[0].name_hint
            edit.replace_uses(place.results[0], made)
            edit.erase(place)
        pipeline(current(), "after-freezing").apply(method.op)

    def _constant(self, path: Path, place: prim.CreateObjectOp) -> SSAValue | None:
        if self._is_kept(path):
            return None
        try:
            return edit.insert_constant(place, self._value(path), prim.type_of(place.results[0]))
        except TypeError:
            self.kept.add(path)
            return None

    def _read(self, method: _Method, path: Path, place: prim.CreateObjectOp) -> SSAValue:
        value: SSAValue = method.op.body.block.args[0]
        for place_in_path in range(len(method.owner), len(path)):
            inner = self._value(path[: place_in_path + 1])
            is_last = place_in_path == len(path) - 1
            type_ = (
                prim.type_of(place.results[0])
                if is_last
                else ClassType(inner.__torchscript_qualified_name__)
            )
            op = prim.GetAttrOp.create(
                operands=[value],
                result_types=[type_],
                attributes={"name": StringAttr(path[place_in_path])},
            )
            edit.insert_before(place, op)
            value = op.results[0]
        return value

    # The module that is left.

    def _made(self, methods: Sequence[_Method]) -> ScriptModule:
        unit = CompilationUnit()
        adopt_types(unit, self._types(methods), self.source)
        program = Program(unit, namer(unit))
        return self._module(program, self.module, (), methods)

    def _types(self, methods: Iterable[_Method]) -> Iterator[TorchScriptType]:
        """What values of methods and attributes that stay are of, but for modules."""
        for method in methods:
            for op in [method.op, *edit.nested_ops(method.op.body.block)]:
                blocks = [argument for region in op.regions for argument in region.block.args]
                for type_ in map(prim.type_of, [*op.results, *blocks]):
                    if not self._is_module_type(type_):
                        yield type_
        for path, _ in _leaves(self.own, ()):
            if self._is_kept(path):
                owner = self._value(path[:-1]).view.__torchscript_state__.definition
                yield owner.attributes[path[-1]]

    def _is_module_type(self, type_: TorchScriptType) -> bool:
        """Whether values of a type are modules; packed weights, in texts, are of classes that no program defines."""
        if not isinstance(type_, ClassType):
            return False
        definition = self.source.classes.get(type_.qualified_name.data)
        return definition is not None and definition.is_module

    def _module(
        self, program: Program, module: ScriptModule, path: Path, methods: Sequence[_Method]
    ) -> ScriptModule:
        """A module with what is kept of another one, and those of the methods that are its own."""
        old = module.__torchscript_state__.definition
        unit = program.unit
        type_ = ClassType(unit.free_qualified_name(old.type.qualified_name.data))
        definition = ClassDefinition(type_, is_module=True, python_class=old.python_class)
        unit.classes[type_.qualified_name.data] = definition
        values: dict[str, Any] = {}
        for name, declared in old.attributes.items():
            inner = (*path, name)
            has_methods = any(method.owner[: len(inner)] == inner for method in methods)
            if not (has_methods or self._is_kept(inner)):
                continue
            value = module.__torchscript_object__.__torchscript_fields__[name]
            if isinstance(value, ScriptObject) and isinstance(value.view, ScriptModule):
                child = self._module(program, value.view, inner, methods)
                value = child.__torchscript_object__
                declared = ClassType(value.__torchscript_qualified_name__)
            definition.attributes[name] = declared
            values[name] = value
        definition.parameters = old.parameters & values.keys()
        definition.buffers = old.buffers & values.keys()
        for method in methods:
            if method.owner == path:
                self._declare(unit, definition, method)
        made = ScriptModule(program.class_of(definition))
        made.__torchscript_object__.__torchscript_fields__.update(values)
        return made

    def _declare(self, unit: CompilationUnit, definition: ClassDefinition, method: _Method) -> None:
        """Make an inlined function a method of the module that is left."""
        op, name = method.op, method.name
        symbol = f"{definition.type.qualified_name.data}.{name}"
        schema = method.function.schema
        _retype(op.body.block.args[0], definition, unit)

        def define(function: Function) -> None:
            op.detach()
            op.sym_name = StringAttr(function.symbol)
            edit.update_function_type(op)
            function.func_op = op
            function.is_clean = True
            own = replace(schema.arguments[0], type=definition.type)
            arguments = (own, *schema.arguments[1:])
            function.set_schema(FunctionSchema(name, "", arguments, schema.returns))
            unit.add_op(op)

        definition.methods[name] = unit.declare(name, define, symbol, symbol).ensure_defined()


def _calls_methods(fork: prim.ForkOp) -> bool:
    """Whether what a fork begins calls methods, which what is frozen has no more."""
    return any(isinstance(op, prim.CallMethodOp) for op in edit.nested_ops(fork.regions[0].block))


def _retype(value: SSAValue, definition: ClassDefinition, unit: CompilationUnit) -> None:
    """Give a module, and what is read of it, the types of another program."""
    assert isinstance(value, BlockArgument) or isinstance(value.owner, prim.GetAttrOp)
    edit.set_type(value, definition.type)
    for use in list(value.uses):
        op = use.operation
        if not isinstance(op, prim.GetAttrOp):
            continue
        type_: TorchScriptType = definition.attributes[op.attribute_name]
        inner = (
            unit.classes.get(type_.qualified_name.data) if isinstance(type_, ClassType) else None
        )
        if inner is not None:
            _retype(op.results[0], inner, unit)


def _tensors(value: Any) -> list[Tensor]:
    """The strided tensors in a value; others are kept anyway, as there are no constants of them."""
    if isinstance(value, UnstridedTensor):
        return []
    if isinstance(value, Tensor):
        return [value]
    if isinstance(value, (list, tuple)):
        return [tensor for item in cast("list[Any]", value) for tensor in _tensors(item)]
    if isinstance(value, dict):
        return _tensors(list(cast("dict[Any, Any]", value).values()))
    if isinstance(value, ScriptObject):
        return _tensors(list(value.__torchscript_fields__.values()))
    return []


def _leaves(own: ScriptObject, path: Path) -> Iterator[tuple[Path, Any]]:
    """The attributes of a module and of those in it, by path."""
    for name, value in own.__torchscript_fields__.items():
        if isinstance(value, ScriptObject) and value.view is not None:
            yield from _leaves(value, (*path, name))
        else:
            yield (*path, name), value
