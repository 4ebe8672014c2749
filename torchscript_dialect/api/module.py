"""ScriptModule: a compiled module object, with its attributes and methods."""

from __future__ import annotations

import inspect
import operator
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from types import MethodType, SimpleNamespace
from typing import IO, Any, cast

from xdsl.dialects.func import FuncOp

from torchscript_dialect.api.calls_in_traces import (
    is_pytorch_tracing,
    refuse_in_trace,
    refuse_unseen,
)
from torchscript_dialect.api.define import define_methods
from torchscript_dialect.api.function import inlined
from torchscript_dialect.api.lent_tensors import LentTensors, Shared
from torchscript_dialect.api.module_class import CompiledMethod, ModuleClass, Program
from torchscript_dialect.api.module_tree import ModuleTree
from torchscript_dialect.api.save import save, save_to_buffer
from torchscript_dialect.autograd.beside_pytorch import run_beside_pytorch
from torchscript_dialect.dialects.attributes import from_attribute
from torchscript_dialect.frontend.python.calls import is_ignored
from torchscript_dialect.frontend.python.module_definition import ModuleDefinition
from torchscript_dialect.frontend.python.module_types import (
    is_typed_attribute,
    module_definition,
    submodule_definition,
)
from torchscript_dialect.frontend.unit.definitions import ClassDefinition, Function
from torchscript_dialect.ir import Graph, changes
from torchscript_dialect.ops.eager.recording import RECORDING, Callee
from torchscript_dialect.runtime.executor.debug_state import GraphExecutorState
from torchscript_dialect.runtime.executor.graph_executor import GraphExecutor
from torchscript_dialect.runtime.values.arguments import ArgumentError, Lent, bind, to_runtime_value
from torchscript_dialect.runtime.values.exchange import Exchange
from torchscript_dialect.runtime.values.for_pytorch import as_given
from torchscript_dialect.runtime.values.objects import ScriptObject, is_special, object_of, view_of
from torchscript_dialect.serialization.python_printer import PythonPrinter, print_function
from torchscript_dialect.tensor import pytorch_state
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.function_schema import FunctionSchema
from torchscript_dialect.types.named import InterfaceType
from torchscript_dialect.types.tensor_type import TENSOR


def is_script_class(class_: type) -> bool:
    """Whether a class was declared as one of `ScriptModule`: Note [Subclasses of ScriptModule]."""
    return hasattr(type(class_), "__torchscript_script_class__")


_REFUSED = frozenset(
    """add_module register_backward_hook register_buffer register_forward_hook register_forward_pre_hook register_full_backward_hook
    register_full_backward_pre_hook register_module register_parameter set_submodule""".split()
)
"""Methods of modules of Python that change what a program has been compiled of."""
_HOOKS = frozenset(["_forward_hooks", "_forward_pre_hooks", "_backward_hooks"])
"""Tables of modules of Python, which PyTorch's compilers ask for first."""
_CONTAINERS = ("Sequential", "ModuleList", "ModuleDict", "ParameterList", "ParameterDict")
"""The classes of `torch.nn` that hold others; an archive has only their names."""


class ScriptMethod:
    """A method of a compiled module: a function whose first argument is the module."""

    def __init__(self, owner: ScriptModule, compiled: CompiledMethod) -> None:
        self._owner = owner
        self._compiled = compiled

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        compiled = self._compiled
        all_args = (self._owner.__torchscript_object__, *args)
        self._owner.__torchscript_lent__.follow()
        exchange = compiled.program.exchange
        lent: Lent = {}
        try:
            values = bind(compiled.function.schema, all_args, kwargs, exchange, lent)
        except ArgumentError:
            if is_pytorch_tracing():  # tensors of a trace cannot always be read
                refuse_in_trace(compiled.function.qualified_name)
            raise
        if lent:
            if is_pytorch_tracing():
                refuse_in_trace(compiled.function.qualified_name)
            refuse_unseen(compiled.function.name, lent)
        recorder = RECORDING.recorder
        if recorder is None:
            run = self._owner.__torchscript_lent__.heard(compiled.executor, self._owner)
            result = run_beside_pytorch(run, compiled.executor, values, lent)
        else:
            callee = Callee(compiled.function, compiled.program.unit, self._owner)
            result = recorder.function(callee, values, compiled.executor)
        return result if compiled.give is None else compiled.give(result)

    def __repr__(self) -> str:
        return f"<ScriptMethod {self.schema}>"

    def __torchscript_functions__(self) -> list[FuncOp]:
        """What a pipeline runs on."""
        return [self._function.op]

    @property
    def _function(self) -> Function:
        return self._compiled.function

    @property
    def _executor(self) -> GraphExecutor:
        return self._compiled.executor

    @property
    def _exchange(self) -> Exchange:
        return self._compiled.program.exchange

    @property
    def name(self) -> str:
        return self._function.name

    @property
    def schema(self) -> FunctionSchema:
        """The schema, the module first."""
        return self._function.schema

    @property
    def graph(self) -> Graph:
        """The graph as the frontend and its clean-up left it; `%self` is its first input."""
        return Graph(self._function.op)

    @property
    def inlined_graph(self) -> Graph:
        """A copy of the graph with every call replaced by what it calls."""
        return inlined(self._function.op)

    @property
    def code(self) -> str:
        """The method as Python source."""
        return print_function(
            self._function.op,
            name=self.name,
            schema=self.schema,
            is_method=True,
            class_resolver=self._compiled.program.namer,
        )

    @property
    def code_with_constants(self) -> tuple[str, SimpleNamespace]:
        """The method as Python source, and what it names `CONSTANTS.c0`, `CONSTANTS.c1`, ... as `c0`, `c1`, ..."""
        printer = PythonPrinter(class_resolver=self._compiled.program.namer)
        printer.print_function(
            self._function.op, name=self.name, schema=self.schema, is_method=True
        )
        entries = enumerate(printer.constant_table)
        values = {f"c{number}": from_attribute(entry.value) for number, entry in entries}
        return printer.text, SimpleNamespace(**values)

    def invalidate(self) -> None:
        """Forget what was made of the method, after edits of its ops; see Note [Edited functions]."""
        changes.edited(self._function.op)
        self._executor.invalidate()

    def graph_for(self, *args: Any, **kwargs: Any) -> Graph:
        """What runs for these arguments: see `ScriptFunction.graph_for`."""
        values = bind(self._function.schema, (self._owner, *args), kwargs, self._exchange)
        return self._executor.graph_for(values)

    def get_debug_state(self) -> GraphExecutorState:
        """The state of the method's executor."""
        return GraphExecutorState(self._executor)


@dataclass(frozen=True)
class _State:
    """What a module holds beside its fields and methods; in one place, as modules may have attributes of any name."""

    class_: ModuleClass
    pre_hooks: list[ScriptMethod]
    hooks: list[ScriptMethod]

    @property
    def definition(self) -> ClassDefinition:
        return self.class_.definition


class _Subclassable(type):
    """The class of `ScriptModule`: Note [Subclasses of ScriptModule] in torch/script_classes.py."""

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> Any:
        if not any(isinstance(base, mcs) for base in bases):
            return super().__new__(mcs, name, bases, namespace)
        classes = import_module("torchscript_dialect.torch.script_classes")
        return classes.script_class(name, bases, namespace)


class ScriptModule(ModuleTree, metaclass=_Subclassable):
    """A compiled module. Call it to call `forward`; parameters, buffers, submodules and other attributes are its attributes.

    Tensors share their memory with those of the object that it was made from.
    """

    __torchscript_module__ = True

    def __init__(self, class_: ModuleClass) -> None:
        """A module of a type, whose fields are still to be set."""
        definition, program = class_.definition, class_.program
        own = ScriptObject(
            definition.type.annotation_str, program.resolve, self, definition.attributes
        )
        hooks = (definition.pre_hooks, definition.hooks)
        bound = ([ScriptMethod(self, class_.compiled(hook)) for hook in some] for some in hooks)
        vars(self).update(
            __torchscript_object__=own,
            __torchscript_definition__=(definition, program.unit),
            __torchscript_state__=_State(class_, *bound),
            __torchscript_lent__=LentTensors(),
        )
        for name, function in definition.methods.items():
            vars(self)[name] = ScriptMethod(self, class_.compiled(function))

    __torchscript_state__: _State
    __torchscript_lent__: LentTensors

    @property
    def __class__(self) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """A class that modules of PyTorch's ask for of what they hold: Note [Lent tensors]."""
        torch = pytorch_state.loaded()
        return ScriptModule if torch is None else torch.nn.Module

    @property
    def __torchscript_qualified_name__(self) -> str:
        return self.__torchscript_state__.definition.type.annotation_str

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Run `forward`, and the hooks of the module around it."""
        state = self.__torchscript_state__
        for hook in state.pre_hooks:
            changed = hook(args)
            if changed is not None:
                changed = as_given(changed, args)
                args = cast(
                    "tuple[Any, ...]", changed if isinstance(changed, tuple) else (changed,)
                )
        result = forward_of(self)(*args, **kwargs)
        for hook in state.hooks:
            changed = hook(args, result)
            result = result if changed is None else changed
        return result

    setattr(__call__, "_torchdynamo_disable", True)  # noqa: B010  (`torch.compile` does not go into the call)

    @property
    def _call_impl(self) -> Any:
        """What `torch.compile` asks a module for before it comes to the call: from then on calls run outside of it altogether.

        Raises:
            AttributeError: it is not there, so that something else asks.
        """
        dynamo = sys.modules.get("torch._dynamo")
        if dynamo is None:
            raise AttributeError("_call_impl")
        if not hasattr(ScriptModule.__call__, "_torchdynamo_orig_callable"):
            ScriptModule.__call__ = dynamo.disable(ScriptModule.__call__)
        return self.__call__

    def __getattr__(self, name: str) -> Any:
        """Attributes of the program, and methods that stay Python: those marked with `torch.jit.ignore`."""
        if is_special(name):
            raise AttributeError(name)
        fields = self.__torchscript_object__.__torchscript_fields__
        if name in fields:
            self._class.program.check_data()
            if isinstance(fields[name], Tensor):
                self.__torchscript_lent__.follow()
            return view_of(fields[name])
        if name in ("keys", "values", "items") and self._is_dict:
            return getattr(self._held(name), name)
        state = self.__torchscript_state__
        if name in state.definition.constants:
            return state.definition.constants[name]
        class_: Any = state.definition.python_class
        method = getattr(class_, name, None) if name[:1] != "_" else None
        if inspect.isfunction(method) and is_ignored(method):
            return MethodType(method, self)
        if is_script_class(class_):
            return class_.attribute_of(self, name)
        own = getattr(class_, name, None)
        if isinstance(own, property) and name in getattr(class_, "__jit_ignored_attributes__", ()):
            return own.__get__(self)
        if name in _REFUSED:
            return partial(_refuse, name)
        if name in _HOOKS:
            raise AttributeError(
                f"'{state.class_.name}' object has no attribute '{name}': it is compiled here, and torch.jit, torch.fx and pruning "
                "take modules of Python; ts.script and ts.trace take what holds it"
            )
        raise AttributeError(f"'{state.class_.name}' object has no attribute '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        fields = self.__torchscript_object__.__torchscript_fields__
        definition = self._class.definition
        type_ = definition.attributes.get(name)
        if type_ is None:
            if name in definition.constants:
                known = definition.constants[name]
                raise RuntimeError(f"Can't set constant '{name}' which has value:{known}")
            object.__setattr__(self, name, value)
        elif isinstance(value, ScriptModule):
            fields[name] = object_of(self._as_submodule(name, value, type_))
        else:
            shared: Shared = {}
            try:
                fields[name] = _runtime_value(self._class.program, value, type_, shared)
                if name in definition.parameters:
                    self.__torchscript_lent__.add(shared)
            except TypeError as error:
                raise RuntimeError(
                    f"Could not cast attribute '{name}' to type {type_.annotation_str}: {error}"
                ) from None

    def _as_submodule(self, name: str, value: ScriptModule, type_: TorchScriptType) -> ScriptModule:
        """A compiled module that takes the place of a submodule, as the program of this one knows it.

        Raises:
            RuntimeError: it has another type, of which the methods that call the submodule know nothing.
        """
        unit = self._class.program.unit
        definition = module_definition(value, unit)
        if isinstance(type_, InterfaceType):
            fits = unit.implements(definition.type, type_)
        else:
            fits = definition.type == type_
        if not fits:
            raise RuntimeError(
                f"Expected a value of type '{type_.annotation_str}' for field '{name}', but found "
                f"'{definition.type.annotation_str}'"
            )
        return _adopted(self._class.program, definition, value)

    def __delattr__(self, name: str) -> None:
        if name in self.__torchscript_object__.__torchscript_fields__ or isinstance(
            vars(self).get(name), ScriptMethod
        ):
            raise RuntimeError("cannot delete methods or parameters of a script module")
        object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        return [*object.__dir__(self), *self.__torchscript_object__.__torchscript_fields__]

    def __torchscript_functions__(self) -> list[FuncOp]:
        """What a pipeline runs on: the methods of the module and of its submodules."""
        own = [m for m in vars(self).values() if isinstance(m, ScriptMethod)]
        state = self.__torchscript_state__
        methods = [*own, *state.pre_hooks, *state.hooks]
        found = [function for m in methods for function in m.__torchscript_functions__()]
        for _, child in self.named_children():
            found += child.__torchscript_functions__()
        return list(dict.fromkeys(found))

    @property
    def original_name(self) -> str:
        """The name of the Python class that the module was made from."""
        return self.__torchscript_state__.class_.name

    @property
    def graph(self) -> Graph:
        """The graph of `forward`."""
        return forward_of(self).graph

    @property
    def inlined_graph(self) -> Graph:
        """The graph of `forward` with every call replaced by what it calls."""
        return forward_of(self).inlined_graph

    @property
    def code(self) -> str:
        """`forward` as Python source."""
        return forward_of(self).code

    def graph_for(self, *args: Any, **kwargs: Any) -> Graph:
        """The optimized graph of `forward` that runs for these arguments."""
        return forward_of(self).graph_for(*args, **kwargs)

    def get_debug_state(self) -> GraphExecutorState:
        """The state of the executor of `forward`."""
        return forward_of(self).get_debug_state()

    @property
    def _class(self) -> ModuleClass:
        return self.__torchscript_state__.class_

    def define(self, src: str) -> None:
        """Compile the functions of a text as methods of the module. They see the caller's names.

        Raises:
            TorchScriptError: the text is no TorchScript, or defines a method that there is.
        """
        frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
        self._define_with(src, {**frame.f_globals, **frame.f_locals})

    def _define_with(self, src: str, names: dict[str, Any]) -> None:
        """`define` where the text sees these names."""
        for function in define_methods(self._class, src, names):
            vars(self)[function.name] = ScriptMethod(self, self._class.compiled(function))

    def __len__(self) -> int:
        own = vars(self).get("__len__")  # a method that was compiled
        return len(self._held("__len__")) if own is None else own()

    def __iter__(self) -> Iterator[Any]:
        """What a container holds: its modules or parameters, or of a dict the names."""
        if (own := vars(self).get("__iter__")) is not None:
            return iter(own())
        held = self._held("__iter__")
        return iter(held) if self._is_dict else iter(held.values())

    def __contains__(self, key: object) -> bool:
        if (own := vars(self).get("__contains__")) is not None:
            return own(key)
        held = self._held("__contains__")
        return key in held if self._is_dict else any(key is each for each in held.values())

    def __getitem__(self, index: Any) -> Any:
        if (own := vars(self).get("__getitem__")) is not None:
            return own(index)
        held = self._held("__getitem__")
        if self._is_dict:
            return held[index]
        found = list(held.values())
        return found[index] if isinstance(index, slice) else found[operator.index(index)]

    @property
    def _is_dict(self) -> bool:
        return self.original_name in ("ModuleDict", "ParameterDict")

    def _held(self, asked: str) -> dict[str, Any]:
        """What a container of modules or parameters holds, by name.

        Raises:
            TypeError: the module is no container.
        """
        if self.original_name not in _CONTAINERS:
            raise TypeError(
                f"'{self.original_name}' is no container of modules: it has no '{asked}'"
            )
        return dict(self._places()) or dict(self._own("parameters"))

    def __bool__(self) -> bool:
        own = vars(self).get("__bool__")
        return True if own is None else own()

    def save(self, file: str | os.PathLike[str] | IO[bytes], _extra_files: Any = None) -> None:
        """`ts.save` of the module."""
        save(self, file, _extra_files)

    def save_to_buffer(self, _extra_files: Any = None) -> bytes:
        """The bytes that `save` writes."""
        return save_to_buffer(self, _extra_files)

    def __copy__(self) -> ScriptModule:
        """A module with the same values."""
        made = ScriptModule(self._class)
        fields = self.__torchscript_object__.__torchscript_fields__
        made.__torchscript_object__.__torchscript_fields__.update(fields)
        made.__torchscript_lent__.join(self.__torchscript_lent__)
        return made

    def __deepcopy__(self, memo: dict[int, Any]) -> ScriptModule:
        """A module of copies of the values; tensors that share memory keep sharing it."""
        known = memo.get(id(self))
        if known is not None:
            return known
        made = memo[id(self)] = ScriptModule(self._class)
        own = self.__torchscript_lent__
        is_outermost = id(own) not in memo
        lent = memo.setdefault(id(own), LentTensors())
        vars(made)["__torchscript_lent__"] = lent
        self.__torchscript_object__.copy_into(made.__torchscript_object__, memo)
        if is_outermost:
            lent.copy(own, memo)
        return made

    @property
    def code_with_constants(self) -> tuple[str, SimpleNamespace]:
        """`forward` as Python source, and what it names `CONSTANTS.c0`, `CONSTANTS.c1`, ... as `c0`, `c1`, ..."""
        return forward_of(self).code_with_constants


def _refuse(name: str, *_: Any, **__: Any) -> None:
    raise RuntimeError(f"{name} is not supported on ScriptModules")


def module_of(program: Program, definition: ModuleDefinition, original: Any) -> ScriptModule:
    """The compiled module of a Python object."""
    shared: Shared = {}
    lent = LentTensors()
    made = _module_of(program, definition, original, shared, lent)
    lent.add(shared)
    return made


def _module_of(
    program: Program,
    definition: ModuleDefinition,
    original: Any,
    shared: Shared,
    lent: LentTensors,
) -> ScriptModule:
    made = ScriptModule(program.class_of(definition))
    vars(made)["__torchscript_lent__"] = lent
    fields = made.__torchscript_object__.__torchscript_fields__
    for name, type_ in definition.attributes.items():
        value = getattr(original, name)
        _, value = program.unit.python_objects.get(id(value), (None, value))
        inner = submodule_definition(definition, name, value)
        value = value.value if is_typed_attribute(value) else value
        if inner is not None and value is not None and not isinstance(value, ScriptModule):
            value = _module_of(program, inner, value, shared, lent)
        elif inner is not None and isinstance(value, ScriptModule):
            value = _adopted(program, inner, value)
            lent.join(value.__torchscript_lent__)
        elif not isinstance(value, ScriptModule):
            value = _runtime_value(program, value, type_, shared)
        fields[name] = object_of(value)
    attributes = cast("dict[str, Any]", vars(original))
    left_out: Sequence[str] = getattr(original, "__jit_ignored_attributes__", ())
    for name, value in attributes.items():
        if isinstance(value, MethodType) and is_ignored(value):
            vars(made)[name] = MethodType(value.__func__, made)
        elif name in left_out and name not in fields:
            vars(made)[name] = value
    return made


def _runtime_value(program: Program, value: Any, type_: TorchScriptType, shared: Shared) -> Any:
    """The value of an attribute; for a tensor of PyTorch's one on the same memory, which requires a gradient if that does."""
    if id(value) in shared:
        return shared[id(value)][1]
    if isinstance(value, (list, tuple, dict)):
        value = _with_shared(program, value, shared)
    made = to_runtime_value(value, type_, program.exchange)
    if isinstance(made, Tensor) and made is not value:
        shared[id(value)] = value, made
        if getattr(value, "requires_grad", False) and not made.requires_grad:
            made.requires_grad_()
    return made


def _with_shared(program: Program, value: Any, shared: Shared) -> Any:
    """A container, with what stands here for PyTorch's tensors: the weights in the list of an `nn.LSTM` are its parameters."""
    if isinstance(value, dict):
        entries = cast(dict[Any, Any], value).items()
        return {key: _with_shared(program, item, shared) for key, item in entries}
    if isinstance(value, (list, tuple)):
        given = cast(Sequence[Any], value)
        items = [_with_shared(program, item, shared) for item in given]
        if isinstance(value, list):
            return items
        if all(new is old for new, old in zip(items, given, strict=True)):
            return given  # a class of the user's may not be made of its items
        make: Callable[[list[Any]], Any] = getattr(given, "_make", tuple)
        return make(items)
    if hasattr(value, "__dlpack__") and not isinstance(value, Tensor):
        return _runtime_value(program, value, TENSOR, shared)
    return value


def _adopted(program: Program, definition: ModuleDefinition, module: ScriptModule) -> ScriptModule:
    """A compiled module of another program as one of this program, over the same values; the module itself where its types have the
    same names in both.
    """
    own = module.__torchscript_object__
    fields = dict(own.__torchscript_fields__)
    for name, inner in definition.submodules.items():
        child = getattr(module, name)
        if isinstance(child, ScriptModule):
            fields[name] = object_of(_adopted(program, inner, child))
    has_names = own.__torchscript_qualified_name__ == definition.type.qualified_name.data
    if has_names and all(
        fields[name] is value for name, value in own.__torchscript_fields__.items()
    ):
        return module
    made = ScriptModule(program.class_of(definition))
    made.__torchscript_object__.__torchscript_fields__.update(fields)
    made.__torchscript_lent__.join(module.__torchscript_lent__)
    return made


def forward_of(module: ScriptModule) -> ScriptMethod:
    """The method that a call of the module runs.

    Raises:
        AttributeError: it has none.
    """
    forward = vars(module).get("forward")
    if forward is None:
        raise AttributeError(f"{module.original_name} has no method 'forward' to call")
    return cast(ScriptMethod, forward)
