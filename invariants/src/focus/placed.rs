//! Terms that somebody gave, with something in the places of the variables that they leave open.

use finite::Universe;
use ioa_lang::Span;
use ioa_lang::core::{
    Expr, ExprKind, Local, LocalId, Model, Op, OpenTerm, Substitution, Type, Undefined,
};
use num_bigint::BigInt;

use crate::build::{apply, empty, enumerator, equal, formula, nil, not, variable};

/// A term that somebody gave, with variables in place of those that it leaves open.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub(crate) expr: Expr,
    /// What must be true for it to have a value, each as far as those before it are.
    pub(crate) guards: Vec<Expr>,
}

/// The ways to put different variables of some types in place of open ones: for each of these, the position of another.
pub(crate) fn places<'t>(open: impl Iterator<Item = &'t Type>, types: &[&Type]) -> Vec<Vec<usize>> {
    let mut ways: Vec<Vec<usize>> = vec![Vec::new()];
    for open in open {
        let fits = |way: &Vec<usize>, at: usize| types[at] == open && !way.contains(&at);
        ways = ways
            .iter()
            .flat_map(|way| {
                let fitting = (0..types.len()).filter(|at| fits(way, *at));
                fitting
                    .map(|at| [&way[..], &[at]].concat())
                    .collect::<Vec<_>>()
            })
            .collect();
    }
    ways
}

/// A term with the first locals of a formula in the places of its variables; what it binds gets new locals there.
pub(crate) fn placed(
    model: &Model,
    own: &OpenTerm,
    way: &[usize],
    locals: &mut Vec<Local>,
) -> Placed {
    let values = way.iter().zip(&own.locals);
    let values: Vec<Expr> = values
        .map(|(at, local)| variable(LocalId::at(*at), &local.ty))
        .collect();
    let expr = with_values(own, values, locals);
    let mut guards = Vec::new();
    demands(model, &expr, &mut guards);
    Placed { expr, guards }
}

/// A term with values in the places of its variables.
fn with_values(own: &OpenTerm, values: Vec<Expr>, locals: &mut Vec<Local>) -> Expr {
    let values = values.into_iter().enumerate();
    let values = values.map(|(at, value)| (LocalId::at(at), value));
    Substitution::new(&own.locals, locals, values).copy(&own.term)
}

/// A term without open variables for each choice of their values in an instance, with the locals that are bound in it; nothing if
/// there are more choices than this.
pub(crate) fn instances(
    (model, universe): (&Model, &Universe),
    own: &OpenTerm,
    most: usize,
) -> Option<Vec<(Expr, Vec<Local>)>> {
    let mut choices: Vec<Vec<Expr>> = vec![Vec::new()];
    for open in &own.locals[..own.open] {
        let values = finite::closed_values((model, universe), &open.ty, most as u64)?;
        if choices.len() * values.len() > most {
            return None;
        }
        choices = choices
            .iter()
            .flat_map(|chosen| {
                let longer = values
                    .iter()
                    .map(|value| [&chosen[..], std::slice::from_ref(value)].concat());
                longer.collect::<Vec<_>>()
            })
            .collect();
    }
    let instance = |values| {
        let mut locals = Vec::new();
        let expr = with_values(own, values, &mut locals);
        (expr, locals)
    };
    Some(choices.into_iter().map(instance).collect())
}

/// What must be true for a term to have a value, each as far as those before it are. What stands under a connective, a quantifier, or
/// in a branch of a condition is left out, for what stands beside it may guard it.
fn demands(model: &Model, term: &Expr, out: &mut Vec<Expr>) {
    let args = match &term.kind {
        ExprKind::Apply(op, _) if op.row().guards.is_some() => return,
        ExprKind::Apply(_, args) | ExprKind::Theory(_, args) => &args[..],
        // The condition decides which of the others has to have a value.
        ExprKind::If(condition, _, _) => std::slice::from_ref(&**condition),
        _ => return,
    };
    args.iter().for_each(|arg| demands(model, arg, out));
    if let ExprKind::Apply(op, args) = &term.kind
        && let Some(why) = op.undefined(&term.ty)
    {
        let demand = demand(model, *op, args, why);
        out.extend(demand.filter(|demand| !out.contains(demand)));
    }
}

/// What must be true for an operator to have a value, where its arguments have.
fn demand(model: &Model, op: Op, args: &[Expr], why: Undefined) -> Option<Expr> {
    let first = || args[0].clone();
    let related = |op, args| formula(ExprKind::Apply(op, args));
    Some(match why {
        Undefined::NegativeNat => related(Op::Le, vec![args[1].clone(), first()]),
        Undefined::DivisionByZero if is_other_than_zero(&args[1]) => return None,
        Undefined::DivisionByZero if args[1].ty.is_integer() => {
            let zero = ExprKind::Int(BigInt::ZERO);
            let zero = Expr::new(zero, args[1].ty.clone(), Span::default());
            not(equal(args[1].clone(), zero))
        }
        // Candidates say nothing about reals.
        Undefined::DivisionByZero => return None,
        Undefined::EmptySequence => not(equal(first(), empty(&args[0].ty))),
        Undefined::OutOfRange => {
            let length = apply(Op::Len, vec![first()], &Type::Nat);
            related(Op::Lt, vec![args[1].clone(), length])
        }
        Undefined::NoEntry => related(Op::Defined, args.to_vec()),
        Undefined::NoValue => not(equal(first(), nil(&args[0].ty))),
        Undefined::WrongVariant => {
            let (Op::Payload(at), Type::Union(id)) = (op, &args[0].ty) else {
                return None;
            };
            let tags = model.unions[id.index()].tags;
            let tag = apply(Op::Tag, vec![first()], &Type::Enum(tags));
            equal(tag, enumerator(tags, at))
        }
    })
}

fn is_other_than_zero(number: &Expr) -> bool {
    matches!(&number.kind, ExprKind::Int(number) if *number != BigInt::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ioa_lang::core::AutomatonId;
    use ioa_lang::print::{self, Context};
    use ioa_lang::{FileId, Sources};

    const TEXT: &str = "
type Node
type Item = union of num: Nat, who: Node
automaton A
  states
    n, m: Nat,
    item: Item,
    next: Map[Node, Nat],
    queue: Seq[Null[Nat]]
";

    /// What a term demands, as text.
    fn demanded(text: &str) -> Vec<String> {
        let mut sources = Sources::default();
        sources.add("a.ioa", TEXT);
        let loaded = ioa_lang::load(&sources);
        let model = &loaded.model;
        let automaton = AutomatonId(0);
        let own = ioa_lang::open_term(&loaded.names, (FileId(1), text), automaton, None);
        let own = own.expect("a term of the test");
        let mut locals = own.locals.clone();
        let way: Vec<usize> = (0..own.open).collect();
        let placed = placed(model, &own, &way, &mut locals);
        let context = Context::automaton(model, automaton, &locals);
        let said = placed.guards.iter();
        said.map(|guard| print::expr(model, &context, guard))
            .collect()
    }

    #[test]
    fn each_part_demands_what_makes_it_defined_the_inner_parts_first() {
        assert_eq!(
            demanded("mod(head(queue).val - n, m)"),
            [
                "queue ~= {}",
                "head(queue) ~= nil",
                "n <= head(queue).val",
                "m ~= 0"
            ]
        );
        assert_eq!(
            demanded("next[item.who] + next[i]"),
            [
                "tag(item) = who",
                "defined(next, item.who)",
                "defined(next, i)"
            ]
        );
        assert_eq!(demanded("queue[n]"), ["n < len(queue)"]);
        assert_eq!(
            demanded("if item.num = n then head(queue).val else m"),
            ["tag(item) = num"]
        );
    }

    #[test]
    fn what_a_connective_guards_is_not_demanded() {
        assert!(demanded("queue ~= {} => head(queue) = nil").is_empty());
        assert!(demanded("n + m").is_empty());
        assert!(demanded("mod(n, 3)").is_empty());
    }
}
