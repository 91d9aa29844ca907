import pytest


@pytest.mark.parametrize("number, total", [(1, "580.05"), (2, "749.90"), (7, "409.20")])
def test_totals(client, number, total):
    response = client.get(f"/orders/{number}")
    lines = response.json()["lines"]
    amount = sum(float(line["amount"]) for line in lines)
    assert f"{amount:.2f}" == total


def test_average_of_nothing(client):
    response = client.get("/average", params={"above": 1000000})
    assert response.status_code == 200


def test_statistics(client):
    body = client.get("/statistics", params={"above": 1000}).json()
    assert body["orders"] == 12
