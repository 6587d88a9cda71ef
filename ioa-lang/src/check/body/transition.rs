//! Transition clauses: formals, hidden parameters, guards, effects.

use std::collections::BTreeSet;

use crate::check::automaton::state_scope;
use crate::check::checker::{Checker, Want};
use crate::check::report::Report;
use crate::check::scope::ProgramRules;
use crate::check::unused::UseCheck;
use crate::check::world::{DeclaredAction, DeclaredParam, Header, World};
use crate::core::{
    ActionKind, Cases, Expr, LocalId, Op, Stmt, Store, Transition, Type, VarId, places_of_stmts,
    reads_of_expr,
};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::{self, Binder, Formal, TransitionItem};

/// Checks a clause. Where its action is unknown, the rest is checked all the same.
pub(in crate::check) fn clause(
    item: &TransitionItem,
    header: &Header,
    world: &World,
    report: &mut Report,
) -> Option<Transition> {
    let part = UseCheck::begin("the hidden parameter", report);
    let action = header.find_action(&item.name, report);
    let declared = action.map(|id| header.action(id));
    let has_kind = declared.is_some_and(|d| d.has_kind(&item.name, item.kind, report));
    let mut checker = Checker::new(world, report, state_scope(header));

    checker.begin_head(item);
    let formals = checker.formals(&item.name, &item.formals, declared);
    let applies = checker.applies(item, declared, formals.as_ref());
    checker.end_head();
    let hidden = checker.hidden(item);
    let det = checker.determinator(item, hidden.as_deref());
    let pre = checker.precondition(item);
    checker.scope.program = ProgramRules {
        choose: match item.provided {
            None => Ok(()),
            Some(_) => Err("`provided` asks what is chosen: choose it above `pre`"),
        },
        repeat: Err("an effect is one step: it has no `while`"),
        fire: Err("an effect fires no actions: schedules and proof blocks do"),
        draw: Ok(()),
        ignore: Err("an effect that changes nothing is left out"),
        ordered_loops: false,
    };
    let effect = checker.statements(&item.effect);
    checker.scope.primes = true;
    let ensuring = checker.optional_formula(item.ensuring.as_ref(), item.span);
    let provided = checker.optional_formula(item.provided.as_ref(), item.span);

    has_kind.then_some(())?;
    let (mut effect, ensuring, mut pre) = (effect?, ensuring?, pre?);
    part.end(hidden.iter().flatten().copied(), &mut checker);
    let mut hidden = hidden?;
    if let Some(written) = &item.provided {
        let (provided, variables) = (provided?, header.variables.to_core()?);
        let open = unconstrained(&provided, &effect);
        let relation = checker.relation(&provided, &effect, (variables, &open))?;
        checker.refuse_determinator(item, written.span, &relation.hidden)?;
        hidden.extend(relation.hidden);
        effect.extend(relation.assignments);
        pre = Expr::conjunction([pre, relation.condition], item.span);
    }
    if let (Some(declared), Some(formals)) = (declared, &formals)
        && !is_bare(item)
    {
        checker.warn_of_arbitrary(item, declared, formals, part);
    }
    Some(Transition {
        action: action?,
        params: formals?.params,
        hidden,
        det: det?,
        applies: applies?,
        pre,
        unconstrained: unconstrained(&ensuring, &effect),
        effect,
        ensuring,
        refused: None,
        cases: Cases::default(),
        locals: checker.scope.locals,
        span: item.span,
    })
}

/// The hidden parameters of a clause: those of `local`, then those of `choose`.
fn hidden_binders(item: &TransitionItem) -> impl Iterator<Item = &Binder> {
    let chosen = item.choose.iter().flat_map(|choosing| &choosing.binders);
    item.locals.iter().chain(chosen)
}

/// Whether a clause is empty: its action can happen at any time, and changes nothing.
fn is_bare(item: &TransitionItem) -> bool {
    let conditions = [&item.predicate, &item.pre, &item.ensuring, &item.provided];
    let has_condition = conditions.iter().any(|condition| condition.is_some());
    let has_choice = item.choose.is_some() || !item.locals.is_empty();
    !has_condition && !has_choice && item.effect.is_empty()
}

/// The variables that occur primed in a condition on the outcome and are not assigned by the effect.
fn unconstrained(condition: &Expr, effect: &[Stmt]) -> Vec<VarId> {
    let mut free = BTreeSet::new();
    reads_of_expr(condition, &mut |state, _| {
        if state.store == Store::Post {
            free.insert(state.var);
        }
    });
    places_of_stmts(effect, &mut |place| {
        free.remove(&place.root.var);
    });
    free.into_iter().collect()
}

/// The formals of a clause.
pub(in crate::check) struct Formals {
    /// One local for each parameter of the action.
    pub(in crate::check) params: Vec<LocalId>,
    /// For each formal that is a term, the condition that its parameter equals the term.
    pub(in crate::check) matches: Vec<Expr>,
}

impl Checker<'_, '_> {
    /// Begins the part of a clause that says which parameters it is for.
    fn begin_head(&mut self, item: &TransitionItem) {
        let (reason, help) = match item.kind {
            ActionKind::Input => (
                "which parameters a clause is for cannot depend on the state: test it in the effect",
                "choose the value in the effect: `x := choose z where ..`",
            ),
            ActionKind::Output | ActionKind::Internal => (
                "which parameters a clause is for cannot depend on the state: use `pre`",
                "write the condition in `pre`, or behind `choose .. where`",
            ),
        };
        self.forbid_reading(reason);
        let hidden = hidden_binders(item).map(|binder| binder.name.clone());
        self.scope.later = (hidden.collect(), help);
    }

    fn end_head(&mut self) {
        self.allow_reading();
        self.scope.later.0.clear();
    }

    /// Binds the formals, then checks those that are terms: a term may mention a binder that stands after it.
    pub(in crate::check) fn formals(
        &mut self,
        name: &ast::Ident,
        formals: &[Formal],
        declared: Option<&DeclaredAction>,
    ) -> Option<Formals> {
        let params = declared.map(|action| &action.params[..]);
        let found = formals.len();
        let arity_agrees = declared.is_some_and(|d| d.has_parameters(name, found, self.report));
        let mut ids = Vec::new();
        for (position, formal) in formals.iter().enumerate() {
            let param = params.and_then(|params| params.get(position));
            ids.push(self.formal(formal, param.filter(|_| arity_agrees)));
        }
        let mut matches = Vec::new();
        for (formal, id) in formals.iter().zip(&ids) {
            if let Some(term) = self.matched_term(formal) {
                let ty = id.map(|id| self.scope.locals[id.index()].ty.clone());
                let term = self.term(term, Want::of(ty.as_ref(), None));
                matches.push(term.zip(*id).map(|(term, id)| {
                    let span = term.span;
                    let param = self.local(id, span);
                    Expr::apply(Op::Eq, vec![param, term], Type::Bool, span)
                }));
            }
        }
        (arity_agrees && declared.is_some()).then_some(())?;
        Some(Formals {
            params: ids.into_iter().collect::<Option<_>>()?,
            matches: matches.into_iter().collect::<Option<_>>()?,
        })
    }

    /// The local of one formal: the one it binds, or a nameless one that a term is to match.
    fn formal(&mut self, formal: &Formal, param: Option<&DeclaredParam>) -> Option<LocalId> {
        let ty = param.and_then(|param| param.ty.clone());
        if self.matched_term(formal).is_some() {
            let param = param?;
            return Some(self.anonymous(param.name.name.clone(), ty?, formal_span(formal)));
        }
        self.binding_formal(formal, ty, param)
    }

    /// The local of a formal that is a name.
    pub(in crate::check) fn binding_formal(
        &mut self,
        formal: &Formal,
        ty: Option<Type>,
        param: Option<&DeclaredParam>,
    ) -> Option<LocalId> {
        match formal {
            Formal::Typed(binder) => {
                let written = self.world.resolve(&binder.ty, self.report);
                if let (Some(written), Some(declared), Some(param)) = (&written, &ty, param)
                    && written != declared
                {
                    self.report.add(
                        crate::check::report::mismatch(
                            self.model(),
                            binder.ty.span,
                            declared,
                            written,
                        )
                        .related(param.name.span, "its place in the signature"),
                    );
                    self.bind_formal(&binder.name, None);
                    return None;
                }
                self.bind_formal(&binder.name, ty.or(written))
            }
            Formal::Term(ast::Expr {
                kind: ast::ExprKind::Name(name),
                ..
            }) => self.bind_formal(name, ty),
            Formal::Term(_) | Formal::Const(_) => None,
        }
    }

    /// The signature's condition, the formals that match terms, the clause's `where`.
    fn applies(
        &mut self,
        item: &TransitionItem,
        declared: Option<&DeclaredAction>,
        formals: Option<&Formals>,
    ) -> Option<Expr> {
        let predicate = self.optional_formula(item.predicate.as_ref(), item.span);
        let (declared, formals) = (declared?, formals?);
        let condition = declared.condition.as_ref()?;
        let values: Vec<(LocalId, Expr)> = formals
            .params
            .iter()
            .enumerate()
            .map(|(position, id)| (LocalId::at(position), self.local(*id, item.span)))
            .collect();
        let signature =
            self.instantiate(&condition.locals, &condition.formula, values, item.span)?;
        let parts = [signature]
            .into_iter()
            .chain(formals.matches.iter().cloned())
            .chain([predicate?]);
        Some(Expr::conjunction(parts, item.span))
    }

    /// Warns of parameters whose value the clause of a locally controlled action leaves open.
    fn warn_of_arbitrary(
        &mut self,
        item: &TransitionItem,
        declared: &DeclaredAction,
        formals: &Formals,
        part: UseCheck,
    ) {
        if item.kind == ActionKind::Input {
            return;
        }
        let written = item.formals.iter().zip(&declared.params);
        let open = written.zip(&formals.params).filter(|((formal, param), _)| {
            self.matched_term(formal).is_none() && !param.is_restricted
        });
        let open: Vec<LocalId> = open.map(|(_, id)| *id).collect();
        part.arbitrary(open, self);
    }

    /// The term that a formal is to match, if it is not a binder. A name is one, but for the automaton's parameters.
    pub(in crate::check) fn matched_term<'f>(&self, formal: &'f Formal) -> Option<&'f ast::Expr> {
        match formal {
            Formal::Const(term) => Some(term),
            Formal::Term(term) => match &term.kind {
                ast::ExprKind::Name(name) => self
                    .world
                    .parameter_value(&name.name)
                    .is_some()
                    .then_some(term),
                _ => Some(term),
            },
            Formal::Typed(_) => None,
        }
    }

    fn hidden(&mut self, item: &TransitionItem) -> Option<Vec<LocalId>> {
        let ids: Vec<_> = hidden_binders(item)
            .map(|binder| self.bind_written(binder))
            .collect();
        ids.into_iter().collect()
    }

    /// The determinator of the hidden parameters: first of those of `local`, then of those of `choose`.
    fn determinator(
        &mut self,
        item: &TransitionItem,
        hidden: Option<&[LocalId]>,
    ) -> Option<Vec<Vec<Expr>>> {
        let rows = item
            .choose
            .as_ref()
            .map_or(&[][..], |choosing| &choosing.det);
        let types: Vec<Option<Type>> = match hidden {
            Some(ids) => ids
                .iter()
                .map(|id| Some(self.scope.locals[id.index()].ty.clone()))
                .collect(),
            None => {
                let chosen = item
                    .choose
                    .as_ref()
                    .map_or(0, |choosing| choosing.binders.len());
                vec![None; item.locals.len() + chosen]
            }
        };
        let types: Vec<Option<&Type>> = types.iter().map(Option::as_ref).collect();
        self.yields(rows, &types, None)
    }

    /// Refuses a determinator that gives no values to the parameters that `provided` adds.
    fn refuse_determinator(
        &mut self,
        item: &TransitionItem,
        provided: Span,
        added: &[LocalId],
    ) -> Option<()> {
        let determined = item.choose.as_ref().filter(|c| !c.det.is_empty());
        let (Some(_), [first, ..]) = (determined, added) else {
            return Some(());
        };
        let name = self.scope.locals[first.index()].name.clone();
        let message = format!("the determinator gives no value to `{name}`");
        self.report.add(
            Diagnostic::error(Code::YieldsNothing, provided, message)
                .label("this alone decides the new value")
                .help("give it its value in the effect"),
        );
        None
    }

    /// The `where` of the hidden parameters, then `pre`.
    fn precondition(&mut self, item: &TransitionItem) -> Option<Expr> {
        let chosen = item
            .choose
            .as_ref()
            .and_then(|choosing| choosing.predicate.as_ref());
        let parts: Vec<Option<Expr>> = chosen
            .into_iter()
            .chain(item.pre.as_ref())
            .map(|part| self.formula(part))
            .collect();
        if item.kind == ActionKind::Input
            && let Some(first) = chosen.or(item.pre.as_ref()).or(item.provided.as_ref())
        {
            self.report.add(
                Diagnostic::error(
                    Code::InputRestricted,
                    first.span,
                    format!("the input `{}` cannot have a precondition", item.name.name),
                )
                .label("an input is always enabled")
                .help(match chosen {
                    Some(_) => "choose the value in the effect: `x := choose z where ..`",
                    None if item.pre.is_some() => "test the condition in the effect",
                    None => "`ensuring` demands an outcome and disables nothing",
                }),
            );
            return None;
        }
        let parts = parts.into_iter().collect::<Option<Vec<_>>>()?;
        Some(Expr::conjunction(parts, item.span))
    }
}

fn formal_span(formal: &Formal) -> crate::source::Span {
    match formal {
        Formal::Const(term) | Formal::Term(term) => term.span,
        Formal::Typed(binder) => binder.name.span,
    }
}
