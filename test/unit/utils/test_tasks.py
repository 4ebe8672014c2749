"""Tasks run beside their caller, wait for one another, and hand on what they raise."""

import pickle
import threading
import time

import pytest

from torchscript_dialect.utils.tasks import Future, start


def test_result_and_state() -> None:
    future = start(lambda: 5)
    assert future.wait() == 5
    assert future.wait() == future.value() == 5
    assert future.done()
    assert "done" in repr(future)


def test_tasks_run_on_other_threads() -> None:
    begun, go_on = threading.Event(), threading.Event()

    def work() -> int:
        begun.set()
        assert go_on.wait(10)
        return threading.get_ident()

    future = start(work)
    assert begun.wait(10)  # while nobody waits for the task
    assert not future.done()
    go_on.set()
    assert future.wait() != threading.get_ident()


def test_a_task_that_nobody_began_is_run_by_who_waits() -> None:
    assert Future(threading.get_ident).wait() == threading.get_ident()


def test_more_nested_tasks_than_threads() -> None:
    def nested(depth: int) -> int:
        if not depth:
            return 1
        children = [start(lambda: nested(depth - 1)) for _ in range(2)]
        return sum(child.wait() for child in children)

    assert nested(8) == 256


def test_many_wait_for_one() -> None:
    slow = start(lambda: time.sleep(0.05) or 3)
    waiting = [start(slow.wait) for _ in range(20)]
    assert [future.wait() for future in waiting] == [3] * 20


def test_exceptions_are_handed_on_each_time() -> None:
    def fail() -> None:
        raise ValueError("no")

    future = start(fail)
    errors: list[ValueError] = []
    for _ in range(2):
        with pytest.raises(ValueError, match="no") as caught:
            future.wait()
        errors.append(caught.value)
    assert errors[0] is not errors[1]


def test_a_future_without_a_call() -> None:
    future: Future[str] = Future()
    start(lambda: future.set_result("x"))
    assert future.wait() == "x"


def test_callbacks_run_in_their_order_once_the_future_is_done(
    capsys: pytest.CaptureFixture[str],
) -> None:
    future: Future[int] = Future()
    seen: list[object] = []
    future.add_done_callback(lambda done: seen.append(done.wait()))
    future.add_done_callback(lambda _: [][0])
    after = future.then(lambda done: done.value() + 1).then(lambda done: done.value() * 10)
    assert not after.done() and not seen
    future.set_result(3)
    assert after.done() and after.wait() == 40 and seen == [3]
    assert "error when running the callback: IndexError: list index" in capsys.readouterr().err
    future.add_done_callback(seen.append)
    assert seen == [3, future]


def test_what_a_callback_raises_is_in_the_future_of_its_call() -> None:
    future: Future[int] = Future()
    future.set_exception(ValueError("no"))
    with pytest.raises(RuntimeError, match="running the callback: ValueError: no"):
        future.then(lambda done: done.wait()).wait()
    assert future.then(lambda done: done.done()).wait()


def test_a_future_is_marked_once() -> None:
    future: Future[int] = Future()
    with pytest.raises(RuntimeError, match="once the Future is done"):
        future.value()
    with pytest.raises(AssertionError, match="3 is of type <class 'int'>, not an Exception"):
        future.set_exception(3)  # type: ignore[arg-type]
    future.set_result(1)
    for mark in (lambda: future.set_result(2), lambda: future.set_exception(ValueError("x"))):
        with pytest.raises(RuntimeError, match="Future can only be marked completed once"):
            mark()
    assert future.wait() == 1
    with pytest.raises(RuntimeError, match=r"Can not pickle torch\.futures\.Future"):
        pickle.dumps(future)
