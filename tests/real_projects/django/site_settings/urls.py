from django.urls import path

from shop import views

urlpatterns = [
    path("orders/<int:number>", views.order),
    path("orders/<int:number>/page", views.order_page),
    path("orders/<int:number>/ship", views.ship),
]
