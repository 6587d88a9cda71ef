//! The built-in theories: what they ask of their types, the operators they declare, and their axioms.

use super::report::{Report, wrong_number};
use super::world::World;
use crate::core::{
    Axiom, Expr, ExprKind, Family, Function, FunctionId, Local, LocalId, Meaning, Op, Quantifier,
    SortId, SortSize, Type,
};
use crate::diagnostic::Diagnostic;
use crate::source::{Name, Span};
use crate::syntax::ast::TheoryItem;

/// A built-in theory.
struct Theory {
    name: &'static str,
    /// What its types stand for, in order.
    params: &'static [&'static str],
    assume: fn(&TheoryItem, &[SortId], &mut World, &mut Report),
}

const THEORIES: &[Theory] = &[
    Theory {
        name: "TotalOrder",
        params: &["T"],
        assume: total_order,
    },
    Theory {
        name: "Quorums",
        params: &["Quorum", "Node"],
        assume: quorums,
    },
    Theory {
        name: "Subsets",
        params: &["Group", "Node"],
        assume: subsets,
    },
];

/// Adds a theory that a file assumes.
pub(super) fn assume(item: &TheoryItem, world: &mut World, report: &mut Report) {
    let Some(theory) = THEORIES.iter().find(|t| *t.name == *item.name.name) else {
        let forms: Vec<String> = THEORIES
            .iter()
            .map(|t| format!("{}({})", t.name, t.params.join(", ")))
            .collect();
        let names = THEORIES.iter().map(|t| t.name);
        let diagnostic = report
            .unknown("theory", &item.name, names)
            .help(format!("the known theories are {}", forms.join(", ")));
        report.add_absence(&item.name.name, diagnostic);
        return;
    };
    let types: Vec<Option<Type>> = item.args.iter().map(|t| world.resolve(t, report)).collect();
    if types.len() != theory.params.len() {
        let what = format!("the theory `{}`", theory.name);
        let (expected, found) = (theory.params.len(), types.len());
        report.add(wrong_number(item.span, &what, "type", expected, found));
        return;
    }
    let mut sorts = Vec::new();
    for (ty, written) in types.into_iter().zip(&item.args) {
        match ty {
            Some(Type::Sort(sort)) => sorts.push(sort),
            None => {}
            Some(other) => report.add(
                Diagnostic::error(
                    written.span,
                    format!(
                        "`{}` is about sorts, which {} is not",
                        theory.name,
                        world.model.type_name(&other)
                    ),
                )
                .help("a sort is declared by `type T` alone"),
            ),
        }
    }
    if sorts.len() == theory.params.len() {
        (theory.assume)(item, &sorts, world, report);
    }
}

fn total_order(item: &TheoryItem, sorts: &[SortId], world: &mut World, report: &mut Report) {
    let &[sort] = sorts else { return };
    if let Some(function) = world.orders.get(&sort) {
        let first = world.model.functions[function.index()].span;
        report.add(repeated(item, first));
        return;
    }
    let ty = Type::Sort(sort);
    let less = declare(
        world,
        Function {
            name: "<".into(),
            params: vec![ty.clone(), ty.clone()],
            result: Type::Bool,
            meaning: Meaning::Less(sort),
            span: item.span,
        },
    );
    world.orders.insert(sort, less);
    let mut axioms = Axioms::new(item, world);
    let [x, y, z] = ["x", "y", "z"].map(|name| axioms.local(name, &ty));
    let lt = |a: &Expr, b: &Expr| axioms.relate(less, a, b);
    let irreflexive = axioms.apply(Op::Not, vec![lt(&x, &x)]);
    let transitive = axioms.apply(
        Op::Implies,
        vec![
            axioms.apply(Op::And, vec![lt(&x, &y), lt(&y, &z)]),
            lt(&x, &z),
        ],
    );
    let equal = axioms.apply(Op::Eq, vec![x.clone(), y.clone()]);
    let total = axioms.apply(Op::Or, vec![lt(&x, &y), equal, lt(&y, &x)]);
    world.model.axioms.extend([
        axioms.state("irreflexive", 1, irreflexive),
        axioms.state("transitive", 3, transitive),
        axioms.state("total", 2, total),
    ]);
}

/// Groups of which nothing is promised.
fn subsets(item: &TheoryItem, sorts: &[SortId], world: &mut World, report: &mut Report) {
    groups(item, sorts, Family::Subsets, world, report);
}

fn quorums(item: &TheoryItem, sorts: &[SortId], world: &mut World, report: &mut Report) {
    let Some(contains) = groups(item, sorts, Family::Majorities, world, report) else {
        return;
    };
    let mut axioms = Axioms::new(item, world);
    let [quorum_type, member_type] = [sorts[0], sorts[1]].map(Type::Sort);
    let [p, q] = ["p", "q"].map(|name| axioms.local(name, &quorum_type));
    let n = axioms.local("n", &member_type);
    let both = axioms.apply(
        Op::And,
        vec![
            axioms.relate(contains, &n, &p),
            axioms.relate(contains, &n, &q),
        ],
    );
    let shared = axioms.quantified(Quantifier::Exists, vec![LocalId(2)], both);
    let meet = axioms.state("meet", 2, shared);
    world.model.axioms.push(meet);
}

/// Makes each element of the first sort stand for a set of elements of the second, and declares membership in it.
fn groups(
    item: &TheoryItem,
    sorts: &[SortId],
    family: Family,
    world: &mut World,
    report: &mut Report,
) -> Option<FunctionId> {
    let &[group, member] = sorts else { return None };
    if let Some((_, function)) = world.groups.get(&group) {
        let first = world.model.functions[function.index()].span;
        report.add(repeated(item, first));
        return None;
    }
    if rests_on(world, member, group) {
        report.add(
            Diagnostic::error(item.span, "a group cannot be a group of itself")
                .label("the number of groups follows from the number of their members"),
        );
        return None;
    }
    world.model.sorts[group.index()].size = SortSize::GroupsOf(family, member);
    let contains = declare(
        world,
        Function {
            name: "member".into(),
            params: vec![Type::Sort(member), Type::Sort(group)],
            result: Type::Bool,
            meaning: Meaning::InGroup { member, group },
            span: item.span,
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

fn repeated(item: &TheoryItem, first: Span) -> Diagnostic {
    Diagnostic::error(
        item.span,
        format!(
            "`{}` is already assumed of `{}`",
            item.name.name, item.args[0].name.name
        ),
    )
    .related(first, "assumed here")
}

fn declare(world: &mut World, function: Function) -> FunctionId {
    let id = FunctionId::at(world.model.functions.len());
    world.model.functions.push(function);
    id
}

/// What it takes to write down the axioms of one theory.
struct Axioms {
    span: Span,
    /// `TotalOrder(Ballot)`
    theory: String,
    locals: Vec<Local>,
}

impl Axioms {
    fn new(item: &TheoryItem, world: &World) -> Self {
        let args: Vec<String> = item
            .args
            .iter()
            .filter_map(|arg| world.types.get(&arg.name.name).cloned().flatten())
            .map(|ty| world.model.type_name(&ty))
            .collect();
        Self {
            span: item.span,
            theory: format!("{}({})", item.name.name, args.join(", ")),
            locals: Vec::new(),
        }
    }

    fn local(&mut self, name: &str, ty: &Type) -> Expr {
        let id = LocalId::at(self.locals.len());
        self.locals.push(Local {
            name: name.into(),
            ty: ty.clone(),
            span: self.span,
        });
        Expr {
            kind: ExprKind::Local(id),
            ty: ty.clone(),
            span: self.span,
        }
    }

    fn apply(&self, op: Op, args: Vec<Expr>) -> Expr {
        Expr::apply(op, args, Type::Bool, self.span)
    }

    fn relate(&self, function: FunctionId, a: &Expr, b: &Expr) -> Expr {
        Expr {
            kind: ExprKind::Theory(function, vec![a.clone(), b.clone()]),
            ty: Type::Bool,
            span: self.span,
        }
    }

    fn quantified(&self, quantifier: Quantifier, binders: Vec<LocalId>, body: Expr) -> Expr {
        Expr {
            kind: ExprKind::Quantified(quantifier, binders, Box::new(body)),
            ty: Type::Bool,
            span: self.span,
        }
    }

    /// The axiom that `fact` holds for all values of the first `binders` locals.
    fn state(&self, name: &str, binders: usize, fact: Expr) -> Axiom {
        let binders = (0..binders).map(LocalId::at).collect();
        Axiom {
            name: Name::from(format!("{}.{name}", self.theory)),
            locals: self.locals.clone(),
            formula: self.quantified(Quantifier::ForAll, binders, fact),
            span: self.span,
        }
    }
}
