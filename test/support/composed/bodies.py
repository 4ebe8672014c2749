"""Statements of composed programs, parted by `===`."""

BODIES = '''
acc += n
===
if (w@ := n - 1) > 0:
    acc += w@
===
if o is not None:
    acc += o
else:
    acc -= 1
===
assert o is None or o > -100, f"bad {n}"
acc += 2
===
if o is None:
    return acc, t, log
acc += o
===
acc += o if o is not None else 2
===
q@ = o
while q@ is not None and q@ < 3:
    q@ = q@ + 1
    acc += 1
===
acc += len([v@ * n for v@ in l if v@ > 1])
===
acc += len([v@ * n for v@ in l])
===
r@ = [a@ * b@ for a@, b@ in zip(l, range(3))]
acc += len(r@)
===
pairs@ = [(v@, str(v@)) for v@ in l]
if len(pairs@) > 0:
    acc += pairs@[0][0]
    log.append(pairs@[-1][1])
===
e@ = {k@: v@ + n for k@, v@ in d.items()}
acc += len(e@) + e@.get("a", 3)
===
e@ = {v@: [v@, n] for v@ in l}
for k@ in e@:
    acc += e@[k@][1]
===
log.append(s.upper().replace("A", "b").strip().center(8, "*"))
===
log.append(f"{n}:{s} {acc}")
===
log.append(f"{s!r}")
===
log.append(f"{n:03d}")
===
log.append("%d %s" % (n, s))
===
log.append("{} {}".format(n, s))
===
acc += l[-1] + len(l[::-1]) + len(s[::-1])
===
acc += len(l[:-1]) + len(l[1:n]) + len(s[-2:]) + len(s[::2])
===
for i@, (a@, b@) in enumerate(zip(l, s)):
    acc += i@ * a@
    log.append(b@)
===
for (i@, a@), b@ in zip(enumerate(l), range(10)):
    acc += i@ * a@ + b@
===
for i@, v@ in enumerate(l, 2):
    acc += i@ * v@
===
j@ = 0
while True:
    j@ += 1
    if j@ == 2:
        continue
    if j@ > 3:
        break
    acc += j@
===
for v@ in l:
    acc += v@
else:
    acc += 1
===
e@ = dict(d)
if "a" in e@:
    del e@["a"]
acc += len(e@)
===
l@ = list(l)
del l@[0]
acc += len(l@)
===
q@ = n + 1
acc += q@
del q@
===
q@ = n
del q@
acc += q@
===
l[0] += n
d["a"] += 1
acc += l[0] * d["a"]
===
t = t.clone()
t[0] *= 2
t[..., 1] -= n
===
t[t > 1] = 0
===
if 0 < n <= 3 < 10:
    acc += 3
===
for r@ in range(n, -1, -2):
    acc += r@
===
def inner@(a: int) -> int:
    return a + n
acc += inner@(2)
===
f@ = lambda a: a + 1
acc += f@(2)
===
print(n, s, o)
===
if n > 100:
    raise ValueError(f"n is {n}")
acc += 1
===
if n == 3:
    raise OddError("three " + s)
===
if n == 4:
    raise RuntimeError
===
if n == 2:
    raise NotImplementedError("two", n)
===
try:
    acc += 1
except ValueError:
    acc += 2
===
with torch.no_grad():
    t = t * 2
    acc += int(torch.is_grad_enabled())
===
with Region(n) as by@, Region(1):
    acc += by@
===
fu@ = torch.jit.fork(double, t)
t = torch.jit.wait(fu@)
===
fs@ = [torch.jit.fork(double, t) for _ in range(2)]
for f@ in fs@:
    t = t + f@.wait()
===
if torch.jit.is_scripting():
    acc += 1
else:
    acc += len(python_only(n))
===
if not torch.jit.is_scripting():
    return python_only(n)
===
if torch.jit.is_tracing():
    acc += 50
===
e@ = torch.jit.annotate(List[Optional[int]], [])
e@.append(o)
e@.append(n)
for v@ in e@:
    if v@ is None:
        continue
    acc += v@
===
a@: Any = n
if isinstance(a@, int):
    acc += a@
===
a@: Any = l
if torch.jit.isinstance(a@, List[int]):
    acc += len(a@)
elif torch.jit.isinstance(a@, Dict[str, int]):
    acc -= 1
===
u@: Union[int, str] = n
if n > 1:
    u@ = s
if isinstance(u@, str):
    log.append(u@)
else:
    acc += u@
===
p@ = Pair(n)
acc += p@.a + p@.b
===
p@ = Pair(a=n, b=2)
a@, b@ = p@
acc += a@ * b@ + p@[1]
===
c@ = [Cell(t, s) for _ in range(2)]
t = c@[1].value + 1
log.append(c@[0].tag)
===
m@ = Mode.A if n > 1 else Mode.B
if m@ == Mode.A:
    acc += m@.value
elif m@ is Mode.B:
    acc += 10
log.append(m@.name)
===
for m@ in Mode:
    acc += m@.value
===
c@ = Counter(n)
acc += c@.bump(2) + c@.bump() + c@.count
===
c@ = Counter(n)
c@.bump(3)
acc += len(c@) + c@[1] + c@(3) + (c@ + 2)
if 3 in c@:
    acc += 1
c@[2] = 5
acc += c@.twice + Counter.start(2)
===
acc += int(Counter(n) == Counter(2)) + int(Counter(1) < Counter(n))
===
c@ = [Counter(v@) for v@ in l]
c@[0].count += 2
acc += c@[0].count
===
sp@ = Span(n)
sp@.end += 1
acc += sp@.length()
===
acc += over(n)
log.append(over(s))
===
acc += len([over(v@) for v@ in l]) + over(over(n))
===
acc += over(1.5)
===
acc += add3(*(n, 1, 2)) + add3(n, b=2) + add3(c=1, a=2, b=n)
===
acc += add3(*l)
===
acc += add3(*halves(n))
===
acc += keyed(n, b=2)
===
acc += keyed_default(n)
===
acc += maybe(o) + maybe(None, default=n)
===
a@, b@ = halves(n)
a@, b@ = b@, a@
acc += a@ - b@
===
a@, *b@ = halves(n)
acc += a@
===
(a@, b@), c@ = halves(n), s
acc += a@ * b@
log.append(c@)
===
a@ = b@ = n
acc += a@ + b@
===
acc += LIMIT + int(SCALE * n)
log.append(LABEL)
===
acc += NUMBERS[0]
===
t = traced(t)
===
acc += ignored(n)
===
if n > 100:
    acc += unused(n)
===
acc += unused(n)
===
z@: int | None = o
acc += z@ if z@ is not None else 1
===
e@: list[dict[str, tuple[int, int]]] = [{s: (n, 1)}]
for f@ in e@:
    for k@, (a@, b@) in f@.items():
        acc += a@ + b@
        log.append(k@)
===
"""A string in the middle."""
pass
===
a@, b@ = t.shape[0], t.size(1)
for z@ in t.shape:
    acc += z@ * a@ - b@
===
acc += min(l) + max(n, 2) + sum(l) + abs(-n)
===
acc += sorted(l)[0] + divmod(n + 3, 2)[0] + int(round(2.5)) + ord("a")
===
log.append(chr(97 + n) + hex(n) + bin(n) + oct(n))
===
acc += int(all([v@ > 0 for v@ in l])) + int(any([v@ > 2 for v@ in l]))
===
for v@ in reversed(l):
    acc = acc * 2 + v@
===
for ch@ in s:
    log.append(ch@ + "!")
===
for row@ in t:
    acc += int(row@.sum())
===
m@ = [[v@, n] for v@ in l]
acc += m@[-1][0] + len(m@)
===
m@ = [[a@ * b@ for a@ in l] for b@ in l]
acc += m@[0][-1]
===
e@: Dict[str, List[int]] = {}
for v@ in l:
    if s not in e@:
        e@[s] = []
    e@[s].append(v@)
acc += len(e@[s])
===
p@: Optional[Tuple[int, str]] = None
if n > 1:
    p@ = (n, s)
if p@ is not None:
    a@, b@ = p@
    acc += a@
    log.append(b@)
===
if o is not None and o > 1:
    acc += o
elif o is None or n > 2:
    acc += 3
===
if not (o is None):
    acc += o
===
ok@ = o is not None
if ok@:
    acc += o
===
if o:
    acc += o
===
acc += (o or 3)
===
acc += int(t.sum()) + int(bool((t > 0).any())) + int(t[0, 0].item())
===
if t.sum() > 0:
    acc += 1
===
acc += len([0] * n + l) + int(l == [1, 2, 3])
===
l@ = l.copy()
l@.sort(reverse=True)
l@.insert(0, n)
l@.extend([1, 2])
l@.reverse()
acc += l@.pop() + l@.index(1) + l@.count(2) + l@[0]
===
acc += len(list(range(n))) + list(range(3))[1] + len(list(s)) + len(tuple(halves(n)))
===
e@ = d.copy()
e@.update({"z": n})
acc += e@.setdefault("y", 3) + e@.pop("z") + sum(list(e@.values()))
log.append(sorted(list(e@.keys()))[0])
===
acc += int(math.sqrt(n + 1.0) * math.pi) + int(math.floor(2.7)) + math.gcd(n, 6)
===
acc += (n << 1 | 3 & ~n ^ 2) + n // 2 % 3 - -n ** 2
===
acc += int(n / 2) + int(2 ** n) + 7 % -3 + -7 // 2
===
acc += int(s < "b") + int(s in "abc") + len(s * 2 + "z") + s.find("b") + int(s.isdigit())
log.append(",".join(log) + s[0] + s[-1])
log.extend(s.split("b"))
===
t = t.to(torch.float64)
t = t + torch.zeros(3, dtype=t.dtype, device=t.device)
===
acc += 5 if n > 2 else (o if o is not None else 7)
===
if (1, 2) == halves(n):
    acc += 9
===
t = torch.mm(t, t.t()).clamp(-1, 1).mm(t)
t = t[None][0, :, :]
t[..., 0] = t[:, n % 2]
===
y@: "Tensor" = t
t = y@ + 1
===
t += 1
t = t.add_(n).mul(2)
===
a@ = [1, 2.0]
===
a@ = n
a@ = s
===
if n > 1:
    b@ = 1
acc += b@
===
if n > 1:
    b@ = 1
else:
    b@ = s
===
c@ = [None, n]
acc += len(c@)
===
c@ = []
c@.append(t)
t = torch.stack(c@).sum(0)
===
c@ = {}
c@["a"] = t
===
acc += {"a": 1, "b": n}["b"] + [1, 2, n][-1] + (1, n)[1]
===
acc += factorial(n)
===
acc += int(isinstance(n, int)) + int(isinstance(t, Tensor)) + int(isinstance(l, list)) + int(isinstance(o, (int, str)))
===
global LIMIT
acc += 1
===
import math
acc += 1
===
acc += len(f"{LABEL}-{n}") + len(s.format(n))
===
log += [s]
log = log + [str(n), str(1.5), str(True), str(None)]
===
return acc + 1, t, log
===
acc = acc if acc > 2 else n
acc -= 1
acc *= 2
acc //= 3
acc %= 50
===
e@ = [(1, "a"), (n, s)]
for i@, (a@, b@) in enumerate(e@):
    acc += a@ + i@
    log.append(b@)
===
e@ = [(v@, w@) for v@ in l for w@ in l]
===
e@ = {v@ for v@ in l}
===
acc += sum(v@ for v@ in l)
===
acc += len({**d, "k": 1})
===
acc += [*l, n][0]
===
h@ = torch.jit.annotate(Optional[Tensor], None)
if h@ is None:
    h@ = t
t = h@ + 1
===
h@: Optional[Tensor] = None
for v@ in l:
    h@ = t * v@ if h@ is None else h@ + v@
if h@ is not None:
    t = h@
===
acc += int(t is x) + int(t is not None) + int(s == s)
'''.strip().split("\n===\n")
