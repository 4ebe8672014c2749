"""str and its methods."""
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from examples._torch import torch
from support.corpus import arr, case, ramp

Tensor = torch.Tensor



@case("abc", "xyz")
@case("", "q")
def concatenation_and_repetition(a: str, b: str):
    return a + b, a + a + a


@case("hello")
@case("a")
def length_and_index(s: str):
    return len(s), s[0], s[-1]


@case("hello world")
@case("ab")
def slices(s: str):
    return s[1:], s[:2], s[1:4], s[::2], s[::-1], s[-3:]


@case("abc", "abd")
@case("b", "a")
def equality_and_order(a: str, b: str):
    return a == b, a != b, a < b, a > b, a <= b, a >= b


@case("hello", "ll")
@case("hello", "xx")
def containment(s: str, t: str):
    return t in s, t not in s


@case("Hello World")
@case("abcDEF")
def letter_case(s: str):
    return s.upper(), s.lower(), s.capitalize(), s.title(), s.swapcase()


@case("  pad ")
@case("xxpadxx")
def stripping(s: str):
    return s.strip(), s.lstrip(), s.rstrip(), s.strip("x"), s.lstrip("x"), s.rstrip("x")


@case("a,b,c")
@case("abc")
def splitting(s: str):
    return s.split(","), s.split(",", 1), s.rsplit(",", 1)


@case("a b  c\td")
@case("")
def splitting_at_whitespace(s: str):
    return s.split(), s.split(" ")


@case("one\ntwo\n")
@case("x")
def splitting_lines(s: str):
    return s.splitlines()


@case("-", ["a", "b", "c"])
@case("", [])
def joining(sep: str, parts: List[str]):
    return sep.join(parts)


@case("hello", "l")
@case("hello", "z")
def finding(s: str, t: str):
    return s.find(t), s.rfind(t), s.count(t)


@case("hello", "l")
@case("hello", "z")
def index_raises(s: str, t: str):
    return s.index(t), s.rindex(t)


@case("hello", "he")
@case("hello", "lo")
def prefixes_and_suffixes(s: str, t: str):
    return s.startswith(t), s.endswith(t)


@case("aaa", "a", "b")
@case("xyz", "q", "r")
def replacing(s: str, a: str, b: str):
    return s.replace(a, b), s.replace(a, b, 2)


@case("abc1")
@case("123")
@case("   ")
def predicates(s: str):
    return s.isalpha(), s.isdigit(), s.isalnum(), s.isspace()


@case("abc")
@case("ABC")
def more_predicates(s: str):
    return s.islower(), s.isupper(), s.isdecimal(), s.isnumeric(), s.isidentifier(), s.istitle()


@case("abc", 7)
@case("abcdefgh", 3)
def padding(s: str, n: int):
    return s.center(n), s.ljust(n), s.rjust(n), s.zfill(n)


@case("abc", 7)
@case("abcd", 9)
def padding_with_a_character(s: str, n: int):
    return s.center(n, "*"), s.ljust(n, "-"), s.rjust(n, "+")


@case("key=value=x", "=")
@case("novalue", "=")
def partitioning(s: str, sep: str):
    return s.partition(sep), s.rpartition(sep)


@case("a\tb")
@case("\t")
def expanding_tabs(s: str):
    return s.expandtabs(4), s.expandtabs()


@case("quote\"d")
@case("new\nline")
def escapes(s: str):
    return s + "\t\"'\\\n" + 'single"' + """triple"quoted"""


@case("x")
@case("")
def adjacent_literals(s: str):
    return "one" "two" + s


@case("x")
@case("y")
def raw_strings(s: str):
    return r"\n" + s


@case("12", 5)
@case("-3", 0)
def conversions(s: str, n: int):
    return int(s) + n, str(n) + s, float(s)


@case("abc")
@case("zz")
def characters_of_a_string(s: str):
    return list(s), [ord(c) for c in s]


@case("hello")
@case("")
def truth_by_length(s: str):
    if len(s):
        return s
    return "empty"


@case("a")
@case("b")
@case("c")
def dispatch_on_strings(s: str):
    if s == "a":
        return 1
    elif s in ["b", "d"]:
        return 2
    return 3


@case("abcabc")
@case("xyz")
def counting_characters(s: str):
    counts: Dict[str, int] = {}
    for c in s:
        if c in counts:
            counts[c] += 1
        else:
            counts[c] = 1
    return counts


@case("level")
@case("lever")
def palindrome(s: str):
    i, j = 0, len(s) - 1
    while i < j:
        if s[i] != s[j]:
            return False
        i += 1
        j -= 1
    return True


@case("unicode: \u00e9")
@case("plain")
def not_ascii(s: str):
    return s + "\u00fc"
