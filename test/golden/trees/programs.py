# type: ignore
"""Functions whose syntax trees are compared with PyTorch's; regenerate_tree_goldens.py reads them."""
# ruff: noqa
from __future__ import annotations

import math
from typing import Any

torch: Any = None
helper: Any = None


def keep(fn):
    return fn


def keep_with(a, b):
    return keep


def tanh_fn(a, b):
    c = a + b
    d = c * c
    e = torch.tanh(d * c)
    return d + (e + e)


def if_ex(a, b, c: bool):
    d = a + b
    if c:
        e = d + d
    else:
        e = b + d
    return e


def while_continue(i: int):
    while i < 5:
        if i == 3:
            i += 1
            continue
        i += 2
    return i


def raise_ex(i: int):
    if i < 0:
        raise Exception("Negative input")
    else:
        return math.sqrt(i)
    print(i)


def lstm_cell(input, hidden, w_ih, w_hh, b_ih, b_hh):
    # type: (Tensor, Tuple[Tensor, Tensor], Tensor, Tensor, Tensor, Tensor) -> Tuple[Tensor, Tensor]
    hx, cx = hidden
    gates = torch.mm(input, w_ih.t()) + torch.mm(hx, w_hh.t()) + b_ih + b_hh
    ingate, forgetgate, cellgate, outgate = gates.chunk(4, 1)
    ingate = torch.sigmoid(ingate)
    cy = (forgetgate * cx) + (ingate * cellgate)
    hy = outgate * torch.tanh(cy)
    return hy, cy


def ratio_iou(x1, y1, w1, h1, x2, y2, w2, h2):
    xi = torch.max(x1, x2)                                  # Intersection left
    wi = torch.clamp(torch.min(x1+w1, x2+w2) - xi, min=0.)  # Intersection width
    area_i = wi * h1                                        # Area Intersection
    area_u = w1 * h1 + w2 * h2 - wi * h1                    # Area Union
    return area_i / torch.clamp(area_u, min=1e-5)           # Intersection over Union


def lunif2(x, t: int=2):
    t=2
    xnorm = torch.norm(x, p=2, dim=1).pow(2)
    sq_pdist = xnorm[None] + xnorm[:, None] - 2 * torch.mm(x, x.t())
    exp = sq_pdist.mul(-t).exp().tril(diagonal=-1)
    N = x.size(0)
    return exp.sum().mul(2/(N*N-N)).log()


def operators(a, b, c):
    x = a + b - c * a / b % c @ a // b
    y = a ** -b ** c
    z = -a ** 2 + ~b - (not c)
    p = a & b | c ^ a << 2 >> b
    q = a and b or c and not a
    r = a < b <= c != a == b >= c > a
    s = a is b, a is not b, a in b, a not in b
    t = (a if b else c) if a else b if c else a
    u = not a in b
    v = a < b not in c
    return x, y, z, p, q, r, s, t, u, v


def literals():
    """A docstring,
    of two lines."""
    a = [1, 2.5, 0x1F, 0b11, 0o17, 1_000, 1e-5, 1E+20, .5, 2., 3j, 1e400]
    b = "a" 'b' "c\n\t\\ \x41 \101 \u00e9"
    c = r"raw\n" """triple "quoted"
    string"""
    d = {"k": 1, "l": 2}
    e = {}
    f = ()
    g = (1,)
    h = True, False, None, ..., Ellipsis
    i = f"plain" f"{a} and {b + 'x'}, {{braces}}" " tail"
    return -1, - 2, 3 if False else 4


def indexing(x, i: int):
    a = x[0]
    b = x[1:2]
    c = x[:, ::2, 1:, :i, i:i + 2:3, ..., None, -1]
    d = x[(1, 2)]
    e = x[()]
    f = x[[0, 1]]
    g = x[i][0][1:]
    h = x[x > 0, i]
    x[0] = 1
    x[1:] += 2
    return a


def calls(x, *, flag: bool):
    a = f(x)
    b = f(x, 1, k=2, l=x.y)
    c = f(*x, *b, 1)
    d = x.a.b(1).c(2)[3].d
    e = f(i for i in x)
    g = (
        x
        .long()
        .chain( a,
                b=2 )
    )
    return f()(x)()


def comprehensions(xs: List[int], d: Dict[str, int]):
    a = [i for i in xs]
    b = [(i, j * 2) for i, j in zip(xs, xs)]
    c = {k: v + 1 for k, v in d.items()}
    e = sum(i for i in xs)
    return [[j for j in i] for i in [xs]]


def statements(x, ys):
    a = b = c = x
    d: List[int] = []
    (e, f), *g = ys
    [h, i] = ys
    a.attr = 1
    a += 1; b -= 2
    a *= 1
    a /= 1
    a %= 1
    a |= 1
    a &= 1
    a ^= 1
    a <<= 1
    a >>= 1
    a **= 2
    del a, b[0]
    assert x, "message"
    assert x
    with torch.no_grad():
        pass
    with torch.no_grad() as y, helper(x) as z:
        x = y
    for i in range(10):
        if i == 3:
            break
        elif i == 4:
            continue
        elif i == 5:
            pass
        else:
            x += 1
    for j, (k, l) in enumerate(ys): x = k
    while True: x = x - 1
    if x: return
    raise ValueError


def annotations(
    a: Tensor,
    b: Optional[Tuple[int, ...]],
    c: "List[str]" = "x",
    d: int | float | None = None,
    *,
    e: torch.nn.functional.Thing,
) -> Dict[str, List[torch.Tensor]]:
    return {}


def split_type_comment(a,  # type: Tensor
                       b,  # type: List[int]
                       c=None,  # type: Optional[Tensor]
                       ):
    # type: (...) -> Tensor
    return a  # type: ignore


@keep
@keep_with(1, 2)
def decorated(x):
    # type: (int) -> int
    """After the type comment."""

    # a comment
    return (x +  # another
            1)


def one_line(x): return x


def continued(x, \
              y):
    z = x + \
        y
    return z
