//! From the core back to text that means the same when it is read.
//!
//! A term that stands where it was written needs no types. A term that replaces a parameter of a `let` or of an action may
//! need them: where `a + b` meant integers, `2 + 0` would be read as a sum of natural numbers, and `{} = {}` would not be
//! readable at all. Instead of repeating the rules for types, this module calls the checker on the printed term. Parts that
//! are read differently are written with their types, until the whole term is read as it was.

mod abbreviations;
mod compare;
mod literal;
mod writer;

use std::collections::{BTreeMap, BTreeSet};

use super::checker::{Checker, Want};
use super::report::Report;
use super::scope::{Scope, Visible};
use super::world::{Namespace, World};
use crate::core::{Expr, ExprKind, FunctionId, Liveness, Local, LocalId, Meaning, Model, UnionId};
use crate::source::Span;
use crate::write::{self, Context, Places, Qualified};
pub use abbreviations::Abbreviations;
use compare::compare;
use literal::parts;
use writer::Writer;

/// An expression as IOA text. Bound variables are renamed where two would get in each other's way.
#[must_use]
pub fn expr(model: &Model, context: &Context<'_>, expr: &Expr) -> String {
    placed(model, context, expr).0
}

/// An expression as IOA text, and where its parts stand in the text.
#[must_use]
pub fn placed(model: &Model, context: &Context<'_>, expr: &Expr) -> (String, Places) {
    let mut qualified = Qualified::default();
    qualify(model, context, expr, &mut qualified);
    write::expr(model, context, expr, &qualified)
}

/// A liveness property as it is written after its name: `P leads to Q for m: Msg`.
#[must_use]
pub fn liveness(model: &Model, property: &Liveness) -> String {
    let context = Context::automaton(model, property.automaton, &property.locals);
    let mut qualified = Qualified::default();
    for formula in property.formula.formulas() {
        qualify(model, &context, formula, &mut qualified);
    }
    write::liveness(model, property, &qualified)
}

/// Adds the terms in `expr` that must be written with their types, if the context of `expr` determines its type.
fn qualify(model: &Model, context: &Context<'_>, expr: &Expr, qualified: &mut Qualified) {
    let mut world = world(model);
    let mut whole = vec![expr];
    expr.walk(&mut |e| {
        // Bound variables and the formula over them do not depend on the context.
        if let ExprKind::Quantified(_, _, body) | ExprKind::Comprehension(_, body) = &e.kind {
            whole.push(body);
        }
    });
    for root in whole {
        loop {
            let missed = missed(&mut world, root, context, qualified);
            if missed.is_empty() {
                break;
            }
            let mut is_new = false;
            for term in &missed {
                is_new |= qualified.add(term);
            }
            if !is_new {
                // The types of these terms do not help; those of all their parts may, or otherwise those of all terms.
                for term in &missed {
                    is_new |= add_parts(term, qualified);
                }
            }
            if !is_new && !add_parts(root, qualified) {
                break;
            }
        }
    }
}

/// Adds all parts of a term, and says whether one is new.
fn add_parts(term: &Expr, qualified: &mut Qualified) -> bool {
    let mut is_new = false;
    for part in parts(term) {
        is_new |= qualified.add(part);
        is_new |= add_parts(part, qualified);
    }
    is_new
}

/// What the reader must know about a model: its types and its operators.
fn world(model: &Model) -> World {
    let mut world = World {
        model: Model {
            sorts: model.sorts.clone(),
            enumerations: model.enumerations.clone(),
            tuples: model.tuples.clone(),
            unions: model.unions.clone(),
            functions: model.functions.clone(),
            ..Model::default()
        },
        tuple_sizes: vec![1; model.tuples.len()],
        union_sizes: vec![1; model.unions.len()],
        ..World::default()
    };
    for (id, union) in model.unions.iter().enumerate() {
        for (position, (name, _)) in (0..).zip(&union.variants) {
            let known = world.variants.entry(name.clone()).or_default();
            known.push((UnionId::at(id), position));
        }
    }
    for (id, function) in model.functions.iter().enumerate() {
        let id = FunctionId::at(id);
        match function.meaning {
            Meaning::Less(sort) => drop(world.namespace(Namespace::All).orders.insert(sort, id)),
            Meaning::InGroup { member, group } => {
                world
                    .namespace(Namespace::All)
                    .groups
                    .insert(group, (member, id));
            }
            Meaning::Axioms => {
                let known = world.namespace(Namespace::All);
                let named = known.operators.entry(function.name.clone());
                named.or_default().push(id);
            }
        }
    }
    world
}

/// The terms that would be read differently, or that prevent the whole from being read.
fn missed<'e>(
    world: &mut World,
    root: &'e Expr,
    context: &Context<'_>,
    qualified: &Qualified,
) -> Vec<&'e Expr> {
    let mut writer = Writer {
        model: &world.model,
        context,
        qualified,
        types: BTreeMap::new(),
        terms: Vec::new(),
    };
    let written = writer.term(root);
    let (types, terms) = (writer.types, writer.terms);
    let mut scope = Scope::empty();
    scope.random = Ok(());
    world.types.clear();
    for (ty, name) in types {
        scope.visible.push(Visible {
            name: name.clone(),
            span: Span::default(),
            id: Some(LocalId::at(scope.locals.len())),
        });
        scope.locals.push(Local {
            name: name.clone(),
            ty: ty.clone(),
            span: Span::default(),
        });
        world.types.insert(name, Some(ty));
    }
    let mut report = Report::new(BTreeSet::new());
    let mut checker = Checker::new(world, &mut report, scope);
    let read = checker.term(&written, Want::Type(&root.ty, None));
    let mut missed = Vec::new();
    match read {
        Some(read) => compare(&read, root, &mut missed),
        None => {
            for mistake in report.into_diagnostics() {
                let related = mistake.related.iter().map(|(span, _)| *span);
                let places = [mistake.span].into_iter().chain(related);
                let mut terms = places.filter_map(|span| terms.get(span.start as usize));
                missed.extend(terms.find(|term| !qualified.contains(term)));
            }
        }
    }
    missed
}
