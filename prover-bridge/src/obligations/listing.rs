//! Which obligations a target has, in the order in which they are reported.

use ioa_lang::Span;
use ioa_lang::core::{
    ActionId, ActionKind, AutomatonId, AxiomId, Direction, Expr, Model, Place, Projection, Range,
    Stmt, StmtKind, TransitionId, indices_of,
};

use super::{Kind, Obligation, Part, Target};
use crate::logic::has_partial;

/// Obligations that are solved one after the other since they share what they assume.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Unit {
    /// Definedness of an axiom.
    Axiom(AxiomId),
    /// What an automaton requires of the theories.
    Requirement(AutomatonId, usize),
    /// Start states of an automaton.
    Start(AutomatonId),
    /// Definedness of an invariant.
    Defined(usize),
    /// The parameters of an input of an automaton.
    Input(AutomatonId, ActionId),
    /// A clause of an automaton.
    Step(AutomatonId, TransitionId),
    /// Start states of a simulation.
    SimulationStart(usize),
    /// The low states of a backward simulation, each of which is related to something.
    SimulationTotal(usize),
    /// Definedness of a simulation's relation.
    Relation(usize),
    /// A low clause of a simulation.
    SimulationStep(usize, TransitionId),
}

/// All obligations of a target, in the order in which they are reported.
#[must_use]
pub fn obligations(target: &Target<'_>) -> Vec<Obligation> {
    let units = units(target);
    let kinds = units.iter().flat_map(|(_, kinds)| kinds);
    kinds.map(|kind| describe(target, *kind)).collect()
}

/// The units of a target with the obligations in each.
pub(crate) fn units(target: &Target<'_>) -> Vec<(Unit, Vec<Kind>)> {
    let mut units = Vec::new();
    let settings = target.model.setting(target.automata());
    for (id, axiom) in target.model.axioms_in(&settings) {
        if has_partial(&axiom.formula) {
            let kind = Kind::Definedness(Part::Axiom(id));
            units.push((Unit::Axiom(id), vec![kind]));
        }
    }
    for automaton in target.automata() {
        automaton_units(target, automaton, &mut units);
    }
    for simulation in &target.simulations {
        simulation_units(target.model, *simulation, &mut units);
    }
    units.retain(|(_, kinds)| !kinds.is_empty());
    units
}

fn automaton_units(target: &Target<'_>, id: AutomatonId, out: &mut Vec<(Unit, Vec<Kind>)>) {
    let automaton = target.model.automaton(id);
    let stated: Vec<usize> = (0..target.invariants.len())
        .filter(|i| target.invariants[*i].automaton == id)
        .collect();
    for position in 0..automaton.requirements.len() {
        let kind = Kind::Requirement {
            automaton: id,
            position,
        };
        out.push((Unit::Requirement(id, position), vec![kind]));
    }
    let mut start = Vec::new();
    if partial_stmts(&automaton.start.program.body) || has_partial(&automaton.start.so_that) {
        start.push(Kind::Definedness(Part::Start(id)));
    }
    start.extend(stated.iter().map(|invariant| Kind::Initiation {
        invariant: *invariant,
    }));
    out.push((Unit::Start(id), start));
    for invariant in &stated {
        if has_partial(&target.invariants[*invariant].formula) {
            let kind = Kind::Definedness(Part::Invariant(*invariant));
            out.push((Unit::Defined(*invariant), vec![kind]));
        }
    }
    for (position, action) in automaton.actions.iter().enumerate() {
        let action_id = ActionId::at(position);
        let mut clauses = automaton.clauses(action_id);
        if action.kind == ActionKind::Input && !clauses.any(|(_, c)| c.applies.is_true()) {
            let kind = Kind::Definedness(Part::Input(id, action_id));
            out.push((Unit::Input(id, action_id), vec![kind]));
        }
    }
    for (position, clause) in automaton.transitions.iter().enumerate() {
        let transition = TransitionId::at(position);
        let mut kinds = Vec::new();
        let terms = [&clause.applies, &clause.pre, &clause.ensuring];
        let partial = terms.into_iter().any(has_partial) || partial_stmts(&clause.effect);
        if partial || !clause.ensuring.is_true() {
            kinds.push(Kind::Definedness(Part::Transition(id, transition)));
        }
        // There is no step by a clause that refuses an input; that it is never enabled is its definedness.
        if clause.refused.is_none() {
            kinds.extend(stated.iter().map(|invariant| Kind::Consecution {
                invariant: *invariant,
                transition,
            }));
        }
        out.push((Unit::Step(id, transition), kinds));
    }
}

fn simulation_units(model: &Model, simulation: usize, out: &mut Vec<(Unit, Vec<Kind>)>) {
    let declared = &model.simulations[simulation];
    let (mut start, mut total) = (vec![Kind::SimulationStart { simulation }], Vec::new());
    if declared.direction == Direction::Backward {
        total.push(Kind::SimulationTotal { simulation });
    }
    if let Some(proof) = &declared.proof
        && partial_stmts(&proof.initially.body)
    {
        let makes = match declared.direction {
            Direction::Forward => &mut start,
            Direction::Backward => &mut total,
        };
        makes.insert(0, Kind::Definedness(Part::Initially(simulation)));
    }
    out.push((Unit::SimulationStart(simulation), start));
    out.push((Unit::SimulationTotal(simulation), total));
    if has_partial(&declared.relation) {
        let kind = Kind::Definedness(Part::Relation(simulation));
        out.push((Unit::Relation(simulation), vec![kind]));
    }
    for (position, clause) in model.automaton(declared.low).transitions.iter().enumerate() {
        if clause.refused.is_some() {
            continue;
        }
        let transition = TransitionId::at(position);
        let mut kinds = Vec::new();
        let entry = declared
            .proof
            .as_ref()
            .and_then(|p| p.entries.get(clause.action.index()));
        if entry.is_some_and(|entry| partial_stmts(&entry.program.body)) {
            kinds.push(Kind::Definedness(Part::Entry(simulation, transition)));
        }
        kinds.push(Kind::SimulationStep {
            simulation,
            transition,
        });
        out.push((Unit::SimulationStep(simulation, transition), kinds));
    }
}

/// Whether something in the statements can go wrong.
fn partial_stmts(stmts: &[Stmt]) -> bool {
    stmts.iter().any(|stmt| match &stmt.kind {
        StmtKind::Assign(place, value) => has_partial(value) || partial_place(place),
        StmtKind::Choose {
            place, predicate, ..
        } => !predicate.is_true() || partial_place(place),
        StmtKind::If {
            branches,
            otherwise,
        } => {
            let partial = |(c, body): &(Expr, Vec<Stmt>)| has_partial(c) || partial_stmts(body);
            branches.iter().any(partial) || partial_stmts(otherwise)
        }
        StmtKind::For { range, body, .. } => {
            let (Range::In(term) | Range::Where(term)) = range;
            has_partial(term) || partial_stmts(body)
        }
        StmtKind::While(condition, body) => has_partial(condition) || partial_stmts(body),
        StmtKind::Fire(fire) => fire.args.iter().chain(&fire.using).any(has_partial),
        StmtKind::FireAny(_) => false,
    })
}

/// Whether the way to a place can go wrong: at an index, or at an entry that a map does not have.
fn partial_place(place: &Place) -> bool {
    let entered = |step: &Projection| matches!(step, Projection::Entry(_));
    let way = place.path.split_last().map_or(&[][..], |(_, way)| way);
    indices_of(place).any(has_partial) || way.iter().any(entered)
}

fn describe(target: &Target<'_>, kind: Kind) -> Obligation {
    let model = target.model;
    let invariant = |i: usize| {
        let invariant = target.invariants[i];
        let name = format!(
            "{}.{}",
            model.automaton(invariant.automaton).name,
            invariant.name
        );
        (name, invariant.formula.span)
    };
    let clause =
        |id: AutomatonId, t: TransitionId| (clause_name(model, id, t), clause_span(model, id, t));
    let simulation = |s: usize| {
        let declared = &model.simulations[s];
        (model.simulation_name(declared), declared.span, declared.low)
    };
    let (name, span) = match kind {
        Kind::Initiation { invariant: i } => {
            let start = start_name(model, target.invariants[i].automaton);
            (format!("{} / {start}", invariant(i).0), invariant(i).1)
        }
        Kind::Consecution {
            invariant: i,
            transition,
        } => {
            let (name, _) = invariant(i);
            let (clause, span) = clause(target.invariants[i].automaton, transition);
            (format!("{name} / {clause}"), span)
        }
        Kind::SimulationStart { simulation: s } => {
            let (name, span, low) = simulation(s);
            (format!("{name} / {}", start_name(model, low)), span)
        }
        Kind::SimulationTotal { simulation: s } => {
            let (name, span, _) = simulation(s);
            (format!("{name} / every low state is related"), span)
        }
        Kind::SimulationStep {
            simulation: s,
            transition,
        } => {
            let (name, _, low) = simulation(s);
            let (clause, span) = clause(low, transition);
            (format!("{name} / {clause}"), span)
        }
        Kind::Requirement {
            automaton,
            position,
        } => {
            let automaton = model.automaton(automaton);
            let requirement = &automaton.requirements[position];
            let name = format!("{} / requirement {}", automaton.name, position + 1);
            (name, requirement.span)
        }
        Kind::Definedness(part) => describe_part(target, part),
    };
    Obligation { kind, name, span }
}

/// The name and the place of the definedness of a part.
fn describe_part(target: &Target<'_>, part: Part) -> (String, Span) {
    let model = target.model;
    let of_simulation = |s: usize, what: &str| {
        let declared = &model.simulations[s];
        let name = model.simulation_name(declared);
        (format!("{name} / {what} is defined"), declared.span)
    };
    match part {
        Part::Axiom(id) => {
            let axiom = model.axiom(id);
            (format!("{} is defined", axiom.name), axiom.span)
        }
        Part::Start(id) => {
            let automaton = model.automaton(id);
            let name = format!("{} / {} is defined", automaton.name, start_name(model, id));
            (name, automaton.span)
        }
        Part::Invariant(i) => {
            let invariant = target.invariants[i];
            let automaton = &model.automaton(invariant.automaton).name;
            let name = format!("{automaton}.{} is defined", invariant.name);
            (name, invariant.formula.span)
        }
        Part::Transition(id, t) => {
            let (automaton, clause) = (&model.automaton(id).name, clause_name(model, id, t));
            let name = format!("{automaton}.{clause} is defined");
            (name, clause_span(model, id, t))
        }
        Part::Input(id, action) => {
            let automaton = model.automaton(id);
            let action = &automaton.actions[action.index()];
            let name = format!("{}.{} is always enabled", automaton.name, action.name);
            (name, action.span)
        }
        Part::Relation(s) => of_simulation(s, "relation"),
        Part::Initially(s) => of_simulation(s, "initially"),
        Part::Entry(s, t) => {
            let low = model.simulations[s].low;
            let entry = format!("entry for {}", clause_name(model, low, t));
            let (name, _) = of_simulation(s, &entry);
            (name, clause_span(model, low, t))
        }
    }
}

/// What the obligations about start states are called: not as a step is.
fn start_name(model: &Model, id: AutomatonId) -> &'static str {
    let mut actions = model.automaton(id).actions.iter();
    match actions.any(|action| &*action.name == "start") {
        true => "start states",
        false => "start",
    }
}

fn clause_span(model: &Model, id: AutomatonId, t: TransitionId) -> Span {
    model.automaton(id).transitions[t.index()].span
}

/// The action's name, with the clause's number where there are several.
fn clause_name(model: &Model, id: AutomatonId, t: TransitionId) -> String {
    let automaton = model.automaton(id);
    let action = automaton.transitions[t.index()].action;
    let clauses: Vec<TransitionId> = automaton.clauses(action).map(|(id, _)| id).collect();
    let name = &automaton.action_of(t).name;
    match clauses.iter().position(|c| *c == t) {
        Some(position) if clauses.len() > 1 => format!("{name}#{}", position + 1),
        _ => name.to_string(),
    }
}
