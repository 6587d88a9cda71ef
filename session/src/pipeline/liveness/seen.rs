//! Tasks whose variables have infinitely many values, or values that no term denotes. In an instance only some of these tasks
//! are ever enabled: those of the steps that there are. The others are treated fairly by every execution.

use interpreter::{Cell, Firing, Instance};
use ioa_lang::Value;
use ioa_lang::core::{ActionId, AutomatonId, Expr, ExprKind, LocalId, Task, TransitionId};
use rustc_hash::FxHashSet;

/// Bound variables with more valuations than this are not gone through.
pub(super) const MOST_VALUATIONS: usize = 1 << 12;

/// The actions of a task with their parameters.
pub(crate) type Members = Vec<(ActionId, Vec<Value>)>;

/// The actions of steps, with their parameters, each once.
#[derive(Default)]
pub(super) struct Seen {
    found: Vec<(ActionId, Vec<Value>)>,
    known: FxHashSet<(TransitionId, Vec<Cell>)>,
}

impl Seen {
    /// Notes a step of an automaton.
    pub(super) fn note(&mut self, instance: &Instance, automaton: AutomatonId, firing: &Firing) {
        let key = (firing.transition, firing.params.to_vec());
        if self.known.contains(&key) {
            return;
        }
        self.known.insert(key);
        let declared = instance.model().automaton(automaton);
        let action = declared.transitions[firing.transition.index()].action;
        let values = instance.values_of(automaton, action, &firing.params);
        self.found.push((action, values));
    }

    /// The tasks that a task stands for, of those to which steps belong: the actions of each. None where the parameters of a
    /// step do not say to which task it belongs.
    ///
    /// # Errors
    /// Why they cannot be told apart.
    pub(super) fn tasks(
        &self,
        instance: &Instance,
        task: &Task,
    ) -> Option<Result<Vec<Members>, String>> {
        let mut patterns = Vec::new();
        for (action, args) in &task.actions {
            patterns.push((*action, pattern(instance, task, args)?));
        }
        let (mut valuations, mut known) = (Vec::new(), FxHashSet::default());
        for (action, values) in &self.found {
            let of_action = patterns.iter().filter(|(other, _)| other == action);
            for valuation in of_action.filter_map(|(_, pattern)| matched(task, pattern, values)) {
                if known.insert(valuation.clone()) {
                    valuations.push(valuation);
                }
            }
        }
        if valuations.len() > MOST_VALUATIONS {
            return Some(Err("has too many values for its variables".into()));
        }
        let members = |valuation: &Vec<Value>| {
            let each = patterns.iter();
            each.map(|(action, pattern)| (*action, filled(pattern, valuation)))
                .collect()
        };
        Some(Ok(valuations.iter().map(members).collect()))
    }
}

/// What an argument of a task's action is.
enum Argument {
    /// A variable of the task.
    Variable(LocalId),
    /// A value.
    Fixed(Value),
}

/// The arguments of an action of a task; none if one of them is neither a variable nor a value, or a variable is not among
/// them.
fn pattern(instance: &Instance, task: &Task, args: &[Expr]) -> Option<Vec<Argument>> {
    let argument = |arg: &Expr| match &arg.kind {
        ExprKind::Local(local) => Some(Argument::Variable(*local)),
        _ => {
            let value = instance.closed_value(arg, &task.locals);
            value.ok().map(Argument::Fixed)
        }
    };
    let pattern: Vec<Argument> = args.iter().map(argument).collect::<Option<_>>()?;
    let mut locals = (0..task.locals.len()).map(LocalId::at);
    let is_there = |local: LocalId| {
        let mut arguments = pattern.iter();
        arguments.any(|argument| matches!(argument, Argument::Variable(other) if *other == local))
    };
    locals.all(is_there).then_some(pattern)
}

/// The values of a task's variables with which its action has these parameters.
fn matched(task: &Task, pattern: &[Argument], values: &[Value]) -> Option<Vec<Value>> {
    let mut valuation: Vec<Option<&Value>> = vec![None; task.locals.len()];
    for (argument, value) in pattern.iter().zip(values) {
        let is_so = match argument {
            Argument::Variable(local) => {
                let place = &mut valuation[local.index()];
                *place.get_or_insert(value) == value
            }
            Argument::Fixed(fixed) => fixed == value,
        };
        if !is_so {
            return None;
        }
    }
    valuation
        .into_iter()
        .map(Option::<&Value>::cloned)
        .collect()
}

/// The parameters of an action of a task whose variables have these values.
fn filled(pattern: &[Argument], valuation: &[Value]) -> Vec<Value> {
    let value = |argument: &Argument| match argument {
        Argument::Variable(local) => valuation[local.index()].clone(),
        Argument::Fixed(value) => value.clone(),
    };
    pattern.iter().map(value).collect()
}
