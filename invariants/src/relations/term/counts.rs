//! What an array says of a whole sort: how many elements it maps to a value, as `size({x: T where a[x] = v})`, or what the numbers in it
//! add up to.

use ioa_lang::Span;
use ioa_lang::core::{Expr, ExprKind, Local, LocalId, Op, Type};

use super::kind::{Counted, Kind, Measure, Term, TermId};
use crate::build::{apply, enumerator, equal, nil, not, variable};
use crate::samples::Schema;

/// The values of an enumeration with more are not counted.
const MAX_ENUMERATORS: usize = 8;
/// Nor is anything of a sort with more elements.
const MAX_ELEMENTS: u64 = 64;

/// The sum of an array of numbers, or the counts of another one, of which it is known where it stands; what is bound in them is
/// added to the locals under a name.
pub(crate) fn totals(
    schema: &Schema,
    (id, array): (TermId, &Term),
    (locals, name): (&mut Vec<Local>, &str),
) -> Vec<Term> {
    let Type::Array(index, element) = array.ty() else {
        return Vec::new();
    };
    let packing = schema.encoding(index).packing();
    let is_few = packing.is_some_and(|packing| packing.codes(MAX_ELEMENTS).is_some());
    if !matches!(**index, Type::Sort(_) | Type::Enum(_)) || !is_few {
        return Vec::new();
    }
    if element.is_integer() {
        let sum = apply(Op::Sum, vec![array.expr.clone()], element);
        return vec![Term {
            kind: Kind::Sum(id),
            expr: sum,
            measure: Some(Measure::Summed),
            ..array.clone()
        }];
    }
    let mut made = Vec::new();
    for (counted, test) in tests(schema, element) {
        let binder = LocalId::at(locals.len());
        locals.push(Local {
            name: name.into(),
            ty: (**index).clone(),
            span: Span::default(),
        });
        let args = vec![array.expr.clone(), variable(binder, index)];
        let body = test(apply(Op::Select, args, element));
        let those = ExprKind::Comprehension(binder, Box::new(body));
        let those = Expr::new(those, Type::set((**index).clone()), Span::default());
        made.push(Term {
            kind: Kind::Count(id, counted),
            expr: apply(Op::Size, vec![those], &Type::Nat),
            measure: Some(Measure::Counted),
            ..array.clone()
        });
    }
    made
}

pub(crate) type Test = Box<dyn Fn(Expr) -> Expr>;

/// What is asked of the elements of this type.
pub(crate) fn tests(schema: &Schema, element: &Type) -> Vec<(Counted, Test)> {
    match element {
        Type::Bool => vec![(Counted::Code(1), Box::new(|element| element))],
        Type::Null(_) => {
            let present = |element: Expr| {
                let nil = nil(&element.ty);
                not(equal(element, nil))
            };
            vec![(Counted::Present, Box::new(present))]
        }
        Type::Enum(id) => {
            let count = schema.model().enumerations[id.index()].values.len();
            let id = *id;
            let test = move |at: u32| -> (Counted, Test) {
                let is = move |element| equal(element, enumerator(id, at));
                (Counted::Code(u64::from(at)), Box::new(is))
            };
            let all = 0..u32::try_from(count).unwrap_or(u32::MAX);
            all.filter(|_| count <= MAX_ENUMERATORS).map(test).collect()
        }
        _ => Vec::new(),
    }
}
