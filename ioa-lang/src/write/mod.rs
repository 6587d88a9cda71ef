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
    let args = args.iter().map(|arg| (arg.clone(), Places::default()));
    placed_action(automaton, action, args.collect()).0
}

/// The same, with where the parameters stand that were written before.
#[must_use]
pub fn placed_action(
    automaton: &Automaton,
    action: &Action,
    args: Vec<(String, Places)>,
) -> (String, Places) {
    let own = action.name.rsplit_once('.').and_then(|(path, name)| {
        let mut components = automaton.components.iter();
        let component = components.find(|component| *component.path == *path)?;
        let indices = component.indices.len();
        (indices <= args.len()).then_some((path, name, indices))
    });
    let (mut text, mut places) = (String::new(), Places::default());
    let mut args = args.into_iter();
    let mut put = |text: &mut String, arg: Option<(String, Places)>| {
        if let Some((written, within)) = arg {
            places.append(text.len(), within);
            text.push_str(&written);
        }
    };
    match own {
        Some((path, name, indices)) => {
            for part in term::parts_of_path(automaton, path, indices) {
                match part {
                    PathPart::Name(name) => text.push_str(name),
                    PathPart::Index(_) => {
                        text.push('[');
                        put(&mut text, args.next());
                        text.push(']');
                    }
                }
            }
            text.push('.');
            text.push_str(name);
        }
        None => text.push_str(&action.name),
    }
    let count = args.len();
    for (at, arg) in args.enumerate() {
        text.push_str(if at == 0 { "(" } else { ", " });
        put(&mut text, Some(arg));
    }
    text.push_str(if count > 0 { ")" } else { "" });
    (text, places)
}
