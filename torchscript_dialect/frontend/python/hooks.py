"""Hooks of modules: what is called before and after `forward`, and whether its signature fits (PyTorch: jit/api/module.cpp)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torchscript_dialect.frontend.python.module_definition import ModuleDefinition
from torchscript_dialect.frontend.source.python_ast import get_jit_def
from torchscript_dialect.frontend.unit.definitions import Function
from torchscript_dialect.types.containers import TupleType
from torchscript_dialect.types.core import NONE, TorchScriptType
from torchscript_dialect.utils.errors import FrontendError


def check_names(definition: ModuleDefinition) -> None:
    """Raise where two hooks of a module share a name."""
    for kind, hooks in zip(("Pre-hook", "Hook"), definition.python_hooks, strict=True):
        known: dict[str, Any] = {}
        for hook in hooks:
            if not hasattr(hook, "__name__"):
                raise FrontendError(
                    f"{kind} of {definition.python_class.__name__}: '{type(hook).__name__}' object has no attribute '__name__'."
                    " Only functions can be hooks of scripted modules; take the hook away before, or use"
                    " torch.nn.utils.parametrizations where it stands for a parametrization"
                )
            if known.setdefault(hook.__name__, hook) is not hook:
                raise FrontendError(
                    f"{kind} '{hook.__name__}' on {definition.python_class.__name__} has at least"
                    " two different python definitions. Please use unique names for all hooks."
                )


def check_signatures(definition: ModuleDefinition) -> None:
    """Compile the hooks of a module; raise for one that does not fit its `forward`."""
    if not (definition.hooks or definition.pre_hooks):
        return
    forward = definition.find_method("forward")
    if forward is None:
        return
    hooks = (*definition.pre_hooks, *definition.hooks)
    for hook in hooks:
        if definition.methods.get(hook.name, hook) not in hooks:
            raise FrontendError(
                f"Can't define hook: {hook.name} on class: {definition.type.annotation_str} because a"
                " method or hook with that name already exists."
            )
    inputs = [argument.type for argument in forward.schema.arguments[1:]]
    for hook, python_hook in zip(definition.pre_hooks, definition.python_hooks[0], strict=True):
        _PreHook(definition, hook, inputs).check_whole(python_hook)
    output = forward.schema.returns[0].type
    for hook in definition.hooks:
        _Hook(definition, hook, inputs, output).check()
        returned = hook.schema.returns[0].type
        output = output if returned == NONE else returned


class _PreHook:
    KIND = "Pre-hook"
    ARGUMENTS = 2

    def __init__(
        self, definition: ModuleDefinition, hook: Function, inputs: Sequence[TorchScriptType]
    ) -> None:
        self.hook = hook
        self.inputs = inputs
        self.module = f"'{definition.python_class.__name__}'"

    def check_whole(self, python_hook: Any) -> None:
        """Raise where the hook does not fit, or does not say what it returns."""
        self.check_inputs()
        tree = get_jit_def(python_hook, self.hook.name, self.module)
        if tree.decl.return_type is None:
            raise self.error(
                "is missing a return annotation. Return annotations are required, please add one."
            )
        self.check_return()

    def check_return(self) -> None:
        """Raise where the hook returns what `forward` does not take."""
        returned = self.hook.schema.returns[0].type
        wrong = f"returned the wrong type of: '{returned.annotation_str}'."
        if len(self.inputs) == 1 and returned == self.inputs[0] and isinstance(returned, TupleType):
            raise self.error(
                f"{wrong} When forward has a single tuple input argument, the return needs to be 'None'"
                " or a nested tuple containing forward's input tuple argument as in:"
                f" '{TupleType.get(self.inputs).annotation_str}'."
            )
        if returned == NONE or (len(self.inputs) == 1 and returned == self.inputs[0]):
            return
        if not isinstance(returned, TupleType):
            raise self.error(wrong, end="")
        if len(returned.elements) != len(self.inputs):
            raise self.error(
                f"{wrong} The returned tuple contains the wrong number of contained types."
            )
        if list(returned.elements) != self.inputs:
            raise self.error(f"{wrong} The returned tuple contains the wrong inner types.")

    def check_inputs(self) -> None:
        arguments = self.hook.schema.arguments
        if len(arguments) != self.ARGUMENTS:
            raise self.error(
                f"was expected to only have exactly {self.ARGUMENTS} inputs but it had"
                f" {len(arguments)} inputs.",
                end=" ",
            )
        given = arguments[1].type
        if not isinstance(given, TupleType):
            raise self.error(
                "expected the input argument to be typed as a Tuple but found type:"
                f" '{given.annotation_str}' instead."
            )
        received = f"Received type: '{given.annotation_str}'."
        if len(given.elements) != len(self.inputs):
            raise self.error(
                "has the wrong number of contained types for the input argument's Tuple."
                f" {received}"
            )
        if list(given.elements) != self.inputs:
            raise self.error(f"has the wrong inner types for the input tuple argument. {received}")

    def error(self, why: str, end: str = "\n") -> FrontendError:
        return FrontendError(
            f"{self.KIND} '{self.hook.name}' on module {self.module} {why}{end}{self.advice()}"
        )

    def advice(self) -> str:
        expected = TupleType.get(self.inputs).annotation_str
        one = (
            f"'None', '{self.inputs[0].annotation_str}', or"
            if len(self.inputs) == 1
            else "'None' or"
        )
        return (
            f"This error occurred while scripting the forward pre-hook '{self.hook.name}' on module"
            f" {self.module}. If you did not want to script this pre-hook remove it from the"
            f" original NN module before scripting. Pre-hooks for module {self.module} are expected"
            f" to have the following signature: {self.hook.name}(self, input: {expected}) with a"
            f" return type of either {one} '{expected}'."
        )


class _Hook(_PreHook):
    KIND = "Hook"
    ARGUMENTS = 3

    def __init__(
        self,
        definition: ModuleDefinition,
        hook: Function,
        inputs: Sequence[TorchScriptType],
        output: TorchScriptType,
    ) -> None:
        super().__init__(definition, hook, inputs)
        self.output = output

    def check(self) -> None:
        self.check_inputs()
        given = self.hook.schema.arguments[2].type
        if given != self.output:
            raise self.error(
                f"has the wrong type for the output argument. Received type:"
                f" '{given.annotation_str}'. Expected type: '{self.output.annotation_str}'."
            )

    def advice(self) -> str:
        expected = TupleType.get(self.inputs).annotation_str
        return (
            f"This error occurred while scripting the forward hook '{self.hook.name}' on module"
            f" {self.module[1:-1]}. If you did not want to script this hook remove it from the"
            " original NN module before scripting. This hook was expected to have the following"
            f" signature: {self.hook.name}(self, input: {expected}, output:"
            f" {self.output.annotation_str}). The type of the output arg is the returned type from"
            " either the forward method or the previous hook if it exists. Note that hooks can"
            " return anything, but if the hook is on a submodule the outer module is expecting the"
            " same return type as the submodule's forward."
        )
