//! A clause of the product: a low clause and the high steps that answer it.

use interpreter::limits::MAX_FRAGMENT;
use ioa_lang::Span;
use ioa_lang::core::{
    Action, Expr, ExprKind, Fire, LocalId, Op, ProofEntry, Stmt, StmtKind, Store, Transition, Type,
    fresh_copy,
};

use super::copied::Copied;
use super::joining::{Joining, not, terms};
use super::taken::{Call, Given, Taken, taken};
use super::way::{Move, Way, reads};

/// The most clauses of a high action.
const MOST_CLAUSES: usize = 8;

/// A clause of the product while it is made.
pub(super) struct Step<'j, 'm> {
    joining: &'j Joining<'m>,
    /// The low action.
    action: &'m Action,
    entry: &'m ProofEntry,
    /// The low clause, with more and more conditions.
    clause: Transition,
    /// What is done before the low effect.
    before: Vec<Stmt>,
}

impl<'j, 'm> Step<'j, 'm> {
    pub(super) fn new(
        joining: &'j Joining<'m>,
        clause: &'m Transition,
        entry: &'m ProofEntry,
    ) -> Self {
        Self {
            joining,
            action: &joining.low.actions[clause.action.index()],
            entry,
            clause: clause.clone(),
            before: Vec::new(),
        }
    }

    /// The low clause where it is answered in this way, if that leaves nothing to chance.
    ///
    /// What the block reads of the low state is from before the step. So the low effect comes last.
    pub(super) fn take(mut self, way: &Way<'_>) -> Option<Transition> {
        let mut left = way.fires().count();
        if left >= MAX_FRAGMENT {
            return None;
        }
        let has_same_trace = self.has_same_trace(way);
        for part in &way.moves {
            match part {
                Move::If(condition, is_true) => self.require(condition, *is_true),
                Move::Assign(stmt) => {
                    let body = self.copied(|copied| copied.stmts(std::slice::from_ref(*stmt)));
                    self.before.extend(body);
                }
                Move::Fire(fire) => {
                    let action = &self.joining.high.actions[fire.action.index()];
                    self.fire(fire, has_same_trace && action.kind.is_external())?;
                    left -= 1;
                    if left > 0 {
                        self.check_invariants();
                    }
                }
            }
        }
        if !has_same_trace {
            self.before.push(self.joining.set_failed(true));
        }
        self.before.append(&mut self.clause.effect);
        self.clause.effect = self.before;
        Some(self.clause)
    }

    /// A copy of something in the entry.
    fn copied<T>(&mut self, copy: impl FnOnce(&mut Copied<'_>) -> T) -> T {
        let actuals = terms(&self.clause.params, &self.clause.locals).map(|(_, term)| term);
        let values: Vec<(LocalId, Expr)> = self.entry.params.iter().copied().zip(actuals).collect();
        let (source, target) = (&self.entry.program.locals, &mut self.clause.locals);
        copy(&mut Copied::new(
            self.joining.offsets,
            source,
            target,
            values,
        ))
    }

    /// Takes the step only where a condition is true, or false. It may have no value where those before it do not hold.
    fn require(&mut self, condition: &Expr, is_true: bool) {
        let condition = self.copied(|copied| copied.expr(condition));
        let span = condition.span;
        let condition = match is_true {
            true => condition,
            false => not(condition),
        };
        self.clause.pre = Expr::conjunction([self.clause.pre.clone(), condition], span);
    }

    /// Takes a high step, or fails if it is not enabled or, where it has to be the step that is seen, has other parameters.
    fn fire(&mut self, fire: &Fire, is_visible: bool) -> Option<()> {
        let high = self.joining.high;
        let call = Call {
            args: self.values(&fire.args),
            choices: self.values(&fire.using),
        };
        let mut each = Vec::new();
        for (_, clause) in high.clauses(fire.action) {
            each.push(taken(self.joining, clause, &call, &mut self.clause.locals)?);
        }
        if each.len() > MOST_CLAUSES {
            return None;
        }
        let args: Vec<Expr> = call.args.into_iter().map(|arg| arg.term).collect();
        let choices = call.choices.into_iter().map(|choice| choice.term);
        let all: Vec<Expr> = args.iter().cloned().chain(choices).collect();
        let mut conditions = self.values_exist(&all);
        if is_visible {
            conditions.extend(self.same_parameters(&args)?);
        }
        let step = self.only_one(each, self.entry.span);
        let before = Expr::conjunction(conditions, self.entry.span);
        let step = match before.is_true() {
            true => step,
            false => self.joining.either(before, vec![step]),
        };
        self.before.push(step);
        Some(())
    }

    /// The step by the only clause that is enabled. It fails where there is none, and where it would be left to chance which it is.
    fn only_one(&mut self, each: Vec<Taken>, span: Span) -> Stmt {
        let locals = &mut self.clause.locals;
        let conditions: Vec<Expr> = each.iter().map(|one| one.enabled.clone()).collect();
        let mut branches = Vec::new();
        for (position, Taken { enabled, effect }) in each.into_iter().enumerate() {
            let others = (0..conditions.len()).filter(|other| *other != position);
            let mut alone = vec![enabled];
            alone.extend(others.map(|other| not(fresh_copy(&conditions[other], locals))));
            branches.push((Expr::conjunction(alone, span), effect));
        }
        let failure = self.joining.set_failed(true);
        if branches.is_empty() {
            return failure;
        }
        let kind = StmtKind::If {
            branches,
            otherwise: vec![failure],
        };
        Stmt::made(kind, span)
    }

    /// The values of some terms of the entry.
    fn values(&mut self, terms: &[Expr]) -> Vec<Given> {
        let values = terms.iter().map(|term| Given {
            term: self.copied(|copied| copied.expr(term)),
            reads_high: reads(term, Store::High),
        });
        values.collect()
    }

    /// Conditions that have no value where an argument has none, and are true otherwise: an argument has to have a value even where
    /// nothing depends on it.
    fn values_exist(&mut self, args: &[Expr]) -> Vec<Expr> {
        let is_plain = |arg: &Expr| matches!(arg.kind, ExprKind::Local(_) | ExprKind::State(_));
        let others = args.iter().filter(|arg| !is_plain(arg));
        let locals = &mut self.clause.locals;
        let mut copy = |arg: &Expr| fresh_copy(arg, locals);
        others.map(|arg| equal(copy(arg), copy(arg))).collect()
    }

    /// That the arguments are the parameters of the low action; none if they cannot be compared.
    fn same_parameters(&mut self, args: &[Expr]) -> Option<Vec<Expr>> {
        let params = terms(&self.clause.params, &self.clause.locals).map(|(_, term)| term);
        let params: Vec<Expr> = params.collect();
        let types = |terms: &[Expr]| terms.iter().map(|term| term.ty.clone()).collect::<Vec<_>>();
        if types(&params) != types(args) {
            return None;
        }
        let pairs = params.into_iter().zip(args);
        let locals = &mut self.clause.locals;
        Some(
            pairs
                .map(|(param, arg)| equal(param, fresh_copy(arg, locals)))
                .collect(),
        )
    }

    /// Fails if a high invariant does not hold between two high steps.
    fn check_invariants(&mut self) {
        for invariant in self.joining.high_invariants() {
            let locals = &mut self.clause.locals;
            let mut copied = Copied::new(self.joining.offsets, &invariant.locals, locals, []);
            let holds = copied.expr(&invariant.formula);
            self.before.push(self.joining.either(holds, Vec::new()));
        }
    }

    /// Whether the high steps have the external action of the low step, and no other; that they have its parameters is a condition
    /// of its own.
    fn has_same_trace(&self, way: &Way<'_>) -> bool {
        let actions = &self.joining.high.actions;
        let fired = way.fires().map(|fire| &actions[fire.action.index()]);
        let seen: Vec<&Action> = fired.filter(|action| action.kind.is_external()).collect();
        match &seen[..] {
            [] => !self.action.kind.is_external(),
            [one] => (&one.name, one.kind) == (&self.action.name, self.action.kind),
            _ => false,
        }
    }
}

fn equal(left: Expr, right: Expr) -> Expr {
    let span = left.span;
    Expr::apply(Op::Eq, vec![left, right], Type::Bool, span)
}
