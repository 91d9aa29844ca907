from decimal import Decimal

from django.db import models


class Customer(models.Model):
    name = models.CharField(max_length=80)
    gold = models.BooleanField(default=False)

    def __str__(self):
        return self.name


class Order(models.Model):
    customer = models.ForeignKey(Customer, on_delete=models.CASCADE)
    placed = models.DateTimeField()

    def total(self):
        total = Decimal(0)
        for line in self.lines.select_related("order"):
            price = line.price * line.quantity
            total += price
        return self.discounted(total)

    def discounted(self, total):
        if self.customer.gold:
            return (total * Decimal("0.9")).quantize(Decimal("0.01"))
        return total


class Line(models.Model):
    order = models.ForeignKey(Order, related_name="lines", on_delete=models.CASCADE)
    article = models.CharField(max_length=80)
    price = models.DecimalField(max_digits=8, decimal_places=2)
    quantity = models.PositiveIntegerField()
