//! A whole module and its configuration: declarations, start states, one definition for each clause, invariants.

use std::fmt::Write as _;

use ioa_lang::core::{
    ActionId, Automaton, AutomatonId, Expr, ExprKind, FunctionId, Invariant, Meaning, Op,
    Quantifier, SortId, SortSize, StateRef, Store, Transition, Type, VarId,
};
use ioa_lang::finite::Packing;

use super::Module;
use super::effect::Effect;
use super::helpers::Helper;
use super::liveness;
use super::text::{Doc, Level, Text};
use super::writer::{Needs, Writer};

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
    let sets = variables.iter().filter_map(|(name, ty)| {
        let set = writer.set_of(ty)?;
        Some(Doc::Line(format!("{name} \\in {}", set.at(Level::Infix))))
    });
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

/// The text in front of the module, its declarations, and the parts.
pub(super) fn assembled(writer: &mut Writer<'_>, parts: &Parts, about: &str) -> Module {
    let needs = closed(writer);
    let mut text = format!("{about}\n---- MODULE {} ----\n", parts.name);
    text.push_str("EXTENDS Integers, Sequences, FiniteSets, Bags, TLC\n\n");
    text.push_str(&declarations(writer, &needs));
    if !parts.variables.is_empty() {
        let _ = writeln!(text, "VARIABLES {}\n", parts.variables.join(", "));
    }
    let _ = writeln!(text, "vars == <<{}>>\n", parts.variables.join(", "));
    text.push_str(&definitions(writer, &needs));
    text.push_str(&rule());
    text.push_str(&parts.body);
    text.push_str("====\n");
    let mut invariants = vec!["TypeOK".to_owned()];
    invariants.extend(parts.invariants.iter().cloned());
    Module {
        name: parts.name.clone(),
        text,
        config: config(
            writer,
            &needs,
            &parts.specification,
            &invariants,
            &parts.liveness,
        ),
    }
}

/// What is needed, and what that needs in turn.
pub(super) fn closed(writer: &mut Writer<'_>) -> Needs {
    loop {
        let before = writer.needs.clone();
        for ty in &before.types {
            writer.type_definition(ty);
        }
        for function in &before.functions {
            table(writer, *function);
        }
        if writer.needs == before {
            return before;
        }
    }
}

/// The constants that the `.cfg` gives.
pub(super) fn declarations(writer: &Writer<'_>, needs: &Needs) -> String {
    let given = needs.sorts.iter().filter(|id| is_given(writer, **id));
    let names: Vec<&str> = given.map(|id| &*writer.globals.sorts[id.index()]).collect();
    match names.is_empty() {
        true => String::new(),
        false => format!("CONSTANTS {}\n\n", names.join(", ")),
    }
}

fn is_given(writer: &Writer<'_>, id: SortId) -> bool {
    writer.model.sorts[id.index()].size == SortSize::Given
}

/// What the module defines before it speaks of the automaton.
pub(super) fn definitions(writer: &mut Writer<'_>, needs: &Needs) -> String {
    let mut text = String::new();
    for helper in &needs.helpers {
        let (formals, body) = helper.body();
        let name = &writer.globals.helpers[helper];
        let _ = writeln!(text, "{name}{formals} == {body}");
    }
    for id in &needs.sorts {
        if let SortSize::GroupsOf(family, member) = writer.model.sorts[id.index()].size {
            let name = &writer.globals.sorts[id.index()];
            let _ = writeln!(text, "{name} == {}", writer.groups(family, member));
        }
    }
    for ty in in_order(writer, needs) {
        text.push_str(&writer.type_definition(&ty).unwrap_or_default());
    }
    for function in &needs.functions {
        text.push_str(&table(writer, *function));
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// Types after those that they are made of: TLA+ wants a name to be defined before it is used.
fn in_order(writer: &Writer<'_>, needs: &Needs) -> Vec<Type> {
    let mut ordered: Vec<Type> = Vec::new();
    let mut left: Vec<&Type> = needs.types.iter().collect();
    while !left.is_empty() {
        let before = left.len();
        left.retain(|ty| {
            let ready = made_of(writer, ty)
                .iter()
                .all(|part| ordered.contains(part) || !needs.types.contains(part));
            if ready {
                ordered.push((*ty).clone());
            }
            !ready
        });
        if left.len() == before {
            break;
        }
    }
    ordered
}

/// The named types that a named type mentions.
fn made_of(writer: &Writer<'_>, ty: &Type) -> Vec<Type> {
    fn named(ty: &Type, found: &mut Vec<Type>) {
        match ty {
            Type::Enum(_) | Type::Tuple(_) | Type::Union(_) => found.push(ty.clone()),
            Type::Array(a, b) | Type::Map(a, b) => {
                named(a, found);
                named(b, found);
            }
            Type::Set(a) | Type::Mset(a) | Type::Seq(a) | Type::Null(a) => named(a, found),
            _ => {}
        }
    }
    let members = match ty {
        Type::Tuple(id) => &writer.model.tuples[id.index()].fields[..],
        Type::Union(id) => &writer.model.unions[id.index()].variants[..],
        _ => &[],
    };
    let mut found = Vec::new();
    members.iter().for_each(|(_, ty)| named(ty, &mut found));
    found
}

/// The table of a theory's operator that axioms alone describe, at these sizes.
fn table(writer: &mut Writer<'_>, id: FunctionId) -> String {
    let function = &writer.model.functions[id.index()];
    debug_assert_eq!(function.meaning, Meaning::Axioms);
    let name = writer.globals.functions[id.index()].clone();
    let results = writer.universe.interpretation().tables.get(&id).cloned();
    let mut rows: Vec<Vec<ioa_lang::Value>> = vec![Vec::new()];
    for ty in &function.params {
        let packing = Packing::of(writer.model, writer.universe, ty);
        let codes = packing
            .as_ref()
            .and_then(|p| p.codes(1 << 16))
            .unwrap_or_default();
        rows = rows
            .iter()
            .flat_map(|row| codes.iter().map(move |code| (row.clone(), *code)))
            .filter_map(|(mut row, code)| {
                row.push(packing.as_ref()?.decode(code));
                Some(row)
            })
            .collect();
    }
    let mut entries = Vec::new();
    for (row, result) in rows.iter().zip(results.unwrap_or_default()) {
        let each: Option<Vec<Text>> = row.iter().map(|v| writer.value(v)).collect();
        let (Some(args), Some(result)) = (each, writer.value(&result)) else {
            writer.unsayable(
                function.span,
                &format!(
                    "the operator {} has arguments or results without a name in TLA+",
                    function.name
                ),
                "use sorts, numbers and sets of them",
            );
            return String::new();
        };
        let args: Vec<&str> = args.iter().map(Text::plain).collect();
        entries.push(match &args[..] {
            [] => result.plain().to_owned(),
            [one] => format!("{one} :> {}", result.plain()),
            several => format!("<<{}>> :> {}", several.join(", "), result.plain()),
        });
    }
    format!("{name} == {}\n", entries.join(" @@ "))
}

/// The configuration that TLC reads beside the module.
pub(super) fn config(
    writer: &Writer<'_>,
    needs: &Needs,
    specification: &str,
    invariants: &[String],
    properties: &[String],
) -> String {
    let mut text = format!("{}\nSPECIFICATION {specification}\n", super::MARK);
    let given: Vec<&SortId> = needs
        .sorts
        .iter()
        .filter(|id| is_given(writer, **id))
        .collect();
    if !given.is_empty() {
        text.push_str("CONSTANTS\n");
    }
    for id in given {
        let name = &writer.globals.sorts[id.index()];
        let _ = writeln!(text, "  {name} = {}", writer.elements(*id));
    }
    for (section, names) in [("INVARIANTS", invariants), ("PROPERTIES", properties)] {
        if !names.is_empty() {
            let _ = writeln!(text, "{section}\n  {}", names.join("\n  "));
        }
    }
    text.push_str("CHECK_DEADLOCK FALSE\n");
    text
}
