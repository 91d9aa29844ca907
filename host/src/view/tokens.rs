//! The tokens of a text, estimated without a vocabulary and rather too high. The tests of the views
//! compare the estimates with a real encoder (o200k).

/// What a run of characters is made of; a token never spans two kinds, except that one blank joins
/// the word behind it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Letter,
    Digit,
    Blank,
    Newline,
    Mark,
    Wide,
}

fn kind(c: char) -> Kind {
    match c {
        '\n' => Kind::Newline,
        c if c.is_whitespace() => Kind::Blank,
        c if c.is_ascii_alphabetic() => Kind::Letter,
        c if c.is_ascii_digit() => Kind::Digit,
        c if c.is_ascii() => Kind::Mark,
        _ => Kind::Wide,
    }
}

/// Tokens of a run of one kind: words average over four letters a token, digits go by three.
fn cost(kind: Kind, length: usize, wide: usize) -> usize {
    match kind {
        Kind::Letter => length.div_ceil(5),
        Kind::Digit => length.div_ceil(3),
        Kind::Blank => usize::from(length > 1),
        Kind::Newline => 1,
        Kind::Mark => length.div_ceil(2),
        Kind::Wide => wide,
    }
}

/// An estimate of `text`'s length in tokens.
pub fn estimate(text: &str) -> usize {
    let mut total = 0;
    let mut run: Option<(Kind, usize, usize)> = None;
    for c in text.chars() {
        let next = kind(c);
        let weight = if c as u32 > 0xFFFF { 3 } else { 1 };
        run = match run {
            Some((kind, length, wide)) if kind == next => Some((kind, length + 1, wide + weight)),
            finished => {
                total += finished.map_or(0, |(kind, length, wide)| cost(kind, length, wide));
                Some((next, 1, weight))
            }
        };
    }
    total + run.map_or(0, |(kind, length, wide)| cost(kind, length, wide))
}
