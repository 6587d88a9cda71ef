//! Statements: all ways to execute them.

use std::collections::BTreeSet;

use ioa_lang::Value;
use ioa_lang::core::{Expr, Local, LocalId, Place, Projection, Range, Stmt, StmtKind};

use super::{Fault, Scope, State, Stop, World, result_or_fault};

/// Makes sure that the number of ways to make choices is small enough to enumerate.
///
/// # Errors
/// There are too many.
pub(super) fn check_count(ways: usize) -> Result<(), Stop> {
    match ways <= WAYS {
        true => Ok(()),
        false => Err(Stop::Beyond("too many ways to choose".into())),
    }
}

/// Maximum number of ways to make the choices of a step.
const WAYS: usize = 20_000;

impl World<'_> {
    /// Runs statements in order, and returns the state after them for each way to make their choices that has one; records the
    /// faults of the others.
    ///
    /// # Errors
    /// This implementation cannot decide.
    pub(super) fn run<'s>(
        &self,
        body: &[Stmt],
        from: Moment<'s>,
        faults: &mut BTreeSet<Fault>,
    ) -> Result<Vec<Moment<'s>>, Stop> {
        let mut moments = vec![from];
        for statement in body {
            let mut next = Vec::new();
            for moment in moments {
                let after = self.statement(statement, moment, faults);
                next.extend(result_or_fault(after, faults)?.unwrap_or_default());
                check_count(next.len())?;
            }
            moments = next;
        }
        Ok(moments)
    }

    fn statement<'s>(
        &self,
        statement: &Stmt,
        mut moment: Moment<'s>,
        faults: &mut BTreeSet<Fault>,
    ) -> Result<Vec<Moment<'s>>, Stop> {
        match &statement.kind {
            StmtKind::Assign(place, value) => {
                let value = self.value(value, &mut moment.scope())?;
                self.assign(place, value, &mut moment)?;
                Ok(vec![moment])
            }
            StmtKind::Choose {
                place,
                binder,
                predicate,
                ..
            } => {
                let values = self.satisfying(*binder, predicate, &mut moment.scope())?;
                if values.is_empty() {
                    return Err(Fault::NothingToChoose.into());
                }
                let mut moments = Vec::new();
                for value in values {
                    let mut moment = moment.clone();
                    let assigned = self.assign(place, value, &mut moment);
                    moments.extend(result_or_fault(assigned, faults)?.map(|()| moment));
                }
                Ok(moments)
            }
            StmtKind::If {
                branches,
                otherwise,
            } => {
                for (condition, body) in branches {
                    if self.truth(condition, &mut moment.scope())? {
                        return self.run(body, moment, faults);
                    }
                }
                self.run(otherwise, moment, faults)
            }
            StmtKind::For {
                binder,
                range,
                body,
            } => self.for_each((*binder, range), body, moment, faults),
            StmtKind::While(..) | StmtKind::Fire(_) | StmtKind::FireAny(_) => {
                panic!("only schedules have these")
            }
        }
    }

    /// The values of the loop are determined before its first iteration.
    fn for_each<'s>(
        &self,
        (binder, range): (LocalId, &Range),
        body: &[Stmt],
        moment: Moment<'s>,
        faults: &mut BTreeSet<Fault>,
    ) -> Result<Vec<Moment<'s>>, Stop> {
        let values = match range {
            Range::In(set) => match self.value(set, &mut moment.scope())? {
                Value::Set(values) => values,
                other => panic!("{other:?} is no set"),
            },
            Range::Where(predicate) => self.satisfying(binder, predicate, &mut moment.scope())?,
        };
        let mut moments = vec![moment];
        for value in values {
            let mut next = Vec::new();
            for mut moment in moments {
                moment.bound[binder.index()] = Some(value.clone());
                next.extend(self.run(body, moment, faults)?);
                check_count(next.len())?;
            }
            moments = next;
        }
        Ok(moments)
    }

    fn assign(&self, place: &Place, value: Value, moment: &mut Moment<'_>) -> Result<(), Stop> {
        let indices: Result<Vec<Option<Value>>, Stop> = (place.path.iter())
            .map(|step| match step {
                Projection::Index(term) | Projection::Entry(term) => self.index(term, moment),
                Projection::Field(_) => Ok(None),
            })
            .collect();
        let mut part = &mut moment.state[place.root.var.index()];
        let steps = place.path.iter().zip(indices?).enumerate();
        for (n, (step, index)) in steps {
            let is_last = n + 1 == place.path.len();
            let found = match (part, step, index) {
                (Value::Tuple(_, fields), Projection::Field(f), _) => fields.get_mut(*f as usize),
                (Value::Array { entries, .. }, Projection::Index(_), Some(i)) => {
                    entries.get_mut(&i)
                }
                (Value::Map(entries), Projection::Entry(_), Some(key)) => {
                    if is_last {
                        entries.insert(key.clone(), Value::Null(None));
                    }
                    entries.get_mut(&key)
                }
                (_, step, _) => panic!("{step:?} is no part of what stands there"),
            };
            part = found.ok_or(Fault::Undefined)?;
        }
        *part = value;
        Ok(())
    }

    pub(super) fn index(&self, term: &Expr, moment: &Moment<'_>) -> Result<Option<Value>, Stop> {
        self.value(term, &mut moment.scope()).map(Some)
    }
}

/// An intermediate state of an effect: the state so far, and the bound variables.
#[derive(Clone)]
pub(super) struct Moment<'s> {
    pub(super) locals: &'s [Local],
    pub(super) state: State,
    pub(super) bound: Vec<Option<Value>>,
}

impl Moment<'_> {
    fn scope(&self) -> Scope<'_> {
        Scope {
            locals: self.locals,
            bound: self.bound.clone(),
            pre: &self.state,
            post: &[],
        }
    }
}
