//! Compositions by their definition: a state consists of a state of each component, and all components that have the action
//! of a step take it together.
//!
//! It reads the automata of the components, but not the front end's expansion of the composition.

use std::collections::{BTreeMap, BTreeSet};

use ioa_lang::Value;
use ioa_lang::core::{Action, ActionId, ActionKind, AutomatonId, FunctionId, LocalId, Transition};

use super::search::{Expanded, Started, breadth_first};
use super::statement::check_count;
use super::{Answer, Budget, Fault, Scope, State, Stop, World, result_or_fault};

/// A component: an automaton with values for its parameters.
#[derive(Debug)]
pub struct Component<'m> {
    automaton: AutomatonId,
    /// The instance in which the automaton's parameters have these values.
    world: World<'m>,
}

/// The components of a composition.
#[derive(Debug)]
pub struct Product<'m> {
    components: Vec<Component<'m>>,
}

/// The components' parts in an action with some values.
struct Roles {
    /// The positions of those that control it.
    outputs: Vec<usize>,
    /// The positions of those that receive it.
    inputs: Vec<usize>,
}

impl<'m> Component<'m> {
    /// A component, given an instance `world` without values for the parameters.
    ///
    /// # Panics
    /// If the values do not match the automaton's parameters.
    #[must_use]
    pub fn new(world: World<'m>, automaton: AutomatonId, parameters: &[Value]) -> Self {
        let open = &world.automaton(automaton).parameters.values;
        assert_eq!(open.len(), parameters.len(), "a value for each parameter");
        let tables = open.iter().zip(parameters);
        let tables: BTreeMap<FunctionId, _> = tables
            .map(|(id, value)| (*id, BTreeMap::from([(Vec::new(), value.clone())])))
            .collect();
        Self {
            automaton,
            world: world.with_tables(tables),
        }
    }

    fn action(&self, name: &str) -> Option<(ActionId, &'m Action)> {
        let actions = &self.world.automaton(self.automaton).actions;
        (0..)
            .map(ActionId)
            .zip(actions)
            .find(|(_, a)| &*a.name == name)
    }

    /// Whether an action with these values is in the signature.
    fn has(&self, action: &Action, values: &[Value]) -> Result<bool, Stop> {
        let mut scope = Scope::new(&action.locals, &[]);
        for (local, value) in (0..).map(LocalId).zip(values) {
            scope.bind(local, value.clone());
        }
        self.world.truth(&action.predicate, &mut scope)
    }

    /// The clauses of an action with these values that are enabled, each as often as there are values for its hidden
    /// parameters, and the states that each leads to. For an input, all clauses that apply are taken.
    fn take(
        &self,
        action: ActionId,
        values: &[Value],
        state: &State,
        found: &mut Outcomes,
    ) -> Result<(), Stop> {
        let automaton = self.world.automaton(self.automaton);
        let with_values = |(_, clause): &(_, &'m Transition)| -> Result<Vec<Vec<Value>>, Stop> {
            let hidden = clause.hidden.iter();
            let types: Vec<_> = hidden.map(|h| &clause.locals[h.index()].ty).collect();
            let lists = self.world.lists(&types)?.into_iter();
            Ok(lists.map(|hidden| [values, &hidden[..]].concat()).collect())
        };
        for clause in automaton.clauses(action) {
            for params in with_values(&clause)? {
                let enabled = self.world.is_enabled(clause.1, &params, state);
                if !found.note(enabled)?.unwrap_or(false) {
                    continue;
                }
                let at = (automaton, clause.1);
                let after = self.world.outcomes(at, &params, state, &mut found.faults)?;
                found.enabled = true;
                found.ways.push(after);
            }
        }
        Ok(())
    }
}

/// What a component can do for an action.
#[derive(Default)]
struct Outcomes {
    /// For each clause with values, the states it leads to.
    ways: Vec<Vec<State>>,
    /// Whether some clause is enabled, with or without a result.
    enabled: bool,
    faults: BTreeSet<Fault>,
}

impl Outcomes {
    fn note<T>(&mut self, result: Result<T, Stop>) -> Result<Option<T>, Stop> {
        result_or_fault(result, &mut self.faults)
    }
}

impl<'m> Product<'m> {
    /// The composition of some components.
    #[must_use]
    pub fn new(components: Vec<Component<'m>>) -> Self {
        Self { components }
    }

    /// Explores the composition. The result omits the number of successors of each clause, which depends on how clauses are
    /// joined, and invariants.
    ///
    /// # Errors
    /// Why this reference implementation cannot decide.
    pub fn explore(&self, budget: Budget) -> Result<Answer, String> {
        breadth_first(
            self.starts(),
            budget,
            |_, _| Ok(()),
            |states: &Vec<State>| self.expand(states),
        )
    }

    /// The values of external actions for which the components do not fit together: two of them control the action, or
    /// one controls it for other values only.
    ///
    /// # Errors
    /// This implementation cannot decide.
    pub fn conflicts(&self) -> Result<bool, Stop> {
        for name in self.external() {
            let mut controlled = false;
            let mut left_open = false;
            for values in self.values_of(&name)? {
                let roles = self.roles(&name, &values)?;
                if roles.outputs.len() > 1 {
                    return Ok(true);
                }
                left_open |= roles.outputs.is_empty() && !roles.inputs.is_empty();
            }
            for component in &self.components {
                let action = component.action(&name);
                controlled |= action.is_some_and(|(_, a)| a.kind == ActionKind::Output);
            }
            if controlled && left_open {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether, for some component, it is undefined which of its clauses accepts an input. Then whether an unaccepted step
    /// is a fault depends on the order in which conditions are evaluated.
    ///
    /// # Errors
    /// This implementation cannot decide.
    pub fn has_undefined_conditions(&self) -> Result<bool, Stop> {
        for Component { automaton, world } in &self.components {
            let faults = world.refused_inputs(world.automaton(*automaton))?;
            if faults.contains(&Fault::Undefined) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn starts(&self) -> Result<Started<Vec<State>>, Stop> {
        let mut started = Started {
            states: vec![Vec::new()],
            faults: BTreeSet::new(),
        };
        let mut has_none = false;
        for component in &self.components {
            let own = component.world.started(component.automaton)?;
            has_none |= own.states.is_empty() && own.faults.is_empty();
            started.faults.extend(own.faults);
            check_count(started.states.len() * own.states.len())?;
            let longer = |states: &Vec<State>| {
                let with = |state: &State| [&states[..], std::slice::from_ref(state)].concat();
                own.states.iter().map(with).collect::<Vec<_>>()
            };
            started.states = started.states.iter().flat_map(longer).collect();
        }
        match has_none && !started.faults.is_empty() {
            true => Err(Stop::Beyond(
                "one component has no start state, another a fault".into(),
            )),
            false => Ok(started),
        }
    }

    fn expand(&self, states: &[State]) -> Result<Expanded<Vec<State>>, Stop> {
        let mut found = Expanded::default();
        for (n, component) in self.components.iter().enumerate() {
            let automaton = component.world.automaton(component.automaton);
            let actions = (0..).map(ActionId).zip(&automaton.actions);
            for (id, action) in actions.filter(|(_, a)| a.kind == ActionKind::Internal) {
                for values in component.values_of(action)? {
                    self.step(states, (&[n], &[]), (id, action), &values, &mut found)?;
                }
            }
        }
        for name in self.external() {
            for values in self.values_of(&name)? {
                let roles = self.roles(&name, &values)?;
                let leader = roles.outputs.first().or(roles.inputs.first());
                let Some((id, action)) = leader.and_then(|n| self.components[*n].action(&name))
                else {
                    continue;
                };
                let roles = (&roles.outputs[..], &roles.inputs[..]);
                self.step(states, roles, (id, action), &values, &mut found)?;
            }
        }
        for (component, state) in self.components.iter().zip(states) {
            component.world.check_integers(state)?;
        }
        Ok(found)
    }

    /// The steps by an action with some values that some components control and others receive.
    fn step(
        &self,
        states: &[State],
        (outputs, inputs): (&[usize], &[usize]),
        (_, action): (ActionId, &Action),
        values: &[Value],
        found: &mut Expanded<Vec<State>>,
    ) -> Result<(), Stop> {
        let mut after = vec![states.to_vec()];
        let mut faults = BTreeSet::new();
        for (taking, is_input) in [(outputs, false), (inputs, true)] {
            for n in taking {
                let component = &self.components[*n];
                let (id, _) = component.action(&action.name).expect("it has a role");
                let mut own = Outcomes::default();
                component.take(id, values, &states[*n], &mut own)?;
                faults.extend(own.faults);
                if !own.enabled && is_input {
                    faults.insert(Fault::Refused);
                }
                if !own.enabled && !is_input && faults.is_empty() {
                    return Ok(());
                }
                let ways: usize = own.ways.iter().map(Vec::len).sum();
                check_count(after.len() * ways)?;
                let replaced = |states: &Vec<State>| {
                    let with = |state: &State| {
                        let mut states = states.clone();
                        states[*n].clone_from(state);
                        states
                    };
                    own.ways.iter().flatten().map(with).collect::<Vec<_>>()
                };
                after = after.iter().flat_map(replaced).collect();
            }
        }
        let leads_on = faults.is_empty() || !after.is_empty();
        found.enabled |= leads_on;
        found.active |= !outputs.is_empty() && leads_on;
        found.faults.extend(faults);
        found.after.extend(after);
        Ok(())
    }

    /// The names of external actions.
    fn external(&self) -> BTreeSet<String> {
        let components = self.components.iter();
        let actions = components.flat_map(|c| &c.world.automaton(c.automaton).actions);
        let external = actions.filter(|action| action.kind.is_external());
        external.map(|action| action.name.to_string()).collect()
    }

    /// All values of an action's parameters for which some component has the action.
    fn values_of(&self, name: &str) -> Result<BTreeSet<Vec<Value>>, Stop> {
        let mut found = BTreeSet::new();
        for component in &self.components {
            if let Some((_, action)) = component.action(name) {
                found.extend(component.values_of(action)?);
            }
        }
        Ok(found)
    }

    fn roles(&self, name: &str, values: &[Value]) -> Result<Roles, Stop> {
        let (mut outputs, mut inputs) = (Vec::new(), Vec::new());
        for (n, component) in self.components.iter().enumerate() {
            let Some((_, action)) = component.action(name) else {
                continue;
            };
            if component.has(action, values)? {
                match action.kind {
                    ActionKind::Output => outputs.push(n),
                    _ => inputs.push(n),
                }
            }
        }
        Ok(Roles { outputs, inputs })
    }
}

impl Component<'_> {
    /// The values for which an action is in the signature.
    fn values_of(&self, action: &Action) -> Result<Vec<Vec<Value>>, Stop> {
        let types: Vec<_> = action.params.iter().map(|(_, ty)| ty).collect();
        let mut found = Vec::new();
        for values in self.world.lists(&types)? {
            if self.has(action, &values)? {
                let mut each = values.iter();
                each.try_for_each(|value| self.world.must_be_inside(value))?;
                found.push(values);
            }
        }
        Ok(found)
    }
}
