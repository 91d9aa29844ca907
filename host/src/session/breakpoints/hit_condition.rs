//! Hit conditions: the caller's spelling and its meaning. A number alone means exactly that hit.

use crate::dap::types::{HitCondition, HitOperator};
use crate::session::Error;
use crate::session::breakpoints;

/// The highest hit count.
const MOST: u64 = u32::MAX as u64;

/// Which hits satisfy the condition, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hits {
    /// The n-th only.
    Exactly(u64),
    /// From the n-th on.
    From(u64),
    /// Every n-th.
    Every(u64),
}

impl Hits {
    /// Reads `3`, `== 3`, `>= 3`, `> 3`, `% 3`.
    pub(crate) fn parse(text: &str) -> Result<Self, Error> {
        let bad =
            || Error::Breakpoints(breakpoints::Error::BadHitCondition { text: text.to_owned() });
        let trimmed = text.trim();
        let digits = trimmed.find(|c: char| c.is_ascii_digit()).ok_or_else(bad)?;
        let (operator, number) = trimmed.split_at(digits);
        if !number.bytes().all(|digit| digit.is_ascii_digit()) {
            return Err(bad());
        }
        let number = number.parse().unwrap_or(u64::MAX);
        let hits = match operator.trim() {
            "" | "=" | "==" | "===" if number > 0 => Self::Exactly(number),
            ">=" if number > 0 => Self::From(number),
            ">" => Self::From(number.saturating_add(1)),
            "%" if number > 0 => Self::Every(number),
            _ => return Err(bad()),
        };
        if hits.first() > MOST {
            return Err(Error::Breakpoints(breakpoints::Error::HitOutOfReach {
                text: text.to_owned(),
                most: MOST,
            }));
        }
        Ok(hits)
    }

    /// The first hit that satisfies it.
    fn first(self) -> u64 {
        let (Self::Exactly(n) | Self::From(n) | Self::Every(n)) = self;
        n
    }

    /// For code of the plugin that counts; `earlier`: hits so far.
    pub(crate) fn for_plugin(self, earlier: u32) -> HitCondition {
        let (operator, number) = match self {
            Self::Exactly(n) => (HitOperator::Equal, n),
            Self::From(n) => (HitOperator::AtLeast, n),
            Self::Every(n) => (HitOperator::Multiple, n),
        };
        // The number was read as at most `MOST`.
        HitCondition { earlier, operator, number: u32::try_from(number).unwrap_or(u32::MAX) }
    }

    /// Does the n-th hit satisfy it?
    pub(crate) fn accept(self, number: u64) -> bool {
        match self {
            Self::Exactly(n) => number == n,
            Self::From(n) => number >= n,
            Self::Every(n) => number.is_multiple_of(n),
        }
    }

    /// The number of the hit that is the n-th to satisfy it.
    pub(crate) fn nth(self, n: u64) -> Option<u64> {
        match self {
            Self::Exactly(number) => (n == 1).then_some(number),
            Self::From(number) => (number - 1).checked_add(n),
            Self::Every(number) => number.checked_mul(n),
        }
    }

    /// How many of the first hits satisfy it.
    pub(crate) fn accepted(self, hits: u64) -> u64 {
        match self {
            Self::Exactly(n) => u64::from(n <= hits),
            Self::From(n) => (hits + 1).saturating_sub(n),
            Self::Every(n) => hits / n,
        }
    }
}

/// Has none of this many hits satisfied the condition?
pub fn is_short_of(hits: u32, condition: &str) -> bool {
    Hits::parse(condition).is_ok_and(|counts| u64::from(hits) < counts.first())
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
            assert!(
                matches!(
                    Hits::parse(text),
                    Err(Error::Breakpoints(breakpoints::Error::BadHitCondition { .. }))
                ),
                "{text}"
            );
        }
        for text in
            ["> 4294967295", "4294967296", "> 18446744073709551615", "% 99999999999999999999999"]
        {
            assert!(
                matches!(
                    Hits::parse(text),
                    Err(Error::Breakpoints(breakpoints::Error::HitOutOfReach { .. }))
                ),
                "{text}"
            );
        }
        assert_eq!(Hits::parse("4294967295").unwrap(), Hits::Exactly(MOST));
        let sent = Hits::parse("> 3").unwrap().for_plugin(2);
        assert_eq!(sent, HitCondition { earlier: 2, operator: HitOperator::AtLeast, number: 4 });
    }
}
