//! Points at which terms are evaluated: values for all that a term may read.
//!
//! What a term may read are its *leaves*: variables of both automata and bound variables. For evaluation each of them is a
//! variable of an automaton of its own that does nothing, so that the interpreter says what a term means.

use std::sync::Arc;

use finite::Universe;
use interpreter::{Executor, Instance, State};
use ioa_lang::core::{
    Automaton, AutomatonId, Expr, ExprKind, Local, LocalId, Model, Parameters, Start, StateRef,
    StateTerm, Store, Type, VarId, Variable,
};
use ioa_lang::{Span, Value};

/// Something that terms may read.
#[derive(Clone, Debug)]
pub(in crate::pipeline::pairs::suggest) struct Leaf {
    /// What it is in the simulation.
    pub(in crate::pipeline::pairs::suggest) kind: ExprKind,
    pub(in crate::pipeline::pairs::suggest) ty: Type,
    /// How many indices have to be written after it, since it belongs to a family of components.
    pub(in crate::pipeline::pairs::suggest) indices: usize,
}

impl Leaf {
    /// The variables of an automaton in a valuation.
    pub(in crate::pipeline::pairs::suggest) fn variables(
        automaton: &Automaton,
        store: Store,
    ) -> Vec<Self> {
        let variables = automaton.variables.iter().enumerate();
        let leaf = |(at, variable): (usize, &Variable)| {
            let component = variable.component;
            let component = component.map(|id| &automaton.components[id.index()]);
            Self {
                kind: ExprKind::State(StateRef {
                    store,
                    var: VarId::at(at),
                }),
                ty: variable.ty.clone(),
                indices: component.map_or(0, |component| component.indices.len()),
            }
        };
        variables.map(leaf).collect()
    }

    /// A bound variable.
    pub(in crate::pipeline::pairs::suggest) fn bound(id: LocalId, ty: Type) -> Self {
        Self {
            kind: ExprKind::Local(id),
            ty,
            indices: 0,
        }
    }
}

/// The model with an automaton whose variables are the leaves.
pub(in crate::pipeline::pairs::suggest) fn reading(
    model: &Model,
    leaves: &[Leaf],
) -> (Arc<Model>, AutomatonId) {
    let mut model = model.clone();
    for automaton in &mut model.automata {
        automaton.actions.clear();
        automaton.transitions.clear();
        automaton.tasks.clear();
        automaton.requirements.clear();
    }
    model.invariants.clear();
    model.schedules.clear();
    model.simulations.clear();
    model.liveness.clear();
    let id = AutomatonId::at(model.automata.len());
    let span = Span::default();
    let variable = |(at, leaf): (usize, &Leaf)| Variable {
        name: format!("leaf{at}").into(),
        ty: leaf.ty.clone(),
        component: None,
        span,
    };
    model.automata.push(Automaton {
        name: "leaves".into(),
        actions: Vec::new(),
        variables: leaves.iter().enumerate().map(variable).collect(),
        start: Start {
            program: ioa_lang::core::Program::default(),
            locals: Vec::new(),
            so_that: Expr::truth(span),
        },
        transitions: Vec::new(),
        tasks: Vec::new(),
        parameters: Parameters::default(),
        components: Vec::new(),
        requirements: Vec::new(),
        span,
    });
    (Arc::new(model), id)
}

/// Points, each in one of several instances.
pub(in crate::pipeline::pairs::suggest) struct Points {
    instances: Vec<Instance>,
    automaton: AutomatonId,
    points: Vec<(usize, State)>,
}

impl Points {
    /// No points yet, in instances with these universes.
    pub(in crate::pipeline::pairs::suggest) fn new<'u>(
        model: &Model,
        leaves: &[Leaf],
        universes: impl Iterator<Item = &'u Universe>,
    ) -> Self {
        let (model, automaton) = reading(model, leaves);
        let instance = |universe: &Universe| Instance::new(Arc::clone(&model), universe.clone());
        Self {
            instances: universes.map(instance).collect(),
            automaton,
            points: Vec::new(),
        }
    }

    /// Adds the point at which the leaves have these values; says whether they are values of their types.
    pub(in crate::pipeline::pairs::suggest) fn add(
        &mut self,
        instance: usize,
        values: &[Value],
    ) -> bool {
        let layout = self.instances[instance].layout(self.automaton);
        let state = layout.state(values);
        let is_one = state.is_ok();
        self.points
            .extend(state.ok().map(|state| (instance, state)));
        is_one
    }

    pub(in crate::pipeline::pairs::suggest) fn len(&self) -> usize {
        self.points.len()
    }

    /// Ready to evaluate terms; none if the model cannot be run.
    pub(in crate::pipeline::pairs::suggest) fn evaluator(&self) -> Option<Evaluator<'_>> {
        let executors = self.instances.iter();
        let executors = executors.map(|instance| Executor::new(instance, self.automaton).ok());
        Some(Evaluator {
            points: &self.points,
            executors: executors.collect::<Option<_>>()?,
        })
    }
}

/// What evaluates terms over leaves.
pub(in crate::pipeline::pairs::suggest) struct Evaluator<'p> {
    points: &'p [(usize, State)],
    executors: Vec<Executor<'p>>,
}

impl Evaluator<'_> {
    /// The values that a term has at all points, nothing where it has none.
    pub(in crate::pipeline::pairs::suggest) fn values(
        &mut self,
        term: &Expr,
        locals: &[Local],
    ) -> Vec<Option<Value>> {
        let term = StateTerm {
            locals: locals.to_vec(),
            term: term.clone(),
        };
        let each = self.executors.iter();
        let prepared: Vec<_> = each
            .map(|executor| executor.inspection(&term).ok())
            .collect();
        let points = self.points.iter();
        let value = |(instance, state): &(usize, State)| {
            let prepared = prepared[*instance].as_ref()?;
            self.executors[*instance].inspect(state, prepared).ok()
        };
        points.map(value).collect()
    }
}

/// A leaf by its position, as terms over leaves read it.
pub(in crate::pipeline::pairs::suggest) fn leaf(at: usize, leaves: &[Leaf]) -> Expr {
    let state = StateRef {
        store: Store::Pre,
        var: VarId::at(at),
    };
    Expr::new(
        ExprKind::State(state),
        leaves[at].ty.clone(),
        Span::default(),
    )
}

/// A term over leaves as a term of the simulation.
pub(in crate::pipeline::pairs::suggest) fn in_simulation(term: &Expr, leaves: &[Leaf]) -> Expr {
    match &term.kind {
        ExprKind::State(state) if state.store == Store::Pre => {
            let kind = leaves[state.var.index()].kind.clone();
            Expr::new(kind, term.ty.clone(), term.span)
        }
        _ => term.with_parts(&mut |part| in_simulation(part, leaves)),
    }
}
