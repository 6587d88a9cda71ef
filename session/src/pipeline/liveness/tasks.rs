//! The tasks of an automaton in an instance, one for each valuation of a task's bound variables, and to which of them a
//! step belongs.

use rustc_hash::FxHashMap;

use explorer::{Bits, Tasks};
use finite::closed_values;
use interpreter::{Cell, Firing, Instance};
use ioa_lang::Value;
use ioa_lang::core::{ActionId, AutomatonId, Expr, Fairness, Local, LocalId, Substitution, Task};

use super::seen::{MOST_VALUATIONS, Members, Seen};
use crate::story::call;
use crate::study::Study;

/// The tasks of an automaton in an instance.
pub(super) struct Classes<'i> {
    instance: &'i Instance,
    automaton: AutomatonId,
    /// What the tasks are called, by their numbers.
    pub(super) names: Vec<String>,
    /// How they are fair.
    pub(super) tasks: Tasks,
    /// To which tasks an action with some parameters belongs.
    members: FxHashMap<(ActionId, Vec<Value>), Vec<usize>>,
    /// By clause and then by the cells of its parameters, what was looked up before.
    known: Vec<FxHashMap<Vec<Cell>, Bits>>,
}

impl<'i> Classes<'i> {
    /// The tasks of an automaton. Those that cannot be enumerated are those of the steps that are given, if any are.
    ///
    /// # Errors
    /// Why they cannot be told apart at these sizes.
    pub(super) fn new(
        study: &Study,
        instance: &'i Instance,
        automaton: AutomatonId,
        seen: Option<&Seen>,
    ) -> Result<Self, String> {
        let declared = study.model.automaton(automaton);
        let (mut names, mut strong) = (Vec::new(), Vec::new());
        let mut members: FxHashMap<(ActionId, Vec<Value>), Vec<usize>> = FxHashMap::default();
        for (task, actions) in in_instance(study, instance, automaton, seen)? {
            let number = names.len();
            let mut shown = Vec::new();
            for (action, args) in actions {
                let name = &declared.actions[action.index()].name;
                shown.push(call(&study.model, name, &args));
                members.entry((action, args)).or_default().push(number);
            }
            names.push(format!("{{{}}}", shown.join(", ")));
            strong.push(task.fairness == Fairness::Strong);
        }
        let count = names.len();
        let mut tasks = Tasks {
            weak: Bits::none(count),
            strong: Bits::none(count),
            count,
        };
        for (number, is_strong) in strong.into_iter().enumerate() {
            match is_strong {
                true => tasks.strong.insert(number),
                false => tasks.weak.insert(number),
            }
        }
        Ok(Self {
            instance,
            automaton,
            names,
            tasks,
            members,
            known: vec![FxHashMap::default(); declared.transitions.len()],
        })
    }

    /// Puts the tasks that a step belongs to into a set.
    pub(super) fn of(&mut self, firing: &Firing, set: &mut Bits) {
        let known = &mut self.known[firing.transition.index()];
        if let Some(found) = known.get(&firing.params[..]) {
            return set.unite(found);
        }
        let declared = self.instance.model().automaton(self.automaton);
        let action = declared.transitions[firing.transition.index()].action;
        let values = self
            .instance
            .values_of(self.automaton, action, &firing.params);
        let mut found = Bits::none(self.tasks.count);
        let members = self.members.get(&(action, values));
        let numbers = members.into_iter().flatten();
        numbers.for_each(|number| found.insert(*number));
        set.unite(&found);
        known.insert(firing.params.clone(), found);
    }
}

/// The tasks of an automaton in an instance, each with its actions, where they can be enumerated.
///
/// # Errors
/// Why they cannot be.
pub(crate) fn enumerated<'s>(
    study: &'s Study,
    instance: &Instance,
    automaton: AutomatonId,
) -> Result<Vec<(&'s Task, Members)>, String> {
    in_instance(study, instance, automaton, None)
}

/// As [`enumerated`]; but those that cannot be enumerated are those of the steps that are given, if any are.
fn in_instance<'s>(
    study: &'s Study,
    instance: &Instance,
    automaton: AutomatonId,
    seen: Option<&Seen>,
) -> Result<Vec<(&'s Task, Members)>, String> {
    let mut found = Vec::new();
    for task in &study.model.automaton(automaton).tasks {
        let each = each_of(instance, task).or_else(|why| {
            let among = seen.and_then(|seen| seen.tasks(instance, task));
            among.unwrap_or(Err(why))
        });
        let each = each.map_err(|why| told(study, task, &why))?;
        found.extend(each.into_iter().map(|members| (task, members)));
    }
    Ok(found)
}

/// Why the tasks that a task stands for cannot be told apart.
fn told(study: &Study, task: &Task, why: &str) -> String {
    format!("the task at {} {why}", study.location(task.span))
}

/// The tasks that a task stands for, one for each valuation of its variables: the actions of each.
fn each_of(instance: &Instance, task: &Task) -> Result<Vec<Members>, String> {
    let places: Vec<LocalId> = (0..task.locals.len()).map(LocalId::at).collect();
    let valuations = valuations(instance, &task.locals, &places)?;
    let each = valuations.iter();
    let each = each.map(|valuation| actions(instance, task, valuation));
    each.collect()
}

/// The actions of a task with their parameters, where its variables have some values.
fn actions(
    instance: &Instance,
    task: &Task,
    valuation: &[(LocalId, Expr)],
) -> Result<Members, String> {
    let mut found = Vec::new();
    for (action, args) in &task.actions {
        let mut locals = task.locals.clone();
        let values = valuation.iter().cloned();
        let mut copier = Substitution::new(&task.locals, &mut locals, values);
        let args: Vec<Expr> = args.iter().map(|arg| copier.copy(arg)).collect();
        let values = args.iter().map(|arg| instance.closed_value(arg, &locals));
        let values: Result<Vec<Value>, _> = values.collect();
        let values =
            values.map_err(|why| format!("has an argument without a value: {}", why[0].message))?;
        found.push((*action, values));
    }
    Ok(found)
}

/// All values of some bound variables, as terms.
///
/// # Errors
/// Why they cannot be gone through.
pub(super) fn valuations(
    instance: &Instance,
    locals: &[Local],
    places: &[LocalId],
) -> Result<Vec<Vec<(LocalId, Expr)>>, String> {
    let model = instance.model();
    // A range that is guessed for numbers in the state says nothing about these.
    let universe = instance.universe().clone().with_ranges(None);
    let mut found = vec![Vec::new()];
    for place in places {
        let Local { name, ty, .. } = &locals[place.index()];
        let values = closed_values((model, &universe), ty, MOST_VALUATIONS as u64);
        let values = values.ok_or_else(|| {
            let ty = model.type_name(ty);
            format!("has infinitely or too many values for {name}: {ty}")
        })?;
        if found.len() * values.len() > MOST_VALUATIONS {
            return Err("has too many values for its variables".into());
        }
        let longer = found.iter().flat_map(|valuation: &Vec<_>| {
            let values = values.iter().cloned();
            values.map(move |value| [&valuation[..], &[(*place, value)]].concat())
        });
        found = longer.collect();
    }
    Ok(found)
}
