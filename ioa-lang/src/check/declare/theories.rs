//! The built-in theories: their requirements on types, the operators they declare, and their axioms.

use super::axioms::{Asked, Axioms, declare, no_sorts, sorts, state};
use super::ordered::{successor, total_order};
use super::ring::ring;
use crate::check::instance::Denotation;
use crate::check::report::{Report, wrong_number};
use crate::check::world::{Namespace, Origin, TheoryKey, World};
use crate::core::{
    Assumed, AutomatonId, Family, Function, FunctionId, LocalId, Meaning, Op, Quantifier, SortId,
    SortSize, Type,
};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Name, Span};
use crate::syntax::ast::TheoryItem;

/// A built-in theory.
struct Theory {
    name: &'static str,
    /// What its types stand for, in order.
    params: &'static [&'static str],
    /// Whether a vocabulary of the same name takes its place: some were written before the theory was.
    yields: bool,
    /// The theories of the same types that it builds on.
    builds_on: &'static [&'static str],
    assume: fn(&Asked, &mut World, &mut Report) -> Option<Vec<Denotation>>,
}

const THEORIES: &[Theory] = &[
    Theory {
        name: "TotalOrder",
        params: &["T"],
        yields: false,
        builds_on: &[],
        assume: total_order,
    },
    Theory {
        name: "Ring",
        params: &["T"],
        yields: true,
        builds_on: &[],
        assume: ring,
    },
    Theory {
        name: "Successor",
        params: &["T"],
        yields: true,
        builds_on: &["TotalOrder"],
        assume: successor,
    },
    Theory {
        name: "Quorums",
        params: &["Quorum", "Node"],
        yields: false,
        builds_on: &[],
        assume: quorums,
    },
    Theory {
        name: "Subsets",
        params: &["Group", "Node"],
        yields: false,
        builds_on: &[],
        assume: subsets,
    },
];

/// Adds a theory that an item assumes, to be known in `namespace`.
pub(in crate::check) fn assume(
    item: &TheoryItem,
    namespace: Namespace,
    world: &mut World,
    report: &mut Report,
) -> Option<TheoryKey> {
    let types: Vec<Option<Type>> = item.args.iter().map(|t| world.resolve(t, report)).collect();
    let arity = arity(item, world, report)?;
    if types.len() != arity {
        let what = format!("the theory `{}`", item.name.name);
        report.add(wrong_number(item.span, &what, "type", arity, types.len()));
        return None;
    }
    let types = types.into_iter().collect::<Option<Vec<Type>>>()?;
    if built_in(&item.name.name, world).is_some() && !about_sorts(item, &types, world, report) {
        return None;
    }
    let key = (item.name.name.clone(), types);
    let asked = Asked {
        key: key.clone(),
        namespace,
        span: item.span,
    };
    suppose(&asked, world, report).map(|_| key)
}

/// The number of types that a theory takes; reports it if there is no such theory.
fn arity(item: &TheoryItem, world: &World, report: &mut Report) -> Option<usize> {
    if let Some(theory) = built_in(&item.name.name, world) {
        return Some(theory.params.len());
    }
    if let Some(vocabulary) = world.vocabularies.get(&item.name.name) {
        return vocabulary
            .as_ref()
            .map(|vocabulary| vocabulary.params.len());
    }
    let forms: Vec<String> = THEORIES
        .iter()
        .map(|t| format!("{}({})", t.name, t.params.join(", ")))
        .collect();
    let declared = world.vocabularies.keys().map(|name| &**name);
    let names = THEORIES.iter().map(|t| t.name).chain(declared);
    let diagnostic = report
        .unknown("theory", &item.name, names)
        .help(format!("the known theories are {}", forms.join(", ")));
    report.add_absence(&item.name.name, diagnostic);
    None
}

/// The theory of the language that a name stands for.
fn built_in(name: &str, world: &World) -> Option<&'static Theory> {
    let theory = THEORIES.iter().find(|t| *t.name == *name)?;
    (!theory.yields || !world.vocabularies.contains_key(name)).then_some(theory)
}

/// Whether no vocabulary can have this name, since a theory of the language has it.
pub(in crate::check) fn is_reserved(name: &str) -> bool {
    THEORIES.iter().any(|t| *t.name == *name && !t.yields)
}

/// Whether the types are sorts; which is not, is reported.
fn about_sorts(item: &TheoryItem, types: &[Type], world: &World, report: &mut Report) -> bool {
    let mut all = true;
    for (ty, written) in types.iter().zip(&item.args) {
        if matches!(ty, Type::Sort(_)) {
            continue;
        }
        all = false;
        report.add(
            Diagnostic::error(
                Code::NoSort,
                written.span,
                format!(
                    "`{}` is about sorts, which {} is not",
                    item.name.name,
                    world.model.type_name(ty)
                ),
            )
            .help("a sort is declared by `type T` alone"),
        );
    }
    all
}

/// Makes sure that a theory is in use, and known where it is assumed, and returns its operators.
pub(in crate::check) fn suppose(
    asked: &Asked,
    world: &mut World,
    report: &mut Report,
) -> Option<Vec<Denotation>> {
    let known = world.theories.get(&asked.key).cloned();
    if let Some(meant) = &known
        && !world
            .namespace(asked.namespace)
            .theories
            .insert(asked.key.clone())
    {
        return Some(meant.clone());
    }
    within_limits(asked, world, report)?;
    let built_in_theory = built_in(&asked.key.0, world);
    for base in built_in_theory.map_or(&[][..], |theory| theory.builds_on) {
        let base = Asked {
            key: (Name::from(*base), asked.key.1.clone()),
            ..*asked
        };
        suppose(&base, world, report)?;
    }
    let meant = match (known, built_in_theory) {
        (Some(meant), _) => meant,
        (None, Some(theory)) => (theory.assume)(asked, world, report)?,
        (None, None) => crate::check::vocabularies::instantiate(asked, world, report)?,
    };
    world.theories.insert(asked.key.clone(), meant.clone());
    make_known(asked, &meant, world);
    world
        .namespace(asked.namespace)
        .theories
        .insert(asked.key.clone());
    crate::check::vocabularies::make_known(asked, &meant, world, report)?;
    Some(meant)
}

/// Makes the operators of a built-in theory known where it was assumed.
fn make_known(asked: &Asked, meant: &[Denotation], world: &mut World) {
    let namespace = asked.namespace;
    for meant in meant {
        let Denotation::Function(id) = *meant else {
            continue;
        };
        match world.model.functions[id.index()].meaning {
            Meaning::Less(sort) => drop(world.namespace(namespace).orders.insert(sort, id)),
            Meaning::InGroup { member, group } => {
                world
                    .namespace(namespace)
                    .groups
                    .insert(group, (member, id));
            }
            // A vocabulary makes its operators known with those of the theories it builds on.
            Meaning::Axioms if built_in(&asked.key.0, world).is_some() => {
                add_operator(id, namespace, world);
            }
            Meaning::Axioms => {}
        }
    }
}

/// Makes an operator known by its name.
pub(in crate::check) fn add_operator(id: FunctionId, namespace: Namespace, world: &mut World) {
    let name = world.model.functions[id.index()].name.clone();
    let known = world
        .namespace(namespace)
        .operators
        .entry(name)
        .or_default();
    if !known.contains(&id) {
        known.push(id);
    }
}

/// How many theories a model may use: one that builds on others may ask for twice as many as the one before it.
const THEORY_LIMIT: usize = 1000;

/// Refuses theories that multiply, and types that grow with them.
fn within_limits(asked: &Asked, world: &World, report: &mut Report) -> Option<()> {
    let is_small = |ty| world.size(ty) <= crate::check::types::TYPE_SIZE_LIMIT;
    if world.theories.len() < THEORY_LIMIT && asked.key.1.iter().all(is_small) {
        return Some(());
    }
    report.add(
        Diagnostic::error(
            Code::LargeTheory,
            asked.span,
            "this theory builds on too many others",
        )
        .label(format!(
            "a model uses at most {THEORY_LIMIT} theories, of types of limited size"
        )),
    );
    None
}

/// Groups of which nothing is promised.
fn subsets(asked: &Asked, world: &mut World, report: &mut Report) -> Option<Vec<Denotation>> {
    let contains = groups(asked, Family::Subsets, world, report)?;
    Some(vec![Denotation::Function(contains)])
}

fn quorums(asked: &Asked, world: &mut World, report: &mut Report) -> Option<Vec<Denotation>> {
    let contains = groups(asked, Family::Majorities, world, report)?;
    let [quorum, member] = sorts(asked)?;
    let mut axioms = Axioms::new(asked, world);
    let [quorum_type, member_type] = [quorum, member].map(Type::Sort);
    let [p, q] = ["p", "q"].map(|name| axioms.local(name, &quorum_type));
    let n = axioms.local("n", &member_type);
    let both = axioms.apply(
        Op::And,
        vec![
            axioms.relate(contains, &[&n, &p]),
            axioms.relate(contains, &[&n, &q]),
        ],
    );
    let shared = axioms.quantified(Quantifier::Exists, vec![LocalId(2)], both);
    let meet = axioms.state("meet", 2, shared);
    state(world, asked.origin(), meet);
    Some(vec![Denotation::Function(contains)])
}

/// Makes each element of the first sort stand for a set of elements of the second, and declares membership in it.
fn groups(
    asked: &Asked,
    family: Family,
    world: &mut World,
    report: &mut Report,
) -> Option<FunctionId> {
    let Some([group, member]) = sorts(asked) else {
        report.add(no_sorts(asked, world));
        return None;
    };
    if let Some((_, function)) = world.groups.get(&group) {
        let first = world.model.functions[function.index()].span;
        report.add(repeated(asked, world, first));
        return None;
    }
    if rests_on(world, member, group) {
        report.add(
            Diagnostic::error(
                Code::GroupOfItself,
                asked.span,
                "a group cannot be a group of itself",
            )
            .label("the number of groups follows from the number of their members"),
        );
        return None;
    }
    world.model.sorts[group.index()].size = SortSize::GroupsOf(family, member);
    let contains = declare(
        world,
        asked.origin(),
        Function {
            name: "member".into(),
            params: vec![Type::Sort(member), Type::Sort(group)],
            result: Type::Bool,
            meaning: Meaning::InGroup { member, group },
            assumed: Assumed::default(),
            span: asked.span,
        },
    );
    world.groups.insert(group, (member, contains));
    Some(contains)
}

/// Whether the size of `sort` follows, in any number of steps, from the size of `base`.
fn rests_on(world: &World, mut sort: SortId, base: SortId) -> bool {
    loop {
        if sort == base {
            return true;
        }
        match world.model.sorts[sort.index()].size {
            SortSize::Given => return false,
            SortSize::GroupsOf(_, next) => sort = next,
        }
    }
}

fn repeated(asked: &Asked, world: &World, first: Span) -> Diagnostic {
    let (name, types) = &asked.key;
    let sort = world.model.type_name(&types[0]);
    Diagnostic::error(
        Code::AssumedTwice,
        asked.span,
        format!("`{name}` is already assumed of `{sort}`"),
    )
    .related(first, "assumed here")
}

/// Says of every operator and axiom of the model who assumes it, now that all theories are known. `kept` says where
/// automata are in the model.
pub(in crate::check) fn settle(world: &mut World, kept: &[Option<AutomatonId>]) {
    let in_model = |assumed: Assumed| match assumed {
        Assumed::Everywhere => Assumed::Everywhere,
        Assumed::By(automata) => {
            Assumed::By(automata.iter().filter_map(|id| kept[id.index()]).collect())
        }
    };
    let settled = |origins: &[Origin]| -> Vec<Assumed> {
        let assumed = origins.iter().map(|origin| world.assumed(origin));
        assumed.map(in_model).collect()
    };
    let (functions, axioms) = (
        settled(&world.function_origins),
        settled(&world.axiom_origins),
    );
    for (function, assumed) in world.model.functions.iter_mut().zip(functions) {
        function.assumed = assumed;
    }
    for (axiom, assumed) in world.model.axioms.iter_mut().zip(axioms) {
        axiom.assumed = assumed;
    }
}
