//! An automaton, compiled: its start states, its transition clauses, its invariants.

mod narrowed;
mod transition;

use finite::Universe;
use ioa_lang::core::{self, ActionId, Automaton, AutomatonId, Model, Sort, Store};
use ioa_lang::diagnostic::Code;
use ioa_lang::{Diagnostic, Name, Span};

use crate::code::{Formula, Program, Stmt};
use crate::compile::of_state;
use crate::compile::{self, Scope};
use crate::instance::requirement;
use crate::interrupt::fault::Item;
use crate::state::layout::{Layout, Part, State};

pub(crate) use self::transition::{Ensuring, Handed, TransitionCode, conditions};

/// Everything of an automaton that can be run.
#[derive(Debug)]
pub(crate) struct AutomatonCode {
    pub(crate) layout: Layout,
    pub(crate) start: Result<StartCode, Vec<Diagnostic>>,
    pub(crate) transitions: Vec<Result<TransitionCode, Vec<Diagnostic>>>,
    pub(crate) invariants: Vec<Result<InvariantCode, Vec<Diagnostic>>>,
    /// The automaton's requirements that the instance does not meet, on sizes and on the interpretation.
    pub(crate) unmet: Vec<Diagnostic>,
}

/// The start states.
#[derive(Debug)]
pub(crate) struct StartCode {
    /// The state with which the program begins.
    pub(crate) blank: State,
    pub(crate) program: Program,
    /// Whether a run of the program chooses anything.
    pub(crate) chooses: bool,
    /// The choices with conditions that start states have to satisfy: that one of them has no value is no mistake.
    pub(crate) narrowed: Vec<Span>,
    /// The condition on start states, if there is one.
    pub(crate) so_that: Option<Formula>,
}

/// An invariant.
#[derive(Debug)]
pub(crate) struct InvariantCode {
    /// Its position in the model.
    pub(crate) index: usize,
    pub(crate) name: Name,
    pub(crate) formula: Formula,
    /// What it reads of a state.
    part: Part,
}

impl AutomatonCode {
    pub(crate) fn compile(model: &Model, universe: &Universe, id: AutomatonId) -> Self {
        let automaton = model.automaton(id);
        let layout = Layout::of(model, universe, Some(id), &automaton.variables);
        let invariants = InvariantCode::each(model, universe, (id, &layout)).collect();
        let transitions = automaton.transitions.iter().enumerate();
        let transitions = transitions
            .map(|clause| TransitionCode::compile(model, universe, &layout, clause))
            .collect();
        let start = StartCode::compile(model, universe, &layout, &automaton.start);
        Self {
            unmet: unmet(model, universe, id),
            layout,
            start,
            transitions,
            invariants,
        }
    }

    /// Every reason why some part cannot be run.
    pub(crate) fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        let start = self.start.as_ref().err().into_iter().flatten();
        let transitions = self
            .transitions
            .iter()
            .filter_map(|t| t.as_ref().err())
            .flatten();
        let invariants = self
            .invariants
            .iter()
            .filter_map(|i| i.as_ref().err())
            .flatten();
        (self.unmet.iter().chain(start))
            .chain(transitions)
            .chain(invariants)
    }
}

/// The invariants of an automaton that cannot be evaluated in a universe, by their positions in the model, each with every
/// reason: what [`Instance::unevaluable`](crate::Instance::unevaluable) says of an instance, but nothing else is compiled.
#[must_use]
pub fn unevaluable(
    model: &Model,
    universe: &Universe,
    id: AutomatonId,
) -> Vec<(usize, Vec<Diagnostic>)> {
    let layout = Layout::of(model, universe, Some(id), &model.automaton(id).variables);
    let compiled = InvariantCode::each(model, universe, (id, &layout));
    let compiled = positions(model, id).zip(compiled);
    compiled
        .filter_map(|(at, code)| Some((at, code.err()?)))
        .collect()
}

/// The positions of an automaton's invariants in the model.
pub(crate) fn positions(model: &Model, id: AutomatonId) -> impl Iterator<Item = usize> {
    let stated = model.invariants.iter().enumerate();
    let own = stated.filter(move |(_, invariant)| invariant.automaton == id);
    own.map(|(at, _)| at)
}

/// The requirements of an automaton that an instance does not meet.
fn unmet(model: &Model, universe: &Universe, id: AutomatonId) -> Vec<Diagnostic> {
    let automaton = model.automaton(id);
    if !universe.setting().includes(&model.setting([id])) {
        return vec![elsewhere(automaton)];
    }
    let open = automaton.parameters.sorts.iter();
    let open: Vec<Diagnostic> = open
        .filter(|sort| universe.is_open(**sort))
        .map(|sort| no_size(automaton, &model.sorts[sort.index()]))
        .collect();
    if !open.is_empty() {
        return open;
    }
    let requirements = automaton.requirements.iter();
    let requirements = requirements.flat_map(|r| requirement::unmet(model, universe, r));
    let actions = (0..automaton.actions.len()).map(ActionId::at);
    let inputs = actions.filter_map(|action| automaton.input_enabled(action));
    let refused = inputs.flat_map(|input| requirement::refused(model, universe, &input));
    requirements.chain(refused).collect()
}

/// The instance was made for other automata, and does not satisfy the assumptions of this one.
fn elsewhere(automaton: &Automaton) -> Diagnostic {
    let name = &automaton.name;
    let message =
        format!("this instance is not one for {name}, which assumes something of its own");
    Diagnostic::error(Code::CannotRun, automaton.span, message)
}

fn no_size(automaton: &Automaton, sort: &Sort) -> Diagnostic {
    let (name, of) = (&sort.name, &automaton.name);
    Diagnostic::error(
        Code::CannotRun,
        sort.span,
        format!("type parameter {name} of {of} has no size"),
    )
    .help(format!("give one with `--sort {name}=3` or in ioa.toml"))
}

impl StartCode {
    fn compile(
        model: &Model,
        universe: &Universe,
        layout: &Layout,
        start: &core::Start,
    ) -> Result<Self, Vec<Diagnostic>> {
        let scope = |locals| Scope {
            model,
            universe,
            stores: of_state(layout),
            locals,
        };
        let blank = layout.blank()?;
        let narrowed = narrowed::narrowed(model, universe, start);
        let begins = &narrowed.program;
        let mut program = compile::start_program(scope(&begins.locals), &begins.body)?;
        program.frame.item = Item::Start;
        let so_that = if start.so_that.is_true() {
            None
        } else {
            let mut so_that = compile::formula(scope(&start.locals), &start.so_that)?;
            so_that.frame.item = Item::Start;
            Some(so_that)
        };
        Ok(Self {
            blank,
            chooses: program.body.iter().any(Stmt::chooses),
            narrowed: narrowed.choices,
            program,
            so_that,
        })
    }
}

impl InvariantCode {
    /// The invariants of an automaton whose states have this layout.
    fn each<'m>(
        model: &'m Model,
        universe: &'m Universe,
        (id, layout): (AutomatonId, &'m Layout),
    ) -> impl Iterator<Item = Result<Self, Vec<Diagnostic>>> {
        let stated = positions(model, id);
        stated.map(|i| Self::compile(model, universe, layout, i, &model.invariants[i]))
    }

    fn compile(
        model: &Model,
        universe: &Universe,
        layout: &Layout,
        index: usize,
        invariant: &core::Invariant,
    ) -> Result<Self, Vec<Diagnostic>> {
        let stores = of_state(layout);
        let scope = Scope {
            model,
            universe,
            stores,
            locals: &invariant.locals,
        };
        let mut formula = compile::formula(scope, &invariant.formula)?;
        formula.frame.item = Item::Invariant(index);
        let part = Part::of(layout, compile::reads(&invariant.formula, Store::Pre));
        let name = invariant.name.clone();
        Ok(Self {
            index,
            name,
            formula,
            part,
        })
    }

    /// Whether the invariant reads only what is equal in two states, so that it has the same value in both.
    pub(crate) fn is_unaffected_by(&self, before: &State, after: &State) -> bool {
        self.part.is_equal_in(before, after)
    }
}
