//! A shop's checkout. The total comes out too low: why?
//!
//! Ten or more of one item earn a tenth off that item.

use std::process::ExitCode;

struct Item {
    name: &'static str,
    price: u64, // cents
    quantity: u64,
}

fn checkout(items: &[Item]) -> u64 {
    let mut total = 0;
    for item in items {
        let quantity = item.quantity;
        total += item.price * quantity;
        if quantity >= 10 {
            total = total * 90 / 100; // [stop: discount]
        }
        println!("{quantity:3} x {:10} {:8.2}", item.name, total as f64 / 100.0);
    }
    total
}

fn main() -> ExitCode {
    let items = [
        Item { name: "Füller", price: 1990, quantity: 2 },
        Item { name: "Atlas", price: 4900, quantity: 1 },
        Item { name: "Heft", price: 250, quantity: 12 },
        Item { name: "Tinte", price: 480, quantity: 3 },
    ];
    let expected = 3980 + 4900 + 2700 + 1440;
    let total = checkout(&items);
    println!("total {:.2}, expected {:.2}", total as f64 / 100.0, expected as f64 / 100.0);
    ExitCode::from(u8::from(total != expected))
}
