//! What an order costs.

use std::collections::BTreeMap;

use serde::Serialize;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Discount {
    None,
    Percent(u64),
    Above { limit: u64, percent: u64 },
}

#[derive(Clone, Debug, Serialize)]
pub struct Line {
    pub article: String,
    pub cents: u64,
    pub quantity: u64,
}

#[derive(Clone, Debug, Serialize)]
pub struct Order {
    pub number: u32,
    pub customer: String,
    pub lines: Vec<Line>,
    pub discount: Discount,
}

impl Order {
    pub fn total(&self) -> u64 {
        let sum: u64 = self.lines.iter().map(|line| line.cents * line.quantity).sum();
        let off = match &self.discount {
            Discount::None => 0,
            Discount::Percent(percent) => sum * percent / 100,
            Discount::Above { limit, percent } if sum > *limit => (sum - limit) * percent / 100,
            Discount::Above { .. } => 0,
        };
        sum - off
    }

    /// The average price of a piece. Fails for an order without lines.
    pub fn average(&self) -> u64 {
        let pieces: u64 = self.lines.iter().map(|line| line.quantity).sum();
        self.total() / pieces
    }
}

pub fn orders() -> BTreeMap<u32, Order> {
    let articles = [("Atlas", 4850), ("Heft", 235), ("Globus", 11900)];
    let mut orders = BTreeMap::new();
    for number in 1..=40 {
        let lines = articles
            .iter()
            .take(number as usize % 4)
            .enumerate()
            .map(|(index, (article, cents))| Line {
                article: article.to_string(),
                cents: *cents,
                quantity: u64::from(number) + index as u64,
            })
            .collect();
        let discount = match number % 3 {
            0 => Discount::None,
            1 => Discount::Percent(10),
            _ => Discount::Above { limit: 100_000, percent: 5 },
        };
        let customer = format!("customer {number}");
        orders.insert(number, Order { number, customer, lines, discount });
    }
    orders
}
