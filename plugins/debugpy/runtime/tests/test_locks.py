"""Tests of locks.py: what a blocked thread waits for, and who has it."""

import asyncio
import queue
import sys
import threading
import unittest

import dapdock_locks as locks
import dapdock_tasks as tasks

plain = threading.Lock()
first = threading.Lock()
again = threading.RLock()
jobs = queue.Queue()


class Box:
    def __init__(self):
        self.lock = threading.Lock()


class Slot:
    __slots__ = ("lock",)

    def __init__(self):
        self.lock = threading.Lock()


class Shared:
    lock = threading.Lock()


def hold(lock, ready, done):
    with lock:
        ready.set()
        done.wait()


def wait_for_name(lock):
    with lock:
        pass


def wait_on_one_line(lock):
    with lock: pass  # fmt: skip  # noqa: E701


def wait_for_second(lock):
    with first, lock:
        pass


def hold_on_one_line(lock, ready, done):
    with lock: ready.set() or done.wait()  # fmt: skip  # noqa: E701


def hold_second(lock, ready, done):
    with first, lock:
        ready.set()
        done.wait()


def wait_for_field(box):
    box.lock.acquire()
    box.lock.release()


def wait_for_job(_):
    jobs.get()


def reason(function, argument, lock, hold=hold):
    """Why a thread in this function waits while another one has the lock."""
    ready, done = threading.Event(), threading.Event()
    holder = threading.Thread(target=hold, args=(lock, ready, done), name="holder")
    waiter = threading.Thread(target=function, args=(argument,), name="waiter")
    holder.start()
    ready.wait()
    waiter.start()
    try:
        while True:
            frames = sys._current_frames()
            top = frames[waiter.ident]
            own = next((one for one in locks.frames_from(top) if is_own(one, function)), None)
            why = locks.reason(top, own, frames, is_of_test) if own is not None else None
            if why is not None:
                return why
    finally:
        done.set()
        jobs.put(1)
        waiter.join()
        holder.join()


def is_of_test(frame):
    return frame.f_code.co_filename == __file__


def is_own(frame, function):
    return frame.f_code is function.__code__


class Reasons(unittest.TestCase):
    def test_holder_is_inside_a_with_statement(self):
        place = "holder has, in hold line %d" % (hold.__code__.co_firstlineno + 3)
        self.assertEqual(reason(wait_for_name, plain, plain), "lock `lock`, which " + place)
        for box in (Box(), Slot(), Shared(), Shared):
            why = reason(wait_for_field, box, box.lock)
            self.assertEqual(why, "lock `box.lock`, which " + place)

    def test_statement_on_one_line(self):
        place = "lock `lock`, which holder has, in hold_on_one_line line %d"
        place %= hold_on_one_line.__code__.co_firstlineno + 1
        self.assertEqual(reason(wait_on_one_line, plain, plain, hold_on_one_line), place)
        self.assertIn("which holder has", reason(wait_on_one_line, again, again))

    def test_second_lock_of_a_statement(self):
        place = "lock `lock`, which holder has, in hold_second line %d"
        place %= hold_second.__code__.co_firstlineno + 3
        self.assertEqual(reason(wait_for_name, plain, plain, hold_second), place)
        self.assertIn("lock `lock`, which", reason(wait_for_second, plain, plain))

    def test_owner_of_a_reentrant_lock(self):
        self.assertIn("which holder has", reason(wait_for_name, again, again))

    def test_call_into_the_library(self):
        self.assertEqual(reason(wait_for_job, None, plain), "Queue.get")

    def test_write_of_output(self):
        names = {"__name__": "dapdock_output", "sys": sys}
        frame = eval("sys._getframe()", names)
        self.assertEqual(locks.call_of(frame), "the debugger to read what it wrote")


async def waiting(*awaited):
    """What a task says that awaits these."""

    async def wait():
        await (asyncio.gather(*awaited) if len(awaited) > 1 else awaited[0])

    task = asyncio.ensure_future(wait())
    await asyncio.sleep(0.01)
    why = locks.reason_of_task(task, tasks.frames_of(task)[::-1], is_of_test)
    task.cancel()
    return why


class ReasonsOfTasks(unittest.TestCase):
    def test_call_into_the_library(self):
        async def main():
            return [await waiting(asyncio.Event().wait()), await waiting(asyncio.sleep(30))]

        self.assertEqual(asyncio.run(main()), ["Event.wait", "asyncio.sleep"])

    def test_other_tasks(self):
        async def main():
            ends = [asyncio.ensure_future(asyncio.sleep(30)) for _ in range(2)]
            names = ", ".join(tasks.name_of(one) for one in ends)
            return [await waiting(*ends) == "the end of tasks " + names, await waiting(
                asyncio.ensure_future(asyncio.sleep(30))
            )]

        both, one = asyncio.run(main())
        self.assertTrue(both)
        self.assertRegex(one, "^the end of task .*$")


if __name__ == "__main__":
    unittest.main()
