//! The parts of an automaton's module: start states, one definition for each clause, invariants.

use ioa_lang::core::{
    ActionId, Automaton, AutomatonId, Expr, ExprKind, Invariant, Op, Quantifier, StateRef, Store,
    Transition, Type, VarId,
};

use super::effect::Effect;
use super::helpers::Helper;
use super::liveness;
use super::text::{Doc, Level, Text};
use super::writer::Writer;

/// What the steps of an automaton are called.
pub(super) const SPECIFICATION: &str = "Spec";

/// The parts of a module of one automaton.
#[derive(Debug)]
pub(super) struct Parts {
    /// The module's name.
    pub(super) name: String,
    /// The variables.
    pub(super) variables: Vec<String>,
    /// Everything behind the declarations.
    pub(super) body: String,
    /// The names of the invariants.
    pub(super) invariants: Vec<String>,
    /// What TLC is to take for the specification: with fairness, where a liveness property needs it.
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
    let mut body = String::new();
    body.push_str(&type_ok(writer, &variables));
    body.push_str(&init(writer, automaton, &variables));
    let mut next = Vec::new();
    for (clause, name) in automaton.transitions.iter().zip(&clauses) {
        let (definition, step) = action(writer, automaton, clause, name, &variables);
        body.push_str(&definition);
        next.push(step);
    }
    body.push_str(&rule());
    let none = || Doc::Line("FALSE".into());
    let next = if next.is_empty() {
        none()
    } else {
        Doc::Any(next)
    };
    body.push_str(&next.definition("Next"));
    body.push_str("\nSpec == Init /\\ [][Next]_vars\n");
    if !invariants.is_empty() {
        body.push_str(&rule());
    }
    for (invariant, name) in &invariants {
        begin(writer, &invariant.locals, &plain, true);
        let formula = writer.formula(&invariant.formula);
        body.push_str(&formula.definition(name));
        body.push('\n');
    }
    let live = liveness::definitions(writer, id, &clauses, &plain);
    body.push_str(&live.text);
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

/// Begins an item in which the state variables have their own names.
pub(super) fn begin<'a>(
    writer: &mut Writer<'a>,
    declared: &'a [ioa_lang::core::Local],
    variables: &[String],
    reuse: bool,
) {
    let texts = |prime: &str| {
        variables
            .iter()
            .map(|v| Text::atom(format!("{v}{prime}")))
            .collect()
    };
    writer.begin(declared, reuse);
    writer.reads.clear();
    writer.stores = [(Store::Pre, texts("")), (Store::Post, texts("'"))].into();
}

fn type_ok(writer: &mut Writer<'_>, variables: &[(String, Type)]) -> String {
    let sets = variables
        .iter()
        .filter_map(|(name, ty)| Some(Doc::Line(writer.is_of(name, ty)?)));
    let sets: Vec<Doc> = sets.collect();
    let all = match sets.is_empty() {
        true => Doc::Line("TRUE".into()),
        false => Doc::All(sets),
    };
    all.definition("TypeOK") + "\n"
}

fn init<'a>(
    writer: &mut Writer<'a>,
    automaton: &'a Automaton,
    variables: &[(String, Type)],
) -> String {
    let start = &automaton.start;
    let names: Vec<String> = variables.iter().map(|(name, _)| name.clone()).collect();
    begin(writer, &start.program.locals, &names, false);
    let blanks = variables.iter().map(|(_, ty)| blank(writer, ty)).collect();
    writer.stores.insert(Store::Pre, blanks);
    let doc = Effect::run(writer, variables, &start.program.body, |writer, ends| {
        let given = names.iter().zip(ends);
        let mut parts: Vec<Doc> = given
            .map(|(name, end)| Doc::Line(format!("{name} = {}", end.plain())))
            .collect();
        begin(writer, &start.locals, &names, false);
        parts.extend(conjuncts(writer, &start.so_that));
        Doc::All(parts)
    });
    doc.definition("Init") + "\n"
}

/// What a variable is before a start program assigns it: nothing reads it, but a loop over the indices of an array puts
/// its elements in one after the other.
fn blank(writer: &mut Writer<'_>, ty: &Type) -> Text {
    if let Type::Array(index, element) = ty
        && let Some(indices) = writer.set_of(index)
    {
        let element = blank(writer, element);
        let indices = indices.at(Level::Infix);
        return Text::atom(format!("[i_ \\in {indices} |-> {}]", element.plain()));
    }
    Text::atom("0")
}

/// The top-level conjuncts of a formula, if it says anything.
fn conjuncts<'a>(writer: &mut Writer<'a>, formula: &'a Expr) -> Vec<Doc> {
    let parts = formula.conjuncts().into_iter();
    let parts = parts.filter(|part| !part.is_true());
    parts.map(|part| condition(writer, part)).collect()
}

/// A condition for a step. Where TLC looks for steps it takes `\/` and `\E` for alternatives, and looks at each: at an
/// undefined one behind one that holds, too. As the argument of `Holds` a condition is a value and nothing else.
fn condition<'a>(writer: &mut Writer<'a>, part: &'a Expr) -> Doc {
    if !has_alternatives(part) {
        return writer.formula(part);
    }
    let term = writer.term(part);
    Doc::Line(writer.call(Helper::Holds, &[term]).plain().to_owned())
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

/// The definition of a clause, and what `Next` says of it.
fn action<'a>(
    writer: &mut Writer<'a>,
    automaton: &'a Automaton,
    clause: &'a Transition,
    name: &str,
    variables: &[(String, Type)],
) -> (String, Doc) {
    let names: Vec<String> = variables.iter().map(|(name, _)| name.clone()).collect();
    begin(writer, &clause.locals, &names, false);
    let mut conditions = clause.applies.conjuncts();
    conditions.extend(clause.pre.conjuncts());
    let mut under = Vec::new();
    for param in &clause.params {
        let set = writer.range(*param, &conditions);
        let param = writer.enter(*param);
        under.push((param, set));
    }
    let formals: Vec<&str> = under.iter().map(|(param, _)| &**param).collect();
    let heading = match formals.is_empty() {
        true => name.to_owned(),
        false => format!("{name}({})", formals.join(", ")),
    };
    let step = Doc::Line(format!("{}{heading}", quantified(&under)));
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
        |writer, ends| new_values(writer, automaton, clause, &names, &open, &ends),
    ));
    let body = Doc::All(flattened(body));
    let body = hidden.into_iter().rev().fold(body, |body, (local, set)| {
        Doc::Under(format!("\\E {local} \\in {set} :"), Box::new(body))
    });
    (format!("{}\n", body.definition(&heading)), step)
}

/// `\E x \in S : \E y \in T :` with a blank behind it.
fn quantified(binders: &[(String, String)]) -> String {
    let each = binders
        .iter()
        .map(|(name, set)| format!("\\E {name} \\in {set} : "));
    each.collect()
}

/// Conjunctions within a conjunction are parts of it.
fn flattened(parts: Vec<Doc>) -> Vec<Doc> {
    let each = parts.into_iter().flat_map(|part| match part {
        Doc::All(parts) => parts,
        other => vec![other],
    });
    each.collect()
}

/// The new value of each variable, and the relation that they satisfy besides.
fn new_values<'a>(
    writer: &mut Writer<'a>,
    automaton: &'a Automaton,
    clause: &'a Transition,
    names: &[String],
    open: &[StateRef],
    ends: &[Text],
) -> Doc {
    let (mut parts, mut unchanged) = (Vec::new(), Vec::new());
    for ((at, name), end) in names.iter().enumerate().zip(ends) {
        let var = VarId::at(at);
        if open.iter().any(|state| state.var == var) {
            if let Some(part) = open_value(writer, automaton, clause, var, name) {
                parts.push(part);
            }
        } else if end.plain() == name {
            unchanged.push(&**name);
        } else {
            parts.push(Doc::Line(format!("{name}' = {}", end.at(Level::Infix))));
        }
    }
    match &unchanged[..] {
        [] => {}
        [one] => parts.push(Doc::Line(format!("UNCHANGED {one}"))),
        several => parts.push(Doc::Line(format!("UNCHANGED <<{}>>", several.join(", ")))),
    }
    let plain = names.iter().map(|name| Text::atom(&**name)).collect();
    writer.stores.insert(Store::Pre, plain);
    parts.extend(conjuncts(writer, &clause.ensuring));
    Doc::All(parts)
}

/// `x' \in T` for a variable that only `ensuring` speaks of, unless that says what it equals.
fn open_value(
    writer: &mut Writer<'_>,
    automaton: &Automaton,
    clause: &Transition,
    var: VarId,
    name: &str,
) -> Option<Doc> {
    let variable = &automaton.variables[var.index()];
    if writer.is_finite(&variable.ty) {
        let set = writer.set_of(&variable.ty)?;
        return Some(Doc::Line(format!("{name}' \\in {}", set.at(Level::Infix))));
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

/// A line between the parts of a module.
pub(super) fn rule() -> String {
    format!("{}\n\n", "-".repeat(90))
}
