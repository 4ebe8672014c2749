"""`ts.from_torch`: what PyTorch has scripted, traced, frozen or loaded, taken over alive. Parameters share their memory."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from torchscript_dialect.api.archive import load
from torchscript_dialect.api.function import ScriptFunction
from torchscript_dialect.api.lent_tensors import LentTensors, Shared
from torchscript_dialect.api.module import ScriptModule
from torchscript_dialect.api.module_class import namer
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.ir.edit import erase_arguments, update_function_type
from torchscript_dialect.runtime.permissions import PERMISSIONS
from torchscript_dialect.tensor import pytorch_state
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.tensor import Tensor, borrowed
from torchscript_dialect.types.function_schema import FunctionSchema


def from_torch(obj: Any) -> ScriptModule | ScriptFunction:
    """A `torch.jit.ScriptModule` or `torch.jit.ScriptFunction` as ours.

    It is taken over by the bytes that PyTorch saves it as, which lose nothing that graphs show. The tensors that are attributes of
    modules are PyTorch's own memory: what one side writes to them, the other sees.

    Raises:
        TypeError: it is neither.
        RuntimeError: PyTorch cannot save it.
        TorchScriptError: it uses what there is none of here.
    """
    torch: Any = pytorch_state.loaded()
    if torch is not None and isinstance(obj, torch.jit.ScriptFunction):
        return _function(obj, obj.save_to_buffer())
    if torch is None or not isinstance(obj, torch.jit.ScriptModule):
        raise TypeError(
            "from_torch takes a ScriptModule or ScriptFunction of PyTorch's, not a"
            f" {type(obj).__name__}: torch.jit.script and torch.jit.trace make them, ts.script takes"
            " Python objects"
        )
    made = load(obj.save_to_buffer(), allow=PERMISSIONS)
    known: Shared = {}
    lent = LentTensors()
    _share(made, obj, known, lent, set())
    lent.add(known)
    return made


def has_no_source(obj: Any) -> bool:
    """Whether a module is PyTorch's, whose methods no Python class has, so that only `from_torch` can take it.

    It is made of an archive or a trace, or its class is one of `torch.jit.ScriptModule`, off which PyTorch takes what it compiles.
    """
    torch: Any = pytorch_state.loaded()
    if torch is None or not isinstance(obj, torch.jit.ScriptModule):
        return False
    scripted = getattr(obj, "_concrete_type", None)
    class_ = getattr(scripted, "py_class", None)
    return (
        class_ is None
        or class_.__module__.startswith("torch.jit.")
        or issubclass(class_, torch.jit.ScriptModule)
    )


def take_submodules(obj: Any, unit: CompilationUnit) -> None:
    """Let the unit of a module that is to be compiled know, for each module in it that PyTorch has loaded or traced, one of ours."""
    for child in obj.children() if hasattr(obj, "children") else ():
        if not has_no_source(child):
            take_submodules(child, unit)
        elif id(child) not in unit.python_objects:
            unit.python_objects[id(child)] = (child, from_torch(child))


def _share(
    ours: ScriptModule, theirs: Any, known: Shared, lent: LentTensors, seen: set[int]
) -> None:
    """Put PyTorch's tensors in the place of those that were read, in a module and those in it."""
    if id(ours) in seen:
        return
    seen.add(id(ours))
    vars(ours)["__torchscript_lent__"] = lent
    fields = ours.__torchscript_object__.__torchscript_fields__
    for name in fields:
        value, original = getattr(ours, name), getattr(theirs, name, None)
        if isinstance(value, ScriptModule):
            _share(value, original, known, lent, seen)
        elif original is not None:
            fields[name] = _shared(value, original, known)


def _shared(value: Any, original: Any, known: Shared) -> Any:
    """A value that was read, with PyTorch's tensors in the place of those in it."""
    if isinstance(value, Tensor):
        if id(original) not in known:
            known[id(original)] = original, borrowed(as_tensor(original.detach()), original)
        return known[id(original)][1].requires_grad_(original.requires_grad)
    if isinstance(value, list):
        parts = zip(cast(list[Any], value), original, strict=True)
        return [_shared(item, theirs, known) for item, theirs in parts]
    return value


def _function(obj: Any, data: bytes) -> ScriptFunction:
    """A function, which PyTorch saves as the method of a module without attributes."""
    module = load(data, allow=PERMISSIONS)
    definition, unit = module.__torchscript_definition__
    function = definition.methods["forward"]
    op, method = function.op, function.schema
    erase_arguments(op.body.block, [0])
    update_function_type(op)
    declared = FunctionSchema.parse(str(obj.schema))  # the archive leaves defaults out
    arguments = tuple(
        replace(argument, default=theirs.default)
        for argument, theirs in zip(method.arguments[1:], declared.arguments, strict=True)
    )
    schema = FunctionSchema(obj.name, "", arguments, method.returns)
    function.name, function.qualified_name = obj.name, obj.qualified_name
    function.set_schema(schema)
    return ScriptFunction(op, schema, obj.qualified_name, namer(unit), (function, unit))
