//! What an array says of a whole sort: how many elements it maps to a value, as `size({x: T where a[x] = v})`, or what the numbers in it
//! add up to. The value may be a quantified variable: how many guests a room has, say.

use ioa_lang::Span;
use ioa_lang::core::{Expr, ExprKind, Local, LocalId, Op, Type};

use super::kind::{Counted, Kind, Measure, Term, TermId};
use crate::build::{apply, enumerator, equal, member, nil, not, variable};
use crate::samples::Schema;

/// The values of an enumeration with more are not counted.
const MAX_ENUMERATORS: usize = 8;
/// Nor is anything of a sort with more elements.
const MAX_ELEMENTS: u64 = 64;

/// The sum of an array of numbers, or the counts of another one, of which it is known where it stands; what is bound in them is
/// added to the locals under a name. How often some variables occur in it is counted too.
pub(crate) fn totals(
    schema: &Schema,
    (id, array): (TermId, &Term),
    variables: &[(TermId, Term)],
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
    let own = tests(schema, element).into_iter();
    let own = own.map(|(counted, test)| (Kind::Count(id, counted), 0, test));
    let occurring = variables.iter().filter_map(|(variable, term)| {
        let test = occurrence(element, &term.expr)?;
        Some((Kind::Occurrences(id, *variable), term.binders, test))
    });
    let mut made = Vec::new();
    for (kind, binders, test) in own.chain(occurring) {
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
            kind,
            expr: apply(Op::Size, vec![those], &Type::Nat),
            binders: array.binders | binders,
            measure: Some(Measure::Counted),
            ..array.clone()
        });
    }
    made
}

/// Whether an element of this type is a variable, carries it, or contains it, if one of these can be.
fn occurrence(element: &Type, variable: &Expr) -> Option<Test> {
    let own = variable.clone();
    let ty = &variable.ty;
    let test: Test = match element {
        plain if plain == ty => Box::new(move |element| equal(element, own.clone())),
        Type::Null(inner) if **inner == *ty => Box::new(move |element| {
            let some = apply(Op::Embed, vec![own.clone()], &element.ty);
            equal(element, some)
        }),
        Type::Set(inner) if **inner == *ty => Box::new(move |element| member(own.clone(), element)),
        _ => return None,
    };
    Some(test)
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
