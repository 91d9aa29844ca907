//! One of these fails: the price is too low for the test.

use shop::{orders, Discount};

#[test]
fn an_order_without_discount_costs_its_lines() {
    let orders = orders();
    let order = &orders[&3];
    assert_eq!(order.discount, Discount::None);
    assert_eq!(order.total(), 3 * 4850 + 4 * 235 + 5 * 11900);
}

#[test]
fn ten_percent_are_taken_off() {
    let orders = orders();
    let total = orders[&7].total();
    assert_eq!(total, 140_300, "order 7");
}

#[test]
#[should_panic(expected = "divide by zero")]
fn an_empty_order_has_no_average() {
    orders()[&4].average();
}
