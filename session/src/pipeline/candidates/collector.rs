//! Runs as samples.

use std::ops::ControlFlow;

use interpreter::run::{Event, Observer};
use interpreter::{
    Cell, Executor, Field, Inspection, Instance, Layout, Location, Shape, State, States,
};
use invariants::{Added, Focus, Limits, Misfit, Samples, Schema};
use ioa_lang::core::{Action, ActionId, AutomatonId, Expr, Local, StateTerm, Type};
use ioa_lang::{Diagnostic, Value};

/// Distinct states that are kept as they are, at most.
const MAX_STATES: usize = 10_000;

/// Collects the states and steps of runs as samples.
pub struct Collector<'i> {
    instance: &'i Instance,
    automaton: AutomatonId,
    /// Where each variable lies, if all of them lie in words: then a state is a sample as it stands.
    fields: Option<Vec<Field>>,
    /// The terms that somebody gave, and what evaluates them.
    own: Option<(Executor<'i>, Vec<Inspection>)>,
    samples: Samples,
    /// The first distinct states.
    states: States,
    /// Bytes that these may take, and as many that values in samples may take.
    room: u64,
    before: Vec<u64>,
    after: Vec<u64>,
    misfit: Option<Misfit>,
}

impl<'i> Collector<'i> {
    /// A collector for runs of an automaton, which looks at what is looked at of it. As far as there is room in so many bytes it keeps
    /// states as they are.
    ///
    /// # Errors
    /// Why terms cannot be evaluated in this instance.
    pub fn new(
        instance: &'i Instance,
        automaton: AutomatonId,
        focus: &Focus,
        room: u64,
    ) -> Result<Self, Vec<Diagnostic>> {
        let layout = instance.layout(automaton);
        let field = |variable| match layout.location(variable) {
            Location::Bits(field) => Some(*field),
            Location::Limbs(_) | Location::Cell(_) => None,
        };
        let about = (&**instance.model(), instance.universe(), automaton);
        let schema = Schema::focused(about, focus);
        let own = prepared((instance, automaton), &schema)?;
        Ok(Self {
            own,
            instance,
            automaton,
            fields: layout.ids().map(field).collect(),
            samples: Samples::new(schema, Limits::default()),
            states: States::new(),
            room,
            before: Vec::new(),
            after: Vec::new(),
            misfit: None,
        })
    }

    /// What was collected, and the first distinct states as they are.
    ///
    /// # Errors
    /// If a sample did not fit, which only values beyond the detector's bounds do.
    pub fn samples(self) -> Result<(Samples, States), Misfit> {
        match self.misfit {
            Some(misfit) => Err(misfit),
            None => Ok((self.samples, self.states)),
        }
    }

    /// Whether there is no room for more samples.
    pub(super) fn is_full(&self) -> bool {
        self.samples.pool().bytes() >= self.room
    }

    fn layout(&self) -> &'i Layout {
        self.instance.layout(self.automaton)
    }

    /// The row of a state, in `after`.
    fn read(&mut self, state: &State) -> Result<(), Misfit> {
        if let Some(fields) = &self.fields {
            self.after.clear();
            self.after
                .extend(fields.iter().map(|field| field.read(state.words())));
        } else {
            let values: Vec<Value> = self
                .layout()
                .values(state)
                .map(|(_, value)| value)
                .collect();
            self.after = self.samples.encode_state(&values)?;
        }
        if let Some((executor, terms)) = &mut self.own {
            let values = terms.iter().map(|term| executor.inspect(state, term).ok());
            let words = self.samples.encode_own(values)?;
            self.after.extend(words);
        }
        Ok(())
    }

    fn take_start(&mut self, state: &State) -> Result<Added, Misfit> {
        self.read(state)?;
        std::mem::swap(&mut self.before, &mut self.after);
        let added = self.samples.add_state(&self.before)?;
        self.keep(added, state);
        Ok(added)
    }

    /// Keeps a state that is new.
    fn keep(&mut self, added: Added, state: &State) {
        let has_room = self.states.len() < MAX_STATES && self.states.bytes() < self.room;
        if added == Added::New && has_room {
            self.states.push(state);
        }
    }

    /// Takes a state of which nothing else is known.
    pub(super) fn take(&mut self, state: &State) {
        let taken = self.take_start(state);
        if let Err(misfit) = taken {
            self.misfit.get_or_insert(misfit);
        }
    }

    fn take_step(&mut self, event: &Event<'_>) -> Result<Added, Misfit> {
        self.read(event.post)?;
        let automaton = self.instance.model().automaton(self.automaton);
        let action = automaton.transitions[event.transition().index()].action;
        let params = self.params(&automaton.actions[action.index()], action, event.params())?;
        self.samples
            .add_step(action, &self.before, &self.after, &params)?;
        std::mem::swap(&mut self.before, &mut self.after);
        let added = self.samples.add_state(&self.before)?;
        self.keep(added, event.post);
        Ok(added)
    }

    fn params(
        &mut self,
        declared: &Action,
        action: ActionId,
        cells: &[Cell],
    ) -> Result<Vec<u64>, Misfit> {
        let packed: Option<Vec<u64>> = cells
            .iter()
            .map(|cell| match cell {
                Cell::Word(word) => Some(*word),
                _ => None,
            })
            .collect();
        if let Some(words) = packed {
            return Ok(words);
        }
        let decode = |(ty, cell): (&Type, &Cell)| {
            Shape::of(self.instance.model(), self.instance.universe(), ty).decode(cell)
        };
        let types = declared.params.iter().map(|(_, ty)| ty);
        let values: Vec<Value> = types.zip(cells).map(decode).collect();
        self.samples.encode_params(action, &values)
    }

    /// Keeps the first misfit and ends the run at it.
    fn note(&mut self, taken: Result<Added, Misfit>) -> ControlFlow<()> {
        match taken {
            Ok(_) => ControlFlow::Continue(()),
            Err(misfit) => {
                self.misfit.get_or_insert(misfit);
                ControlFlow::Break(())
            }
        }
    }
}

/// What evaluates the terms that somebody gave, if there are any.
fn prepared<'i>(
    (instance, automaton): (&'i Instance, AutomatonId),
    schema: &Schema,
) -> Result<Option<(Executor<'i>, Vec<Inspection>)>, Vec<Diagnostic>> {
    let mut terms = schema.own_terms().peekable();
    if terms.peek().is_none() {
        return Ok(None);
    }
    let executor = Executor::new(instance, automaton)?;
    let term = |(term, locals): &(Expr, Vec<Local>)| {
        executor.inspection(&StateTerm {
            term: term.clone(),
            locals: locals.clone(),
        })
    };
    let prepared = terms.map(term).collect::<Result<_, _>>()?;
    Ok(Some((executor, prepared)))
}

impl Observer for Collector<'_> {
    fn start(&mut self, state: &State) -> ControlFlow<()> {
        if self.is_full() {
            return ControlFlow::Break(());
        }
        let taken = self.take_start(state);
        self.note(taken)
    }

    fn step(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        if self.is_full() {
            return ControlFlow::Break(());
        }
        let taken = self.take_step(event);
        self.note(taken)
    }
}
