"""Kernels written as LLVM IR text, compiled once for the tests of the native runtime."""

from collections.abc import Iterator

import numpy as np
import pytest

from torchscript_dialect.runtime import settings
from torchscript_dialect.runtime.native.compile import compile_blob
from torchscript_dialect.runtime.native.entry import NativeCallable, configure
from torchscript_dialect.runtime.native.loader import LoadedCode, load_blob
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.tracked import TrackedTensor
from unit.runtime.native_support import ADD, slow


def loop(body: str) -> str:
    """Runs `body`, which may use %i and the buffers %p0, %p1, %p2, for each index of the chunk."""
    return f"""
entry:
  %p0 = load ptr, ptr %buffers
  %at1 = getelementptr ptr, ptr %buffers, i64 1
  %p1 = load ptr, ptr %at1
  %at2 = getelementptr ptr, ptr %buffers, i64 2
  %p2 = load ptr, ptr %at2
  br label %head
head:
  %i = phi i64 [ %begin, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %end
  br i1 %more, label %body, label %out
body:
  {body}
  %next = add i64 %i, 1
  br label %head
out:
  ret void
"""


SYMBOLS = "".join(
    f"""
; out[i] = syms[i], int64, after {tensors} tensor inputs
define void @symbols{tensors}(ptr %buffers, ptr %syms, i64 %begin, i64 %end) {{
{
        loop(f'''
  %a = getelementptr i64, ptr %syms, i64 %i
  %c = getelementptr i64, ptr %p{tensors}, i64 %i
  %x = load i64, ptr %a
  store i64 %x, ptr %c
''')
    }
}}
"""
    for tensors in range(3)
)

KERNELS = f"""
; out = a + b, float32
define void @add(ptr %buffers, ptr %syms, i64 %begin, i64 %end) {{
{
    loop('''
  %a = getelementptr float, ptr %p0, i64 %i
  %b = getelementptr float, ptr %p1, i64 %i
  %c = getelementptr float, ptr %p2, i64 %i
  %x = load float, ptr %a
  %y = load float, ptr %b
  %z = fadd float %x, %y
  store float %z, ptr %c
''')
}
}}
; out = a[:, 0], int64, with the row's stride in syms[1]
define void @first_column(ptr %buffers, ptr %syms, i64 %begin, i64 %end) {{
{
    loop('''
  %stride_at = getelementptr i64, ptr %syms, i64 1
  %stride = load i64, ptr %stride_at
  %place = mul i64 %i, %stride
  %a = getelementptr i64, ptr %p0, i64 %place
  %c = getelementptr i64, ptr %p1, i64 %i
  %x = load i64, ptr %a
  store i64 %x, ptr %c
''')
}
}}
{SYMBOLS}
define void @nothing(ptr %buffers, ptr %syms, i64 %begin, i64 %end) {{
  ret void
}}
; syms[1] = 2 * syms[0], for even syms[0]
define i1 @double_even(ptr %syms) {{
  %x = load i64, ptr %syms
  %at = getelementptr i64, ptr %syms, i64 1
  %y = mul i64 %x, 2
  store i64 %y, ptr %at
  %bit = and i64 %x, 1
  %even = icmp eq i64 %bit, 0
  ret i1 %even
}}
; syms[1] = -1, or as large as no memory is
define i1 @negative(ptr %syms) {{
  %at = getelementptr i64, ptr %syms, i64 1
  store i64 -1, ptr %at
  ret i1 1
}}
define i1 @huge(ptr %syms) {{
  %at = getelementptr i64, ptr %syms, i64 1
  store i64 1152921504606846000, ptr %at
  ret i1 1
}}
; syms[1] = 8 * syms[0]: the bytes of so many int64
define i1 @int64_bytes(ptr %syms) {{
  %x = load i64, ptr %syms
  %at = getelementptr i64, ptr %syms, i64 1
  %y = mul i64 %x, 8
  store i64 %y, ptr %at
  ret i1 1
}}
; out = a + 1, int64, through scratch memory, which follows the output
define void @through_scratch(ptr %buffers, ptr %syms, i64 %begin, i64 %end) {{
{
    loop('''
  %a = getelementptr i64, ptr %p0, i64 %i
  %s = getelementptr i64, ptr %p2, i64 %i
  %c = getelementptr i64, ptr %p1, i64 %i
  %x = load i64, ptr %a
  store volatile i64 %x, ptr %s
  %y = load volatile i64, ptr %s
  %z = add i64 %y, 1
  store i64 %z, ptr %c
''')
}
}}
; out = [the address of the scratch memory, whether this thread has the GIL]
define void @observe(ptr %buffers, ptr %syms, i64 %begin, i64 %end) {{
  %at = getelementptr ptr, ptr %buffers, i64 1
  %out = load ptr, ptr %at
  %scratch_at = getelementptr ptr, ptr %buffers, i64 2
  %scratch = load ptr, ptr %scratch_at
  store ptr %scratch, ptr %out
  %held = call i32 @PyGILState_Check()
  %held64 = zext i32 %held to i64
  %second = getelementptr i64, ptr %out, i64 1
  store i64 %held64, ptr %second
  ret void
}}
declare i32 @PyGILState_Check()
; a[begin] = end, int64: where chunks begin and end
define void @note_chunk(ptr %buffers, ptr %syms, i64 %begin, i64 %end) {{
  %p = load ptr, ptr %buffers
  %a = getelementptr i64, ptr %p, i64 %begin
  store i64 %end, ptr %a
  ret void
}}
; a[i] += 1, int64, in a chunk of the pool
define void @increment(ptr %buffers, ptr %syms, i64 %begin, i64 %end) {{
entry:
  %p = load ptr, ptr %buffers
  br label %head
head:
  %i = phi i64 [ %begin, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %end
  br i1 %more, label %body, label %out
body:
  %a = getelementptr i64, ptr %p, i64 %i
  %x = load i64, ptr %a
  %y = add i64 %x, 1
  store i64 %y, ptr %a
  %next = add i64 %i, 1
  br label %head
out:
  ret void
}}
; Runs a job of the pool in each chunk: syms = [pool_run, increment, length]
define void @nested(ptr %buffers, ptr %syms, i64 %begin, i64 %end) {{
  %run = load ptr, ptr %syms
  %kernel_at = getelementptr ptr, ptr %syms, i64 1
  %kernel = load ptr, ptr %kernel_at
  %length_at = getelementptr i64, ptr %syms, i64 2
  %length = load i64, ptr %length_at
  %place = getelementptr ptr, ptr %buffers, i64 %begin
  call void %run(ptr %kernel, ptr %place, ptr null, i64 %length, i64 10, i1 zeroext 1)
  ret void
}}
"""


@pytest.fixture(scope="session", autouse=True)
def native_cache(tmp_path_factory: pytest.TempPathFactory):
    """Keeps the tests out of the user's cache."""
    with pytest.MonkeyPatch.context() as patch:
        directory = tmp_path_factory.mktemp("native") / "cache"
        patch.setenv("TORCHSCRIPT_DIALECT_CACHE", str(directory))
        yield directory


@pytest.fixture
def restored_settings() -> Iterator[None]:
    """For tests that change settings of the process."""
    before = settings.current()
    yield
    settings._change(before)


@pytest.fixture(scope="session")
def kernels() -> LoadedCode:
    """The kernels of this file, loaded."""
    return load_blob(compile_blob(KERNELS))


@pytest.fixture
def tensor_type() -> type[Tensor]:
    """A tensor class that the native entry is configured for."""
    configure(Tensor, TrackedTensor)
    return Tensor


@pytest.fixture
def add(tensor_type, kernels):
    function = NativeCallable(slow)
    function.add_specialization(ADD, kernels.address("add"))
    return function


@pytest.fixture
def operands(tensor_type):
    return [tensor_type(np.arange(12, dtype=np.float32).reshape(3, 4) + i) for i in range(2)]
