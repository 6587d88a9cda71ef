//! The two automata of a forward simulation as one.
//!
//! Its state is that of the low automaton, that of the high one, and the proof block's own variables. Its steps are the low steps,
//! each together with the high steps that answer it. What a simulation claims is then that some formulas are invariants: that the
//! relation and the high invariants hold, and that nothing has *failed*, which is a variable of its own. So everything that searches
//! the states of an automaton can search the pairs of a simulation, with machine code, packed states and several threads.
//!
//! A clause of the low automaton becomes one clause for each [way](Way) through the entry that answers it. So the steps that were
//! taken by each clause say how many high steps there were, and which branches of the proof block were taken.
//!
//! Not every simulation can be read so: where the block leaves something to chance, or has loops, there is no product.

mod copied;
mod joining;
mod step;
mod taken;
mod way;

use std::collections::BTreeSet;

use interpreter::Branches;
use ioa_lang::Name;
use ioa_lang::core::{
    Action, Automaton, AutomatonId, Direction, Expr, ExprKind, Invariant, Local, Model, Parameters,
    Program, Start, StateRef, Stmt, StmtKind, Store, Type, VarId, Variable, any_stmt,
    exprs_of_stmts,
};

use self::copied::Copied;
use self::joining::{Joining, not};
use self::step::Step;
use self::way::Way;

/// The automata of a forward simulation as one.
#[derive(Clone, Debug)]
pub struct Product {
    /// The model of the simulation with the product as its last automaton. The only invariants are those of the product: that
    /// nothing fails, that the relation holds, and those of the high automaton; then the ones that were asked for.
    pub model: Model,
    /// The product.
    pub automaton: AutomatonId,
    /// For each clause of the product, which low clause it is made of and how that is answered.
    clauses: Vec<AnsweredClause>,
}

/// A low clause with one way of answering it.
#[derive(Clone, Debug)]
struct AnsweredClause {
    low: usize,
    high_steps: u64,
    branches: Branches,
}

/// What the steps of a product are in terms of its automata.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepCounts {
    /// How often each clause of the low automaton fired.
    pub fired: Vec<u64>,
    /// How many high steps answered the low ones.
    pub high_steps: u64,
    /// The branches of the proof block that were taken.
    pub branches: Branches,
}

impl Product {
    /// The product of the automata of a simulation of the model, by its position, if there is one. Some invariants of the low
    /// automaton, by their positions in the model, are stated of it last.
    #[must_use]
    pub fn of(model: &Model, simulation: usize, within: &[usize]) -> Option<Self> {
        let simulation = &model.simulations[simulation];
        let block = simulation.proof.as_ref();
        let block = block.filter(|_| simulation.direction == Direction::Forward)?;
        Joining::new(model, simulation, block).product(within)
    }

    /// What it means that the clauses of the product fired so often.
    #[must_use]
    pub fn counts(&self, fired: &[u64]) -> StepCounts {
        let low = self.clauses.iter().map(|clause| clause.low + 1).max();
        let mut counts = StepCounts {
            fired: vec![0; low.unwrap_or(0)],
            ..StepCounts::default()
        };
        for (clause, fired) in self.clauses.iter().zip(fired) {
            counts.fired[clause.low] += fired;
            counts.high_steps += fired * clause.high_steps;
            if *fired > 0 {
                counts.branches.extend(&clause.branches);
            }
        }
        counts
    }
}

impl Joining<'_> {
    fn product(&self, within: &[usize]) -> Option<Product> {
        let (mut transitions, mut clauses) = (Vec::new(), Vec::new());
        for (position, clause) in self.low.transitions.iter().enumerate() {
            let entry = &self.block.entries[clause.action.index()];
            for way in Way::all(&entry.program.body)? {
                transitions.push(Step::new(self, clause, entry).take(&way)?);
                clauses.push(AnsweredClause {
                    low: position,
                    high_steps: way.fires().count() as u64,
                    branches: way.taken,
                });
            }
        }
        let automaton = Automaton {
            name: Name::from(self.model.simulation_name(self.simulation)),
            actions: self.actions(),
            variables: self.variables(),
            start: self.start()?,
            transitions,
            tasks: Vec::new(),
            parameters: Parameters::default(),
            components: Vec::new(),
            requirements: Vec::new(),
            span: self.simulation.span,
        };
        let id = AutomatonId::at(self.model.automata.len());
        let mut model = self.model.clone();
        model.automata.push(automaton);
        model.invariants = self.invariants(id, within);
        model.liveness.clear();
        model.schedules.clear();
        model.simulations.clear();
        Some(Product {
            model,
            automaton: id,
            clauses,
        })
    }

    /// The actions are the low ones; nothing is said of who takes part in them.
    fn actions(&self) -> Vec<Action> {
        let mut actions = self.low.actions.clone();
        for action in &mut actions {
            action.participants.clear();
        }
        actions
    }

    fn variables(&self) -> Vec<Variable> {
        let named = |of: &'static str| {
            move |variable: &Variable| Variable {
                name: format!("{of}.{}", variable.name).into(),
                component: None,
                ..variable.clone()
            }
        };
        let failed = Variable {
            name: "failed".into(),
            ty: Type::Bool,
            component: None,
            span: self.block.span,
        };
        let low = self.low.variables.iter().map(named("low"));
        let high = self.high.variables.iter().map(named("high"));
        let own = self.block.variables.iter().map(named("own"));
        low.chain(high).chain(own).chain([failed]).collect()
    }

    /// A low start state, and the high one that the block makes for it; none if something of that is open. That it is a start state
    /// of the high automaton is said elsewhere.
    fn start(&self) -> Option<Start> {
        let Program { mut locals, body } = self.low.start.program.clone();
        let mut program = body;
        let high = Program {
            locals: self.high.start.program.locals.clone(),
            body: self.high_start()?,
        };
        for part in [&high, &self.block.initially] {
            let mut copied = Copied::new(self.offsets, &part.locals, &mut locals, []);
            program.extend(copied.stmts(&part.body));
        }
        program.push(self.set_failed(false));
        Some(Start {
            program: Program {
                locals,
                body: program,
            },
            ..self.low.start.clone()
        })
    }

    /// What gives values to those high variables that the block does not assign; none if that leaves something open.
    fn high_start(&self) -> Option<Vec<Stmt>> {
        let whole = |stmt: &Stmt| match &stmt.kind {
            StmtKind::Assign(place, _) | StmtKind::Choose { place, .. }
                if place.path.is_empty() =>
            {
                Some(place.root)
            }
            _ => None,
        };
        let initially = self.block.initially.body.iter();
        let assigned = initially
            .filter_map(whole)
            .filter(|root| root.store == Store::High);
        let assigned: BTreeSet<VarId> = assigned.map(|root| root.var).collect();
        let program = self.high.start.program.body.iter();
        let is_replaced =
            |stmt: &&Stmt| whole(stmt).is_some_and(|root| assigned.contains(&root.var));
        let left: Vec<Stmt> = program.filter(|stmt| !is_replaced(stmt)).cloned().collect();
        let mut reads_replaced = false;
        exprs_of_stmts(&left, &mut |expr| {
            expr.walk(&mut |part| {
                let is_read = |root: StateRef| assigned.contains(&root.var);
                reads_replaced |= matches!(part.kind, ExprKind::State(root) if is_read(root));
            });
        });
        let chooses =
            |body: &[Stmt]| any_stmt(body, |kind| matches!(kind, StmtKind::Choose { .. }));
        let is_open = reads_replaced || chooses(&left) || chooses(&self.block.initially.body);
        (!is_open).then_some(left)
    }

    fn invariants(&self, automaton: AutomatonId, within: &[usize]) -> Vec<Invariant> {
        let span = self.simulation.span;
        let stated = |name: &str, locals: Vec<Local>, formula: Expr| Invariant {
            name: name.into(),
            automaton,
            locals,
            formula,
            uses: None,
            span,
        };
        let failed = Expr::new(ExprKind::State(self.failed()), Type::Bool, span);
        let succeeds = not(failed);
        let moved = |formula: &Expr| copied::moved(self.offsets, formula);
        let relation = &self.simulation.relation;
        let ours = [
            stated("nothing fails", Vec::new(), succeeds),
            stated(
                "the relation",
                self.simulation.locals.clone(),
                moved(relation),
            ),
        ];
        let of_high = self.high_invariants();
        let of_high = of_high.map(|one| stated(&one.name, one.locals.clone(), moved(&one.formula)));
        let within = within.iter().map(|at| &self.model.invariants[*at]);
        let within = within.map(|one| stated(&one.name, one.locals.clone(), one.formula.clone()));
        ours.into_iter().chain(of_high).chain(within).collect()
    }
}
