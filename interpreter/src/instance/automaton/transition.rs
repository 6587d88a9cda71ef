//! A transition clause, compiled.

use finite::Universe;
use ioa_lang::core::{self, Expr, ExprKind, Local, LocalId, Model, StateRef, Store, VarId};
use ioa_lang::{Diagnostic, Name, Span};

use crate::code::{Binder, Det, Frame, Plan, Stmt, Word};
use crate::compile::of_step;
use crate::compile::{self, Compiler, Scope};
use crate::interrupt::fault::{FaultKind, Item};
use crate::state::layout::Layout;
use crate::vm::halt::{Stop, stop};

/// A transition clause.
#[derive(Debug)]
pub(crate) struct TransitionCode {
    pub(crate) span: Span,
    pub(crate) frame: Frame,
    /// All parameters: the action's, then the hidden ones.
    pub(crate) binders: Vec<Binder>,
    /// How many of them are the action's.
    pub(super) own: usize,
    /// Whether the clause applies to its parameters and is enabled.
    pub(crate) guard: Word,
    /// The valuations of all parameters that enable it.
    pub(crate) free: Result<Plan, Vec<Diagnostic>>,
    /// The valuations of the hidden parameters that enable it, when the others have values.
    pub(crate) fired: Result<Plan, Vec<Diagnostic>>,
    /// The determinator of the hidden parameters, if there is one.
    pub(crate) handed: Option<Handed>,
    pub(crate) effect: Box<[Stmt]>,
    pub(crate) ensuring: Option<Ensuring>,
    /// The component that refuses the action, which is one of its inputs.
    pub(super) refused: Option<Name>,
}

/// The determinator of the hidden parameters of a clause.
#[derive(Debug)]
pub(crate) struct Handed {
    pub(crate) det: Det,
    /// The valuations of the action's parameters that satisfy the conditions without hidden parameters.
    pub(crate) params: Result<Plan, Vec<Diagnostic>>,
    /// Whether given values of the action's parameters satisfy these conditions.
    pub(crate) open: Word,
}

/// The relation between the states before and after a step that `ensuring` adds to the effect.
#[derive(Debug)]
pub(crate) struct Ensuring {
    /// The variables whose new values are free, each with the binder that stands for it.
    pub(crate) open: Vec<(VarId, Binder)>,
    /// The valuations of them that satisfy the relation.
    pub(crate) plan: Plan,
    /// The relation, for given values.
    pub(crate) relation: Word,
}

impl TransitionCode {
    pub(super) fn compile(
        model: &Model,
        universe: &Universe,
        layout: &Layout,
        (number, clause): (usize, &core::Transition),
    ) -> Result<Self, Vec<Diagnostic>> {
        let (locals, ensuring) = open_variables(layout, clause);
        let stores = of_step(layout);
        let scope = Scope {
            model,
            universe,
            stores,
            locals: &locals,
        };
        let conditions = conditions(clause);
        let plan = |binders: &[LocalId]| {
            compile::item(scope, |c| c.plan(binders, conditions.clone(), clause.span))
        };
        let all = [clause.params.as_slice(), &clause.hidden].concat();
        let free = plan(&all);
        let fired = plan(&clause.hidden);
        let frames = [&free, &fired].into_iter().flatten();
        let slots = frames.map(|(frame, _)| frame.slots).max().unwrap_or(0);
        // Machine code takes each step while it goes through the valuations.
        let (mut frame, mut code) = compile::item_beside(slots, scope, |c| {
            c.enter_clause(number);
            Self {
                span: clause.span,
                refused: clause.refused.clone(),
                frame: Frame::default(),
                binders: all.iter().map(|local| c.binder(*local)).collect(),
                own: clause.params.len(),
                guard: guard(c, &conditions),
                free: Err(Vec::new()),
                fired: Err(Vec::new()),
                handed: Handed::compile(c, clause, conditions.clone()),
                effect: c.block(&clause.effect),
                ensuring: ensuring.as_ref().map(|e| Ensuring::compile(c, clause, e)),
            }
        })?;
        frame.item = Item::Action(clause.action);
        code.frame = frame;
        code.free = free.map(|(_, plan)| plan);
        code.fired = fired.map(|(_, plan)| plan);
        Ok(code)
    }

    /// Why there is no step by the clause although it is enabled.
    pub(crate) fn no_outcome(&self) -> Stop {
        let kind = match &self.refused {
            Some(component) => FaultKind::RefusedInput {
                component: component.clone(),
            },
            None => FaultKind::NoOutcome,
        };
        stop(kind, self.span)
    }

    /// The action's parameters.
    pub(crate) fn params(&self) -> &[Binder] {
        &self.binders[..self.own]
    }

    /// The hidden parameters.
    pub(crate) fn hidden(&self) -> &[Binder] {
        &self.binders[self.own..]
    }
}

impl Handed {
    pub(super) fn compile(
        c: &mut Compiler<'_>,
        clause: &core::Transition,
        mut conditions: Vec<&Expr>,
    ) -> Option<Self> {
        let first = *clause.hidden.first()?;
        let det = c.det(first, clause.det.iter().map(Vec::as_slice))?;
        let open = c.take_ready(&mut conditions, &clause.hidden);
        Some(Self {
            det,
            open: guard(c, &open),
            params: c.attempt(|c| c.plan(&clause.params, open, clause.span)),
        })
    }
}

/// When a clause can be taken: the conjuncts of `applies`, then those of the precondition.
pub(crate) fn conditions(clause: &core::Transition) -> Vec<&Expr> {
    let all = clause
        .applies
        .conjuncts()
        .into_iter()
        .chain(clause.pre.conjuncts());
    all.filter(|c| !c.is_true()).collect()
}

fn guard(c: &mut Compiler<'_>, conditions: &[&Expr]) -> Word {
    Word::all(
        conditions
            .iter()
            .map(|condition| c.formula(condition))
            .collect(),
    )
}

/// The clause's bound variables, with an additional one for each variable that `ensuring` leaves open, and the relation in
/// terms of them; no relation if there is no `ensuring`.
fn open_variables(layout: &Layout, clause: &core::Transition) -> (Vec<Local>, Option<Expr>) {
    let mut locals = clause.locals.clone();
    if clause.ensuring.is_true() && clause.unconstrained.is_empty() {
        return (locals, None);
    }
    let mut relation = clause.ensuring.clone();
    for variable in &clause.unconstrained {
        let local = LocalId::at(locals.len());
        locals.push(Local {
            name: format!("{}'", layout.name(*variable)).into(),
            ty: layout.ty(*variable).clone(),
            span: clause.ensuring.span,
        });
        let after = StateRef {
            store: Store::Post,
            var: *variable,
        };
        replace(&mut relation, after, local);
    }
    (locals, Some(relation))
}

fn replace(expr: &mut Expr, state: StateRef, local: LocalId) {
    match &mut expr.kind {
        ExprKind::State(s) if *s == state => expr.kind = ExprKind::Local(local),
        ExprKind::Apply(_, args) | ExprKind::Theory(_, args) | ExprKind::Random(_, args) => {
            args.iter_mut().for_each(|a| replace(a, state, local));
        }
        ExprKind::If(c, a, b) => {
            [c, a, b].into_iter().for_each(|e| replace(e, state, local));
        }
        ExprKind::Quantified(_, _, body)
        | ExprKind::Comprehension(_, body)
        | ExprKind::Entries(_, body) => {
            replace(body, state, local);
        }
        _ => {}
    }
}

impl Ensuring {
    pub(super) fn compile(
        c: &mut Compiler<'_>,
        clause: &core::Transition,
        relation: &Expr,
    ) -> Self {
        let first = clause.locals.len();
        let locals = clause.unconstrained.iter().enumerate();
        let locals = locals.map(|(n, variable)| (*variable, LocalId::at(first + n)));
        let locals: Vec<(VarId, LocalId)> = locals.collect();
        let binders: Vec<LocalId> = locals.iter().map(|(_, local)| *local).collect();
        let mut conjuncts = relation.conjuncts();
        conjuncts.retain(|conjunct| !conjunct.is_true());
        Self {
            open: locals
                .into_iter()
                .map(|(v, local)| (v, c.binder(local)))
                .collect(),
            plan: c.plan(&binders, conjuncts, clause.ensuring.span),
            relation: c.formula(relation),
        }
    }
}
