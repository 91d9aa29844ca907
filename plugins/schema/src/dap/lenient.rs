//! Parses bodies as adapters write them, tolerating harmless deviations.
//!
//! Knows JSON, but no message.
//!
//! A response that is rejected for its spelling leaves a request waiting for ever, so null members
//! are treated as missing ones, which have defaults, and `3.0` as `3`. A struct is parsed from an
//! object only: the other forms that serde supports would be most of a plugin's code.

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{
    DeserializeOwned, Deserializer, Error as _, IntoDeserializer, Unexpected, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::{Error, Map, Number, Value};

/// Parses a body. An absent one counts as `{}`.
///
/// # Errors
/// If a field has a type that cannot be tolerated.
pub fn decode<T: DeserializeOwned>(body: &Value) -> serde_json::Result<T> {
    match body {
        Value::Null => T::deserialize(Body(&Value::Object(Map::new()))),
        body => T::deserialize(Body(body)),
    }
}

#[derive(Clone, Copy)]
struct Body<'de>(&'de Value);

impl<'de> Body<'de> {
    fn refuse<T>(self, wanted: &dyn serde::de::Expected) -> Result<T, Error> {
        let found = match self.0 {
            Value::Null => Unexpected::Unit,
            Value::Bool(value) => Unexpected::Bool(*value),
            Value::Number(_) => Unexpected::Other("number"),
            Value::String(text) => Unexpected::Str(text),
            Value::Array(_) => Unexpected::Seq,
            Value::Object(_) => Unexpected::Map,
        };
        Err(Error::invalid_type(found, wanted))
    }

    fn members<V: Visitor<'de>>(
        members: &'de Map<String, Value>,
        visitor: V,
    ) -> Result<V::Value, Error> {
        let present = members.iter().filter(|(_, member)| !member.is_null());
        visitor.visit_map(MapDeserializer::new(
            present.map(|(name, member)| (name.as_str(), Body(member))),
        ))
    }

    fn items<V: Visitor<'de>>(items: &'de [Value], visitor: V) -> Result<V::Value, Error> {
        visitor.visit_seq(SeqDeserializer::new(items.iter().map(Body)))
    }

    fn number<V: Visitor<'de>>(number: &Number, visitor: V) -> Result<V::Value, Error> {
        match (number.as_i64().or_else(|| whole(number)), number.as_u64(), number.as_f64()) {
            (Some(number), ..) => visitor.visit_i64(number),
            (None, Some(number), _) => visitor.visit_u64(number),
            (None, None, number) => visitor.visit_f64(number.unwrap_or(f64::NAN)),
        }
    }
}

impl<'de> IntoDeserializer<'de, Error> for Body<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Body<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Number(number) => Self::number(number, visitor),
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Array(items) => Self::items(items, visitor),
            Value::Object(members) => Self::members(members, visitor),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.0 {
            Value::Object(members) => Self::members(members, visitor),
            _ => self.refuse(&visitor),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Array(items) => Self::items(items, visitor),
            _ => self.refuse(&visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::String(text) => visitor.visit_borrowed_str(text),
            _ => self.refuse(&visitor),
        }
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Number(number) => Self::number(number, visitor),
            _ => self.refuse(&visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Bool(value) => visitor.visit_bool(*value),
            _ => self.refuse(&visitor),
        }
    }

    /// A variant without content, by its name.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self.0 {
            Value::String(text) => visitor.visit_enum(text.as_str().into_deserializer()),
            _ => self.refuse(&visitor),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i128 u8 u16 u32 u64 u128 f32 f64 char str bytes byte_buf unit unit_struct
        newtype_struct tuple tuple_struct map identifier
    }
}

/// `3.0` as `3`; beyond 2^53 a float is not exact.
fn whole(number: &Number) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let float = number.as_f64().filter(|_| number.is_f64())?;
    (float.fract() == 0.0 && float.abs() <= EXACT).then_some(float as i64)
}
