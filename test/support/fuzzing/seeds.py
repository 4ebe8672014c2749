"""What is spoiled: small programs that between them use every construct."""

SOURCES = (
    "def f(x):\n    y = torch.tanh(x * 2.5) + x.sum()\n    return y.view(-1)[0:2]\n",
    "def f(x, n: int):\n    for i in range(n):\n        if i % 2 == 0:\n            continue\n        x = x + i\n    return x\n",
    "def f(n: int) -> int:\n    k = 0\n    while k < 10:\n        k += n * n + 1\n        if k > 7:\n            break\n    return k\n",
    "def f(a: List[int], b: Dict[str, int]) -> Tuple[int, str]:\n    a.append(b['k'])\n    return len(a), 'x' + str(a[0])\n",
    "def f(x: Optional[int]) -> int:\n    if x is not None:\n        return x + 1\n    assert x is None, 'why'\n    return -1\n",
    "def f(s: str, n: int) -> str:\n    return s.upper() + str(n) + '{}!'.format(n) + s[1:] + s.strip()\n",
    "def g(x, k: float = 2.0):\n    return x * k\n\ndef f(x):\n    a, b = g(x), g(x, k=3.0)\n    return (a, b, [a, b], {'a': a})\n",
    "def f(x):\n    x.add_(1)\n    y = x[0]\n    y[...] = 3\n    return torch.cat([x, x], dim=0)\n",
    "def f(x: int):\n    if x > 3:\n        raise ValueError('too large')\n    return [i * x for i in range(x)]\n",
    "class P:\n    def __init__(self, a: int):\n        self.a = a\n\n    def get(self) -> int:\n        return self.a\n\ndef f(n: int) -> int:\n    p = P(n)\n    p.a += 1\n    return p.get()\n",
    "def f(x, w, b):\n    h = torch.relu(torch.mm(x, w) + b)\n    return torch.softmax(h, 1), h.mean(), h.chunk(2, 1)\n",
    "def f(n: int):\n    return torch.zeros([n, 2], dtype=torch.float64), torch.arange(n), float(n) ** 0.5, n // 3, n % 5, n << 1\n",
    "def f(x: Union[int, str], d: Dict[int, List[float]]):\n    if isinstance(x, int):\n        d[x] = [1.0, 2.0]\n    return d, max(1, 2), sorted([3, 1, 2]), 1 if 2 in d else 0\n",
    "def f(x):\n    fut = torch.jit.fork(torch.neg, x)\n    return torch.jit.wait(fut)\n",
    "def f(x: complex, y: float):\n    print(x, y)\n    return x * 1j + y, round(y), int(y), abs(-3), math.sqrt(y)\n",
    "def f(x: Tuple[int, Tuple[str, float]]):\n    a, (b, c) = x\n    del a\n    return x[0], x[1][0], b, c, x[-1]\n",
)

GRAPHS = (
    "graph(%x : Tensor, %y : Tensor):\n  %0 : int = prim::Constant[value=1]()\n  %c : Tensor = aten::add(%x, %y, %0)\n  %d : Tensor = aten::tanh(%c) # f.py:3:4\n  return (%d)\n",
    "graph(%n : int):\n  %t : bool = prim::Constant[value=1]()\n  %one : int = prim::Constant[value=1]()\n  %r : int = prim::Loop(%n, %t, %one)\n    block0(%i : int, %c : int):\n      %s : int = aten::add(%c, %i)\n      -> (%t, %s)\n  return (%r)\n",
    "graph(%x : Tensor, %b : bool):\n  %y : Tensor = prim::If(%b)\n    block0():\n      %p : Tensor = aten::relu(%x)\n      -> (%p)\n    block1():\n      %q : Tensor = aten::neg(%x)\n      -> (%q)\n  return (%y)\n",
    "graph(%x : int, %s : str):\n  %l : int[] = prim::ListConstruct(%x, %x)\n  %a : int, %b : int = prim::ListUnpack(%l)\n  %t : (int, str) = prim::TupleConstruct(%a, %s)\n  %u : int, %v : str = prim::TupleUnpack(%t)\n  %d : Dict(str, int) = prim::DictConstruct(%v, %u)\n  %0 : int = prim::Constant[value=0]()\n  %w : int = prim::TupleIndex(%t, %0)\n  return (%d, %w)\n",
    "graph(%x : Tensor):\n  %a : Tensor, %b : Tensor = prim::ConstantChunk[chunks=2, dim=0](%x)\n  %c : Tensor[] = prim::ListConstruct(%a, %b)\n  %0 : int = prim::Constant[value=0]()\n  %d : Tensor = aten::cat(%c, %0)\n  return (%d)\n",
    'graph(%x : Tensor):\n  %f : float = prim::Constant[value=1.5e-3]()\n  %n : NoneType = prim::Constant()\n  %s : str = prim::Constant[value="a\\nb"]()\n  %l : int[] = prim::Constant[value=[2, 2]]()\n  %k : Float(2) = prim::Constant[value=tensor<Float, [2], "0000803F00000040">]()\n   = prim::Print(%s, %f)\n  %y : Tensor = aten::view(%x, %l)\n  return (%y, %n)\n',
    "graph(%t : (int, int, str)):\n  %a : (int, int) = prim::TupleSlice[beg=0, end=2](%t)\n  %f : Future(int) = prim::fork(%a)\n    block0(%p : (int, int)):\n      %0 : int = prim::Constant[value=1]()\n      %q : int = prim::TupleIndex(%p, %0)\n      -> (%q)\n  %r : int = aten::wait(%f)\n  return (%r)\n",
    "graph(%x : Any, %y : int?):\n  %c : int = prim::unchecked_cast(%y)\n  %b : bool = prim::isinstance[types=[int, str]](%x)\n  %s : Tensor = prim::NumToTensor(%c)\n  %l : int[] = aten::size(%s)\n  %n : int = aten::len(%l)\n  %m : str = aten::str(%n)\n   = prim::RaiseException(%m)\n  return (%b)\n",
    "graph(%x : Float(2, 4, strides=[4, 1], requires_grad=0, device=cpu)):\n  %y : Tensor = prim::TensorExprGroup_0(%x)\n  return (%y)\nwith prim::TensorExprGroup_0 = graph(%x : Float(2, 4)):\n  %y : Float(2, 4) = aten::exp(%x)\n  return (%y)\n",
    "graph(%x : Tensor, %n : int):\n  %u : int = prim::Constant[value=9223372036854775807]()\n  %a : int = aten::add(%u, %n)\n  %b : int = aten::floordiv(%a, %n)\n  %d : int = prim::Constant[value=-1]()\n  %z : Tensor = aten::select(%x, %d, %b)\n  %w : Tensor = aten::slice(%x, %n, %n, %u, %n)\n  %v : Tensor = aten::mm(%z, %w)\n  return (%v)\n",
)

WORDS = (
    *"0 1 -1 2 3 7 63 64 9223372036854775807 9223372036854775808 -9223372036854775808 -9223372036854775809 1e400 1.5 -0.0 1e-45".split(),
    *"1j 0x10 0b11 1_000 0777 nan inf None True False self torch math x y f g Tensor int float str bool complex Any".split(),
    *"List[int] Dict[str,int] Optional[int] Tuple[()] int[] int? Future(int) Dict(str,int) (int,str) Float(2,3) Device".split(),
    *"aten::add aten::add_ aten::matmul aten::size aten::to aten::item prim::If prim::Loop prim::Constant prim::GetAttr".split(),
    *"prim::fork prim::TupleIndex prim::ListUnpack prim::ConstantChunk prim::CallFunction my::op aten::nothing".split(),
    *"torch.add torch.zeros torch.cat torch.view torch.float32 torch.nothing x.view x.t() x[0] x[None] x[:,1] x[...] super()".split(),
    *"if else elif for while break continue return raise assert lambda yield with del pass import global class def in is not and".split(),
    *"( ) [ ] { } : , . = == -> + - * / // % ** << @ & | ~ # ; ' \" \\ '''  %x %0 %nothing block0 block1 graph with".split(),
    *(
        '"a\\x4"',
        "'\\u12'",
        "'é\\0'",
        "'\ud800'",
        '"\\"',
        "[value=1]",
        "[beg=0]",
        "[types=[int]]",
        "\n",
        "\n    ",
        "\t",
        "\0",
        "💥",
    ),
)
"""What is put in the place of something else, or between two things."""
