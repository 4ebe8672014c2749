"""Strings and text of values."""

_WORDS = ["", "a", "Hello World", "ab12", "  a b ", "ABC", "x=y=z", "a\nb\nc"]


def each(*rest, words=_WORDS):
    return [lambda w=w, r=r: (w, *r) for w in words for r in rest]


_PLAIN = "capitalize isalnum isalpha isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper lower swapcase title upper"

SAMPLES = {
    _PLAIN: each(()),
    "add.str": each(("z",)),
    "hash.generic": [
        *each((), words=[*_WORDS, "abé"]),
        lambda: (7,),
        lambda: (-2.5,),
        lambda: ((1, "a"),),
    ],
    "len.str": each((), words=[*_WORDS, "abé"]),
    "__getitem__.str prim::StringIndex": each((0,), (-1,), (7,)),
    "slice.str": each((None, None, 1), (1, None, 2), (0, -1, 1)),
    "strip lstrip rstrip": each((" \n\t\f\v",), ("a ",)),
    "expandtabs": each((4,), words=["a\tb", "\t", "abc\td\te"]),
    "center ljust rjust": each((5, "*"), (1, " "), (8, "-"), (9, "**"), words=["", "ab", "abc"]),
    "zfill": each((4,), words=["5", "-5", "abcde", "+1"]),
    "find rfind index.str rindex": each(
        ("a", 0, -1), ("=", 2, 5), ("zz", 0, -1), words=["a", "x=y=z", "abca"]
    ),
    "count": each(("a", 0, -1), ("=", 2, 5), ("zz", 0, -1), words=["a", "x=y=z", "abca"]),
    "startswith endswith": each(
        ("a", 0, -1), ("z", 1, -1), ("", 0, -1), ("b", 1, 2), words=["a", "abz", "abca"]
    ),
    "replace": each(("a", "b", -1), ("a", "bb", 1), words=["aaa", "xyz", ""]),
    "partition rpartition": each(("=",), ("zz",), words=["x=y=z", "abc"]),
    "join": [lambda: (",", ["a", "b"]), lambda: ("", []), lambda: ("-", ["x"])],
    "split.str": each((None, -1), (",", -1), (",", 1), words=["a,b,c", "a b  c", "", "abc"]),
    "rsplit": each((" ", -1), (",", 1), words=["a,b,c", "a b c", "abc"]),
    "splitlines": each((False,), words=["a\nb\nc", "abc", "a\n"]),
    "ord": [lambda: ("a",), lambda: ("ab",)],
    "chr": [lambda: (97,), lambda: (-1,)],
    "hex oct bin": [lambda: (255,), lambda: (-9,), lambda: (0,)],
    "str": [
        lambda v=v: (v,)
        for v in (
            1,
            True,
            None,
            "a",
            1.0,
            2.5,
            1e20,
            1e-5,
            0.1,
            -0.0,
            123456789.0,
            [1, 2],
            ["a", "b"],
            [1.5, 2.0],
            (1, 2.5, "x"),
            {"a": 1},
            1 + 2j,
        )
    ],
    "format": [
        lambda: ("a {} b {}", 1, 2.5),
        lambda: ("{}", [1, 2]),
        lambda: ("{}", "x"),
        lambda: ("none",),
        lambda: ("{}", True),
        lambda: ("{} {}", 1),
    ],
    "percentFormat": [
        lambda: ("%d %s %f", (3, "a", 2.5)),
        lambda: ("%s", 2.5),
        lambda: ("%x", 255),
        lambda: ("%e %i %%", (1.5, 3)),
        lambda: ("%s", [1, 2]),
        lambda: ("%f", 1e20),
        lambda: ("%c", 65),
        lambda: ("%d", (1, 2)),
    ],
}
