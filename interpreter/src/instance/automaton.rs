//! An automaton, compiled: its start states, its transition clauses, its invariants.

use finite::Universe;
use ioa_lang::core::{
    self, ActionId, Automaton, AutomatonId, Expr, ExprKind, Local, LocalId, Model, Sort, StateRef,
    Store, VarId,
};
use ioa_lang::diagnostic::Code;
use ioa_lang::{Diagnostic, Name, Span};

use crate::code::{Binder, Det, Formula, Frame, Plan, Program, Stmt, Word};
use crate::compile::{self, Compiler, Scope};
use crate::compile::{of_state, of_step};
use crate::instance::requirement;
use crate::interrupt::fault::{FaultKind, Item};
use crate::state::layout::{Layout, Location, State};
use crate::vm::halt::{Stop, stop};

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
    /// The condition on start states, if there is one.
    pub(crate) so_that: Option<Formula>,
}

/// A transition clause.
#[derive(Debug)]
pub(crate) struct TransitionCode {
    pub(crate) span: Span,
    pub(crate) frame: Frame,
    /// All parameters: the action's, then the hidden ones.
    pub(crate) binders: Vec<Binder>,
    /// How many of them are the action's.
    own: usize,
    /// Whether the clause applies to its parameters and is enabled.
    pub(crate) guard: Word,
    /// The valuations of all parameters that enable it.
    pub(crate) free: Result<Plan, Vec<Diagnostic>>,
    /// The valuations of the hidden parameters that enable it, when the others have values.
    pub(crate) fired: Result<Plan, Vec<Diagnostic>>,
    /// The determinator of the hidden parameters, if there is one.
    pub(crate) handed: Option<Handed>,
    pub(crate) effect: Box<[Stmt]>,
    pub(crate) ensuring: Option<Ensuring>,
    /// The component that refuses the action, which is one of its inputs.
    refused: Option<Name>,
}

/// The determinator of the hidden parameters of a clause.
#[derive(Debug)]
pub(crate) struct Handed {
    pub(crate) det: Det,
    /// The valuations of the action's parameters that satisfy the conditions without hidden parameters.
    pub(crate) params: Result<Plan, Vec<Diagnostic>>,
    /// Whether given values of the action's parameters satisfy these conditions.
    pub(crate) open: Word,
}

/// The relation between the states before and after a step that `ensuring` adds to the effect.
#[derive(Debug)]
pub(crate) struct Ensuring {
    /// The variables whose new values are free, each with the binder that stands for it.
    pub(crate) open: Vec<(VarId, Binder)>,
    /// The valuations of them that satisfy the relation.
    pub(crate) plan: Plan,
    /// The relation, for given values.
    pub(crate) relation: Word,
}

/// An invariant.
#[derive(Debug)]
pub(crate) struct InvariantCode {
    /// Its position in the model.
    pub(crate) index: usize,
    pub(crate) name: Name,
    pub(crate) formula: Formula,
    /// The bits of each word of a state that it reads.
    words: Vec<u64>,
    /// The cells that it reads.
    cells: Vec<u32>,
}

impl AutomatonCode {
    pub(crate) fn compile(model: &Model, universe: &Universe, id: AutomatonId) -> Self {
        let automaton = model.automaton(id);
        let layout = Layout::of(model, universe, Some(id), &automaton.variables);
        let stated = model.invariants.iter().enumerate();
        let invariants = stated
            .filter(|(_, invariant)| invariant.automaton == id)
            .map(|(i, invariant)| InvariantCode::compile(model, universe, &layout, i, invariant));
        let invariants = invariants.collect();
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
        let mut program =
            compile::start_program(scope(&start.program.locals), &start.program.body)?;
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
            program,
            so_that,
        })
    }
}

impl TransitionCode {
    fn compile(
        model: &Model,
        universe: &Universe,
        layout: &Layout,
        (number, clause): (usize, &core::Transition),
    ) -> Result<Self, Vec<Diagnostic>> {
        let (locals, ensuring) = open_variables(layout, clause);
        let stores = of_step(layout);
        let scope = Scope {
            model,
            universe,
            stores,
            locals: &locals,
        };
        let conditions = conditions(clause);
        let plan = |binders: &[LocalId]| {
            compile::item(scope, |c| c.plan(binders, conditions.clone(), clause.span))
        };
        let all = [clause.params.as_slice(), &clause.hidden].concat();
        let free = plan(&all);
        let fired = plan(&clause.hidden);
        let (mut frame, mut code) = compile::item(scope, |c| {
            c.enter_clause(number);
            Self {
                span: clause.span,
                refused: clause.refused.clone(),
                frame: Frame::default(),
                binders: all.iter().map(|local| c.binder(*local)).collect(),
                own: clause.params.len(),
                guard: guard(c, &conditions),
                free: Err(Vec::new()),
                fired: Err(Vec::new()),
                handed: Handed::compile(c, clause, conditions.clone()),
                effect: c.block(&clause.effect),
                ensuring: ensuring.as_ref().map(|e| Ensuring::compile(c, clause, e)),
            }
        })?;
        for (frame_of_plan, _) in [&free, &fired].into_iter().flatten() {
            frame.slots = frame.slots.max(frame_of_plan.slots);
        }
        frame.item = Item::Action(clause.action);
        code.frame = frame;
        code.free = free.map(|(_, plan)| plan);
        code.fired = fired.map(|(_, plan)| plan);
        Ok(code)
    }
}

impl Handed {
    fn compile(
        c: &mut Compiler<'_>,
        clause: &core::Transition,
        mut conditions: Vec<&Expr>,
    ) -> Option<Self> {
        let first = *clause.hidden.first()?;
        let det = c.det(first, clause.det.iter().map(Vec::as_slice))?;
        let open = c.take_ready(&mut conditions, &clause.hidden);
        Some(Self {
            det,
            open: guard(c, &open),
            params: c.attempt(|c| c.plan(&clause.params, open, clause.span)),
        })
    }
}

impl TransitionCode {
    /// Why there is no step by the clause although it is enabled.
    pub(crate) fn no_outcome(&self) -> Stop {
        let kind = match &self.refused {
            Some(component) => FaultKind::RefusedInput {
                component: component.clone(),
            },
            None => FaultKind::NoOutcome,
        };
        stop(kind, self.span)
    }

    /// The action's parameters.
    pub(crate) fn params(&self) -> &[Binder] {
        &self.binders[..self.own]
    }

    /// The hidden parameters.
    pub(crate) fn hidden(&self) -> &[Binder] {
        &self.binders[self.own..]
    }
}

/// When a clause can be taken: the conjuncts of `applies`, then those of the precondition.
pub(crate) fn conditions(clause: &core::Transition) -> Vec<&Expr> {
    let all = clause
        .applies
        .conjuncts()
        .into_iter()
        .chain(clause.pre.conjuncts());
    all.filter(|c| !c.is_true()).collect()
}

fn guard(c: &mut Compiler<'_>, conditions: &[&Expr]) -> Word {
    Word::all(
        conditions
            .iter()
            .map(|condition| c.formula(condition))
            .collect(),
    )
}

/// The clause's bound variables, with an additional one for each variable that `ensuring` leaves open, and the relation in
/// terms of them; no relation if there is no `ensuring`.
fn open_variables(layout: &Layout, clause: &core::Transition) -> (Vec<Local>, Option<Expr>) {
    let mut locals = clause.locals.clone();
    if clause.ensuring.is_true() && clause.unconstrained.is_empty() {
        return (locals, None);
    }
    let mut relation = clause.ensuring.clone();
    for variable in &clause.unconstrained {
        let local = LocalId::at(locals.len());
        locals.push(Local {
            name: format!("{}'", layout.name(*variable)).into(),
            ty: layout.ty(*variable).clone(),
            span: clause.ensuring.span,
        });
        let after = StateRef {
            store: Store::Post,
            var: *variable,
        };
        replace(&mut relation, after, local);
    }
    (locals, Some(relation))
}

fn replace(expr: &mut Expr, state: StateRef, local: LocalId) {
    match &mut expr.kind {
        ExprKind::State(s) if *s == state => expr.kind = ExprKind::Local(local),
        ExprKind::Apply(_, args) | ExprKind::Theory(_, args) | ExprKind::Random(_, args) => {
            args.iter_mut().for_each(|a| replace(a, state, local));
        }
        ExprKind::If(c, a, b) => {
            [c, a, b].into_iter().for_each(|e| replace(e, state, local));
        }
        ExprKind::Quantified(_, _, body) | ExprKind::Comprehension(_, body) => {
            replace(body, state, local);
        }
        _ => {}
    }
}

impl Ensuring {
    fn compile(c: &mut Compiler<'_>, clause: &core::Transition, relation: &Expr) -> Self {
        let first = clause.locals.len();
        let locals = clause.unconstrained.iter().enumerate();
        let locals = locals.map(|(n, variable)| (*variable, LocalId::at(first + n)));
        let locals: Vec<(VarId, LocalId)> = locals.collect();
        let binders: Vec<LocalId> = locals.iter().map(|(_, local)| *local).collect();
        let mut conjuncts = relation.conjuncts();
        conjuncts.retain(|conjunct| !conjunct.is_true());
        Self {
            open: locals
                .into_iter()
                .map(|(v, local)| (v, c.binder(local)))
                .collect(),
            plan: c.plan(&binders, conjuncts, clause.ensuring.span),
            relation: c.formula(relation),
        }
    }
}

impl InvariantCode {
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
        let (mut words, mut cells) = (vec![0; layout.words()], Vec::new());
        for variable in compile::reads(&invariant.formula, Store::Pre) {
            match layout.location(variable) {
                Location::Bits(field) => words[field.word()] |= field.slice().in_place(),
                Location::Limbs(limbs) => limbs
                    .fields()
                    .iter()
                    .for_each(|field| words[field.word()] |= field.slice().in_place()),
                Location::Cell(cell) => cells.push(*cell),
            }
        }
        let name = invariant.name.clone();
        Ok(Self {
            index,
            name,
            formula,
            words,
            cells,
        })
    }

    /// Whether the invariant reads only what is equal in two states, so that it has the same value in both.
    pub(crate) fn is_unaffected_by(&self, before: &State, after: &State) -> bool {
        let words = before.words.iter().zip(&after.words).zip(&self.words);
        let mut cells = self.cells.iter().map(|c| *c as usize);
        words.fold(0, |differ, ((a, b), read)| differ | (a ^ b) & read) == 0
            && cells.all(|c| before.cells[c] == after.cells[c])
    }
}
