//! Terms by the names that an automaton gives them.

use super::expr as written;
use crate::core::{
    Assumed, CopyParts, Expr, ExprKind, Function, FunctionId, LocalId, Meaning, Model, OpenTerm,
    copy_of_parts,
};
use crate::source::{Name, Span};
use crate::write::Context;

/// The names of terms, so that an expression can be written with them.
#[derive(Clone, Debug)]
pub struct Abbreviations {
    /// The model, with an operator for each of the names.
    model: Model,
    named: Vec<(FunctionId, OpenTerm)>,
}

impl Abbreviations {
    /// The names of some terms. A term that is no more than a variable, a constant or a formula is written as it is.
    #[must_use]
    pub fn new(model: &Model, named: impl IntoIterator<Item = (Name, OpenTerm)>) -> Self {
        let mut all = Self {
            model: model.clone(),
            named: Vec::new(),
        };
        for (name, term) in named {
            if term.is_composed_value() {
                all.add(name, term);
            }
        }
        all
    }

    fn add(&mut self, name: Name, term: OpenTerm) {
        let open = term.locals[..term.open].iter();
        let id = FunctionId::at(self.model.functions.len());
        self.model.functions.push(Function {
            name,
            params: open.map(|local| local.ty.clone()).collect(),
            result: term.term.ty.clone(),
            meaning: Meaning::Axioms,
            assumed: Assumed::Everywhere,
            span: Span::default(),
        });
        self.named.push((id, term));
    }

    /// An expression as IOA text, with the names wherever a named term stands.
    #[must_use]
    pub fn expr(&self, context: &Context<'_>, expr: &Expr) -> String {
        written(&self.model, context, &self.abbreviated(expr))
    }

    fn abbreviated(&self, expr: &Expr) -> Expr {
        let mut named = self.named.iter();
        let found = named.find_map(|(id, term)| Some((*id, term.values_in(expr)?)));
        let kind = match found {
            Some((id, values)) => {
                let values = values.iter().map(|value| self.abbreviated(value));
                ExprKind::Theory(id, values.collect())
            }
            None => copy_of_parts(&expr.kind, &mut Parts(self)),
        };
        Expr::new(kind, expr.ty.clone(), expr.span)
    }
}

/// Copies of parts, with the names.
struct Parts<'a>(&'a Abbreviations);

impl CopyParts for Parts<'_> {
    fn part(&mut self, part: &Expr) -> Expr {
        self.0.abbreviated(part)
    }

    fn binder(&mut self, binder: LocalId) -> LocalId {
        binder
    }
}
