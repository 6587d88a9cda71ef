//! The skeleton of a proof that one automaton implements another: a relation to be completed, and a proof block with an entry
//! for each action. It can be checked and tried as it stands.

use ioa_lang::core::{Action, ActionKind, Automaton, AutomatonId, Model, Variable};

use ioa_lang::print;

use crate::study::{BadInput, Study};

/// A forward simulation from `low` to `high` as text. High variables are taken to be equal to low ones of the same name and
/// type; an external action is taken to be matched by the same one, and an internal action by nothing.
///
/// # Errors
/// A name that no automaton has; a simulation that is stated already.
pub fn simulation(study: &Study, low: &str, high: &str) -> Result<String, BadInput> {
    let (low, high) = (study.automaton(Some(low))?, study.automaton(Some(high))?);
    let model = &study.model;
    if let Some(there) = (model.simulations.iter()).find(|s| (s.low, s.high) == (low, high)) {
        let name = model.simulation_name(there);
        let place = study.sources.location(there.span);
        return Err(BadInput::message(format!(
            "a simulation from {name} is stated already, at {place}"
        )));
    }
    Ok(Skeleton::new(model, low, high).text())
}

struct Skeleton<'m> {
    model: &'m Model,
    low: &'m Automaton,
    high: &'m Automaton,
    /// The high variables that have a low one of the same name and type, with it.
    same: Vec<(&'m Variable, &'m Variable)>,
}

impl<'m> Skeleton<'m> {
    fn new(model: &'m Model, low: AutomatonId, high: AutomatonId) -> Self {
        let (low, high) = (model.automaton(low), model.automaton(high));
        let partner = |variable: &Variable| {
            let own = |v: &&Variable| last(&v.name) == last(&variable.name) && v.ty == variable.ty;
            let mut alike = low.variables.iter().filter(own);
            // Of several alike none is more likely than the others.
            alike.next().filter(|_| alike.next().is_none())
        };
        let variables = high.variables.iter();
        let same = variables.filter_map(|v| Some((v, partner(v)?))).collect();
        Self {
            model,
            low,
            high,
            same,
        }
    }

    fn text(&self) -> String {
        let (low, high) = (&self.low.name, &self.high.name);
        let (related, assigned) = (self.relation(), self.assignments());
        let unmatched = self.unmatched();
        let entries: String = self.low.actions.iter().map(|a| self.entry(a)).collect();
        format!(
            "% {low} implements {high}: how their states are related, and what {high} does when {low} takes a step.\n\
             {unmatched}\
             forward simulation from {low} to {high}:\n{related}\
             \x20 proof\n{assigned}{entries}"
        )
    }

    /// What the relation does not speak of yet.
    fn unmatched(&self) -> String {
        let is_open = |v: &&Variable| self.same.iter().all(|(high, _)| high.name != v.name);
        let open = self.high.variables.iter().filter(is_open);
        let open: Vec<String> = open
            .map(|v| format!("{}.{}", self.high.name, v.name))
            .collect();
        match &open[..] {
            [] => String::new(),
            open => format!(
                "% Still to be related to the state of {}: {}.\n",
                self.low.name,
                open.join(", ")
            ),
        }
    }

    /// The relation: that the variables that are alike are equal.
    fn relation(&self) -> String {
        match self.same.is_empty() {
            true => "  true\n".to_owned(),
            false => format!("  {}\n", self.pairs("=").join("\n  /\\ ")),
        }
    }

    /// The start state of the high automaton, as far as the relation says it.
    fn assignments(&self) -> String {
        match self.same.is_empty() {
            true => String::new(),
            false => format!(
                "    initially\n      {}\n",
                self.pairs(":=").join(";\n      ")
            ),
        }
    }

    /// Each high variable with the low one that is like it, and a sign between them.
    fn pairs(&self, sign: &str) -> Vec<String> {
        let pairs = self.same.iter();
        let written = |(high, low): &(&Variable, &Variable)| {
            let (h, l) = (&self.high.name, &self.low.name);
            format!("{h}.{} {sign} {l}.{}", high.name, low.name)
        };
        pairs.map(written).collect()
    }

    /// The entry for a low action.
    fn entry(&self, action: &Action) -> String {
        let formals = action.params.iter();
        let formals: Vec<String> = formals
            .map(|(name, ty)| format!("{name}: {}", self.model.type_name(ty)))
            .collect();
        let names: Vec<String> = action.params.iter().map(|(n, _)| n.to_string()).collect();
        let kind = action.kind.keyword();
        // The index of a component has its type from the component.
        let indices = indices(self.low, action);
        let formals = [&names[..indices], &formals[indices..]].concat();
        let heading = print::action(self.low, action, &formals);
        if action.kind == ActionKind::Internal {
            return format!("    for {kind} {heading} ignore\n");
        }
        match self.matching(action) {
            Some(high) => {
                let (kind, same) = (high.kind.keyword(), print::action(self.high, high, &names));
                format!("    for {kind} {heading} do fire {kind} {same} od\n")
            }
            None => format!(
                "    % {} has no such action, so this step cannot be matched.\n    for {kind} {heading} ignore\n",
                self.high.name
            ),
        }
    }

    fn matching(&self, action: &Action) -> Option<&'m Action> {
        let types = |action: &Action| -> Vec<_> {
            let params = action.params.iter();
            params.map(|(_, ty)| ty.clone()).collect()
        };
        let mut external = (self.high.actions.iter()).filter(|a| a.kind != ActionKind::Internal);
        external.find(|high| high.name == action.name && types(high) == types(action))
    }
}

/// How many of an action's parameters are indices of the component that the action belongs to.
pub(super) fn indices(automaton: &Automaton, action: &Action) -> usize {
    let path = action.name.rsplit_once('.').map(|(path, _)| path);
    let mut components = automaton.components.iter();
    let of = components.find(|c| Some(&*c.path) == path);
    of.map_or(0, |component| component.indices.len())
}

/// A variable's own name, without the component that it belongs to.
fn last(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(_, last)| last)
}
