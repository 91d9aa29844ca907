"""Tests of waits.py: functions that wait, the layout of locks, and names of locks."""

import unittest

import waits


class Value:
    """A value for `Search`."""

    def __init__(self, address, size, type_name, members=(), target=None):
        self.address, self.size, self.type_name = address, size, type_name
        self.parts, self.end = members, target

    def members(self):
        return self.parts

    def target(self):
        return self.end


class Functions(unittest.TestCase):
    def test_functions_of_the_c_library_have_several_names(self):
        for name, kind in [
            ("pthread_mutex_lock", "lock"),
            ("___pthread_mutex_lock", "lock"),
            ("__GI___lll_lock_wait", "lock"),
            ("___pthread_rwlock_rdlock", "read lock"),
            ("__pthread_clockjoin_ex", "end"),
            ("__new_sem_wait", "semaphore"),
            ("pthread_mutex_unlock", None),
            ("__lll_lock_wait_private", None),
        ]:
            self.assertEqual(waits.kind_of(name), kind, name)

    def test_functions_of_rust_are_instances(self):
        for name, kind in [
            ("std::sync::poison::mutex::Mutex<T>::lock", "lock"),
            ("std::sync::poison::mutex::Mutex<i64>::lock<i64>", "lock"),
            ("<std::sync::poison::rwlock::RwLock<u8>>::read", "read lock"),
            ("lock_api::rwlock::RwLock<R,T>::write", "write lock"),
            ("std::sync::poison::condvar::Condvar::wait", "condition"),
            ("shop::Mutex<T>::lock", None),
            ("std::sync::poison::mutex::Mutex<T>::try_lock", None),
        ]:
            self.assertEqual(waits.rust_kind_of(name), kind, name)


    def test_only_a_thread_in_a_system_call_waits(self):
        call, other = b"\x90\x90\x0f\x05", b"\x90\x90\x90\x90"
        self.assertTrue(waits.is_waiting("i386:x86-64", call, ["__read", "main"]))
        self.assertFalse(waits.is_waiting("i386:x86-64", other, ["rust_panic", "main"]))
        aborts = ["__pthread_kill_implementation", "raise", "abort", "main"]
        self.assertFalse(waits.is_waiting("i386:x86-64", call, aborts))
        self.assertFalse(waits.is_waiting("riscv64", call, ["read"]))


class Layout(unittest.TestCase):
    def test_owners_are_at_their_places(self):
        words = {0x100: 2, 0x108: 77, 0x200: 0b10000, 0x218: 0, 0x300: 0, 0x318: 78, 0x400: 79}
        wait = waits.wait_at("lock", 0x100, words.get)
        self.assertEqual((wait.address, wait.on), (0x100, 77))
        # A writer waits at the fourth word.
        wait = waits.wait_at("write lock", 0x20C, words.get)
        self.assertEqual((wait.address, wait.on, wait.readers), (0x200, None, 2))
        wait = waits.wait_at("read lock", 0x308, words.get)
        self.assertEqual((wait.address, wait.on), (0x300, 78))
        self.assertEqual(waits.wait_at("end", 0x400, words.get).on, 79)


class Words(unittest.TestCase):
    def test_lock_is_named_with_its_holder(self):
        wait = waits.Wait("lock", 0x100)
        wait.name, wait.on = "second", 77
        self.assertEqual(
            waits.words(wait, "worker (3)", ("two", 15), True),
            "lock `second`, which worker (3) has, in two line 15: a deadlock",
        )
        self.assertEqual(
            waits.words(wait, None, None, False), "lock `second`, which another thread has"
        )
        wait.name = wait.on = None
        self.assertEqual(waits.words(wait, None, None, False), "lock")
        wait = waits.Wait("write lock", 0x100)
        wait.readers = 2
        self.assertEqual(waits.words(wait, None, None, False), "write lock, which 2 readers have")
        wait = waits.Wait("call")
        for name, plain in [("__GI___libc_read", "read"), ("std::thread::park", "std::thread::park")]:
            wait.name = name
            self.assertEqual(waits.words(wait, None, None, False), plain)
        wait = waits.Wait("end")
        wait.on = 77
        self.assertEqual(waits.words(wait, "one (2)", None, False), "the end of one (2)")


class Names(unittest.TestCase):
    def name(self, value, is_rust=False, address=0x110):
        return waits.Search(address, is_rust).name([("a", value)])

    def test_path_ends_at_the_type_of_a_library(self):
        mutex = Value(0x110, 40, "std::mutex", [("_M_mutex", Value(0x110, 40, "pthread_mutex_t"))])
        account = Value(0x100, 80, "Account", [("id", Value(0x100, 4, "int")), ("lock", mutex)])
        pointer = Value(0x20, 8, "Account *", (), account)
        self.assertEqual(self.name(account), "a.lock")
        self.assertEqual(self.name(pointer), "a->lock")
        self.assertEqual(self.name(pointer, True), "a.lock")
        self.assertEqual(self.name(Value(0x20, 8, "Account &", (), account)), "a.lock")
        self.assertEqual(self.name(Value(0x20, 8, "pthread_mutex_t *", (), mutex)), "*a")
        self.assertIsNone(self.name(account, False, 0x400))

    def test_owners_of_a_library_have_no_part_in_the_path(self):
        lock = Value(0x110, 16, "std::sync::poison::mutex::Mutex<i64>")
        state = Value(0x108, 32, "shop::State", [("__0", Value(0x108, 8, "u64")), ("__1", lock)])
        inner = Value(0x100, 48, "alloc::sync::ArcInner<shop::State>", [("data", state)])
        pointer = Value(None, 8, "*const alloc::sync::ArcInner<shop::State>", (), inner)
        shared = Value(0x20, 8, "alloc::sync::Arc<shop::State>", [("ptr", pointer)])
        self.assertEqual(self.name(shared, True), "a.1")

    def test_only_a_guard_of_the_lock_is_one(self):
        lock = Value(0x110, 16, "std::sync::poison::mutex::Mutex<i64>")
        reference = Value(0x20, 8, "&std::sync::poison::mutex::Mutex<i64>", (), lock)
        guard = Value(0x20, 16, "std::sync::poison::mutex::MutexGuard<i64>", [("lock", reference)])
        self.assertTrue(waits.is_guard_of(0x110, guard))
        self.assertFalse(waits.is_guard_of(0x100, guard))
        other = Value(0x20, 16, "shop::MutexGuard<i64>", [("lock", reference)])
        self.assertFalse(waits.is_guard_of(0x110, other))

class Frame:
    def __init__(self, name, line=None, variables=()):
        self.name, self.line, self.variables = name, line, variables


class Machine(waits.Reader):
    """Two threads, 1 and 2, each with a mutex that the other waits for."""

    MEMORY = {0x1008: 2, 0x2008: 1}

    def __init__(self, second="pthread_mutex_lock"):
        self.stacks = {
            1: [Frame("__lll_lock_wait"), Frame("pthread_mutex_lock"), Frame("one", 10)],
            2: [Frame(second), Frame("two", 20), Frame("main", 30)],
        }

    def threads(self):
        return list(self.stacks)

    def thread_of(self, id):
        return id if id in self.stacks else None

    def id_of(self, thread):
        return thread

    def title_of(self, thread):
        return "worker (%d)" % thread

    def frames_of(self, thread):
        for frame in self.stacks[thread]:
            frame.thread = thread
            yield frame

    def function_name(self, frame):
        return frame.name

    def line_of(self, frame):
        return frame.line

    def is_user_code(self, frame):
        return frame.line is not None

    def is_rust(self, frame):
        return False

    def variables_of(self, frame):
        return [("own", Value(0x9000, 8, "long")), *frame.variables]

    def own_object(self, frame):
        return None

    def machine(self, frame):
        return "x86_64"

    def code_before(self, frame):
        return b"\0\0\x0f\x05"

    def register(self, frame, name):
        return {"rdi": {1: 0x1000, 2: 0x2000}}[name][frame.thread]

    def word(self, address):
        return self.MEMORY.get(address, 0)

    def global_at(self, address):
        return ("first", []) if address == 0x1000 else None


class Threads(unittest.TestCase):
    def test_threads_that_wait_for_one_another_are_a_deadlock(self):
        self.assertEqual(
            Machine().text(1),
            "lock `first`, which worker (2) has, in two line 20: a deadlock",
        )
        self.assertEqual(
            Machine().text(2),
            "lock, which worker (1) has, in one line 10: a deadlock",
        )

    def test_holder_that_waits_for_something_else_is_no_deadlock(self):
        machine = Machine("__GI___libc_read")
        self.assertEqual(
            machine.text(1), "lock `first`, which worker (2) has, in two line 20"
        )
        self.assertEqual(machine.text(2), "read")

    def test_function_that_waits_by_a_lock_of_the_library_is_named(self):
        machine = Machine()
        machine.stacks[2] = [
            Frame("syscall"),
            Frame("std::sync::nonpoison::condvar::Condvar::wait<()>"),
            Frame("std::sync::barrier::Barrier::wait"),
            Frame("main", 30),
        ]
        self.assertEqual(machine.text(2), "std::sync::barrier::Barrier::wait")

    def test_lock_is_named_by_the_variables_of_the_frame(self):
        machine = Machine()
        mutex = Value(0x2000, 40, "pthread_mutex_t", [("__data", Value(0x2000, 40, "__pthread"))])
        machine.stacks[2][1].variables = [("second", mutex)]
        self.assertIn("lock `second`, which worker (1) has", machine.text(2))

    def test_guard_among_the_variables_names_the_thread_of_a_lock(self):
        machine = Machine()
        machine.MEMORY = {}
        lock = Value(0x1000, 4, "std::sync::Mutex<i32>")
        guard = Value(
            0x8000, 16, "std::sync::MutexGuard<i32>", [("lock", Value(0x8000, 8, "*", (), lock))]
        )
        machine.stacks[2][2].variables = [("guard", guard)]
        self.assertEqual(machine.owner_of_guard(0x1000), 2)
        self.assertIsNone(machine.owner_of_guard(0x5000))


if __name__ == "__main__":
    unittest.main()
