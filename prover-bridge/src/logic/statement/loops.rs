//! `for` loops as parallel updates.
//!
//! The checker sees to it that the order of the elements cannot matter. So the state after a loop is said without an
//! order: an array written at the loop's own index has, at each index of the range, what one turn for that index alone
//! gives it; a set that turns add to has what it had and what some turn adds; one that turns take from has what every
//! turn leaves.

use std::rc::Rc;

use ioa_lang::core::{
    Accumulation, LocalId, Manner, Place, Projection, Range, StateRef, Stmt, StmtKind, Type,
    each_stmt,
};
use z3::ast::{Bool, Int, Real};

use crate::logic::collection::msets::not_below_zero;
use crate::logic::instance::comprehension::finite_comprehension;
use crate::logic::statement::run::Run;
use crate::logic::term::value::{Function, Mset, Set};
use crate::logic::{AtSpan, Encoded, Sym, and, implies, or, unsupported};

impl<'a> Run<'a> {
    pub(in crate::logic) fn each(
        &mut self,
        binder: LocalId,
        range: &'a Range,
        body: &'a [Stmt],
    ) -> Encoded<()> {
        if let Range::Where(predicate) = range {
            let ty = &self.env.declared(binder)?.ty;
            finite_comprehension(self.logic.model, binder, ty, predicate)?;
        }
        let writes = writes(binder, body)?;
        let turns = Turns::new(self, binder, range, body, &writes)?;
        self.generalise(&turns)?;
        let mut env = self.env.clone();
        for (position, root) in turns.roots.iter().enumerate() {
            let mine: Vec<Write<'a>> = writes
                .iter()
                .filter(|(place, _)| place.root == *root)
                .copied()
                .collect();
            let value = self.merged(&turns, position, *root, &mine)?;
            env.write(root.store, root.var, value)?;
        }
        self.env = env;
        Ok(())
    }

    /// What all turns together assume and demand.
    fn generalise(&mut self, turns: &Turns<'a>) -> Encoded<()> {
        let (logic, local) = (self.logic, self.env.declared(turns.binder)?);
        let yes = Bool::from_bool(true);
        if let Range::In(set) | Range::Where(set) = turns.range
            && crate::logic::definedness::has_partial(set)
        {
            self.demand_of_range(turns)?;
        }
        let demands = logic.generalise(&local.name, &local.ty, &self.premise(), |x| {
            let within = turns.contains(&x)?;
            let mut found = turns.turn(&x)?.demands;
            for demand in &mut found {
                demand.condition = implies(&within, &demand.condition);
            }
            Ok(found)
        })?;
        self.demands.extend(demands);
        let assumed = logic.forall(&local.name, &local.ty, |x| {
            let assumed = and(&turns.turn(&x)?.assumed);
            if assumed.as_bool() == Some(true) {
                return Ok(yes.clone());
            }
            Ok(implies(&turns.contains(&x)?, &assumed))
        })?;
        if assumed.as_bool() != Some(true) {
            self.assumed.push(implies(&self.guard, &assumed));
        }
        Ok(())
    }

    fn demand_of_range(&mut self, turns: &Turns<'a>) -> Encoded<()> {
        let (logic, env) = (self.logic, self.env.clone());
        match turns.range {
            Range::In(set) => self.demand(set),
            Range::Where(predicate) => {
                let local = env.declared(turns.binder)?;
                let found = logic.generalise(&local.name, &local.ty, &self.premise(), |x| {
                    let yes = Bool::from_bool(true);
                    logic.demands(predicate, &env.bind(turns.binder, x), &yes)
                })?;
                self.demands.extend(found);
                Ok(())
            }
        }
    }

    /// A variable after all turns.
    fn merged(
        &self,
        turns: &Turns<'a>,
        position: usize,
        root: StateRef,
        writes: &[Write<'a>],
    ) -> Encoded<Sym<'a>> {
        let before = self.env.read(root)?;
        let own: Vec<&'a [Projection]> = writes
            .iter()
            .filter_map(|(place, manner)| own_prefix(place, *manner))
            .collect();
        if own.len() == writes.len() {
            return own.iter().try_fold(before.clone(), |value, prefix| {
                let part = self.own_elements(turns, position, &before, prefix)?;
                self.updated(&value, prefix, part)
            });
        }
        if !own.is_empty() {
            return unsupported(
                "a loop that writes one variable both at its own index and elsewhere",
            );
        }
        let mut manners = writes.iter().filter_map(|(_, manner)| match manner {
            Manner::Accumulate(manner) => Some(*manner),
            Manner::Element(_) => None,
        });
        let Some(manner) = manners.next() else {
            return Ok(before);
        };
        if manners.any(|other| other != manner) {
            return unsupported("a loop whose turns change one variable in several ways");
        }
        let after = turns.clone();
        let at: At<'a> = Rc::new(move |x| after.value(x, position));
        turns.accumulated(manner, &before, at)
    }

    /// The array or map below `prefix` after all turns, each of which wrote its own index.
    fn own_elements(
        &self,
        turns: &Turns<'a>,
        position: usize,
        before: &Sym<'a>,
        prefix: &'a [Projection],
    ) -> Encoded<Sym<'a>> {
        let old = self.part(before, prefix)?;
        let (run, turns) = (self.clone(), turns.clone());
        Ok(Sym::array(move |j| {
            let new = run.part(&turns.value(j, position)?, prefix)?.select(j)?;
            Ok(Sym::ite(&turns.contains(j)?, &new, &old.select(j)?))
        }))
    }
}

/// A place that a loop writes, and in what manner its turns do.
type Write<'a> = (&'a Place, Manner);

/// What the turns of a loop write. Of assignments below one own element, which are merged as one, there is the first.
fn writes(binder: LocalId, body: &[Stmt]) -> Encoded<Vec<Write<'_>>> {
    let mut found: Vec<Write<'_>> = Vec::new();
    each_stmt(body, &mut |stmt| {
        let Some((place, manner)) = write(binder, stmt).at(stmt.span)? else {
            return Ok(());
        };
        let prefix = own_prefix(place, manner);
        let mut known = found.iter().filter(|(known, _)| known.root == place.root);
        if prefix.is_none() || known.all(|(known, manner)| own_prefix(known, *manner) != prefix) {
            found.push((place, manner));
        }
        Ok(())
    })?;
    Ok(found)
}

/// What a statement of a loop itself writes.
fn write(binder: LocalId, stmt: &Stmt) -> Encoded<Option<Write<'_>>> {
    if let StmtKind::While(..) | StmtKind::Fire(_) | StmtKind::FireAny(_) = stmt.kind {
        return unsupported("a `while` or a `fire` inside a `for`");
    }
    match (stmt.write_in_loop(binder), &stmt.kind) {
        (None, _) => Ok(None),
        (Some((_, None)), StmtKind::Choose { .. }) => {
            unsupported("a choice in a loop, kept elsewhere than at the loop's own index")
        }
        (Some((_, None)), _) => unsupported(
            "a loop whose turns change one value in a way other than adding or removing members",
        ),
        (Some((place, Some(manner))), _) => Ok(Some((place, manner))),
    }
}

/// The path to the array whose element at the loop's own index a place is in, if that is the manner of the write.
fn own_prefix(place: &Place, manner: Manner) -> Option<&[Projection]> {
    match manner {
        Manner::Element(at) => Some(&place.path[..at]),
        Manner::Accumulate(_) => None,
    }
}

type At<'a> = Rc<dyn Fn(&Sym<'a>) -> Encoded<Sym<'a>> + 'a>;

/// The turns of a loop, each run by itself from the state before the loop.
#[derive(Clone)]
struct Turns<'a> {
    before: Rc<Run<'a>>,
    binder: LocalId,
    range: &'a Range,
    body: &'a [Stmt],
    /// The variables that the loop writes.
    roots: Rc<[StateRef]>,
    /// The written variables after the turn for a value.
    after: Rc<Function<'a>>,
}

impl<'a> Turns<'a> {
    fn new(
        run: &Run<'a>,
        binder: LocalId,
        range: &'a Range,
        body: &'a [Stmt],
        writes: &[Write<'a>],
    ) -> Encoded<Self> {
        let mut roots: Vec<StateRef> = writes.iter().map(|(place, _)| place.root).collect();
        roots.sort_unstable();
        roots.dedup();
        let ty = &run.env.declared(binder)?.ty;
        let mut before = run.clone();
        before.demands.clear();
        before.assumed.clear();
        before.guard = Bool::from_bool(true);
        let (start, roots): (Rc<Run<'a>>, Rc<[StateRef]>) = (Rc::new(before), roots.into());
        let (first, written) = (start.clone(), roots.clone());
        let after = Function::new(move |x| {
            let run = turn(&first, binder, ty, body, x)?;
            let values: Encoded<Vec<_>> = written.iter().map(|r| run.env.read(*r)).collect();
            Ok(Sym::tuple(values?))
        });
        Ok(Self {
            before: start,
            binder,
            range,
            body,
            roots,
            after,
        })
    }

    /// Whether the loop has a turn for this value.
    fn contains(&self, x: &Sym<'a>) -> Encoded<Bool> {
        let (logic, env) = (self.before.logic, &self.before.env);
        match self.range {
            Range::In(set) => logic.eval(set, env)?.set().contains(x),
            Range::Where(predicate) => logic.holds(predicate, &env.bind(self.binder, x.clone())),
        }
    }

    fn turn(&self, x: &Sym<'a>) -> Encoded<Run<'a>> {
        let ty = &self.before.env.declared(self.binder)?.ty;
        turn(&self.before, self.binder, ty, self.body, x)
    }

    /// A written variable, by its position among them, after the turn for a value.
    fn value(&self, x: &Sym<'a>, position: usize) -> Encoded<Sym<'a>> {
        Ok(self.after.call(x)?.fields()[position].clone())
    }

    /// The value after all turns, where each turn for x alone makes it `at(x)` and contributes in this manner.
    fn accumulated(&self, manner: Accumulation, before: &Sym<'a>, at: At<'a>) -> Encoded<Sym<'a>> {
        Ok(match before {
            Sym::Int(old) if manner == Accumulation::Sum => {
                Sym::Int(self.sum(old, |x| Ok(at(x)?.int()))?)
            }
            Sym::Real(old) if manner == Accumulation::Sum => Sym::Real(self.real_sum(old, &at)?),
            Sym::Mset(old) => {
                let (old, turns) = (old.clone(), self.clone());
                Sym::Mset(Mset::new(move |y| {
                    let count = turns.sum(&old.count(y)?, |x| at(x)?.mset().count(y))?;
                    // A turn takes at most what there is, so together they may seem to take more than that.
                    Ok(not_below_zero(&count))
                }))
            }
            Sym::Set(old) if manner != Accumulation::Sum => {
                let (old, turns) = (old.clone(), self.clone());
                Sym::Set(Set::new(move |y| turns.member(manner, &old, &at, y)))
            }
            Sym::Array(old) => {
                let (old, turns) = (old.clone(), self.clone());
                Sym::array(move |i| {
                    let (i, at) = (i.clone(), at.clone());
                    let old = old.call(&i)?;
                    turns.accumulated(manner, &old, Rc::new(move |x| at(x)?.select(&i)))
                })
            }
            Sym::Tuple(fields) => {
                let part = |(k, old): (usize, &Sym<'a>)| {
                    let at = at.clone();
                    let field: At<'a> = Rc::new(move |x| Ok(at(x)?.fields()[k].clone()));
                    self.accumulated(manner, old, field)
                };
                let fields: Encoded<Vec<_>> = fields.iter().enumerate().map(part).collect();
                Sym::tuple(fields?)
            }
            // Only the entries of maps accumulate: whether there is one does not change.
            Sym::Null(some, old) => {
                let value: At<'a> = Rc::new(move |x| Ok(at(x)?.null().1.clone()));
                let after = self.accumulated(manner, old, value)?;
                Sym::Null(some.clone(), Rc::new(after))
            }
            Sym::Bool(_)
            | Sym::Int(_)
            | Sym::Real(_)
            | Sym::Text(_)
            | Sym::Atom(_)
            | Sym::Union(..)
            | Sym::Seq(_)
            | Sym::Set(_) => before.clone(),
        })
    }

    /// A number to which each turn adds what it makes more of it by itself. There is such a sum only over a type whose
    /// values can be listed.
    fn sum(&self, old: &Int, at: impl Fn(&Sym<'a>) -> Encoded<Int>) -> Encoded<Int> {
        let mut terms = vec![old.clone()];
        for x in self.listed()? {
            let more = Int::sub(&[&at(&x)?, old]);
            terms.push(self.contains(&x)?.ite(&more, &Int::from_i64(0)));
        }
        Ok(Int::add(&terms))
    }

    fn real_sum(&self, old: &Real, at: &At<'a>) -> Encoded<Real> {
        let mut terms = vec![old.clone()];
        for x in self.listed()? {
            let more = Real::sub(&[&at(&x)?.real(), old]);
            terms.push(self.contains(&x)?.ite(&more, &Real::from_rational(0, 1)));
        }
        Ok(Real::add(&terms))
    }

    /// The values that the loop variable can have.
    fn listed(&self) -> Encoded<Vec<Sym<'a>>> {
        let ty = &self.before.env.declared(self.binder)?.ty;
        match self.before.logic.values(ty) {
            Some(values) => Ok(values),
            None => unsupported("a sum over the elements of a set"),
        }
    }

    fn member(
        &self,
        manner: Accumulation,
        old: &Set<'a>,
        at: &At<'a>,
        y: &Sym<'a>,
    ) -> Encoded<Bool> {
        let (logic, local) = (self.before.logic, self.before.env.declared(self.binder)?);
        let before = old.contains(y)?;
        if manner == Accumulation::Grow {
            let added = logic.exists(&local.name, &local.ty, |x| {
                Ok(and(&[self.contains(&x)?, at(&x)?.set().contains(y)?]))
            })?;
            return Ok(or(&[before, added]));
        }
        let left = logic.forall(&local.name, &local.ty, |x| {
            Ok(implies(&self.contains(&x)?, &at(&x)?.set().contains(y)?))
        })?;
        Ok(and(&[before, left]))
    }
}

/// One turn of a loop, for the value `x`.
fn turn<'a>(
    before: &Run<'a>,
    binder: LocalId,
    ty: &'a Type,
    body: &'a [Stmt],
    x: &Sym<'a>,
) -> Encoded<Run<'a>> {
    let mut run = before.clone();
    run.env.set_local(binder, x.clone());
    run.loops.push((x.clone(), ty));
    run.all(body)?;
    Ok(run)
}
