//! The sorts that a model uses: a sort that nothing uses needs no size.

use std::collections::BTreeSet;

use ioa_lang::core::{
    Automaton, Axiom, ExprKind, Local, Meaning, Model, Program, Quantifier, Simulation, SortId,
    SortSize, Type,
};

/// The sorts whose values occur in states, actions, bound variables, fields of tuples or unions, or theories whose meaning
/// depends on the number of elements. (An order exists for any number of elements.)
pub(super) fn sorts(model: &Model) -> BTreeSet<SortId> {
    let mut found = BTreeSet::new();
    let mut visit = |ty: &Type| mention(model, ty, &mut found);
    let fields = model.tuples.iter().flat_map(|tuple| &tuple.fields);
    let variants = model.unions.iter().flat_map(|union| &union.variants);
    fields.chain(variants).for_each(|(_, ty)| visit(ty));
    for function in &model.functions {
        if !matches!(function.meaning, Meaning::Less(_)) {
            let types = function.params.iter().chain([&function.result]);
            types.for_each(&mut visit);
        }
    }
    for (_, axiom) in model.axioms_in(&model.every_setting()) {
        if !is_of_order(model, axiom) {
            of_locals(&axiom.locals, &mut visit);
        }
    }
    for automaton in &model.automata {
        of_automaton(automaton, &mut visit);
    }
    of_properties(model, &mut visit);
    let sizes = model.sorts.iter().map(|sort| sort.size);
    found.extend(sizes.filter_map(|size| match size {
        SortSize::GroupsOf(_, member) => Some(member),
        SortSize::Given => None,
    }));
    found
}

/// Whether an axiom is only about orders and does not require an element to exist: then, if it holds for some number of
/// elements, it also holds for fewer.
fn is_of_order(model: &Model, axiom: &Axiom) -> bool {
    let (mut orders, mut others) = (0, 0);
    let mut formula = &axiom.formula;
    while let ExprKind::Quantified(Quantifier::ForAll, _, body) = &formula.kind {
        formula = body;
    }
    formula.walk(&mut |expr| match &expr.kind {
        ExprKind::Theory(function, _) => match model.functions[function.index()].meaning {
            Meaning::Less(_) => orders += 1,
            _ => others += 1,
        },
        ExprKind::Quantified(..) => others += 1,
        _ => {}
    });
    orders > 0 && others == 0
}

fn of_automaton(automaton: &Automaton, visit: &mut impl FnMut(&Type)) {
    automaton.variables.iter().for_each(|v| visit(&v.ty));
    for action in &automaton.actions {
        action.params.iter().for_each(|(_, ty)| visit(ty));
        of_locals(&action.locals, visit);
    }
    for component in &automaton.components {
        component.indices.iter().for_each(|(_, ty)| visit(ty));
    }
    of_program(&automaton.start.program, visit);
    let clauses = automaton.transitions.iter().map(|clause| &clause.locals);
    let tasks = automaton.tasks.iter().map(|task| &task.locals);
    let required = automaton.requirements.iter().map(|r| &r.locals);
    for locals in clauses
        .chain(tasks)
        .chain(required)
        .chain([&automaton.start.locals])
    {
        of_locals(locals, visit);
    }
}

/// The properties of automata, and the schedules that drive them.
fn of_properties(model: &Model, visit: &mut impl FnMut(&Type)) {
    for invariant in &model.invariants {
        of_locals(&invariant.locals, visit);
    }
    for property in &model.liveness {
        of_locals(&property.locals, visit);
    }
    for Simulation { locals, proof, .. } in &model.simulations {
        of_locals(locals, visit);
        if let Some(proof) = proof {
            proof.variables.iter().for_each(|v| visit(&v.ty));
            of_program(&proof.initially, visit);
            let entries = proof.entries.iter();
            entries.for_each(|entry| of_program(&entry.program, visit));
        }
    }
    for schedule in &model.schedules {
        schedule.variables.iter().for_each(|v| visit(&v.ty));
        of_program(&schedule.program, visit);
    }
}

fn of_program(program: &Program, visit: &mut impl FnMut(&Type)) {
    of_locals(&program.locals, visit);
}

fn of_locals(locals: &[Local], visit: &mut impl FnMut(&Type)) {
    locals.iter().for_each(|local| visit(&local.ty));
}

/// The sorts that occur in a type. (The fields of tuples and unions are handled elsewhere.)
fn mention(model: &Model, ty: &Type, found: &mut BTreeSet<SortId>) {
    match ty {
        Type::Sort(sort) => drop(found.insert(*sort)),
        Type::Tuple(_) | Type::Union(_) => {}
        other => {
            for part in model.parts_of(other) {
                mention(model, part, found);
            }
        }
    }
}
