"""How families declare derivatives."""

from __future__ import annotations

from torchscript_dialect.ops import registry


def derivative(names: str, **formulas: str) -> None:
    """Attach formulas by input to operators of `aten`: `derivative("mul.Tensor", self="grad * other", other="grad * self")`.

    A name of several inputs stands for formulas that give them together: `self__other="f(...)"`.

    Raises:
        KeyError: the table has no such operator.
    """
    lines = [f"{inputs.replace('__', ', ')}: {formula}" for inputs, formula in formulas.items()]
    for name in names.split():
        qualified_name = name if "::" in name else f"aten::{name}"
        registry.attach(qualified_name, grad="\n".join(lines))


def parts(
    names: str, parameters: str, body: str, result: str = "Tensor", *, checked: bool = False
) -> None:
    """Declare operators of `aten` that go backwards through what they are made of: the lines of a function with these parameters.
    `checked` says that the parts take what the operator refuses, so that its kernel has to run, too.
    """
    lines = "\n    ".join(line.removeprefix("    ") for line in body.strip().splitlines())
    for name in names.split():
        function = "checked_parts" if checked else "parts"
        text = f"def {function}({parameters}) -> {result}:\n    {lines}\n"
        registry.attach(f"aten::{name}", grad=text)


def not_differentiable(names: str) -> None:
    """Declare operators of `aten` whose results no gradient goes through."""
    for name in names.split():
        registry.declare(name, grad="result: not_differentiable")
