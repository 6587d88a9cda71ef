//! From what holds to what is worth showing: justified, merged, without what the rest implies.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::canonical::{Form, Prover, Statement};
use crate::rank;
use crate::samples::Schema;
use crate::search::{Finding, Found};

/// A finding with the space that its literals refer to.
#[derive(Clone, Copy)]
pub(crate) struct Entry<'a> {
    pub(crate) found: &'a Found,
    pub(crate) finding: &'a Finding,
}

/// Why a finding is not shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It is true whatever the state.
    Trivial,
    /// It says the same as another, by its position among the entries.
    SameAs(usize),
    /// Those that are kept imply it.
    Implied,
    /// Enough simpler ones are kept.
    Beyond,
    Kept,
}

impl<'a> Entry<'a> {
    fn statement(self) -> Statement<'a> {
        Statement {
            space: &self.found.space,
            clause: &self.finding.clause,
        }
    }
}

/// No more entries than this are tried, the cheapest first.
const MAX_TRIED: usize = 2000;
/// No more than this are kept: a proof takes longer the more facts there are.
const MAX_KEPT: usize = 300;
/// Nor does a proof use more facts than this: those that share variables with what is to be proved come first.
const MAX_FACTS: usize = 40;

/// The fate of each entry. The entries are all of the same samples, and stand space by space.
pub(crate) fn fold(schema: &Schema, entries: &[Entry]) -> Vec<Fate> {
    let prover = Prover::new(schema);
    let mut fates = vec![Fate::Kept; entries.len()];
    let mut start = 0;
    for group in entries.chunk_by(|a, b| std::ptr::eq(a.found, b.found)) {
        merge(schema, &prover, start, group, &mut fates);
        start += group.len();
    }
    let mut order: Vec<usize> = (0..entries.len())
        .filter(|at| fates[*at] == Fate::Kept)
        .collect();
    order.sort_by_cached_key(|at| rank::cost(schema, &entries[*at]));
    let mut kept: Vec<usize> = Vec::new();
    for (tried, at) in order.into_iter().enumerate() {
        if tried >= MAX_TRIED || kept.len() >= MAX_KEPT {
            fates[at] = Fate::Beyond;
        } else if follows(&prover, entries, &kept, at) {
            fates[at] = Fate::Implied;
        } else {
            kept.push(at);
        }
    }
    // A stronger clause may have come after a weaker one. Here one clause must imply another by itself: a simple
    // clause is not given up because several intricate ones together say the same.
    for position in (0..kept.len()).rev() {
        let at = kept[position];
        let alone = |k: &usize| follows(&prover, entries, &[*k], at);
        if kept[position + 1..].iter().any(alone) {
            fates[at] = Fate::Implied;
            kept.remove(position);
        }
    }
    fates
}

/// Merges the entries of one space that the identities make equal.
fn merge(schema: &Schema, prover: &Prover, start: usize, group: &[Entry], fates: &mut [Fate]) {
    let statements: Vec<Statement> = group.iter().map(|e| e.statement()).collect();
    let mut classes: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (at, form) in prover.forms(&statements).into_iter().enumerate() {
        match form {
            Form::Trivial => fates[start + at] = Fate::Trivial,
            Form::Class(class) => classes.entry(class).or_default().push(at),
        }
    }
    for members in classes.values() {
        let best = members
            .iter()
            .min_by_key(|at| rank::cost(schema, &group[**at]));
        for at in members.iter().filter(|at| Some(*at) != best) {
            fates[start + at] = Fate::SameAs(start + best.copied().unwrap_or(*at));
        }
    }
}

fn follows(prover: &Prover, entries: &[Entry], facts: &[usize], goal: usize) -> bool {
    let columns = |at: usize| entries[at].finding.clause.columns(&entries[at].found.space);
    let mut facts = facts.to_vec();
    if facts.len() > MAX_FACTS {
        let own = columns(goal);
        facts.sort_by_cached_key(|at| Reverse(columns(*at).intersection(&own).count()));
        facts.truncate(MAX_FACTS);
    }
    let facts: Vec<Statement> = facts.iter().map(|at| entries[*at].statement()).collect();
    prover.follows(&facts, entries[goal].statement())
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use finite::{Packing, Universe};
    use ioa_lang::core::{Function, Meaning, Model, Sort, SortId, SortSize, Type};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::evaluate::blocks;
    use crate::frame::Frame;
    use crate::samples::{Limits, Samples};
    use crate::search::{Truths, search};

    /// Sets, an order, nullable values, arrays and numbers over two small sorts, the second ordered.
    fn schema() -> Schema {
        let [a, b] = [0, 1].map(|at| Type::Sort(SortId(at)));
        let sort = |name: &str| Sort {
            name: name.into(),
            size: SortSize::Given,
            span: ioa_lang::Span::default(),
        };
        let mut model = Model::default();
        model.sorts = vec![sort("A"), sort("B")];
        model.functions.push(Function {
            name: "<".into(),
            params: vec![b.clone(), b.clone()],
            result: Type::Bool,
            meaning: Meaning::Less(SortId(1)),
            assumed: ioa_lang::core::Assumed::default(),
            span: ioa_lang::Span::default(),
        });
        let sizes = BTreeMap::from([("A".into(), 3), ("B".into(), 2)]);
        let universe = Universe::new(&model, model.every_setting(), &sizes).unwrap();
        let (sets, value) = (Type::set(a.clone()), Type::null(b.clone()));
        let variables = [
            ("s", sets.clone()),
            ("t", sets.clone()),
            ("u", sets),
            ("x", b.clone()),
            ("y", b.clone()),
            ("o", value.clone()),
            ("f", Type::array(a.clone(), Type::set(b.clone()))),
            ("g", Type::array(a, value)),
            ("w", Type::set(b)),
            ("n", Type::Nat),
            ("m", Type::Nat),
            ("k", Type::Nat),
        ];
        let variables = variables.map(|(name, ty)| (name.to_owned(), ty));
        Schema::new(&model, &universe, "S", variables.to_vec(), Vec::new())
    }

    /// Random states; a low `spread` makes values repeat, so that more relations hold by accident.
    fn states(schema: &Schema, count: usize, spread: u64, seed: u64) -> Samples {
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        let mut samples = Samples::new(schema.clone(), Limits::default());
        for _ in 0..count {
            let word = |ty: &Type| match Packing::of(schema.model(), schema.universe(), ty) {
                None => dice.random_range(0..3),
                Some(packing) => {
                    let codes = packing.codes(1 << 12).unwrap();
                    let few = codes.len().min(spread as usize);
                    codes[dice.random_range(0..few)]
                }
            };
            let mut row: Vec<u64> = schema.variables().iter().map(|v| &v.ty).map(word).collect();
            if spread < 64 {
                // So that something holds of sets and of numbers by more than accident.
                row[0] &= row[1];
                row[10] += row[9];
            }
            samples.add_state(&row).unwrap();
        }
        samples
    }

    /// The states (by position) that violate a clause.
    fn violators(states: &Samples, entry: &Entry) -> BTreeSet<usize> {
        let space = &entry.found.space;
        let literals = &entry.finding.clause.literals;
        let mut out = BTreeSet::new();
        let mut first = 0;
        let (frame, terms) = (&space.frame, &space.terms);
        blocks(states, states.states(), frame, terms, |block| {
            let truths = Truths::of(space, block, literals);
            let mut all = block.live().clone();
            truths
                .rows
                .iter()
                .for_each(|(_, violated)| all.and(violated));
            let stride = block.segment * 64;
            out.extend(all.rows().map(|row| first + row % stride));
            first += stride;
        });
        out
    }

    /// The states that satisfy all facts.
    fn satisfying(states: &Samples, facts: &[Entry]) -> BTreeSet<usize> {
        let mut left: BTreeSet<usize> = (0..states.states().rows()).collect();
        for fact in facts {
            let broken = violators(states, fact);
            left.retain(|at| !broken.contains(at));
        }
        left
    }

    /// Clauses that hold of a few random states by accident are taken as facts, a handful at a time, and what the
    /// e-graph proves from them is looked up in every one of many random states that satisfies them.
    #[test]
    fn folding_is_sound() {
        let schema = schema();
        let prover = Prover::new(&schema);
        let (mut proved, mut witnesses) = (0, 0);
        for seed in 0..3 {
            let few = states(&schema, 14, 3 + seed, seed);
            let frames = Frame::all(&schema).into_iter();
            let found: Vec<Found> = frames.map(|frame| search(&few, frame)).collect();
            let of = |found| move |finding| Entry { found, finding };
            let all: Vec<Entry> = found
                .iter()
                .flat_map(|f| f.findings.iter().map(of(f)))
                .collect();
            let random = [(64, 100), (3 + seed, 200)];
            let random = random.map(|(spread, salt)| states(&schema, 3000, spread, seed + salt));
            for group in 0..12 {
                let is_unit = |e: &&Entry| e.finding.clause.literals.len() == 1;
                let units: Vec<Entry> = all.iter().filter(is_unit).copied().collect();
                let pool = if group % 2 == 0 { &all } else { &units };
                let apart = (pool.len() / 6).max(1);
                let facts: Vec<Entry> = pool
                    .iter()
                    .skip(group * 7)
                    .step_by(apart)
                    .copied()
                    .collect();
                let known: Vec<Statement> = facts.iter().map(|e| e.statement()).collect();
                let goals = all.iter().skip(group).step_by(12).chain(&units);
                let goals: Vec<&Entry> = goals
                    .filter(|g| prover.follows(&known, g.statement()))
                    .collect();
                for states in &random {
                    let left = satisfying(states, &facts);
                    witnesses += left.len();
                    for goal in &goals {
                        proved += 1;
                        let wrong = left.intersection(&violators(states, goal)).next().copied();
                        let text = |e: &Entry| e.found.space.formula(&schema, &e.finding.clause);
                        let facts: Vec<String> = facts.iter().map(text).collect();
                        assert_eq!(
                            wrong,
                            None,
                            "{} does not follow from {facts:#?}",
                            text(goal)
                        );
                    }
                }
            }
        }
        assert!(proved > 200 && witnesses > 1000, "{proved} {witnesses}");
    }

    /// A prover that proves everything would pass the test above if no state satisfied the facts.
    #[test]
    fn what_does_not_follow_is_not_proved() {
        let schema = schema();
        let prover = Prover::new(&schema);
        let few = states(&schema, 14, 3, 0);
        let found: Vec<Found> = Frame::all(&schema)
            .into_iter()
            .map(|f| search(&few, f))
            .collect();
        let all = found.iter().flat_map(|f| {
            f.findings
                .iter()
                .map(move |finding| Entry { found: f, finding })
        });
        let random = states(&schema, 3000, 64, 1);
        let (mut tautologies, mut others) = (0, 0);
        for entry in all.step_by(5) {
            if prover.follows(&[], entry.statement()) {
                assert!(violators(&random, &entry).is_empty());
                tautologies += 1;
            } else {
                others += 1;
            }
        }
        assert!(
            tautologies > 0 && others > tautologies,
            "{tautologies} {others}"
        );
    }
}
