//! The parts of an automaton's module: start states, one definition for each clause, invariants.

use ioa_lang::core::{
    ActionId, Automaton, AutomatonId, Expr, ExprKind, Invariant, Op, Quantifier, StateRef, Store,
    Transition, Type, VarId,
};

use super::effect::Effect;
use super::helpers::Helper;
use super::liveness;
use super::names::SPECIFICATION;
use super::syntax::{Definition, Term, Unit};
use super::syntax::{Infix, Prefix};
use super::writer::Writer;

/// The parts of a module of one automaton.
#[derive(Debug)]
pub(super) struct Parts {
    /// The module's name.
    pub(super) name: String,
    /// The variables.
    pub(super) variables: Vec<String>,
    /// Everything after the declarations.
    pub(super) body: Vec<Unit>,
    /// The names of the invariants.
    pub(super) invariants: Vec<String>,
    /// What TLC takes as the specification; it includes fairness if a liveness property needs it.
    pub(super) specification: String,
    /// The names of the liveness properties.
    pub(super) liveness: Vec<String>,
}

/// Writes the parts of an automaton's module.
pub(super) fn parts(writer: &mut Writer<'_>, id: AutomatonId) -> Parts {
    let model = writer.model;
    let automaton = model.automaton(id);
    let name = writer.names.global(&automaton.name);
    let declared = automaton.variables.iter();
    let variables: Vec<(String, Type)> = declared
        .map(|v| (writer.names.global(&v.name), v.ty.clone()))
        .collect();
    let plain: Vec<String> = variables.iter().map(|(name, _)| name.clone()).collect();
    let clauses = clause_names(writer, automaton);
    let invariants: Vec<(&Invariant, String)> = model
        .invariants_of(id)
        .map(|i| (i, writer.names.global(&i.name)))
        .collect();
    let mut body = vec![
        Unit::Definition(type_ok(writer, &variables)),
        Unit::Gap,
        Unit::Definition(init(writer, automaton, &variables)),
        Unit::Gap,
    ];
    let mut next = Vec::new();
    for (clause, name) in automaton.transitions.iter().zip(&clauses) {
        let (definition, step) = action(writer, automaton, clause, name, &variables);
        body.extend([Unit::Definition(definition), Unit::Gap]);
        next.push(step);
    }
    body.push(Unit::Rule);
    body.push(Unit::Definition(Definition::new("Next", Term::any(next))));
    let steps = Term::prefix(Prefix::Always, Term::Step("Next".into(), "vars".into()));
    let steps = Term::all(vec![Term::name("Init"), steps]);
    let specification = Definition::new(SPECIFICATION, steps);
    body.extend([Unit::Gap, Unit::Definition(specification)]);
    if !invariants.is_empty() {
        body.push(Unit::Rule);
    }
    for (invariant, name) in &invariants {
        writer.begin_in_state(&invariant.locals, &plain, true);
        let formula = writer.term(&invariant.formula);
        let definition = Definition::new(&**name, formula);
        body.extend([Unit::Definition(definition), Unit::Gap]);
    }
    let live = liveness::definitions(writer, id, &clauses, &plain);
    body.extend(live.units);
    Parts {
        name,
        variables: plain,
        body,
        invariants: invariants.into_iter().map(|(_, name)| name).collect(),
        specification: live.specification,
        liveness: live.names,
    }
}

/// A name for each clause: the action's, with a number where an action has several.
fn clause_names(writer: &mut Writer<'_>, automaton: &Automaton) -> Vec<String> {
    let clauses = automaton.transitions.iter();
    let names = clauses.map(|clause| {
        writer
            .names
            .global(&action_of(automaton, clause.action).name)
    });
    names.collect()
}

fn action_of(automaton: &Automaton, id: ActionId) -> &ioa_lang::core::Action {
    &automaton.actions[id.index()]
}

fn type_ok(writer: &mut Writer<'_>, variables: &[(String, Type)]) -> Definition {
    let sets = variables
        .iter()
        .filter_map(|(name, ty)| writer.is_of(Term::name(&**name), ty));
    Definition::new("TypeOK", Term::all(sets.collect()))
}

fn init<'a>(
    writer: &mut Writer<'a>,
    automaton: &'a Automaton,
    variables: &[(String, Type)],
) -> Definition {
    let start = &automaton.start;
    let names: Vec<String> = variables.iter().map(|(name, _)| name.clone()).collect();
    writer.begin_in_state(&start.program.locals, &names, false);
    let blanks = variables.iter().map(|(_, ty)| blank(writer, ty)).collect();
    writer.stores.insert(Store::Pre, blanks);
    let init = Effect::run(writer, variables, &start.program.body, |writer, ends| {
        let given = names.iter().zip(ends);
        let mut parts: Vec<Term> = given
            .map(|(name, end)| Term::infix(Infix::Equal, Term::name(&**name), end))
            .collect();
        writer.begin_in_state(&start.locals, &names, false);
        parts.extend(conjuncts(writer, &start.so_that));
        Term::all(flattened(parts))
    });
    Definition::new("Init", init)
}

/// The value of a variable before a start program assigns it. It is never read, but a loop over the indices of an array
/// replaces its elements one after the other.
fn blank(writer: &mut Writer<'_>, ty: &Type) -> Term {
    if let Type::Array(index, element) = ty
        && let Some(indices) = writer.set_of(index)
    {
        let element = blank(writer, element);
        return Term::function("i_", indices, element);
    }
    Term::number(0)
}

/// The top-level conjuncts of a formula; none if it is `TRUE`.
fn conjuncts<'a>(writer: &mut Writer<'a>, formula: &'a Expr) -> Vec<Term> {
    let parts = formula.conjuncts().into_iter();
    let parts = parts.filter(|part| !part.is_true());
    parts.map(|part| condition(writer, part)).collect()
}

/// A condition for a step. When TLC searches for steps, it treats `\/` and `\E` as alternatives and evaluates each of them,
/// even an undefined one after one that holds. As the argument of `Holds`, a condition is only a value.
fn condition<'a>(writer: &mut Writer<'a>, part: &'a Expr) -> Term {
    let term = writer.term(part);
    match has_alternatives(part) {
        true => writer.call(Helper::Holds, vec![term]),
        false => term,
    }
}

fn has_alternatives(formula: &Expr) -> bool {
    match &formula.kind {
        ExprKind::Apply(Op::Or, _) | ExprKind::Quantified(Quantifier::Exists, ..) => true,
        ExprKind::Apply(Op::And, parts) => parts.iter().any(has_alternatives),
        ExprKind::Quantified(Quantifier::ForAll, _, body) => has_alternatives(body),
        ExprKind::If(_, a, b) => has_alternatives(a) || has_alternatives(b),
        _ => false,
    }
}

/// The definition of a clause, and its disjunct in `Next`.
fn action<'a>(
    writer: &mut Writer<'a>,
    automaton: &'a Automaton,
    clause: &'a Transition,
    name: &str,
    variables: &[(String, Type)],
) -> (Definition, Term) {
    let names: Vec<String> = variables.iter().map(|(name, _)| name.clone()).collect();
    writer.begin_in_state(&clause.locals, &names, false);
    let mut conditions = clause.applies.conjuncts();
    conditions.extend(clause.pre.conjuncts());
    let mut under = Vec::new();
    for param in &clause.params {
        let set = writer.range(*param, &conditions);
        let param = writer.enter(*param);
        under.push((param, set));
    }
    let formals: Vec<String> = under.iter().map(|(param, _)| param.clone()).collect();
    let actuals = formals.iter().map(|param| Term::name(&**param)).collect();
    let step = some(under, Term::call(name, actuals));
    let mut hidden = Vec::new();
    for local in &clause.hidden {
        let set = writer.range(*local, &conditions);
        let local = writer.enter(*local);
        hidden.push((local, set));
    }
    let mut body = conjuncts(writer, &clause.applies);
    body.extend(conjuncts(writer, &clause.pre));
    let open: Vec<StateRef> = clause
        .unconstrained
        .iter()
        .map(|var| StateRef {
            store: Store::Post,
            var: *var,
        })
        .collect();
    body.push(Effect::run(
        writer,
        variables,
        &clause.effect,
        |writer, ends| new_values(writer, automaton, clause, &names, &open, ends),
    ));
    let body = some(hidden, Term::all(flattened(body)));
    (Definition::new(name, body).with_params(formals), step)
}

/// `\E x \in S : \E y \in T : body`
fn some(binders: Vec<(String, Term)>, body: Term) -> Term {
    let binders = binders.into_iter().rev();
    binders.fold(body, |body, (name, set)| Term::exists(name, set, body))
}

/// Conjunctions within a conjunction are parts of it.
fn flattened(parts: Vec<Term>) -> Vec<Term> {
    let each = parts.into_iter().flat_map(Term::into_conjuncts);
    each.collect()
}

/// The new value of each variable, and the additional relation that they satisfy.
fn new_values<'a>(
    writer: &mut Writer<'a>,
    automaton: &'a Automaton,
    clause: &'a Transition,
    names: &[String],
    open: &[StateRef],
    ends: Vec<Term>,
) -> Term {
    let (mut parts, mut unchanged) = (Vec::new(), Vec::new());
    for ((at, name), end) in names.iter().enumerate().zip(ends) {
        let var = VarId::at(at);
        let before = Term::name(&**name);
        if open.iter().any(|state| state.var == var) {
            parts.extend(open_value(writer, automaton, clause, var, name));
        } else if end == before {
            unchanged.push(before);
        } else {
            parts.push(Term::infix(Infix::Equal, Term::Primed(name.clone()), end));
        }
    }
    if !unchanged.is_empty() {
        let all = match unchanged.len() {
            1 => unchanged.remove(0),
            _ => Term::Tuple(unchanged),
        };
        parts.push(Term::prefix(Prefix::Unchanged, all));
    }
    let plain = names.iter().map(|name| Term::name(&**name)).collect();
    writer.stores.insert(Store::Pre, plain);
    parts.extend(conjuncts(writer, &clause.ensuring));
    Term::all(flattened(parts))
}

/// `x' \in T` for a variable that only `ensuring` restricts, unless it says what the variable equals.
fn open_value(
    writer: &mut Writer<'_>,
    automaton: &Automaton,
    clause: &Transition,
    var: VarId,
    name: &str,
) -> Option<Term> {
    let variable = &automaton.variables[var.index()];
    if writer.is_finite(&variable.ty) {
        let set = writer.set_of(&variable.ty)?;
        return Some(Term::infix(Infix::In, Term::Primed(name.to_owned()), set));
    }
    writer.unsayable(
        clause.ensuring.span,
        &format!(
            "`ensuring` leaves {} open, which may be any of infinitely many values",
            variable.name
        ),
        "choose its value in the effect, among finitely many",
    );
    None
}
