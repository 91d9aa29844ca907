"""Tests of tasks.py: where tasks are suspended, and who waits for them."""

import asyncio
import unittest

import tasks


async def fetch():
    await asyncio.sleep(30)


async def handler():
    await fetch()


async def names_of(waiting):
    """What waits for a task of `handler`, and the functions in which that task is suspended."""
    outer = asyncio.ensure_future(waiting())
    await asyncio.sleep(0.01)
    (inner,) = [
        task for task in tasks.all_tasks() if task.get_coro().__name__ == "handler"
    ]
    frames = [frame.f_code.co_name for frame in tasks.frames_of(inner)]
    awaiters = [task.get_coro().__name__ for task in tasks.awaiters(inner) if task is not None]
    found = tasks.task_of(tasks.frames_of(inner)[0]) is inner
    outer.cancel()
    inner.cancel()
    return frames, awaiters, found


async def by_task():
    await asyncio.ensure_future(handler())


async def by_gather():
    await asyncio.gather(handler(), return_exceptions=True)


async def by_wait():
    await asyncio.wait([asyncio.ensure_future(handler())])


async def by_group():
    async with asyncio.TaskGroup() as group:
        group.create_task(handler())


class Awaiters(unittest.TestCase):
    def test_awaiting_task_is_found(self):
        waits = [by_task, by_gather, by_wait]
        if hasattr(asyncio, "TaskGroup"):
            waits.append(by_group)
        for waiting in waits:
            frames, awaiters, found = asyncio.run(names_of(waiting))
            self.assertEqual(frames, ["handler", "fetch", "sleep"], waiting)
            self.assertEqual((awaiters, found), ([waiting.__name__], True))

    def test_call_that_runs_the_loop_waits_too(self):
        async def main():
            return tasks.awaiters(asyncio.current_task())

        self.assertEqual(asyncio.run(main()), [None])


class Proxied:
    """Counts the reads of its attributes."""

    count = 0

    def __getattribute__(self, name):
        Proxied.count += 1
        return None


class Stored(unittest.TestCase):
    def test_reading_an_awaited_object_runs_no_code_of_it(self):
        self.assertIsNone(tasks.stored(Proxied(), "cr_frame"))
        self.assertFalse(tasks.is_task(Proxied()))
        self.assertEqual(tasks.captured(Proxied()), [])
        self.assertEqual(Proxied.count, 0)


if __name__ == "__main__":
    unittest.main()
