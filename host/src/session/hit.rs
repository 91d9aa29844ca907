//! Hit conditions: the caller's spelling, its meaning, and the adapter's spelling.
//!
//! A number alone means exactly that hit. Adapters disagree about it: as written it
//! stops at the third hit, from the third on, at every third, or after three.

use dapdock_schema::HitCondition;

use super::Error;

/// When a hit counts, hits counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hits {
    /// The n-th only.
    Exactly(u64),
    /// From the n-th on.
    From(u64),
    /// Every n-th.
    Every(u64),
}

impl Hits {
    /// Reads `3`, `== 3`, `>= 3`, `> 3`, `% 3`.
    pub(super) fn parse(text: &str) -> Result<Self, Error> {
        let bad = || Error::BadHitCondition { text: text.to_owned() };
        let trimmed = text.trim();
        let digits = trimmed.find(|c: char| c.is_ascii_digit()).ok_or_else(bad)?;
        let (operator, number) = trimmed.split_at(digits);
        let number: u64 = number.parse().map_err(|_| bad())?;
        match operator.trim() {
            "" | "=" | "==" | "===" if number > 0 => Ok(Self::Exactly(number)),
            ">=" if number > 0 => Ok(Self::From(number)),
            ">" => Ok(Self::From(number + 1)),
            "%" if number > 0 => Ok(Self::Every(number)),
            _ => Err(bad()),
        }
    }

    /// Is the n-th hit one that counts?
    pub(super) fn accept(self, number: u64) -> bool {
        match self {
            Self::Exactly(n) => number == n,
            Self::From(n) => number >= n,
            Self::Every(n) => number.is_multiple_of(n),
        }
    }

    /// As the adapter writes it; none: it has no word for it.
    pub(super) fn write(self, dialect: HitCondition) -> Option<String> {
        match (dialect, self) {
            (HitCondition::Operators, Self::Exactly(n)) => Some(format!("== {n}")),
            (HitCondition::Operators, Self::From(n)) => Some(format!(">= {n}")),
            (HitCondition::Operators, Self::Every(n)) => Some(format!("% {n}")),
            (HitCondition::IgnoreCount, Self::From(n)) => Some((n - 1).to_string()),
            (HitCondition::IgnoreCount, _) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_has_one_meaning() {
        for (text, hits) in [
            ("3", Hits::Exactly(3)),
            (" == 3", Hits::Exactly(3)),
            (">=3", Hits::From(3)),
            ("> 3", Hits::From(4)),
            ("%2", Hits::Every(2)),
        ] {
            assert_eq!(Hits::parse(text).unwrap(), hits, "{text}");
        }
        for text in ["", "three", "0", "% 0", "< 3", "3 times", "-3"] {
            assert!(Hits::parse(text).is_err(), "{text}");
        }
    }
}
