"""Applies rewrite patterns: xDSL's `RewritePattern`s, found by the class of an op.

Note [Pattern driver]
xDSL's walker tries every pattern on every op, at 5 to 10 µs a try. Here a `FrozenPatternSet` knows the op classes that each
pattern matches, from the annotation that `op_type_rewrite_pattern` reads, and two drivers use it:

- `apply_patterns` is greedy (MLIR's `applyPatternsGreedily`). Its worklist begins with the ops that some pattern matches, in
  program order, and grows by what rewrites touch: inserted ops, users of replaced values, ops that are said to be modified, and
  the makers of values that lost a use. It ends when no pattern fires.
- `apply_conversion` visits each op once, in program order (MLIR's `applyPartialConversion`). Operands are converted before their
  users, so a pattern may change types. Ops that it inserts are not visited; those that were in an op that is rewritten are, if
  the pattern kept them.

Patterns of this project, of xDSL and of users are the same: a pattern without an annotation is tried on every op. Rules that
differ in op classes and attributes alone are instances of one `RootedPattern`, whose field says what it matches.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from types import FunctionType
from typing import Any, TypeAlias, cast, get_args

from xdsl.builder import InsertOpInvT
from xdsl.ir import Block, Operation, OpResult, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.rewriter import InsertPoint
from xdsl.traits import ConstantLike

from torchscript_dialect.ir import edit
from torchscript_dialect.utils import jit_opt_limit
from torchscript_dialect.utils.background import breathe
from torchscript_dialect.utils.errors import PassError
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.jit_opt_limit import OptLimit
from torchscript_dialect.utils.memo import Memo
from torchscript_dialect.utils.nominal import Nominal

Match: TypeAlias = Callable[[RewritePattern, Operation, PatternRewriter], None]
Matcher: TypeAlias = tuple[RewritePattern, Match]
Patterns: TypeAlias = "FrozenPatternSet | Sequence[RewritePattern]"


class RootedPattern(RewritePattern, metaclass=Nominal):
    """A rule for ops of the classes in `roots`: a family of rules is one such class, and an instance for each."""

    roots: tuple[type[Operation], ...]

    @abstractmethod
    def rewrite(self, op: Any, rewriter: PatternRewriter, /) -> None:
        """Rewrite an op of one of the classes in `roots`, or leave it as it is."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        if isinstance(op, self.roots):
            self.rewrite(op, rewriter)


class FrozenPatternSet:
    """Patterns by the class of op that they match. Making one is cheap; keep one that is used often."""

    def __init__(self, patterns: Iterable[RewritePattern]) -> None:
        self.patterns = tuple(patterns)
        self._kinds = tuple(map(_kind, self.patterns))
        self.by_class: Memo[type[Operation], tuple[Matcher, ...]] = Memo(1 << 14)

    @staticmethod
    def of(patterns: Patterns) -> FrozenPatternSet:
        """The set itself, or a set of the patterns."""
        return patterns if isinstance(patterns, FrozenPatternSet) else FrozenPatternSet(patterns)

    def matchers(self, class_: type[Operation]) -> tuple[Matcher, ...]:
        """The patterns for ops of a class, in the order in which they are tried."""
        found = self.by_class.get(class_)
        if found is None:
            by_root = _by_root(self._kinds)
            matching = {i: m for base in class_.__mro__ for i, m in by_root.get(base, ())}
            found = tuple((self.patterns[i], matching[i]) for i in sorted(matching))
            self.by_class[class_] = found
        return found


PatternKind: TypeAlias = (
    "type[RewritePattern] | tuple[type[RootedPattern], tuple[type[Operation], ...]]"
)
"""What the op classes of a pattern follow from."""


def _kind(pattern: RewritePattern) -> PatternKind:
    return (type(pattern), pattern.roots) if isinstance(pattern, RootedPattern) else type(pattern)


@lru_cache(maxsize=4096)
def _by_root(patterns: tuple[PatternKind, ...]) -> dict[type, list[tuple[int, Match]]]:
    """By op class, the places of the patterns for it and what to call: sets are made anew for each function."""
    found: dict[type, list[tuple[int, Match]]] = {}
    for index, pattern in enumerate(patterns):
        match, roots = _root_classes(pattern)
        for root in dict.fromkeys(roots):
            found.setdefault(root, []).append((index, match))
    return found


@lru_cache(maxsize=1024)
def _root_classes(pattern: PatternKind) -> tuple[Match, tuple[type[Operation], ...]]:
    """What to call for a pattern, and the op classes that it may be called with."""
    if isinstance(pattern, tuple):
        return cast(Match, pattern[0].rewrite), pattern[1]
    method = cast(FunctionType, pattern.match_and_rewrite)
    cells = dict(zip(method.__code__.co_freevars, method.__closure__ or (), strict=True))
    if "expected_type" not in cells or "func" not in cells:
        return cast(Match, method), (Operation,)
    # `op_type_rewrite_pattern` closes over the annotated method, and over its annotation: a class or a union of classes.
    annotation = cells["expected_type"].cell_contents
    return cast(Match, cells["func"].cell_contents), get_args(annotation) or (annotation,)


class Rewriter(PatternRewriter):
    """xDSL's rewriter, whose edits are links alone and which tells the driver what changed.

    Names stay where they are, as in PyTorch: a value that is there already keeps its name, and the results of a new op take the
    names of those that they replace, but for constants, which are shared.
    """

    def __init__(self, op: Operation) -> None:
        super().__init__(op)
        self.added: list[Operation] = []
        """Ops inserted or changed since the driver last looked."""
        self.removed: list[Operation] = []
        """Ops erased since then, with those in their blocks."""

    def insert(self, op: InsertOpInvT, insertion_point: InsertPoint | None = None) -> InsertOpInvT:
        point = self.insertion_point if insertion_point is None else insertion_point
        ops = (op,) if isinstance(op, Operation) else op
        for new in ops:
            self.has_done_action = True
            if point.insert_before is None:
                point.block.add_op(new)
            else:
                edit.insert_before(point.insert_before, new)
            self.handle_operation_insertion(new)
        return op

    def erase(self, op: Operation, safe_erase: bool = True) -> None:
        self.handle_operation_removal(op)
        if safe_erase and op.parent is not None:
            self.has_done_action = True
            edit.erase(op)
        else:
            super().erase(op, safe_erase)

    def replace_all_uses_with(
        self, from_value: SSAValue, to_value: SSAValue | None, safe_erase: bool = True
    ) -> None:
        if to_value is None:
            super().replace_all_uses_with(from_value, None, safe_erase)
            return
        if from_value is to_value or from_value.first_use is None:
            return
        self.has_done_action = True
        for use in from_value.uses:
            self.handle_operation_modification(use.operation)
        edit.replace_uses(from_value, to_value)

    def replace(
        self,
        op: Operation,
        new_ops: Operation | Sequence[Operation],
        new_results: Sequence[SSAValue | None] | None = None,
        safe_erase: bool = True,
    ) -> None:
        ops = (new_ops,) if isinstance(new_ops, Operation) else new_ops
        if new_results is None:
            new_results = ops[-1].results if ops else ()
        if len(op.results) != len(new_results):
            raise ValueError(
                f"{op.name} has {len(op.results)} results, which {len(new_results)} values replace"
            )
        self.has_done_action = True
        for new in ops:
            edit.insert_before(op, new)
            self.handle_operation_insertion(new)
        for old, value in zip(op.results, new_results, strict=True):
            self.replace_all_uses_with(old, value, safe_erase)
            if old.name_hint and value is not None and _takes_a_name(value, ops):
                edit.set_name(value, old.name_hint)
        self.erase(op, safe_erase)

    def inline_block(
        self, block: Block, insertion_point: InsertPoint, arg_values: Sequence[SSAValue] = ()
    ) -> None:
        goal = insertion_point.insert_before
        if goal is None:
            super().inline_block(block, insertion_point, arg_values)
            return
        self.has_done_action = True
        for argument, value in zip(block.args, arg_values, strict=True):
            self.replace_all_uses_with(argument, value)
        for op in edit.all_ops(block):
            edit.move_before(op, goal)

    def handle_operation_insertion(self, op: Operation) -> None:
        self.added.append(op)
        super().handle_operation_insertion(op)

    def handle_operation_modification(self, op: Operation) -> None:
        self.added.append(op)
        super().handle_operation_modification(op)

    def handle_operation_removal(self, op: Operation) -> None:
        self.removed.extend(op.walk() if op.regions else (op,))
        for operand in op.operands:
            if isinstance(operand, OpResult):
                self.added.append(operand.op)
        super().handle_operation_removal(op)

    def turn_to(self, op: Operation) -> None:
        """Make ready for a match of `op`."""
        self.has_done_action = False
        self._current_operation = op
        self.insertion_point = InsertPoint.before(op)


def _takes_a_name(value: SSAValue, new_ops: Sequence[Operation]) -> bool:
    if value.name_hint or not isinstance(value, OpResult) or value.op not in new_ops:
        return False
    return not value.op.has_trait(ConstantLike)


Entered: TypeAlias = Callable[[Operation], Iterable[Block]]
"""The blocks of an op whose ops are looked at."""


def all_blocks(op: Operation) -> Iterable[Block]:
    """Every block of an op."""
    for region in op.regions:
        yield from region.blocks


def apply_patterns(
    target: Operation | Block,
    patterns: Patterns,
    *,
    blocks_of: Entered = all_blocks,
    limit: OptLimit | None = None,
    log: Log | None = None,
    rewrites: Counter[str] | None = None,
) -> bool:
    """Rewrite the ops in `target`, itself not included, until no pattern fires; whether one did.

    `blocks_of` says which blocks of an op are entered, `limit` how many rewrites are allowed, `log` shows them, and `rewrites`
    counts them by the name of the pattern.

    Raises:
        PassError: the patterns undo each other's work and would go on for ever.
    """
    blocks = (target,) if isinstance(target, Block) else tuple(blocks_of(target))
    return _Worklist(blocks, FrozenPatternSet.of(patterns), blocks_of, limit, log, rewrites).run()


def apply_to(
    op: Operation,
    patterns: FrozenPatternSet,
    *,
    limit: OptLimit | None = None,
    rewrites: Counter[str] | None = None,
) -> bool:
    """Try the patterns on one op, and on no other; whether one fired. For walks that know what comes when."""
    matchers = patterns.matchers(type(op))
    if not matchers or (limit is not None and limit.is_exhausted):
        return False
    rewriter = Rewriter(op)
    for pattern, match in matchers:
        match(pattern, op, rewriter)
        if rewriter.has_done_action:
            if limit is not None:
                limit.count()
            if rewrites is not None:
                rewrites[type(pattern).__name__] += 1
            return True
    return False


class _Worklist:
    def __init__(
        self,
        blocks: Sequence[Block],
        patterns: FrozenPatternSet,
        blocks_of: Entered,
        limit: OptLimit | None,
        log: Log | None,
        rewrites: Counter[str] | None,
    ) -> None:
        self.patterns = patterns
        self.blocks_of = blocks_of
        self.limit = limit if jit_opt_limit.is_set() else None
        self.log = log
        self.rewrites = rewrites
        self.stack: list[Operation] = []
        """The next op is the last one. An op that is not in `waiting` any more is passed over."""
        self.waiting: set[Operation] = set()
        for block in blocks:
            self.push_block(block)
        self.stack.reverse()
        self.budget = 1_000 + 100 * len(self.stack)
        """Rewrites after which the patterns are taken to go round in circles."""

    def push_block(self, block: Block) -> None:
        by_class, matchers = self.patterns.by_class, self.patterns.matchers
        for op in edit.all_ops(block):
            if op.regions:
                self.push(op)
                continue
            class_ = type(op)
            found = by_class.get(class_)
            if (matchers(class_) if found is None else found) and op not in self.waiting:
                self.waiting.add(op)
                self.stack.append(op)

    def push(self, op: Operation) -> None:
        """Add an op, and behind it those in its blocks, where a pattern may match."""
        if op.regions:
            for block in self.blocks_of(op):
                self.push_block(block)
        if op not in self.waiting and self.patterns.matchers(type(op)):
            self.waiting.add(op)
            self.stack.append(op)

    def run(self) -> bool:
        if not self.stack:
            return False
        rewriter = Rewriter(self.stack[-1])
        changed = False
        while self.stack:
            op = self.stack.pop()
            if op not in self.waiting:
                continue
            self.waiting.discard(op)
            breathe()
            rewriter.turn_to(op)
            for pattern, match in self.patterns.matchers(type(op)):
                if self.limit is not None and self.limit.is_exhausted:
                    return changed
                match(pattern, op, rewriter)
                if rewriter.has_done_action:
                    changed = True
                    self.follow(pattern, op, rewriter)
                    break
        return changed

    def follow(self, pattern: RewritePattern, op: Operation, rewriter: Rewriter) -> None:
        """Count a rewrite, and put what it touched on the list."""
        name = type(pattern).__name__
        if self.limit is not None:
            self.limit.count()
        if self.log is not None and self.log.updates:
            self.log.update(f"{name} rewrote {op.name}")
        if self.rewrites is not None:
            self.rewrites[name] += 1
        self.budget -= 1
        if self.budget < 0:
            raise PassError(
                f"the rewrites do not come to an end: the last pattern was {name}, on {op.name}"
            )
        if op.parent is not None:
            self.push(op)
        for touched in reversed(rewriter.added):
            if touched.parent is not None:
                self.push(touched)
        self.waiting.difference_update(rewriter.removed)
        rewriter.added.clear()
        rewriter.removed.clear()


class _ConversionRewriter(Rewriter):
    """The rewriter of a conversion, which looks at no op again and so need not know what changed."""

    def handle_operation_insertion(self, op: Operation) -> None:
        pass

    def handle_operation_modification(self, op: Operation) -> None:
        pass

    def handle_operation_removal(self, op: Operation) -> None:
        pass


def apply_conversion(
    target: Operation | Block,
    patterns: Patterns,
    *,
    blocks_of: Entered = all_blocks,
    illegal: Callable[[Operation], Exception | None] = lambda op: None,
    rewrites: Counter[str] | None = None,
) -> bool:
    """Try the patterns once on each op in `target`, in program order; whether one fired.

    An op comes after those that make its operands, and before those in its blocks. An op that no pattern rewrote is given to
    `illegal`, whose exception, where it gives one, is raised. `rewrites` counts rewrites by the name of the pattern.
    """
    known = FrozenPatternSet.of(patterns)
    blocks = [target] if isinstance(target, Block) else [*blocks_of(target)]
    waiting = _ops_of(blocks)
    rewriter: Rewriter | None = None
    changed = False
    while waiting:
        op = waiting.pop()
        if op.parent is None:
            continue
        inner = _ops_of(blocks_of(op)) if op.regions else ()
        breathe()
        rewriter = rewriter or _ConversionRewriter(op)
        rewriter.turn_to(op)
        for pattern, match in known.matchers(type(op)):
            match(pattern, op, rewriter)
            if rewriter.has_done_action:
                changed = True
                if rewrites is not None:
                    rewrites[type(pattern).__name__] += 1
                break
        else:
            if (error := illegal(op)) is not None:
                raise error
        waiting += inner
    return changed


def _ops_of(blocks: Iterable[Block]) -> list[Operation]:
    """The ops in blocks, the last one first."""
    found = [op for block in blocks for op in edit.all_ops(block)]
    found.reverse()
    return found
