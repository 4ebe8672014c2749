"""What the SIMT interpreter knows of copies that a thread begins and waits for later, and of loads of small matrices: what they do, and what
is wrong with programs that do not wait.
"""

from __future__ import annotations

import struct

import numpy as np
import pytest
from numpy.typing import NDArray

from support.simt.faults import Fault
from support.simt.launching import launch
from support.simt.memory import Memory
from support.simt.module import load

KERNEL = """.version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .u64 x, .param .u64 y)
{{
	.reg .pred %p<4>;
	.reg .b32 %r<16>;
	.reg .b64 %rd<16>;
	.shared .align 16 .b8 buffer[1024];
	ld.param.u64 %rd1, [x];
	ld.param.u64 %rd2, [y];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd5, %r1, 16;
	add.s64 %rd3, %rd1, %rd5;
	add.s64 %rd4, %rd2, %rd5;
	mov.u64 %rd6, buffer;
	add.s64 %rd7, %rd6, %rd5;
	xor.b32 %r2, %r1, 1;
	mul.wide.u32 %rd8, %r2, 16;
	add.s64 %rd9, %rd6, %rd8;
	mov.b32 %r3, 16;
{body}
	st.global.v4.b32 [%rd4], {{%r4, %r5, %r6, %r7}};
	ret;
}}
"""
COPY = "cp.async.cg.shared.global [%rd7], [%rd3], 16, %r3;"
COMMIT, WAIT = "cp.async.commit_group;", "cp.async.wait_group 0;"
BARRIER = "bar.sync 0;"
MINE, OTHERS = (f"ld.shared.v4.b32 {{%r4, %r5, %r6, %r7}}, [{place}];" for place in ("%rd7", "%rd9"))  # fmt: skip
VALUES = np.arange(32 * 8, dtype=np.uint16).reshape(32, 8)


def run(*lines: str, values: NDArray[np.uint16] = VALUES) -> NDArray[np.uint16]:
    """What 32 threads leave in 16 bytes each."""
    memory = Memory(1 << 16)
    module = load(KERNEL.format(body="\n".join(f"\t{line}" for line in lines)), memory)
    source, target = memory.allocate(values.nbytes), memory.allocate(512)
    memory.write(source, values.tobytes())
    parameters = struct.pack("<QQ", source, target)
    launch(module, "k", (1, 1, 1), (32, 1, 1), parameters, memory)
    return np.frombuffer(memory.read(target, 512), np.uint16).reshape(32, 8)


def test_a_copy_is_there_when_it_was_waited_for() -> None:
    np.testing.assert_array_equal(run(COPY, COMMIT, WAIT, MINE), VALUES)
    found = run(COPY, COMMIT, WAIT, BARRIER, OTHERS)
    np.testing.assert_array_equal(found, VALUES[np.arange(32) ^ 1])


def test_what_is_not_read_is_zero_and_belongs_to_nobody() -> None:
    """Of the last thread, which has no bytes, nothing is looked at."""
    fewer = ["setp.eq.s32 %p1, %r1, 31;", "selp.b32 %r3, 0, 6, %p1;"]
    found = run(*fewer, COPY, COMMIT, WAIT, MINE, values=VALUES[:31])
    expected = np.where(np.arange(8) < 3, VALUES, 0)
    expected[31] = 0
    np.testing.assert_array_equal(found, expected)


def test_the_last_groups_may_be_on_their_way() -> None:
    again = "cp.async.cg.shared.global [%rd7+512], [%rd3], 16;"
    some = "cp.async.wait_group 1;"
    np.testing.assert_array_equal(run(COPY, COMMIT, again, COMMIT, some, MINE), VALUES)
    later = "ld.shared.v4.b32 {%r4, %r5, %r6, %r7}, [%rd7+512];"
    with pytest.raises(Fault, match="nobody has waited for what is copied there"):
        run(COPY, COMMIT, again, COMMIT, some, later)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ((COPY, COMMIT, MINE), "nobody has waited"),
        ((COPY, WAIT, MINE), "nobody has waited"),
        ((COPY, COMMIT, WAIT, OTHERS), "data race"),
        ((COPY, COMMIT, BARRIER, WAIT, OTHERS), "data race"),
        (("st.shared.b32 [%rd9], %r1;", COPY, COMMIT, WAIT, MINE), "data race"),
        ((COPY.replace("%rd3]", "%rd3+4]"), COMMIT, WAIT, MINE), "not aligned to 16 bytes"),
        ((COPY.replace("%rd3]", "%rd3+512]"), COMMIT, WAIT, MINE), "out of bounds of global"),
        ((COPY.replace("%rd7]", "%rd7+1024]"), COMMIT, WAIT, MINE), "out of bounds of shared"),
        (("mov.b32 %r3, 17;", COPY, COMMIT, WAIT, MINE), "reads more than it copies"),
        ((COPY.replace("16, %r3", "8"), COMMIT, WAIT, MINE), "are of 16 bytes"),
        ((COPY.replace(".cg", ".ca"), COMMIT, WAIT, MINE), "is not known"),
    ],
)  # fmt: skip
def test_what_is_wrong(lines: tuple[str, ...], message: str) -> None:
    with pytest.raises(Fault, match=message):
        run(*lines)


MATRICES = "ldmatrix.sync.aligned.m8n8.x4{way}.shared.b16 {{%r4, %r5, %r6, %r7}}, [%rd7];"


def test_small_matrices_are_loaded_as_the_manual_says() -> None:
    """Eight threads give the lines of a matrix; a thread has two elements of a line, or one of each of two lines (PTX ISA, 9.7.14.5.15)."""
    matrices = VALUES.reshape(4, 8, 8)
    for way, turn in (("", False), (".trans", True)):
        found = run(COPY, COMMIT, WAIT, BARRIER, MATRICES.format(way=way)).reshape(32, 4, 2)
        for lane in range(32):
            group, member = divmod(lane, 4)
            for number, matrix in enumerate(matrices):
                pair = (matrix.T if turn else matrix)[group, 2 * member : 2 * member + 2]
                np.testing.assert_array_equal(found[lane, number], pair)


def test_all_threads_of_a_warp_load_small_matrices() -> None:
    some = ["setp.lt.s32 %p1, %r1, 16;", "@%p1 bra $end;"]
    with pytest.raises(Fault, match="divergent: not all threads of a warp"):
        run(COPY, COMMIT, WAIT, BARRIER, *some, MATRICES.format(way=""), "$end:")
