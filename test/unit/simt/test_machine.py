"""The SIMT interpreter that proves GPU kernels without a GPU: what it computes, and the faults that it finds."""

from __future__ import annotations

import struct
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from support.simt import arithmetic
from support.simt.faults import Fault
from support.simt.launching import launch
from support.simt.memory import BASE, Memory, OutOfMemory
from support.simt.module import load, parse, unload

HEADER = ".version 7.8\n.target sm_80\n.address_size 64\n"


def kernel(body: str, *, before: str = "") -> str:
    """A kernel `k(x, y)` of two addresses; %r1 is the thread of its block, %rd3 and %rd4 address its elements of 4 bytes."""
    return f"""{HEADER}{before}
.visible .entry k(
	.param .u64 .ptr .global .align 4 x,
	.param .u64 y
)
{{
	.reg .pred %p<4>;
	.reg .b16 %rs<8>;
	.reg .b32 %r<16>;
	.reg .b64 %rd<16>;
	.shared .align 4 .b8 buffer[256];
	ld.param.u64 %rd1, [x];
	ld.param.u64 %rd2, [y];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd5, %r1, 4;
	add.s64 %rd3, %rd1, %rd5;
	add.s64 %rd4, %rd2, %rd5;
	mov.u64 %rd6, buffer;
	add.s64 %rd7, %rd6, %rd5;
{body}
	ret;
}}
"""


def run(
    text: str,
    x: NDArray[Any],
    threads: int = 64,
    size: int | None = None,
    grid: int = 1,
    shared: int = 0,
) -> NDArray[Any]:
    """What a kernel leaves in y, which has the dtype of x."""
    memory = Memory(1 << 20)
    module = load(text, memory)
    source, target = memory.allocate(x.nbytes), memory.allocate(x.nbytes if size is None else size)
    memory.write(source, x.tobytes())
    memory.write(target, bytes(x.nbytes if size is None else size))
    launch(
        module,
        "k",
        (grid, 1, 1),
        (threads, 1, 1),
        struct.pack("<QQ", source, target),
        memory,
        shared,
        steps=10_000,
    )
    return np.frombuffer(memory.read(target, x.nbytes if size is None else size), x.dtype)


X = np.linspace(-3, 3, 64, dtype=np.float32)
LOAD, STORE = "\tld.global.b32 %r2, [%rd3];\n", "\n\tst.global.b32 [%rd4], %r3;"


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("add.rn.f32 %r3, %r2, 0f3F800000;", X + 1),
        ("mul.rn.f32 %r3, %r2, %r2;", X * X),
        ("div.rn.f32 %r3, %r2, 0f40400000;", X / np.float32(3)),
        ("abs.f32 %r3, %r2;", abs(X)),
        ("neg.f32 %r3, %r2;", -X),
        ("max.f32 %r3, %r2, 0f00000000;", np.maximum(X, 0)),
        ("max.NaN.f32 %r3, %r2, 0f7FC00000;", np.full(64, np.nan, np.float32)),
        ("min.f32 %r3, %r2, 0f7FC00000;", X),
        ("sqrt.rn.f32 %r3, %r2;", np.sqrt(X, where=X >= 0, out=np.full(64, np.nan, np.float32))),
        ("cvt.rmi.f32.f32 %r3, %r2;", np.floor(X)),
        ("cvt.rni.f32.f32 %r3, %r2;", np.rint(X)),
        ("cvt.sat.f32.f32 %r3, %r2;", X.clip(0, 1)),
        ("copysign.f32 %r3, %r2, 0f3F800000;", np.copysign(np.float32(1), X)),
        (
            "setp.lt.f32 %p1, %r2, 0f00000000; selp.f32 %r3, %r2, 0f3F800000, %p1;",
            np.where(X < 0, X, np.float32(1)),
        ),
        (
            "cvt.rn.f16.f32 %rs1, %r2; cvt.f32.f16 %r3, %rs1;",
            X.astype(np.float16).astype(np.float32),
        ),
        ("mov.b32 {%rs1, %rs2}, %r2; mov.b32 %r3, {%rs1, %rs2};", X),
        ("@%p1 bra $there; add.rn.f32 %r3, %r2, %r2;\n$there:", X + X),
    ],
)
def test_arithmetic_of_floats(instruction: str, expected: NDArray[np.float32]) -> None:
    np.testing.assert_array_equal(run(kernel(LOAD + instruction + STORE), X), expected)


INTEGERS = np.array([0, 1, -1, 7, -8, 2**31 - 1, -(2**31), 12345], np.int32)


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("add.s32 %r3, %r2, %r2;", [2 * v for v in INTEGERS.tolist()]),
        ("mad.lo.s32 %r3, %r2, %r2, 5;", [v * v + 5 for v in INTEGERS.tolist()]),
        ("mul.hi.s32 %r3, %r2, 65536;", [v >> 16 for v in INTEGERS.tolist()]),
        ("div.s32 %r3, %r2, -3;", [int(Fraction(v, -3)) for v in INTEGERS.tolist()]),
        ("rem.s32 %r3, %r2, 5;", [int(np.fmod(v, 5)) for v in INTEGERS.tolist()]),
        ("shr.s32 %r3, %r2, 40;", [-(v < 0) for v in INTEGERS.tolist()]),
        ("shr.u32 %r3, %r2, 4;", [(v & 0xFFFFFFFF) >> 4 for v in INTEGERS.tolist()]),
        ("shl.b32 %r3, %r2, 3;", [v << 3 for v in INTEGERS.tolist()]),
        ("not.b32 %r3, %r2;", [~v for v in INTEGERS.tolist()]),
        ("cvt.s64.s32 %rd8, %r2; shr.s64 %rd8, %rd8, 1; cvt.u32.u64 %r3, %rd8;", [v >> 1 for v in INTEGERS.tolist()]),
        ("cvt.u32.u8 %r3, %r2;", [v & 255 for v in INTEGERS.tolist()]),
        ("cvt.sat.s8.s32 %r3, %r2;", [max(-128, min(127, v)) for v in INTEGERS.tolist()]),
        ("bfe.u32 %r3, %r2, 4, 8;", [(v >> 4) & 255 for v in INTEGERS.tolist()]),
        ("bfe.s32 %r3, %r2, 4, 8;", [((v >> 4 & 255) ^ 128) - 128 for v in INTEGERS.tolist()]),
        ("popc.b32 %r3, %r2;", [(v & 0xFFFFFFFF).bit_count() for v in INTEGERS.tolist()]),
        ("clz.b32 %r3, %r2;", [32 - (v & 0xFFFFFFFF).bit_length() for v in INTEGERS.tolist()]),
        ("prmt.b32 %r3, %r2, 0, 0x0123;", [int.from_bytes((v & 0xFFFFFFFF).to_bytes(4, "big"), "little") for v in INTEGERS.tolist()]),
        ("cvt.rn.f32.s32 %r3, %r2; cvt.rzi.s32.f32 %r3, %r3;", [min(int(np.float32(v)), 2**31 - 1) for v in INTEGERS.tolist()]),
    ],
)  # fmt: skip
def test_arithmetic_of_integers(instruction: str, expected: list[int]) -> None:
    found = run(kernel(LOAD + instruction + STORE), INTEGERS, len(INTEGERS))
    np.testing.assert_array_equal(
        found, np.array([v & 0xFFFFFFFF for v in expected], np.uint32).view(np.int32)
    )


def test_a_product_and_sum_are_rounded_once() -> None:
    generator = np.random.default_rng(0)
    bits = generator.integers(0, 1 << 32, (3, 4000), np.uint32)
    a, b, c = bits.view(np.float32)
    with np.errstate(all="ignore"):
        found = arithmetic.fma(a, b, c)
        naive = (a.astype(np.float64) * b + c).astype(np.float32)
    wrong = 0
    for x, y, z, got, other in zip(a, b, c, found, naive, strict=True):
        if not np.isfinite([x, y, z]).all():
            continue
        exact = Fraction(float(x)) * Fraction(float(y)) + Fraction(float(z))
        around = np.nextafter(np.float32(other), np.array([-np.inf, np.inf], np.float32))
        candidates = [v for v in (*around, other, got) if np.isfinite(v)]
        if not np.isfinite(got):
            assert abs(exact) >= Fraction(2) ** 128 - Fraction(2) ** 103
            continue
        best = min(abs(Fraction(float(v)) - exact) for v in candidates)
        assert abs(Fraction(float(got)) - exact) == best
        wrong += got != other
    tie = np.array([1 + 2**-12], np.float32)
    # (1 + 2**-12)**2 is 1 + 2**-11 + 2**-24, in the middle between two numbers; a little less or more decides.
    for little, expected in ((-(2.0**-80), 1 + 2**-11), (2.0**-80, 1 + 2**-11 + 2**-23)):
        assert arithmetic.fma(tie, tie, np.array([little], np.float32))[0] == np.float32(expected)


def test_threads_of_a_block_reduce_through_shared_memory_and_shuffles() -> None:
    body = """
	ld.global.b32 %r2, [%rd3];
	shfl.sync.bfly.b32 %r4, %r2, 16, 31, -1;
	add.rn.f32 %r2, %r2, %r4;
	shfl.sync.bfly.b32 %r4, %r2, 8, 31, -1;
	add.rn.f32 %r2, %r2, %r4;
	shfl.sync.bfly.b32 %r4, %r2, 4, 31, -1;
	add.rn.f32 %r2, %r2, %r4;
	shfl.sync.bfly.b32 %r4, %r2, 2, 31, -1;
	add.rn.f32 %r2, %r2, %r4;
	shfl.sync.bfly.b32 %r4, %r2, 1, 31, -1;
	add.rn.f32 %r2, %r2, %r4;
	st.shared.b32 [%rd7], %r2;
	bar.sync 0;
	ld.shared.b32 %r5, [buffer];
	ld.shared.b32 %r6, [buffer+128];
	add.rn.f32 %r3, %r5, %r6;
	st.global.b32 [%rd4], %r3;"""
    found = run(kernel(body), np.arange(64, dtype=np.float32))
    np.testing.assert_array_equal(found, np.full(64, 2016, np.float32))


def test_threads_that_part_meet_again() -> None:
    """Each thread counts to its own number, then all pass one barrier."""
    body = """
	mov.u32 %r3, 0;
$loop:
	setp.ge.u32 %p1, %r3, %r1;
	@%p1 bra $done;
	add.s32 %r3, %r3, 1;
	bra $loop;
$done:
	bar.sync 0;
	st.global.b32 [%rd4], %r3;"""
    np.testing.assert_array_equal(run(kernel(body), np.zeros(64, np.int32)), np.arange(64))


def test_threads_go_on_at_places_of_a_table() -> None:
    body = """
	rem.u32 %r5, %r1, 3;
	mov.u32 %r3, 7;
	$table: .branchtargets
		$first,
		$second,
		$done;
	brx.idx %r5, $table;
$first:
	add.s32 %r3, %r3, 1;
$second:
	add.s32 %r3, %r3, 1;
$done:
	st.global.b32 [%rd4], %r3;"""
    found = run(kernel(body), np.zeros(64, np.int32))
    np.testing.assert_array_equal(found, np.array([9, 8, 7])[np.arange(64) % 3])
    with pytest.raises(Fault, match="there are 2 places to go on at"):
        run(kernel(body.replace("$second,\n\t\t$done", "$done")), np.zeros(64, np.int32))


def test_vectors_and_several_blocks() -> None:
    body = """
	mov.u32 %r9, %ctaid.x;
	mad.wide.u32 %rd8, %r9, 256, %rd3;
	mad.wide.u32 %rd9, %r9, 256, %rd4;
	mad.wide.u32 %rd8, %r1, 12, %rd8;
	mad.wide.u32 %rd9, %r1, 12, %rd9;
	ld.global.nc.v4.b32 {%r2, %r3, %r4, %r5}, [%rd8];
	st.global.v2.b32 [%rd9], {%r5, %r4};
	st.global.v2.b32 [%rd9+8], {%r3, %r2};"""
    x = np.arange(128, dtype=np.int32)
    np.testing.assert_array_equal(
        run(kernel(body), x, 16, grid=2), x.reshape(-1, 4)[:, ::-1].ravel()
    )


def test_atomic_additions_count_every_thread() -> None:
    found = run(
        kernel("\tatom.global.add.u32 %r3, [%rd2], 2;\n"), np.zeros(1, np.int32), 64, grid=5
    )
    assert found[0] == 640


def test_votes_and_reductions_of_a_warp() -> None:
    body = """
	setp.lt.u32 %p1, %r1, 5;
	vote.sync.ballot.b32 %r2, %p1, -1;
	redux.sync.add.s32 %r4, %r1, -1;
	add.s32 %r3, %r2, %r4;"""
    found = run(kernel(body + STORE), np.zeros(32, np.int32), 32)
    np.testing.assert_array_equal(found, np.full(32, 31 + 496))


def test_constants_of_a_module() -> None:
    before = ".const .align 4 .b32 table[2] = {0f3F800000, 0f40000000};\n"
    body = "\tmov.u64 %rd8, table;\n\tand.b32 %r2, %r1, 1;\n\tmad.wide.u32 %rd8, %r2, 4, %rd8;\n\tld.const.b32 %r3, [%rd8];"
    np.testing.assert_array_equal(
        run(kernel(body + STORE, before=before), X[:4], 4), np.array([1, 2, 1, 2], np.float32)
    )
    memory = Memory(1 << 16)
    module = load(kernel(body, before=before), memory)
    assert memory.allocations == 1
    unload(module, memory)
    assert memory.allocations == 0


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (
            "\tld.global.b32 %r2, [%rd3+4];",
            r"thread \(63, 0, 0\) of block \(0, 0, 0\) is out of bounds of global",
        ),
        ("\tst.global.b32 [%rd4+-4], %r2;", r"thread \(0, 0, 0\) .* is out of bounds of global"),
        ("\tld.shared.b32 %r2, [%rd7+4];", "is out of bounds of shared"),
        ("\tld.global.b32 %r2, [%rd3+2];", "is not aligned to 4 bytes"),
        ("\tld.global.v2.b32 {%r2, %r3}, [%rd3];", "is not aligned to 8 bytes"),
        ("\tst.global.b32 [%rd2], %r1;", "data race: .* the same global memory"),
        ("\tst.global.b32 [%rd4], %r1;\n\tld.global.b32 %r2, [%rd2];", "data race"),
        (
            "\tst.shared.b32 [%rd7], %r1;\n\tld.shared.b32 %r2, [buffer];",
            "data race: .* the same shared memory",
        ),
        ("\tld.shared.b32 %r2, [buffer];\n\tst.shared.b32 [%rd7], %r1;", "data race"),
        ("\tst.shared.b32 [buffer], %r1;", "data race"),
        (
            "\tsetp.lt.u32 %p1, %r1, 5;\n\t@%p1 bra $on;\n\tbar.sync 0;\n$on:",
            "divergent barrier: .* others have ended",
        ),
        (
            "\tsetp.lt.u32 %p1, %r1, 5;\n\t@%p1 bar.sync 0;\n\tbar.sync 0;",
            "divergent barrier: .* others wait elsewhere",
        ),
        (
            "\tsetp.lt.u32 %p1, %r1, 5;\n\t@%p1 shfl.sync.idx.b32 %r2, %r1, 0, 31, -1;",
            "divergent: .* waits for threads",
        ),
        (
            "\tsetp.lt.u32 %p1, %r1, 5;\n\t@%p1 shfl.sync.down.b32 %r2, %r1, 1, 31, 31;",
            "not in its own mask|reads from a thread",
        ),
        ("$again:\n\tbra $again;", "not at its end after 10000 instructions"),
        ("\tdiv.s32 %r2, %r1, %r1;", "an integer is divided by 0"),
        ("\tfrobnicate.b32 %r2, %r1;", "frobnicate is not known"),
        ("\tadd.rz.f32 %r2, %r1, %r1;", "does not round by rz"),
        ("\ttrap;", "traps"),
    ],
)
def test_faults_are_found(body: str, found: str) -> None:
    with pytest.raises(Fault, match=found):
        run(kernel(body), X)


def test_a_fault_names_kernel_line_and_instruction() -> None:
    with pytest.raises(
        Fault, match=r"^k, line \d+, `ld.global.b32 %r2, \[%rd3\+8\]`: thread \(62, "
    ):
        run(kernel("\tld.global.b32 %r2, [%rd3+8];"), X)
    text = kernel("\tld.global.b32 %r2, [%rd3+8];")
    line = next(i for i, one in enumerate(text.split("\n"), 1) if "+8" in one)
    assert next(i for i in parse(text).kernels["k"].instructions if "+8" in i.text).line == line


@pytest.mark.parametrize(
    "body",
    [
        "\tst.shared.b32 [%rd7], %r1;\n\tbar.sync 0;\n\tld.shared.b32 %r2, [buffer+128];",
        "\tld.shared.b32 %r2, [buffer];\n\tbar.sync 0;\n\tst.shared.b32 [%rd7], %r1;",
        "\tld.global.b32 %r2, [%rd1];",
        "\tatom.shared.add.u32 %r2, [buffer], 1;",
    ],
)
def test_what_barriers_order_is_no_race(body: str) -> None:
    run(kernel(body), X)


def test_a_warp_is_ordered_by_its_own_barrier() -> None:
    body = "\tst.shared.b32 [%rd7], %r1;\n{}\tld.shared.b32 %r2, [buffer];"
    with pytest.raises(Fault, match="data race"):
        run(kernel(body.format("")), X, 32)
    run(kernel(body.format("\tbar.warp.sync -1;\n")), X, 32)
    with pytest.raises(Fault, match="data race"):
        run(kernel(body.format("\tbar.warp.sync -1;\n")), X, 64)


def test_memory_is_handed_out_and_taken_back() -> None:
    memory = Memory(4096)
    first, second = memory.allocate(100), memory.allocate(1000)
    assert first == BASE
    assert second % 256 == 0
    with pytest.raises(OutOfMemory):
        memory.allocate(4096)
    memory.free(first)
    assert memory.allocate(10) == first
    assert memory.used == 1010
    for bad in (second + 4, BASE + 4000):
        with pytest.raises(Fault, match="nothing is allocated"):
            memory.free(bad)
    with pytest.raises(Fault, match="not allocated"):
        memory.read(second + 900, 200)


def test_shared_memory_given_at_launch() -> None:
    before = ".extern .shared .align 16 .b8 dynamic[];\n"
    body = "\tmov.u64 %rd8, dynamic;\n\tadd.s64 %rd8, %rd8, %rd5;\n\tst.shared.b32 [%rd8], %r1;\n\tld.shared.b32 %r3, [%rd8];"
    text = kernel(body + STORE, before=before)
    np.testing.assert_array_equal(run(text, np.zeros(64, np.int32), shared=256), np.arange(64))
    with pytest.raises(Fault, match="out of bounds of shared"):
        run(text, np.zeros(64, np.int32), shared=128)
