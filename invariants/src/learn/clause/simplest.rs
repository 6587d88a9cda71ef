//! The simplest equal form of a formula: rewriting in an e-graph and extraction (Willsey et al., "egg: Fast and extensible
//! equality saturation", POPL 2021).
//!
//! Connectives and comparisons are nodes; everything else is an opaque term, in which formulas under quantifiers are
//! brought to their simplest form by themselves. A formula with a partial operator is left as it is: what stands before
//! a term may be what makes it defined.

use std::collections::BTreeSet;

use egg::{
    CostFunction, Extractor, Id, Language, RecExpr, Rewrite, Runner, define_language, rewrite,
};
use ioa_lang::core::{Expr, ExprKind, Op, Type};

define_language! {
    enum Logic {
        "true" = True,
        "false" = False,
        "not" = Not(Id),
        "and" = And([Id; 2]),
        "or" = Or([Id; 2]),
        "=>" = Implies([Id; 2]),
        "=" = Equal([Id; 2]),
        "~=" = Differ([Id; 2]),
        "in" = In([Id; 2]),
        "notin" = NotIn([Id; 2]),
        Opaque(usize),
    }
}

/// No larger e-graph is searched.
const MAX_NODES: usize = 4_000;

/// Nor more often rewritten.
const MAX_ROUNDS: usize = 12;

/// Of a formula with more connectives, no equal form is looked for.
const MAX_CONNECTIVES: usize = 14;

/// The simplest form that was found, which is equal to the formula.
#[must_use]
pub(in super::super) fn simplest(formula: &Expr) -> Expr {
    let mut is_partial = false;
    formula.walk(&mut |part| {
        if let ExprKind::Apply(op, _) = &part.kind {
            is_partial |= op.is_partial(&part.ty);
        }
    });
    match is_partial {
        true => formula.clone(),
        false => under_quantifiers(formula),
    }
}

/// As [`simplest`], of a formula whose terms are all defined.
fn under_quantifiers(formula: &Expr) -> Expr {
    if let ExprKind::Quantified(quantifier, binders, body) = &formula.kind {
        let body = Box::new(under_quantifiers(body));
        let kind = ExprKind::Quantified(*quantifier, binders.clone(), body);
        return Expr::new(kind, formula.ty.clone(), formula.span);
    }
    let mut terms = Terms::default();
    let root = terms.add(formula);
    if terms.connectives > MAX_CONNECTIVES {
        return formula.clone();
    }
    let runner = Runner::default()
        .with_node_limit(MAX_NODES)
        .with_iter_limit(MAX_ROUNDS)
        .with_time_limit(std::time::Duration::MAX)
        .with_expr(&terms.nodes)
        .run(&rules());
    let start = runner.egraph.find(runner.roots[0]);
    let extractor = Extractor::new(&runner.egraph, Reading);
    let (cost, best) = extractor.find_best(start);
    let found = match cost < Reading.cost_rec(&terms.nodes) {
        true => terms.read(&best, Id::from(best.len() - 1)),
        false => terms.read(&terms.nodes, root),
    };
    match has_binder_twice(&found) {
        true => formula.clone(),
        false => found,
    }
}

/// Whether a bound variable is bound in two places, which no item may have.
fn has_binder_twice(formula: &Expr) -> bool {
    let (mut seen, mut twice) = (BTreeSet::new(), false);
    formula.walk(&mut |part| {
        twice |= part.binders().iter().any(|binder| !seen.insert(*binder));
    });
    twice
}

/// A formula as nodes, with the terms that are opaque to rewriting.
#[derive(Default)]
struct Terms {
    nodes: RecExpr<Logic>,
    opaque: Vec<Expr>,
    connectives: usize,
}

impl Terms {
    fn add(&mut self, formula: &Expr) -> Id {
        let (op, args) = match &formula.kind {
            ExprKind::Bool(true) => return self.nodes.add(Logic::True),
            ExprKind::Bool(false) => return self.nodes.add(Logic::False),
            ExprKind::Apply(op, args) => (op, args),
            _ => return self.add_opaque(formula),
        };
        let binary: fn([Id; 2]) -> Logic = match op {
            Op::Not => {
                let inner = self.add(&args[0]);
                self.connectives += 1;
                return self.nodes.add(Logic::Not(inner));
            }
            Op::And => Logic::And,
            Op::Or => Logic::Or,
            Op::Implies => Logic::Implies,
            Op::Eq => Logic::Equal,
            Op::Member => Logic::In,
            _ => return self.add_opaque(formula),
        };
        self.connectives += args.len() - 1;
        let is_comparison = matches!(op, Op::Eq | Op::Member);
        let ids: Vec<Id> = args
            .iter()
            .map(|arg| match is_comparison {
                true => self.add_opaque(arg),
                false => self.add(arg),
            })
            .collect();
        let joined = ids
            .into_iter()
            .rev()
            .reduce(|right, left| self.nodes.add(binary([left, right])));
        joined.expect("an operator with arguments")
    }

    fn add_opaque(&mut self, term: &Expr) -> Id {
        let known = self.opaque.iter().position(|other| other == term);
        let number = known.unwrap_or(self.opaque.len());
        if known.is_none() {
            self.opaque.push(term.clone());
        }
        self.nodes.add(Logic::Opaque(number))
    }

    /// What a node says, with conjunctions and disjunctions as lists.
    fn read(&self, nodes: &RecExpr<Logic>, id: Id) -> Expr {
        let apply = |op, args| Expr::apply(op, args, Type::Bool, ioa_lang::Span::default());
        let both = |op, [a, b]: [Id; 2]| apply(op, vec![self.read(nodes, a), self.read(nodes, b)]);
        match nodes[id] {
            Logic::True => constant(true),
            Logic::False => constant(false),
            Logic::Not(inner) => apply(Op::Not, vec![self.read(nodes, inner)]),
            Logic::And(_) => apply(Op::And, self.listed(nodes, id)),
            Logic::Or(_) => apply(Op::Or, self.listed(nodes, id)),
            Logic::Implies(parts) => both(Op::Implies, parts),
            Logic::Equal(parts) => both(Op::Eq, parts),
            Logic::In(parts) => both(Op::Member, parts),
            Logic::Differ(parts) => apply(Op::Not, vec![both(Op::Eq, parts)]),
            Logic::NotIn(parts) => apply(Op::Not, vec![both(Op::Member, parts)]),
            Logic::Opaque(number) => match &self.opaque[number].kind {
                ExprKind::Quantified(..) => under_quantifiers(&self.opaque[number]),
                _ => self.opaque[number].clone(),
            },
        }
    }

    /// The parts of a conjunction of conjunctions, or of a disjunction of disjunctions.
    fn listed(&self, nodes: &RecExpr<Logic>, id: Id) -> Vec<Expr> {
        let (Logic::And([left, right]) | Logic::Or([left, right])) = nodes[id] else {
            unreachable!("a conjunction or a disjunction");
        };
        let part = |part: Id| match nodes[part].matches(&nodes[id]) {
            true => self.listed(nodes, part),
            false => vec![self.read(nodes, part)],
        };
        [part(left), part(right)].concat()
    }
}

fn constant(truth: bool) -> Expr {
    Expr::new(ExprKind::Bool(truth), Type::Bool, ioa_lang::Span::default())
}

/// How much there is to read. People read an implication more easily than a disjunction, and `a ~= b` more easily than a
/// negation before parentheses; an implication within something else is hard to read.
struct Reading;

/// The cost of an implication within something else.
const WITHIN: u32 = 3;

/// What it costs to read a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    all: u32,
    is_implication: bool,
}

impl CostFunction<Logic> for Reading {
    type Cost = Cost;

    fn cost<C: FnMut(Id) -> Cost>(&mut self, node: &Logic, mut costs: C) -> Cost {
        let own: u32 = match node {
            Logic::True | Logic::False => 1,
            Logic::Opaque(_)
            | Logic::And(_)
            | Logic::Equal(_)
            | Logic::In(_)
            | Logic::Differ(_)
            | Logic::NotIn(_) => 4,
            Logic::Implies(_) => 5,
            Logic::Or(_) => 7,
            Logic::Not(_) => 8,
        };
        let all = node.fold(own, |sum, child| {
            let child = costs(child);
            let within = if child.is_implication { WITHIN } else { 0 };
            sum.saturating_add(child.all).saturating_add(within)
        });
        Cost {
            all,
            is_implication: matches!(node, Logic::Implies(_)),
        }
    }
}

/// Identities of two-valued logic and of what it compares.
fn rules() -> Vec<Rewrite<Logic, ()>> {
    let mut all = vec![
        rewrite!("and-commutes"; "(and ?a ?b)" => "(and ?b ?a)"),
        rewrite!("or-commutes"; "(or ?a ?b)" => "(or ?b ?a)"),
        rewrite!("and-associates"; "(and ?a (and ?b ?c))" => "(and (and ?a ?b) ?c)"),
        rewrite!("or-associates"; "(or ?a (or ?b ?c))" => "(or (or ?a ?b) ?c)"),
        rewrite!("and-same"; "(and ?a ?a)" => "?a"),
        rewrite!("or-same"; "(or ?a ?a)" => "?a"),
        rewrite!("and-true"; "(and ?a true)" => "?a"),
        rewrite!("and-false"; "(and ?a false)" => "false"),
        rewrite!("or-true"; "(or ?a true)" => "true"),
        rewrite!("or-false"; "(or ?a false)" => "?a"),
        rewrite!("and-absorbs"; "(and ?a (or ?a ?b))" => "?a"),
        rewrite!("or-absorbs"; "(or ?a (and ?a ?b))" => "?a"),
        rewrite!("contradiction"; "(and ?a (not ?a))" => "false"),
        rewrite!("excluded-middle"; "(or ?a (not ?a))" => "true"),
        rewrite!("not-not"; "(not (not ?a))" => "?a"),
        rewrite!("equal-same"; "(= ?a ?a)" => "true"),
    ];
    all.extend(rewrite!("implies-or"; "(=> ?a ?b)" <=> "(or (not ?a) ?b)"));
    all.extend(rewrite!("implies-and"; "(=> ?a (=> ?b ?c))" <=> "(=> (and ?a ?b) ?c)"));
    all.extend(rewrite!("not-and"; "(not (and ?a ?b))" <=> "(or (not ?a) (not ?b))"));
    all.extend(rewrite!("not-or"; "(not (or ?a ?b))" <=> "(and (not ?a) (not ?b))"));
    all.extend(rewrite!("not-equal"; "(not (= ?a ?b))" <=> "(~= ?a ?b)"));
    all.extend(rewrite!("not-in"; "(not (in ?a ?b))" <=> "(notin ?a ?b)"));
    all.extend(rewrite!("not-implies"; "(not (=> ?a ?b))" <=> "(and ?a (not ?b))"));
    all.extend(rewrite!("or-under-and"; "(or ?a (and ?b ?c))" <=> "(and (or ?a ?b) (or ?a ?c))"));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use ioa_lang::Span;
    use ioa_lang::core::LocalId;

    fn local(id: u32) -> Expr {
        Expr::new(ExprKind::Local(LocalId(id)), Type::Bool, Span::default())
    }

    fn apply(op: Op, args: Vec<Expr>) -> Expr {
        Expr::apply(op, args, Type::Bool, Span::default())
    }

    fn not(inner: Expr) -> Expr {
        apply(Op::Not, vec![inner])
    }

    /// Whether a formula over locals is true, where the locals are the bits of a number.
    fn truth(formula: &Expr, bits: u32) -> bool {
        match &formula.kind {
            ExprKind::Bool(value) => *value,
            ExprKind::Local(id) => bits >> id.0 & 1 == 1,
            ExprKind::Apply(op, args) => {
                let mut values = args.iter().map(|arg| truth(arg, bits));
                match op {
                    Op::Not => !truth(&args[0], bits),
                    Op::And => values.all(|value| value),
                    Op::Or => values.any(|value| value),
                    Op::Implies => !truth(&args[0], bits) || truth(&args[1], bits),
                    Op::Eq => truth(&args[0], bits) == truth(&args[1], bits),
                    other => panic!("{other:?}"),
                }
            }
            other => panic!("{other:?}"),
        }
    }

    /// A formula over four locals that is made of a number.
    fn made(number: &mut u64, depth: u32) -> Expr {
        *number = number
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let pick = *number >> 33;
        if depth == 0 {
            return local((pick % 4) as u32);
        }
        let mut part = || made(number, depth - 1);
        match pick % 6 {
            0 => not(part()),
            1 => apply(Op::And, vec![part(), part(), part()]),
            2 => apply(Op::Or, vec![part(), part()]),
            3 => apply(Op::Implies, vec![part(), part()]),
            4 => not(apply(Op::Eq, vec![local(0), local(1)])),
            _ => apply(Op::Eq, vec![local(2), local(3)]),
        }
    }

    fn size(formula: &Expr) -> usize {
        let mut all = 0;
        formula.walk(&mut |_| all += 1);
        all
    }

    #[test]
    fn the_simplest_form_says_the_same() {
        let (mut number, mut shorter) = (7, 0);
        for _ in 0..150 {
            let formula = made(&mut number, 3);
            let found = simplest(&formula);
            for bits in 0..16 {
                assert_eq!(
                    truth(&formula, bits),
                    truth(&found, bits),
                    "{formula:?} {found:?}"
                );
            }
            shorter += usize::from(size(&found) < size(&formula));
        }
        assert!(shorter > 50, "{shorter}");
    }

    #[test]
    fn people_read_what_follows_from_what_is_so() {
        let [a, b, c] = [0, 1, 2].map(local);
        let clause = apply(Op::Or, vec![not(a.clone()), not(b.clone()), c.clone()]);
        let premises = apply(Op::And, vec![a.clone(), b.clone()]);
        assert_eq!(
            simplest(&clause),
            apply(Op::Implies, vec![premises, c.clone()])
        );
        let open = apply(
            Op::And,
            vec![c.clone(), apply(Op::Eq, vec![a.clone(), b.clone()])],
        );
        let differ = not(apply(Op::Eq, vec![a.clone(), b]));
        let implied = apply(Op::Implies, vec![c, differ]);
        assert_eq!(simplest(&not(open)), implied);
        let twice = not(not(apply(Op::And, vec![a.clone(), a.clone()])));
        assert_eq!(simplest(&twice), a);
    }

    #[test]
    fn what_makes_a_term_defined_stays_before_it() {
        let value = Expr::apply(Op::Val, vec![local(0)], Type::Bool, Span::default());
        let guarded = apply(Op::Or, vec![not(local(1)), value]);
        assert_eq!(simplest(&guarded), guarded);
    }
}
