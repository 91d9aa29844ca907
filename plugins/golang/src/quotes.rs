//! Quoted texts as Go writes them (strconv.Quote). Knows the escapes, nothing of values.

/// The bytes of a text between quotes; none: it is no such text.
pub fn unquoted(literal: &str) -> Option<Vec<u8>> {
    let mut rest = literal.strip_prefix('"')?.strip_suffix('"')?;
    let mut bytes = Vec::with_capacity(rest.len());
    while let Some(at) = rest.find(['\\', '"']) {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        let escape = rest[at..].strip_prefix('\\')?;
        let kind = escape.chars().next()?;
        rest = &escape[kind.len_utf8()..];
        let digits = match kind {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            _ => {
                bytes.push(plain(kind)?);
                continue;
            }
        };
        let number = u32::from_str_radix(rest.get(..digits)?, 16).ok()?;
        rest = &rest[digits..];
        match kind {
            'x' => bytes.push(u8::try_from(number).ok()?),
            _ => bytes.extend(char::from_u32(number)?.to_string().bytes()),
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    Some(bytes)
}

fn plain(escape: char) -> Option<u8> {
    Some(match escape {
        'a' => 7,
        'b' => 8,
        't' => b'\t',
        'n' => b'\n',
        'v' => 11,
        'f' => 12,
        'r' => b'\r',
        '\\' | '"' | '\'' => escape as u8,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_texts_have_their_bytes() {
        let check = |literal: &str, bytes: &[u8]| {
            assert_eq!(unquoted(literal).as_deref(), Some(bytes), "{literal}");
        };
        check(r#""""#, b"");
        check(r#""ab\"c'd\n\t\\n""#, b"ab\"c'd\n\t\\n");
        check(r#""é\x00\xff\u200b""#, b"\xc3\xa9\0\xff\xe2\x80\x8b");
        check(r#""\U0001f600\a\b\v\f\r""#, b"\xf0\x9f\x98\x80\x07\x08\x0b\x0c\r");
        for text in ["7", "\"", "nil", r#""a" b"c""#, r#""a\""#, r#""\q""#, r#""\x4""#] {
            assert_eq!(unquoted(text), None, "{text}");
        }
    }
}
