"""A function that an executor runs, and what is found out of it alone: its interpreters, its writes, its part in gradients."""

from __future__ import annotations

from contextlib import suppress

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from torchscript_dialect.analysis.alias_analysis import AliasDb
from torchscript_dialect.ir.calls import reached
from torchscript_dialect.ir.module import find_function, functions_of, module_around
from torchscript_dialect.passes import lists
from torchscript_dialect.passes.lists import PassLists
from torchscript_dialect.passes.named import pipeline
from torchscript_dialect.runtime.interpreter.interpreter import (
    InterpreterFunction,
    callees_of,
    interpret,
    recording,
)
from torchscript_dialect.runtime.interpreter.node_rules import CallResolver
from torchscript_dialect.runtime.interpreter.runnable import runnable
from torchscript_dialect.runtime.specialization.gradients import (
    Begins,
    begins_tracking,
    may_write,
    tells_gradients,
)
from torchscript_dialect.transforms.autocast import CLASS, has_regions
from torchscript_dialect.types.named import ClassType
from torchscript_dialect.utils.errors import TorchScriptError
from torchscript_dialect.utils.properties import cached_property


class ExecutedFunction:
    """`own_lists` are the passes of a function that does not go by those in force. `is_checked` is for a function that came as data;
    see PythonSource. `resolve` finds what the function calls, where that is shared.
    """

    def __init__(
        self,
        function: FuncOp,
        own_lists: PassLists | None,
        *,
        is_checked: bool,
        resolve: CallResolver | None,
    ) -> None:
        self.function = function
        self.own_lists = own_lists
        self.is_checked = is_checked
        if resolve is not None:
            self.resolve = resolve  # pyright: ignore[reportAttributeAccessIssue]

    def forget_facts(self) -> None:
        """Forget what was found out of the function as it was; `resolve` hears of edits itself."""
        for name in list(self.__dict__):
            if name != "resolve" and isinstance(getattr(type(self), name, None), cached_property):
                self.__dict__.pop(name, None)

    @property
    def module(self) -> ModuleOp:
        """The module of the function, with those that it calls."""
        return module_around(self.function)

    @property
    def lists(self) -> PassLists:
        """The passes that the function goes through."""
        return self.own_lists or lists.current()

    @cached_property
    def resolve(self) -> CallResolver:
        """What runs the functions that the function calls."""
        return callees_of(self.module, is_checked=self.is_checked)

    def called(self, name: str) -> FuncOp | None:
        """A function that this one calls, or is; None where there is none. What is called of an archive is compiled."""
        with suppress(LookupError, TorchScriptError):  # the run tells
            return self.resolve(name).function  # pyright: ignore[reportFunctionMemberAccess]
        return None

    @cached_property
    def interpreter(self) -> InterpreterFunction:
        """The interpreter of the function as it is."""
        return interpret(runnable(self.function), resolve=self.resolve, is_checked=self.is_checked)

    @cached_property
    def recorder(self) -> InterpreterFunction:
        """The interpreter of the function as it is, which records what it does for gradients."""
        return interpret(
            runnable(self.function),
            resolve=recording(self.resolve),
            is_checked=self.is_checked,
            records=True,
        )

    @cached_property
    def begins_tracking(self) -> Begins:
        """Whether the program may come to tensors that require gradients without being given any."""
        return max(map(begins_tracking, functions_of(self.module)))

    @cached_property
    def tells_gradients(self) -> bool:
        """Whether the program may tell which of its tensors require gradients where none are wanted."""
        return any(map(tells_gradients, functions_of(self.module)))

    @cached_property
    def may_write(self) -> bool:
        """Whether the program may write to tensors that it is given."""
        return any(map(may_write, functions_of(self.module)))

    @cached_property
    def writes_arguments(self) -> bool:
        """Whether the program may write to the memory of tensors that it is given. Of methods nobody knows: what they write to is
        mostly their object's.
        """
        return not self.is_method and self.may_write_arguments

    @cached_property
    def is_method(self) -> bool:
        """Whether an argument is an object."""
        return any(isinstance(one.type, ClassType) for one in self.function.body.block.args)

    @cached_property
    def may_write_arguments(self) -> bool:
        """The same, where of methods all is believed."""
        if not self.may_write or self.is_method:
            return self.may_write
        copy = self.module.clone()
        pipeline(self.lists, "inlining").apply(copy)
        return AliasDb(find_function(copy, self.function.sym_name.data)).writes_arguments()

    @cached_property
    def has_regions(self) -> bool:
        """Whether the program may have regions of `torch.autocast`; what is called of an archive is compiled to find out."""
        if getattr(self.resolve, "define", None) is None:
            names = (op.sym_name.data for op in functions_of(self.module))
            return any(name.endswith(f"{CLASS}.__init__") for name in names)
        functions = reached(self.function.sym_name.data, self.called)
        return any(map(has_regions, functions))
