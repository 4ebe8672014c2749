"""LLVM IR of a pool of worker threads that runs the chunks of one kernel at a time.

Note [The thread pool]
All state is one structure, a global of the module. `busy` is a try-lock: whoever finds it taken (a
nested call, another Python thread) runs its whole range itself. A job is published by storing its
parameters, then the ticket: the number of chunks in the high half, the next one in the low half. A
chunk is claimed by a compare-and-swap that adds one; the parameters are read after a successful
claim only. They cannot change then, because the owner waits until `done`, which counts finished
chunks, reaches their number. So a stale ticket is harmless: the swap fails, or it claims a chunk of
the present job.

A worker without work spins, then sleeps on the futex word `epoch`. Each job adds one to it after
storing the ticket, so a worker that read the old epoch is not put to sleep. It registers in
`sleepers` first, so that the owner, who reads it after the epoch, wakes it. The owner drains
tickets too, then spins for the chunks of others, then sleeps on `done`; `waiter` tells the workers
so. Orderings of these words are sequentially consistent.

Linux likes to wake a thread on the processor of the one that wakes it, above all in virtual machines, whose idle processors look
taken. There the worker would not run before the owner is interrupted, and the second processor would stay idle. So workers may
not run on the processor of the owner that woke them last (`owner`, a processor's number and one; 0 at first).

`scratch` is no matter of threads: a scratch buffer that the last call left for the next one, whose first word says how many bytes
follow its first cache line. Who needs one swaps it for NULL. The system would hand out a large one anew for every call, page by
page, which takes as long as a kernel does.

Workers end when `stop` is set: `pool_stop` wakes and joins them, under `busy`. The next parallel
job starts new ones.
"""

from __future__ import annotations

import re

BUSY, TICKET, DONE, WAITER, EPOCH, SLEEPERS = 0, 64, 128, 132, 192, 196
KERNEL, BUFFERS, SYMS, TOTAL, CHUNK = 256, 264, 272, 280, 288
WANTED, STARTED, STOP, SPINS, OWNER, SCRATCH = 320, 324, 328, 332, 336, 344
HANDLES = 384
MAX_THREADS = 256
POOL_SIZE = HANDLES + 8 * MAX_THREADS

FUTEX_WAIT_PRIVATE, FUTEX_WAKE_PRIVATE = 128, 129
SYSCALL_FUTEX = {"x86_64": 202, "aarch64": 98}
PAUSE = {"x86_64": "llvm.x86.sse2.pause()", "aarch64": "llvm.aarch64.hint(i32 1)"}
PAUSE_TYPE = {"x86_64": "llvm.x86.sse2.pause()", "aarch64": "llvm.aarch64.hint(i32)"}
SIG_SETMASK = 2
SIGSET_SIZE = 128
CPU_SET_SIZE = 128
CPU_COUNT = 8 * CPU_SET_SIZE


def pool_ir(machine: str) -> str:
    """The module's text for `machine` ("x86_64" or "aarch64").

    It defines `void pool_run(kernel, buffers, syms, i64 total, i64 chunk, i1 wake)`, which returns
    when the kernel has run over `[0, total)`; `i32 pool_lock()`, `void pool_unlock()`, `void
    pool_stop()` (join the workers, lock held), and the structure `pool_state`. There may be
    2**31 - 1 chunks.
    """
    text = re.sub("[$]([A-Z]+)", _FIELD, _TEXT)
    numbers: dict[str, object] = {
        **globals(),
        "SYSCALL_FUTEX": SYSCALL_FUTEX[machine],
        "PAUSE": PAUSE[machine],
        "PAUSE_TYPE": PAUSE_TYPE[machine],
    }
    return re.sub("<([A-Z_]+)>", lambda found: str(numbers[found[1]]), text)


_FIELD = r"getelementptr inbounds (i8, ptr @pool_state, i64 <\1>)"
_TEXT = """
@pool_state = global [<POOL_SIZE> x i8] zeroinitializer, align 64

declare i64 @syscall(i64, ...)
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
declare i32 @pthread_sigmask(i32, ptr, ptr)
declare i32 @pthread_setaffinity_np(i64, i64, ptr)
declare i32 @sched_getaffinity(i32, i64, ptr)
declare i32 @sched_getcpu()
declare void @<PAUSE_TYPE>

; Runs chunks until no ticket is left; the number of chunks run.
define internal i64 @drain() nounwind {
entry:
  br label %look
look:
  %ran = phi i64 [ 0, %entry ], [ %ran, %claim ], [ %ran_more, %chunk_end ]
  %word = load atomic i64, ptr $TICKET seq_cst, align 8
  %chunks = lshr i64 %word, 32
  %next = and i64 %word, 4294967295
  %left = icmp ult i64 %next, %chunks
  br i1 %left, label %claim, label %out
claim:
  %taken_word = add i64 %word, 1
  %swap = cmpxchg ptr $TICKET, i64 %word, i64 %taken_word seq_cst seq_cst
  %claimed = extractvalue { i64, i1 } %swap, 1
  br i1 %claimed, label %run, label %look
run:
  %kernel = load ptr, ptr $KERNEL
  %buffers = load ptr, ptr $BUFFERS
  %syms = load ptr, ptr $SYMS
  %total = load i64, ptr $TOTAL
  %chunk = load i64, ptr $CHUNK
  %begin = mul i64 %next, %chunk
  %far_end = add i64 %begin, %chunk
  %short = icmp slt i64 %total, %far_end
  %end = select i1 %short, i64 %total, i64 %far_end
  call void %kernel(ptr %buffers, ptr %syms, i64 %begin, i64 %end)
  %ran_more = add i64 %ran, 1
  %before = atomicrmw add ptr $DONE, i32 1 seq_cst
  %waiter = load atomic i32, ptr $WAITER seq_cst, align 4
  %waits = icmp ne i32 %waiter, 0
  br i1 %waits, label %tell, label %chunk_end
tell:
  %told = call i64 (i64, ...) @syscall(i64 <SYSCALL_FUTEX>, ptr $DONE,
      i32 <FUTEX_WAKE_PRIVATE>, i32 1, ptr null, ptr null, i32 0)
  br label %chunk_end
chunk_end:
  br label %look
out:
  ret i64 %ran
}

define internal ptr @worker(ptr %unused) nounwind {
entry:
  br label %again
again:
  %epoch = load atomic i32, ptr $EPOCH seq_cst, align 4
  %stop = load atomic i32, ptr $STOP seq_cst, align 4
  %stopping = icmp ne i32 %stop, 0
  br i1 %stopping, label %out, label %work
work:
  %ran = call i64 @drain()
  %spins = load atomic i32, ptr $SPINS monotonic, align 4
  br label %spin
spin:
  %count = phi i32 [ %spins, %work ], [ %count_less, %pause ]
  %now = load atomic i32, ptr $EPOCH seq_cst, align 4
  %changed = icmp ne i32 %now, %epoch
  br i1 %changed, label %again, label %patience
patience:
  %tired = icmp sle i32 %count, 0
  br i1 %tired, label %sleep, label %pause
pause:
  %count_less = sub i32 %count, 1
  call void @<PAUSE>
  br label %spin
sleep:
  %more = atomicrmw add ptr $SLEEPERS, i32 1 seq_cst
  %slept = call i64 (i64, ...) @syscall(i64 <SYSCALL_FUTEX>, ptr $EPOCH, i32 <FUTEX_WAIT_PRIVATE>,
      i32 %epoch, ptr null, ptr null, i32 0)
  %less = atomicrmw sub ptr $SLEEPERS, i32 1 seq_cst
  br label %again
out:
  ret ptr null
}

; Keeps the workers off the processor that this thread runs on, where there is another.
define internal void @keep_workers_off() nounwind noinline {
entry:
  %mask = alloca [<CPU_SET_SIZE> x i8], align 8
  %cpu = call i32 @sched_getcpu()
  %owner = add i32 %cpu, 1
  %last = load i32, ptr $OWNER
  %new = icmp ne i32 %owner, %last
  %known = icmp ult i32 %cpu, <CPU_COUNT>
  %act = and i1 %new, %known
  br i1 %act, label %ask, label %out
ask:
  %size = call i32 @sched_getaffinity(i32 0, i64 <CPU_SET_SIZE>, ptr %mask)
  %answered = icmp sge i32 %size, 0
  br i1 %answered, label %take_out, label %out
take_out:
  store i32 %owner, ptr $OWNER
  %byte = lshr i32 %cpu, 3
  %place = getelementptr i8, ptr %mask, i32 %byte
  %bit = and i32 %cpu, 7
  %one = shl i32 1, %bit
  %one8 = trunc i32 %one to i8
  %others = xor i8 %one8, -1
  %before = load i8, ptr %place
  %after = and i8 %before, %others
  store i8 %after, ptr %place
  %started = load i32, ptr $STARTED
  br label %look
look:
  %index = phi i32 [ 0, %take_out ], [ %next, %keep ]
  %left = icmp slt i32 %index, %started
  br i1 %left, label %keep, label %out
keep:
  %where = getelementptr i64, ptr $HANDLES, i32 %index
  %handle = load i64, ptr %where
  %error = call i32 @pthread_setaffinity_np(i64 %handle, i64 <CPU_SET_SIZE>, ptr %mask)
  %next = add i32 %index, 1
  br label %look
out:
  ret void
}

; Starts the missing workers, with all signals blocked; how many there are then.
define internal i32 @start_workers() nounwind noinline {
entry:
  %all = alloca [<SIGSET_SIZE> x i8], align 8
  %old = alloca [<SIGSET_SIZE> x i8], align 8
  call void @llvm.memset.inline.p0.i64(ptr %all, i8 -1, i64 <SIGSET_SIZE>, i1 false)
  %masked = call i32 @pthread_sigmask(i32 <SIG_SETMASK>, ptr %all, ptr %old)
  %wanted = load i32, ptr $WANTED
  %workers = sub i32 %wanted, 1
  br label %look
look:
  %started = load i32, ptr $STARTED
  %enough = icmp sge i32 %started, %workers
  br i1 %enough, label %out, label %start
start:
  %handle = getelementptr i64, ptr $HANDLES, i32 %started
  %error = call i32 @pthread_create(ptr %handle, ptr null, ptr @worker, ptr null)
  %failed = icmp ne i32 %error, 0
  br i1 %failed, label %give_up, label %count
count:
  %one_more = add i32 %started, 1
  store i32 %one_more, ptr $STARTED
  br label %look
give_up:
  %fewer = add i32 %started, 1
  store i32 %fewer, ptr $WANTED
  br label %out
out:
  %restored = call i32 @pthread_sigmask(i32 <SIG_SETMASK>, ptr %old, ptr null)
  store i32 0, ptr $OWNER
  call void @keep_workers_off()
  ret i32 %started
}

define i32 @pool_lock() nounwind {
entry:
  %swap = cmpxchg ptr $BUSY, i32 0, i32 1 seq_cst seq_cst
  %locked = extractvalue { i32, i1 } %swap, 1
  %result = zext i1 %locked to i32
  ret i32 %result
}

define void @pool_unlock() nounwind {
entry:
  store atomic i32 0, ptr $BUSY seq_cst, align 4
  ret void
}

define void @pool_stop() nounwind {
entry:
  store atomic i32 1, ptr $STOP seq_cst, align 4
  %before = atomicrmw add ptr $EPOCH, i32 1 seq_cst
  %woken = call i64 (i64, ...) @syscall(i64 <SYSCALL_FUTEX>, ptr $EPOCH, i32 <FUTEX_WAKE_PRIVATE>,
      i32 2147483647, ptr null, ptr null, i32 0)
  br label %look
look:
  %started = load i32, ptr $STARTED
  %none = icmp sle i32 %started, 0
  br i1 %none, label %out, label %join
join:
  %last = sub i32 %started, 1
  %place = getelementptr i64, ptr $HANDLES, i32 %last
  %handle = load i64, ptr %place
  %joined = call i32 @pthread_join(i64 %handle, ptr null)
  store i32 %last, ptr $STARTED
  br label %look
out:
  store atomic i32 0, ptr $STOP seq_cst, align 4
  ret void
}

define void @pool_run(ptr %kernel, ptr %buffers, ptr %syms, i64 %total, i64 %chunk,
    i1 zeroext %wake) nounwind {
entry:
  %above = add i64 %total, %chunk
  %rounded = sub i64 %above, 1
  %chunks = sdiv i64 %rounded, %chunk
  %several = icmp sgt i64 %chunks, 1
  %wanted = load atomic i32, ptr $WANTED monotonic, align 4
  %threads = icmp sgt i32 %wanted, 1
  %parallel = and i1 %several, %threads
  br i1 %parallel, label %lock, label %serial
lock:
  %locked = call i32 @pool_lock()
  %mine = icmp ne i32 %locked, 0
  br i1 %mine, label %count, label %serial
count:
  %present = load i32, ptr $STARTED
  %wanted_now = load i32, ptr $WANTED
  %workers_wanted = sub i32 %wanted_now, 1
  %missing = icmp slt i32 %present, %workers_wanted
  %start_them = and i1 %missing, %wake
  br i1 %start_them, label %start, label %awake
start:
  %now_present = call i32 @start_workers()
  br label %awake
awake:
  %started = phi i32 [ %present, %count ], [ %now_present, %start ]
  %asleep = load atomic i32, ptr $SLEEPERS seq_cst, align 4
  %hot = icmp slt i32 %asleep, %started
  %some = icmp sgt i32 %started, 0
  %wakable = and i1 %some, %wake
  %helped = or i1 %hot, %wakable
  br i1 %helped, label %publish, label %unlock_serial
publish:
  store ptr %kernel, ptr $KERNEL
  store ptr %buffers, ptr $BUFFERS
  store ptr %syms, ptr $SYMS
  store i64 %total, ptr $TOTAL
  store i64 %chunk, ptr $CHUNK
  store atomic i32 0, ptr $WAITER seq_cst, align 4
  store atomic i32 0, ptr $DONE seq_cst, align 4
  %ticket = shl i64 %chunks, 32
  store atomic i64 %ticket, ptr $TICKET seq_cst, align 8
  %old_epoch = atomicrmw add ptr $EPOCH, i32 1 seq_cst
  %sleeping = load atomic i32, ptr $SLEEPERS seq_cst, align 4
  %any_asleep = icmp sgt i32 %sleeping, 0
  %rouse = and i1 %any_asleep, %wake
  br i1 %rouse, label %call_them, label %help
call_them:
  call void @keep_workers_off()
  %chunks32 = trunc i64 %chunks to i32
  %others = sub i32 %chunks32, 1
  %roused = call i64 (i64, ...) @syscall(i64 <SYSCALL_FUTEX>, ptr $EPOCH, i32 <FUTEX_WAKE_PRIVATE>,
      i32 %others, ptr null, ptr null, i32 0)
  br label %help
help:
  %ran = call i64 @drain()
  %target = trunc i64 %chunks to i32
  %spins = load atomic i32, ptr $SPINS monotonic, align 4
  br label %wait
wait:
  %tries = phi i32 [ %spins, %help ], [ %tries_less, %pause ], [ 0, %doze ]
  %done = load atomic i32, ptr $DONE seq_cst, align 4
  %finished = icmp eq i32 %done, %target
  br i1 %finished, label %unlock, label %patience
patience:
  %tired = icmp sle i32 %tries, 0
  br i1 %tired, label %settle, label %pause
pause:
  %tries_less = sub i32 %tries, 1
  call void @<PAUSE>
  br label %wait
settle:
  store atomic i32 1, ptr $WAITER seq_cst, align 4
  %done_now = load atomic i32, ptr $DONE seq_cst, align 4
  %just_finished = icmp eq i32 %done_now, %target
  br i1 %just_finished, label %unlock, label %doze
doze:
  %dozed = call i64 (i64, ...) @syscall(i64 <SYSCALL_FUTEX>, ptr $DONE, i32 <FUTEX_WAIT_PRIVATE>,
      i32 %done_now, ptr null, ptr null, i32 0)
  br label %wait
unlock:
  call void @pool_unlock()
  ret void
unlock_serial:
  call void @pool_unlock()
  br label %serial
serial:
  %something = icmp sgt i64 %total, 0
  br i1 %something, label %alone, label %out
alone:
  call void %kernel(ptr %buffers, ptr %syms, i64 0, i64 %total)
  br label %out
out:
  ret void
}

declare void @llvm.memset.inline.p0.i64(ptr, i8, i64 immarg, i1 immarg)
"""
