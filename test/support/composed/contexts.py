"""What stands around the statements of composed programs, with `BODY` where they are."""

CONTEXTS = '''
BODY
===
for i@ in range(n):
    BODY
===
for v@ in l:
    BODY
===
for k@, v@ in d.items():
    BODY
    acc += v@
===
for i@, v@ in enumerate(l):
    if v@ == 2:
        continue
    BODY
===
for a@, b@ in zip(l, range(3)):
    BODY
    if a@ + b@ > 3:
        break
===
j@ = 0
while j@ < n:
    BODY
    j@ += 1
===
j@ = 0
while True:
    j@ += 1
    if j@ > 2:
        break
    BODY
===
if n > 1:
    BODY
else:
    acc -= 1
===
if n > 1:
    acc -= 1
elif n > 0:
    BODY
else:
    log.append("none")
===
if o is not None:
    BODY
    acc += o
===
if n == 0:
    return acc, t, log
BODY
===
if n == 0:
    raise ValueError("nothing")
else:
    BODY
===
with torch.no_grad():
    BODY
===
with Region(n) as by@:
    acc += by@
    BODY
===
a@: Any = o
if isinstance(a@, int):
    BODY
    acc += a@
===
if torch.jit.is_scripting():
    BODY
===
if not torch.jit.is_scripting():
    BODY
else:
    acc += 1
===
for ch@ in s:
    if ch@ == "b":
        BODY
    log.append(ch@)
===
for i@ in range(n, 0, -1):
    BODY
    acc += i@
===
for row@ in t:
    BODY
    acc += row@.numel()
===
for i@ in range(2):
    for v@ in l:
        if v@ == 2:
            break
        BODY
===
with torch.autograd.profiler.record_function("part"):
    BODY
===
u@: Union[int, str] = n
if isinstance(u@, int):
    BODY
    acc += u@
===
assert n >= 0, "negative"
BODY
===
if len(l) == 0:
    BODY
elif l[0] == 1 and "a" in d:
    BODY
===
q@ = o
if q@ is None:
    q@ = n
BODY
acc += q@
===
"""Says what it does."""
BODY
'''.strip().split("\n===\n")

CONTEXTS_OF_MODULES = """
for layer@ in self.layers:
    t = layer@(t)
    BODY
===
for name@, layer@ in self.table.items():
    if name@ == "b":
        continue
    BODY
    log.append(name@)
===
if self.training:
    BODY
===
if hasattr(self, "k"):
    BODY
===
if self.mode == Mode.B:
    BODY
===
c@ = self.cached
if c@ is None:
    BODY
""".strip().split("\n===\n")
