//! Values in the notation of ITF, which are read back according to their types.
//!
//! | IOA | ITF |
//! |---|---|
//! | Bool | `true` |
//! | Nat, Int | `{"#bigint": "7"}` |
//! | element of a sort | `"Node#2"` |
//! | enumeration | `{"tag": "idle", "value": {"#tup": []}}` |
//! | tuple | `{"src": .., "dst": ..}` |
//! | Set, Seq | `{"#set": [..]}`, `[..]` |
//! | Null | `{"tag": "nil", "value": {"#tup": []}}`, `{"tag": "embed", "value": ..}` |
//! | union | `{"tag": "num", "value": ..}` |
//! | Map | `{"#map": [[key, value], ..]}`: what is defined |
//! | Mset | `{"#map": [[element, {"#bigint": "2"}], ..]}`: how often each is in it |
//! | Char, String | `"a"`, `"abc"` |
//! | Real | `{"#real": "-1/3"}`, in lowest terms; where the denominator is 1, `{"#real": "2"}` |
//! | Array | `{"#map": [[index, element], ..]}`; over an infinite index type `{"default": .., "except": {"#map": ..}}` |

mod decode;

use std::fmt::Display;

use ioa_lang::Value;
use ioa_lang::core::{Model, Type};
use serde_json::{Value as Json, json};

pub(super) use self::decode::{decode, field};

/// A mistake in a value: the path to it, outermost step first, and what was expected there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mismatch {
    pub(super) path: Vec<String>,
    pub(super) expected: String,
}

impl Mismatch {
    pub(super) fn new(expected: impl Into<String>) -> Self {
        Self {
            path: Vec::new(),
            expected: expected.into(),
        }
    }

    /// The same mistake with its path extended by one outer step.
    pub(super) fn within(mut self, step: impl Display) -> Self {
        self.path.insert(0, step.to_string());
        self
    }
}

/// A value.
pub(super) fn encode(value: &Value, model: &Model) -> Json {
    let list = |values: &mut dyn Iterator<Item = &Value>| -> Json {
        values.map(|v| encode(v, model)).collect()
    };
    match value {
        Value::Bool(b) => json!(b),
        Value::Int(n) => json!({ "#bigint": n.to_string() }),
        Value::Element(..) => json!(value.display(model)),
        Value::Enumerator(..) => variant(&value.display(model), &unit()),
        Value::Tuple(id, values) => {
            let fields = model.tuples[id.index()].fields.iter().zip(values);
            fields
                .map(|((name, _), v)| (name.to_string(), encode(v, model)))
                .collect()
        }
        Value::Set(elements) => json!({ "#set": list(&mut elements.iter()) }),
        Value::Seq(elements) => list(&mut elements.iter()),
        Value::Null(None) => variant("nil", &unit()),
        Value::Null(Some(inner)) => variant("embed", &encode(inner, model)),
        Value::Real(n) => json!({ "#real": n.to_string() }),
        Value::Char(c) => json!(c),
        Value::Text(text) => json!(&**text),
        Value::Union(id, at, value) => {
            let variants = &model.unions[id.index()].variants;
            variant(&variants[*at as usize].0, &encode(value, model))
        }
        Value::Map(entries) => map(entries.iter().map(|(d, r)| (d, encode(r, model))), model),
        Value::Mset(counts) => {
            let counts = counts.iter();
            map(
                counts.map(|(e, n)| (e, json!({ "#bigint": n.to_string() }))),
                model,
            )
        }
        Value::Array { entries, default } => {
            let map = map(entries.iter().map(|(i, e)| (i, encode(e, model))), model);
            match default {
                None => map,
                Some(default) => json!({ "default": encode(default, model), "except": map }),
            }
        }
    }
}

/// Keys with their values.
fn map<'v>(pairs: impl Iterator<Item = (&'v Value, Json)>, model: &Model) -> Json {
    let pairs: Json = pairs.map(|(k, v)| json!([encode(k, model), v])).collect();
    json!({ "#map": pairs })
}

fn unit() -> Json {
    json!({ "#tup": [] })
}

/// A value of a variant type.
pub(super) fn variant(tag: &str, value: &Json) -> Json {
    json!({ "tag": tag, "value": value })
}

/// A type in Apalache's notation, as `#meta.varTypes` requires it.
pub(super) fn type_name(ty: &Type, model: &Model) -> String {
    let of = |ty: &Type| type_name(ty, model);
    match ty {
        Type::Bool => "Bool".into(),
        Type::Nat | Type::Int => "Int".into(),
        Type::Sort(id) => model.sorts[id.index()].name.to_uppercase(),
        Type::Enum(id) => {
            let values = model.enumerations[id.index()].values.iter();
            let variants: Vec<String> = values.map(|v| format!("{v}(UNIT)")).collect();
            variants.join(" | ")
        }
        Type::Tuple(id) => {
            let fields = model.tuples[id.index()].fields.iter();
            let fields: Vec<String> = fields
                .map(|(name, ty)| format!("{name}: {}", of(ty)))
                .collect();
            format!("{{ {} }}", fields.join(", "))
        }
        Type::Set(element) => format!("Set({})", of(element)),
        Type::Seq(element) => format!("Seq({})", of(element)),
        Type::Null(inner) => format!("nil(UNIT) | embed({})", of(inner)),
        Type::Array(index, element) => format!("({} -> {})", of(index), of(element)),
        Type::Real => "Real".into(),
        Type::Char | Type::String => "Str".into(),
        Type::Union(id) => {
            let variants = model.unions[id.index()].variants.iter();
            let variants: Vec<String> = variants
                .map(|(name, ty)| format!("{name}({})", of(ty)))
                .collect();
            variants.join(" | ")
        }
        Type::Map(domain, range) => format!("({} -> {})", of(domain), of(range)),
        Type::Mset(element) => format!("({} -> Int)", of(element)),
    }
}

#[cfg(test)]
mod tests {
    use ioa_lang::Span;
    use ioa_lang::core::{EnumId, Rational, UnionId, UnionType};

    use super::*;

    fn model() -> Model {
        let variants = vec![("num".into(), Type::Int), ("name".into(), Type::String)];
        let item = UnionType {
            name: "Item".into(),
            variants,
            tags: EnumId(0),
            span: Span::default(),
        };
        let mut model = Model::default();
        model.unions.push(item);
        model
    }

    fn item() -> Type {
        Type::Union(UnionId(0))
    }

    fn num(n: i64) -> Value {
        Value::Union(UnionId(0), 0, Box::new(Value::int(n)))
    }

    #[test]
    fn every_value_is_read_back() {
        let name = Value::Union(UnionId(0), 1, Box::new(Value::Text("\"x\"\n".into())));
        let counts = [(num(1), 2), (name.clone(), 1)];
        let third = Rational::new((-1).into(), 3.into());
        let values = [
            (item(), name.clone()),
            (Type::Real, Value::Real(third)),
            (Type::Real, Value::Real(Rational::from_integer(7.into()))),
            (Type::Char, Value::Char('\u{e000}')),
            (Type::String, Value::Text("".into())),
            (
                Type::map(Type::Char, item()),
                Value::Map([(Value::Char('k'), name)].into()),
            ),
            (Type::mset(item()), Value::Mset(counts.into())),
        ];
        for (ty, value) in values {
            let json = encode(&value, &model());
            assert_eq!(decode(&json, &ty, &model()), Ok(value), "{json}");
        }
        let third = Value::Real(Rational::new((-1).into(), 3.into()));
        let strict = json!({ "#unserializable": "-1/3" });
        assert_eq!(decode(&strict, &Type::Real, &model()), Ok(third));
    }

    #[test]
    fn what_is_no_value_is_refused() {
        let twice = json!([["a", num_json("1")], ["a", num_json("2")]]);
        let wrong = [
            (Type::Real, json!({ "#real": "1/0" })),
            (Type::Real, json!({ "#real": "1/-2" })),
            (Type::Real, json!({ "#real": "0.5" })),
            (Type::Real, json!({ "#real": "1".repeat(30_000) })),
            (Type::Real, json!(0.5)),
            (Type::Char, json!("")),
            (Type::Char, json!("ab")),
            (Type::String, json!(["a"])),
            (item(), json!({ "tag": "other", "value": 1 })),
            (item(), json!({ "tag": "num" })),
            (item(), json!({ "tag": "num", "value": "1" })),
            (Type::map(Type::Char, Type::Int), json!({ "#map": twice })),
            (Type::map(Type::Char, Type::Int), json!({ "#map": [["a"]] })),
            (
                Type::mset(Type::Char),
                json!({ "#map": [["a", num_json("0")]] }),
            ),
            (
                Type::mset(Type::Char),
                json!({ "#map": [["a", num_json("-1")]] }),
            ),
            (
                Type::mset(Type::Char),
                json!({ "#map": [["a", num_json("99999999999999999999")]] }),
            ),
            (Type::mset(Type::Char), json!(["a"])),
        ];
        for (ty, json) in wrong {
            assert!(decode(&json, &ty, &model()).is_err(), "{json}");
        }
    }

    #[test]
    fn a_mismatch_says_where_it_is() {
        let json = json!({ "#map": [["a", { "tag": "num", "value": 1 }], ["b", { "tag": "name", "value": 1 }]] });
        let mismatch = decode(&json, &Type::map(Type::Char, item()), &model()).unwrap_err();
        assert_eq!(
            (mismatch.path, &*mismatch.expected),
            (vec!["1".into(), "name".into()], "a value of type String")
        );
    }

    fn num_json(n: &str) -> Json {
        json!({ "#bigint": n })
    }
}
