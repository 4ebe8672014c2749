"""`torch.utils._pytree`: paths of leaves, shapes as text, and leaves of some kinds."""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque
from typing import Any, NamedTuple

import pytest

from torchscript_dialect.torch.utils import _pytree as pytree


class Pair(NamedTuple):
    a: Any
    b: Any


TREE: Any = [
    1,
    ({"k": 2}, Pair(3, deque([4]))),
    defaultdict(list, {"z": 5}),
    OrderedDict(q=[]),
]


def test_paths_lead_to_the_leaves() -> None:
    pairs, spec = pytree.tree_flatten_with_path(TREE)
    assert [pytree.keystr(path) for path, _ in pairs] == [
        *("[0]", "[1][0]['k']", "[1][1].a", "[1][1].b[0]", "[2]['z']")
    ]
    assert [pytree.key_get(TREE, path) for path, _ in pairs] == [1, 2, 3, 4, 5]
    assert spec.unflatten(range(1, 6)) == TREE and spec.num_nodes == 13

    def with_sum(path: Any, one: int, other: int) -> str:
        return f"{pytree.keystr(path)} {one + other}"

    mapped = pytree.tree_map_with_path(with_sum, {"a": 1, "b": [2]}, {"b": [20], "a": 10})
    assert mapped == {"a": "['a'] 11", "b": ["['b'][0] 22"]}


def test_shapes_print_as_pytorchs() -> None:
    text = str(pytree.tree_structure([1, (2, {"k": 3}), Pair(4, [])]))
    assert text == (
        "TreeSpec(list, None, [*,\n  TreeSpec(tuple, None, [*,\n    TreeSpec(dict, ['k'], [*])]),\n"
        f"  TreeSpec(namedtuple, {Pair}, [*,\n    TreeSpec(list, None, [])])])"
    )


def test_leaves_of_some_kinds() -> None:
    tree = [1, 0.5, "a"]
    assert pytree.tree_map_only(int | float, lambda x: x * 2, tree) == [2, 1.0, "a"]
    assert pytree.tree_map_only(lambda x: x == "a", str.upper, tree) == [1, 0.5, "A"]
    assert pytree.tree_all_only(int, lambda x: x == 1, tree)
    assert not pytree.tree_any_only(float, lambda x: x > 1, tree)
    with pytest.raises(TypeError, match="must be a type, a tuple of types, or a callable"):
        pytree.tree_map_only(1, str, tree)


def test_classes_of_ones_own_tell_their_keys() -> None:
    class Point:
        def __init__(self, x: Any) -> None:
            self.x = x

    class Line(Point):
        pass

    def of(keyed: bool) -> Any:
        return lambda point: ([(pytree.GetAttrKey("x"), point.x)] if keyed else [point.x], None)

    pytree.register_pytree_node(
        Point, of(False), lambda xs, _: Point(*xs), flatten_with_keys_fn=of(True)
    )
    pytree.register_pytree_node(Line, of(False), lambda xs, _: Line(*xs))
    ((path, leaf),) = pytree.tree_leaves_with_path([Point(7)])
    assert pytree.keystr(path) == "[0].x" and leaf == 7
    with pytest.raises(ValueError, match="Did not find a flatten_with_keys_fn"):
        pytree.tree_leaves_with_path(Line(7))
