//! The address that a value holds, where the adapter has it only as the value of an expression.
//!
//! Refuses to read it for values that a caller has not named: it costs a request.

use crate::dap::arguments::EvaluateArguments;
use crate::dap::request;
use crate::model::{Effects, Variable};
use crate::session::values::reader::FrameReader;

/// Adds the address that the variable holds, if the adapter has an expression for it.
pub(crate) async fn read(reader: &FrameReader<'_>, variable: &mut Variable) {
    let Some(expression) = reader.wire.quirks().address_expression(variable) else { return };
    let arguments = EvaluateArguments {
        expression,
        frame_id: reader.frame.map(|frame| frame.id),
        context: Some(reader.wire.quirks().context(Effects::None).to_owned()),
        format: None,
    };
    let answer = reader.wire.call::<request::Evaluate>(arguments).await;
    variable.address = answer.ok().and_then(|number| last_address(&number.result));
}

/// The last hexadecimal number of a text, unless it is 0.
fn last_address(text: &str) -> Option<String> {
    let (_, digits) = text.rsplit_once("0x")?;
    let end = digits.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(digits.len());
    let address = u64::from_str_radix(&digits[..end], 16).ok()?;
    (address > 0).then(|| format!("{address:#x}"))
}

#[test]
fn last_number_is_the_address() {
    for (text, expect) in [
        ("4096 = 0x1000", Some("0x1000")),
        ("0x0000FF00", Some("0xff00")),
        ("0 = 0x0", None),
        ("nil", None),
    ] {
        assert_eq!(last_address(text).as_deref(), expect, "{text}");
    }
}
