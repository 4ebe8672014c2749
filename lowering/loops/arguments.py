"""The index arguments of a kernel that is no function of words yet: one for each word of which it needs the number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ArrayAttr, FunctionType, IndexType, IntAttr

if TYPE_CHECKING:
    from xdsl.dialects.func import FuncOp
    from xdsl.ir import Block, SSAValue

    from lowering.dialects.kernel import LayoutAttr, SignatureOp

INDEX = IndexType()


class KernelArguments:
    """The arguments of the one block of a kernel: those that its signature names, then the buffers of its results."""

    def __init__(self, block: Block, signature: SignatureOp) -> None:
        self.block = block
        self.signature = signature
        self.places: list[LayoutAttr | IntAttr] = list(signature.arguments)

    def index(self, word: int) -> SSAValue:
        """The number in a word; an argument of its own where none has it."""
        for argument, place in zip(self.block.args, self.places, strict=False):
            if isinstance(place, IntAttr) and place.data == word and argument.type == INDEX:
                return argument
        self.places.append(IntAttr(word))
        return self.block.insert_arg(INDEX, len(self.places) - 1)

    @property
    def results(self) -> list[SSAValue]:
        """The buffers of the results."""
        return list(self.block.args[len(self.places) :])

    def finish(self, func: FuncOp) -> None:
        """Let the function and its signature have the arguments that the block has."""
        func.properties["function_type"] = FunctionType.from_lists(self.block.arg_types, [])
        if len(self.places) > len(self.signature.arguments):
            self.signature.properties["arguments"] = ArrayAttr(self.places)
