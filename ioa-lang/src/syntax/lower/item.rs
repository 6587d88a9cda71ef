//! Items and the headings of items.

use super::section::with_indices;
use super::{Builder, action_kind};
use crate::notation::{Connective, Direction, Temporal};
use crate::source::Span;
use crate::syntax::ast::{
    AutomatonItem, Expr, Ident, InvariantItem, LetItem, LivenessItem, Parameter, ProofEntryItem,
    ScheduleItem, SimulationItem, TheoryItem, TypeDefinition, TypeItem,
};
use crate::syntax::view::{self, Progress};

impl Builder {
    /// `type ..`
    pub(super) fn type_item(&self, declaration: view::TypeDeclaration<'_>) -> TypeItem {
        let definition = declaration.definition().map(|it| self.type_definition(it));
        TypeItem {
            name: self.ident(declaration.name()),
            definition: definition.unwrap_or(TypeDefinition::Sort),
            span: self.span(declaration),
        }
    }

    fn type_definition(&self, definition: view::TypeDefinition<'_>) -> TypeDefinition {
        match definition {
            view::TypeDefinition::Enumeration(it) => {
                TypeDefinition::Enumeration(self.idents(it.names()))
            }
            view::TypeDefinition::Tuple(it) => {
                TypeDefinition::Tuple(self.binders(Some(it.fields())))
            }
            view::TypeDefinition::Union(it) => {
                TypeDefinition::Union(self.binders(Some(it.variants())))
            }
            view::TypeDefinition::TypeRef(ty) => TypeDefinition::Alias(self.type_expr(ty)),
        }
    }

    /// `let f(a, b: Nat) = e`
    pub(super) fn let_item(&self, item: view::Let<'_>) -> LetItem {
        LetItem {
            name: self.ident(item.name()),
            params: self.binders(item.params()),
            body: self.expr(item.body()),
            span: self.span(item),
        }
    }

    pub(super) fn theories<'t>(
        &self,
        theories: impl Iterator<Item = view::Theory<'t>>,
    ) -> Vec<TheoryItem> {
        let theory = |theory: view::Theory<'_>| TheoryItem {
            name: self.ident(theory.name()),
            args: self.type_exprs(theory.args()),
            span: self.span(theory),
        };
        theories.map(theory).collect()
    }

    /// The heading of an automaton or of a monitor.
    pub(super) fn automaton(&self, heading: view::Automaton<'_>) -> AutomatonItem {
        AutomatonItem {
            params: self.parameters(heading.params()),
            predicate: self.optional(heading.predicate()),
            theories: self.theories(heading.theories()),
            monitor: heading.system().map(|system| self.observed(system)),
            ..empty_automaton(self.ident(heading.name()), self.span(heading))
        }
    }

    /// `M, N: type` or `i, j: Int`, as one parameter for each name.
    pub(super) fn parameters<'t>(
        &self,
        groups: impl Iterator<Item = view::Parameter<'t>>,
    ) -> Vec<Parameter> {
        let mut parameters = Vec::new();
        for group in groups {
            let ty = group.ty().map(|ty| self.type_expr(ty));
            parameters.extend(group.names().map(|name| Parameter {
                name: self.ident(name),
                ty: ty.clone(),
            }));
        }
        parameters
    }

    /// `invariant Name of A: P`
    pub(super) fn invariant(&self, invariant: view::Invariant<'_>) -> InvariantItem {
        InvariantItem {
            name: self.ident(invariant.name()),
            automaton: self.ident(invariant.automaton()),
            uses: self.uses(invariant.uses()),
            formula: self.expr(invariant.formula()),
            span: self.span(invariant),
        }
    }

    /// `uses Inv1, Inv3`
    fn uses(&self, uses: Option<view::Uses<'_>>) -> Option<Vec<Ident>> {
        uses.map(|uses| self.idents(uses.names()))
    }

    /// `liveness Name of A: always eventually P`, or another temporal formula.
    pub(super) fn liveness(&self, liveness: view::Liveness<'_>) -> LivenessItem {
        LivenessItem {
            name: self.ident(liveness.name()),
            automaton: self.ident(liveness.automaton()),
            progress: liveness.progress().and_then(|it| self.progress(it)),
            binders: self.binders(liveness.binders()),
            span: self.span(liveness),
        }
    }

    /// A temporal formula; none if a mistake was reported.
    fn progress(&self, progress: Progress<'_>) -> Option<Temporal<Expr>> {
        match progress {
            Progress::Joined(joined) => self.joined_formulas(joined),
            Progress::Enclosed(enclosed) => self.enclosed(enclosed),
            Progress::AlwaysEventually(it) => {
                Some(Temporal::AlwaysEventually(self.expr(it.formula())))
            }
            Progress::EventuallyAlways(it) => {
                Some(Temporal::EventuallyAlways(self.expr(it.formula())))
            }
            Progress::LeadsTo(it) => {
                let (premise, goal) = (self.expr(it.premise()), self.expr(it.goal()));
                Some(Temporal::LeadsTo(premise, goal))
            }
        }
    }

    /// Temporal formulas with one sign between them, and `=>`, which binds less, before the last.
    fn joined_formulas(&self, joined: view::Joined<'_>) -> Option<Temporal<Expr>> {
        let sign = match joined.or() {
            Some(_) => Connective::Or,
            None => Connective::And,
        };
        let operands = joined.operands().map(|operand| self.enclosed(operand));
        let operands: Option<Vec<_>> = operands.collect();
        let join = |left, right| Temporal::joined(sign, left, right);
        let premise = operands?.into_iter().reduce(join)?;
        match joined.conclusion() {
            None => Some(premise),
            Some(conclusion) => {
                let conclusion = self.joined_formulas(conclusion)?;
                Some(Temporal::joined(Connective::Implies, premise, conclusion))
            }
        }
    }

    /// A temporal formula in parentheses, with as many `~` as there are before it.
    fn enclosed(&self, enclosed: view::Enclosed<'_>) -> Option<Temporal<Expr>> {
        let inner = self.progress(enclosed.formula())?;
        let negated = |formula, _| Temporal::Not(Box::new(formula));
        Some(enclosed.signs().fold(inner, negated))
    }

    /// `forward simulation from Low to High: P` or `backward simulation ..`, without its proof block.
    pub(super) fn simulation(&self, simulation: view::Simulation<'_>) -> SimulationItem {
        let high = self.ident(simulation.high());
        SimulationItem {
            direction: match simulation.backward() {
                Some(_) => Direction::Backward,
                None => Direction::Forward,
            },
            span: Span {
                end: high.span.end,
                ..self.span(simulation)
            },
            low: self.ident(simulation.low()),
            high,
            relation: self.expr(simulation.relation()),
            proof: None,
        }
    }

    /// `for internal step(k: Int) do .. od`; none if a mistake in its heading was reported.
    pub(super) fn proof_entry(&self, entry: view::Entry<'_>) -> Option<ProofEntryItem> {
        let body = entry.body().map(|block| self.stmts(block));
        let (name, indices) = self.action_name(entry.steps(), entry.name()?);
        let formals = self.formals(entry.formals()).0;
        let end = match entry.formals() {
            Some(formals) => self.span(formals).end,
            None => name.span.end,
        };
        Some(ProofEntryItem {
            kind: action_kind(entry.kind()),
            name,
            formals: with_indices(indices, formals),
            uses: self.uses(entry.uses()),
            body: body.unwrap_or_default(),
            span: Span {
                end,
                ..self.span(entry)
            },
        })
    }

    /// `schedule Name of Automaton ..`
    pub(super) fn schedule(&self, schedule: view::Schedule<'_>) -> ScheduleItem {
        let automaton = self.ident(schedule.automaton());
        let span = Span {
            end: automaton.span.end,
            ..self.span(schedule)
        };
        ScheduleItem {
            name: self.ident(schedule.name()),
            automaton,
            body: self.schedule_body(schedule.body(), span),
            span,
        }
    }
}

pub(super) fn empty_automaton(name: Ident, span: Span) -> AutomatonItem {
    AutomatonItem {
        name,
        params: Vec::new(),
        predicate: None,
        theories: Vec::new(),
        monitor: None,
        components: None,
        hidden: Vec::new(),
        signature: Vec::new(),
        states: Vec::new(),
        lets: Vec::new(),
        so_that: None,
        transitions: Vec::new(),
        tasks: Vec::new(),
        schedule: None,
        span,
    }
}
