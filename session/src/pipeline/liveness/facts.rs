//! The formulas of a liveness property as facts about states, and where these are true.

use std::borrow::Cow;
use std::sync::Arc;

use explorer::{Bits, Graph};
use finite::Universe;
use interpreter::{Broken, Executor, Instance, Interrupt, Rows, State, Successors};
use ioa_lang::core::{
    AutomatonId, Expr, ExprKind, Invariant, Liveness, LocalId, Model, Op, Substitution, Temporal,
    Type,
};
use ioa_lang::{Diagnostic, Name, Value};

use super::super::explore::steps;
use super::tasks::valuations;
use crate::study::Study;

/// So many states are looked at at once.
const AT_ONCE: usize = 1 << 12;

/// A property at some values of its parameters, over facts.
pub(super) struct Case {
    pub(super) values: Vec<(Name, Value)>,
    pub(super) formula: Temporal<usize>,
}

/// A property in an instance.
struct Stated {
    cases: Vec<Case>,
    /// An instance whose invariants are the facts and their negations, in turns: where both are false, the fact has no
    /// value.
    instance: Instance,
    /// How many facts there are.
    count: usize,
}

/// Where facts are true, or a state in which one has no value.
pub(super) enum Found {
    Facts(Vec<Bits>),
    Undefined(usize, State, Interrupt),
    /// A number has outgrown its range.
    Outgrown,
}

/// The cases of a property, and where its formulas are true among the states of a graph of an instance. Numbers are packed as in
/// the instance; if one outgrows its range there, all are general values, and the states take another form.
///
/// # Errors
/// Why the formulas cannot be evaluated.
pub(super) fn evaluated(
    study: &Study,
    instance: &Instance,
    property: &Liveness,
    about: (&Graph, &Rows<'_>),
    native: bool,
) -> Result<(Vec<Case>, Found), String> {
    let (graph, rows) = about;
    let ranged = instance.universe().clone();
    let plain = ranged.clone().with_ranges(None);
    let forms = [(ranged, None), (plain, Some(instance))];
    for (universe, translated_from) in forms {
        let stated = Stated::new(study, instance, &universe, property)?;
        let states = States {
            graph,
            rows,
            translated_from,
        };
        let found = stated.facts(study, property, &states, native);
        match found.map_err(|why| why[0].message.clone())? {
            Found::Outgrown => {}
            found => return Ok((stated.cases, found)),
        }
    }
    Err("a number in it is too large".to_owned())
}

/// The states of a graph.
struct States<'s, 'i> {
    graph: &'s Graph,
    /// The form that they have there.
    rows: &'s Rows<'i>,
    /// The instance of that form, if the facts are looked for in states of another form.
    translated_from: Option<&'s Instance>,
}

impl States<'_, '_> {
    /// The form of an instance in which facts are looked for.
    fn rows_in<'j>(&self, instance: &'j Instance, automaton: AutomatonId) -> Rows<'j> {
        match self.translated_from {
            None => self.rows.of_instance(instance, automaton),
            Some(_) => Rows::new(instance, automaton),
        }
    }

    /// Some of the states, in the form of an instance.
    fn translated<'s>(
        &self,
        states: &'s [u64],
        (instance, automaton): (&Instance, AutomatonId),
        form: &Rows<'_>,
    ) -> Cow<'s, [u64]> {
        let Some(from) = self.translated_from else {
            return Cow::Borrowed(states);
        };
        let (old, new) = (from.layout(automaton), instance.layout(automaton));
        let mut translated = Vec::new();
        for row in states.chunks_exact(self.rows.width()) {
            let state = self.rows.state(row);
            let state = old.translated(&state, new);
            let state = state.expect("values without ranges, which hold all that packed ones do");
            form.push(&state, &mut translated);
        }
        Cow::Owned(translated)
    }
}

impl Stated {
    /// A property in a model, at the sizes of an instance and with other ranges of integers.
    ///
    /// # Errors
    /// Why it cannot be looked at.
    fn new(
        study: &Study,
        instance: &Instance,
        universe: &Universe,
        property: &Liveness,
    ) -> Result<Self, String> {
        let mut facts = Vec::new();
        let mut cases = Vec::new();
        let all = valuations(instance, &property.locals, &property.params);
        for valuation in all.map_err(|why| format!("the property {why}"))? {
            let formula = property
                .formula
                .map(&mut |formula| fact(property, (formula, &valuation), &mut facts));
            let value = |(place, term): &(LocalId, Expr)| {
                let name = property.locals[place.index()].name.clone();
                Some((name, instance.closed_value(term, &[]).ok()?))
            };
            cases.push(Case {
                values: valuation.iter().filter_map(value).collect(),
                formula,
            });
        }
        let count = facts.len() / 2;
        let mut model = Model::clone(&study.model);
        model.invariants = facts;
        Ok(Self {
            cases,
            instance: Instance::new(Arc::new(model), universe.clone()),
            count,
        })
    }

    /// Where the facts are true among the states of a graph.
    ///
    /// # Errors
    /// Why they cannot be computed at these sizes.
    fn facts(
        &self,
        study: &Study,
        property: &Liveness,
        among: &States<'_, '_>,
        native: bool,
    ) -> Result<Found, Vec<Diagnostic>> {
        let (graph, automaton) = (among.graph, property.automaton);
        let rows = among.rows_in(&self.instance, automaton);
        let positions: Vec<usize> = (0..2 * self.count).collect();
        let about = (study, &self.instance);
        let (mut steps, _) = steps(about, automaton, &positions, &rows, native)?;
        let mut facts = vec![Bits::all(graph.states()); self.count];
        let mut broken: Vec<Broken> = Vec::new();
        let width = among.rows.width();
        for (chunk, kept) in graph.rows().chunks(AT_ONCE * width).enumerate() {
            let states = among.translated(kept, (&self.instance, automaton), &rows);
            steps.check(&states, &mut broken);
            let begin = chunk * AT_ONCE;
            let (of_facts, of_negations): (Vec<&Broken>, Vec<&Broken>) =
                broken.iter().partition(|one| one.invariant % 2 == 0);
            for one in of_facts {
                facts[one.invariant / 2].remove(begin + one.state);
            }
            // The negation is false where the fact is true. Where it is not, neither has a value.
            let both = |one: &&&Broken| !facts[one.invariant / 2].has(begin + one.state);
            if let Some(one) = of_negations.iter().find(both) {
                let state = |rows: &Rows<'_>, states: &[u64]| {
                    rows.state(&states[one.state * rows.width()..][..rows.width()])
                };
                let at = (begin + one.state, state(among.rows, kept));
                let own = state(&rows, &states);
                return self.undefined(at, &own, (property, one.invariant));
            }
        }
        match self.instance.range_overflows().is_empty() {
            true => Ok(Found::Facts(facts)),
            false => Ok(Found::Outgrown),
        }
    }

    /// That a fact has no value in a state, which is given as it is in the graph and in the form of this instance.
    fn undefined(
        &self,
        (number, state): (usize, State),
        own: &State,
        (property, invariant): (&Liveness, usize),
    ) -> Result<Found, Vec<Diagnostic>> {
        if !self.instance.range_overflows().is_empty() {
            return Ok(Found::Outgrown);
        }
        let mut executor = Executor::new(&self.instance, property.automaton)?;
        match executor.holds(own, invariant) {
            Err(interrupt) => Ok(Found::Undefined(number, state, interrupt)),
            Ok(_) => {
                let message = "internal error: a formula is false and so is its negation";
                let code = ioa_lang::diagnostic::Code::CannotRun;
                Err(vec![Diagnostic::error(code, property.span, message)])
            }
        }
    }
}

/// The number of a fact: a formula where the property's parameters have some values. It is noted with its negation.
fn fact(
    property: &Liveness,
    (formula, valuation): (&Expr, &[(LocalId, Expr)]),
    facts: &mut Vec<Invariant>,
) -> usize {
    let mut locals = property.locals.clone();
    let values = valuation.iter().cloned();
    let mut copier = Substitution::new(&property.locals, &mut locals, values);
    let formula = copier.copy(formula);
    let negation = ExprKind::Apply(Op::Not, vec![formula.clone()]);
    let negation = Expr::new(negation, Type::Bool, formula.span);
    let number = facts.len() / 2;
    for formula in [formula, negation] {
        facts.push(Invariant {
            name: property.name.clone(),
            automaton: property.automaton,
            locals: locals.clone(),
            formula,
            uses: None,
            span: property.span,
        });
    }
    number
}
