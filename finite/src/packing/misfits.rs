//! Which numbers in a value have no code, and which elements have no number.

use super::{Form, Misfit, Packing};
use ioa_lang::Value;

impl Packing {
    /// Reports the numbers and lengths in a value that do not fit their places, and the codes of elements that have no number.
    pub(super) fn misfits(&self, value: &Value, misfit: &mut Misfit<'_>) {
        match (&self.form, value) {
            (Form::Int(_, place), Value::Int(n)) if self.encode(value).is_none() => {
                misfit(*place, n);
            }
            (Form::Numbered(inner, dictionary, place), value) => match inner.encode(value) {
                Some(code) if dictionary.number(code).is_none() => misfit(*place, &code.into()),
                Some(_) => {}
                None => inner.misfits(value, misfit),
            },
            (Form::Null(inner), Value::Null(Some(value))) => inner.misfits(value, misfit),
            (Form::Set(element), Value::Set(values)) => {
                values
                    .iter()
                    .for_each(|value| element.misfits(value, misfit));
            }
            (Form::Seq(length, element), Value::Seq(values)) => {
                length.misfits(&Value::Int(values.len().into()), misfit);
                values
                    .iter()
                    .for_each(|value| element.misfits(value, misfit));
            }
            (Form::Mset(element, count), Value::Mset(counts)) => {
                for (value, n) in counts {
                    element.misfits(value, misfit);
                    count.misfits(&Value::Int((*n).into()), misfit);
                }
            }
            (Form::Tuple(_, fields), Value::Tuple(_, values)) => {
                let parts = fields.iter().zip(values);
                parts.for_each(|((_, field), value)| field.misfits(value, misfit));
            }
            (Form::Array(_, element), Value::Array { entries, default }) => {
                let elements = entries.values().chain(default.as_deref());
                elements.for_each(|value| element.misfits(value, misfit));
            }
            (Form::Map(domain, slot), Value::Map(entries)) => {
                for (key, value) in entries {
                    domain.misfits(key, misfit);
                    slot.misfits(&Value::Null(Some(Box::new(value.clone()))), misfit);
                }
            }
            (Form::Union(_, variants), Value::Union(_, variant, value)) => {
                if let Some((_, payload)) = variants.get(*variant as usize) {
                    payload.misfits(value, misfit);
                }
            }
            _ => {}
        }
    }
}
