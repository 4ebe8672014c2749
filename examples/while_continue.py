"""A loop with an early `continue`, which the exit transform turns into a branch."""

from examples._torch import show


def f(i: int):
    while i < 5:
        if i == 3:
            i += 1
            continue
        i += 2
    return i


if __name__ == "__main__":
    show(f, 1)
