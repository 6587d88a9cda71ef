//! Liveness properties as temporal formulas, and the tasks as the fairness that they assume.

use ioa_lang::core::{
    Automaton, AutomatonId, Connective, Expr, Fairness, Liveness, LocalId, Task, Temporal,
};

use super::names::SPECIFICATION;
use super::syntax::{Definition, Quantifier, Term, Unit};
use super::syntax::{Infix, Prefix};
use super::writer::Writer;

/// The liveness part of a module.
pub(super) struct Live {
    /// The definitions.
    pub(super) units: Vec<Unit>,
    /// The name of the specification that should satisfy the properties.
    pub(super) specification: String,
    /// The names of the properties.
    pub(super) names: Vec<String>,
}

/// The definitions of an automaton's liveness properties, given the names of its clauses and its variables. Without such a
/// property, fairness is not needed either.
pub(super) fn definitions(
    writer: &mut Writer<'_>,
    id: AutomatonId,
    clauses: &[String],
    variables: &[String],
) -> Live {
    let model = writer.model;
    let properties: Vec<&Liveness> = model.liveness_of(id).collect();
    if properties.is_empty() {
        return Live {
            units: Vec::new(),
            specification: SPECIFICATION.to_owned(),
            names: Vec::new(),
        };
    }
    let automaton = model.automaton(id);
    let fair: Vec<Term> = automaton
        .tasks
        .iter()
        .filter_map(|task| fairness(writer, automaton, task, clauses, variables))
        .collect();
    let [fairness, specification] =
        ["Fairness", "FairSpec"].map(|wanted| writer.names.global(wanted));
    let fair_steps = vec![Term::name(SPECIFICATION), Term::name(&*fairness)];
    let mut definitions = vec![
        Definition::new(fairness, Term::all(fair)),
        Definition::new(&*specification, Term::all(fair_steps)),
    ];
    let mut names = Vec::new();
    for property in properties {
        let name = writer.names.global(&property.name);
        let formula = stated(writer, property, variables);
        definitions.push(Definition::new(&*name, formula));
        names.push(name);
    }
    let definitions = definitions.into_iter();
    let definitions = definitions.flat_map(|one| [Unit::Definition(one), Unit::Gap]);
    Live {
        units: [Unit::Rule].into_iter().chain(definitions).collect(),
        specification,
        names,
    }
}

/// `\A m \in Msg : WF_vars(get(m) \/ get_2(m))`; nothing for a task whose actions have no clauses.
fn fairness<'a>(
    writer: &mut Writer<'a>,
    automaton: &'a Automaton,
    task: &'a Task,
    clauses: &[String],
    variables: &[String],
) -> Option<Term> {
    writer.begin_in_state(&task.locals, variables, true);
    let binders = entered(writer, (0..task.locals.len()).map(LocalId::at));
    let mut steps = Vec::new();
    for (action, args) in &task.actions {
        let args: Vec<Term> = args.iter().map(|arg| writer.term(arg)).collect();
        for (clause, _) in automaton.clauses(*action) {
            steps.push(Term::call(&*clauses[clause.index()], args.clone()));
        }
    }
    if steps.is_empty() {
        return None;
    }
    let operator = match task.fairness {
        Fairness::Weak => "WF_vars",
        Fairness::Strong => "SF_vars",
    };
    let fair = Term::call(operator, vec![Term::any(steps)]);
    Some(for_all(binders, fair))
}

/// `\A m \in Msg : premise ~> goal`, or another temporal formula.
fn stated<'a>(writer: &mut Writer<'a>, property: &'a Liveness, variables: &[String]) -> Term {
    writer.begin_in_state(&property.locals, variables, true);
    let binders = entered(writer, property.params.iter().copied());
    let formula = temporal(writer, &property.formula);
    for_all(binders, formula)
}

fn temporal<'a>(writer: &mut Writer<'a>, formula: &'a Temporal<Expr>) -> Term {
    match formula {
        Temporal::AlwaysEventually(goal) => {
            let goal = writer.term(goal);
            Term::prefix(Prefix::Always, Term::prefix(Prefix::Eventually, goal))
        }
        Temporal::EventuallyAlways(goal) => {
            let goal = writer.term(goal);
            Term::prefix(Prefix::Eventually, Term::prefix(Prefix::Always, goal))
        }
        Temporal::LeadsTo(premise, goal) => {
            let premise = writer.term(premise);
            Term::infix(Infix::LeadsTo, premise, writer.term(goal))
        }
        Temporal::Not(inner) => Term::prefix(Prefix::Not, temporal(writer, inner)),
        Temporal::Joined(connective, sides) => {
            let [left, right] = [0, 1].map(|side| temporal(writer, &sides[side]));
            match connective {
                Connective::And => Term::all(vec![left, right]),
                Connective::Or => Term::any(vec![left, right]),
                Connective::Implies => Term::infix(Infix::Implies, left, right),
            }
        }
    }
}

/// Variables that are in scope from here on, with the sets that they range over.
fn entered(writer: &mut Writer<'_>, binders: impl Iterator<Item = LocalId>) -> Vec<(String, Term)> {
    let each = binders.map(|binder| {
        let set = writer.range(binder, &[]);
        (writer.enter(binder), set)
    });
    each.collect()
}

/// `\A x \in S : \A y \in T : body`
fn for_all(binders: Vec<(String, Term)>, body: Term) -> Term {
    let binders = binders.into_iter().rev();
    binders.fold(body, |body, (name, set)| {
        Term::quantified(Quantifier::ForAll, vec![name], set, body)
    })
}
