from django.http import JsonResponse
from django.shortcuts import get_object_or_404, render

from .models import Order


def order(request, number):
    found = get_object_or_404(Order, pk=number)
    total = found.total()
    answer = {"customer": str(found.customer), "total": str(total)}
    return JsonResponse(answer)


def order_page(request, number):
    found = get_object_or_404(Order, pk=number)
    return render(request, "order.html", {"order": found, "lines": found.lines.all()})


def ship(request, number):
    found = get_object_or_404(Order, pk=number)
    parcels = {line.article: line.quantity for line in found.lines.all()}
    weight = sum(WEIGHTS[article] * count for article, count in parcels.items())
    answer = {"grams": weight}
    return JsonResponse(answer, safe=True)


WEIGHTS = {"Atlas": 1900, "Heft": 90}
