//! Invariants and liveness properties.

use super::uses;
use crate::check::automaton::state_scope;
use crate::check::checker::{Checker, Want};
use crate::check::report::Report;
use crate::check::unused::UseCheck;
use crate::check::world::World;
use crate::core::{AutomatonId, Extent, Invariant, Liveness, StateTerm, Type};
use crate::source::{Name, Span};
use crate::syntax::ast::{self, InvariantItem, LivenessItem};

pub(in crate::check) fn invariant(
    item: &InvariantItem,
    automaton: AutomatonId,
    world: &World,
    report: &mut Report,
) -> Option<Invariant> {
    let about = (automaton, Extent::EverySize);
    let formula = (&item.formula, item.span);
    let stated = stated(&item.name.name, about, formula, world, report)?;
    Some(Invariant {
        uses: uses::names(item.uses.as_deref()),
        ..stated
    })
}

/// The claim that a formula at a given place makes about an automaton.
pub(in crate::check) fn stated(
    name: &Name,
    (automaton, extent): (AutomatonId, Extent),
    (formula, span): (&ast::Expr, Span),
    world: &World,
    report: &mut Report,
) -> Option<Invariant> {
    let mut checker = about((automaton, extent), world, report);
    let formula = checker.formula(formula)?;
    Some(Invariant {
        name: name.clone(),
        automaton,
        locals: checker.scope.locals,
        formula,
        uses: None,
        span,
    })
}

/// Checks a term over the states of an automaton, with the expected type if there is one.
pub(in crate::check) fn term(
    of: (AutomatonId, Extent),
    term: &ast::Expr,
    wanted: Option<&Type>,
    world: &World,
    report: &mut Report,
) -> Option<StateTerm> {
    let mut checker = about(of, world, report);
    let want = wanted.map_or(Want::Anything, |ty| Want::Type(ty, None));
    let term = checker.term(term, want)?;
    Some(StateTerm {
        locals: checker.scope.locals,
        term,
    })
}

/// A liveness property.
pub(in crate::check) fn liveness(
    item: &LivenessItem,
    automaton: AutomatonId,
    world: &World,
    report: &mut Report,
) -> Option<Liveness> {
    let part = UseCheck::begin("the parameter", report);
    let mut checker = about((automaton, Extent::EverySize), world, report);
    let params: Vec<_> = item
        .binders
        .iter()
        .map(|binder| checker.bind_written(binder))
        .collect();
    let progress = item.progress.as_ref()?;
    let formula = progress.map(&mut |formula| checker.formula(formula));
    part.end(params.iter().copied().flatten(), &mut checker);
    Some(Liveness {
        name: item.name.name.clone(),
        automaton,
        params: params.into_iter().collect::<Option<_>>()?,
        formula: formula.all()?,
        locals: checker.scope.locals,
        span: item.span,
    })
}

/// A checker for terms over the states of an automaton; the extent says whether they may name elements.
pub(super) fn about<'w, 'r>(
    (automaton, extent): (AutomatonId, Extent),
    world: &'w World,
    report: &'r mut Report,
) -> Checker<'w, 'r> {
    let mut checker = Checker::new(world, report, state_scope(world.header(automaton)));
    checker.scope.enabled = Ok(automaton);
    checker.scope.elements = extent == Extent::OneInstance;
    checker
}
