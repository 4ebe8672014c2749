"""The `kernel` dialect: what the runtime has to know of a function that it calls on a pool of threads.

`kernel.signature` says it of a function whose arguments are tensors, buffers and numbers (Note [Kernel input form] in
lowering/kernel.py), `kernel.launch` what of it is done in parts, and `kernel.entry` of the function that one part becomes, and of the
machine code of that.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from xdsl.dialects import llvm
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    FlatSymbolRefAttrConstr,
    FunctionType,
    IndexType,
    IntAttr,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    SymbolRefAttr,
    i8,
    i64,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Dialect, Operation, ParametrizedAttribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    prop_def,
    traits_def,
)
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.traits import SymbolTable, SymbolUserOpInterface
from xdsl.utils.exceptions import VerifyException

from lowering.dialects.kernel_entry import EntryOpBase, Word
from lowering.dialects.kernel_grid import GridEntryOp
from lowering.dialects.kernel_launch import LaunchOp
from lowering.dialects.kernel_product import Im2colMatmulOp
from lowering.shaped import i64_array, integers_of, is_memref, is_tensor

POINTER = llvm.LLVMPointerType()
NATIVE = (POINTER, POINTER, i64, i64)
"""The arguments of a kernel in the llvm dialect: a table of buffers, syms, begin and end."""


STATIC_DIM = -1
UNIT_STRIDE = -1
ZERO_STRIDE = -2
KNOWN_STRIDES = {UNIT_STRIDE: 1, ZERO_STRIDE: 0}
_STRIDES = {UNIT_STRIDE: "1", ZERO_STRIDE: "0"}


class _Uses(SymbolUserOpInterface):
    def verify(self, op: Operation) -> None:
        assert isinstance(op, EntryOp | SignatureOp)
        op.verify_symbols()


@irdl_attr_definition
class LayoutAttr(ParametrizedAttribute):
    """Which words hold the sizes and strides of a tensor.

    A size is the number of a word, or -1 where the type has it. A stride, in elements, is the number of a word, -1 for 1, or -2
    for 0; without strides the tensor is C-contiguous.
    """

    name = "kernel.layout"

    sizes: DenseArrayBase
    strides: DenseArrayBase | NoneAttr

    def spell(self) -> str:
        """`[s0, _, s2] strides [s5, 1, 0]`, where `_` stands for a size that the type has."""
        sizes = ", ".join("_" if one == STATIC_DIM else f"s{one}" for one in self.words("sizes"))
        if isinstance(self.strides, NoneAttr):
            return f"[{sizes}]"
        strides = ", ".join(_STRIDES.get(one) or f"s{one}" for one in self.words("strides"))
        return f"[{sizes}] strides [{strides}]"

    def print_parameters(self, printer: Printer) -> None:
        """See `spell`."""
        with printer.in_angle_brackets():
            printer.print_string(self.spell())

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """The inverse of `print_parameters`."""
        with parser.in_angle_brackets():
            found = _parse_layout(parser)
        return found.sizes, found.strides

    def words(self, name: str) -> tuple[int, ...]:
        """The numbers that the parameter called `name` holds."""
        return integers_of(getattr(self, name)) or ()


@lru_cache(maxsize=1024)
def layout(sizes: tuple[int, ...], strides: tuple[int, ...] | None = None) -> LayoutAttr:
    """See `LayoutAttr`."""
    return LayoutAttr(i64_array(sizes), NoneAttr() if strides is None else i64_array(strides))


@irdl_op_definition
class SignatureOp(IRDLOperation):
    """Where a function finds its arguments: tensors, or buffers that hold them, and numbers.

    `kernel.signature @f([s0, _], [s0, s1] strides [s2, 1], s3) -> ([s0, s1]) words 4`: the runtime gives 4 words. The sizes of
    the first argument are word 0 and what its type has, the second has strides in words, the third is the number in word 3. The
    result is fresh and C-contiguous: its sizes are in the order of memory, in which it may have its dimensions otherwise than it is
    seen outside (`TensorOutput`). A function of buffers takes those of its results after its arguments. A buffer is shaped as its
    tensor is, or flat: `memref<?xf32>`, whatever the rank of what it holds.
    """

    name = "kernel.signature"

    function = prop_def(FlatSymbolRefAttrConstr)
    arguments = prop_def(ArrayAttr[LayoutAttr | IntAttr])
    results_ = prop_def(ArrayAttr[LayoutAttr], prop_name="results")
    words = prop_def(Word)

    traits = traits_def(_Uses())

    def __init__(
        self,
        function: str,
        arguments: Sequence[LayoutAttr | int],
        results: Sequence[LayoutAttr],
        words: int,
    ) -> None:
        given = [IntAttr(one) if isinstance(one, int) else one for one in arguments]
        super().__init__(
            properties={
                "function": SymbolRefAttr(function),
                "arguments": ArrayAttr(given),
                "results": ArrayAttr(results),
                "words": IntegerAttr(words, i64),
            }
        )

    @property
    def callee(self) -> str:
        """The name of the function."""
        return self.function.root_reference.data

    @property
    def number_of_words(self) -> int:
        """How many words the runtime gives."""
        return self.words.value.data

    def verify_(self) -> None:
        """Words that are named exist."""
        for one in (*self.arguments, *self.results_):
            named = (
                [one.data]
                if isinstance(one, IntAttr)
                else [*one.words("sizes"), *one.words("strides")]
            )
            for word in named:
                if word >= self.number_of_words:
                    raise VerifyException(f"s{word} is none of {self.number_of_words} words")

    def verify_symbols(self) -> None:
        """The function exists, and takes and gives what is described."""
        function = SymbolTable.lookup_symbol(self, self.function)
        if not isinstance(function, FuncOp):
            raise VerifyException(f"there is no function {self.function}")
        inputs, outputs = list(function.function_type.inputs), list(function.function_type.outputs)
        count = len(self.arguments)
        if not outputs and all(map(is_memref, inputs[count:])):
            inputs, outputs = inputs[:count], inputs[count:]
        for what, types, described in (
            ("arguments", inputs, self.arguments),
            ("results", outputs, self.results_),
        ):
            if len(types) != len(described):
                raise VerifyException(
                    f"@{self.callee} has {len(types)} {what}, not {len(described)}"
                )
            for one, entry in zip(types, described, strict=True):
                _verify_place(one, entry)

    def print(self, printer: Printer) -> None:
        """See the class."""
        printer.print_string(" ")
        printer.print_attribute(self.function)
        printer.print_string("(")
        printer.print_list(self.arguments, lambda one: printer.print_string(_spell(one)))
        printer.print_string(") -> (")
        printer.print_list(self.results_, lambda one: printer.print_string(_spell(one)))
        printer.print_string(f") words {self.number_of_words}")
        printer.print_op_attributes(self.attributes)

    @classmethod
    def parse(cls, parser: Parser) -> SignatureOp:
        """The inverse of `print`."""
        function = parser.parse_symbol_name()
        paren = parser.Delimiter.PAREN
        arguments = parser.parse_comma_separated_list(paren, lambda: _parse_place(parser))
        parser.parse_punctuation("->")
        results = parser.parse_comma_separated_list(paren, lambda: _parse_layout(parser))
        parser.parse_keyword("words")
        op = cls(function.data, arguments, results, parser.parse_integer(allow_boolean=False))
        op.attributes |= parser.parse_optional_attr_dict()
        return op


def _spell(one: LayoutAttr | IntAttr) -> str:
    return f"s{one.data}" if isinstance(one, IntAttr) else one.spell()


def _verify_place(type_: Attribute, place: LayoutAttr | IntAttr) -> None:
    shaped = type_ if is_tensor(type_) or is_memref(type_) else None
    if isinstance(place, IntAttr) == (shaped is not None):
        raise VerifyException(f"{_spell(place)} does not describe {type_}")
    if isinstance(place, IntAttr) or shaped is None or is_flat(type_):
        return
    sizes, shape = place.words("sizes"), shaped.get_shape()
    if len(sizes) != len(shape) or len(place.words("strides")) not in (0, len(shape)):
        raise VerifyException(f"{place.spell()} has not {len(shape)} entries, for {type_}")
    if any((one == STATIC_DIM) != (size != DYNAMIC_INDEX) for one, size in zip(sizes, shape)):
        raise VerifyException(f"{place.spell()} must have _ exactly at the static sizes of {type_}")


def is_flat(type_: Attribute) -> bool:
    """Whether `type_` is that of a buffer whose elements have no other order than that in memory."""
    return is_memref(type_) and type_ == MemRefType(type_.element_type, [DYNAMIC_INDEX])


def _parse_place(parser: AttrParser) -> LayoutAttr | int:
    word = parser.parse_optional_identifier()
    return _parse_layout(parser) if word is None else _word_of(parser, word)


def _parse_layout(parser: AttrParser) -> LayoutAttr:
    square = parser.Delimiter.SQUARE
    sizes = parser.parse_comma_separated_list(square, lambda: _parse_size(parser))
    if parser.parse_optional_keyword("strides") is None:
        return layout(tuple(sizes))
    strides = parser.parse_comma_separated_list(square, lambda: _parse_stride(parser))
    return layout(tuple(sizes), tuple(strides))


def _parse_size(parser: AttrParser) -> int:
    word = parser.parse_identifier()
    return STATIC_DIM if word == "_" else _word_of(parser, word)


def _parse_stride(parser: AttrParser) -> int:
    number = parser.parse_optional_integer(allow_boolean=False, allow_negative=False)
    if number is None:
        return _word_of(parser, parser.parse_identifier())
    if number > 1:
        parser.raise_error("a stride is a word, 1 or 0")
    return UNIT_STRIDE if number else ZERO_STRIDE


def _word_of(parser: AttrParser, word: str) -> int:
    if word[0] != "s" or not word[1:].isdecimal():
        parser.raise_error(f"'{word}' is no word: s0, s1, ...")
    return int(word[1:])


@irdl_op_definition
class EntryOp(EntryOpBase):
    """How a function is entered.

    `kernel.entry @f words 5 range 0 grain 8 work 2 cost 284 scratch 4 sizes @sizes`: `@f` takes its buffers, where there is
    scratch memory that, 5 words of sizes, and the part of its parallel range that it is to do. Word 0 holds the length of the
    range, and parts begin at multiples of 8. Word 2 holds what there is to do in all, in units of 284 picoseconds; from that
    follows how many threads are worth waking. Word 4 holds the bytes of scratch memory. `@sizes` computes the words that follow
    from others, and says whether they suit the kernel.
    """

    name = "kernel.entry"

    grain = prop_def(Word)

    traits = traits_def(_Uses())

    assembly_format = (
        "$function `words` $words `range` $range `grain` $grain `work` $work `cost` $cost"
        " (`scratch` $scratch^)? (`stage` $stage^ `of` $stages)? (`sizes` $sizes^)? attr-dict"
    )

    def verify_(self) -> None:
        """Words that are named exist, and parts are not empty."""
        super().verify_()
        if self.number("grain") < 1:
            raise VerifyException("a grain is positive")

    def verify_symbols(self) -> None:
        """Functions that are named exist, and take what the runtime gives them."""
        function = SymbolTable.lookup_symbol(self, self.function)
        if isinstance(function, FuncOp):
            self._verify_arguments(function.function_type)
        elif not isinstance(function, llvm.FuncOp) or function.function_type.inputs.data != NATIVE:
            raise VerifyException(
                f"@{self.callee} is no function that takes buffers, words and a range"
            )
        if self.sizes is not None and SymbolTable.lookup_symbol(self, self.sizes) is None:
            raise VerifyException(f"there is no function {self.sizes}")

    def _verify_arguments(self, type_: FunctionType) -> None:
        tail: list[Attribute] = [MemRefType(i64, [DYNAMIC_INDEX]), IndexType(), IndexType()]
        if self.scratch is not None:
            tail.insert(0, MemRefType(i8, [DYNAMIC_INDEX]))
        inputs = list(type_.inputs)
        if inputs[-len(tail) :] != tail or not all(
            isinstance(one, MemRefType) for one in inputs[: -len(tail)]
        ):
            expected = ", ".join(map(str, tail))
            raise VerifyException(f"@{self.callee} must take its buffers, and then {expected}")


def entry_of(function: FuncOp) -> EntryOp | None:
    """How the runtime enters `function`; None of one that it does not call."""
    block = function.parent
    assert block is not None
    for op in block.ops:
        if isinstance(op, EntryOp) and op.callee == function.sym_name.data:
            return op
    return None


def signature_of(function: FuncOp) -> SignatureOp | None:
    """Where `function` finds its arguments; None of one that is no kernel of tensors."""
    block = function.parent
    assert block is not None
    for op in block.ops:
        if isinstance(op, SignatureOp) and op.callee == function.sym_name.data:
            return op
    return None


Kernel = Dialect(
    "kernel", [SignatureOp, LaunchOp, Im2colMatmulOp, EntryOp, GridEntryOp], [LayoutAttr]
)
