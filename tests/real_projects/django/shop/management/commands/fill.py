"""Makes the tables and twenty orders, always the same."""

import datetime

from django.core.management import call_command
from django.core.management.base import BaseCommand

from shop.models import Customer, Line, Order

ARTICLES = [("Atlas", "48.50"), ("Heft", "2.35"), ("Stift", "0.99"), ("Globus", "119.00")]


class Command(BaseCommand):
    def handle(self, *args, **options):
        call_command("migrate", run_syncdb=True, verbosity=0)
        Customer.objects.all().delete()
        start = datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc)
        for number in range(1, 21):
            customer = Customer.objects.create(
                id=number, name=f"Customer {number}", gold=number % 5 == 0
            )
            order = Order.objects.create(
                id=number, customer=customer, placed=start + datetime.timedelta(days=number)
            )
            for index in range(number % 4 + 1):
                article, price = ARTICLES[index]
                Line.objects.create(
                    order=order, article=article, price=price, quantity=number + index
                )
        self.stdout.write(f"orders: {Order.objects.count()}")
