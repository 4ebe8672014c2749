"""`torch.utils._pytree`: nested tuples, lists and dictionaries as their leaves and their shape (PyTorch: torch/utils/_pytree.py)."""

# Items are what programs make them: they have no types that a checker knows.
# pyright: basic
from __future__ import annotations

from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import UnionType
from typing import Any, cast

from torchscript_dialect.torch.utils.pytree_paths import (
    GetAttrKey,
    MappingKey,
    SequenceKey,
    key_get,
    keystr,
)

PyTree = Any


@dataclass(frozen=True)
class TreeSpec:
    """The shape of a tree: the type of its root, what else makes it (keys, a length), and the shapes of its children."""

    type: Any
    context: Any
    children_specs: Sequence[TreeSpec]

    def __post_init__(self) -> None:
        object.__setattr__(self, "children_specs", tuple(self.children_specs))

    @property
    def num_leaves(self) -> int:
        if self.type is None:
            return 1
        return sum(child.num_leaves for child in self.children_specs)

    @property
    def num_nodes(self) -> int:
        return 1 + sum(child.num_nodes for child in self.children_specs)

    @property
    def num_children(self) -> int:
        return len(self.children_specs)

    def is_leaf(self) -> bool:
        return self.type is None

    def unflatten(self, leaves: Iterable[Any]) -> PyTree:
        return tree_unflatten(leaves, self)

    def flatten_up_to(self, tree: PyTree) -> list[PyTree]:
        return _leaves_at(self, tree)

    def __repr__(self) -> str:
        """PyTorch's, a leaf as a star."""
        if self.is_leaf():
            return "*"
        inside = ",\n".join(map(repr, self.children_specs)).replace("\n", "\n  ")
        name = "namedtuple" if self.type is self.context else self.type.__name__
        return f"TreeSpec({name}, {self.context}, [{inside}])"


@dataclass(frozen=True)
class _Node:
    flatten: Callable[[Any], tuple[list[Any], Any]]
    unflatten: Callable[[Iterable[Any], Any], Any]
    flatten_with_keys: Callable[[Any], tuple[list[tuple[Any, Any]], Any]] | None = None
    """Its children, each with its key."""


_LEAF = TreeSpec(None, None, ())
_NODES: dict[Any, _Node] = {}


def register_pytree_node(
    cls: type[Any],
    flatten_fn: Callable[[Any], tuple[list[Any], Any]],
    unflatten_fn: Callable[[Iterable[Any], Any], Any],
    *,
    flatten_with_keys_fn: Callable[[Any], tuple[list[tuple[Any, Any]], Any]] | None = None,
    **_: Any,
) -> None:
    """Let a class be a node: `flatten_fn` gives its children and a context, `unflatten_fn` takes both.

    Raises:
        ValueError: it is one.
    """
    if cls in _NODES:
        raise ValueError(f"{cls} is already registered as pytree node.")
    _NODES[cls] = _Node(flatten_fn, unflatten_fn, flatten_with_keys_fn)


def _with_keys(make: Callable[[Any], Any]) -> _Node:
    return _Node(
        lambda tree: (list(tree.values()), list(tree)),
        lambda leaves, keys: make(zip(keys, leaves, strict=True)),
    )


def _sequence(make: Callable[[Any], Any]) -> _Node:
    return _Node(lambda tree: (list(tree), None), lambda leaves, _: make(leaves))


_NODES.update(
    {
        tuple: _sequence(tuple),
        list: _sequence(list),
        dict: _with_keys(dict),
        OrderedDict: _with_keys(OrderedDict),
        defaultdict: _Node(
            lambda tree: (list(tree.values()), [tree.default_factory, list(tree)]),
            lambda leaves, context: defaultdict(context[0], zip(context[1], leaves, strict=True)),
        ),
        deque: _Node(
            lambda tree: (list(tree), tree.maxlen), lambda leaves, maxlen: deque(leaves, maxlen)
        ),
    }
)
_NAMED_TUPLE = _Node(lambda tree: (list(tree), type(tree)), lambda leaves, cls: cls(*leaves))


def _node(tree: PyTree) -> tuple[Any, _Node | None]:
    if isinstance(tree, tuple) and hasattr(cast(Any, tree), "_fields"):
        return type(cast(Any, tree)), _NODES.get(type(cast(Any, tree)), _NAMED_TUPLE)
    return type(tree), _NODES.get(type(tree))


def tree_flatten(
    tree: PyTree, is_leaf: Callable[[PyTree], bool] | None = None
) -> tuple[list[Any], TreeSpec]:
    """The leaves from left to right, and the shape without them."""
    leaves: list[Any] = []
    return leaves, _flatten(tree, leaves, is_leaf)


def _flatten(tree: PyTree, leaves: list[Any], is_leaf: Callable[[PyTree], bool] | None) -> TreeSpec:
    type_, node = _node(tree)
    if node is None or (is_leaf is not None and is_leaf(tree)):
        leaves.append(tree)
        return _LEAF
    children, context = node.flatten(tree)
    return TreeSpec(type_, context, tuple(_flatten(child, leaves, is_leaf) for child in children))


def tree_unflatten(leaves: Iterable[Any], treespec: TreeSpec) -> PyTree:
    """The tree of a shape with these leaves.

    Raises:
        ValueError: they are more or fewer than the shape has.
    """
    given = list(leaves)
    if len(given) != treespec.num_leaves:
        raise ValueError(
            f"tree_unflatten(leaves, treespec): `leaves` has length {len(given)} but the spec refers to"
            f" a pytree that holds {treespec.num_leaves} items ({treespec})."
        )
    return _unflatten(iter(given), treespec)


def _unflatten(leaves: Iterable[Any], spec: TreeSpec) -> PyTree:
    if spec.is_leaf():
        return next(iter(leaves))
    node = _NODES.get(spec.type, _NAMED_TUPLE)
    return node.unflatten(
        [_unflatten(leaves, child) for child in spec.children_specs], spec.context
    )


def tree_leaves(tree: PyTree, is_leaf: Callable[[PyTree], bool] | None = None) -> list[Any]:
    """The leaves from left to right."""
    return tree_flatten(tree, is_leaf)[0]


def tree_structure(tree: PyTree, is_leaf: Callable[[PyTree], bool] | None = None) -> TreeSpec:
    """The shape without the leaves."""
    return tree_flatten(tree, is_leaf)[1]


def tree_map(
    func: Callable[..., Any],
    tree: PyTree,
    *rests: PyTree,
    is_leaf: Callable[[PyTree], bool] | None = None,
) -> PyTree:
    """The tree of what the function gives for each leaf, and for those at its place in the other trees.

    Raises:
        ValueError: another tree has another shape.
    """
    leaves, spec = tree_flatten(tree, is_leaf)
    columns = [leaves, *(_leaves_at(spec, rest) for rest in rests)]
    return tree_unflatten([func(*row) for row in zip(*columns, strict=True)], spec)


def _leaves_at(spec: TreeSpec, tree: PyTree) -> list[Any]:
    """What of a tree stands where a shape has its leaves, trees themselves perhaps."""
    if spec.is_leaf():
        return [tree]
    type_, node = _node(tree)
    children, context = node.flatten(tree) if node is not None else ([], None)
    if type_ is not spec.type or len(children) != len(spec.children_specs):
        raise ValueError(f"Node type or arity mismatch; expected {spec.type}, but got {type_}.")
    if spec.type in (dict, OrderedDict):
        if context is None or set(context) != set(spec.context):
            raise ValueError(f"Node keys mismatch; expected {spec.context}, but got {context}.")
        children = [tree[key] for key in spec.context]
    pairs = zip(spec.children_specs, children, strict=True)
    return [leaf for child, part in pairs for leaf in _leaves_at(child, part)]


def tree_map_only(
    type_or_types: Any,
    func: Callable[[Any], Any],
    tree: PyTree,
    is_leaf: Callable[[PyTree], bool] | None = None,
) -> PyTree:
    """`tree_map` of the leaves of some types, or that a predicate takes; the others stay."""
    is_meant = _is_of(type_or_types)
    return tree_map(lambda leaf: func(leaf) if is_meant(leaf) else leaf, tree, is_leaf=is_leaf)


def _is_of(types: Any) -> Callable[[Any], bool]:
    if isinstance(types, (type, tuple, UnionType)):
        return lambda leaf: isinstance(leaf, types)
    if callable(types):
        return lambda leaf: bool(types(leaf))
    raise TypeError("Argument must be a type, a tuple of types, or a callable.")


def tree_all_only(types: Any, pred: Callable[[Any], bool], tree: PyTree) -> bool:
    """Whether every leaf of some types is so."""
    return all(map(pred, filter(_is_of(types), tree_leaves(tree))))


def tree_any_only(types: Any, pred: Callable[[Any], bool], tree: PyTree) -> bool:
    """Whether any leaf of some types is so."""
    return any(map(pred, filter(_is_of(types), tree_leaves(tree))))


def tree_flatten_with_path(
    tree: PyTree, is_leaf: Callable[[PyTree], bool] | None = None
) -> tuple[list[tuple[tuple[Any, ...], Any]], TreeSpec]:
    """The leaves, each with the keys that lead to it, and the shape."""
    return list(_with_paths((), tree, is_leaf)), tree_structure(tree, is_leaf)


def _with_paths(
    path: tuple[Any, ...], tree: PyTree, is_leaf: Callable[[PyTree], bool] | None
) -> Iterator[tuple[tuple[Any, ...], Any]]:
    type_, node = _node(tree)
    if node is None or (is_leaf is not None and is_leaf(tree)):
        yield path, tree
        return
    for key, child in _children_with_keys(tree, type_, node):
        yield from _with_paths((*path, key), child, is_leaf)


def _children_with_keys(tree: PyTree, type_: Any, node: _Node) -> Iterable[tuple[Any, Any]]:
    if node.flatten_with_keys is not None:
        return node.flatten_with_keys(tree)[0]
    children, context = node.flatten(tree)
    if node is _NAMED_TUPLE:
        keys = map(GetAttrKey, tree._fields)
    elif type_ in (tuple, list, deque):
        keys = map(SequenceKey, range(len(children)))
    elif type_ in (dict, OrderedDict, defaultdict):
        keys = map(MappingKey, context[1] if type_ is defaultdict else context)
    else:
        raise ValueError(
            f"Did not find a flatten_with_keys_fn for type: {type_}. "
            "Please pass a flatten_with_keys_fn argument to register_pytree_node."
        )
    return zip(keys, children, strict=True)


def tree_leaves_with_path(
    tree: PyTree, is_leaf: Callable[[PyTree], bool] | None = None
) -> list[tuple[tuple[Any, ...], Any]]:
    """The leaves, each with the keys that lead to it."""
    return tree_flatten_with_path(tree, is_leaf)[0]


def tree_map_with_path(
    func: Callable[..., Any],
    tree: PyTree,
    *rests: PyTree,
    is_leaf: Callable[[PyTree], bool] | None = None,
) -> PyTree:
    """`tree_map` of a function that gets the path of each leaf first."""
    pairs, spec = tree_flatten_with_path(tree, is_leaf)
    others = [_leaves_at(spec, rest) for rest in rests]
    rows = zip(pairs, *others, strict=True)
    return tree_unflatten([func(*pair, *row) for pair, *row in rows], spec)


def tree_all(pred: Callable[[Any], bool], tree: PyTree) -> bool:
    """Whether every leaf is so."""
    return all(map(pred, tree_leaves(tree)))


def tree_any(pred: Callable[[Any], bool], tree: PyTree) -> bool:
    """Whether any leaf is so."""
    return any(map(pred, tree_leaves(tree)))


__all__ = [
    "GetAttrKey",
    "MappingKey",
    "PyTree",
    "SequenceKey",
    "TreeSpec",
    "key_get",
    "keystr",
    "register_pytree_node",
    "tree_all",
    "tree_all_only",
    "tree_any",
    "tree_any_only",
    "tree_flatten",
    "tree_flatten_with_path",
    "tree_leaves",
    "tree_leaves_with_path",
    "tree_map",
    "tree_map_only",
    "tree_map_with_path",
    "tree_structure",
    "tree_unflatten",
]
