import datetime
from decimal import Decimal

from django.test import TestCase

from shop.models import Customer, Line, Order


class TotalTest(TestCase):
    def setUp(self):
        customer = Customer.objects.create(name="Ada", gold=True)
        self.order = Order.objects.create(
            customer=customer, placed=datetime.datetime(2024, 5, 1, tzinfo=datetime.timezone.utc)
        )
        self.order.lines.create(article="Heft", price=Decimal("2.35"), quantity=7)

    def test_gold_customers_pay_less(self):
        self.assertLess(self.order.total(), Decimal("16.45"))

    def test_nobody_pays_parts_of_a_cent(self):
        total = self.order.total()
        self.assertEqual(total, Decimal("14.81"))

    def test_a_total_takes_three_queries(self):
        with self.assertNumQueries(3):
            lines = Line.objects.filter(order=self.order)
            order = Order.objects.get(pk=self.order.pk)
            total = order.total()
        self.assertEqual(str(total), "14.80")
        self.assertEqual(lines.count(), 1)

    def test_the_page_names_the_customer(self):
        response = self.client.get(f"/orders/{self.order.id}")
        self.assertEqual(response.json()["customer"], "Ada")
