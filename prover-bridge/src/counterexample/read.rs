//! Reading a counterexample off the solver's model.

use std::collections::BTreeSet;
use std::rc::Rc;

use ioa_lang::Value;
use ioa_lang::core::{
    AutomatonId, Expr, ExprKind, FunctionId, Quantifier, Setting, Type, Variable, reads_of_expr,
};
use z3::ast::Bool;

use super::value::{Facts, read_value};
use super::{ActionInstance, Counterexample, Failure, FailureKind, Snapshot, TheoryTable};
use crate::logic::{Encoded, Env, State, Sym};
use crate::obligations::{Case, Fired, Goal, Moment, Role, Target, View};

/// Reads values of one model.
pub(super) struct Reader<'r, 'l> {
    pub(super) target: &'r Target<'l>,
    /// The terms that the values consist of.
    pub(super) facts: &'r Facts<'l>,
    pub(super) model: &'r z3::Model,
    /// Whose theories are shown.
    pub(super) setting: Setting,
    /// Of each sort, whether its size is shown.
    pub(super) sorts: Vec<bool>,
}

/// The states of a moment with their variables, the low automaton's first.
pub(super) fn states<'m, 'l>(
    target: &Target<'l>,
    view: &View<'l>,
    moment: &'m Moment<'l>,
) -> Vec<(&'m State<'l>, &'l [Variable])> {
    let variables = |id: AutomatonId| target.model.automaton(id).variables.as_slice();
    let mut states = Vec::new();
    states.extend(
        moment
            .low
            .as_ref()
            .map(|state| (state, variables(view.low))),
    );
    if let Some((high, simulation)) = view.high {
        states.extend(moment.high.as_ref().map(|state| (state, variables(high))));
        let proof = target.model.simulations[simulation].proof.as_ref();
        if let (Some(block), Some(proof)) = (&moment.block, proof) {
            states.push((block, &proof.variables));
        }
    }
    states
}

/// The types of the parameters of a clause, the hidden ones last.
pub(super) fn param_types<'l>(target: &Target<'l>, fired: &Fired<'l>) -> Vec<&'l Type> {
    let automaton = target.model.automaton(fired.automaton);
    let clause = &automaton.transitions[fired.transition.index()];
    let params = clause.params.iter().chain(&clause.hidden);
    params
        .map(|local| &clause.locals[local.index()].ty)
        .collect()
}

/// Evaluates all that was asserted; says so if something is false in the model after all.
pub(super) fn disagreement(model: &z3::Model, formulas: &[Bool]) -> Option<String> {
    let is_false = |f: &&Bool| model.eval(*f, true).and_then(|v| v.as_bool()) == Some(false);
    let wrong = formulas.iter().find(is_false)?;
    Some(format!(
        "the solver's countermodel does not satisfy {wrong}"
    ))
}

impl<'l> Reader<'_, 'l> {
    pub(super) fn counterexample(&self, case: &Case<'l>) -> Encoded<Counterexample> {
        let view = &case.view;
        let snapshot = |moment: &Option<Rc<Moment<'l>>>| match moment {
            Some(moment) => self.snapshot(view, moment).map(Some),
            None => Ok(None),
        };
        let action = match &view.step {
            Some(step) => Some(self.action(step)?),
            None => None,
        };
        let fired: Encoded<Vec<_>> = view.fired.iter().map(|f| self.action(f)).collect();
        Ok(Counterexample {
            sizes: self.sizes(),
            theories: self.theories()?,
            before: snapshot(&view.before)?,
            action,
            fired: fired?,
            after: snapshot(&view.after)?,
            failures: self.failures(&case.goals)?,
        })
    }

    pub(super) fn sizes(&self) -> std::collections::BTreeMap<String, u64> {
        let sorts = (0..).zip(&self.target.model.sorts).zip(&self.sorts);
        sorts
            .filter(|(_, shown)| **shown)
            .map(|((i, sort), _)| {
                let size = self.facts.logic.elements(ioa_lang::core::SortId(i)).len();
                (sort.name.to_string(), size as u64)
            })
            .collect()
    }

    fn snapshot(&self, view: &View<'l>, moment: &Moment<'l>) -> Encoded<Snapshot> {
        let state = |state: &State<'l>, variables: &'l [Variable]| -> Encoded<Vec<Value>> {
            let each = state.iter().zip(variables);
            each.map(|(value, variable)| self.value(value, &variable.ty))
                .collect()
        };
        let mut read = Vec::new();
        for (symbolic, variables) in states(self.target, view, moment) {
            read.push(state(symbolic, variables)?);
        }
        let mut read = read.into_iter();
        Ok(Snapshot {
            automaton: view.low,
            state: read.next().unwrap_or_default(),
            high: view
                .high
                .and_then(|(id, _)| read.next().map(|state| (id, state))),
            block: read.next().unwrap_or_default(),
        })
    }

    pub(super) fn action(&self, fired: &Fired<'l>) -> Encoded<ActionInstance> {
        let params = fired.params.iter().zip(param_types(self.target, fired));
        let params: Encoded<Vec<_>> = params.map(|(value, ty)| self.value(value, ty)).collect();
        Ok(ActionInstance {
            automaton: fired.automaton,
            transition: fired.transition,
            params: params?,
        })
    }

    /// A symbolic value in the model.
    fn value(&self, value: &Sym<'l>, ty: &'l Type) -> Encoded<Value> {
        read_value(self.facts, self.model, value, ty)
    }

    pub(super) fn theories(&self) -> Encoded<Vec<TheoryTable>> {
        let functions = (0..).map(FunctionId).zip(&self.target.model.functions);
        let known = functions.filter(|(id, _)| self.target.model.is_known(*id, &self.setting));
        known
            .map(|(id, function)| {
                let types: Vec<&'l Type> = function.params.iter().collect();
                let mut entries = Vec::new();
                self.rows(id, &types, &mut Vec::new(), &mut entries)?;
                Ok(TheoryTable {
                    function: id,
                    entries,
                })
            })
            .collect()
    }

    /// The values of an operator for all arguments that start with `prefix`.
    fn rows(
        &self,
        id: FunctionId,
        types: &[&'l Type],
        prefix: &mut Vec<(Sym<'l>, Value)>,
        out: &mut Vec<(Vec<Value>, Value)>,
    ) -> Encoded<()> {
        let Some((ty, rest)) = types.split_first() else {
            let (syms, values): (Vec<_>, Vec<_>) = prefix.iter().cloned().unzip();
            let result = self.facts.logic.apply(id, &syms)?;
            let result = self.value(&result, &self.target.model.functions[id.index()].result)?;
            out.push((values, result));
            return Ok(());
        };
        for instance in self.facts.logic.instances(ty, true).unwrap_or_default() {
            prefix.push((instance.sym, instance.value));
            self.rows(id, rest, prefix, out)?;
            prefix.pop();
        }
        Ok(())
    }

    /// The goals that are false in the model, which is one in which not all of them hold.
    pub(super) fn failures(&self, goals: &[Goal<'l>]) -> Encoded<Vec<Failure>> {
        self.failed(goals)
            .into_iter()
            .map(|goal| {
                let (mut bindings, mut reads) = (Vec::new(), BTreeSet::new());
                if let Some(source) = &goal.source {
                    reads_of_expr(source.formula, &mut |at, _| {
                        reads.insert(at);
                    });
                    self.witness(source.formula, &source.env, &mut bindings)?;
                }
                Ok(Failure {
                    kind: failure_kind(goal.role),
                    span: goal.span,
                    bindings,
                    reads,
                })
            })
            .collect()
    }

    /// The goals that evaluate to false. A quantifier over infinitely many values may not be evaluated: where all other goals hold, the
    /// one that is left open is false.
    fn failed<'g>(&self, goals: &'g [Goal<'l>]) -> Vec<&'g Goal<'l>> {
        let is_false = |goal: &&Goal<'l>| self.is_false(&goal.formula);
        let failed: Vec<&Goal<'l>> = goals.iter().filter(is_false).collect();
        if !failed.is_empty() {
            return failed;
        }
        let is_open = |goal: &&Goal<'l>| !self.is_true(&goal.formula);
        let open: Vec<&Goal<'l>> = goals.iter().filter(is_open).collect();
        match open.len() {
            1 => open,
            _ => Vec::new(),
        }
    }

    /// Whether a formula is true in the model.
    pub(super) fn is_true(&self, formula: &Bool) -> bool {
        self.model.eval(formula, true).and_then(|v| v.as_bool()) == Some(true)
    }

    fn is_false(&self, formula: &Bool) -> bool {
        self.model.eval(formula, true).and_then(|v| v.as_bool()) == Some(false)
    }

    /// Values of the outermost universally quantified variables for which a formula is false.
    fn witness(
        &self,
        formula: &'l Expr,
        env: &Env<'l>,
        out: &mut Vec<(ioa_lang::Name, Value)>,
    ) -> Encoded<()> {
        match &formula.kind {
            ExprKind::Quantified(Quantifier::ForAll, binders, body) => {
                self.witnesses(binders, body, env, out).map(|_| ())
            }
            _ => Ok(()),
        }
    }

    fn witnesses(
        &self,
        binders: &[ioa_lang::core::LocalId],
        body: &'l Expr,
        env: &Env<'l>,
        out: &mut Vec<(ioa_lang::Name, Value)>,
    ) -> Encoded<bool> {
        let Some((binder, rest)) = binders.split_first() else {
            let fails = self.is_false(&self.facts.logic.holds(body, env)?);
            if fails {
                self.witness(body, env, out)?;
            }
            return Ok(fails);
        };
        let local = env.declared(*binder)?;
        for instance in self
            .facts
            .logic
            .instances(&local.ty, true)
            .unwrap_or_default()
        {
            out.push((local.name.clone(), instance.value));
            if self.witnesses(rest, body, &env.bind(*binder, instance.sym), out)? {
                return Ok(true);
            }
            out.pop();
        }
        Ok(false)
    }
}

fn failure_kind(role: Role) -> FailureKind {
    match role {
        Role::Invariant => FailureKind::Invariant,
        Role::Relation => FailureKind::Relation,
        Role::HighEnabled => FailureKind::HighPrecondition,
        Role::Trace => FailureKind::Trace,
        Role::HighStart => FailureKind::HighStart,
        Role::Arrival => FailureKind::Arrival,
        Role::Missing(what) => FailureKind::Missing(what),
        Role::Requirement => FailureKind::Requirement,
        Role::Defined(text) => FailureKind::Undefined(text),
    }
}
