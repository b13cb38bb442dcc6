//! JSON schemas of types that write themselves.

use crate::result::{ResultField, Unknown};
use crate::spec::{IorData, Pattern};
use crate::{Bytes, Nanos, Op, PerOp, Rate};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;

/// States that types are written as text, each with what the text is.
#[macro_export]
macro_rules! schema_of_text {
    ($($type:ty, $what:literal;)+) => {$(
        impl schemars::JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "description": $what })
            }
        }
    )+};
}

schema_of_text! {
    Bytes, "A size with its unit, as in `8KiB`.";
    Nanos, "A duration with its unit, as in `250ms`.";
    Rate, "A rate with its unit.";
    Pattern, "Bytes in hexadecimal, and `%o` for the offset.";
    IorData, "Kind, task and stamp, as in `offset/3/1700000000`.";
}

impl JsonSchema for Unknown {
    fn schema_name() -> Cow<'static, str> {
        "Unknown".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names = ResultField::ALL.iter().map(|field| field.name());
        json_schema!({
            "description": "Fields that the source of an import says nothing about.",
            "type": "array",
            "items": { "enum": names.collect::<Vec<_>>() },
        })
    }
}

impl<T: JsonSchema> JsonSchema for PerOp<Option<T>> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("PerOp_of_{}", T::schema_name()).into()
    }

    fn json_schema(types: &mut SchemaGenerator) -> Schema {
        let one = types.subschema_for::<T>();
        let of_ops = Op::ALL.map(|op| (op.name().to_owned(), one.clone().to_value()));
        let properties = serde_json::Map::from_iter(of_ops);
        json_schema!({ "type": "object", "properties": properties })
    }
}
