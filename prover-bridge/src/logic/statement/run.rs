//! Statements as substitutions: running one changes what the state variables stand for.

use std::rc::Rc;

use ioa_lang::core::{Expr, LocalId, Place, Projection, Stmt, StmtKind, Store, Type, Undefined};
use z3::Sort;
use z3::ast::{Bool, Dynamic};

use super::witnesses::{Determined, witnesses};
use crate::logic::collection::maps;
use crate::logic::definedness::{Definedness, UndefinedCause};
use crate::logic::{AtSpan, Encoded, Env, Logic, Sym, and, implies, or, unsupported};

/// Where the values of `choose` come from.
#[derive(Clone)]
pub(crate) enum Choices<'a> {
    /// Any value that satisfies the predicate: an unknown, whose name starts with this.
    Free(Rc<str>),
    /// These, in the order in which the statements are met; each must satisfy its predicate.
    Given(Vec<Sym<'a>>),
}

impl Choices<'_> {
    /// How many given values have not been used yet.
    pub(crate) fn left(&self) -> usize {
        match self {
            Self::Free(_) => 0,
            Self::Given(values) => values.len(),
        }
    }
}

/// Statements being run symbolically.
#[derive(Clone)]
pub(crate) struct Run<'a> {
    pub(crate) logic: &'a Logic<'a>,
    /// What the names stand for now.
    pub(crate) env: Env<'a>,
    /// What holds where the next statement is run.
    pub(crate) guard: Bool,
    /// What the values of free choices satisfy.
    pub(crate) assumed: Vec<Bool>,
    /// What the statements so far demand, in order.
    pub(crate) demands: Vec<Definedness>,
    pub(crate) choices: Choices<'a>,
    /// The loops around the next statement: their variables' values and types.
    pub(in crate::logic) loops: Vec<(Sym<'a>, &'a Type)>,
}

impl<'a> Run<'a> {
    /// A run that starts where `env` says.
    pub(crate) fn new(logic: &'a Logic<'a>, env: Env<'a>, choices: Choices<'a>) -> Self {
        Self {
            logic,
            env,
            guard: Bool::from_bool(true),
            assumed: Vec::new(),
            demands: Vec::new(),
            choices,
            loops: Vec::new(),
        }
    }

    /// Runs statements one after the other.
    pub(crate) fn all(&mut self, stmts: &'a [Stmt]) -> Encoded<()> {
        stmts
            .iter()
            .try_for_each(|stmt| self.one(stmt).at(stmt.span))
    }

    fn one(&mut self, stmt: &'a Stmt) -> Encoded<()> {
        match &stmt.kind {
            StmtKind::Assign(place, value) => {
                self.demand(value)?;
                let value = self.logic.eval(value, &self.env)?;
                self.write(place, value)
            }
            StmtKind::Choose {
                place,
                binder,
                predicate,
                ..
            } => {
                let value = self.choose(*binder, predicate, stmt)?;
                self.write(place, value)
            }
            StmtKind::If {
                branches,
                otherwise,
            } => self.branch(branches, otherwise),
            StmtKind::For {
                binder,
                range,
                body,
            } => self.each(*binder, range, body),
            StmtKind::While(..) => unsupported("a `while` loop, which may run any number of times"),
            StmtKind::Fire(_) | StmtKind::FireAny(_) => unsupported("a `fire` inside a loop"),
        }
    }

    /// Records what an expression demands here.
    pub(crate) fn demand(&mut self, expr: &'a Expr) -> Encoded<()> {
        let found = self.logic.demands(expr, &self.env, &self.premise())?;
        self.demands.extend(found);
        Ok(())
    }

    /// What is known where the next statement is run: its guard, and that the choices before it were possible.
    pub(in crate::logic) fn premise(&self) -> Bool {
        and(&[and(&self.assumed), self.guard.clone()])
    }

    fn demand_that(&mut self, stmt: &Stmt, cause: UndefinedCause, condition: &Bool) {
        self.demands.push(Definedness {
            span: stmt.span,
            cause,
            condition: implies(&self.premise(), condition),
        });
    }

    /// The value of a `choose`, with its binder bound to it for the predicate's sake.
    fn choose(&mut self, binder: LocalId, predicate: &'a Expr, stmt: &Stmt) -> Encoded<Sym<'a>> {
        let local = self.env.declared(binder)?;
        let (logic, env) = (self.logic, self.env.clone());
        let satisfied = |x: Sym<'a>| logic.holds(predicate, &env.bind(binder, x));
        let defined = logic.generalise(&local.name, &local.ty, &self.premise(), |x| {
            let yes = Bool::from_bool(true);
            logic.demands(predicate, &env.bind(binder, x), &yes)
        })?;
        self.demands.extend(defined);
        match &mut self.choices {
            Choices::Free(prefix) => {
                let name = format!("{prefix}{}!{}", local.name, binder.index());
                if !predicate.is_true() {
                    let possible = match Determined::of(binder, predicate) {
                        Some(determined) => determined.exists(logic, &env)?,
                        None => logic.exists(&local.name, &local.ty, satisfied)?,
                    };
                    let mut ways = vec![possible];
                    for term in witnesses(binder, predicate) {
                        let value = logic.eval(term, &env)?;
                        let fits = logic.well_formed(&value, &local.ty)?;
                        ways.push(and(&[satisfied(value)?, fits]));
                    }
                    self.demand_that(stmt, UndefinedCause::NothingToChoose, &or(&ways));
                }
                let value = self.unknown(&name, &local.ty)?;
                let fits = and(&[
                    satisfied(value.clone())?,
                    logic.well_formed(&value, &local.ty)?,
                ]);
                self.assumed.push(implies(&self.guard, &fits));
                Ok(value)
            }
            Choices::Given(values) if self.loops.is_empty() && !values.is_empty() => {
                let value = values.remove(0);
                let fits = satisfied(value.clone())?;
                self.demand_that(stmt, UndefinedCause::WrongChoice, &fits);
                Ok(value)
            }
            Choices::Given(_) => unsupported("a `choose` for which no value is given with `using`"),
        }
    }

    /// An unknown that may differ from one turn of the surrounding loops to the next.
    fn unknown(&self, name: &str, ty: &'a Type) -> Encoded<Sym<'a>> {
        let (mut sorts, mut keys): (Vec<Sort>, Vec<Dynamic>) = (Vec::new(), Vec::new());
        for (value, ty) in &self.loops {
            sorts.extend(self.logic.key_sorts(ty)?);
            self.logic.key(value, ty, &mut keys)?;
        }
        Ok(self.logic.declare(name, ty, &sorts)?.at(self.logic, &keys))
    }

    /// Assigns to a place.
    pub(crate) fn write(&mut self, place: &'a Place, value: Sym<'a>) -> Encoded<()> {
        let whole = self.env.read(place.root)?;
        self.demand_path(&whole, place)?;
        let whole = self.updated(&whole, &place.path, value)?;
        self.env.write(place.root.store, place.root.var, whole)
    }

    /// Records what a place demands: its indices, and the entries of maps on the way to it.
    fn demand_path(&mut self, whole: &Sym<'a>, place: &'a Place) -> Encoded<()> {
        let mut part = whole.clone();
        for (position, step) in place.path.iter().enumerate() {
            if let Projection::Index(index) | Projection::Entry(index) = step {
                self.demand(index)?;
            }
            let last = position + 1 == place.path.len();
            if let Projection::Entry(key) = step
                && !last
            {
                let there = part.select(&self.logic.eval(key, &self.env)?)?;
                self.demands.push(Definedness {
                    span: key.span,
                    cause: UndefinedCause::Undefined(Undefined::NoEntry),
                    condition: implies(&self.premise(), there.null().0),
                });
            }
            if !last {
                part = self.part(&part, std::slice::from_ref(step))?;
            }
        }
        Ok(())
    }

    /// The part of a value that a path leads to.
    pub(in crate::logic) fn part(
        &self,
        whole: &Sym<'a>,
        path: &'a [Projection],
    ) -> Encoded<Sym<'a>> {
        path.iter()
            .try_fold(whole.clone(), |part, step| match step {
                Projection::Index(index) => part.select(&self.logic.eval(index, &self.env)?),
                Projection::Entry(key) => {
                    let entry = part.select(&self.logic.eval(key, &self.env)?)?;
                    Ok(entry.null().1.clone())
                }
                Projection::Field(i) => Ok(part.fields()[*i as usize].clone()),
            })
    }

    /// `whole` with the part that `path` leads to replaced.
    pub(in crate::logic) fn updated(
        &self,
        whole: &Sym<'a>,
        path: &'a [Projection],
        value: Sym<'a>,
    ) -> Encoded<Sym<'a>> {
        let Some((step, rest)) = path.split_first() else {
            return Ok(value);
        };
        match step {
            Projection::Index(index) => {
                let at = self.logic.eval(index, &self.env)?;
                let part = self.updated(&whole.select(&at)?, rest, value)?;
                Ok(self.logic.assign(whole, &at, &index.ty, part))
            }
            Projection::Field(i) => {
                let mut fields = whole.fields().to_vec();
                let i = *i as usize;
                fields[i] = self.updated(&fields[i], rest, value)?;
                Ok(Sym::tuple(fields))
            }
            Projection::Entry(key) => {
                let at = self.logic.eval(key, &self.env)?;
                let old = whole.select(&at)?.null().1.clone();
                let entry = maps::embed(self.updated(&old, rest, value)?);
                Ok(self.logic.assign(whole, &at, &key.ty, entry))
            }
        }
    }

    fn branch(&mut self, branches: &'a [(Expr, Vec<Stmt>)], otherwise: &'a [Stmt]) -> Encoded<()> {
        let Some(((condition, then), rest)) = branches.split_first() else {
            return self.all(otherwise);
        };
        self.demand(condition)?;
        let holds = self.logic.holds(condition, &self.env)?;
        let (before, outer) = (self.env.clone(), self.guard.clone());
        let choices = self.choices.clone();
        self.guard = and(&[outer.clone(), holds.clone()]);
        self.all(then)?;
        let after = std::mem::replace(&mut self.env, before);
        let left = std::mem::replace(&mut self.choices, choices).left();
        self.guard = and(&[outer.clone(), holds.not()]);
        self.branch(rest, otherwise)?;
        self.guard = outer;
        if left != self.choices.left() {
            return unsupported(
                "branches with different numbers of `choose`, whose values are given",
            );
        }
        self.merge(&holds, &after);
        Ok(())
    }

    /// Makes each variable what it is in `then` where the condition holds, and what it is here elsewhere.
    fn merge(&mut self, condition: &Bool, then: &Env<'a>) {
        for store in [Store::Pre, Store::Low, Store::High, Store::Block] {
            if let (Some(a), Some(b)) = (then.state(store), self.env.state(store)) {
                let each = a.iter().zip(&**b);
                let merged = each.map(|(a, b)| Sym::ite(condition, a, b)).collect();
                self.env.set_state(store, Rc::new(merged));
            }
        }
    }
}
