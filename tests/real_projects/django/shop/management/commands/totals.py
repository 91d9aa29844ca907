"""Prints what each order costs."""

from django.core.management.base import BaseCommand

from shop.models import Order


class Command(BaseCommand):
    def handle(self, *args, **options):
        for order in Order.objects.select_related("customer").order_by("id"):
            total = order.total()
            self.stdout.write(f"order {order.id}: {total}")
