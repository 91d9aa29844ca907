"""Two threads that take two locks in opposite order: it never ends."""

import threading

from django.core.management.base import BaseCommand

from shop.models import Order

stock = threading.Lock()
ledger = threading.Lock()
both = threading.Barrier(2)


def book(order, first, second, report):
    with first:
        both.wait()
        report(f"{threading.current_thread().name} waits with order {order.id}")
        with second:
            report("never")


class Command(BaseCommand):
    def handle(self, *args, **options):
        one, two = Order.objects.order_by("id")[2:4]
        report = self.stderr.write
        threads = [
            threading.Thread(target=book, name="warehouse", args=(one, stock, ledger, report)),
            threading.Thread(target=book, name="accounts", args=(two, ledger, stock, report)),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
