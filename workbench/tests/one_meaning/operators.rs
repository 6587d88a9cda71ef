//! Every operator of the table by itself, on random values: the core is made here, without any text.

use std::collections::BTreeMap;
use std::sync::Arc;

use finite::Universe;
use interpreter::Instance;
use ioa_lang::core::{
    EnumId, Enumeration, Expr, ExprKind, Model, Op, OpFamily, Pattern, Place, Projection, StateRef,
    Stmt, StmtKind, Store, TransitionId, TupleId, Type, UnionId, UnionType, VarId, Variable,
};
use ioa_lang::{Sources, Span};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::case::{Agreed, Case, Verdict};

/// States in which each operator is tried.
const STATES: u64 = 6;

/// What is made of the reads of the variables.
type OfReads<T> = Box<dyn Fn(&[Expr]) -> T>;

/// A statement whose terms read the variables before the last, and which writes the last one.
struct Trial {
    name: String,
    /// The types of all variables.
    types: Vec<Type>,
    /// The value written, from the reads of the variables.
    value: OfReads<Expr>,
    /// The way to the part that is written.
    path: OfReads<Vec<Projection>>,
}

/// A model with a sort, a tuple type and a union, and an automaton with one step that is to be replaced.
fn base() -> Model {
    let mut sources = Sources::new();
    sources.add(
        "base.ioa",
        "type Node type Ballot
         type Kind = enumeration of num, name, node
         type Pair = tuple of left: Int, right: Node
         automaton A
           signature internal go
           states x: Bool := false
           transitions internal go eff x := true",
    );
    let mut model = ioa_lang::load(&sources).model;
    let Enumeration { span, .. } = model.enumerations[0];
    let node = Type::Sort(model.sort_named("Node").expect("the sort"));
    let variants = [("num", Type::Int), ("name", Type::String), ("node", node)];
    model.unions.push(UnionType {
        name: "Item".into(),
        variants: variants.map(|(name, ty)| (name.into(), ty)).to_vec(),
        tags: EnumId(0),
        span,
    });
    model
}

fn span(model: &Model) -> Span {
    model.automata[0].span
}

fn trial(model: &Model, op: Op, args: &[Type], result: Type) -> Trial {
    let (at, ty) = (span(model), result.clone());
    Trial {
        name: format!("{op:?} on {args:?}"),
        types: [args, &[result]].concat(),
        value: Box::new(move |reads| Expr::apply(op, reads.to_vec(), ty.clone(), at)),
        path: Box::new(|_| Vec::new()),
    }
}

/// The model in which the one step of the automaton is the trial's statement.
fn with_step(trial: &Trial) -> Model {
    let mut model = base();
    let at = span(&model);
    let automaton = &mut model.automata[0];
    let variable = |(i, ty): (usize, &Type)| Variable {
        name: format!("x{i}").into(),
        ty: ty.clone(),
        component: None,
        span: at,
    };
    automaton.variables = trial.types.iter().enumerate().map(variable).collect();
    automaton.start.program.body.clear();
    let state = |i: usize| StateRef {
        store: Store::Pre,
        var: VarId::at(i),
    };
    let read = |i: usize| Expr::new(ExprKind::State(state(i)), trial.types[i].clone(), at);
    let last = trial.types.len() - 1;
    let reads: Vec<Expr> = (0..last).map(read).collect();
    let value = (trial.value)(&reads);
    let place = Place {
        root: state(last),
        path: (trial.path)(&reads),
        ty: value.ty.clone(),
        span: at,
    };
    let assignment = StmtKind::Assign(place, value);
    automaton.transitions[0].effect = vec![Stmt::written(assignment, at)];
    model
}

fn trials() -> Vec<Trial> {
    let model = base();
    let node = Type::Sort(model.sort_named("Node").expect("the sort"));
    let item = Type::Union(UnionId(0));
    let mut all = Vec::new();
    family(&model, OpFamily::Arithmetic, [&node, &node], &mut all);
    family(&model, OpFamily::Order, [&node, &node], &mut all);
    let half = Type::null(Type::Real);
    for (domain, range) in [
        (node.clone(), Type::Int),
        (Type::Int, Type::Char),
        (Type::String, node.clone()),
        (item.clone(), half),
        (Type::Char, Type::set(node.clone())),
    ] {
        family(&model, OpFamily::Map, [&domain, &range], &mut all);
        equation(&model, &Type::map(domain, range), &mut all);
    }
    for element in [node.clone(), Type::Char, item.clone(), Type::Real] {
        let types = [&node, &element];
        for of in [OpFamily::Set, OpFamily::Multiset, OpFamily::Sequence] {
            family(&model, of, types, &mut all);
        }
        family(&model, OpFamily::Array, types, &mut all);
        family(&model, OpFamily::Null, types, &mut all);
        equation(&model, &Type::mset(element), &mut all);
    }
    for ty in [Type::Real, Type::Char, Type::String, item.clone()] {
        equation(&model, &ty, &mut all);
    }
    unions(&model, &item, &mut all);
    nested(&model, &node, &mut all);
    places(&node, &mut all);
    all
}

/// The operators of a family at each of their types, with these for indices and for elements.
fn family(model: &Model, family: OpFamily, types: [&Type; 2], all: &mut Vec<Trial>) {
    let operators = Op::ALL.iter().filter(|op| op.family() == family);
    for op in operators {
        for typing in op.row().typings {
            let params = typing.params.iter().map(|param| instance(param, types));
            let params: Vec<Type> = params.collect();
            let result = instance(&typing.result, types);
            all.push(trial(model, *op, &params, result));
        }
    }
}

/// A type that fits a pattern.
fn instance(pattern: &Pattern, types: [&Type; 2]) -> Type {
    let part = |pattern: &Pattern| instance(pattern, types);
    let [index, element] = types;
    match pattern {
        Pattern::Bool => Type::Bool,
        Pattern::Nat => Type::Nat,
        Pattern::Int => Type::Int,
        Pattern::Real => Type::Real,
        Pattern::Char => Type::Char,
        Pattern::String => Type::String,
        Pattern::Var(_) | Pattern::Sort(_) if *pattern == Pattern::INDEX => index.clone(),
        Pattern::Var(_) | Pattern::Sort(_) => element.clone(),
        Pattern::Set(inner) => Type::set(part(inner)),
        Pattern::Mset(inner) => Type::mset(part(inner)),
        Pattern::Seq(inner) => Type::seq(part(inner)),
        Pattern::Null(inner) => Type::null(part(inner)),
        Pattern::Array(index, inner) => Type::array(part(index), part(inner)),
        Pattern::Map(index, inner) => Type::map(part(index), part(inner)),
    }
}

fn equation(model: &Model, ty: &Type, all: &mut Vec<Trial>) {
    all.push(trial(model, Op::Eq, &[ty.clone(), ty.clone()], Type::Bool));
}

fn unions(model: &Model, item: &Type, all: &mut Vec<Trial>) {
    for (i, (_, ty)) in (0..).zip(&model.unions[0].variants) {
        all.push(trial(
            model,
            Op::Variant(i),
            std::slice::from_ref(ty),
            item.clone(),
        ));
        all.push(trial(
            model,
            Op::Payload(i),
            std::slice::from_ref(item),
            ty.clone(),
        ));
    }
    all.push(trial(
        model,
        Op::Tag,
        std::slice::from_ref(item),
        Type::Enum(EnumId(0)),
    ));
}

/// Collections of collections, which the logic packs into single terms.
fn nested(model: &Model, node: &Type, all: &mut Vec<Trial>) {
    let map = Type::map(node.clone(), Type::Bool);
    let item = Type::Union(UnionId(0));
    for element in [map, item, Type::null(Type::Char)] {
        let set = Type::set(element.clone());
        let one = [element.clone(), set.clone()];
        all.push(trial(model, Op::Member, &one, Type::Bool));
        all.push(trial(model, Op::Insert, &one, set));
        let array = Type::array(node.clone(), element.clone());
        all.push(trial(
            model,
            Op::Select,
            &[array.clone(), node.clone()],
            element.clone(),
        ));
        let seq = Type::seq(element.clone());
        all.push(trial(
            model,
            Op::Append,
            &[seq.clone(), element.clone()],
            seq.clone(),
        ));
        all.push(trial(model, Op::SeqMember, &[element, seq], Type::Bool));
    }
}

/// `m[d] := r` and `m[d].left := n`.
fn places(node: &Type, all: &mut Vec<Trial>) {
    let pair = Type::Tuple(TupleId(0));
    let map = Type::map(node.clone(), pair.clone());
    let entry = |reads: &[Expr]| Projection::Entry(reads[0].clone());
    all.push(Trial {
        name: "an entry".into(),
        types: vec![node.clone(), pair, map.clone()],
        value: Box::new(|reads| reads[1].clone()),
        path: Box::new(move |reads| vec![entry(reads)]),
    });
    all.push(Trial {
        name: "a field of an entry".into(),
        types: vec![node.clone(), Type::Int, map],
        value: Box::new(|reads| reads[1].clone()),
        path: Box::new(move |reads| vec![entry(reads), Projection::Field(0)]),
    });
}

#[test]
fn every_operator_of_the_larger_types_means_the_same() {
    let (mut agreed, mut wrong): (BTreeMap<Agreed, u64>, _) = (BTreeMap::new(), Vec::new());
    let mut skipped = Vec::new();
    for trial in trials() {
        let model = with_step(&trial);
        let sizes = [("Node", 3), ("Ballot", 2)].map(|(name, size)| (name.to_owned(), size));
        let universe = Universe::new(&model, model.every_setting(), &BTreeMap::from(sizes))
            .expect("sizes that fit");
        let instance = Instance::new(Arc::new(model), universe);
        for seed in 0..STATES {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let case = Case::draw(&instance, seed % 2 == 0, &mut rng);
            match case.transition(TransitionId(0), &mut rng) {
                Verdict::Agreed(outcome) => *agreed.entry(outcome).or_default() += 1,
                Verdict::Skipped(why) => skipped.push(format!("{}: {why}", trial.name)),
                Verdict::Disagreed(how) => wrong.push(format!("{}: {how}", trial.name)),
            }
        }
    }
    println!("{agreed:#?}\n{}", skipped.join("\n"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(agreed[&Agreed::Taken] > 400 && agreed[&Agreed::Undefined] > 10);
    assert!(skipped.len() as u64 * 10 < agreed.values().sum());
}
