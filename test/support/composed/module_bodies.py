"""Statements of composed programs that are modules, parted by `===`."""

OF_MODULES = """
t = self.layers[0](t)
===
t = self.layers[n](t)
===
for layer@ in self.layers:
    t = layer@(t)
===
for i@, layer@ in enumerate(self.layers):
    if i@ == 1:
        continue
    t = layer@(t) * i@
===
for name@, layer@ in self.table.items():
    if name@ == "b":
        continue
    t = layer@(t)
    log.append(name@)
===
for layer@ in self.layers[1:]:
    t = layer@.forward(t)
===
for a@, b@ in zip(self.layers, self.table.values()):
    t = b@(a@(t))
===
t = self.table["a"](t)
acc += int("a" in self.table) + len(self.table) + len(self.layers)
===
t = self.table[s](t)
===
self.k += 1
acc += self.k
===
self.buf += 1
t = t + self.buf
===
self.numbers.append(n)
self.numbers[0] += 2
acc += len(self.numbers) + self.numbers[0]
===
self.notes["q"] += n
self.notes[s] = 1
del self.notes["q"]
acc += len(self.notes)
self.notes["q"] = 3
===
acc += self.helper(n) + self.named(n) + self.over_base(2)
===
acc += super().helper(n)
===
acc += super().named(n)
===
t = super(Whole, self).stretch(t)
===
t = self.stretch(t, by=0.5)
===
acc += self.exported(n, by=3) + self.exported(1, 4)
===
acc += self.prop
self.prop = n
acc += self.k
===
acc += self.static(n)
===
acc += self.cls(n)
===
if n > 100:
    acc += self.unused_method(n)
===
acc += self.ignored_method(n)
===
if self.opt is not None:
    t = self.opt(t)
===
if self.cached is None:
    self.cached = t
===
if self.cached is not None:
    t = t + self.cached
===
c@ = self.cached
if c@ is not None:
    t = t + c@
else:
    self.cached = t * 2
===
acc += self.const + self.sizes[1] + len(self.label)
for z@ in self.sizes:
    acc += z@
===
self.const = 3
===
if hasattr(self, "k") and not hasattr(self, "missing"):
    acc += getattr(self, "k")
===
acc += getattr(self, "missing", 3)
===
t = self.step(t)
===
t = self.step.forward(self.seq(t))
===
fu@ = torch.jit.fork(self.seq, t)
t = torch.jit.wait(fu@)
===
fu@ = torch.jit.fork(self.static, n)
acc += torch.jit.wait(fu@)
===
if self.training:
    acc += 1
===
for p@ in self.plist:
    t = t + p@
t = t * self.plist[1]
===
if self.mode == Mode.B:
    self.mode = Mode.A
    acc += self.mode.value
===
a@, b@ = self.pair
acc += a@ + self.pair.b
===
t = self.fn(t) * self.w
===
t = self.missing(t)
===
acc += len([m@ for m@ in self.layers])
===
ts@ = [layer@(t) for layer@ in self.layers]
t = ts@[-1]
===
with torch.no_grad():
    for layer@ in self.seq:
        t = layer@(t)
===
t = torch.nn.functional.relu(t) + nn.functional.linear(t, torch.ones(3, 3))
===
acc += type(self).const
===
acc += sum([p@.numel() for p@ in self.plist])
===
for name@, buffer@ in self.named_buffers():
    t = t + buffer@
    log.append(name@)
===
for name@, child@ in self.named_children():
    log.append(name@)
===
assert isinstance(self.label, str), self.label
assert self.k > 0, f"k is {self.k}"
""".strip().split("\n===\n")
