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


if __name__ == "__main__":
    unittest.main()
