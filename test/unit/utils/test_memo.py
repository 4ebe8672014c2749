"""Tables of a bounded size."""

from torchscript_dialect.utils.memo import Memo


def test_a_full_table_forgets() -> None:
    memo: Memo[int, str] = Memo(2)
    memo[1] = "a"
    memo[2] = "b"
    memo[1] = "c"
    assert memo == {1: "c", 2: "b"}
    memo[3] = "d"
    assert memo == {3: "d"}
