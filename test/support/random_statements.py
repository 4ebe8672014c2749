"""Random programs: functions of statements, nested and with early exits, around the expressions of random_expressions.

Every function has a list `log`, and an append to it follows every compound statement, so that the result shows the way that was taken.
"""

from support.random_expressions import PRELUDE, REFINED, TYPES, Expressions

RESULT = ["int", "float", "bool", "str", "ints", "rows", "dict", "groups", "maybe", "nest"]
RESULT += ["trail", "tensor", "reals", "total"]
OF_HELPERS = [
    "int",
    "float",
    "bool",
    "str",
    "ints",
    "rows",
    "dict",
    "pair",
    "maybe",
    "word",
    "trail",
]
"""Helpers return these kinds: they cannot make tensors, as there is no `torch` in Python."""
SHARED = ["ints", "strs", "rows", "dict", "table", "groups", "tensor", "reals"]
"""Kinds whose values can be written to, through any of their names."""


class Program(Expressions):
    """Makes the text of one program."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.lines: list[str] = []
        self.fixed: set[str] = set()
        """Variables that may not be assigned to: counters of loops, and those with a refined type."""
        self.result: list[str] = []
        self.budget = 0
        self.born: dict[str, int] = {}
        """The number of loops around the declaration of a variable."""
        self.loops = 0
        """The number of loops around what is made now."""
        self.places = 0
        """How many appends to the log there are."""

    @property
    def text(self) -> str:
        return PRELUDE + "\n".join(self.lines) + "\n"

    def write(self) -> str:
        r = self.random
        for number in range(r.randint(0, 3)):
            kinds = [*r.choices([*TYPES], k=r.randint(1, 3)), "tensor", "reals"]
            result = r.choice(OF_HELPERS)
            self.function(f"helper{number}", kinds, [result], r.randint(2, 7))
            self.functions.append((f"helper{number}", kinds, result))
        self.function("main", [*TYPES], RESULT, r.randint(5, 22))
        return self.text

    def function(self, name: str, kinds: list[str], result: list[str], budget: int) -> None:
        self.scope = {f"p{i}": kind for i, kind in enumerate(kinds)}
        self.born = dict.fromkeys(self.scope, 0)
        self.fixed, self.result, self.budget = set(), result, budget
        types = [TYPES[kind] for kind in result]
        if name == "main":
            types.append("List[int]")
        returned = types[0] if len(types) == 1 else f"Tuple[{', '.join(types)}]"
        given = ["log: List[int]", *(f"{each}: {TYPES[kind]}" for each, kind in self.scope.items())]
        self.lines.append(f"def {name}({', '.join(given)}) -> {returned}:")
        while self.budget > 0:
            self.statement(1, False)
        self.leave(1)
        self.lines.append("")

    def put(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def mark(self, depth: int) -> None:
        """Says in the log that a run came by. And PyTorch's interpreter runs a loop before this where it stands, and not as an
        operand of what follows: see READ_BY_A_LOOP_TOO in support/pytorch_mistakes.py."""
        self.places += 1
        self.put(depth, f"log.append({self.places})")

    def leave(self, depth: int) -> None:
        values = [self.returned(kind) for kind in self.result]
        if len(values) > 1:
            values = [f"({', '.join([*values, 'log'])})"]
        self.put(depth, f"return {values[0]}")

    def returned(self, kind: str) -> str:
        """Often a variable: what became of it shows, and callers get a container that has other names."""
        names = self.variables(kind)
        return (
            self.random.choice(names) if names and self.random.random() < 0.5 else self.stored(kind)
        )

    def block(self, depth: int, in_loop: bool, **known: str) -> None:
        """Statements whose new variables are theirs; `known` are variables that hold only here."""
        saved = dict(self.scope)
        self.scope |= known
        for _ in range(self.random.randint(1, 3)):
            self.statement(depth, in_loop)
        self.scope = saved

    def loop(self, depth: int, **known: str) -> None:
        self.loops += 1
        self.block(depth, True, **known)
        self.loops -= 1

    def statement(self, depth: int, in_loop: bool) -> None:
        self.budget -= 1
        simple = [self.assign, self.assign, self.augment, self.change, self.change]
        simple += [self.unpack, self.alias]
        nested = [self.branch, self.for_loop, self.while_loop, self.refine, self.exit, self.exit]
        many = simple + nested if depth < 4 else simple
        self.random.choice(many)(depth, in_loop)

    # Assignments.

    def assign(self, depth: int, _: bool) -> None:
        """To a variable from outside of a loop only if nobody writes to its value: see CONSTANT_OF_A_LOOP and LOOP_WITHOUT_ROUNDS
        in support/pytorch_mistakes.py."""
        old = [
            each
            for each, kind in self.scope.items()
            if each not in self.fixed and kind not in REFINED
            if kind not in (*SHARED, "nest") or self.born.get(each) == self.loops
        ]
        if old and self.random.random() < 0.5:
            name = self.random.choice(old)
            self.put(depth, f"{name} = {self.stored(self.scope[name])}")
            return
        self.declare(depth, kind := self.random.choice([*TYPES]), self.stored(kind))

    def declare(self, depth: int, kind: str, value: str) -> None:
        name = self.name()
        self.put(depth, f"{name}: {TYPES[kind]} = {value}")
        self.scope[name], self.born[name] = kind, self.loops

    def alias(self, depth: int, _: bool) -> None:
        """Another name of a value that there is, or of what a function returns."""
        kind = self.random.choice(SHARED)
        values = self.variables(kind)
        values += [self.call(*each) for each in self.functions if each[2] == kind]
        if kind == "ints":
            values += [self.item("rows", "[0]"), *(f"{each}[1]" for each in self.variables("nest"))]
        if not values:
            return self.put(depth, "pass")
        self.declare(depth, kind, self.random.choice(values))

    def augment(self, depth: int, _: bool) -> None:
        r = self.random
        kind = r.choice(["int", "float", "str", "tensor", "reals"])
        names = [each for each in self.variables(kind) if each not in self.fixed]
        if not names:
            return self.put(depth, "pass")
        name = r.choice(names)
        if kind == "str":
            self.put(depth, f"{name} += {self.expression('str', 1)}")
            return self.put(depth, f"{name} = {name}[:10]")
        operand = self.expression("float" if kind in ("float", "reals") else "int", 1)
        operators = ["+=", "-=", "+=", "-=", "*="]
        operators += ["|=", "&=", "^=", ">>="] if kind == "int" else []
        operator = r.choice(operators)
        if operator in ("*=", ">>="):
            operand = str(r.choice([2, 3])) if kind in ("int", "tensor") else "0.5"
        self.put(depth, f"{name} {operator} {operand}")
        if kind in ("int", "tensor"):
            self.put(depth, f"{name}{'[:]' * (kind == 'tensor')} = {name} % 1009")
        elif kind == "float":
            self.put(depth, f"{name} = max(min({name}, 1000.0), -1000.0)")
        else:
            self.put(depth, f"{name}[:] = {name}.clip(-1000.0, 1000.0)")

    def unpack(self, depth: int, _: bool) -> None:
        a, b, c = self.name(), self.name(), self.name()
        if self.random.random() < 0.5:
            self.put(depth, f"{a}, {b} = {self.expression('pair', 2)}")
        else:
            self.put(depth, f"({a}, {b}), {c} = {self.expression('nest', 2)}")
            self.scope[c] = "ints"
        self.scope |= {a: "int", b: "str"}
        self.put(depth, f"{a} = {a} % 1009")

    # Writing to containers and tensors.

    def change(self, depth: int, _: bool) -> None:
        kind = self.random.choice(SHARED)
        names = self.variables(kind)
        if not names:
            return self.put(depth, "pass")
        name = self.random.choice(names)
        if kind in ("ints", "strs", "rows"):
            self.change_list(depth, name, kind)
        elif kind in ("dict", "groups"):
            self.change_dict(depth, name, kind)
        elif kind == "table":
            at = f"{name}[{self.expression('int', 1)} % 5]"
            self.put(depth, f"{at} = {self.stored('float')}")
        else:
            at = f"{name}[{self.expression('int', 1)} % 3]"
            item = self.stored("int") if kind == "tensor" else f"float({self.stored('int')})"
            small = self.modulo("int", self.expression("int", 1), 9)
            forms = [f"{at} = {item}", f"{at} = {item}", f"{name}[1:] = {item}", f"{at} += {small}"]
            self.put(depth, self.random.choice(forms))
            if kind == "tensor":
                self.put(depth, f"{name}[:] = {name} % 1009")

    def change_list(self, depth: int, name: str, kind: str) -> None:
        one = {"ints": "int", "strs": "str", "rows": "ints"}[kind]
        item, at = self.stored(one), f"{name}[{self.expression('int', 1)} % len({name})]"
        if one == "ints" and (names := self.variables("ints")) and self.random.random() < 0.5:
            item = self.random.choice(names)
        growing = [
            f"{name}.append({item})",
            f"{name}.insert(0, {item})",
            f"{name}.extend([{item}])",
        ]
        growing += [f"{name} += [{item}]"] if name not in self.fixed else []
        other = [f"{at} = {item}", f"{at} = {item}", f"{name}.pop()", f"{name}.reverse()"]
        other += [f"del {name}[0]", f"{name}.pop(0)"]
        if kind == "ints":
            other += [f"{at} += 1", f"{at} -= {self.modulo('int', self.expression('int', 1), 9)}"]
        if kind != "rows":
            other += [f"{name}.sort()"]
        else:
            growing = [f"{name}.append({item})"]
            if self.random.random() < 0.5:
                growing, other = other, [f"{name}[0].append({self.stored('int')})"]
                self.put(depth, f"if len({name}) > 0 and len({name}[0]) < 9:")
                return self.put(depth + 1, other[0])
        if self.random.random() < 0.5:
            self.put(depth, f"if len({name}) < 12:")
            return self.put(depth + 1, self.random.choice(growing))
        self.put(depth, f"if len({name}) > 1:")
        self.put(depth + 1, self.random.choice(other))

    def change_dict(self, depth: int, name: str, kind: str) -> None:
        key, one = self.key(), "int" if kind == "dict" else "ints"
        if self.random.random() < 0.5:
            return self.put(depth, f"{name}[{key}] = {self.stored(one)}")
        forms = [f"del {name}[{key}]", f"{name}.pop({key})"]
        forms += [f"{name}[{key}] = {self.stored(one)}"]
        if kind == "groups":
            forms += [f"{name}[{key}] = {name}[{key}][1:]"]
        else:
            forms += [f"{name}[{key}] += 1"]
        self.put(depth, f"if {key} in {name}:")
        self.put(depth + 1, self.random.choice(forms))

    # Control flow.

    def branch(self, depth: int, in_loop: bool) -> None:
        self.put(depth, f"if {self.expression('bool', 2)}:")
        self.block(depth + 1, in_loop)
        if self.random.random() < 0.3:
            self.put(depth, f"elif {self.expression('bool', 2)}:")
            self.block(depth + 1, in_loop)
        if self.random.random() < 0.6:
            self.put(depth, "else:")
            self.block(depth + 1, in_loop)
        self.mark(depth)

    def for_loop(self, depth: int, _: bool) -> None:
        """Over copies only: whether a loop sees what it appends is where the languages differ."""
        e, size = self.expression, self.random.randint(0, 4)
        a, b, c = self.name("i"), self.name("i"), self.name("i")
        numbers, words = f"{e('ints', 1)}[:3]", f"{e('strs', 1)}[:3]"
        heads: list[tuple[str, dict[str, str]]] = [
            (f"{a} in range({size})", {a: "int"}),
            (f"{a} in range({self.modulo('int', e('int', 1), 4)})", {a: "int"}),
            (f"{a} in range({size}, {size - 5}, -2)", {a: "int"}),
            (f"{a} in {numbers}", {a: "int"}),
            (f"{a} in {words}", {a: "str"}),
            (f"{a} in {e('rows', 1)}[:3]", {a: "ints"}),
            (f"{a}, {b} in enumerate({words})", {a: "int", b: "str"}),
            (f"{a}, {b} in zip({numbers}, {words})", {a: "int", b: "str"}),
            (
                f"{a}, ({b}, {c}) in enumerate(zip({words}, {numbers}))",
                {a: "int", b: "str", c: "int"},
            ),
            (f"{a} in {e('dict', 0)}.copy()", {a: "str"}),
            (f"{a}, {b} in list({e('dict', 0)}.items())", {a: "str", b: "int"}),
            (f"{a}, {b} in list({e('groups', 0)}.items())", {a: "str", b: "ints"}),
            (f"{a} in {e('str', 1)}[:3]", {a: "str"}),
        ]
        head, known = self.random.choice(heads)
        self.fixed |= known.keys()
        self.put(depth, f"for {head}:")
        self.loop(depth + 1, **known)
        self.mark(depth)

    def while_loop(self, depth: int, _: bool) -> None:
        name = self.name("w")
        self.fixed.add(name)
        self.put(depth, f"{name} = 0")
        test = f"{name} < {self.random.randint(0, 4)}"
        if self.random.random() < 0.2:
            self.put(depth, "while True:")
            self.put(depth + 1, f"if not {test}:")
            self.put(depth + 2, "break")
        else:
            more = f" and {self.expression('bool', 1)}" if self.random.random() < 0.5 else ""
            self.put(depth, f"while {test}{more}:")
        self.put(depth + 1, f"{name} += 1")
        self.loop(depth + 1, **{name: "int"})
        self.scope[name] = "int"
        self.mark(depth)

    def refine(self, depth: int, in_loop: bool) -> None:
        """An Optional, and statements that know that it is not None."""
        kind = self.random.choice([*REFINED])
        name, refined = self.name("m"), REFINED[kind]
        self.fixed.add(name)
        self.put(depth, f"{name} = {self.expression(kind, 1)}")
        limit = self.random.randint(-3, 3) if refined == "int" else "'b'"
        form = self.random.randrange(6)
        if form == 4:
            self.put(depth, f"if {name} is None:")
            self.leave(depth + 1)  # `break` and `continue` refine nothing in PyTorch
        elif form == 5:
            self.put(depth, f"assert {name} is not None, 'on purpose'")
        if form >= 4:
            self.scope[name] = refined
            return self.mark(depth)
        heads = [f"{name} is not None", f"{name} is not None and {name} > {limit}"]
        if form < 2:
            self.put(depth, f"if {heads[form]}:")
        else:
            self.put(depth, f"if {name} is None{'' if form == 2 else f' or {name} < {limit}'}:")
            self.block(depth + 1, in_loop)
            self.put(depth, "else:")
        self.block(depth + 1, in_loop, **{name: refined})
        self.mark(depth)

    def exit(self, depth: int, in_loop: bool) -> None:
        """Leaves the loop, the round or the function under a condition; or an assertion, or an exception."""
        form = self.random.random()
        if form < 0.04:
            return self.put(depth, f"assert {self.expression('bool', 1)}, 'on purpose'")
        self.put(depth, f"if {self.expression('bool', 2)}:")
        if form < 0.06:
            self.put(depth + 1, "raise ValueError('on purpose')")
        else:
            self.exit_now(depth + 1, in_loop)
        self.mark(depth)

    def exit_now(self, depth: int, in_loop: bool) -> None:
        if in_loop and self.random.random() < 0.7:
            self.put(depth, self.random.choice(["break", "continue"]))
        else:
            self.leave(depth)
