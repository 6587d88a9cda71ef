//! Text of expressions of the core, with as few parentheses as the grammar allows. Which terms are written with their types is
//! for the caller to say: [`print`](mod@crate::print) finds that out.

mod apply;
mod context;
mod names;
mod places;
mod qualified;
mod term;

use crate::core::{Action, Automaton, Expr, Liveness, Model, Op, Type};

pub use context::Context;
pub use places::Places;
pub(crate) use qualified::Qualified;
use term::PathPart;

/// An expression as IOA text, with the types of some of its terms, and where its parts stand in the text. Bound variables are
/// renamed where two would get in each other's way.
pub(crate) fn expr(
    model: &Model,
    context: &Context<'_>,
    expr: &Expr,
    qualified: &Qualified,
) -> (String, Places) {
    let names = names::Names::new(model, context, expr);
    term::Printer::new(model, context, names, qualified).print(expr)
}

/// A liveness property as it is written after its name, with the types of some terms of its formulas.
pub(crate) fn liveness(model: &Model, property: &Liveness, qualified: &Qualified) -> String {
    let context = Context::automaton(model, property.automaton, &property.locals);
    let parts = property.formula.formulas().into_iter().cloned();
    let whole = Expr::apply(Op::And, parts.collect(), Type::Bool, property.span);
    let names = names::Names::new(model, &context, &whole);
    term::Printer::new(model, &context, names, qualified).progress(property)
}

/// An action with its actual parameters, as it is fired: `put(m, 3)`; `P[i].tick(m)` for a component's own action.
#[must_use]
pub fn action(automaton: &Automaton, action: &Action, args: &[String]) -> String {
    let own = action.name.rsplit_once('.');
    let component = own.and_then(|(path, _)| {
        let components = automaton.components.iter();
        components
            .clone()
            .find(|component| *component.path == *path)
    });
    let (mut text, mut rest) = (action.name.to_string(), args);
    if let (Some((path, name)), Some(component)) = (own, component)
        && component.indices.len() <= args.len()
    {
        let (indices, others) = args.split_at(component.indices.len());
        let parts = term::parts_of_path(automaton, path, indices.len());
        let parts = parts.into_iter().map(|part| match part {
            PathPart::Name(name) => name.to_owned(),
            PathPart::Index(position) => format!("[{}]", indices[position]),
        });
        text = format!("{}.{name}", parts.collect::<String>());
        rest = others;
    }
    match rest.is_empty() {
        true => text,
        false => format!("{text}({})", rest.join(", ")),
    }
}
