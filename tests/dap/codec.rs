//! Framing as a table: input bytes and the frames they give, however the input is split.

use bytes::BytesMut;
use dapdock::dap::FrameLimits;
use dapdock::dap::codec::{Cause, Decoder, Frame, Garbage, encode};
use serde_json::{Value, json};

const LIMITS: FrameLimits = FrameLimits { header: 256, body: 1000 };

fn decode<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<Frame> {
    let (mut decoder, mut buffer, mut frames) = (Decoder::new(LIMITS), BytesMut::new(), Vec::new());
    for piece in pieces {
        buffer.extend_from_slice(piece);
        frames.extend(std::iter::from_fn(|| decoder.decode(&mut buffer)));
    }
    frames.extend(decoder.finish(&mut buffer).map(Frame::Garbage));
    frames
}

/// Whole, byte by byte, and cut in two at every position: always the same frames.
#[track_caller]
fn check(input: &[u8], expected: &[Frame]) {
    assert_eq!(decode([input]), expected, "whole");
    assert_eq!(decode(input.chunks(1)), expected, "byte by byte");
    for at in 0..input.len() {
        assert_eq!(decode([&input[..at], &input[at..]]), expected, "cut at {at}");
    }
}

fn message(n: i64) -> Frame {
    Frame::Message(json!({ "n": n }))
}

fn garbage(cause: Cause, bytes: usize, excerpt: &str) -> Frame {
    Frame::Garbage(Garbage { cause, bytes, excerpt: excerpt.into() })
}

fn noise(text: &str) -> Frame {
    garbage(Cause::Noise, text.len(), text)
}

const ONE: &str = "Content-Length: 7\r\n\r\n{\"n\":1}";
const TWO: &str = "Content-Length: 7\r\n\r\n{\"n\":2}";

#[test]
fn messages_survive_any_split() {
    check(b"", &[]);
    check(ONE.as_bytes(), &[message(1)]);
    check(format!("{ONE}{TWO}{ONE}").as_bytes(), &[message(1), message(2), message(1)]);
    check(
        &encode(&json!({"n": "žluťoučký 🐎"})).unwrap(),
        &[Frame::Message(json!({"n": "žluťoučký 🐎"}))],
    );
}

#[test]
fn headers_are_read_as_others_write_them() {
    check(b"Content-Type: x; charset=utf-8\r\nContent-Length: 7\r\n\r\n{\"n\":1}", &[message(1)]);
    check(b"Content-Length: 7\r\nX-Trace: 9\r\n\r\n{\"n\":1}", &[message(1)]);
    check(b"content-LENGTH:7\n\n{\"n\":1}", &[message(1)]);
    check(b"Content-Length: 99\r\nContent-Length: 7\r\n\r\n{\"n\":1}", &[message(1)]);
    check(format!("\r\n{ONE}\r\n\n{TWO}\n").as_bytes(), &[message(1), message(2)]);
}

#[test]
fn text_between_messages_is_noise() {
    check(format!("Listening on :1\n{ONE}").as_bytes(), &[noise("Listening on :1\n"), message(1)]);
    check(
        format!("Error: no module\n{ONE}").as_bytes(),
        &[noise("Error: no module\n"), message(1)],
    );
    check(format!("{ONE}oops{TWO}").as_bytes(), &[message(1), noise("oops"), message(2)]);
    check(format!("a\nb\n{ONE}").as_bytes(), &[noise("a\n"), noise("b\n"), message(1)]);
    check(b"killed", &[noise("killed")]);
    check(b"Fatal: dead\r\n", &[noise("Fatal: dead\r\n")]);
    let bad = "Content-Length: many\r\n";
    check(format!("{bad}{ONE}").as_bytes(), &[noise(bad), message(1)]);
}

#[test]
fn broken_headers_are_discarded() {
    let broken = "Content-Length: 7\r\nnot a header\r\n";
    check(format!("{broken}{ONE}").as_bytes(), &[noise(broken), message(1)]);
    let long = "Content-Length: 7\r\n".to_owned() + &"X: 1234\r\n".repeat(27);
    let expected = garbage(Cause::HeaderTooLong, long.len(), &long[..200]);
    check(format!("{long}{ONE}").as_bytes(), &[expected, message(1)]);
    let endless = "x".repeat(1000);
    check(
        format!("{endless}{ONE}").as_bytes(),
        &[garbage(Cause::Noise, 1000, &endless[..200]), message(1)],
    );
}

#[test]
fn wrong_length_loses_one_message() {
    let huge = "Content-Length: 10000000000\r\n\r\n";
    let expected = garbage(Cause::BodyTooLong { announced: 10_000_000_000 }, huge.len(), huge);
    let expected = expected_without_blank(expected, huge);
    check(format!("{huge}{{\"se{ONE}").as_bytes(), &[expected, noise("{\"se"), message(1)]);
    let beyond = "Content-Length: 99999999999999999999999\r\n\r\n";
    let expected = garbage(Cause::BodyTooLong { announced: u64::MAX }, beyond.len(), beyond);
    check(
        format!("{beyond}{ONE}").as_bytes(),
        &[expected_without_blank(expected, beyond), message(1)],
    );
    let short = "Content-Length: 4\r\n\r\n{\"n\":1}";
    check(format!("{short}{TWO}").as_bytes(), &[not_json("{\"n\""), noise(":1}"), message(2)]);
    let long = "Content-Length: 30\r\n\r\n{\"n\":";
    check(format!("{long}{ONE}{TWO}").as_bytes(), &[not_json("{\"n\":"), message(1), message(2)]);
}

/// The blank line that ends the header is not part of the discarded bytes.
fn expected_without_blank(frame: Frame, header: &str) -> Frame {
    let Frame::Garbage(garbage) = frame else {
        return frame;
    };
    let excerpt = header.trim_end().to_owned() + "\r\n";
    Frame::Garbage(Garbage { bytes: excerpt.len(), excerpt, ..garbage })
}

fn not_json(text: &str) -> Frame {
    let end = text.len() - text.trim_end_matches(':').len();
    let cause = serde_json::from_str::<Value>(text).unwrap_err().to_string();
    let cause = if end > 0 { "expected value at line 1 column 6".into() } else { cause };
    garbage(Cause::NotJson(cause), text.len(), text)
}

#[test]
fn invalid_unicode_is_replaced() {
    let cases: [(&[u8], &str); 4] = [
        (b"{\"n\":\"a\xffb\"}", "a\u{fffd}b"),
        (br#"{"n":"a\udc80b"}"#, "a\u{fffd}b"),
        (br#"{"n":"\ud83d\udc0e\ud83d\\udc0e"}"#, "🐎\u{fffd}\\udc0e"),
        (br#"{"n":"\\udc80\ud83d"}"#, "\\udc80\u{fffd}"),
    ];
    for (body, expected) in cases {
        let frame = [format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes(), body].concat();
        check(&frame, &[Frame::Message(json!({ "n": expected }))]);
    }
}

#[test]
fn end_inside_a_message_is_reported() {
    check(b"Content-Length: 7\r\n\r\n{\"n\"", &[garbage(Cause::CutShort, 4, "{\"n\"")]);
    check(b"Content-Length: 7\r\n\r\n", &[garbage(Cause::CutShort, 0, "")]);
    check(b"Content-Length: 7\r\n", &[garbage(Cause::CutShort, 19, "Content-Length: 7\r\n")]);
}
