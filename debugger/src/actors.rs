//! Whose a step is: the components of a composition that take part in it, or the elements that its parameters name.

use interpreter::trace::Step;
use interpreter::{Firing, Instance, Participants};
use ioa_lang::core::AutomatonId;
use ioa_lang::diagnostic;
use session::study::BadInput;

/// Says of each step of an automaton whose it is.
#[derive(Debug)]
pub(crate) struct Actors<'i> {
    instance: &'i Instance,
    automaton: AutomatonId,
    /// By action.
    participants: Vec<Participants>,
}

impl<'i> Actors<'i> {
    pub(crate) fn of(instance: &'i Instance, automaton: AutomatonId) -> Self {
        let declared = instance.model().automaton(automaton);
        let about = (&**instance.model(), instance.universe());
        let participants = declared.actions.iter();
        let participants = participants.map(|a| Participants::of(about, a));
        Self {
            instance,
            automaton,
            participants: participants.collect(),
        }
    }

    /// The components that take part in a step, the one that controls it first; none if there are no components.
    pub(crate) fn components(&self, firing: &Firing) -> Vec<String> {
        let declared = self.instance.model().automaton(self.automaton);
        let action = declared.transitions[firing.transition.index()].action;
        let model = self.instance.model();
        self.participants[action.index()].names(model, &declared.components, &firing.params)
    }

    /// Refuses a name that has to do with no step, whatever the state is: it is neither that of an action, nor of a component, nor
    /// of an element. Only the names of elements are more than words.
    ///
    /// # Errors
    /// What it may have been meant to be.
    pub(crate) fn check(&self, name: &str) -> Result<(), BadInput> {
        let is_word = name
            .chars()
            .all(|c| c.is_alphanumeric() || "_.".contains(c));
        if !is_word || name.starts_with(|c: char| c.is_ascii_digit()) {
            return Ok(());
        }
        let model = self.instance.model();
        let declared = model.automaton(self.automaton);
        let actions = declared.actions.iter().map(|action| &*action.name);
        let components = declared.components.iter().map(|component| &*component.path);
        let elements = model.enumerations.iter().flat_map(|one| &one.values);
        let elements = elements
            .map(|element| &**element)
            .chain(["true", "false", "nil"]);
        let named: Vec<&str> = actions.chain(components).collect();
        let known: Vec<&str> = named.iter().copied().chain(elements).collect();
        if known.contains(&name) {
            return Ok(());
        }
        let hint = match diagnostic::nearest(name, known) {
            Some(nearest) => format!("did you mean {nearest}?"),
            None => format!("there is {}", named.join(", ")),
        };
        Err(BadInput::message(format!(
            "no action, component or element is named {name}; {hint}"
        )))
    }

    /// Whether a name has to do with a step: it is the action's, that of a component which takes part, with its index or
    /// without, or that of an element that is a parameter.
    pub(crate) fn concerns(&self, name: &str, step: &Step) -> bool {
        let firing = &step.label.firing;
        let model = self.instance.model();
        let declared = model.automaton(self.automaton);
        let action = declared.transitions[firing.transition.index()].action;
        if *declared.actions[action.index()].name == *name {
            return true;
        }
        let without_index = |actor: &String| actor.split('[').next() == Some(name);
        let mut components = self.components(firing).into_iter();
        if components.any(|actor| actor == name || without_index(&actor)) {
            return true;
        }
        let values = self
            .instance
            .values_of(self.automaton, action, &firing.params);
        values.iter().any(|value| value.display(model) == name)
    }
}
