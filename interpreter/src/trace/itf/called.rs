//! What a step is called.

use ioa_lang::core::{AutomatonId, LocalId};

use super::locals::Locals;
use crate::instance::Instance;
use crate::state::cell::Cell;
use crate::transition::Label;

/// A step's action with its parameters in the language's notation, and what was chosen in it: `lose([Node#0, 1]) with n = Node#1`.
#[must_use]
pub fn called(instance: &Instance, id: AutomatonId, label: &Label) -> String {
    let (model, firing) = (instance.model(), &label.firing);
    let automaton = model.automaton(id);
    let clause = Locals::of(instance, id, firing.transition);
    let action = automaton.action_of(firing.transition);
    let shown = |local: LocalId, cell: &Cell| clause.shape(local).decode(cell).display(model);
    let params = clause.params.iter().zip(&firing.params);
    let params = params.take(action.params.len());
    let params: Vec<String> = params.map(|(local, cell)| shown(*local, cell)).collect();
    let mut called = match params.is_empty() {
        true => action.name.to_string(),
        false => format!("{}({})", action.name, params.join(", ")),
    };
    let hidden = clause.hidden.iter().copied().zip(&firing.hidden);
    let chosen = label.choices.iter();
    let chosen = chosen.map(|choice| (LocalId(choice.local), &choice.value));
    // Choices that `ensuring` leaves open have no local: they show in what changed.
    let locals = automaton.transitions[firing.transition.index()]
        .locals
        .len();
    let named = hidden.chain(chosen);
    for (local, cell) in named.filter(|(local, _)| local.index() < locals) {
        called.push_str(&format!(
            " with {} = {}",
            clause.name(local),
            shown(local, cell)
        ));
    }
    called
}
