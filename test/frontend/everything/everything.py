"""Everything at once: one module that uses every feature of the language, and is compiled as one unit."""
import math
from collections import namedtuple
from dataclasses import dataclass
from enum import Enum
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from examples._torch import torch
from support.corpus import arr, case, ramp

Tensor = torch.Tensor
nn = torch.nn
Future = torch.jit.Future


# Types: enums, tuples, dataclasses, script classes, interfaces.


class Kind(Enum):
    NUMBER = 0
    NAME = 1
    SIGN = 2


class Pace(Enum):
    SLOW = 0.5
    FAST = 2.0


class Token(NamedTuple):
    kind: int
    text: str
    place: int = -1


class Span(NamedTuple):
    first: Token
    rest: List[Token]


Halves = namedtuple("Halves", ["low", "high"])


@torch.jit.script
@dataclass(order=True)
class Release:
    major: int
    minor: int = 0

    def label(self) -> str:
        return f"v{self.major}.{self.minor}"


@torch.jit.script
class Journal:
    def __init__(self, name: str):
        self.name = name
        self.lines: List[str] = []
        self.depth = 0

    def __enter__(self):
        self.depth += 1
        self.lines.append("open " + self.name)
        return self

    def __exit__(self, type: Any, value: Any, tb: Any):
        self.depth -= 1
        self.lines.append("close " + self.name)

    def note(self, text: str, times: int = 1) -> int:
        for _ in range(times):
            self.lines.append("    "[: self.depth] + text)
        return len(self.lines)


class Ratio:
    def __init__(self, top: int, bottom: int = 1):
        divisor = math.gcd(top, bottom)
        if divisor == 0:
            raise ZeroDivisionError("a ratio of nothing")
        self.top = top // divisor
        self.bottom = bottom // divisor

    def __add__(self, other: "Ratio") -> "Ratio":
        return Ratio(self.top * other.bottom + other.top * self.bottom, self.bottom * other.bottom)

    def __mul__(self, other: "Ratio") -> "Ratio":
        return Ratio(self.top * other.top, self.bottom * other.bottom)

    def __neg__(self) -> "Ratio":
        return Ratio(-self.top, self.bottom)

    def __eq__(self, other: "Ratio") -> bool:
        return self.top == other.top and self.bottom == other.bottom

    def __lt__(self, other: "Ratio") -> bool:
        return self.top * other.bottom < other.top * self.bottom

    def __getitem__(self, i: int) -> int:
        return self.top if i == 0 else self.bottom

    def __str__(self) -> str:
        return f"{self.top}/{self.bottom}"

    @property
    def value(self) -> float:
        return self.top / self.bottom

    @value.setter
    def value(self, x: float):
        self.top = int(x * 100)
        self.bottom = 100

    @staticmethod
    def half() -> int:
        return 2


@torch.jit.interface
class Sized:
    def size(self) -> int:
        pass


@torch.jit.script
class Box:
    def __init__(self, side: int):
        self.side = side

    def size(self) -> int:
        return self.side * self.side if self.side < 100 else -1


@torch.jit.script
class Rod:
    def __init__(self, length: float):
        self.length = length

    def size(self) -> int:
        return int(self.length)


@torch.jit.interface
class Layer(torch.nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        pass


# Functions: tokens, control flow, refinement, tasks.


def is_name(c: str) -> bool:
    return c.isalpha() or c == "_"


def tokenize(source: str) -> List[Token]:
    tokens: List[Token] = []
    i = 0
    while i < len(source):
        c = source[i]
        start = i
        if c.isspace():
            i += 1
            continue
        elif c.isdigit():
            while i < len(source) and source[i].isdigit():
                i += 1
            tokens.append(Token(0, source[start:i], start))
        elif is_name(c):
            while True:
                if i >= len(source) or not is_name(source[i]):
                    break
                i += 1
            tokens.append(Token(1, source[start:i], place=start))
        elif c in "+-*()":
            i += 1
            tokens.append(Token(kind=2, text=c))
        else:
            raise ValueError("bad character " + c)
    return tokens


def precedence(sign: str) -> int:
    return {"+": 1, "-": 1, "*": 2}.get(sign, 0)


def to_postfix(tokens: List[Token]) -> List[Token]:
    out: List[Token] = []
    waiting: List[Token] = []
    for index, token in enumerate(tokens):
        kind, text, _ = token
        if kind != 2:
            out.append(token)
        elif text == "(":
            waiting.append(token)
        elif text == ")":
            while len(waiting) > 0 and waiting[-1].text != "(":
                out.append(waiting.pop())
            if len(waiting) == 0:
                raise RuntimeError("nothing opened")
            waiting.pop()
        else:
            while len(waiting) and precedence(waiting[-1].text) >= precedence(text):
                out.append(waiting.pop())
            waiting.append(token)
    waiting.reverse()
    out.extend(waiting)
    return out


def evaluate(source: str, names: Dict[str, int]) -> Optional[int]:
    stack: List[int] = []
    for token in to_postfix(tokenize(source)):
        if token.kind == 0:
            stack.append(int(token.text))
        elif token.kind == 1:
            if token.text not in names:
                return None
            stack.append(names[token.text])
        else:
            if len(stack) < 2:
                return None
            b, a = stack.pop(), stack.pop()
            if token.text == "+":
                stack.append(a + b)
            elif token.text == "-":
                stack.append(a - b)
            else:
                stack.append(a * b)
    assert len(stack) <= 1, "operands left"
    return stack[0] if len(stack) == 1 else None


def classify(value: Union[int, str, List[int]]) -> str:
    if isinstance(value, int):
        return "int %d" % (value + 1)
    elif isinstance(value, str):
        return "str " + value.upper()
    return "list {}".format(sum(value))


def look(value: Any) -> int:
    if isinstance(value, bool):
        return int(value)
    if torch.jit.isinstance(value, List[str]):
        return len("".join(value))
    if torch.jit.isinstance(value, Dict[str, int]):
        return value["one"] * 100
    return -1


def chain(x: Optional[int], y: Optional[int] = None, times: int = 1) -> int:
    if x is None or x < 0:
        return -times
    if y is not None and x > y:
        return x - y
    z = y if y is not None else x
    return z * times


def old_style(a, b, c):
    # type: (int, float, str) -> Tuple[float, str]
    d = a * b
    return d, c + "." if a > 0 else c


def sieve(limit: int) -> Tuple[List[int], int]:
    flags = [True] * limit
    primes: List[int] = []
    skipped = 0
    for i in range(2, limit):
        if not flags[i]:
            skipped += 1
            continue
        primes.append(i)
        for j in range(i * i, limit, i):
            flags[j] = False
    return primes, skipped


def first_repeat(rows: List[List[int]]) -> Tuple[int, int]:
    seen: Dict[int, int] = {}
    for r, row in enumerate(rows):
        for cell in row:
            if cell in seen:
                return cell, seen[cell]
            if cell > 50:
                break
            seen[cell] = r
    return -1, -1


def square(x: int) -> int:
    return x * x


def sum_in_tasks(xs: List[int]) -> int:
    futures: List[Future[int]] = []
    for x in xs:
        futures.append(torch.jit.fork(square, x))
    total = 0
    for f in futures:
        total += torch.jit.wait(f)
    return total


def tensor_work(x: Tensor, gain: float, i: int) -> Tuple[Tensor, Tensor, List[int]]:
    y = x.clone()
    y[0] = gain
    y[1:, ::2] *= 2
    y[y > 3] = 3
    y[..., -1] += i
    y += x[None].squeeze(0)
    for row in y:
        if row.sum() > 0:
            y = y - row.mean()
        else:
            y = y + 1
    a, b = y.chunk(2, dim=1)
    top, *others = (a, b, a + 1)
    values, order = torch.sort(torch.cat([top] + list(others), 1), dim=1)
    best: List[int] = order[:, 0].tolist()
    return torch.where(values > 0, values, -values), y.t(), best


def numbers(a: int, b: float) -> Tuple[List[int], List[float], Tuple[int, int], complex, bool]:
    q, r = divmod(a, 5)
    ints = [a // 3, a % 3, -a, abs(a), a & 6, a | 1, a ^ 3, a << 2, a >> 1, int(b)]
    floats = [round(b), a / 2, b - a, b ** 2, a ** 2, math.sqrt(abs(b)), math.floor(b) + 0.5, max(b, 1.5), min(float(a), b), 0.25]
    z = complex(a, b) * 2j
    return ints, floats, (q, r), z, -12 < a <= 12 != b


def texts(s: str, parts: List[str]) -> Dict[str, str]:
    counts = {c: s.count(c) for c in s}
    table: Dict[str, str] = {}
    for word, other in zip(s.split(), parts):
        table[word.strip(",")] = other.replace("a", "<>").center(7, "*")
    table["slice"] = s[1:-1:2] + s[::-1][:3]
    table["vowels"] = "".join([c if c in "aeiou" else "." for c in list(s)])
    table["format"] = f"{len(s)}:{s}|{counts}"
    table["percent"] = "%s-%d-%f" % (s[:1], len(parts), 255)
    table["odd"] = "{} {}".format(s.partition(" ")[0], s.find("e")) + 'quote"\t' + r"\n"
    del table["slice"]
    return table


def with_scopes(names: List[str], stop: int) -> Tuple[List[str], int]:
    outer = Journal("outer")
    with outer as j, Journal("inner") as k:
        for i, name in enumerate(names):
            if i == stop:
                j.note("stop", times=2)
                break
            with j:
                k.note(name)
                j.note(name + str(i))
    return outer.lines + k.lines, outer.depth


@torch.jit.ignore
def in_python(xs: List[int]) -> int:
    return sum(sorted(set(xs)))


@torch.jit.unused
def never_compiled(x: Tensor) -> Tensor:
    yield x


# Modules.


class Affine(nn.Module):
    def __init__(self, size: int, fill: float):
        super().__init__()
        self.weight = nn.Parameter(torch.ones([size]) * fill)
        self.calls = 0

    def forward(self, x: Tensor) -> Tensor:
        self.calls += 1
        return x * self.weight + self.calls


class Gate(nn.Module):
    __constants__ = ["names", "mode"]
    steps: torch.jit.Final[int]

    def __init__(self, steps: int):
        super().__init__()
        self.steps = steps
        self.names = ("a", "b")
        self.mode = None
        self.register_buffer("total", torch.zeros([1]))

    def extra_steps(self, x: Tensor, by: float = 0.5) -> Tensor:
        for _ in range(self.steps):
            x = torch.tanh(x) * by
        return x

    def forward(self, x: Tensor) -> Tensor:
        if self.mode is not None:
            x = self.mode.undefined(x)
        self.total = self.total + x.sum()
        self.total += self.steps
        return self.extra_steps(x) + self.extra_steps(x, by=0.25) if len(self.names) == 2 else x


@case(ramp(3, 4), 7, "let x be 3, or so", [3, 1, 2], Kind.NAME, None, 5)
@case(ramp(2, 6), -3, "e", [], Kind.SIGN, 2.75, "word")
@case(arr([[0.5, -1.0], [2.0, 4.0]]), 0, "", [9, 9, 60], Kind.NUMBER, -0.5, [1, 2])
class Everything(nn.Module):
    layer: Layer
    history: List[Tuple[int, str]]
    last: Optional[Tensor]

    def __init__(self):
        super().__init__()
        self.layer = Gate(2)
        self.layers = nn.ModuleList([Affine(1, 2.0), Gate(1), Affine(1, -1.0)])
        self.by_name = nn.ModuleDict({"gate": Gate(3), "affine": Affine(1, 0.5)})
        self.stack = nn.Sequential(Affine(1, 1.5), nn.ReLU())
        self.shared = self.by_name["affine"]
        self.history = []
        self.last = None
        self.pace = Pace.FAST
        self.table = {"one": 1}
        self.missing = None

    @property
    def length(self) -> int:
        return len(self.history)

    @torch.jit.export
    def reset(self, n: int) -> int:
        before = self.length
        self.history.clear()
        self.table.update({"n": n})
        return before

    def run_layers(self, x: Tensor) -> Tuple[Tensor, List[str], List[int]]:
        names: List[str] = []
        for i, layer in enumerate(self.layers, 1):
            x = layer(x) + i
        for name, layer in self.by_name.items():
            names.append(name)
            x = layer(x)
        x = self.shared(self.stack(x)) + self.layers[0](x)
        later = torch.jit.fork(torch.relu, x)
        if self.missing is not None:
            x = self.missing(x)
        if not torch.jit.is_scripting():
            x = never_compiled(x)
        counts = [self.shared.calls, self.length]
        return self.layer.forward(x) + torch.jit.wait(later), names, counts

    def optional_parts(self, x: Tensor, maybe: Optional[float]) -> Tuple[Tensor, Optional[float], str]:
        last = self.last
        self.last = x
        if last is None:
            last = torch.zeros_like(x)
        result: Optional[float] = None
        if maybe is not None:
            result = maybe * self.pace.value
            if result > 5:
                return last + result, result, self.pace.name
        return last + x, result, "none" if result is None else str(result)

    def objects(self, n: int) -> Tuple[str, float, bool, List[int], List[str]]:
        r = Ratio(n + 4, 6) + Ratio(1, 3)
        s = -(r * Ratio(2))
        t = r if s < r else s
        things: List[Sized] = [Box(n), Rod(2.5), Box(2)]
        sizes = [thing.size() for thing in things]
        releases = [Release(1, n), Release(n), Release(2)]
        newest = releases[0]
        for release in releases:
            if release > newest:
                newest = release
        s.value = 0.75
        labels = [newest.label(), str(s)]
        return str(t), t.value + s[1], r == t, sizes + [Ratio.half()], labels

    def enums(self, kind: Kind) -> Tuple[str, int, List[str]]:
        names = [""]
        for each in Kind:
            names.append(each.name + ("!" if each == kind else ""))
        if kind == Kind.NUMBER:
            answer = "digits"
        elif kind == Kind.NAME:
            answer = "letters"
        else:
            answer = "other"
        return answer, kind.value + Kind.SIGN.value, names

    def forward(
        self,
        x: Tensor,
        n: int,
        text: str,
        ks: List[int],
        kind: Kind,
        maybe: Optional[float],
        mixed: Union[int, str, List[int]],
    ):
        halves = Halves(x * 0.25, x + 12)
        answer = evaluate("2*(n+ 3) - n*n", {"n": n})
        assert answer is not None
        unknown = evaluate("m + 1", {"n": n})
        broken = evaluate("1 +", {"n": n})
        self.history += [(answer, text)]
        self.history.append((chain(unknown, n), "chain"))
        self.history.append((chain(n, 3, times=2) + chain(n, times=3), classify(mixed)))
        ks.append(n)
        ks.sort()
        ks.insert(0, ks[-1] if len(ks) > 1 else 40)
        ks[0], ks[-1] = ks[-1], ks[0] + 1
        rows = [[k, k + 1] for k in ks]
        grid = torch.tensor(rows).to(torch.float32)
        repeat, (primes, skipped) = first_repeat(rows), sieve(12 + len(ks))
        anything: Dict[str, Any] = {"kind": n > 0, "words": text.split(), "table": self.table}
        looks = look(anything["kind"]) + look(anything["words"]) + look(anything["table"]) + look(2)
        both = numbers(n, 2.5 if maybe is None else maybe)
        moved, _, best = tensor_work(x, float(halves.low.sum()), n)
        with torch.no_grad():
            out, names, counts = self.run_layers(x * 0.25)
        span = Span(Token(1, "first"), tokenize(text.replace(",", "")))
        spent = self.reset(n) if n < 0 and self.length > 2 else -1
        old = old_style(n, 1.5, text)
        tasks = sum_in_tasks(ks[1:]) + in_python(ks)
        deep = 0
        while deep < 5:
            for step in range(3):
                if step > deep:
                    continue
                if deep == 4:
                    break
                deep += step
            else_ = deep
            deep += 1 if else_ % 2 == 0 else 2
        return (
            (answer, unknown, broken, repeat, primes, skipped, looks, deep),
            (halves.high, moved, grid, out, best, names, counts),
            (both, texts(text, ["alpha", "bat", "cab"]), with_scopes(["p", "q", "r"], len(ks) - 2)),
            (self.optional_parts(x, maybe), self.objects(abs(n)), self.enums(kind)),
            (span, spent, old, tasks, self.history, self.table),
        )
