//! Bounds by numbers that the text does not have: they say something of the automaton only if they do not come from the size of the
//! instance.

use std::collections::BTreeSet;

use ioa_lang::core::{Automaton, Expr, ExprKind, Invariant, Op, Type, exprs_of_stmts};
use num_bigint::BigInt;

use crate::pipeline::candidates::states::StatePool;
use crate::pipeline::candidates::states::visits::{Asked, Place};

impl StatePool<'_> {
    /// Relations without those that bound a number by what it is in the largest instance, or in the longest run. Where the text does not
    /// have the number, instances of several sizes have to attain the bound.
    pub(in crate::pipeline) fn telling(&self, mut relations: Vec<Invariant>) -> Vec<Invariant> {
        let numbers = self.numbers();
        relations.retain(|stated| !bounds_a_size(&stated.formula, &numbers));
        let known = |number: &BigInt| numbers.contains(number);
        let mut tight: Vec<Tight> = Vec::new();
        for (relation, stated) in relations.iter().enumerate() {
            let each = invariants::tightened(&stated.formula, &known).into_iter();
            tight.extend(each.map(|formula| Tight {
                relation,
                stated: Invariant {
                    formula,
                    ..stated.clone()
                },
                attained: Vec::new(),
            }));
        }
        let growing = self.growing(tight);
        let mut at = 0..;
        relations.retain(|_| at.next().is_some_and(|at| !growing.contains(&at)));
        relations
    }

    /// Which relations have a bound that instances of several sizes do not attain.
    fn growing(&self, mut tight: Vec<Tight>) -> BTreeSet<usize> {
        let wanted = Dimension::all(&self.all);
        if wanted.is_empty() {
            return BTreeSet::new();
        }
        for place in self.whole.iter().rev() {
            let is_open = |tight: &&mut Tight| {
                tight.may_be_attained(place) && !is_enough(&wanted, &tight.attained)
            };
            let mut open: Vec<&mut Tight> = tight.iter_mut().filter(is_open).collect();
            if self.is_stopped() {
                break;
            }
            if open.is_empty() {
                continue;
            }
            let candidates: Vec<Invariant> =
                open.iter().map(|tight| tight.stated.clone()).collect();
            let asked = Asked {
                candidates: &candidates,
                bound: place.bound,
                ..Asked::default()
            };
            // What cannot be visited shows nothing.
            let found = self.visit_in(&place.universe, asked, self.budget.visited);
            for (at, _) in found.unwrap_or_default().refuted {
                let attained = &mut open[at].attained;
                if attained.last().is_none_or(|last| last.label != place.label) {
                    attained.push(place.clone());
                }
            }
        }
        let growing = tight
            .iter()
            .filter(|tight| !is_enough(&wanted, &tight.attained));
        growing.map(|tight| tight.relation).collect()
    }

    /// The numbers in the text of the automaton, with 0 and 1.
    pub(in crate::pipeline::candidates::states) fn numbers(&self) -> BTreeSet<BigInt> {
        let mut found = numbers_in(self.bare.automaton(self.automaton));
        found.extend([0.into(), 1.into()]);
        found
    }
}

/// The numbers in the text of an automaton.
pub(in crate::pipeline) fn numbers_in(automaton: &Automaton) -> BTreeSet<BigInt> {
    let mut found = BTreeSet::new();
    let mut note = |expr: &Expr| found.append(&mut numbers_of(expr));
    exprs_of_stmts(&automaton.start.program.body, &mut note);
    for clause in &automaton.transitions {
        note(&clause.pre);
        exprs_of_stmts(&clause.effect, &mut note);
    }
    found
}

/// The numbers in a term.
pub(in crate::pipeline) fn numbers_of(expr: &Expr) -> BTreeSet<BigInt> {
    let mut found = BTreeSet::new();
    expr.walk(&mut |part| {
        if let ExprKind::Int(number) = &part.kind {
            found.insert(number.clone());
        }
    });
    found
}

/// A relation with one bound that is tighter.
struct Tight {
    relation: usize,
    stated: Invariant,
    /// Where this is false.
    attained: Vec<Place>,
}

impl Tight {
    /// Whether an instance can show something: within bounds no number becomes much larger than these.
    fn may_be_attained(&self, place: &Place) -> bool {
        let mut is_within = true;
        self.stated.formula.walk(&mut |part| {
            if let (ExprKind::Int(number), Some(bound)) = (&part.kind, place.bound) {
                is_within &= *number.magnitude() < bound.number.into();
            }
        });
        is_within
    }
}

/// In what instances differ.
enum Dimension {
    /// How many elements a sort has.
    Size(String),
    /// How the theories are interpreted.
    Interpretation,
}

impl Dimension {
    /// Those in which some of these instances differ.
    fn all(places: &[Place]) -> Vec<Self> {
        let sorts = places.first().map(|place| place.sizes.keys().cloned());
        let sizes = sorts.into_iter().flatten().map(Self::Size);
        let all = sizes.chain([Self::Interpretation]);
        all.filter(|dimension| dimension.varies(places)).collect()
    }

    /// Whether two of these instances differ in it, of which one is not smaller than the other in anything.
    fn varies(&self, places: &[Place]) -> bool {
        let mut pairs = places
            .iter()
            .flat_map(|a| places.iter().map(move |b| (a, b)));
        pairs.any(|(a, b)| {
            let mut sizes = a.sizes.iter();
            let is_within = sizes.all(|(sort, size)| *size <= b.sizes[sort]);
            is_within
                && match self {
                    Self::Size(sort) => a.sizes[sort] < b.sizes[sort],
                    Self::Interpretation => a.sizes == b.sizes && a.theories != b.theories,
                }
        })
    }
}

/// Whether a bound that these instances attain is none that comes from their sizes.
fn is_enough(wanted: &[Dimension], attained: &[Place]) -> bool {
    wanted.iter().all(|dimension| dimension.varies(attained))
}

/// Whether a formula bounds the size of a collection of elements of a sort by a number that is none of the text's: then the number
/// comes from the size of the instance.
fn bounds_a_size(formula: &Expr, numbers: &BTreeSet<BigInt>) -> bool {
    let mut found = false;
    formula.walk(&mut |part| {
        if let ExprKind::Apply(Op::Le | Op::Eq, sides) = &part.kind
            && let [size, number] = &sides[..]
            && let ExprKind::Int(number) = &number.kind
            && let ExprKind::Apply(Op::Size | Op::MsetSize | Op::Len, collections) = &size.kind
            && let Type::Set(element) | Type::Mset(element) | Type::Seq(element) =
                &collections[0].ty
        {
            // Of an enumeration there are as many elements at every size; sequences may be longer.
            let is_fixed = matches!(**element, Type::Enum(_) | Type::Bool)
                && !matches!(size.kind, ExprKind::Apply(Op::Len, _));
            found |= !is_fixed && !numbers.contains(number);
        }
    });
    found
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use ioa_lang::core::AutomatonId;

    use super::*;
    use crate::host::Silent;
    use crate::pipeline::candidates::Thoroughness;
    use crate::setup::Setup;
    use crate::study::Study;

    /// What each pays is bounded, and the fee; what they have together grows with them. The numbers are those of six players: with more
    /// there are too many states.
    const FUND: &str = "\
type P
automaton Fund
  signature
    internal pay(p: P), leave(p: P), raise, count
  states
    paid: Array[P, Nat] := constant(0),
    pool: Nat := 0,
    fee: Nat := 0,
    clock: Nat := 0
  transitions
    internal pay(p)
      pre paid[p] < 3
      eff paid[p] := paid[p] + 1;
          pool := pool + 2
    internal leave(p)
      pre paid[p] = 3
      eff paid[p] := 0;
          pool := pool - 6
    internal raise
      pre fee < 4
      eff fee := fee + 3
    internal count
      eff clock := (if GROWS then clock + 1 else 0)
invariant Fee of Fund: fee <= 6
invariant Fees of Fund: fee = 0 \\/ fee = 3 \\/ fee = 6
invariant Paid of Fund: \\A p: P (paid[p] <= 3)
invariant Pool of Fund: pool <= 36
invariant Less of Fund: \\A p: P (paid[p] < 3 => pool <= 34)
invariant Sum of Fund: fee + pool <= 42
";

    /// Which of what is stated tells something.
    fn told(grows: &str) -> Vec<String> {
        let study = Study::of_text(FUND.replace("GROWS", grows));
        let setup = Setup {
            sorts: vec![("P".into(), 2)],
            ..Setup::default()
        };
        let spending = (Thoroughness::QUICK.budget, Rc::default());
        let pool = StatePool::gather((&study, &setup), AutomatonId::at(0), spending, &Silent);
        let pool = pool.expect("sizes that fit");
        let told = pool.telling(study.model.invariants.clone()).into_iter();
        told.map(|stated| stated.name.to_string()).collect()
    }

    #[test]
    fn what_grows_with_a_sort_is_not_bounded_by_its_largest_value() {
        assert_eq!(told("false"), ["Fee", "Fees", "Paid"]);
    }

    #[test]
    fn within_bounds_numbers_attain_no_more_than_these() {
        // Here no instance is visited as a whole: numbers are at most 8, or one step beyond.
        assert_eq!(told("true"), ["Fee", "Fees", "Paid"]);
    }
}
