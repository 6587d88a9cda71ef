//! One comparison: a transition from a state with parameters, or an invariant in a state, in both readings.

use std::collections::VecDeque;

use interpreter::{
    Attempt, Cell, Choice, Draws, Executor, Fault, Firing, Instance, Interrupt, Shape, State,
    Stream,
};
use ioa_lang::core::{AutomatonId, Local, LocalId, Model, Transition, TransitionId, Type};
use ioa_lang::{Span, Value};
use prover_bridge::finite::{StepAnswer, TransitionQuery};
use rand_chacha::ChaCha8Rng;

use test_support::values;

/// Work that the solver may do for one answer. A limit on the time would make the outcome depend on the machine.
const RESOURCE_LIMIT: u32 = 1_000_000;

/// What both readings agree on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Agreed {
    Taken,
    Disabled,
    Rejected,
    Undefined,
    NothingToChoose,
    Holds,
    Violated,
}

/// What came of a comparison.
pub(crate) enum Verdict {
    Agreed(Agreed),
    /// Why there was nothing to compare.
    Skipped(String),
    /// How they differ, and of what.
    Disagreed(String),
}

impl From<Result<Agreed, Verdict>> for Verdict {
    fn from(result: Result<Agreed, Verdict>) -> Self {
        match result {
            Ok(agreed) => Self::Agreed(agreed),
            Err(verdict) => verdict,
        }
    }
}

/// A state of the one automaton of an instance, and how to ask about it.
pub(crate) struct Case<'i> {
    instance: &'i Instance,
    expand: bool,
    state: Vec<Value>,
}

/// What the interpreter made of a step.
#[derive(Debug)]
pub(crate) enum Executed {
    Taken(Vec<Value>),
    Disabled,
    Rejected,
    NothingToChoose,
    Undefined(Fault),
}

impl<'i> Case<'i> {
    /// A random state; `expand` says how the logic takes quantifiers.
    pub(crate) fn draw(instance: &'i Instance, expand: bool, rng: &mut ChaCha8Rng) -> Self {
        let (model, universe) = (instance.model(), instance.universe());
        let variables = model.automata[0].variables.iter();
        let state = variables.map(|v| values::draw(model, universe, &v.ty, rng));
        Self {
            instance,
            expand,
            state: state.collect(),
        }
    }

    fn model(&self) -> &'i Model {
        self.instance.model()
    }

    fn shape(&self, ty: &Type) -> std::sync::Arc<Shape> {
        Shape::of(self.model(), self.instance.universe(), ty)
    }

    fn query(&self) -> TransitionQuery<'i> {
        let universe = self.instance.universe();
        let mut query = TransitionQuery::new(self.model(), universe, AutomatonId(0));
        query.expand_quantifiers = self.expand;
        query.resource_limit = RESOURCE_LIMIT;
        query
    }

    fn executor(&self) -> Result<(Executor<'i>, State), Verdict> {
        let skipped = |message: &str| Verdict::Skipped(message.to_owned());
        let executor =
            Executor::new(self.instance, AutomatonId(0)).map_err(|d| skipped(&d[0].message))?;
        let state = self.instance.layout(AutomatonId(0)).state(&self.state);
        Ok((executor, state.map_err(|name| skipped(&name))?))
    }

    /// Compares the truth of an invariant.
    pub(crate) fn invariant(&self, index: usize) -> Verdict {
        let invariant = &self.model().invariants[index];
        let compare = || {
            let (mut executor, state) = self.executor()?;
            let executed = match executor.holds(&state, index) {
                Ok(holds) => Ok(holds),
                Err(Interrupt::Fault(fault)) => Err(fault),
                Err(Interrupt::Limit(limit)) => {
                    return Err(Verdict::Skipped(limit.kind.to_string()));
                }
            };
            let answer = self
                .query()
                .holds(&self.state, &invariant.locals, &invariant.formula)
                .map_err(|reason| Verdict::Skipped(reason.to_string()))?;
            let agreed = match executed {
                Err(fault) => return undefined(&fault, &answer.undefined),
                Ok(_) if !answer.undefined.is_empty() => return too_strict(&answer.undefined),
                Ok(true) => Agreed::Holds,
                Ok(false) => Agreed::Violated,
            };
            if answer.holds == (agreed == Agreed::Holds) {
                Ok(agreed)
            } else {
                Err(Verdict::Disagreed(format!(
                    "the logic says {}, the executor does not",
                    answer.holds
                )))
            }
        };
        self.located(compare().into(), &invariant.name)
    }

    /// Compares a transition with random parameters.
    pub(crate) fn transition(&self, id: TransitionId, rng: &mut ChaCha8Rng) -> Verdict {
        let automaton = &self.model().automata[0];
        let clause = &automaton.transitions[id.index()];
        let params = self.parameters(clause, rng);
        let verdict = self.step(id, clause, &params, rng).into();
        let shown: Vec<String> = params.iter().map(|v| v.display(self.model())).collect();
        let name = &automaton.action_of(id).name;
        self.located(verdict, &format!("{name}({})", shown.join(", ")))
    }

    fn parameters(&self, clause: &Transition, rng: &mut ChaCha8Rng) -> Vec<Value> {
        let locals = clause.params.iter().chain(&clause.hidden);
        locals
            .map(|l| self.value(&clause.locals[l.index()].ty, rng))
            .collect()
    }

    fn value(&self, ty: &Type, rng: &mut ChaCha8Rng) -> Value {
        values::draw(self.model(), self.instance.universe(), ty, rng)
    }

    fn step(
        &self,
        id: TransitionId,
        clause: &Transition,
        params: &[Value],
        rng: &mut ChaCha8Rng,
    ) -> Result<Agreed, Verdict> {
        let (executed, taken) = self.execute(id, clause, params)?;
        let query = self.query();
        let skipped = |reason: prover_bridge::Reason| Verdict::Skipped(reason.to_string());
        let wanted = query.choices(id).map_err(skipped)?;
        // What the executor did not come to choose can be anything.
        let mut taken = VecDeque::from(taken);
        let choices: Vec<Value> = wanted
            .into_iter()
            .map(|ty| taken.pop_front().unwrap_or_else(|| self.value(ty, rng)))
            .collect();
        let answer = query
            .step(&self.state, id, params, &choices)
            .map_err(skipped)?;
        self.compare(&executed, &answer)
    }

    /// What the executor does of a transition with random parameters; nothing if it cannot be tried.
    pub(crate) fn outcome(&self, id: TransitionId, rng: &mut ChaCha8Rng) -> Option<Executed> {
        let clause = &self.model().automata[0].transitions[id.index()];
        let params = self.parameters(clause, rng);
        let (executed, _) = self.execute(id, clause, &params).ok()?;
        Some(executed)
    }

    /// What the executor does, with the values that its choices took.
    fn execute(
        &self,
        id: TransitionId,
        clause: &Transition,
        params: &[Value],
    ) -> Result<(Executed, Vec<Value>), Verdict> {
        let (mut executor, state) = self.executor()?;
        let cells = |locals: &[LocalId], values: &[Value]| -> Option<Vec<Cell>> {
            let types = locals.iter().map(|l| &clause.locals[l.index()].ty);
            let cells = types.zip(values).map(|(ty, v)| self.shape(ty).encode(v));
            cells.collect()
        };
        let (own, hidden) = params.split_at(clause.params.len());
        let firing = cells(&clause.params, own).zip(cells(&clause.hidden, hidden));
        let Some((params, hidden)) = firing else {
            return Err(Verdict::Skipped(
                "a parameter that cannot be encoded".into(),
            ));
        };
        let firing = Firing {
            transition: id,
            params,
            hidden,
        };
        let (mut post, mut draws) = (State::default(), Draws::new(0, Stream::Choices));
        let executed = match executor.step(&state, &firing, &mut draws, &mut post) {
            Ok(Attempt::Taken) => {
                let after = self.instance.layout(AutomatonId(0)).values(&post);
                Executed::Taken(after.map(|(_, value)| value).collect())
            }
            Ok(Attempt::Disabled) => Executed::Disabled,
            Ok(Attempt::Rejected) => Executed::Rejected,
            Err(Interrupt::Fault(fault))
                if fault.kind == interpreter::FaultKind::NothingToChoose =>
            {
                Executed::NothingToChoose
            }
            Err(Interrupt::Fault(fault)) => Executed::Undefined(fault),
            Err(Interrupt::Limit(limit)) => return Err(Verdict::Skipped(limit.kind.to_string())),
        };
        let chosen = executor.choices().iter();
        Ok((executed, chosen.map(|c| self.chosen(clause, c)).collect()))
    }

    /// The value of a choice: of a `choose`, or of a variable that `ensuring` leaves open.
    fn chosen(&self, clause: &Transition, choice: &Choice) -> Value {
        let at = choice.local as usize;
        let ty = match clause.locals.get(at) {
            Some(Local { ty, .. }) => ty,
            None => {
                let variable = clause.unconstrained[at - clause.locals.len()];
                &self.model().automata[0].variables[variable.index()].ty
            }
        };
        self.shape(ty).decode(&choice.value)
    }

    fn compare(&self, executed: &Executed, answer: &StepAnswer) -> Result<Agreed, Verdict> {
        let differ = |what: &str| Err(Verdict::Disagreed(what.to_owned()));
        match executed {
            Executed::Undefined(fault) => undefined(fault, &answer.undefined),
            // What comes after the choice that cannot be made is of no interest.
            Executed::NothingToChoose if answer.choices_fit => {
                differ("the logic finds something to choose, the executor does not")
            }
            Executed::NothingToChoose => Ok(Agreed::NothingToChoose),
            _ if !answer.undefined.is_empty() => too_strict(&answer.undefined),
            Executed::Disabled if answer.enabled => {
                differ("disabled for the executor, enabled in the logic")
            }
            Executed::Disabled => Ok(Agreed::Disabled),
            _ if !answer.enabled => differ("enabled for the executor, disabled in the logic"),
            _ if !answer.choices_fit => {
                differ("the executor's choices do not satisfy their predicates in the logic")
            }
            Executed::Rejected if answer.ensured => {
                differ("the executor finds no way to ensure what the logic says is ensured")
            }
            Executed::Rejected => Ok(Agreed::Rejected),
            Executed::Taken(_) if !answer.ensured => {
                differ("the step breaks `ensuring` in the logic")
            }
            Executed::Taken(after) => self.same(after, &answer.after),
        }
    }

    fn same(&self, executed: &[Value], logic: &[Value]) -> Result<Agreed, Verdict> {
        let model = self.model();
        let variables = model.automata[0].variables.iter();
        let mut pairs = variables.zip(executed.iter().zip(logic));
        match pairs.find(|(_, (a, b))| a != b) {
            None => Ok(Agreed::Taken),
            Some((_, (a, _))) if has_unlisted(a, false) => Err(Verdict::Skipped(
                "a number in a collection that the logic does not list".into(),
            )),
            Some((variable, (a, b))) => Err(Verdict::Disagreed(format!(
                "{} becomes {} for the executor, {} in the logic",
                variable.name,
                a.display(model),
                b.display(model)
            ))),
        }
    }

    /// The verdict with what it is about.
    fn located(&self, verdict: Verdict, what: &str) -> Verdict {
        let Verdict::Disagreed(how) = verdict else {
            return verdict;
        };
        let model = self.model();
        let variables = model.automata[0].variables.iter().zip(&self.state);
        let state: Vec<String> = variables
            .map(|(v, value)| format!("{} = {}", v.name, value.display(model)))
            .collect();
        Verdict::Disagreed(format!("{how}\n{what} in {}", state.join(", ")))
    }
}

/// The executor faults: the logic must find something undefined at the same place.
fn undefined(fault: &Fault, found: &[(Span, &str)]) -> Result<Agreed, Verdict> {
    if found.iter().any(|(span, _)| *span == fault.span) {
        return Ok(Agreed::Undefined);
    }
    let elsewhere: Vec<&str> = found.iter().map(|(_, lack)| *lack).collect();
    Err(Verdict::Disagreed(format!(
        "the executor faults ({}), the logic calls that defined, but says: {elsewhere:?}",
        fault.kind
    )))
}

fn too_strict(found: &[(Span, &str)]) -> Result<Agreed, Verdict> {
    Err(Verdict::Disagreed(format!(
        "the executor does not fault, the logic says: {}",
        found[0].1
    )))
}

/// The logic lists the members of a collection of numbers only if they lie in this range.
const LISTED: std::ops::RangeInclusive<i64> = -3..=8;

/// Whether some collection in a value has a number that is not listed, if only as a part of a member.
fn has_unlisted(value: &Value, is_in_collection: bool) -> bool {
    let mut parts: Box<dyn Iterator<Item = (&Value, bool)>> = match value {
        Value::Int(n) => {
            return is_in_collection && !i64::try_from(n).is_ok_and(|n| LISTED.contains(&n));
        }
        Value::Set(members) => Box::new(members.iter().map(|member| (member, true))),
        Value::Mset(counts) => Box::new(counts.keys().map(|member| (member, true))),
        Value::Map(entries) | Value::Array { entries, .. } => {
            let keys = entries.keys().map(|key| (key, true));
            Box::new(keys.chain(entries.values().map(|value| (value, is_in_collection))))
        }
        Value::Tuple(_, parts) | Value::Seq(parts) => {
            Box::new(parts.iter().map(|part| (part, is_in_collection)))
        }
        Value::Union(_, _, part) | Value::Null(Some(part)) => {
            Box::new(std::iter::once((&**part, is_in_collection)))
        }
        _ => return false,
    };
    parts.any(|(part, is_in_collection)| has_unlisted(part, is_in_collection))
}
